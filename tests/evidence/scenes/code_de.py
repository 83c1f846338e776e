"""German: a software team; code, logs, tables of a database, configuration."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, edit, glob, grep, mcp, read, task, web_fetch
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
    Scene(
        "commit-frage-de",
        "de",
        "git log",
        "Wann wurde SEPA eingebaut?",
        [
            bash(
                "git log --oneline --date=short --format='%h %ad %an %s' -4",
                "a81c03e 2026-02-27 Cevik SEPA: Mandatsreferenz prüfen\n"
                "77d19f0 2026-02-25 Dorn Rechnungsnummern lückenlos\n"
                "5b0e6a2 2026-01-08 Cevik SEPA-Lastschrift\n12aa9c4 2025-12-19 Adler Python 3.12\n",
            )
        ],
        """Die SEPA-Lastschrift kam mit `{{id|5b0e6a2|5b06ea2}}` von Cevik am {{date|8. Januar 2026|18. Januar \
2026}}. Zuletzt \
kam am {{date|27.02.|22.02.}} die Prüfung der Mandatsreferenz dazu (`a81c03e`). Zwischen beiden liegen \
{{num|50 Tage|57 Tage}}.""",
    ),
    Scene(
        "timeout-geaendert-de",
        "de",
        "edit",
        "Setz das Limit auf 300.",
        [
            earlier(read("/srv/rechnung/src/betrag.py", DIENST)),
            edit("/srv/rechnung/src/betrag.py", "MAX_POSITIONEN = 250", "MAX_POSITIONEN = 300", DIENST),
        ],
        """Erledigt: In `{{line|src/betrag.py:4|src/betrag.py:44}}` steht jetzt 300 statt {{cnt|250|275}}. Die \
Prüfung in \
`pruefe()` bleibt, wie sie ist. Soll ich die Tests laufen lassen?""",
    ),
    Scene(
        "vorlagen-glob-de",
        "de",
        "glob",
        "Welche Mailvorlagen haben wir?",
        [
            glob(
                "vorlagen/*.html",
                *(
                    f"/srv/rechnung/vorlagen/{name}.html"
                    for name in ("anmeldung", "kennwort", "mahnung_1", "mahnung_2", "mahnung_3", "rechnung", "storno")
                ),
            )
        ],
        """Es sind {{cnt|sieben Vorlagen|zehn Vorlagen}}, davon drei Mahnungen (`mahnung_1` bis `mahnung_3`). Die \
letzte im \
Alphabet ist `{{name|storno.html|versand.html}}`.""",
    ),
    Scene(
        "unteraufgabe-tests-de",
        "de",
        "task",
        "Lass prüfen, wie gut die Tests sind.",
        [
            task(
                "Miss die Testabdeckung von lib/.",
                "Abdeckung lib/: 87,4 % der Zeilen (1.932 von 2.211).\n"
                "Am schwächsten: lib/sepa.py mit 61 %. Laufzeit der Tests: 38 s.",
            )
        ],
        """Die Tests decken {{num|87,4 %|84,7 %}} der Zeilen ab ({{cnt|1.932|1.392}} von 2.211); {{cnt|279 Zeilen|297 \
Zeilen}} \
fehlen also noch. Am schwächsten ist `lib/sepa.py` mit {{num|61 %|51 %}}. Ein Lauf dauert {{num|38 Sekunden|83 \
Sekunden}}.

Als Faustregel gelten 80 % als gut.""",
    ),
    Scene(
        "doku-seite-de",
        "de",
        "web fetch",
        "Bis wann wird Node 20 unterstützt?",
        [
            web_fetch(
                "https://nodejs.example/releases",
                "End of life of Node 20",
                "Node.js 20 'Iron' entered maintenance on 2024-10-22. End-of-life: April 30, 2026.",
            )
        ],
        """Node 20 („{{quo|Iron|Hydrogen}}“) wird noch bis zum {{date|30.04.2026|30.06.2026}} unterstützt, ist aber \
seit dem \
{{date|22. Oktober 2024|29. Oktober 2024}} nur noch in der Wartung. Das sind noch {{num|59 Tage|66 Tage}}.""",
    ),
    Scene(
        "json-zeilen-de",
        "de",
        "json lines",
        "Welche Aufträge hängen?",
        [
            bash(
                "cat auftraege.ndjson",
                '{"nr": "A-7001", "stand": "fertig", "seit": "2026-02-26T10:00:00Z"}\n'
                '{"nr": "A-7004", "stand": "hängt", "seit": "2026-02-27T15:31:00Z"}\n'
                '{"nr": "A-7009", "stand": "hängt", "seit": "2026-03-01T04:06:00Z"}\n',
            )
        ],
        """Es hängen A-7004 (seit {{date|Freitag, 27. Februar|Freitag, 20. Februar}}, 15:31 Uhr UTC) und \
{{id|A-7009|A-7090}} (seit gestern, {{time|4:06 Uhr|6:04 Uhr}}). Fertig ist nur A-7001. Soll ich die beiden neu \
starten?""",
    ),
    Scene(
        "grep-konfig-de",
        "de",
        "grep",
        "Wo ist die Poolgröße eingestellt?",
        [grep("pool_size", "conf/db.toml:8:pool_size = 24", "conf/db.test.toml:5:pool_size = 4")],
        """In zwei Dateien: produktiv **{{num|24 Verbindungen|42 Verbindungen}}** \
({{line|conf/db.toml:8|conf/db.toml:18}}), \
im Test 4 (`conf/db.test.toml:5`). Das Verhältnis ist 6 : 1.""",
    ),
)
