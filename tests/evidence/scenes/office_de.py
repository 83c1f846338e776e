"""German: an office; invoices, personnel, travel, stock, minutes."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, grep, mcp, read, task, web_search
from tests.evidence.scene import Scene
from tests.evidence.tables import aligned, by_id, csv, markdown, psql, records

HEAD = ("nummer", "kunde", "datum", "netto", "stand")
ROWS = (
    ("RE-26-0101", "Bäckerei Sommer", "08.01.2026", "412,50", "bezahlt"),
    ("RE-26-0107", "Kranich AG", "19.01.2026", "2.980,00", "bezahlt"),
    ("RE-26-0112", "Bäckerei Sommer", "04.02.2026", "96,30", "offen"),
    ("RE-26-0119", "Stadt Freising", "16.02.2026", "5.640,00", "offen"),
    ("RE-26-0120", "Kranich AG", "17.02.2026", "1.205,75", "gemahnt"),
    ("RE-26-0126", "Wolff Zeichnungen", "26.02.2026", "318,00", "Entwurf"),
    ("RE-26-0127", "Stadt Freising", "27.02.2026", "760,00", "offen"),
)
LAGER_HEAD = ("artikel", "bezeichnung", "bestand", "mindestbestand", "preis")
LAGER = (
    ("4401", "Ordner breit", 38, 20, 2.49),
    ("4409", "Toner schwarz", 3, 5, 84.9),
    ("4415", "Papier A4, 500 Blatt", 112, 60, 4.35),
    ("4422", "Versandtaschen C4", 9, 25, 0.28),
)
PROTOKOLL = """# Protokoll der Bürorunde vom 23.02.2026

Beginn 9:30 Uhr, Ende 10:50 Uhr. Anwesend: Adler, Brinkmann, Cevik, Dorn.

1. Urlaub: Cevik vom 06.04. bis 17.04.2026; Vertretung Dorn.
2. Der Mietvertrag für die Garage wird zum 30.09.2026 gekündigt.
3. Budget Weiterbildung: 6.000 EUR, davon sind 2.150 EUR verplant.
4. Brinkmann: „Die neue Telefonanlage fällt zweimal täglich aus.“

Nächste Runde: 09.03.2026, 9:30 Uhr"""

SCENES = (
    Scene(
        "rechnungen-offen-de",
        "de",
        "psql table",
        "Welche Rechnungen sind offen?",
        [bash("psql -c 'select * from rechnungen'", psql(HEAD, ROWS))],
        """Offen sind {{cnt|drei Rechnungen|zwölf Rechnungen}}:

| Nummer | Kunde | Betrag |
| --- | --- | ---: |
| {{id|RE-26-0112|RE-26-0121}} | Bäckerei Sommer | 96,30 € |
| RE-26-0119 | Stadt Freising | {{amt|5.640,00 €|5.460,00 €}} |
| RE-26-0127 | Stadt Freising | 760,00 € |
| **Summe** | | **{{amt|6.496,30 €|6.946,30 €}}** |

Dazu kommt {{id|RE-26-0120|RE-26-0102}} der Kranich AG, die bereits gemahnt ist.""",
    ),
    Scene(
        "rechnungen-monat-de",
        "de",
        "csv",
        "Was haben wir im Februar berechnet?",
        [bash("cat rechnungen.csv", csv(HEAD, ROWS, ";"))],
        """Im Februar wurden {{cnt|fünf|elf}} Rechnungen über zusammen {{amt|8.020,05 EUR|8.200,05 EUR}} geschrieben, \
im \
Januar zwei über {{amt|3.392,50 EUR|3.932,50 EUR}}. Der größte Posten ist die Stadt Freising vom \
{{date|16. Februar|13. Februar}}.""",
    ),
    Scene(
        "rechnungen-kunde-de",
        "de",
        "mcp json rows",
        "Was ist mit der Kranich AG?",
        [mcp("buch__rechnungen", {"kunde": "Kranich AG"}, {"rows": records(HEAD, [ROWS[1], ROWS[4]]), "more": 0})],
        """Die Kranich AG hat zwei Rechnungen bekommen: eine über {{amt|2.980 €|2.890 €}} (bezahlt) und eine über \
{{amt|1.205,75 €|1.250,75 €}} vom {{date|17.2.2026|7.2.2026}}. Die zweite ist **gemahnt** – sie ist {{num|13 Tage|22 \
Tage}} \
alt.

Soll ich eine zweite Mahnung vorbereiten?""",
    ),
    Scene(
        "rechnungen-anteil-de",
        "de",
        "markdown table",
        "Wie viel Prozent sind bezahlt?",
        [read("/home/ada/buero/rechnungen.md", markdown(HEAD, ROWS))],
        """Bezahlt sind 2 von {{cnt|7|11}}, das sind rund {{num|29 %|36 %}}. Nach Beträgen sind es 3.392,50 EUR von \
{{amt|11.412,55 EUR|11.214,55 EUR}}, also etwa {{num|30 %|34 %}}.""",
    ),
    Scene(
        "rechnungen-id-de",
        "de",
        "json by id",
        "Details zur 0126?",
        [mcp("buch__alle", {}, by_id(HEAD, ROWS))],
        """RE-26-0126 an Wolff Zeichnungen ist noch ein {{quo|„Entwurf“|„Storno“}}: {{amt|318 Euro|381 Euro}} netto, \
Datum \
{{date|26.02.26|20.02.26}}. [#rechnung-OPEN:RE-26-0126]""",
    ),
    Scene(
        "lager-nachbestellen-de",
        "de",
        "aligned columns",
        "Was müssen wir nachbestellen?",
        [bash("lager --liste", aligned(LAGER_HEAD, LAGER))],
        """Unter dem Mindestbestand liegen zwei Artikel:

- **Toner schwarz** ({{id|4409|4490}}): noch {{cnt|3 Stück|7 Stück}}, Mindestbestand 5
- **Versandtaschen C4** (4422): 9 statt {{cnt|25 Stück|35 Stück}}

Zwei Toner kosten {{amt|169,80 €|196,80 €}}. Vom Papier sind {{cnt|112 Pakete|121 Pakete}} da.""",
    ),
    Scene(
        "lager-json-de",
        "de",
        "json indented",
        "Wie viel Papier haben wir?",
        [
            mcp(
                "lager__bestand",
                {},
                {"artikel": records(LAGER_HEAD, LAGER), "stand": "2026-03-02T06:00:00+01:00"},
                indent=2,
            )
        ],
        """Vom Artikel {{id|4415|4451}} sind **{{cnt|112|211}}** Pakete à 500 Blatt da, fast doppelt so viele wie der \
Mindestbestand ({{cnt|60 Stück|80 Stück}}). Stand: heute, {{time|6 Uhr|9 Uhr}}. Ein Paket kostet {{amt|4,35 €|4,53 \
€}}.""",
    ),
    Scene(
        "protokoll-runde-de",
        "de",
        "read file",
        "Was wurde in der Bürorunde beschlossen?",
        [read("/home/ada/buero/protokolle/2026-02-23.md", PROTOKOLL)],
        """### Bürorunde vom 23. Februar

1. **Urlaub:** Cevik ist vom {{date|6. April|3. April}} bis {{date|17. April|24. April}} weg, Dorn vertritt.
2. **Garage:** Der Mietvertrag wird zum {{date|30.9.2026|31.12.2026}} gekündigt.
3. **Weiterbildung:** Von {{amt|6.000 €|8.000 €}} sind 2.150 € verplant, es bleiben {{amt|3.850 €|3.580 €}}.
4. **Telefon:** «{{quo|Die neue Telefonanlage fällt zweimal täglich aus.|Die neue Telefonanlage läuft seit dem Umbau \
stabil.}}»

Die Runde dauerte {{num|80 Minuten|95 Minuten}}; die nächste ist am {{date|9. März|16. März}} um {{time|9.30 \
Uhr|10.30 Uhr}}.""",
    ),
    Scene(
        "protokoll-frueher-de",
        "de",
        "earlier turn",
        "Wer vertritt, und wie lange?",
        [earlier(read("/home/ada/buero/protokolle/2026-02-23.md", PROTOKOLL))],
        """Dorn vertritt Cevik, und zwar vom 06.04. bis zum {{date|17.04.2026|27.04.2026}}. Das sind {{num|12 Tage|18 \
Tage}} \
einschließlich beider Enden.""",
    ),
    Scene(
        "reise-unteraufgabe-de",
        "de",
        "task",
        "Such mir eine Verbindung nach Düsseldorf für Donnerstag.",
        [
            task(
                "Bahnverbindung München–Düsseldorf am Donnerstag, Ankunft vor 13 Uhr.",
                "ICE 722: ab 07:28 Gleis 19, an 12:12, 1 Umstieg in Frankfurt, 89,90 EUR (Sparpreis).\n"
                "ICE 516: ab 07:46 Gleis 23, an 12:31, ohne Umstieg, 112,50 EUR.",
            )
        ],
        """Zwei Verbindungen passen:

- **ICE 722**, ab {{time|7:28|7:52}}, an 12:12 Uhr, mit Umstieg in Frankfurt, {{amt|89,90 €|98,90 €}}
- **ICE 516**, ab 7:46 (Gleis 23), an {{time|12:31|12:53}} Uhr, ohne Umstieg, {{amt|112,50 €|121,50 €}}

Der direkte Zug ist also {{amt|22,60 €|24,60 €}} teurer. Soll ich den ICE 516 vormerken?""",
    ),
    Scene(
        "personal-suche-de",
        "de",
        "grep",
        "Wer hat in diesem Jahr Jubiläum?",
        [grep("2016|2006", "personal/liste.csv:4:Adler;2006-10-01;40", "personal/liste.csv:9:Dorn;2016-04-15;32")],
        """Zwei: **Adler** ist am {{date|1. Oktober|1. November}} 20 Jahre da \
(`{{line|personal/liste.csv:4|personal/liste.csv:14}}`), \
**Dorn** am {{date|15. April|25. April}} zehn Jahre (`personal/liste.csv:9`). Dorn arbeitet {{num|32 Stunden|36 \
Stunden}} \
in der Woche, Adler 40.""",
    ),
    Scene(
        "vertraege-verschachtelt-de",
        "de",
        "json nested",
        "Welche Verträge enden dieses Jahr?",
        [
            mcp(
                "vertraege__liste",
                {},
                {
                    "verträge": {
                        "miete": {
                            "partner": "Hausverwaltung Isar",
                            "ende": "2028-12-31",
                            "kosten": {"monat": 2480, "kaution": 7440},
                        },
                        "strom": {"partner": "Stadtwerke", "ende": "2026-08-31", "kosten": {"monat": 187.4}},
                        "leasing": {
                            "partner": "AutoPool",
                            "ende": "2026-11-15",
                            "kosten": {"monat": 329, "rate": "24 von 36"},
                        },
                    }
                },
            )
        ],
        """Zwei Verträge laufen 2026 aus: **Strom** (Stadtwerke) am {{date|31. August|30. Juni}} und **Leasing** \
(AutoPool) am \
{{date|15.11.2026|15.12.2026}}. Zusammen kosten sie {{amt|516,40 €|561,40 €}} im Monat. Beim Leasing ist die Rate \
{{cnt|24 von 36|28 von 42}} erreicht. Die Kaution der Miete beträgt {{amt|7.440 €|7.740 €}}, das sind drei \
Monatsmieten.""",
    ),
    Scene(
        "suche-feiertag-de",
        "de",
        "web search",
        "Wann sind in Bayern Pfingstferien?",
        [
            web_search(
                "Pfingstferien Bayern 2026",
                [("Ferientermine Bayern", "https://km.example/ferien")],
                "Pfingstferien 2026 in Bayern: 26. Mai bis 5. Juni. Sommerferien: 3. August bis 14. September.",
            )
        ],
        """Vom {{date|26. Mai|19. Mai}} bis zum {{date|5. Juni 2026|12. Juni 2026}}. Quelle: \
[{{name|Ferientermine Bayern|Schulferien Deutschland}}](https://km.example/ferien). Die Sommerferien beginnen am \
{{date|3. August|27. Juli}}.""",
    ),
)
