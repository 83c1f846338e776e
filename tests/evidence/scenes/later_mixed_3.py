"""German: what the owner of a laptop asks; notes, rosters, taxes, trips, a page of meters, a little shop."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, grep, grep_files, mcp, read, web_search
from tests.evidence.scene import Scene
from tests.evidence.tables import markdown

DIENST_HEAD = ("Datum", "Schicht", "Ausgabe", "Fahrer", "Kasse", "Bemerkung")
DIENST = (
    ("Di 03.03.", "15-18", "Gerda, Ilyas", "Bernd", "Uschi", ""),
    ("Do 05.03.", "15-18", "Ilyas, Maike", "offen", "Gerda", "Kühlauto in Werkstatt bis Mi"),
    ("Di 10.03.", "15-18", "Gerda, Tomke", "Bernd", "Uschi", ""),
    ("Do 12.03.", "15-18", "offen, Maike", "Ansgar", "Ilyas", "Tomke krank"),
    ("Di 17.03.", "15-18", "Gerda, Ilyas", "Bernd", "offen", ""),
    ("Do 19.03.", "15-19", "Maike, Tomke", "Ansgar", "Gerda", "Spende Biohof, ca. 140 kg"),
    ("Di 24.03.", "15-18", "Gerda, Tomke", "offen", "Uschi", ""),
    ("Do 26.03.", "15-18", "Ilyas, Maike", "Ansgar", "Gerda", ""),
    ("Di 31.03.", "15-18", "Gerda, Ilyas", "Bernd", "Uschi", "Inventur ab 13 Uhr"),
)
STEUER = """# Steuer 2025 - Belege (Stand 22.02.)

## Werbungskosten

| Beleg | Datum | Betrag | Ordner |
|---|---|---:|---|
| Monitor 27" | 14.03.2025 | 289,00 | A-01 |
| Fachbuch Statistik | 02.05.2025 | 54,90 | A-02 |
| Bahn Fortbildung Kassel | 19.06.2025 | 118,40 | A-03 |
| Fortbildung, Gebühr | 20.06.2025 | 640,00 | A-04 |
| Bürostuhl | 11.09.2025 | 349,00 | A-05 |
| Headset | 24.11.2025 | 79,95 | A-06 |

Homeoffice: 96 Tage je 6 EUR = 576 EUR
Arbeitsweg: 118 Tage, 23 km einfach

## Haushaltsnahe Leistungen

| Beleg | Datum | Arbeitslohn | Material |
|---|---|---:|---:|
| Schornsteinfeger | 08.04.2025 | 71,20 | 0,00 |
| Heizungswartung | 30.09.2025 | 164,00 | 38,50 |
| Maler Treppenhaus | 17.10.2025 | 820,00 | 212,30 |

TODO: Spendenquittung Tierheim fehlt (120 EUR, überwiesen 03.12.2025)
TODO: Bescheinigung § 35a von der Hausverwaltung, kommt laut Frau Pohl Ende März
"""
BUCHUNG = {
    "reise": {
        "vorgang": "AZ-550.8127",
        "gebucht_am": "2026-01-18",
        "reisende": ["Nele Harms", "Piet Harms"],
        "unterkunft": {
            "name": "Pension Seeblick",
            "anreise": "2026-05-13",
            "abreise": "2026-05-18",
            "zimmer": "DZ Balkon",
            "preis_nacht": 94.0,
            "kurtaxe_person_nacht": 2.8,
            "checkin_ab": "15:00",
            "checkin_bis": "20:00",
        },
        "faehre": {"hin": "2026-05-13T13:45", "rueck": "2026-05-18T10:20", "preis": 71.6, "pkw": False},
        "zahlung": {"anzahlung": 120.0, "bezahlt_am": "2026-01-19", "rest_faellig": "2026-04-15"},
        "storno": [
            {"bis": "2026-03-31", "kosten_prozent": 10},
            {"bis": "2026-04-29", "kosten_prozent": 40},
            {"bis": "2026-05-12", "kosten_prozent": 80},
        ],
    }
}
NOTIZ = """# Auto

- Kennzeichen AU-TM 418, Erstzulassung 06/2017
- HU fällig: 06/2026
- Ölwechsel 14.10.2025 bei 118.340 km, nächster bei 133.000 km oder 10/2026
- Winterreifen: DOT 3521, Profil 4,5 mm (gemessen 02.11.2025)
- Sommerreifen: eingelagert bei Reifen Kolk, Platz C-217, DOT 1120, Profil 3 mm
- Versicherung SF 14, VK 300 / TK 150
- Werkstatt Benning 0455 71 90 33, Herr Aydin
"""

SCENES = (
    Scene(
        "later-mixed-tafel-dienst-de",
        "de",
        "markdown table",
        "wo fehlt uns im märz noch wer?",
        [read("/home/gerda/tafel/dienstplan-2026-03.md", "# Dienstplan März\n\n" + markdown(DIENST_HEAD, DIENST))],
        """Es sind noch {{cnt|vier Lücken|sieben Lücken}}:

| Tag | Was fehlt |
|---|---|
| Do {{date|05.03.|06.03.}} | Fahrer |
| Do 12.03. | Ausgabe (Tomke krank, Maike ist allein) |
| Di {{date|17.03.|18.03.}} | Kasse |
| Di 24.03. | Fahrer |

Am dringendsten ist der Donnerstag, also in {{num|drei Tagen|40 Tagen}}; da ist zudem das Kühlauto gerade erst aus \
der Werkstatt. Und am 19. geht die Schicht bis {{time|19 Uhr|20 Uhr}}, weil der Biohof rund 140 kg bringt.""",
    ),
    Scene(
        "later-mixed-steuer-belege-de",
        "de",
        "markdown notes",
        "wie viel werbungskosten hab ich zusammen, und was fehlt noch",
        [
            grep_files("Steuer 2025", "/home/k/vault/Steuer/2025 Belege.md", "/home/k/vault/Tagebuch/2026-02-22.md"),
            read("/home/k/vault/Steuer/2025 Belege.md", STEUER),
        ],
        """Die sechs Belege A-01 bis {{id|A-06|A-08}} ergeben **{{amt|1.531,25 €|1.513,25 €}}**. Mit der \
Homeoffice-Pauschale ({{cnt|96 Tage|69 Tage}}, 576 €) bist du bei {{amt|2.107,25 €|2.170,25 €}}; der Arbeitsweg \
(118 Tage, 23 km) kommt noch obendrauf.

Es fehlen:

1. Spendenquittung Tierheim, {{amt|120 €|210 €}}
2. § 35a-Bescheinigung der Hausverwaltung, laut Frau Pohl Ende März

Bei den haushaltsnahen Leistungen zählt nur der Arbeitslohn, das sind bisher 1.055,20 €.""",
    ),
    Scene(
        "later-mixed-pension-storno-de",
        "de",
        "mcp nested json",
        "Was kostet uns die Reise im Mai insgesamt und bis wann können wir günstig stornieren?",
        [mcp("reise__vorgang", {"vorgang": "AZ-550.8127"}, BUCHUNG, indent=2)],
        """**Gesamt: {{amt|569,60 €|596,60 €}}**

- Pension Seeblick, {{cnt|5 Nächte|7 Nächte}} à 94 €: {{amt|470,00 €|407,00 €}}
- Kurtaxe, 2 Personen: 28,00 €
- Fähre hin und zurück: 71,60 €

120 € sind angezahlt, die restlichen 449,60 € sind am {{date|15. April|14. April}} fällig.

Stornieren kostet bis {{date|31. März|21. März}} nur 10 %, danach 40 % (bis 29. April) und dann 80 %. \
[#reise-OPEN:AZ-550.8127]""",
    ),
    Scene(
        "later-mixed-auto-notiz-de",
        "de",
        "notes vault",
        "brauch ich neue reifen?",
        [
            grep(
                "(?i)reifen",
                "/home/t/vault/Haus/Auto.md:6:- Winterreifen: DOT 3521, Profil 4,5 mm (gemessen 02.11.2025)",
                "/home/t/vault/Haus/Auto.md:7:- Sommerreifen: eingelagert bei Reifen Kolk, Platz C-217, DOT 1120",
                "/home/t/vault/Tagebuch/2025-11-02.md:14:Reifen selber gewechselt, Daumen geklemmt",
            ),
            read("/home/t/vault/Haus/Auto.md", NOTIZ),
        ],
        """Sommerreifen ja, Winterreifen noch nicht.

Die Sommerreifen haben nur noch {{num|3 mm|2,5 mm}} Profil und sind laut DOT {{num|1120|1221}} vom März 2020, also \
fast sechs Jahre alt. Gesetzlich reichen 1,6 mm, empfohlen werden aber 3 mm als Minimum. Sie liegen bei \
Reifen Kolk auf Platz {{id|C-217|C-271}}.

Die Winterreifen hatten im November {{num|4,5 mm|5,4 mm}}, die gehen noch eine Saison. Falls du eh einen Termin \
machst: \
HU ist im Juni fällig ({{line|Auto.md:4|Auto.md:11}}).""",
    ),
    Scene(
        "later-mixed-pumpe-panel-de",
        "de",
        "page context",
        "ist das normal so?",
        [
            bash(
                "sqlite3 -header -column ~/haus/waermepumpe.db \"select * from tage where tag >= '2026-02-23'\"",
                """tag         kwh_el  kwh_th  aussen_mittel  starts  vorlauf_max
----------  ------  ------  -------------  ------  -----------
2026-02-23  18.4    66.2    2.1            9       36.5
2026-02-24  19.7    68.9    1.4            8       37.0
2026-02-25  17.1    63.3    3.0            9       36.0
2026-02-26  16.2    61.6    3.8            10      35.5
2026-02-27  21.9    63.5    3.6            27      41.0
2026-02-28  22.6    65.5    3.1            31      41.5
2026-03-01  23.3    65.2    2.9            29      41.5
""",
            )
        ],
        """Nein. Seit dem {{date|27.02.|20.02.}} taktet die Pumpe: {{cnt|27 bis 31 Starts|34 bis 47 Starts}} am \
Tag statt \
vorher 8 bis 10. Die Arbeitszahl ist dabei von rund 3,6 auf **{{num|2,8|3,3}}** gefallen, obwohl es draußen nicht \
kälter geworden ist.

Auffällig ist der Vorlauf, der von höchstens 37 °C auf {{num|41,5 °C|45,1 °C}} gestiegen ist. Hat am 26. oder 27. \
jemand die Heizkurve verstellt?""",
        context={
            "seite": "Haus / Wärmepumpe",
            "zeigt": {"kachel": "Tagesarbeitszahl", "wert": 2.8, "zeitraum": "2026-03-01", "status": "gelb"},
        },
    ),
    Scene(
        "later-mixed-feiertag-laden-de",
        "de",
        "web search",
        "Haben wir am 1. Mai offen? was ist eigentlich an Pfingsten",
        [
            earlier(read("/home/l/laden/oeffnungszeiten.txt", "Mo Ruhetag\nDi-Fr 9.30-18.00\nSa 9-14\nFeiertags zu")),
            web_search(
                "Feiertage 2026 Mai Pfingsten Bundesland",
                [("Feiertage 2026", "https://kalender.example/feiertage-2026")],
                "Feiertage im Mai 2026: Tag der Arbeit am Freitag, 1. Mai; Christi Himmelfahrt am Donnerstag, 14. Mai; "
                "Pfingstsonntag am 24. Mai und Pfingstmontag am 25. Mai. Fronleichnam folgt am 4. Juni.",
            ),
        ],
        """Nein, der 1. Mai ist ein {{date|Freitag|Mittwoch}}, und feiertags habt ihr zu. Samstag, der 2. Mai, \
läuft normal \
von 9 bis {{time|14 Uhr|16 Uhr}}.

Pfingstmontag ist der {{date|25. Mai|18. Mai}}. Da ändert sich für euch nichts, montags ist ohnehin Ruhetag. Mehr \
weh tut Himmelfahrt: Donnerstag, {{date|14. Mai|21. Mai}}.""",
    ),
)
