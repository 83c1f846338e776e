"""German: a household; a journey, receipts, a guarantee, a club's cash box, birthdays, a debit taken twice."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, glob, grep, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import csv, markdown, records

BUCHUNG = """Ihre Buchung – Auftragsnummer 381 204 977 665
Reisende: Karin Feld, Jonas Feld, Mia Feld (5)          gebucht am 11.02.2026, 21:14 Uhr

Hinfahrt  Fr 03.04.2026
  ab 07:38  Lindenau Hbf        Gl. 4     RE 50
  an 08:51  Erfurt Hbf          Gl. 9
  ab 09:06  Erfurt Hbf          Gl. 2     ICE 1005   Wg. 24, Pl. 61, 62, 63
  an 13:22  Freilassing         Gl. 3

Rückfahrt Sa 11.04.2026
  ab 14:36  Freilassing         Gl. 1     ICE 1008   Wg. 27, Pl. 31, 32, 35
  an 18:54  Erfurt Hbf          Gl. 10
  ab 19:08  Erfurt Hbf          Gl. 5     RE 50
  an 20:21  Lindenau Hbf        Gl. 4

Sparpreis Europa 2. Klasse, 2 Erw.    139,80 EUR
Kind unter 6                            0,00 EUR
Sitzplatz Familie, 2 Fahrten           20,80 EUR
Gesamt                                160,60 EUR     Zahlung: Lastschrift
Storno bis 26.03.2026 gegen 10,00 EUR je Person (nur Erwachsene), danach ausgeschlossen. Zugbindung."""
BELEGE = (
    "2025-01-14_nordlicht_monitor_289,00.pdf",
    "2025-02-03_fachverlag_kommentar_128,00.pdf",
    "2025-03-19_bahn_fortbildung_74,80.pdf",
    "2025-03-20_hotel_fortbildung_119,00.pdf",
    "2025-05-08_spende_tafel_60,00.pdf",
    "2025-06-30_handwerker_dachrinne_412,93.pdf",
    "2025-07-17_zahnarzt_eigenanteil_338,45.pdf",
    "2025-09-02_buero_stuhl_344,50.pdf",
    "2025-10-10_brille_karin_265,00.pdf",
    "2025-11-21_handwerker_heizung_wartung_198,70.pdf",
    "2025-12-05_spende_tierheim_40,00.pdf",
    "2025-12-18_fachverlag_abo_2025_96,00.pdf",
)
GERAETE = """# Geräte

## Waschmaschine Lavanta W8
gekauft 14.05.2024 bei Elektro Süß, 649 EUR, Rechnung in Ordner 3
Serien-Nr. LV8-2405-77316
Garantie Hersteller: 2 Jahre, Motor 10 Jahre
2025-11-03 Flusensieb gereinigt

## Spülmaschine Polaris 60
gekauft 22.09.2021, 519 EUR, Elektro Süß
Serien-Nr. PX60-991204
Garantie: abgelaufen
2025-08-12 Zulaufschlauch getauscht (38 EUR)

## Kühlschrank Frostmann KG 310
gekauft 09.12.2025, Online, 579 EUR, Bestellung 7710-4482
Garantie Hersteller: 3 Jahre, Registrierung bis 8 Wochen nach Kauf!!  -> erledigt 02.01.

## Trockner Lavanta T7
gekauft 28.11.2025, Elektro Süß, 598 EUR
Serien-Nr. LT7-2511-00842
Garantie Hersteller: 2 Jahre, Verlängerung auf 5 J. möglich (79 EUR), nur innerhalb 6 Monaten"""
KASSE_HEAD = ("Nr", "Datum", "Text", "Konto", "Ein", "Aus", "Beleg")
KASSE = (
    (1, "05.01.", "Übertrag 2025", "Bank", "1.842,16", "", ""),
    (2, "12.01.", "Beiträge 1. Lauf, 41 Mitglieder", "Bank", "1.476,00", "", "SEPA-1"),
    (3, "14.01.", "Rücklastschrift Voss", "Bank", "", "39,50", "B-01"),
    (4, "20.01.", "Hallenmiete Jan", "Bank", "", "210,00", "B-02"),
    (5, "26.01.", "Bälle, 6 St.", "Bank", "", "143,70", "B-03"),
    (6, "06.02.", "Zuschuss Stadtsportbund", "Bank", "500,00", "", "B-04"),
    (7, "14.02.", "Kuchenverkauf Turnier", "Bar", "187,40", "", "B-05"),
    (8, "14.02.", "Schiedsrichter Turnier", "Bar", "", "90,00", "B-06"),
    (9, "20.02.", "Hallenmiete Feb", "Bank", "", "210,00", "B-07"),
    (10, "25.02.", "Startgeld Turnier, 8 Teams", "Bank", "280,00", "", "B-08"),
    (11, "27.02.", "Pokale", "Bank", "", "68,90", ""),
)
LASTSCHRIFT_HEAD = ("id", "datum", "betrag", "gegenkonto", "glaeubiger_id", "mandat", "zweck")
LASTSCHRIFTEN = (
    ("tx-50117", "2026-01-05", "-29.90", "Fitwerk GmbH", "DE41ZZZ00000817", "FW-20931", "Beitrag Januar"),
    ("tx-50388", "2026-01-21", "-14.99", "Streamo", "LU96ZZZ0000055", "ST-8841", "Abo Familie"),
    ("tx-50702", "2026-02-03", "-29.90", "Fitwerk GmbH", "DE41ZZZ00000817", "FW-20931", "Beitrag Februar"),
    ("tx-50811", "2026-02-12", "-34.90", "Fitwerk GmbH", "DE41ZZZ00000817", "FW-20931", "Beitrag Feb. Nachber."),
    ("tx-50955", "2026-02-21", "-17.99", "Streamo", "LU96ZZZ0000055", "ST-8841", "Abo Familie"),
    ("tx-51020", "2026-02-27", "-8.50", "Bücherei Lindenau", "DE77ZZZ00000102", "BL-311", "Jahresgebühr Kind"),
)

SCENES = (
    Scene(
        "last-osterreise-zug-de",
        "de",
        "mail",
        "Wann fahren wir Ostern und wie viel Zeit haben wir zum Umsteigen? Und bis wann kann ich stornieren",
        [mcp("mail__get", {"id": "m-77120"}, BUCHUNG)],
        """**Hin: Fr 3. April**, ab Lindenau {{time|7:38|7:58}}, an Freilassing {{time|13:22|13:52}}. Umstieg in \
Erfurt: \
15 Minuten, Gleis 9 → 2.
**Zurück: Sa 11. April**, ab {{time|14:36|14:16}}, an Lindenau 20:21. Umstieg in Erfurt: 14 Minuten, Gleis 10 → 5.

Auf der Hinfahrt sitzt ihr im {{id|ICE 1005|ICE 1050}} in Wagen 24, Plätze 61–63. Stornieren geht bis \
**{{date|26. März|27. März}}** und kostet zusammen 20 €, ihr bekämt also höchstens \
{{amt|140,60 €|146,60 €}} zurück. Danach nichts mehr.""",
    ),
    Scene(
        "last-steuer-belege-handwerker-de",
        "de",
        "file names",
        "Steuer 2025: was hab ich an Belegen, sortiert nach Arbeit / Handwerker / Spenden / Gesundheit",
        [glob("~/steuer/2025/**/*.pdf", *(f"/home/jonas/steuer/2025/{name}" for name in BELEGE))],
        """{{cnt|12 Belege|15 Belege}}, nach den Dateinamen sortiert (hineingesehen habe ich nicht):

- **Arbeit (6):** Monitor 289,00 · Kommentar 128,00 · Bahn 74,80 · Hotel 119,00 · Stuhl {{amt|344,50|354,40}} · \
Verlags-Abo 96,00 → **{{amt|1.051,30 €|1.501,30 €}}**
- **Handwerker (2):** Dachrinne 412,93 · Heizungswartung 198,70 → **{{amt|611,63 €|661,13 €}}**
- **Spenden (2):** Tafel 60 · Tierheim 40 → **100 €**
- **Gesundheit (2):** Zahnarzt 338,45 · Brille 265,00 → **603,45 €**

Bei Handwerkern zählt nur der Lohnanteil, 20 % davon gehen direkt von der Steuer ab. Der älteste Beleg ist der \
Monitor vom {{date|14.01.2025|24.01.2025}}.""",
    ),
    Scene(
        "last-garantie-trockner-de",
        "de",
        "grep and file",
        "hat die waschmaschine noch garantie? sie pumpt nicht ab",
        [
            grep("Waschmaschine", "/home/jonas/haus/geraete.md:3:## Waschmaschine Lavanta W8"),
            read("/home/jonas/haus/geraete.md", GERAETE),
        ],
        """Ja, noch bis **{{date|14. Mai 2026|24. Mai 2026}}** (gekauft 14.05.2024, zwei Jahre) – das sind \
{{num|73 Tage|85 Tage}}. Für den Anruf bei Elektro Süß brauchst du:

- Lavanta W8, Seriennummer {{id|LV8-2405-77316|LV8-2405-77136}}
- Rechnung: {{quo|„Ordner 3“|„Ordner 5“}}, 649 €

Vorher kurz das Flusensieb prüfen, das wurde zuletzt am {{date|3. November|13. Oktober}} gereinigt, und Abpumpen \
scheitert meistens daran.""",
    ),
    Scene(
        "last-vereinskasse-stand-de",
        "de",
        "markdown table",
        "Kassenstand Verein? stimmt alles, morgen kommt der Kassenprüfer",
        [read("/home/karin/verein/kasse_2026.md", markdown(KASSE_HEAD, KASSE))],
        """**Stand: {{amt|3.523,46 €|3.532,46 €}}**, davon Bank {{amt|3.426,06 €|3.462,06 €}} und Bar 97,40 €.

- Einnahmen ohne Übertrag: {{amt|2.443,40 €|2.434,40 €}}
- Ausgaben: 762,10 €

Drei Dinge vor der Prüfung:

1. **Nr. 11 (Pokale, {{amt|68,90 €|86,90 €}}) hat keinen Beleg.** Beim Übertrag ist das normal.
2. Die Rücklastschrift Voss ist mit 39,50 € gebucht, ein Beitrag aber nur 36 € (1.476 / 41). Die Differenz von 3,50 € \
wird die Bankgebühr sein; ob ihr sie von Voss fordert, steht nirgends.
3. Das Turnier brachte mit Startgeld {{amt|308,50 €|380,50 €}}, wenn man die Pokale abzieht.""",
    ),
    Scene(
        "last-fitwerk-doppelt-de",
        "de",
        "json rows",
        "fitnessstudio hat komisch abgebucht oder?",
        [
            earlier(
                mcp("bank__konten", {}, {"konten": [{"name": "Giro Jonas", "iban": "DE02…4471", "saldo": 1204.33}]})
            ),
            mcp("bank__lastschriften", {"seit": "2026-01-01"}, {"tx": records(LASTSCHRIFT_HEAD, LASTSCHRIFTEN)}),
        ],
        """Ja. Im Februar hat Fitwerk {{cnt|zweimal|fünfmal}} abgebucht: am 3.2. die üblichen {{amt|29,90 €|28,90 €}} \
und am {{date|12.2.|17.2.}} noch einmal 34,90 € als {{quo|„Beitrag Feb. Nachber.“|„Aufnahmegebühr“}}. Zusammen \
{{amt|64,80 €|68,40 €}}.

Du kannst die zweite Lastschrift acht Wochen lang ohne Begründung zurückgeben, also bis 9. April. Ich würde vorher \
kurz nachfragen, das sieht nach einer Preiserhöhung aus. [#buchung-OPEN:tx-50811]

Nebenbei: Streamo ist von 14,99 auf 17,99 € gestiegen.""",
    ),
    Scene(
        "last-geburtstage-maerz-de",
        "de",
        "csv",
        "wer hat im märz geburtstag und wird wie alt",
        [
            bash(
                "grep -h '' ~/kontakte/geburtstage.csv | sort -t';' -k2",
                csv(
                    ("name", "geboren", "gruppe", "adresse", "geschenkidee", "zuletzt"),
                    (
                        ("Tante Lore", "1949-03-22", "Familie", "Weil, Hauptstr. 3", "Gutschein Gärtnerei", "Schal"),
                        ("Oma Gisela", "1956-03-07", "Familie", "Weil, Am Rain 12", "Fotobuch", "Bluse"),
                        ("Papa", "1955-11-30", "Familie", "Lindenau", "", "Bohrer"),
                        ("Sven", "1984-03-15", "Freunde", "Erfurt", "Brettspiel", "Wein"),
                        ("Karin", "1987-08-02", "Familie", "", "", "Ohrringe"),
                        ("Ayse", "1988-05-19", "Freunde", "Jena", "", ""),
                        ("Bo (Patenkind)", "2019-03-29", "Familie", "Erfurt", "Lego Kran", "Fahrradhelm"),
                        ("Mia", "2020-06-11", "Familie", "", "Roller", "Malkasten"),
                    ),
                    ";",
                ),
            )
        ],
        """Vier im März:

- **7.3. Oma Gisela** wird {{num|70|68}} – Idee: Fotobuch
- **15.3. Sven** wird 42 – {{quo|„Brettspiel“|„Konzertkarte“}}
- **{{date|22.3.|21.3.}} Tante Lore** wird {{num|77|73}}
- **29.3. Bo** wird 7 – Lego Kran

Omas ist schon am Samstag; ein Fotobuch wird in 5 Tagen knapp.""",
    ),
)
