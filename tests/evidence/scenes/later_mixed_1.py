"""German: what the owner of a laptop asks; meters, accounts, calendars, letters, recipes."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, grep, mcp, read
from tests.evidence.scene import Scene

STROM = """datum;zaehler_kwh;pv_einspeisung_kwh;ableser;notiz
01.09.2025;48211;3102;J;
01.10.2025;48459;3317;J;
01.11.2025;48741;3421;M;Heizung an seit 19.10.
01.12.2025;49068;3466;M;
01.01.2026;49452;3488;J;Besuch ueber die Feiertage
01.02.2026;49823;3527;M;
01.03.2026;50121;3625;J;
"""
KONTO = """Buchungstag;Wertstellung;Empfaenger;Verwendungszweck;Betrag;Saldo
02.02.2026;02.02.2026;Hausverwaltung Lindner;Miete 02/26 Whg 14;-1.180,00;1.238,77
03.02.2026;04.02.2026;Frischeck Markt;Kartenzahlung 7731;-64,18;1.174,59
05.02.2026;05.02.2026;Stadtwerke Auental;Abschlag Vertrag 5520918;-96,00;1.078,59
07.02.2026;09.02.2026;Frischeck Markt;Kartenzahlung 7758;-41,95;1.036,64
09.02.2026;09.02.2026;Baeckerei Holm;Kartenzahlung 0142;-12,60;1.024,04
13.02.2026;13.02.2026;Biokiste Gruenland;Lieferung KW 07;-38,50;985,54
14.02.2026;16.02.2026;Frischeck Markt;Kartenzahlung 7802;-88,07;897,47
16.02.2026;16.02.2026;Kita-Verein Spatzennest;Beitrag Februar;-142,00;755,47
20.02.2026;20.02.2026;Tankhof Nord;Kartenzahlung 3390;-71,33;684,14
21.02.2026;23.02.2026;Frischeck Markt;Kartenzahlung 7849;-52,49;631,65
24.02.2026;24.02.2026;Kletterhalle Steig;10er-Karte Rest;-29,00;602,65
26.02.2026;26.02.2026;Planwerk GmbH;Gehalt 02/26;2.964,12;3.566,77
27.02.2026;27.02.2026;Biokiste Gruenland;Lieferung KW 09;-38,50;3.528,27
28.02.2026;02.03.2026;Frischeck Markt;Kartenzahlung 7881;-47,26;3.481,01
"""
TERMINE = [
    {
        "id": "ev_8f21",
        "titel": "Elternabend 3b",
        "start": "2026-03-05T19:30",
        "ende": "2026-03-05T21:00",
        "ort": "R 104",
    },
    {
        "id": "ev_8f3c",
        "titel": "Zahnarzt Lotte",
        "start": "2026-03-06T14:15",
        "ende": "2026-03-06T14:45",
        "ort": "Dr. Ihle",
    },
    {
        "id": "ev_90a7",
        "titel": "Turnier U9",
        "start": "2026-03-07T09:00",
        "ende": "2026-03-07T13:30",
        "ort": "Halle West",
    },
    {
        "id": "ev_90b1",
        "titel": "Putzdienst Kita",
        "start": "2026-03-07T15:00",
        "ende": "2026-03-07T17:00",
        "ort": "Kita",
    },
    {"id": "ev_91d4", "titel": "Oma Geburtstag", "start": "2026-03-08", "ende": "2026-03-08", "ort": None},
    {
        "id": "ev_92e0",
        "titel": "Schwimmkurs 4/10",
        "start": "2026-03-10T16:00",
        "ende": "2026-03-10T16:45",
        "ort": "Bad",
    },
]
BRIEF = """---
eingang: 2026-02-19
ordner: Versicherung/Hausrat
---

Nordhafen Versicherung aG - Sachschaden

Vertrag HR 77-410.226-3          Schadennummer S-2026-018834
Unser Zeichen: sk/lb             Bearbeitung: Frau Lobrecht, Tel. 04821 5530-271

                                                     16.02.2026

Leitungswasserschaden vom 22.01.2026

Sehr geehrter Herr Tamm,

wir danken für die Unterlagen vom 04.02.2026. Zur Regulierung teilen wir mit:

  Trocknung lt. Rechnung 3108          1.264,00 EUR
  Bodenbelag Flur, 11,5 m²               908,50 EUR
  Schrank, Zeitwert                      240,00 EUR
  abzüglich Selbstbeteiligung           -300,00 EUR
  --------------------------------------------------
  Zahlbetrag                           2.112,50 EUR

Der Schrank wurde im Jahr 2014 angeschafft; den Neuwert können wir daher nicht
ersetzen. Reichen Sie die Anschaffungsrechnung nach, prüfen wir erneut. Bitte
senden Sie uns diese bis zum 20.03.2026.

Der Betrag wird innerhalb von zehn Werktagen überwiesen.
"""
REZEPT = """# Linsensuppe mit Räucherpaprika

Für 4 Personen, 45 Minuten

- 250 g Berglinsen
- 2 Zwiebeln
- 3 Möhren
- 1 Stange Lauch
- 1,2 l Gemüsebrühe
- 2 EL Tomatenmark
- 1 TL Räucherpaprika
- 40 ml Olivenöl
- 1 EL Rotweinessig

1. Zwiebeln, Möhren und Lauch würfeln, im Öl 8 Minuten anschwitzen.
2. Tomatenmark und Paprika 1 Minute mitrösten.
3. Linsen und Brühe dazu, 25 Minuten köcheln.
4. Essig zuletzt. *Notiz 11/2025: Mama fand 1 TL Paprika zu wenig.*
"""

SCENES = (
    Scene(
        "later-mixed-strom-winter-de",
        "de",
        "csv file",
        "wie viel strom haben wir seit september gebraucht?",
        [read("/home/jo/haus/zaehler.csv", STROM)],
        """Vom 1. September bis 1. März waren es **{{num|1.910 kWh|1.190 kWh}}**, im Schnitt also rund \
{{num|318 kWh|381 kWh}} im Monat.

| Monat | Verbrauch |
|---|---:|
| September | 248 kWh |
| Oktober | 282 kWh |
| November | {{num|327 kWh|372 kWh}} |
| Dezember | 384 kWh |
| Januar | 371 kWh |
| Februar | 298 kWh |

Der Februar lag damit gut 70 kWh unter dem Januar (rund {{num|−20 %|−28 %}}). Eingespeist habt ihr im selben Zeitraum \
523 kWh, davon allein 98 kWh im Februar.""",
    ),
    Scene(
        "later-mixed-konto-essen-de",
        "de",
        "csv",
        "was ging im februar für essen drauf",
        [bash("cat ~/bank/2026-02_umsaetze.csv", KONTO)],
        """Für Lebensmittel waren es im Februar **{{amt|383,55 €|338,55 €}}**:

- Frischeck Markt: {{amt|293,95 €|239,95 €}} ({{cnt|5 Einkäufe|17 Einkäufe}}, der teuerste am \
{{date|14.02.|19.02.}} mit 88,07 €)
- Biokiste Grünland: 77,00 € (2 × 38,50 €)
- Bäckerei Holm: 12,60 €

Den Tankhof habe ich nicht mitgezählt, auch wenn da vielleicht ein Kaffee dabei war.""",
    ),
    Scene(
        "later-mixed-konto-saldo-de",
        "de",
        "csv, earlier turn",
        "und was bleibt unterm strich?",
        [earlier(bash("cat ~/bank/2026-02_umsaetze.csv", KONTO))],
        """Der Februar endet mit {{amt|3.481,01 €|3.418,01 €}} auf dem Konto. Am tiefsten stand es am \
{{date|24. Februar|25. Februar}} mit {{amt|602,65 €|620,56 €}}, zwei Tage bevor das Gehalt (2.964,12 €) kam.

Ausgegeben habt ihr insgesamt 1.901,88 €, davon 1.180 € Miete. Bleibt ein Plus von \
**{{amt|1.062,24 €|1.026,42 €}}**.""",
    ),
    Scene(
        "later-mixed-wochenende-de",
        "de",
        "mcp json records",
        "was steht bis sonntag an?",
        [mcp("kalender__list", {"from": "2026-03-02", "to": "2026-03-10"}, {"events": TERMINE, "tz": "Europe/Berlin"})],
        """Bis Sonntag sind es {{cnt|fünf Termine|neun Termine}}:

- **Do, 5.3., {{time|19:30|18:45}}** – Elternabend 3b, Raum 104 [#termin-OPEN:ev_8f21]
- **Fr, {{date|6.3.|4.3.}}, 14:15** – Zahnarzt Lotte [#termin-OPEN:ev_8f3c]
- **Sa, 7.3., 9:00–{{time|13:30|12:30}}** – Turnier U9, Halle West [#termin-OPEN:ev_90a7]
- **Sa, 7.3., 15:00–17:00** – Putzdienst Kita [#termin-OPEN:ev_90b1]
- **So, 8.3.** – Oma Geburtstag, ganztägig [#termin-OPEN:ev_91d4]

Am Samstag liegen zwischen Turnier und Putzdienst nur anderthalb Stunden.""",
    ),
    Scene(
        "later-mixed-hausrat-brief-de",
        "de",
        "letter",
        "Was will die Versicherung noch von mir?",
        [
            grep("Schadennummer", "/home/t/ablage/2026-02-19_hausrat.md:8:Vertrag HR 77-410.226-3  S-2026-018834"),
            read("/home/t/ablage/2026-02-19_hausrat.md", BRIEF),
        ],
        """Müssen musst du nichts: Die Nordhafen zahlt {{amt|2.112,50 €|2.121,50 €}}, und zwar „innerhalb von zehn \
Werktagen“ nach dem Brief vom {{date|16.02.2026|14.02.2026}}.

Offen ist nur der **Schrank**. Sie erkennen bloß den Zeitwert von {{amt|240 €|420 €}} an. Wenn du die \
Anschaffungsrechnung nachreichst, heißt es dazu, {{quo|„prüfen wir erneut“|„zahlen wir den Neuwert“}}. Frist dafür ist \
der 20. März, also noch {{num|18 Tage|23 Tage}}.

Angeben: Schadennummer {{id|S-2026-018834|S-2026-018843}}, Ansprechpartnerin ist Frau Lobrecht.""",
    ),
    Scene(
        "later-mixed-suppe-zehn-de",
        "de",
        "recipe",
        "linsensuppe für 10, was brauche ich?",
        [read("/home/m/rezepte/linsensuppe.md", REZEPT)],
        """Für 10 Personen (das 2,5-Fache des Rezepts):

- {{num|625 g|652 g}} Berglinsen
- 5 Zwiebeln
- 7–8 Möhren
- 2–3 Stangen Lauch
- {{num|3 l|3,6 l}} Gemüsebrühe
- 5 EL Tomatenmark
- 2,5 TL Räucherpaprika
- {{num|100 ml|140 ml}} Olivenöl
- 2,5 EL Rotweinessig

In der Notiz vom November steht übrigens, dass deiner Mutter {{num|1 TL|6 TL}} Paprika zu wenig war. Ich würde auf \
3 TL gehen. Die Kochzeit der Linsen bleibt bei 25 Minuten.""",
    ),
)
