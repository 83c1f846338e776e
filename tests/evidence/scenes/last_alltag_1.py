"""German: a household; a bank statement, a week, a bill for heating, a kindergarten, a car, a meter."""

from __future__ import annotations

from tests.evidence.results import bash, grep, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import Rows, aligned, csv, records

UMSATZ_HEAD = ("Buchungstag", "Wertstellung", "Art", "Empfänger/Auftraggeber", "Verwendungszweck", "Betrag", "Saldo")
UMSAETZE = (
    ("02.02.2026", "02.02.2026", "DA", "Hausverwaltung Roth GmbH", "Miete WE 14 Feb 26", "-1.180,00", "2.911,07"),
    ("02.02.2026", "02.02.2026", "LS", "Stadtwerke Lindenau", "Abschlag Strom VK 7741902", "-94,00", "2.817,07"),
    ("03.02.2026", "03.02.2026", "KK", "Marktkauf Ost", "KARTE 3381", "-63,87", "2.753,20"),
    ("04.02.2026", "04.02.2026", "LS", "Fonetel", "Internet 02/26 Kd 50018822", "-39,95", "2.713,25"),
    ("05.02.2026", "05.02.2026", "LS", "Stadtkasse Lindenau", "Kita Sternschnuppe 02/26", "-212,50", "2.500,75"),
    ("06.02.2026", "06.02.2026", "LS", "Nordhafen Vers. AG", "Hausrat+Haftpfl. Q1", "-187,42", "2.313,33"),
    ("09.02.2026", "09.02.2026", "KK", "Tankpunkt B7", "KARTE 3381", "-71,18", "2.242,15"),
    ("11.02.2026", "12.02.2026", "KK", "Linden-Apotheke", "KARTE 3381", "-18,60", "2.223,55"),
    ("13.02.2026", "13.02.2026", "KK", "Marktkauf Ost", "KARTE 3381", "-88,12", "2.135,43"),
    ("16.02.2026", "16.02.2026", "LS", "Fonetel", "Mobilfunk 02/26 2 Karten", "-24,98", "2.110,45"),
    ("20.02.2026", "20.02.2026", "LS", "Beitragsservice", "Rundfunk 02-04/26", "-55,08", "2.055,37"),
    ("24.02.2026", "24.02.2026", "DA", "Musikschule Lindenau", "Blockflöte Mia", "-58,00", "1.997,37"),
    ("25.02.2026", "25.02.2026", "GU", "Kessler Optik GmbH", "Gehalt 02/26", "3.412,66", "5.410,03"),
    ("27.02.2026", "27.02.2026", "KK", "Marktkauf Ost", "KARTE 3381", "-104,35", "5.305,68"),
)
TERMIN_HEAD = ("id", "summary", "start", "end", "location", "calendar", "attendees", "reminder")
TERMINE: Rows = (
    ("ev_81a", "Zahnarzt Mia", "2026-03-02T15:15", "2026-03-02T15:45", "Dr. Pohl, Gartenstr. 8", "Familie", [], 60),
    ("ev_81c", "Elternabend Kita", "2026-03-03T19:30", "2026-03-03T21:00", "Turnraum", "Familie", ["jo", "ka"], 30),
    ("ev_820", "Müll: Papier raus", "2026-03-04T06:30", "2026-03-04T06:45", "", "Haus", [], 720),
    ("ev_822", "Schornsteinfeger", "2026-03-05T08:00", "2026-03-05T10:00", "zu Hause", "Haus", [], 1440),
    ("ev_825", "Flöte Mia", "2026-03-05T16:00", "2026-03-05T16:45", "Musikschule R 3", "Familie", [], 60),
    ("ev_829", "Oma 70. Geburtstag", "2026-03-07T12:00", "2026-03-07T17:00", "Gasthof Krone, Weil", "Familie", [], 0),
    ("ev_82b", "Lauftreff", "2026-03-08T09:30", "2026-03-08T11:00", "Seeparkplatz", "Jonas", ["jo"], 30),
)
NEBENKOSTEN = """Hausverwaltung Roth GmbH                                         Lindenau, 18.02.2026
Betriebskostenabrechnung 01.01.2025 - 31.12.2025      Objekt 0417   WE 14   Nutzer: Jonas u. Karin Feld

Kostenart              Gesamt EUR   Schlüssel     Gesamt-   Ihr       Ihr Anteil EUR
                                                  einheiten Anteil
Grundsteuer              4.812,60   m2 Wohnfl.    1.204,0   86,0        343,76
Wasser/Abwasser          7.930,44   m3            1.611,0   104,0       511,96
Müllabfuhr               3.216,00   Personen      38        4           338,53
Gebäudeversicherung      5.119,32   m2 Wohnfl.    1.204,0   86,0        365,67
Hauswart                 6.300,00   m2 Wohnfl.    1.204,0   86,0        450,00
Allgemeinstrom           1.026,18   m2 Wohnfl.    1.204,0   86,0         73,30
Aufzug Wartung           2.240,00   Wohnungen     16        1           140,00
Heizung/Warmwasser      21.447,90   lt. Messdienst                    1.408,22
                                                             -------------------
Summe                                                                 3.631,44
abzgl. Vorauszahlungen 12 x 285,00                                    3.420,00
Nachzahlung                                                             211,44

Zahlbar bis 31.03.2026 auf das Mietkonto. Ab 01.04.2026 beträgt Ihre Vorauszahlung 305,00 EUR.
Die Belege können nach Terminabsprache in unserem Büro eingesehen werden. Einwendungen sind
innerhalb von zwölf Monaten nach Zugang mitzuteilen."""
KITA = """From: leitung@kita-sternschnuppe.example
To: Eltern-Verteiler
Date: Thu, 26 Feb 2026 13:08:44 +0100
Subject: Schließtage 2026 und Sommerfest

Liebe Eltern,

der Träger hat die Schließtage bestätigt:

  Fr 15.05.2026            Brückentag
  Fr 05.06.2026            Brückentag
  Mo 10.08. - Fr 28.08.26  Sommerschließung (Notgruppe 10.08. - 14.08., Anmeldung bis 30.04.)
  Mo 12.10.2026            Teamtag
  Do 24.12. - Do 31.12.26  Weihnachten

Das Sommerfest ist am Samstag, 27.06.2026, von 14 bis 18 Uhr. Wir brauchen noch Kuchen (bisher 9 Zusagen)
und drei Personen für den Abbau. Bitte bringt eigenes Geschirr mit.

Das Essensgeld steigt ab 01.04. von 68 auf 74 Euro im Monat; die Lastschrift wird angepasst.

Wer sein Kind in der Notgruppe anmelden will, braucht eine Bescheinigung des Arbeitgebers.

Viele Grüße
R. Amberg, Leitung"""
KVA = """AUTOHAUS BRENNER & SOHN                      Kostenvoranschlag KV-26-3317   27.02.2026
Kunde 20418 Feld, Karin    Kennzeichen LI-KF 208    km-Stand 96.412    HU fällig 04/2026

Pos  Nr          Bezeichnung                        Menge   Einzel     Gesamt
 1   A-0710      Bremsscheiben vorn Satz              1     148,00     148,00
 2   A-0722      Bremsbeläge vorn Satz                1      62,50      62,50
 3   L-2200      Lohn Bremse vorn (AW)               14      11,80     165,20
 4   A-1904      Ölfilter                             1      13,90      13,90
 5   A-1911      Motoröl 5W-30 (l)                  4,5      17,20      77,40
 6   L-1010      Lohn Ölwechsel (AW)                  5      11,80      59,00
 7   P-0001      HU/AU Vorführung                     1     149,00     149,00
 8   A-3310      Wischerblätter Satz                  1      31,00      31,00
                                                          Netto        706,00
                                                          MwSt 19 %    134,14
                                                          Brutto       840,14
Gültig bis 27.03.2026. Reifen vorn 3,1 mm, hinten 4,6 mm (Hinweis, nicht im Angebot enthalten)."""
ZAEHLER_HEAD = ("datum", "zaehler", "stand_kwh", "temp_aussen", "wer", "bemerkung")
ZAEHLER = (
    ("2025-09-01", "1EMH0081", "41207", "19.4", "jo", ""),
    ("2025-10-01", "1EMH0081", "41466", "12.8", "ka", ""),
    ("2025-11-01", "1EMH0081", "41752", "8.1", "jo", ""),
    ("2025-12-01", "1EMH0081", "42093", "3.3", "jo", "Trockner neu"),
    ("2026-01-01", "1EMH0081", "42511", "1.0", "ka", "Gäste"),
    ("2026-02-01", "1EMH0081", "42902", "0.2", "jo", ""),
    ("2026-03-01", "1EMH0081", "43219", "5.7", "jo", ""),
)

SCENES = (
    Scene(
        "last-fixkosten-februar-de",
        "de",
        "csv",
        "was ist im februar an fixkosten abgegangen? umsaetze_02.csv",
        [read("/home/jonas/bank/umsaetze_02.csv", csv(UMSATZ_HEAD, UMSAETZE, ";"))],
        """Feste Abbuchungen im Februar: **{{amt|1.851,93 €|1.815,93 €}}**, verteilt auf {{cnt|acht|sechzehn}} Posten.

| Posten | Betrag |
|---|---:|
| Miete (Roth) | 1.180,00 € |
| Kita | {{amt|212,50 €|221,50 €}} |
| Hausrat + Haftpflicht | 187,42 € |
| Strom | 94,00 € |
| Musikschule | 58,00 € |
| Rundfunk | 55,08 € |
| Internet | 39,95 € |
| Mobilfunk | 24,98 € |

Zwei davon fallen nicht jeden Monat an: die Versicherung (Q1) und der Rundfunkbeitrag (Februar bis April). Ohne sie \
sind es {{amt|1.609,43 €|1.690,43 €}}. Der Rest, 346,12 €, waren Kartenzahlungen – davon Marktkauf dreimal mit \
zusammen {{amt|256,34 €|265,34 €}}.""",
    ),
    Scene(
        "last-familienwoche-de",
        "de",
        "mcp json rows",
        "was steht diese woche an?",
        [mcp("kalender__events", {"from": "2026-03-02", "to": "2026-03-08"}, records(TERMIN_HEAD, TERMINE), indent=2)],
        """Diese Woche:

- **Heute, {{time|15:15|15:50}}** – Zahnarzt Mia bei Dr. Pohl
- **Di 3.3., 19:30 Uhr** – Elternabend im Turnraum, ihr seid beide eingetragen
- **Mi 4.3.** – Papiermüll, früh raus
- **Do {{date|5.3.|12.3.}}** – Schornsteinfeger zwischen {{time|8 und 10 Uhr|13 und 14 Uhr}}, jemand muss da sein; \
nachmittags um 16 Uhr Flöte
- **Sa 7.3., ab 12 Uhr** – Omas {{num|70.|80.}} Geburtstag, Gasthof Krone
- **So 8.3., 9:30 Uhr** – Lauftreff (nur du)

Für den Geburtstag ist keine Erinnerung gesetzt.""",
    ),
    Scene(
        "last-nebenkosten-pruefen-de",
        "de",
        "plain text",
        "stimmt die nebenkostenabrechnung? und was zahlen wir ab april insgesamt an den vermieter, wenn die kaltmiete "
        "895 ist",
        [bash("pdftotext -layout ~/post/2026-02_nebenkosten_roth.pdf -", NEBENKOSTEN)],
        """Rechnerisch ist sie in Ordnung. Die acht Anteile ergeben 3.631,44 €, abzüglich 12 × 285 € = \
{{amt|3.420 €|3.240 €}} bleibt eine Nachzahlung von **{{amt|211,44 €|241,44 €}}**, fällig bis \
{{date|31. März|13. März}}. Die Schlüssel habe ich nachgerechnet, z. B. Hauswart 6.300 × 86/1.204 = 450,00 €; nur die \
Heizung lässt sich ohne die Abrechnung des Messdienstes nicht prüfen, und sie macht mit {{amt|1.408,22 €|1.480,22 €}} \
fast {{num|39 %|47 %}} eurer Kosten aus.

Ab April: 895 € + 305 € = **{{amt|1.200 €|1.230 €}}**, also 20 € mehr als bisher. Falls der Dauerauftrag noch auf \
1.180 € steht, müsst ihr ihn anpassen.""",
    ),
    Scene(
        "last-kita-schliesstage-de",
        "de",
        "mail",
        "wann hat die kita zu und was müssen wir tun",
        [
            grep("Schlie[sß]+tage", "/home/jonas/mail/2026-02-26_kita.eml:4:Subject: Schließtage 2026 und Sommerfest"),
            read("/home/jonas/mail/2026-02-26_kita.eml", KITA),
        ],
        """**Geschlossen ist 2026 an:**
- Fr 15. Mai und Fr {{date|5. Juni|12. Juni}} (Brückentage)
- {{date|10.|3.}} bis 28. August, drei Wochen
- Mo 12. Oktober (Teamtag)
- 24. bis 31. Dezember

**Zu tun:**
1. Wenn ihr die Notgruppe (10.–14.8.) braucht: bis {{date|30. April|15. April}} anmelden, mit Bescheinigung vom \
Arbeitgeber. Das sind noch {{num|59 Tage|71 Tage}}.
2. Fürs Sommerfest am 27. Juni eventuell Kuchen zusagen (bisher {{cnt|9|19}} Zusagen).

Das Essensgeld steigt ab April um 6 € auf {{amt|74 €|79 €}}, das läuft von selbst über die Lastschrift.""",
    ),
    Scene(
        "last-werkstatt-kva-de",
        "de",
        "plain text",
        "Was kostet nur die Bremse, und was wenn ich Öl und Wischer selber mache?",
        [read("/home/karin/Downloads/KV-26-3317.txt", KVA)],
        """Nur die Bremse vorn (Pos. 1–3): 375,70 € netto, mit MwSt. **{{amt|447,08 €|474,08 €}}**.

Ohne Öl (Pos. 4–6, {{amt|150,30 €|153,00 €}}) und Wischer (31,00 €) bleiben Bremse und HU: 524,70 € netto bzw. \
**{{amt|624,39 €|642,39 €}}** brutto. Gegenüber den {{amt|840,14 €|804,14 €}} aus dem Angebot sparst du rund 216 €, \
musst davon aber das Material noch kaufen.

Zwei Hinweise: {{id|KV-26-3317|KV-26-3371}} gilt nur bis 27. März, und die Vorderreifen haben nur noch \
{{num|3,1 mm|2,7 mm}} – nicht im Angebot, aber vor der HU einen Blick wert.""",
    ),
    Scene(
        "last-strom-winter-de",
        "de",
        "aligned columns",
        "wieviel strom haben wir seit september verbraucht und welcher monat war der schlimmste",
        [bash("column -t -s, ~/haus/strom.csv", aligned(ZAEHLER_HEAD, ZAEHLER))],
        """Seit 1. September sind es {{num|2.012 kWh|2.120 kWh}} (41.207 → {{num|43.219|43.291}}), im Schnitt gut \
335 kWh im Monat. Am meisten war es im Dezember mit {{num|418 kWh|481 kWh}} – dazu steht „Gäste“ in der Liste, und \
seit Anfang Dezember läuft der {{quo|„Trockner neu“|„Heizlüfter Bad“}}. Im Februar wart ihr wieder bei 317 kWh, knapp \
ein Fünftel weniger als im Januar ({{num|391|319}}).""",
    ),
)
