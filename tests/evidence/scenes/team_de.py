"""German: a software team; commits, templates, searches, orders."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, edit, glob, grep, read, task, web_fetch
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

SCENES = (
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
