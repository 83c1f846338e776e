"""Both languages, for tuning: results in one language, answers in the other; pages and searches."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, mcp, read, web_fetch, web_search
from tests.evidence.scene import Scene
from tests.evidence.tables import markdown

MINUTES = """# Board meeting

Date: Wednesday, February 18, 2026, 2:00 p.m. to 4:20 p.m.
Present: Mwangi, Alvarez, Sato (chair), Dupont (from item 3)

## 1. Figures
Revenue in Q4 was $3.84 million, 11% above plan. Headcount: 126 (from 119).

## 2. Lisbon office
The lease ends on June 30, 2027. "We should not renew before we know how many people will really come in," said Alvarez.

## 3. Hiring
Approved: 4 engineers, 1 designer. Rejected: second recruiter.

Next meeting: the third Wednesday in March, same time.
"""
VERTRAG = """Wartungsvertrag Nr. WV-2023-0615

zwischen der Stadtwerke Ahlen GmbH und der Firma Nordlift Aufzüge KG.

1. Die Wartung erfolgt vierteljährlich, erstmals am 15. Januar 2024.
2. Die Vergütung beträgt 1.240,00 EUR netto je Wartung und wird zum Jahresende um 2,5 % erhöht.
3. Störungen werden binnen 4 Stunden behoben, in Notfällen (eingeschlossene Personen) binnen 45 Minuten.
4. Die Laufzeit beträgt fünf Jahre und endet mit Ablauf des 31. Dezember 2028.
5. Die Haftung ist auf 250.000 EUR je Schadensfall begrenzt.
"""

SCENES = (
    Scene(
        "dev-sitzung-englisch-de",
        "de",
        "read markdown",
        "Fass mir das Protokoll bitte auf Deutsch zusammen.",
        [read("/home/ada/board/2026-02-minutes.md", MINUTES)],
        """## Vorstandssitzung vom {{date|18. Februar 2026|16. Februar 2026}}

Sie dauerte von {{time|14 Uhr|15:10 Uhr}} bis {{time|16:20 Uhr|17:40 Uhr}}; den Vorsitz hatte Sato.

- **Zahlen:** Der Umsatz im vierten Quartal lag bei {{amt|3,84 Mio. $|3,48 Mio. $}} und damit {{num|11 %|17 %}} über \
Plan. Statt 119 sind jetzt {{num|126 Personen|173 Personen}} beschäftigt, also sieben mehr.
- **Lissabon:** Der Mietvertrag endet am {{date|30. Juni 2027|31. Juli 2027}}. Alvarez möchte mit der Verlängerung \
warten, bis klar ist, wie viele wirklich ins Büro kommen.
- **Einstellungen:** vier Entwickler und eine Designerin genehmigt, eine zweite Stelle im Recruiting abgelehnt.

Die nächste Sitzung ist am dritten Mittwoch im März, das wäre der 18. März um 14 Uhr.""",
    ),
    Scene(
        "dev-lift-contract-en",
        "en",
        "read text",
        "What does the maintenance contract say? In English please.",
        [read("/home/ada/vertraege/WV-2023-0615.txt", VERTRAG)],
        """It's contract **{{file|WV-2023-0615|WV-2023-0651}}** between Stadtwerke Ahlen GmbH and “{{name|Nordlift \
Aufzüge KG|Nordlift Service GmbH}}”:

1. Maintenance once a quarter, first on {{date|January 15, 2024|January 25, 2024}}
2. {{amt|€1,240|€1,420}} plus VAT per visit, raised by {{num|2.5%|3.5%}} at the end of each year
3. Faults are fixed within {{num|4 hours|9 hours}}, within {{num|45 minutes|20 minutes}} if people are trapped
4. It runs for five years, until {{date|December 31, 2028|December 31, 2026}}
5. Liability is capped at {{amt|€250,000|€520,000}} per incident

That's about €5,000 a year for the four visits (4 × €1,240 = €4,960), before the yearly increase.""",
    ),
    Scene(
        "dev-fetch-ferien-de",
        "de",
        "web fetch",
        "Wann hat das Museum in Oslo offen?",
        [
            web_fetch(
                "https://museum.example/en/visit",
                "Opening hours and prices",
                "Opening hours: Tuesday–Sunday 11 am – 5 pm, Thursdays until 8 pm. Closed on Mondays and from 23 to \
26 December. Tickets: NOK 180, under 18 free, groups of 10 to 25 people NOK 140 per person. Last admission 45 minutes \
before closing.",
            )
        ],
        """Laut der Seite des Museums:

- **Dienstag bis Sonntag** {{time|11–17 Uhr|10–18 Uhr}}, donnerstags sogar bis {{time|20 Uhr|22 Uhr}}
- montags und vom {{date|23. bis 26. Dezember|24. bis 27. Dezember}} geschlossen
- letzter Einlass {{num|eine Dreiviertelstunde|35 Minuten}} vor Schluss

Der Eintritt kostet {{amt|180 NOK|160 NOK}}, unter {{num|18 Jahren|16 Jahren}} ist er frei. Für Gruppen von 10 bis \
{{num|25 Personen|40 Personen}} sind es {{amt|140 Kronen|120 Kronen}} pro Kopf. Quelle: \
[Visit](https://museum.example/en/visit)""",
    ),
    Scene(
        "dev-search-bahn-en",
        "en",
        "web search",
        "is there a rail strike in Germany this week?",
        [
            web_search(
                "Bahnstreik März 2026",
                [
                    (
                        "Warnstreik bei der Bahn: Was Reisende wissen müssen",
                        "https://nachrichten.example/bahn-warnstreik-maerz",
                    ),
                    ("Fahrgastrechte bei Streik", "https://verbraucher.example/fahrgastrechte"),
                ],
                "Die Gewerkschaft hat zu einem Warnstreik von Donnerstag, 5. März 2026, 2 Uhr, bis Freitag, 6. März, \
14 Uhr aufgerufen. Betroffen sind rund 180.000 Reisende; etwa ein Drittel der Fernzüge soll fahren. Tickets behalten \
bis zum 15. März ihre Gültigkeit.",
            )
        ],
        """Yes. The union has called a strike from {{date|Thursday, 5 March|Wednesday, 4 March}}, {{time|2 am|5 am}}, \
until Friday at {{time|2 pm|11 pm}}, so 36 hours. About {{num|a third|a quarter}} of the long-distance trains should \
run, and some {{num|180,000|810,000}} passengers are affected. Tickets stay valid until {{date|March 15|March 25}}.

See “{{name|Warnstreik bei der Bahn: Was Reisende wissen müssen|Warnstreik bei der Bahn: Diese Züge fallen aus}}” \
([source]({{id|https://nachrichten.example/bahn-warnstreik-maerz|https://nachrichten.example/bahn-streik-2026}})) and \
[{{name|Fahrgastrechte bei Streik|Entschädigung bei Zugausfall}}](https://verbraucher.example/fahrgastrechte).

Under EU Regulation 2021/782 you get a quarter of the fare back for a delay of an hour or more, and half for two \
hours.""",
    ),
    Scene(
        "dev-suche-bibliothek-de",
        "de",
        "web search",
        "Gibt es von der Bibliothek httpx schon eine neuere Version?",
        [
            web_search(
                "httpx latest release",
                [
                    ("Releases · httpx", "https://code.example/httpx/releases"),
                    ("httpx changelog", "https://docs.example/httpx/changelog"),
                ],
                "The latest release of httpx listed there is 0.28.1, dated December 6, 2024. It fixes SSL case where \
verify=False is combined with client side certificates. A 1.0 development release exists but is not recommended for \
production.",
            ),
            bash("pip show httpx | head -2", "Name: httpx\nVersion: 0.27.2\n"),
        ],
        """Ja: Installiert ist {{num|0.27.2|0.25.7}}, aktuell ist laut der Suche {{num|0.28.1|0.29.3}} vom {{date|6. \
Dezember 2024|16. Dezember 2024}}. Sie behebt einen Fehler bei `{{id|verify=False|trust_env=False}}` mit \
Client-Zertifikaten. Es gibt außerdem eine Entwicklungsversion {{num|1.0|3.2}}, von der aber abgeraten wird: \
“{{quo|not recommended for production|only meant for contributors}}”.

Der Wechsel geht mit `pip install -U 'httpx<1'`.""",
    ),
    Scene(
        "dev-zitat-uebersetzt-de",
        "de",
        "earlier turn",
        "Was hat Alvarez wörtlich gesagt?",
        [earlier(read("/home/ada/board/2026-02-minutes.md", MINUTES), 3)],
        """Im Original:

> {{quo|We should not renew before we know how many people will really come in|We should sign a shorter lease before \
anybody else takes the building}}

Auf Deutsch etwa: Wir sollten nicht verlängern, bevor wir wissen, wie viele wirklich kommen. Das war zu Punkt \
{{num|2|23}} der Tagesordnung. Bis zum Ende des Mietvertrags sind es noch knapp 16 Monate.""",
    ),
    Scene(
        "dev-forecast-en",
        "en",
        "mcp json nested",
        "weather for Innsbruck tomorrow and the day after?",
        [
            mcp(
                "wetter__vorhersage",
                {"ort": "Innsbruck", "tage": 2},
                {
                    "ort": {"name": "Innsbruck", "hoehe_m": 574},
                    "tage": [
                        {
                            "datum": "2026-03-03",
                            "min": -2.5,
                            "max": 6,
                            "niederschlag_mm": 0,
                            "wind_kmh": 14,
                            "text": "meist sonnig",
                        },
                        {
                            "datum": "2026-03-04",
                            "min": 1,
                            "max": 9,
                            "niederschlag_mm": 7.5,
                            "wind_kmh": 38,
                            "text": "Regen, über 1300 m Schnee",
                        },
                    ],
                },
            )
        ],
        """**Tomorrow (Tuesday)**: mostly sunny, {{num|\u22122.5 to 6 °C|\u22124.5 to 11 °C}}, light wind ({{num|14 \
km/h|19 km/h}}), dry.

**Wednesday, {{date|4 March|5 March}}**: rain, {{num|7.5 mm|8.5 mm}}, snow above {{num|1,300 m|1,800 m}}; up to \
{{num|9 °C|12 °C}} with gusts around {{num|38 km/h|83 km/h}}.

Innsbruck lies at {{num|574 m|547 m}}, so in town it'll just be wet. Take an umbrella.""",
    ),
    Scene(
        "dev-release-notes-de",
        "de",
        "web fetch",
        "Was ist neu in der Version?",
        [
            web_fetch(
                "https://docs.example/tablekit/releases/6.4",
                "What is new in 6.4, what breaks?",
                "TableKit 6.4.0 (released 2026-01-22)\n\n- Rendering of 50,000 rows is now 3.2x faster (from 1,920 ms \
to 600 ms).\n- `sortBy` accepts up to 5 columns.\n- Removed: `legacyFilter`, deprecated since 5.8.\n- Minimum Node.js \
version is now 20.\n- Fixes 31 bugs, among them #2209 (sticky header) and #2244.",
            )
        ],
        """TableKit **6.4.0** ist am {{date|22. Januar|12. Januar}} erschienen:

- **Schneller:** {{num|50.000 Zeilen|15.000 Zeilen}} in {{num|0,6 s|0,9 s}} statt {{num|1,92 s|2,91 s}}, das ist \
Faktor {{num|3,2|4,6}}
- **Sortieren:** nach bis zu {{num|fünf|acht}} Spalten
- **Entfernt:** `legacyFilter`, seit {{num|5.8|5.3}} als veraltet markiert
- **Node.js** ab Version {{num|20|24}}
- 31 behobene Fehler, darunter {{id|#2209|#2290}} und #2244

Wenn Sie `legacyFilter` noch verwenden, müssen Sie also vor dem Update umstellen. Soll ich danach suchen?""",
    ),
    Scene(
        "dev-recipe-en",
        "en",
        "mcp text",
        "translate grandma's recipe and double it",
        [
            mcp(
                "notizen__lesen",
                {"titel": "Apfelkuchen"},
                "Omas Apfelkuchen (12 Stücke)\n\n250 g Mehl, 125 g Butter, 1 Ei, 80 g Zucker, 1,5 kg Äpfel, ½ TL \
Zimt\nBei 180 °C Umluft 50–55 Minuten backen. Vorher 30 min kalt stellen.\nAufgeschrieben am 3. Oktober 1987.",
            )
        ],
        """**Grandma's apple pie, doubled** (makes {{num|24 pieces|28 pieces}}):

- {{num|500 g|550 g}} flour
- 250 g butter
- 2 eggs
- {{num|160 g|190 g}} sugar
- {{num|3 kg|9 kg}} apples
- 1 tsp cinnamon

Chill for {{num|half an hour|20 minutes}}, then bake at {{num|180 °C|140 °C}} (fan) for {{num|50 to 55 minutes|35 to \
40 minutes}} – with two trays perhaps a little longer. She wrote it down on {{date|October 3, 1987|October 8, \
1978}}.""",
    ),
    Scene(
        "dev-reise-englisch-de",
        "de",
        "markdown table",
        "Welche Züge kommen infrage? Ich will vor 11 Uhr da sein.",
        [
            mcp(
                "rail__search",
                {"from": "London", "to": "York", "date": "2026-03-09"},
                markdown(
                    ("Train", "Dep.", "Arr.", "Changes", "Fare"),
                    (
                        ("1N04", "6:03am", "8:27am", 0, "£78.40"),
                        ("1S07", "7:30am", "9:22am", 0, "£112.00"),
                        ("2K51", "7:48am", "10:59am", 1, "£41.60"),
                        ("1E10", "9:00am", "11:08am", 0, "£96.50"),
                    ),
                ),
            )
        ],
        """Am Montag, dem {{date|9. März|10. März}}, kommen {{cnt|drei von vier|neun von elf}} Verbindungen infrage:

| Zug | ab | an | Umstiege | Preis |
|---|---|---|---|---|
| 1N04 | {{time|6:03|6:30}} | 8:27 | – | {{amt|78,40 £|87,40 £}} |
| {{id|1S07|1S70}} | 7:30 | 9:22 | – | 112 £ |
| 2K51 | 7:48 | {{time|10:59|10:49}} | 1 | {{amt|41,60 £|46,10 £}} |

Der schnellste braucht nur eine Stunde und 52 Minuten, der billigste gut drei. Der 1E10 wäre erst um {{time|11:08 \
Uhr|11:28 Uhr}} da.""",
    ),
)
