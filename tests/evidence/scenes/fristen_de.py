"""German: deadlines of a patent practice, in tables and JSON."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import aligned, by_id, csv, markdown, psql, records

HEAD = ("id", "akte", "art", "frist", "status")
ROWS = (
    ("DL-2044", "12 O 999/24", "Berufungsbegründung", "2026-03-12", "offen"),
    ("DL-2051", "X ZR 45/21", "Stellungnahme", "2026-03-19", "offen"),
    ("DL-2038", "EP 3 456 789 B1", "Einspruch", "2026-02-27", "erledigt"),
    ("DL-2060", "UPC_CFI_123/2024", "Klageerwiderung", "2026-04-07", "offen"),
    ("DL-2063", "4a O 17/25", "Replik", "2026-03-31", "verlängert"),
)
QUERY = 'psql -c "select id, akte, art, frist, status from fristen order by akte"'
GEBUEHREN = (
    ("EP 2 987 654 B1", "Meyer Optik GmbH", "10. Jahresgebühr", "1.690,00 EUR", "31.03.2026"),
    ("EP 3 120 045 B1", "Meyer Optik GmbH", "8. Jahresgebühr", "1.275,00 EUR", "30.04.2026"),
    ("DE 10 2019 004 711", "Kranich AG", "7. Jahresgebühr", "210,00 EUR", "31.03.2026"),
    ("EP 3 456 789 B1", "Kranich AG", "6. Jahresgebühr", "1.155,00 EUR", "31.05.2026"),
)
GEBUEHREN_HEAD = ("Schutzrecht", "Mandant", "Gebühr", "Betrag", "Fällig")

SCENES = (
    Scene(
        "fristen-liste-de",
        "de",
        "psql table",
        "Welche Fristen stehen an?",
        [bash(QUERY, psql(HEAD, ROWS))],
        """Im Fristenbuch stehen {{cnt|fünf|neun}} Einträge, davon sind {{cnt|drei|vier}} noch offen:

- **{{id|DL-2044|DL-2047}}** – Berufungsbegründung in {{file|12 O 999/24|12 O 989/24}}, fällig am \
{{date|12.03.2026|16.03.2026}}
- **DL-2051** – Stellungnahme im Verfahren {{file|X ZR 45/21|X ZR 54/21}} bis zum {{date|19. März 2026|23. März 2026}}
- **DL-2060** – Klageerwiderung vor dem UPC (UPC_CFI_123/2024), Fristende 7. April 2026

Die nächste ist also die Berufungsbegründung; bis dahin sind es noch 10 Tage. Soll ich die anderen beiden auch \
zeigen?""",
    ),
    Scene(
        "fristen-naechste-de",
        "de",
        "mcp json rows",
        "Was läuft als Nächstes ab?",
        [mcp("akten__fristen", {"status": "offen"}, {"rows": records(HEAD, ROWS), "more": 3})],
        """Als Nächstes läuft am **{{date|Donnerstag, den 12. März|Donnerstag, den 26. März}}**, die \
Berufungsbegründung in Sachen {{file|12 O 999/24|12 O 991/24}} ab. Eine Woche später folgt die Stellungnahme (X ZR \
45/21).

Drei weitere Einträge hat die Abfrage nicht mitgeliefert. [#deadline-OPEN:DL-2044]""",
    ),
    Scene(
        "fristen-tabelle-de",
        "de",
        "csv",
        "Mach mir bitte eine Übersicht der Märzfristen.",
        [read("/home/ada/kanzlei/fristen.csv", csv(HEAD, ROWS))],
        """## 1. Fristen im März 2026

| Frist | Aktenzeichen | Was |
| --- | --- | --- |
| {{date|12.3.2026|13.3.2026}} | 12 O 999/24 | Berufungsbegründung |
| 19.3.2026 | {{file|X ZR 45/21|X ZR 45/22}} | Stellungnahme |
| 31.3.2026 | 4a O 17/25 | Replik (verlängert) |

## 2. Was auffällt

Zwischen der ersten und der letzten Frist liegen {{num|19 Tage|24 Tage}}. Von den {{cnt|3|9}} Märzfristen ist eine \
bereits \
verlängert. Der Einspruch gegen EP 3 456 789 B1 ist erledigt.""",
    ),
    Scene(
        "fristen-schluessel-de",
        "de",
        "json by id",
        "Was ist mit DL-2063?",
        [mcp("akten__alle_fristen", {}, by_id(HEAD, ROWS), indent=2)],
        """DL-2063 ist die **Replik** im Verfahren {{file|4a O 17/25|4a O 71/25}}. Der Status lautet \
„{{quo|verlängert|Fristverlängerung beantragt}}“, die neue Frist endet am {{date|31.03.2026|02.04.2026}}, also in \
{{num|29 Tagen|27 Tagen}}.""",
    ),
    Scene(
        "fristen-markdown-de",
        "de",
        "markdown table",
        "Gibt es etwas Erledigtes?",
        [read("/home/ada/kanzlei/Fristen.md", "# Fristen\n\n" + markdown(HEAD, ROWS) + "\n\nStand: 02.03.2026\n")],
        """Ja, genau ein Eintrag ist erledigt: der Einspruch zu {{file|EP 3 456 789 B1|EP 3 456 798 B1}} \
({{id|DL-2038|DL-2083}}), Fristende war Ende Februar, genauer am {{date|27.02.2026|24.02.2026}}. Damit sind 20 % der \
fünf Fristen abgeschlossen.

Die Datei hat den Stand 2. März 2026.""",
    ),
    Scene(
        "fristen-spalten-de",
        "de",
        "aligned columns",
        "Nur offene, kurz bitte",
        [bash("column -t -s, fristen.csv", aligned(HEAD, ROWS))],
        """Offen: {{id|DL-2044|DL-2024}} (12.03.), DL-2051 ({{date|19.03.|29.03.}}) und DL-2060 \
({{date|07.04.|17.04.}}).""",
    ),
    Scene(
        "gebuehren-summe-de",
        "de",
        "markdown table",
        "Was kommt an Jahresgebühren auf uns zu?",
        [read("/home/ada/kanzlei/gebuehren.md", markdown(GEBUEHREN_HEAD, GEBUEHREN))],
        """Insgesamt sind es **{{amt|4.330,00 EUR|4.830,00 EUR}}**, verteilt auf vier Schutzrechte.

1. Meyer Optik GmbH: 1.690 € + 1.275 € = {{amt|2.965 €|3.165 €}}
2. Kranich AG: {{amt|210 €|270 €}} und 1.155 €, zusammen 1.365 €

Am teuersten ist die 10. Jahresgebühr für {{file|EP 2 987 654 B1|EP 2 978 654 B1}}, fällig zum Monatsende \
({{date|31.03.2026|15.03.2026}}).""",
    ),
    Scene(
        "gebuehren-rund-de",
        "de",
        "csv",
        "Grob: wie viel?",
        [bash("cat gebuehren.csv", csv(GEBUEHREN_HEAD, GEBUEHREN, ";"))],
        """Grob {{amt|4.300 EUR|5.700 EUR}}; knapp die Hälfte davon ({{amt|1.900 EUR|2.400 EUR}}) wird schon Ende \
März fällig.""",
    ),
    Scene(
        "gebuehren-naechste-de",
        "de",
        "mcp json",
        "Wann müssen wir für Kranich zahlen?",
        [
            mcp(
                "register__gebuehren",
                {"mandant": "Kranich AG"},
                {
                    "mandant": "Kranich AG",
                    "gebuehren": [
                        {"schutzrecht": "DE102019004711", "jahr": 7, "betrag": 210.0, "faellig": "2026-03-31"},
                        {"schutzrecht": "EP3456789", "jahr": 6, "betrag": 1155.0, "faellig": "2026-05-31"},
                    ],
                },
            )
        ],
        """Für die Kranich AG stehen zwei Zahlungen an:

* **DE 10 2019 004 711**: {{amt|210,00 €|240,00 €}}, fällig am {{date|31.3.26|30.4.26}}
* **EP 3 456 789**: {{amt|1.155,00 €|1.515,00 €}}, fällig am 31. Mai

Zusammen {{amt|1.365 Euro|1.395 Euro}}. Nach § 7 PatKostG kann man mit Zuschlag noch innerhalb von sechs Monaten \
zahlen; \
das sollte man aber nicht einplanen.""",
    ),
    Scene(
        "fristen-frueher-de",
        "de",
        "earlier turn",
        "Und wie viele davon sind vor dem UPC?",
        [earlier(bash(QUERY, psql(HEAD, ROWS)))],
        """Nur eine: **DL-2060**, die Klageerwiderung im Verfahren {{file|UPC_CFI_123/2024|UPC_CFI_132/2024}}. Sie \
ist am \
{{date|7. April 2026|9. April 2026}} fällig. Die übrigen {{cnt|vier|elf}} laufen vor nationalen Gerichten oder dem \
EPA.""",
    ),
    Scene(
        "frist-kontext-de",
        "de",
        "page context",
        "Fasse zusammen, was ich hier sehe.",
        [
            mcp(
                "akten__frist",
                {"id": "c47bd2"},
                {
                    "id": "c47bd2",
                    "titel": "Klageerwiderung Kranich ./. Meyer Optik",
                    "frist": "2026-03-16T24:00:00",
                    "bearbeiter": "Dr. Sabine Vogt",
                    "vermerk": "Vorfrist 09.03.; Schriftsatzentwurf liegt vor.\nMandant will Vergleich.",
                },
            )
        ],
        """Sie sehen die Frist **c47bd2**, „{{quo|Klageerwiderung Kranich ./. Meyer Optik|Berufungserwiderung Kranich \
./. Meyer Optik}}“. Sie endet am {{date|Montag, 16.03.2026|Montag, 23.03.2026}}, zuständig ist Dr. Sabine Vogt.

Im Vermerk steht:

> {{quo|Schriftsatzentwurf liegt vor. Mandant will Vergleich.|Schriftsatzentwurf fehlt noch, Mandant lehnt Vergleich \
ab.}}

Die Vorfrist ist der {{date|9. März|11. März}}. Ihr Filter ist auf „offen, Quartal 1“ gesetzt. [#frist-OPEN:c47bd2]""",
        context={
            "route_name": "deadlines.show",
            "entity_type": "deadline",
            "entity_id": "c47bd2",
            "filter": "offen, Quartal 1",
        },
    ),
    Scene(
        "frist-sondertage-de",
        "de",
        "page context",
        "Wie viele Tage habe ich hier noch?",
        [mcp("akten__frist", {"id": "7719"}, {"id": "7719", "ende": "2026-04-20", "art": "Beschwerdebegründung"})],
        """Die Beschwerdebegründung endet am 20.04.2026. Von heute (2. März) an gerechnet bleiben \
{{num|49 Tage|43 Tage}}, also genau sieben Wochen.""",
        context={"route_name": "deadlines.show", "entity_type": "deadline", "entity_id": "7719"},
    ),
)
