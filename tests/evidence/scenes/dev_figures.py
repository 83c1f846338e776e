"""Both languages, for tuning: numbers in all notations, conversions, shares, averages and differences."""

from __future__ import annotations

from tests.evidence.results import bash, compact, earlier, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import csv, markdown, psql, records

LADUNG = (
    ("P-01", "Motor", 412.5, "EUR", 18450),
    ("P-02", "Getriebe", 238.0, "EUR", 9720),
    ("P-03", "Pumpe", 74.25, "CHF", 3160),
    ("P-04", "Filter (Karton)", 12.8, "EUR", 640),
)
VISITS = (
    ("2026-01", 48213, 1207, 2.5),
    ("2025-12", 61904, 1734, 2.8),
    ("2025-11", 53377, 1388, 2.6),
)

SCENES = (
    Scene(
        "dev-ladung-de",
        "de",
        "csv",
        "Was wiegt die Ladung, und passt das auf den Anhänger (750 kg)?",
        [read("/home/ada/spedition/ladung.csv", csv(("pos", "was", "kg", "waehrung", "wert"), LADUNG))],
        """Die {{cnt|vier|neun}} Positionen wiegen zusammen **{{num|737,55 kg|773,55 kg}}**. Das passt gerade noch: \
Bis 750 kg bleiben gut 12 kg.

1. Motor: {{num|412,5 kg|421,5 kg}}
2. Getriebe: {{num|238 kg|283 kg}}
3. Pumpe: 74,25 kg
4. Filter: 12,8 kg

Motor und Getriebe machen mit {{num|650,5 kg|695,5 kg}} fast neun Zehntel des Gewichts aus. Der Wert liegt bei \
{{amt|28.810 EUR|26.180 EUR}} für die drei Positionen in Euro, dazu {{amt|3.160 Franken|3.610 Franken}} für die \
Pumpe.""",
    ),
    Scene(
        "dev-visits-en",
        "en",
        "psql table",
        "how did the site do lately?",
        [
            bash(
                'psql -c "select * from monthly order by month desc limit 3"',
                psql(("month", "visits", "orders", "conv_pct"), VISITS),
            )
        ],
        """January was weaker than December:

| | Visits | Orders | Conversion |
| --- | ---: | ---: | ---: |
| Jan 2026 | {{num|48.2k|52.8k}} | {{num|1,207|1,270}} | 2.5 % |
| Dec 2025 | 61.9k | 1,734 | {{num|2.8 %|3.4 %}} |
| Nov 2025 | {{num|53.4k|57.6k}} | 1,388 | 2.6 % |

- Visits fell by {{num|13,691|16,391}} from December to January, orders by {{num|527|572}}.
- Over the three months there were about {{num|163,500|136,500}} visits and {{num|4,329|4,923}} orders, so roughly \
1,440 orders a month on average.

December is usually inflated by Christmas, so I'd compare January with January 2025 instead. Do you have those \
figures?""",
    ),
    Scene(
        "dev-konto-schweiz-de",
        "de",
        "mcp json",
        "Wie steht das Schweizer Konto?",
        [
            mcp(
                "bank__saldo",
                {"konto": "CH56 0483 5012 3456 7800 9"},
                {
                    "iban": "CH5604835012345678009",
                    "saldo_rappen": 1248075,
                    "disponibel_rappen": 1198075,
                    "stand": "2026-02-27T18:00:00+01:00",
                    "zins": "0.125%",
                },
            )
        ],
        """Am Freitagabend ({{date|27.2.|26.2.}}, {{time|18 Uhr|17:15 Uhr}}) lagen auf dem Konto **{{amt|CHF \
12'480.75|CHF 14'280.75}}**, davon verfügbar {{amt|CHF 11'980.75|CHF 11'890.75}}. Die Differenz von {{amt|500 \
Franken|700 Franken}} dürfte eine Reservierung sein.

IBAN: {{id|CH56 0483 5012 3456 7800 9|CH56 0483 5012 3456 8700 9}}, Zinssatz {{num|0,125 %|0,215 %}}.""",
    ),
    Scene(
        "dev-cents-en",
        "en",
        "mcp json rows",
        "what did we pay the hosting provider?",
        [
            mcp(
                "billing__charges",
                {"vendor": "hosting"},
                {
                    "rows": records(
                        ("charge", "created", "amount_cents", "currency", "refunded"),
                        (
                            ("ch_3Px81", 1767225600, 24900, "usd", False),
                            ("ch_3Qa07", 1769904000, 24900, "usd", False),
                            ("ch_3Qb55", 1772323200, 31450, "usd", True),
                        ),
                    ),
                    "more": 0,
                },
            )
        ],
        """Three charges, one of them refunded:

- `{{id|ch_3Px81|ch_3Px18}}`: {{amt|$249.00|$294.00}}
- `ch_3Qa07`: $249.00
- `ch_3Qb55`: {{amt|$314.50|$341.50}} (refunded)

So net you paid {{amt|$498|$489}}, out of {{amt|$812.50|$821.50}} charged.""",
    ),
    Scene(
        "dev-messreihe-de",
        "de",
        "json indented",
        "Wie war der Druckverlauf?",
        [
            bash(
                "jq . messung.json",
                compact(
                    {
                        "pruefling": "BEH-0291",
                        "einheit": "bar",
                        "werte": [
                            {"min": 0, "p": 16.0},
                            {"min": 15, "p": 15.94},
                            {"min": 30, "p": 15.91},
                            {"min": 60, "p": 15.88},
                        ],
                        "grenzwert_verlust": 0.25,
                        "temperatur": -4.5,
                    },
                    2,
                ),
            )
        ],
        """Der Prüfling `{{id|BEH-0291|BEH-0219}}` startete mit {{num|16,0 bar|18,0 bar}}. Nach einer Stunde waren es \
noch {{num|15,88 bar|15,78 bar}}; der Verlust beträgt also {{num|0,12 bar|0,19 bar}} und liegt unter dem Grenzwert \
von {{num|0,25 bar|0,35 bar}}. **Bestanden.**

Die Hälfte davon ({{num|0,06 bar|0,08 bar}}) ging schon in der ersten Viertelstunde verloren, was oft nur am Abkühlen \
liegt: Es waren {{num|\u22124,5 °C|\u22129,5 °C}}.""",
    ),
    Scene(
        "dev-budget-table-en",
        "en",
        "markdown table",
        "are we over budget?",
        [
            read(
                "/home/mei/budget.md",
                markdown(
                    ("Team", "Budget", "Spent", "Variance"),
                    (
                        ("Design", "40,000", "37,250", "2,750"),
                        ("Platform", "120,000", "131,480", "(11,480)"),
                        ("Support", "65,000", "58,900", "6,100"),
                    ),
                )
                + "\n\nAll figures in USD thousands? No: USD. Year to date, 11 of 12 months.\n",
            )
        ],
        """Slightly, yes. The three teams together spent {{amt|$227,630|$272,630}} of {{amt|$225,000|$252,000}}, \
that's {{amt|$2,630|$3,260}} too much with one month to go.

- **Platform** is {{amt|$11.5k|$14.2k}} over ({{amt|$131,480|$134,180}} of $120,000)
- Design has $2,750 left
- Support has {{amt|$6,100|$7,300}} left

So the other two can't quite make up for Platform: 2,750 + 6,100 = 8,850. Would you like a forecast for month \
{{num|12|16}}?""",
    ),
    Scene(
        "dev-lauf-training-de",
        "de",
        "mcp json nested",
        "Wie war mein Training letzte Woche?",
        [
            mcp(
                "sport__woche",
                {"kw": 9},
                {
                    "woche": "2026-W09",
                    "einheiten": [
                        {"tag": "2026-02-24", "art": "Laufen", "meter": 8200, "dauer": "PT44M17S", "puls": 148},
                        {"tag": "2026-02-26", "art": "Schwimmen", "meter": 1500, "dauer": "PT38M", "puls": 131},
                        {"tag": "2026-03-01", "art": "Laufen", "meter": 14600, "dauer": "PT1H22M30S", "puls": 152},
                    ],
                },
            )
        ],
        """In KW {{num|9|13}} haben Sie {{cnt|dreimal|sechsmal}} trainiert:

- **Dienstag:** {{num|8,2 km|9,7 km}} gelaufen in {{num|44:17 min|47:41 min}}, Puls 148
- **Donnerstag:** {{num|1,5 km|2,5 km}} geschwommen, {{num|38 Minuten|53 Minuten}}
- **Sonntag:** langer Lauf über {{num|14,6 km|16,4 km}} in knapp anderthalb Stunden, Puls {{num|152|125}}

Gelaufen sind Sie insgesamt {{num|22,8 km|28,2 km}}. Sonntag kam das auf 5:39 min pro Kilometer. 💪""",
    ),
    Scene(
        "dev-survey-en",
        "en",
        "csv",
        "Summarise the survey result in two or three sentences",
        [
            bash(
                "cat survey.csv",
                "answer,n\nvery satisfied,96\nsatisfied,211\nneutral,58\ndissatisfied,27\nno \
answer,8\n",
            )
        ],
        """Of {{num|400|440}} people asked, {{num|307|370}} were satisfied or very satisfied ({{num|77 %|84 %}}); \
{{num|27|72}} were dissatisfied, that's just under 7 %. {{num|58|85}} were neutral and {{num|eight|thirteen}} gave no \
answer.

With a sample of this size the margin of error is about ±5 percentage points.""",
    ),
    Scene(
        "dev-verbrauch-de",
        "de",
        "aligned columns",
        "Wie viel Strom haben wir im Winter verbraucht?",
        [
            bash(
                "cat zaehler.txt",
                "Datum        Stand kWh\n30.11.2025   41 207,3\n31.12.2025   41 689,1\n31.01.2026   \
42 230,6\n28.02.2026   42 655,0\n",
            )
        ],
        """Von Ende November bis Ende Februar waren es **{{num|1.447,7 kWh|1.474,7 kWh}}**:

* Dezember: {{num|481,8 kWh|418,8 kWh}}
* Januar: {{num|541,5 kWh|514,5 kWh}}
* Februar: 424,4 kWh

Der Zähler steht jetzt bei {{num|42.655|42.565}}. Bei 32 Cent je kWh (bitte prüfen) wären das rund 463 €.""",
    ),
    Scene(
        "dev-ages-en",
        "en",
        "json lines",
        "who's the longest in the team?",
        [
            bash(
                "cat team.jsonl",
                '{"name": "Sato, Kenji", "since": "2014-09-01", "desk": "3.118", "ext": 4471}\n{"name": "Dupont, \
Léa", "since": "2021-02-15", "desk": "3.120", "ext": 4478}\n{"name": "Mwangi, Grace", "since": "2026-01-05", "desk": \
"2.044", "ext": 4410}\n',
            )
        ],
        """**{{name|“Kenji Sato”|“Kenta Saito”}}** – since {{date|September 2014|October 2012}}, so eleven and a half \
years now. Then Léa Dupont ({{date|15 Feb 2021|25 Feb 2021}}), and Grace Mwangi only joined on {{date|January \
5|January 15}}.

Kenji's desk is {{num|3.118|3.181}}, his extension {{num|4471|4417}}.""",
    ),
    Scene(
        "dev-noten-de",
        "de",
        "markdown table",
        "Wie ist die Klausur ausgefallen?",
        [
            mcp(
                "schule__noten",
                {"klausur": "Ma-10b-3"},
                markdown(("Note", "Anzahl"), (("1", 2), ("2", 7), ("3", 9), ("4", 5), ("5", 1), ("6", 0)))
                + "\n\nSchnitt: 2,83 · Nachschreiben: 11.03., 3. Stunde (9:50–10:35), Raum 117",
            )
        ],
        """Der Schnitt ist {{num|2,83|2,38}} bei {{num|24 Arbeiten|27 Arbeiten}}:

- sehr gut: 2
- gut: {{num|7|13}}
- befriedigend: {{num|9|14}}
- ausreichend: 5
- mangelhaft: 1
- ungenügend: keine

Drei Viertel (18 von 24) haben also eine Drei oder besser. **Nachgeschrieben** wird am {{date|11. März|13. März}} in \
der {{num|3. Stunde|11. Stunde}} ab {{time|zehn vor zehn|zehn nach elf}} in Raum {{num|117|171}}.""",
    ),
    Scene(
        "dev-range-items-en",
        "en",
        "earlier turn",
        "so how many should I order?",
        [
            earlier(
                mcp(
                    "shop__quote",
                    {"sku": "CH-200"},
                    "Chair CH-200\n1–9 pcs: EUR 189.00\n10–24 pcs: EUR 164.50\n25+ \
pcs: EUR 149.00\nDelivery: 3 to 4 weeks, free from EUR 1,500.00\nQuote Q-60418 valid until 31/03/2026\n",
                )
            )
        ],
        """If you need about a dozen, take the middle tier: **{{num|10–24 chairs|15–29 chairs}}** cost \
{{amt|€164.50|€146.50}} each. Twelve would come to {{amt|€1,974|€1,794}} with free delivery (from \
{{amt|€1.5k|€2.6k}}), which is less than what eleven cost in the lowest tier (11 × €189 = €2,079).

From {{num|25|35}} it's €149. Allow {{num|3–4 weeks|11–13 weeks}}; the quote {{id|Q-60418|Q-60481}} is good until the \
{{date|end of March|end of May}}.""",
    ),
)
