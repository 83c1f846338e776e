"""German: an office; trade marks, a note of fees, a free hour, a weekly report, a contract, a cash audit."""

from __future__ import annotations

from tests.evidence.results import bash, cut, earlier, glob, grep, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import psql, records

MARKEN_HEAD = ("marke", "register", "klassen", "angemeldet", "schutzende", "inhaber", "benutzt", "waechter")
MARKEN = (
    ("M 0611 DE", "DE 302016104488", "30, 43", "2016-04-19", "2026-04-19", "Tausend Teeblätter", "ja", "aktiv"),
    ("M 0655 EU", "EU 015882047", "30", "2016-09-27", "2026-09-27", "Tausend Teeblätter", "ja", "aktiv"),
    ("M 0702 DE", "DE 302017002319", "11", "2017-01-30", "2027-01-30", "Holm Ventile", "unklar", "aus"),
    ("M 0588 DE", "DE 302016101705", "30, 35", "2016-02-12", "2026-02-12", "Brotfabrik Nord", "ja", "aktiv"),
    ("M 0917 DE", "DE 302025118830", "21, 30", "2025-08-06", "2035-08-06", "Tausend Teeblätter", "nein", "aktiv"),
    ("M 0933 EU", "EU 017204416", "30", "2017-09-14", "2027-09-14", "Brotfabrik Nord", "streitig", "aktiv"),
)
BELEGUNG_HEAD = ("id", "titel", "beginn", "ende", "raum", "personen", "privat")
BELEGUNG = (
    ("c-901", "Verhandlung AG", "2026-03-04T09:00", "2026-03-04T11:30", "AG Saal 6", ["RT"], False),
    ("c-904", "Jour fixe Marken", "2026-03-04T10:00", "2026-03-04T11:00", "B 2", ["AB", "LH"], False),
    ("c-905", "Mittag", "2026-03-04T12:30", "2026-03-04T13:30", "", ["LH", "RT"], True),
    ("c-909", "Tel. Silvan Optik", "2026-03-04T14:00", "2026-03-04T14:45", "", ["LH"], False),
    ("c-910", "Zahnarzt", "2026-03-04T16:30", "2026-03-04T17:30", "", ["RT"], True),
    ("c-912", "Moll, Klageerwiderung", "2026-03-04T15:00", "2026-03-04T16:00", "B 1", ["AB"], False),
    ("c-913", "Bewerbung Azubi", "2026-03-04T14:30", "2026-03-04T15:15", "B 2", ["RT", "Dirks"], False),
)
BANK = {
    "konto": {"name": "Anderkonto Reinders", "iban": "DE00 5550 1200 0440 7781 02", "waehrung": "EUR"},
    "zeitraum": {"von": "2026-01-01", "bis": "2026-03-01"},
    "anfang": "0.00",
    "buchungen": [
        {"nr": 1, "tag": "2026-01-14", "eur": "5280.00", "von": "Bistro Kolumna", "zweck": "Mieten 11/22-2/23 u.V."},
        {"nr": 2, "tag": "2026-01-14", "eur": "611.40", "von": "Bistro Kolumna", "zweck": "Zinsen u. Kosten"},
        {"nr": 3, "tag": "2026-01-30", "eur": "-4800.00", "an": "Reinders Immobilien", "zweck": "Abschlag Z 0377/25"},
        {"nr": 4, "tag": "2026-02-05", "eur": "-3.90", "an": "Bank", "zweck": "Kontoführung"},
        {"nr": 5, "tag": "2026-02-19", "eur": "-713.76", "an": "Hagedorn Lenz", "zweck": "KoRe 2026-0055"},
    ],
    "ende": "373.74",
    "abgerufen": "2026-03-02T08:20:11+01:00",
}
VERTRAG = """Rahmenvertrag IT-Betreuung  Nr. RV-2023-118  zwischen Hagedorn Lenz PartmbB und Netzwerk Kühn GmbH

4. Leistungszeiten
4.1 Servicezeit ist Montag bis Freitag von 7:30 bis 18:00 Uhr.
4.2 Reaktionszeit: Störung Klasse A zwei Stunden, Klasse B acht Stunden, Klasse C drei Werktage.
4.3 Außerhalb der Servicezeit wird eine Pauschale von 180,00 EUR je Einsatz berechnet.

5. Vergütung
5.1 Die monatliche Pauschale beträgt 890,00 EUR netto und umfasst acht Stunden.
5.2 Weitere Stunden werden mit 98,00 EUR netto abgerechnet, je angefangene Viertelstunde.
5.3 Nicht verbrauchte Stunden verfallen zum Quartalsende.

9. Laufzeit
9.1 Der Vertrag beginnt am 01.06.2023 und läuft drei Jahre.
9.2 Danach verlängert er sich um jeweils ein Jahr, wenn er nicht mit einer Frist von drei Monaten zum
    Ende der Laufzeit in Textform gekündigt wird.

11. Haftung
11.1 Für einfache Fahrlässigkeit haftet der Auftragnehmer bis 50.000 EUR je Schadensfall, höchstens
     100.000 EUR je Kalenderjahr."""
TICKETS_HEAD = ("ticket", "eröffnet", "klasse", "betreff", "reaktion", "gelöst", "minuten", "techniker")
TICKETS = (
    ("K-40117", "2026-02-02 08:10", "B", "Drucker 2. OG", "2026-02-02 10:05", "2026-02-02 11:20", 45, "fs"),
    (
        "K-40151",
        "2026-02-06 09:32",
        "A",
        "beA-Postfach nicht erreichbar",
        "2026-02-06 13:50",
        "2026-02-06 15:10",
        80,
        "mk",
    ),
    ("K-40188", "2026-02-11 16:45", "C", "Neuer Rechner Kost", "2026-02-13 09:00", "2026-02-17 12:00", 190, "fs"),
    ("K-40203", "2026-02-16 07:41", "A", "Server startet nicht", "2026-02-16 08:20", "2026-02-16 11:05", 165, "mk"),
    ("K-40241", "2026-02-23 14:02", "B", "Scanner Ablage", "2026-02-24 08:15", "2026-02-24 09:00", 30, "fs"),
    ("K-40260", "2026-02-26 10:18", "B", "Outlook-Suche", "", "", 0, ""),
)
KOSTEN = {
    "Z 0482/25": {"gegner": "Stahl & Söhne", "streitwert": 14200, "gericht": "LG Erfurt", "stand": "Klage zugestellt"},
    "Z 0466/25": {"gegner": "Eheleute Paul", "streitwert": 21900, "gericht": "LG Erfurt", "stand": "Gutachten"},
    "Z 0501/25": {"gegner": "Kranz, D.", "streitwert": 30000, "gericht": "OLG Jena", "stand": "Berufung"},
    "Z 0377/25": {"gegner": "Bistro Kolumna", "streitwert": 5280, "gericht": "AG Lindenau", "stand": "vor Begründung"},
    "Z 0512/26": {"gegner": "Wohnbau Aue", "streitwert": None, "gericht": None, "stand": "außergerichtlich"},
}
BEWERBER = {
    "nassar": """Tarek Nassar, geb. 08.11.2006, Lindenau, Tel. 0170 5550 227
Abitur Juni 2025, Durchschnitt 2,3 (Deutsch 2, Englisch 1, Mathematik 3, Wirtschaft 2)
07/2024 Praktikum Notariat Böhme, drei Wochen (Zeugnis wird nachgereicht)
seit 07/2025 Reisen
Sprachen: Arabisch (Muttersprache), Englisch C1, Französisch A2; Führerschein B
Anschreiben: „Ich suche etwas mit Sprache und Ordnung, und im Notariat hat mir beides gefallen.“
Anlagen: Abiturzeugnis
Vermerk Dirks 27.02.: eingeladen für Mi 04.03., 14:30, B 2""",
    "rother": """Finja Rother, geb. 21.05.2008, Kleinau, Tel. 0170 5550 309
Realschule Kleinau, Abschluss voraussichtlich 06/2026, Halbjahr 1,9 (Deutsch 1, Englisch 2, Mathematik 2)
Schülerzeitung (Layout), Schreibmaschinenkurs: 240 Anschläge/Minute
Anfahrt: Bus 55 Minuten
Anlagen: Halbjahreszeugnis, Kursbescheinigung
Vermerk Dirks 27.02.: Termin nach dem 09.03. anbieten""",
    "wendt": """Oskar Wendt, geb. 30.01.2002, Erfurt, Tel. 0170 5550 418
Abitur 2020 (2,0); 2021-2023 Jura, vier Semester, ohne Abschluss
seit 02/2024 Nordhafen Vers., Kundentelefon, 30 Std.
Eintritt möglich ab 01.07.2026
Anlagen: Abiturzeugnis, Notenspiegel Universität, Zwischenzeugnis Nordhafen
Vermerk Dirks 28.02.: gut, aber überqualifiziert? RT fragen""",
}

SCENES = (
    Scene(
        "last-marken-verlaengerung-de",
        "de",
        "psql table",
        "welche marken laufen 2026 ab, ist schon was zu spät?",
        [bash("psql kanzlei -c 'select * from marken'", psql(MARKEN_HEAD, MARKEN))],
        """2026 enden {{cnt|drei|vier}} von sechs Marken:

| Akte | Register | Schutzende | Inhaber |
|---|---|---|---|
| M 0588 DE | {{file|DE 302016101705|DE 302016107105}} | **12.02.2026** | Brotfabrik Nord |
| M 0611 DE | DE 302016104488 | {{date|19.04.2026|29.04.2026}} | Tausend Teeblätter |
| M 0655 EU | {{file|EU 015882047|EU 015828047}} | 27.09.2026 | Tausend Teeblätter |

**M 0588 DE ist seit {{num|18 Tagen|28 Tagen}} abgelaufen.** Verloren ist sie nicht, innerhalb von sechs Monaten kann \
man mit Zuschlag noch verlängern. Ob schon gezahlt wurde, zeigt die Tabelle nicht, das würde ich heute klären. Für \
M 0611 DE bleiben 48 Tage.""",
    ),
    Scene(
        "last-freie-stunde-mittwoch-de",
        "de",
        "mcp json rows",
        "finde am mittwoch eine stunde für AB, LH und RT",
        [mcp("kalender__belegung", {"tag": "2026-03-04"}, {"items": records(BELEGUNG_HEAD, BELEGUNG), "tz": "Berlin"})],
        """Am Mittwoch ({{date|4.3.|11.3.}}) geht es für alle drei nur knapp:

- **11:30–12:30**, direkt nach RTs Verhandlung ({{id|c-901|c-907}}) – wenn er vom Gericht zurück ist \
[#termin-OPEN:c-901]
- früh **bis {{time|9:00|9:45}}**, also 8 bis 9 Uhr
- nach {{time|17:30|18:15}}

Nachmittags überschneiden sich Silvan Optik, das Bewerbungsgespräch und Moll; danach sind alle erst um 16:00 wieder \
frei, aber nur \
{{num|30 Minuten|40 Minuten}}. Ich würde 8 Uhr nehmen.""",
    ),
    Scene(
        "last-anderkonto-reinders-de",
        "de",
        "json indented",
        "was liegt noch auf dem anderkonto reinders und was ist damit passiert?",
        [mcp("bank__auszug", {"konto": "Anderkonto Reinders"}, BANK, indent=2)],
        """Noch **{{amt|373,74 €|337,74 €}}** (abgerufen heute, {{time|8:20|8:02}}).

Eingegangen sind am 14. Januar {{amt|5.891,40 €|5.819,40 €}} in zwei Buchungen, „u.V.“, also wohl unter Vorbehalt. \
Davon gingen {{amt|4.800 €|4.820 €}} an Reinders, 713,76 € am {{date|19. Februar|9. Februar}} an uns (Kostenrechnung \
{{id|2026-0055|2026-0050}}) und 3,90 € an die Bank. Die Bankgebühr gehört streng genommen nicht aufs Fremdgeld.""",
    ),
    Scene(
        "last-it-vertrag-reaktionszeit-de",
        "de",
        "two files",
        "Hält Kühn die Reaktionszeiten ein? Lohnt die Pauschale? und wann kann ich kündigen",
        [
            grep("Reaktionszeit", "/k/vertraege/RV-2023-118.txt:5:4.2 Reaktionszeit: Störung Klasse A zwei Stunden"),
            read("/k/vertraege/RV-2023-118.txt", VERTRAG),
            bash("sqlite3 -header it.db 'select * from tickets'", psql(TICKETS_HEAD, TICKETS)),
        ],
        """**Reaktionszeit:** einmal klar verfehlt, einmal offen.
- {{id|K-40151|K-40115}} (Klasse A, beA-Postfach): Reaktion nach {{num|4:18 h|3:48 h}} statt zwei Stunden.
- K-40260 (Klasse B) ist seit {{date|26.02.|27.02.}} ganz ohne Reaktion, die acht Stunden sind längst um. \
[#ticket-OPEN:K-40260]
- Die anderen vier waren pünktlich, der Serverausfall am 16.02. zum Beispiel nach 39 Minuten.

**Pauschale:** Im Februar waren es {{num|510 Minuten|570 Minuten}}, also 8,5 Stunden. Enthalten sind acht, die halbe \
Stunde kostet {{amt|49 €|89 €}} netto extra. Die Pauschale passt ziemlich genau.

**Kündigung:** Der Vertrag läuft bis 31. Mai 2026, die Dreimonatsfrist nach Ziffer {{num|9.2|9.4}} endete am \
28. Februar. Er verlängert sich damit um ein Jahr.""",
    ),
    Scene(
        "last-streitwerte-uebersicht-de",
        "de",
        "json by id",
        "Summe der Streitwerte in den laufenden Sachen?",
        [
            earlier(glob("/k/akten/Z*", *(f"/k/akten/{akte.replace('/', '-')}" for akte in KOSTEN))),
            cut(mcp("akten__streitwerte", {"stand": "laufend"}, KOSTEN)),
        ],
        """Zusammen {{amt|71.380 €|73.180 €}} in vier Sachen; die größte ist Kranz ({{file|Z 0501/25|Z 0510/25}}, \
{{amt|30.000 €|35.000 €}}). Bei Sellner gegen {{name|„Wohnbau Aue“|„Wohnpark Aue“}} ist noch keiner eingetragen.""",
    ),
    Scene(
        "last-azubi-bewerbungen-de",
        "de",
        "many files",
        "lies die drei bewerbungen und gib mir eine übersicht fürs gespräch am mittwoch, wer kommt eigentlich?",
        [
            glob("/k/personal/bewerbung_2026/*.txt", *(f"/k/personal/bewerbung_2026/{name}.txt" for name in BEWERBER)),
            *(read(f"/k/personal/bewerbung_2026/{name}.txt", text) for name, text in BEWERBER.items()),
        ],
        """## Bewerbungen Ausbildung, Beginn 1. September

Am Mittwoch um {{time|14:30|14:45}} kommt **Tarek Nassar**. Die anderen beiden haben noch keinen Termin.

### Tarek Nassar, {{num|19|21}}
- Abitur 2025, Schnitt {{num|2,3|2,6}}; Deutsch 2, Englisch 1
- Praktikum: drei Wochen Notariat Böhme, {{date|Juli 2024|Juni 2023}}
- schreibt, er suche {{quo|„etwas mit Sprache und Ordnung“|„eine sichere Stelle am Ort“}}
- **Nachfragen:** die Lücke seit Juli 2025; im Lebenslauf steht nur „Reisen“

### Finja Rother, 17
- Realschule, Abschluss im Sommer, Schnitt {{num|1,9|1,6}}
- tippt nach eigener Angabe 240 Anschläge, Schülerzeitung
- **Nachfragen:** wird erst am 21. Mai volljährig, vorher unterschreiben die Eltern mit; Arbeitsweg 55 Minuten

### Oskar Wendt, 24
- Jurastudium nach vier Semestern abgebrochen, seit 2024 bei einer Versicherung am Telefon
- könnte schon ab {{date|1. Juli|15. Juli}} anfangen
- **Nachfragen:** Warum Ausbildung statt Studium, und reicht ihm das Gehalt?

Auf dem Papier ist Finja Rother bei den Noten vorn, Oskar Wendt bei der Erfahrung. Unterlagen fehlen nur bei \
Tarek Nassar: das Praktikumszeugnis.""",
    ),
    Scene(
        "last-wendt-telefon-kurz-de",
        "de",
        "one file",
        "nummer von wendt, und hat der zeugnisse dabei?",
        [read("/k/personal/bewerbung_2026/wendt.txt", BEWERBER["wendt"])],
        """{{id|0170 5550 418|0170 5550 481}}; ja, {{cnt|drei|sieben}} Anlagen: Abiturzeugnis, Notenspiegel und \
Zwischenzeugnis.""",
    ),
)
