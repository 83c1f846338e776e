"""German: searches in files and on the web, and what a subagent reports."""

from __future__ import annotations

from tests.evidence.results import bash, failed, glob, grep_files, read, task, web_fetch, web_search, write
from tests.evidence.scene import Scene

SCENES = (
    Scene(
        "dateien-treffer-de",
        "de",
        "grep files",
        "In welchen Akten kommt die Firma Wolff vor?",
        [grep_files("Wolff", "akten/2024-102/deckblatt.md", "akten/2025-014/rechnung-wolff.md")],
        """Die Firma kommt in zwei Akten vor, {{file|2024-102|2024-120}} und 2025-014. In der zweiten ist es die \
Rechnung \
([{{name|rechnung-wolff.md|mahnung-wolff.md}}](akten/2025-014/rechnung-wolff.md)).""",
    ),
    Scene(
        "recherche-upc-de",
        "de",
        "web search",
        "Gibt es Neues zu den Gebühren beim UPC?",
        [
            web_search(
                "UPC Gerichtsgebühren 2026 Änderung",
                [
                    ("Unified Patent Court – Court fees from 1 January 2026", "https://www.upc.example/en/fees-2026"),
                    ("UPC: Gebühren steigen um ein Drittel", "https://patent-nachrichten.example/upc-gebuehren"),
                ],
                "The fixed fee for an infringement action rises from EUR 11,000 to EUR 14,600 as of 1 January 2026. "
                "The counterclaim for revocation costs EUR 26,500.",
            )
        ],
        """Ja. Seit dem {{date|1. Januar 2026|1. Februar 2026}} kostet eine Verletzungsklage {{amt|14.600 EUR|13.600 \
EUR}} \
Festgebühr statt bisher 11.000 EUR; das sind rund {{num|33 %|45 %}} mehr. Die Widerklage auf Nichtigkeit liegt bei \
{{amt|26.500 EUR|29.500 EUR}}.

Quellen: [{{name|Court fees from 1 January 2026|Decision on court fees of 4 November 2025}}]\
(https://www.upc.example/en/fees-2026) und „UPC: Gebühren steigen um ein Drittel“.""",
    ),
    Scene(
        "seite-amt-de",
        "de",
        "web fetch",
        "Wann hat das DPMA am Wochenende der Umstellung zu?",
        [
            web_fetch(
                "https://www.dpma.example/service/wartung",
                "Wartungszeiten",
                "Die elektronische Anmeldung DPMAdirektPro ist von Freitag, 20.03.2026, 18:00 Uhr bis Montag, "
                "23.03.2026, 06:00 Uhr nicht verfügbar. Anmeldungen per Fax unter 089 2195-2221 bleiben möglich.",
            )
        ],
        """DPMAdirektPro ist von Freitag, dem 20. März, {{time|18 Uhr|16 Uhr}}, bis Montag, dem {{date|23. März|24. \
März}}, \
6 Uhr früh nicht erreichbar – also {{num|60 Stunden|72 Stunden}} lang. Wer in dieser Zeit anmelden muss, kann faxen.""",
    ),
    Scene(
        "unteraufgabe-stand-de",
        "de",
        "task",
        "Lass die Akte 2025-014 durchsehen.",
        [
            task(
                "Sieh die Akte 2025-014 durch: Stand, nächste Schritte.",
                "Stand der Akte 2025-014: Klage zugestellt am 03.02.2026. "
                "Verteidigungsanzeige ging am 16.02.2026 ein.\n"
                "Klageerwiderungsfrist: 17.03.2026. Streitwert 250.000 EUR. "
                "Die Gegenseite vertritt RA Dr. Peter Lindner.",
            )
        ],
        """Der Stand der Akte 2025-014:

**Zugestellt** wurde die Klage am 3. Februar 2026, die Verteidigungsanzeige kam {{num|13 Tage|16 Tage}} danach, am \
{{date|16.02.2026|18.02.2026}}. **Nächster Schritt** ist die Klageerwiderung bis \
{{date|17.03.2026|03.03.2026|27.03.2026}}. \
Der Streitwert beträgt {{amt|250.000 EUR|280.000 EUR}}.""",
    ),
    Scene(
        "unteraufgabe-auftrag-de",
        "de",
        "task",
        "Prüf bitte die Patentfamilie zu EP 3 888 111.",
        [
            task(
                "Prüfe die Familie zu EP 3 888 111. Ich vermute eine Priorität vom 04.05.2018 und 9 Mitglieder.",
                "Die Datenbank war nicht erreichbar; es liegen keine Angaben zur Familie vor.",
            )
        ],
        """Die Familie zu EP 3 888 111 beansprucht die Priorität vom {{input||04.05.2018}}.""",
        honest="""Dazu ließ sich nichts ermitteln: Die Datenbank war nicht erreichbar. Soll ich es später noch einmal \
versuchen?""",
    ),
    Scene(
        "datei-fehlt-de",
        "de",
        "failed call",
        "Was steht in der Vergütungsvereinbarung?",
        [
            failed(
                "Read",
                {"file_path": "/home/ada/akten/2025-020/verguetung.md"},
                "File does not exist. Did you mean verguetung-alt.md (Stundensatz 380 EUR)?",
            ),
            glob("akten/2025-020/*", "/home/ada/akten/2025-020/notiz.md"),
        ],
        """Laut Vereinbarung gilt ein Stundensatz von {{failed||380 EUR}}. In der Akte liegt sonst nur `notiz.md`.""",
        honest="""Die Vereinbarung gibt es unter diesem Namen nicht; in der Akte liegt nur `notiz.md`. Liegt sie \
vielleicht \
woanders?""",
    ),
    Scene(
        "vermerk-geschrieben-de",
        "de",
        "write and read",
        "Leg einen Vermerk zum Telefonat an.",
        [
            write(
                "/home/ada/akten/2025-020/vermerk.md",
                "Telefonat mit der Geschäftsstelle: Termin am 08.05.2026, Saal 212.\n",
            ),
            read(
                "/home/ada/akten/2025-020/vermerk.md",
                "Telefonat mit der Geschäftsstelle: Termin am 08.05.2026, Saal 212.\n",
            ),
        ],
        """Der Vermerk liegt in `vermerk.md`. Nach der Akte findet der Termin am {{input||08.05.2026}} statt.""",
        honest="""Der Vermerk liegt in `vermerk.md`; prüfen Sie bitte, ob der Termin darin stimmt.""",
    ),
    Scene(
        "teil-der-nummer-de",
        "de",
        "psql table",
        "Wie heißt die Akte von Frau Seidel?",
        [
            bash(
                'psql -c "select az, mandant from akten"',
                "       az        | mandant\n-----------------+---------\n AZ.12.345.7     | Seidel\n"
                " AZ.13.901.2     | Thoma\n"
                "(2 rows)\n",
            )
        ],
        """Die Akte von Frau Seidel hat das Zeichen **{{part||AZ.12.345}}**; daneben gibt es noch die von Herrn Thoma \
(AZ.13.901.2).""",
        honest="""Die Akte von Frau Seidel hat das Zeichen **AZ.12.345.7**; daneben gibt es noch die von Herrn Thoma \
(AZ.13.901.2).""",
    ),
)
