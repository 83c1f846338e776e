"""Both languages: names of things in quotation marks and in links: titles, subjects, labels, files, headings."""

from __future__ import annotations

from tests.evidence.results import bash, glob, grep, mcp, read, task, web_fetch, web_search
from tests.evidence.scene import Scene
from tests.evidence.tables import records

SCENES = (
    Scene(
        "titel-aufgaben-de",
        "de",
        "mcp json rows",
        "Was ist bei mir liegen geblieben?",
        [
            mcp(
                "aufgaben__offen",
                {"wer": "ich"},
                {
                    "rows": records(
                        ("id", "titel", "seit"),
                        (
                            ("AU-311", "Vollmacht Thoma nachreichen", "2026-01-26"),
                            ("AU-320", "Kostenfestsetzung prüfen", "2026-02-10"),
                            ("AU-327", "Lizenzvertrag gegenlesen", "2026-02-23"),
                        ),
                    ),
                    "more": 0,
                },
            )
        ],
        """Drei Aufgaben sind offen. Am ältesten ist „{{name|Vollmacht Thoma nachreichen|Vollmacht Seidel \
nachreichen}}“, seit \
dem {{date|26. Januar|16. Januar}}. Danach kommen „Kostenfestsetzung prüfen“ und „{{name|Lizenzvertrag \
gegenlesen|Mietvertrag \
gegenlesen}}“.""",
    ),
    Scene(
        "titel-wiki-de",
        "de",
        "mcp records",
        "Wo steht etwas zur Aktenvernichtung?",
        [
            mcp(
                "wiki__suche",
                {"text": "Aktenvernichtung"},
                {"titel": "Leitfaden Archiv", "pfad": "/wiki/archiv", "stand": "2025-10-02"},
                {"titel": "Datenschutz im Büro", "pfad": "/wiki/datenschutz", "stand": "2024-06-18"},
            )
        ],
        """Im Wiki passen zwei Seiten:

- [{{name|Leitfaden Archiv|Leitfaden Aktenplan}}](/wiki/archiv), Stand {{date|02.10.2025|12.10.2025}}
- [{{name|Datenschutz im Büro|Datenschutz für Mandanten}}](/wiki/datenschutz), Stand Juni 2024

Die zweite ist älter; § 50 BRAO verlangt sechs Jahre Aufbewahrung.""",
    ),
    Scene(
        "titel-ordner-de",
        "de",
        "bash output",
        "Was liegt auf dem Scanner-Laufwerk?",
        [bash("ls /srv/scan", "2026-02-27_Empfangsbekenntnis.pdf\n2026-03-02_Ladung.pdf\nunbenannt-3.pdf\n")],
        """Drei Dateien: „2026-02-27_Empfangsbekenntnis.pdf“, \
„{{name|2026-03-02_Ladung.pdf|2026-03-02_Beschluss.pdf}}“ und eine \
ohne richtigen Namen („unbenannt-3.pdf“).""",
    ),
    Scene(
        "titel-kapitel-de",
        "de",
        "grep",
        "Welche Kapitel hat das Handbuch?",
        [
            grep(
                "^## ",
                "handbuch.md:3:## Anmelden",
                "handbuch.md:41:## Akten anlegen",
                "handbuch.md:97:## Fristen berechnen",
                "handbuch.md:160:## Abrechnen",
            )
        ],
        """Das Handbuch hat vier Kapitel: „Anmelden“, „{{name|Akten anlegen|Akten schließen}}“, „Fristen berechnen“ \
und \
„{{name|Abrechnen|Archivieren}}“. Das längste ist „Fristen berechnen“ ab Zeile 97.""",
    ),
    Scene(
        "titel-buch-de",
        "de",
        "web search",
        "Gibt es einen neuen Kommentar zum UPC?",
        [
            web_search(
                "Kommentar EPGÜ Neuauflage",
                [
                    ("Handkommentar EPGÜ, 2. Auflage – Fachverlag", "https://verlag.example/epgue"),
                    ("Rezension: Einheitspatent", "https://blog.example/r"),
                ],
                "Die 2. Auflage des Handkommentars EPGÜ erscheint am 20. April 2026 und kostet 249 Euro.",
            )
        ],
        """Ja: „{{name|Handkommentar EPGÜ|Praxishandbuch UPC}}“, 2. Auflage, ab {{date|20. April 2026|27. April \
2026}} für \
{{amt|249 €|294 €}}.""",
    ),
    Scene(
        "titel-protokoll-en",
        "en",
        "read file",
        "What was on the agenda?",
        [
            read(
                "/home/kim/agenda.md",
                "Agenda 26 Feb 2026\n1. Office move\n2. Budget for 2027\n3. New phone contract\n4. Summer party\n",
            )
        ],
        """Four items: "Office move", "{{name|Budget for 2027|Budget for 2028}}", "{{name|New phone contract|New \
cleaning \
contract}}" and "Summer party". The meeting was on {{date|Feb 26|Feb 22}}.""",
    ),
    Scene(
        "titel-tickets-en",
        "en",
        "mcp json",
        "Which bugs are assigned to Tom?",
        [
            mcp(
                "tracker__assigned",
                {"to": "tom"},
                [{"id": "#530", "title": "Voucher applied twice"}, {"id": "#541", "title": "Search ignores umlauts"}],
            )
        ],
        """Two bugs:

1. [{{name|Voucher applied twice|Voucher expires too early}}](/issues/530) (#530)
2. [{{name|Search ignores umlauts|Search ignores hyphens}}](/issues/541) ({{id|#541|#514}})""",
    ),
    Scene(
        "titel-docs-en",
        "en",
        "web fetch",
        "Where do the docs explain webhooks?",
        [
            web_fetch(
                "https://docs.pay.example",
                "Which pages are about webhooks?",
                "Pages: 'Receiving events', 'Verifying signatures', "
                "'Retries and ordering'. Retries happen for up to 72 hours.",
            )
        ],
        """On three pages: “Receiving events”, “{{name|Verifying signatures|Rotating secrets}}” and “{{name|Retries \
and \
ordering|Testing locally}}”. Failed deliveries are retried for up to {{num|72 hours|96 hours}}, i.e. 3 days.""",
    ),
    Scene(
        "titel-filme-en",
        "en",
        "glob",
        "Which slide decks do we have for the workshop?",
        [
            glob(
                "workshop/*.pptx",
                "/home/kim/workshop/01 Welcome.pptx",
                "/home/kim/workshop/02 Claim drafting.pptx",
                "/home/kim/workshop/03 Oppositions.pptx",
            )
        ],
        """Three: “01 Welcome”, “{{name|02 Claim drafting|02 Claim charts}}” and “{{name|03 Oppositions|03 \
Appeals}}”.""",
    ),
    Scene(
        "titel-report-en",
        "en",
        "task",
        "What does the audit call our main risk?",
        [
            task(
                "Read the audit report and name its main risk.",
                'Main risk according to section 4: "single point of failure in key '
                'management" (rated high). Second: "no off-site backup".',
            )
        ],
        """Section 4 calls it “{{name|single point of failure in key management|insufficient separation of duties}}” \
and rates it \
high. The second one is "{{quo|no off-site backup|no tested restore}}".""",
    ),
)
