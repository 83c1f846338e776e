"""German: a software team; code, logs, a pipeline."""

from __future__ import annotations

from tests.evidence.results import bash, mcp, read
from tests.evidence.scene import Scene

DIENST = """from decimal import Decimal

MWST = Decimal("0.19")
MAX_POSITIONEN = 250


def brutto(netto: Decimal) -> Decimal:
    \"\"\"Rundet kaufmännisch auf zwei Stellen.\"\"\"
    return (netto * (1 + MWST)).quantize(Decimal("0.01"))


def pruefe(positionen: list[Decimal]) -> None:
    if len(positionen) > MAX_POSITIONEN:
        raise ValueError("zu viele Positionen in der Rechnung")"""
LOG = """2026-03-01 23:58:02 INFO  backup gestartet (Lauf 4f21a)
2026-03-02 00:03:41 WARN  Knoten db-3 antwortet nicht, Versuch 2 von 5
2026-03-02 00:03:55 INFO  Knoten db-3 wieder da
2026-03-02 00:41:17 INFO  backup beendet: 18.734 Dateien, 6,2 GB
2026-03-02 04:12:09 ERROR Zertifikat mail.kanzlei.example läuft am 2026-03-09 ab"""
NUTZER = """ id  |   name   | rolle  |    zuletzt
-----+----------+--------+------------------
 101 | adler    | admin  | 2026-03-01 08:44
 104 | brinkm   | nutzer | 2026-02-11 17:20
 117 | cevik    | nutzer | 2026-03-02 06:59
 118 | dorn     | nutzer | 2025-11-03 10:00
 123 | eckhardt | admin  | 2026-02-28 21:35
 130 | farouk   | gast   | 2026-01-19 14:08
(6 rows)
"""
PLATTE = """Dateisystem    Größe Benutzt Verf. Verw% Eingehängt auf
/dev/nvme0n1p2  916G    641G  229G   74% /
/dev/sda1       3,6T    3,3T  120G   97% /srv/archiv
tmpfs            32G    1,1G   31G    4% /run"""
CI = {
    "pipeline": 90417,
    "status": "failed",
    "branch": "feature/sepa",
    "dauer_s": 611,
    "jobs": [
        {"name": "lint", "status": "success", "dauer_s": 42},
        {"name": "unit", "status": "success", "dauer_s": 288},
        {
            "name": "browser",
            "status": "failed",
            "dauer_s": 251,
            "meldung": 'Timeout: Element "#bezahlen"\nnicht sichtbar',
        },
        {"name": "paket", "status": "skipped", "dauer_s": 0},
    ],
}

SCENES = (
    Scene(
        "mwst-code-de",
        "de",
        "read file",
        "Wie rechnet der Dienst den Bruttobetrag?",
        [read("/srv/rechnung/src/betrag.py", DIENST)],
        """`brutto()` ({{line|src/betrag.py:7|src/betrag.py:71}}) multipliziert mit 1 + 0,19 und rundet auf zwei \
Nachkommastellen. Der Steuersatz steht als `MWST` in Zeile 3.

Pro Rechnung sind höchstens **{{cnt|250 Positionen|500 Positionen}}** erlaubt; darüber kommt der Fehler „{{quo|zu \
viele \
Positionen in der Rechnung|Positionszahl überschritten, bitte aufteilen}}“ (`src/betrag.py:14`).""",
    ),
    Scene(
        "backup-log-de",
        "de",
        "log",
        "Lief das Backup heute Nacht durch?",
        [bash("tail -5 /var/log/backup.log", LOG)],
        """Ja. Das Backup (Lauf {{id|4f21a|4f12a}}) begann um {{time|23:58|22:58}} und war um **{{time|0:41 Uhr|1:14 \
Uhr}}** \
fertig, nach rund {{num|43 Minuten|52 Minuten}}. Gesichert wurden {{cnt|18.734 Dateien|17.834 Dateien}} mit \
{{num|6,2 GB|8,6 GB}}.

Zwei Dinge sind aufgefallen:

1. `db-3` war kurz weg (Versuch 2 von 5).
2. Das Zertifikat von mail.kanzlei.example läuft am {{date|9. März|19. März}} ab – also in {{num|7 Tagen|17 Tagen}}.""",
    ),
    Scene(
        "nutzer-tabelle-de",
        "de",
        "psql table",
        "Wer war diesen Monat schon da?",
        [bash("psql -f nutzer.sql", NUTZER)],
        """Im März haben sich bisher {{cnt|zwei|fünf}} der {{cnt|sechs|elf}} Nutzer angemeldet:

* **adler** am {{date|1.3.|3.3.}} um {{time|8:44 Uhr|9:44 Uhr}}
* **cevik** heute um 6:59 Uhr

Am längsten weg ist dorn (Nr. {{id|118|181}}), zuletzt am {{date|3. November 2025|30. November 2025}}, vor \
{{num|119 Tagen|131 Tagen}}. Admins gibt es 2, also ein Drittel.""",
    ),
    Scene(
        "platte-voll-de",
        "de",
        "aligned columns",
        "Ist noch Platz?",
        [bash("df -h", PLATTE)],
        """Auf `/` sind {{num|74 %|47 %}} belegt, da ist mit {{num|229 GB|292 GB}} noch Luft. **Kritisch ist \
`/srv/archiv`**: {{num|97 %|91 %}} von 3,6 TB, frei sind nur noch {{num|120 GB|210 GB}}.

Soll ich nachsehen, was dort am meisten belegt?""",
    ),
    Scene(
        "pipeline-rot-de",
        "de",
        "mcp json",
        "Warum ist die Pipeline rot?",
        [mcp("ci__pipeline", {"branch": "feature/sepa"}, CI)],
        """Pipeline **{{id|90417|90471}}** (`feature/sepa`) ist am Job `browser` gescheitert. Die Meldung:

> {{quo|Timeout: Element "#bezahlen" nicht sichtbar|Timeout: Element "#absenden" fehlt im Formular}}

| Job | Ergebnis | Dauer |
| --- | --- | --- |
| lint | ok | 42 s |
| unit | ok | {{num|288 s|228 s}} |
| browser | **rot** | {{num|251 s|215 s}} |
| paket | übersprungen | – |

Insgesamt dauerte sie gut {{num|10 Minuten|14 Minuten}}. Von {{cnt|4 Jobs|9 Jobs}} waren zwei grün.""",
    ),
    Scene(
        "suche-fixme-de",
        "de",
        "bash rg",
        "Gibt es noch FIXMEs?",
        [
            bash(
                "rg -n FIXME",
                "lib/sepa.py:66:  # FIXME Umlaute im Verwendungszweck\n"
                "lib/export.py:210:  # FIXME: DATEV kennt nur 36 Zeichen\nweb/kasse.js:19:// FIXME Rundung\n",
            )
        ],
        """Ja, {{cnt|drei|neun}}:

- `{{line|lib/sepa.py:66|lib/sepa.py:69}}` – Umlaute im Verwendungszweck
- lib/export.py:210 – „{{quo|DATEV kennt nur 36 Zeichen|DATEV kennt nur 60 Zeichen}}“
- [{{name|web/kasse.js|web/konto.js}}](web/kasse.js), Zeile 19 – Rundung""",
    ),
    Scene(
        "abhaengigkeiten-de",
        "de",
        "json indented",
        "Welche Versionen benutzen wir im Frontend?",
        [
            read(
                "/srv/rechnung/package.json",
                '{\n  "name": "kasse",\n  "version": "2.7.1",\n  "dependencies": {\n'
                '    "preact": "10.24.3",\n    "htm": "3.1.1"\n  },\n  "engines": {"node": ">=20.11"}\n}',
            )
        ],
        """Die Kasse hat die Version {{id|2.7.1|2.1.7}} und zwei Abhängigkeiten: preact {{id|10.24.3|10.23.4}} und \
htm 3.1.1. \
Verlangt wird mindestens Node 20.11.""",
    ),
)
