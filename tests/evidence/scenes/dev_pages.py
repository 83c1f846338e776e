"""Both languages, for tuning: what the page shows beside what tools return, and long results of which little is \
said."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, grep, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import csv, markdown, psql, records

SHIPS = ("Alma", "Birte", "Cornelia", "Dorothea", "Elfriede", "Frauke", "Gesine", "Hedwig", "Imke", "Johanna")
ARRIVALS = tuple(
    (
        f"V{2611 + 37 * number}",
        f"MS {ship}",
        f"2026-03-{3 + number:02d}",
        f"{5 + number}:{(number * 7) % 60:02d}",
        900 + 115 * number,
    )
    for number, ship in enumerate(SHIPS)
)
ACCESS = "\n".join(
    f'10.1.{number % 7}.{20 + 3 * number} - - [02/Mar/2026:0{6 + number // 20}:{(number * 11) % 60:02d}:17 +0000] \
"GET /item/{7000 + 13 * number}" 200 {512 + 41 * number}'
    for number in range(40)
)

SCENES = (
    Scene(
        "dev-hafen-liste-de",
        "de",
        "psql table",
        "Welche Schiffe kommen diese Woche noch?",
        [bash("psql hafen -c 'table ankuenfte'", psql(("reise", "schiff", "tag", "zeit", "tonnen"), ARRIVALS))],
        """Bis Sonntag sind es {{cnt|sechs|fünfzehn}} Schiffe:

- Dienstag, 3. März: „{{name|MS Alma|MS Almut}}“ um {{time|5:00 Uhr|4:20 Uhr}}, {{num|900 Tonnen|960 Tonnen}}
- Mittwoch: „MS Birte“ um {{time|6:07 Uhr|6:41 Uhr}}
- Donnerstag: „MS Cornelia“, Reise {{id|V2685|V2658}}
- Freitag: „MS Dorothea“ mit {{num|1.245 t|1.425 t}}
- Samstag: „MS Elfriede“ um 9:28 Uhr
- Sonntag: „MS Frauke“ um {{time|zehn Uhr fünfunddreißig|zehn Uhr fünfzig}}

Als letztes Schiff der Liste läuft am {{date|12. März|14. März}} die „MS Johanna“ ein, mit {{num|1.935 t|1.953 t}} \
auch das schwerste. Soll ich die Liegeplätze dazu heraussuchen?""",
    ),
    Scene(
        "dev-access-long-en",
        "en",
        "log file",
        "anything odd in the access log?",
        [bash("tail -n 40 /var/log/nginx/access.log", ACCESS)],
        """Nothing odd. All {{cnt|40|75}} requests got status {{num|200|302}}, and they came from the `10.1.0.0/16` \
network. The first one was for `{{id|/item/7000|/item/7050}}` from {{id|10.1.0.20|10.1.0.29}} at \
{{time|06:00:17|05:58:17}}; the smallest response had {{num|512 bytes|521 bytes}}, the largest {{num|2,111 \
bytes|2,311 bytes}}.""",
    ),
    Scene(
        "dev-seite-rechnung-de",
        "de",
        "page context",
        "Kann ich die so rausschicken?",
        [
            mcp(
                "rechnungen__lesen",
                {"id": "RE-26-0219"},
                {
                    "id": "RE-26-0219",
                    "empfaenger": {"name": "Seefeld KG", "ort": "Plön", "plz": "24306"},
                    "positionen": [
                        {"text": "Beratung", "menge": 6.5, "satz": 140},
                        {"text": "Fahrt", "menge": 84, "satz": 0.52},
                    ],
                    "netto": 953.68,
                    "steuer": 181.2,
                    "brutto": 1134.88,
                    "zahlbar_bis": None,
                },
            )
        ],
        """Fast. Ich habe **{{id|RE-26-0219|RE-26-0291}}** (auf Ihrer Seite als „{{quo|Entwurf, ungeprüft|Versandt, \
bezahlt}}“ angezeigt) durchgesehen:

- [x] Beratung: {{num|6,5 Stunden|7,5 Stunden}} zu {{amt|140 €|145 €}} = 910 €
- [x] Fahrt: {{num|84 km|48 km}} zu 52 Cent = {{amt|43,68 €|46,38 €}}
- [x] Umsatzsteuer: {{amt|181,20 €|182,10 €}}, brutto also {{amt|1.134,88 €|1.143,88 €}}
- [ ] Das Zahlungsziel fehlt.

Nach § 14 Abs. 4 UStG gehört ein Zahlungsziel nicht zu den Pflichtangaben, sinnvoll ist es trotzdem. Empfänger ist \
die {{name|„Seefeld KG“|„Seeberg KG“}} in {{num|24306|24360}} Plön.""",
        context={
            "route_name": "invoices.edit",
            "entity_type": "invoice",
            "entity_id": "RE-26-0219",
            "badge": "Entwurf, ungeprüft",
        },
    ),
    Scene(
        "dev-page-order-en",
        "en",
        "page context",
        "is this one late?",
        [
            mcp(
                "orders__get",
                {"id": "9c41"},
                {
                    "id": "9c41",
                    "promised": "2026-02-25",
                    "shipped": None,
                    "lines": 4,
                    "customer_ref": "HAL/2026/58",
                    "total": "£1,318.40",
                },
            )
        ],
        """Yes. Order {{id|9c41|9c14}} ({{file|HAL/2026/58|HAL/2026/85}}) was promised for {{date|Wednesday, 25 \
February|Wednesday, 18 February}}, so it's {{num|five days|nine days}} late, and nothing has been shipped yet. It has \
{{cnt|four|eleven}} lines worth {{amt|£1,318.40|£1,381.40}}.

You're looking at the filter “{{quo|Overdue only|All orders}}”, that's why it shows up. [#order-OPEN:9c41]""",
        context={"route_name": "orders.index", "filter": "Overdue only", "selected": ["9c41"]},
    ),
    Scene(
        "dev-earlier-two-turns-en",
        "en",
        "earlier turn",
        "put both in one table",
        [
            earlier(bash("cat site_a.csv", csv(("day", "kWh"), (("2026-02-27", "412.8"), ("2026-02-28", "398.1")))), 1),
            earlier(bash("cat site_b.csv", csv(("day", "kWh"), (("2026-02-27", "377.5"), ("2026-02-28", "401.6")))), 2),
        ],
        """| Day | Site A | Site B | Sum |
|---|---:|---:|---:|
| Fri, 27 Feb | {{num|412.8|421.8}} | 377.5 | {{num|790.3|793.0}} |
| Sat, {{date|28 Feb|26 Feb}} | 398.1 | {{num|401.6|406.1}} | 799.7 |
| **Both** | **810.9** | **{{num|779.1|797.1}}** | **{{num|1,590.0|1,950.0}}** |

Site A used {{num|14.7 kWh|17.4 kWh}} less on Saturday than on Friday, site B 24.1 kWh more.""",
    ),
    Scene(
        "dev-rows-more-de",
        "de",
        "mcp json rows",
        "Welche Mitglieder haben noch nicht bezahlt?",
        [
            mcp(
                "verein__beitraege",
                {"jahr": 2026, "offen": True},
                {
                    "rows": records(
                        ("nr", "name", "beitrag", "gemahnt"),
                        (
                            (1044, "Albers, Heike", 96, "2026-02-16"),
                            (1102, "Dirksen, Jan", 48, None),
                            (1177, "Mehnert, Uwe", 96, None),
                            (1203, "Özdemir, Leyla", 48, "2026-02-16"),
                        ),
                    ),
                    "more": 15,
                },
            )
        ],
        """Die Abfrage hat vier Namen geliefert, {{num|15 weitere|51 weitere}} nicht:

| Nr. | Name | Beitrag | gemahnt |
|---|---|---|---|
| {{id|1044|1404}} | Heike Albers | {{amt|96 €|69 €}} | {{date|16.2.|18.2.}} |
| 1102 | Jan Dirksen | 48 € | – |
| 1177 | Uwe Mehnert | 96 € | – |
| {{id|1203|1230}} | Leyla Özdemir | {{amt|48 €|84 €}} | 16.2. |

Offen sind bei diesen vieren {{amt|288 €|328 €}}. Gemahnt wurden bisher {{cnt|zwei|zwölf}}, vor genau {{num|zwei \
Wochen|fünf Wochen}}.""",
    ),
    Scene(
        "dev-readme-quotes-en",
        "en",
        "read markdown",
        "what does the readme promise about support?",
        [
            read(
                "/srv/lib/README.md",
                "# quietlog\n\n## Support\n\nWe support the **last two** minor versions, currently `3.7` and \
`3.6`.\nSecurity fixes are made for *18 months* after a release.\nPlease don't open issues for questions; use the \
[forum](https://forum.example/quietlog).\n\n## Licence\n\nBSD-3-Clause, (c) 2016-2026 Noor Haddad\n",
            )
        ],
        """The section “{{name|Support|Service}}” says:

> {{quo|We support the last two minor versions, currently 3.7 and 3.6.|We support every version for as long as \
somebody pays for it.}}

Security fixes come for {{num|18 months|24 months}}, i.e. a year and a half. For questions it points to [{{name|the \
forum|the chat room}}]({{id|https://forum.example/quietlog|https://chat.example/quietlog}}): “{{quo|Please don't open \
issues for questions|Please open an issue for each question}}”.

It's under the BSD licence, by Noor Haddad, since {{date|2016|2012}}.""",
    ),
    Scene(
        "dev-handbuch-seiten-de",
        "de",
        "grep lines",
        "Wo steht im Handbuch etwas zur Entkalkung?",
        [
            grep(
                "ntkalk",
                "handbuch.txt:412:6.3 Entkalken (S. 38)",
                "handbuch.txt:415:Entkalken Sie das Gerät nach 250 Bezügen, spätestens alle 3 Monate.",
                "handbuch.txt:431:Verwenden Sie zum Entkalken keinen Essig! Temperatur max. 60 °C.",
            ),
            read(
                "/home/ada/handbuch.txt",
                markdown(
                    ("Härte", "Intervall"), (("weich (< 8,4 °dH)", "500 Bezüge"), ("hart (> 14 °dH)", "150 Bezüge"))
                ),
                440,
                520,
            ),
        ],
        """In Kapitel {{num|6.3|6.8}} auf **S. {{num|38|83}}**:

1. Entkalkt wird alle {{num|250 Bezüge|280 Bezüge}}, spätestens aber nach {{num|drei Monaten|acht Monaten}} \
({{line|Zeile 415|Zeile 451}}).
2. „{{quo|Verwenden Sie zum Entkalken keinen Essig!|Nehmen Sie zum Entkalken nur heißen Essig!}}“ Höchstens {{num|60 \
°C|90 °C}}.
3. Bei weichem Wasser (unter {{num|8,4 °dH|4,8 °dH}}) reichen {{num|500|700}} Bezüge, bei hartem sind es \
{{num|150|110}}.

Die Härte erfahren Sie beim Wasserwerk; in Deutschland gilt Wasser ab 14 °dH als hart.""",
    ),
)
