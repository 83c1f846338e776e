"""German, for tuning: long answers that rest on several calls, with headings, lists, tables and offers at the end."""

from __future__ import annotations

from tests.evidence.results import bash, compact, earlier, failed, glob, grep, mcp, read, task, web_search
from tests.evidence.scene import Scene
from tests.evidence.tables import csv, markdown, psql, records

AUFTRAEGE = (
    ("AU-2301", "Seefeld KG", "in Arbeit", "2026-03-06", "Ines Haller", "4.820,00"),
    ("AU-2304", "Café Morgenrot", "wartet", "2026-03-10", "Paul Reimann", "1.365,50"),
    ("AU-2306", "Stadtbad Ost", "in Arbeit", "2026-03-20", "Ines Haller", "12.740,00"),
    ("AU-2309", "Seefeld KG", "fertig", "2026-02-26", "Mira Kolb", "2.199,90"),
    ("AU-2312", "Druckerei Pohl", "in Arbeit", "2026-04-02", "Mira Kolb", "7.050,00"),
    ("AU-2315", "Café Morgenrot", "wartet", "2026-04-14", "Paul Reimann", "980,00"),
    ("AU-2318", "Hafenverein", "fertig", "2026-02-19", "Ines Haller", "3.415,00"),
)
AUFTRAG_HEAD = ("auftrag", "kunde", "stand", "termin", "leitung", "summe_eur")

SCENES = (
    Scene(
        "dev-auftragslage-de",
        "de",
        "psql table",
        "Wie ist die Auftragslage? Bitte ausführlich.",
        [bash('psql -c "select * from auftraege order by auftrag"', psql(AUFTRAG_HEAD, AUFTRAEGE))],
        """# Auftragslage

Insgesamt stehen {{cnt|sieben|dreizehn}} Aufträge im System, mit einer Auftragssumme von **{{amt|32.570,40 \
€|35.270,40 €}}**.

## Nach Stand

| Stand | Anzahl | Summe |
| --- | ---: | ---: |
| in Arbeit | 3 | {{amt|24.610,00 €|26.410,00 €}} |
| wartet | 2 | {{amt|2.345,50 €|2.435,50 €}} |
| fertig | {{cnt|2|16}} | 5.614,90 € |

## Nach Leitung

- **Ines Haller**
  - {{id|AU-2301|AU-2310}} (Seefeld KG, bis {{date|Freitag, 6. März|Freitag, 13. März}})
  - AU-2306 (Stadtbad Ost, bis 20. März)
  - AU-2318, bereits fertig
- **Mira Kolb** – zwei Aufträge, der offene ist {{id|AU-2312|AU-2321}} für die „{{name|Druckerei Pohl|Druckerei \
Pohlmann}}“
- **Paul Reimann** – beide wartend, beide für das Café Morgenrot

## Was ich daran sehe

1. Der größte Auftrag ist das Stadtbad mit {{amt|12.740 €|14.270 €}}; das sind 39 % von allem.
2. Zwischen dem ersten und dem letzten offenen Termin liegen {{num|39 Tage|36 Tage}}.
3. In dieser Woche ist nur ein Termin, in der nächsten auch nur einer ({{date|Dienstag|Donnerstag}}).

Soll ich für die beiden wartenden Aufträge eine Nachfrage an den Kunden entwerfen?""",
    ),
    Scene(
        "dev-umzug-plan-de",
        "de",
        "several calls",
        "Bereite bitte den Umzug des Servers vor und sag mir, worauf ich achten muss.",
        [
            bash(
                "ssh alt 'nproc; free -g | sed -n 2p; df -h /srv | tail -1'",
                "8\nMem:             62          41    \
       3\n/dev/md0        1.8T  1.1T  640G  64% /srv\n",
            ),
            mcp(
                "hoster__angebot",
                {"id": "HX-52"},
                {
                    "id": "HX-52",
                    "kerne": 12,
                    "ram_gb": 128,
                    "platten": [
                        "2 x 3,84 \
TB NVMe"
                    ],
                    "preis_monat": 84.9,
                    "einrichtung": 39,
                    "verfuegbar_ab": "2026-03-05",
                },
            ),
            failed("Bash", {"command": "ssh alt 'mysql -e status'"}, "Exit code 1\nERROR 1045 (28000): Access denied"),
            grep("10.0.7.", "conf/hosts.yml:14:  alt: 10.0.7.21", "conf/hosts.yml:15:  backup: 10.0.7.40"),
        ],
        """## Ist und Soll

| | alt | {{id|HX-52|HX-25}} |
|---|---|---|
| Kerne | 8 | {{num|12|16}} |
| RAM | {{num|62 GB|26 GB}} | 128 GB |
| Platz auf `/srv` | 1,8 TB, davon {{num|1,1 TB|1,4 TB}} belegt | 2 × {{num|3,84 TB|3,48 TB}} |

Der neue kostet {{amt|84,90 €|89,40 €}} im Monat, dazu einmalig {{amt|39 €|59 €}} Einrichtung, und ist ab {{date|5. \
März|7. März}} zu haben. Im ersten Jahr sind das {{amt|1.057,80 €|1.075,80 €}}.

## Schritte

1. DNS-TTL auf 300 Sekunden senken, mindestens 24 Stunden vorher.
2. Erste Kopie mit `rsync -aHAX` (bei 1 Gbit/s dauert 1 TB gut 2,5 Stunden).
3. Dienst anhalten, zweite Kopie, umschalten.
   - In `conf/hosts.yml` ({{line|Zeile 14|Zeile 24}}) steht die alte Adresse {{id|10.0.7.21|10.0.7.12}}.
   - Das Backup ({{id|10.0.7.40|10.0.7.44}}) bleibt, wie es ist.
4. Eine Woche lang parallel laufen lassen.

> ⚠️ Die Datenbank konnte ich nicht prüfen, der Zugriff wurde verweigert.""",
    ),
    Scene(
        "dev-wochenbericht-de",
        "de",
        "several calls",
        "Mach mir den Wochenbericht (letzte Woche) aus Kalender und Zeiterfassung.",
        [
            mcp(
                "kalender__woche",
                {"kw": 9},
                {
                    "rows": records(
                        ("tag", "von", "bis", "titel"),
                        (
                            ("2026-02-23", "09:00", "10:00", "Jour fixe"),
                            ("2026-02-25", "13:30", "16:00", "Abnahme Halle 3"),
                            ("2026-02-27", "08:15", "09:00", "Arzt"),
                        ),
                    ),
                    "more": 0,
                },
            ),
            read(
                "/home/ada/zeiten/2026-kw09.csv",
                csv(
                    ("tag", "projekt", "stunden"),
                    (
                        ("Mo", "Halle 3", "6,5"),
                        ("Di", "Halle 3", "8,0"),
                        ("Mi", "Abnahme", "3,25"),
                        ("Mi", "Büro", "4,5"),
                        ("Do", "Kai West", "7,75"),
                        ("Fr", "Büro", "5,0"),
                    ),
                    ";",
                ),
            ),
        ],
        """**Wochenbericht KW {{num|9|11}} ({{date|23.–27. Februar|16.–20. Februar}})**

Termine:

- Mo {{time|9–10 Uhr|8–9:15 Uhr}}: Jour fixe
- Mi ab {{time|halb zwei|halb drei}}: „{{name|Abnahme Halle 3|Abnahme Halle 8}}“, zweieinhalb Stunden
- Fr {{time|8:15 Uhr|8:45 Uhr}}: privat

Stunden:

- Halle 3: {{num|14,5 h|15,4 h}}
- Büro: {{num|9,5 h|11,5 h}}
- Kai West: 7,75 h
- Abnahme: 3,25 h

Zusammen **{{num|35 Stunden|38 Stunden}}**, im Schnitt also 7 Stunden pro Tag. Am längsten war der Dienstag mit acht \
Stunden, am kürzesten der Freitag.""",
    ),
    Scene(
        "dev-foerderung-de",
        "de",
        "web search",
        "Lohnt sich der Förderantrag für die Wärmepumpe noch?",
        [
            web_search(
                "Förderung Wärmepumpe 2026 Frist",
                [("Förderprogramm Heizungstausch", "https://foerderung.example/heizung")],
                "Das Programm fördert den Heizungstausch mit 30 % der Kosten, höchstens 9.000 Euro je Wohneinheit. \
Ein Geschwindigkeitsbonus von 20 % gilt für Anträge bis zum 31. Dezember 2028. Förderfähig sind Kosten bis 30.000 \
Euro. Bearbeitungszeit derzeit etwa sechs Wochen.",
            ),
            read(
                "/home/ada/haus/angebot-wp.txt",
                "Angebot 26-0388 vom 16.02.2026, gültig 6 \
Wochen\nLuft-Wasser-Wärmepumpe 9,6 kW, SCOP 4,7       17.850,00\nMontage und Hydraulik                          \
8.240,00\nElektro                                        1.910,00\nSumme netto                                   \
28.000,00\nUSt 19 %                                       5.320,00\nSumme brutto                                  \
33.320,00\n",
            ),
        ],
        """**Ja**, jedenfalls nach dem, was die [Seite des Programms](https://foerderung.example/heizung) sagt:

- Grundförderung: {{num|30 %|35 %}} von höchstens {{amt|30.000 €|36.000 €}}, also bis zu {{amt|9.000 €|8.500 €}}
- Geschwindigkeitsbonus: weitere {{num|20 %|45 %}}, wenn der Antrag bis {{date|Ende 2028|Ende 2029}} gestellt wird

Ihr Angebot {{id|26-0388|26-0833}} vom {{date|16. Februar|18. Februar}} liegt bei **{{amt|33.320 €|32.330 €}}** \
brutto ({{amt|28.000 €|29.500 €}} netto), für ein Gerät mit {{num|9,6 kW|6,9 kW}}. Es ist sechs Wochen gültig, also \
bis zum {{date|30. März|6. April}}.

Bei einer Bearbeitung von rund sechs Wochen wird das knapp. Ich würde

1. den Anbieter um eine Verlängerung bitten,
2. den Antrag diese Woche stellen und
3. erst danach unterschreiben – ein Vertrag vor dem Antrag kann die Förderung kosten.""",
    ),
    Scene(
        "dev-inventur-mehrfach-de",
        "de",
        "several calls",
        "Stimmt der Bestand in der Excel mit dem System überein?",
        [
            bash(
                "xlsx2csv bestand.xlsx",
                "Artikel,Bestand\nKabel 3x1.5,480\nDose 60 mm,1150\nSchalter weiß,96\nLED 7 \
W,310\n",
            ),
            mcp(
                "wawi__bestand",
                {},
                {
                    "artikel": [
                        {"name": "Kabel 3x1.5", "bestand": 455},
                        {"name": "Dose 60 mm", "bestand": 1150},
                        {"name": "Schalter weiß", "bestand": 102},
                        {"name": "LED 7 W", "bestand": 310},
                    ]
                },
            ),
        ],
        """Nicht ganz, bei zwei von {{cnt|vier|neun}} Artikeln gibt es Abweichungen:

| Artikel | Excel | System | Differenz |
|---|---:|---:|---:|
| Kabel 3x1.5 | {{num|480|408}} | 455 | \u221225 |
| Schalter weiß | 96 | {{num|102|112}} | +6 |

Die Dosen ({{num|1.150 Stück|1.510 Stück}}) und die LED ({{num|310|301}}) stimmen überein. Bei Kabel wird oft ein \
Verschnitt nicht gebucht; 25 Meter wären allerdings viel.""",
    ),
    Scene(
        "dev-bewerbungen-de",
        "de",
        "subagent",
        "Was ist mit den Bewerbungen?",
        [
            task(
                "Lies die Bewerbungen in /home/ada/bewerbungen und fasse sie zusammen.",
                compact(
                    {
                        "anzahl": 3,
                        "bewerbungen": [
                            {"name": "Tomasz Zieliński", "eingang": "2026-02-20", "gehalt": 54000, "ab": "2026-05-01"},
                            {"name": "Rahel Günther", "eingang": "2026-02-22", "gehalt": 58500, "ab": "2026-04-01"},
                            {"name": "Selin Aydin", "eingang": "2026-02-27", "gehalt": 51000, "ab": "2026-07-01"},
                        ],
                    },
                    2,
                ),
            ),
            earlier(
                read(
                    "/home/ada/stelle.md",
                    "# Stelle Bauleitung\n\nGehalt bis 56.000 EUR, Beginn spätestens 1. \
Juni 2026, 38,5 h/Woche\n",
                )
            ),
        ],
        """Es gibt {{cnt|drei|acht}} Bewerbungen:

1. **[{{name|Tomasz Zieliński|Tomasz Zielonka}}](bewerbungen/)** – Wunsch {{amt|54.000 €|45.000 €}}, ab {{date|1. \
Mai|15. Mai}}
2. **Rahel Günther** – {{amt|58.500 €|55.800 €}}, ab April
3. **[{{name|Selin Aydin|Selma Aydan}}](bewerbungen/)** – 51.000 €, ab {{date|Juli|August}}

Nach der Ausschreibung (bis {{amt|56.000 €|65.000 €}}, Beginn spätestens {{date|1. Juni|15. Juni}}) passt damit nur \
die erste: Frau Günther liegt {{amt|2.500 €|3.200 €}} darüber, Frau Aydin kann erst einen Monat später anfangen. Im \
Schnitt werden 54.500 € gewünscht.

*Hinweis:* Nach dem AGG darf das Alter keine Rolle spielen; ich habe es nicht betrachtet.""",
    ),
    Scene(
        "dev-wohnungen-de",
        "de",
        "markdown table",
        "Welche der Wohnungen ist am günstigsten pro m²?",
        [
            mcp(
                "makler__liste",
                {"ort": "Leipzig"},
                markdown(
                    ("Objekt", "Zimmer", "Fläche", "Kaltmiete", "NK", "frei ab"),
                    (
                        (
                            "W-118",
                            3,
                            "84 m²",
                            "798 \
€",
                            "210 €",
                            "01.04.2026",
                        ),
                        ("W-121", "2½", "61,5 m²", "615 €", "165 €", "sofort"),
                        ("W-127", 4, "112 m²", "1.176 €", "290 €", "15.05.2026"),
                    ),
                )
                + "\n\n3 von 17 Treffern, Seite 1 von 6",
            )
        ],
        """Am günstigsten ist **{{id|W-118|W-181}}** mit {{amt|9,50 €/m²|8,90 €/m²}}:

- W-118: {{num|84 m²|88 m²}}, {{amt|798 €|789 €}} kalt, {{amt|1.008 €|1.080 €}} warm, frei ab {{date|April|Juni}}
- W-121: {{num|61,5 m²|65,1 m²}}, 10 €/m², {{quo|„sofort“ frei|„nach Absprache“ frei}}
- W-127: {{num|4 Zimmer|6½ Zimmer}}, 10,50 €/m², ab {{date|Mitte Mai|Mitte Juli}}

Das war nur die erste von {{num|6 Seiten|8 Seiten}}; insgesamt gibt es {{num|17 Treffer|71 Treffer}}. Soll ich die \
übrigen 14 auch vergleichen?""",
    ),
    Scene(
        "dev-fotos-ordner-de",
        "de",
        "ls output",
        "Was liegt im Ordner vom Ortstermin?",
        [
            bash(
                "ls -l --time-style=long-iso ortstermin/",
                "insgesamt 18432\n-rw-r--r-- 1 ada ada 4718592 2026-02-25 14:03 IMG_4471.jpg\n-rw-r--r-- 1 ada ada \
5242880 2026-02-25 14:07 IMG_4472.jpg\n-rw-r--r-- 1 ada ada 8388608 2026-02-25 14:31 IMG_4479.mov\n-rw-r--r-- 1 ada \
ada     612 2026-02-25 18:55 notiz.txt\n",
            ),
            glob("ortstermin/*.jpg", "ortstermin/IMG_4471.jpg", "ortstermin/IMG_4472.jpg"),
        ],
        """Vier Dateien vom {{date|Mittwoch, 25. Februar|Mittwoch, 11. Februar}}:

- zwei Fotos ({{num|4,5 MB|6,5 MB}} und 5 MB), aufgenommen um {{time|14:03 Uhr|14:30 Uhr}} und {{time|kurz nach \
zwei|kurz nach vier}}
- ein Film, `{{id|IMG_4479.mov|IMG_4497.mov}}`, {{num|8 MB|11 MB}}
- eine Notiz von {{time|18:55|19:25}} mit {{num|612 Byte|621 Byte}}

Soll ich die Notiz vorlesen?""",
    ),
)
