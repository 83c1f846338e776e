"""German: a household and an office; values from calls that failed, from no tool, from an input, parts of ids."""

from __future__ import annotations

from tests.evidence.results import bash, edit, failed, mcp, read, web_fetch, write
from tests.evidence.scene import Scene
from tests.evidence.tables import aligned, records

PAKETE_HEAD = ("sendung", "absender", "status", "ort", "zeit", "gewicht_kg", "zustellung")
PAKETE = (
    ("JJD000390007714402218", "Elektro Süß", "in Zustellung", "Lindenau ZB", "2026-03-02T07:41", 2.4, "heute"),
    ("JJD000390007698813570", "Buchhandlung Rau", "abgeholt", "Filiale Markt", "2026-02-26T16:20", 0.7, "-"),
    ("00340434161094039221", "Möbel Tann", "im Depot", "Erfurt", "2026-02-28T22:05", 31.0, "03.03. 9-13 Uhr"),
    ("00340434161094041176", "Gartenhaus24", "angekündigt", "-", "2026-03-01T11:12", 12.5, "offen"),
)
EINKAUF = """# Einkauf Samstag

- [ ] Kartoffeln 2 kg
- [ ] Sahne 3 Becher
- [x] Mehl 405, 2 kg
- [ ] Eier, 20
- [ ] Kerzen (7 und 0)
- [ ] Luftballons
- [x] Servietten

Gäste: 14 Erwachsene, 5 Kinder
Torte bei Café Lindner bestellt (Abholung Sa 10:30, 48 EUR, schon angezahlt 20 EUR)
"""
KURZ = """Vermerk Z 0512/26 Sellner ./. Wohnbau Aue                    HA, 24.02.2026

Mandantin Frau Sellner kam ohne Termin. Eigentumswohnung Haus C, Abnahme 19.11.2025, Kaufpreis 318.500 EUR.
Letzte Rate 11.147,50 EUR (3,5 %) einbehalten. Mängel:
 1. Feuchte Stelle Kinderzimmer, Außenecke, ca. 40 x 60 cm
 2. Balkontür schließt nicht
 3. Parkett Flur, drei Stäbe locker
 4. Stellplatz 2,31 m statt 2,50 m breit
Mängelanzeige durch Mandantin am 02.12.2025 und 20.01.2026, Bauträger hat auf die zweite geantwortet:
„Wir sehen für einen weiteren Termin keinen Anlass.“
Rechtsschutz: nein. Vorschuss 900 EUR netto vereinbart. Fotos (23) auf Stick.
Wiedervorlage 10.03.2026: Aufforderung mit Frist zwei Wochen."""
ORDNER = """insgesamt 48M
-rw-r--r-- 1 scan buero 1,2M  2. Mär 07:58 2026-03-02_0001_Amtsgericht_Lindenau.pdf
-rw-r--r-- 1 scan buero 640K  2. Mär 07:59 2026-03-02_0002_Nordhafen_Vers.pdf
-rw-r--r-- 1 scan buero 4,8M  2. Mär 08:01 2026-03-02_0003_EPA_Mitteilung.pdf
-rw-r--r-- 1 scan buero 310K  2. Mär 08:02 2026-03-02_0004_Stadtkasse.pdf
-rw-r--r-- 1 scan buero 2,2M  2. Mär 08:04 2026-03-02_0005_RA_Winkler_Schriftsatz.pdf
-rw-r--r-- 1 scan buero  37M  2. Mär 08:11 2026-03-02_0006_Gutachten_Anlagen.pdf
-rw-r--r-- 1 scan buero 190K  2. Mär 08:12 2026-03-02_0007_unleserlich.pdf"""
ADRESSEN = """[kontakte]
sellner = Sellner, Ulrike; Am Anger 4, 99001 Aue; u.sellner@post.example
wohnbau = Wohnbau Aue GmbH; Gewerbering 17, 99001 Aue; HRB 40 217
winkler = RA Winkler & Kollegen; Domplatz 2, Erfurt; Fach 118
"""

SCENES = (
    Scene(
        "last-pakete-heute-de",
        "de",
        "aligned columns",
        "kommt heute was?",
        [bash("pakete --alle", aligned(PAKETE_HEAD, PAKETE))],
        """Ja, das Paket von Elektro Süß ({{part|JJD000390007714402218|7714402218}}) ist seit {{time|7:41|7:14}} in \
Zustellung. \
Morgen zwischen {{time|9 und 13 Uhr|10 und 14 Uhr}} kommt dann Möbel Tann mit {{num|31 kg|34 kg}}, da solltet ihr zu \
zweit sein.""",
    ),
    Scene(
        "last-wetterabfrage-grillen-de",
        "de",
        "failed call",
        "regnets am samstag beim geburtstag?",
        [
            failed(
                "mcp__wetter__vorhersage",
                {"ort": "Weil", "tag": "2026-03-07"},
                "Fehler 503: Dienst nicht erreichbar, 3 Versuche. "
                "Letzter gespeicherter Wert (Sa 14.02.): 4,6 °C, Regen 71 %",
            ),
            read("/home/jonas/listen/samstag.md", EINKAUF),
        ],
        """Regenrisiko am Samstag in Weil: {{failed|nicht abrufbar, der Wetterdienst antwortet nicht|71 %}}; \
Temperatur: \
{{failed|ebenso|4,6 °C}}.

Mit 14 Erwachsenen und {{cnt|5 Kindern|11 Kindern}} also besser drinnen planen. Die Torte gibt es ab \
{{time|10:30|11:30}} bei Café Lindner; zu zahlen sind noch {{amt|28 €|32 €}}.""",
    ),
    Scene(
        "last-einkauf-ergaenzt-de",
        "de",
        "edit",
        "setz noch 6 flaschen sekt auf die liste für samstag. was fehlt sonst noch?",
        [
            edit("/home/jonas/listen/samstag.md", "- [ ] Luftballons", "- [ ] Luftballons\n- [ ] Sekt, 6 Fl.", EINKAUF),
        ],
        """Steht drauf. Offen sind jetzt {{cnt|sechs|elf}} Punkte: Kartoffeln, {{cnt|3 Becher|4 Becher}} Sahne, \
{{cnt|20 Eier|30 Eier}}, die Kerzen, Luftballons und der Sekt. Mehl und Servietten sind abgehakt.""",
    ),
    Scene(
        "last-vermerk-sellner-brief-de",
        "de",
        "file and draft",
        "Entwirf die Aufforderung in Sachen Sellner, leg sie in die Akte",
        [
            read("/k/akten/Z 0512-26/2026-02-24_Vermerk.txt", KURZ),
            read("/k/adressen.ini", ADRESSEN),
            write(
                "/k/akten/Z 0512-26/2026-03-02_Aufforderung_Entwurf.md",
                "Wohnbau Aue GmbH\nGewerbering 17\n99001 Aue\n\nUnser Zeichen: Z 0512/26\n\n"
                "Sehr geehrte Damen und Herren,\n\nwir zeigen an, dass wir Frau Ulrike Sellner vertreten. Bei der "
                "Abnahme am 19.11.2025 und danach zeigten sich vier Mängel [...], angezeigt am 02.12.2025 und "
                "20.01.2026. Wir fordern Sie auf, diese bis zum 24.03.2026 zu beseitigen. Die voraussichtlichen Kosten "
                "einer Ersatzvornahme betragen 8.650 EUR.\n",
            ),
        ],
        """Der Entwurf liegt als `2026-03-02_Aufforderung_Entwurf.md` in der Akte. Er

- rügt alle {{cnt|vier|sieben}} Mängel aus dem Vermerk vom {{date|24.02.|26.02.}},
- nimmt Bezug auf die beiden Anzeigen vom 02.12. und {{date|20.01.|29.01.}} und
- setzt eine Frist bis 24. März, also zwei Wochen ab der Wiedervorlage.

Einbehalten sind {{amt|11.147,50 €|11.417,50 €}}, der Bauträger schrieb zuletzt {{quo|„keinen Anlass“|„kein \
Verschulden“}}. Kosten der Ersatzvornahme \
laut Akte: {{input|keine Angabe, die Zahl im Entwurf ist ein Platzhalter von mir|8.650 EUR}}.""",
    ),
    Scene(
        "last-posteingang-montag-de",
        "de",
        "bash listing",
        "was ist heute mit der post gekommen",
        [bash("ls -lh /k/scan/2026-03-02*", ORDNER)],
        """{{cnt|Sieben|Dreizehn}} Scans zwischen {{time|7:58|7:48}} und 8:12 Uhr:

1. Amtsgericht Lindenau
2. Nordhafen Versicherung
3. EPA, Mitteilung
4. Stadtkasse
5. Schriftsatz RA Winkler ({{num|2,2 MB|2,7 MB}})
6. Gutachten mit Anlagen – mit {{num|37 MB|73 MB}} zu groß für eine Mail
7. eine Datei, die beim Scannen als {{quo|„unleserlich“|„vertraulich“}} benannt wurde

Nr. 1, 3 und 5 können Fristen auslösen, die würde ich zuerst lesen.""",
    ),
    Scene(
        "last-ohne-akte-kostenrisiko-de",
        "de",
        "no tool",
        "Was hat Sellner bisher gekostet und wann war die letzte Tätigkeit?",
        [],
        """Das müsste in der Zeiterfassung stehen:

- Bisherige Kosten Sellner: {{none|noch nicht nachgesehen|1.487,50 €}}
- Letzte Tätigkeit: {{none|ebenso|27.02.2026}}

Soll ich in `/k/zeit/` nach der Akte suchen?""",
    ),
    Scene(
        "last-muellkalender-papier-de",
        "de",
        "web page",
        "wann ist papier und wann die gelbe tonne im märz, gartenstr",
        [
            web_fetch(
                "https://abfall.lindenau.example/kalender?strasse=gartenstrasse",
                "Termine März 2026 für die Gartenstraße",
                "Abfuhrtermine Gartenstraße (Bezirk 6), März 2026:\n\n"
                "- Restmüll: 03.03., 17.03., 31.03.\n- Bio: 06.03., 13.03., 20.03., 27.03.\n- Papier: 04.03.\n"
                "- Gelbe Tonne: 11.03., 25.03.\n- Schadstoffmobil: 21.03., 9:00-11:30 Uhr, Parkplatz Freibad\n\n"
                "Die Tonnen müssen bis 6:30 Uhr bereitstehen. Ab April wird Bio freitags statt montags nicht mehr "
                "im Bezirk 7 abgeholt. Servicetelefon 0800 555 01 60.",
            )
        ],
        """Papier am **{{date|4. März|14. März}}**, gelbe Tonne am **{{date|11.|18.}} und 25. März** – jeweils bis \
{{time|6:30 Uhr|7:30 Uhr}} rausstellen. Papier ist also schon übermorgen.""",
    ),
    Scene(
        "last-handyvertrag-rufnummer-de",
        "de",
        "mcp json rows",
        "welche handyverträge laufen bei uns und wann kommen wir raus",
        [
            mcp(
                "vertraege__liste",
                {"art": "mobil"},
                records(
                    (
                        "id",
                        "anbieter",
                        "tarif",
                        "nutzer",
                        "beginn",
                        "laufzeit_bis",
                        "kuendigung_bis",
                        "eur_monat",
                        "gb",
                    ),
                    (
                        ("V-114", "Fonetel", "Allnet M", "Jonas", "2024-06-18", "2026-06-17", "2026-05-17", 14.99, 20),
                        ("V-115", "Fonetel", "Allnet S", "Karin", "2023-11-05", "monatlich", "1 Monat", 9.99, 8),
                        ("V-131", "Plaudo", "Senior", "Oma Gisela", "2025-09-01", "2027-08-31", "2027-07-31", 7.5, 3),
                    ),
                ),
                indent=2,
            )
        ],
        """Drei Verträge, zusammen {{amt|32,48 €|34,28 €}} im Monat:

- **Jonas** – Fonetel {{name|„Allnet M“|„Allnet XL“}}, 14,99 €: bis {{date|17. Juni 2026|27. Juni 2026}}, kündigen \
spätestens 17. Mai (in {{num|76 Tagen|86 Tagen}}) [#vertrag-OPEN:V-114]
- **Karin** – Fonetel Allnet S, 9,99 €: jederzeit mit einem Monat Frist [#vertrag-OPEN:V-115]
- **Oma** – Plaudo, {{amt|7,50 €|5,70 €}}: noch bis Ende August 2027 [#vertrag-OPEN:V-131]""",
    ),
)
