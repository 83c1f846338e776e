"""German: what the owner of a laptop asks; the weather, training, orders, mails, a club's account."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, grep, mcp, read, task, web_fetch
from tests.evidence.scene import Scene
from tests.evidence.tables import aligned

TRAINING = """# Krafttraining

## KW 07
- Mo 09.02.: Kniebeuge 4x6 @ 82,5 / Bankdrücken 4x6 @ 60 / Rudern 3x10 @ 47,5
- Do 12.02.: Kreuzheben 3x5 @ 105 / Schulter 4x8 @ 35 / Klimmzug 7-6-5

## KW 08
- Mo 16.02.: Kniebeuge 4x6 @ 85 / Bankdrücken 4x6 @ 60 (letzter Satz nur 5) / Rudern 3x10 @ 50
- Fr 20.02.: Kreuzheben 3x5 @ 107,5 / Schulter ausgelassen, zwickt links / Klimmzug 7-7-5

## KW 09
- Di 24.02.: Kniebeuge 4x6 @ 87,5 / Bankdrücken 4x6 @ 62,5 / Rudern 3x10 @ 50
- Sa 28.02.: Kreuzheben 3x5 @ 112,5 / Schulter 3x8 @ 30 / Klimmzug 8-7-6

Gewicht: 08.02. 78,9 kg - 15.02. 78,4 kg - 22.02. 78,6 kg - 01.03. 78,1 kg
Ziel bis Ostern: Kniebeuge 95, Kreuzheben 120
"""
HONIG = (
    ("B-0611", "2026-02-19", "Voss", "Sommerblüte 500g", 3, "7,90", "23,70", "bezahlt", "abgeholt"),
    ("B-0612", "2026-02-20", "Kita Mühlbach", "Sommerblüte 250g", 24, "4,60", "110,40", "offen", "geliefert"),
    ("B-0613", "2026-02-21", "Reimers", "Waldhonig 500g", 2, "9,40", "18,80", "bezahlt", "abgeholt"),
    ("B-0614", "2026-02-23", "Café Rosa", "Waldhonig 500g", 12, "9,40", "112,80", "offen", "bereit"),
    ("B-0615", "2026-02-24", "Voss", "Kerze klein", 4, "3,50", "14,00", "bezahlt", "bereit"),
    ("B-0616", "2026-02-26", "Lenz", "Sommerblüte 500g", 6, "7,90", "47,40", "offen", "bereit"),
    ("B-0617", "2026-02-27", "Hofladen Eck", "Rapshonig 500g", 30, "6,20", "186,00", "offen", "neu"),
    ("B-0618", "2026-03-01", "Reimers", "Kerze klein", 1, "3,50", "3,50", "offen", "neu"),
)
HONIG_HEAD = ("nr", "datum", "kunde", "artikel", "menge", "einzel", "summe", "zahlung", "stand")
MAIL = """Von: Annika Feld <a.feld@sv-auental.example>
An: Trainerinnen und Trainer
Datum: Sa, 28.02.2026 21:47
Betreff: Hallensperrung + Fahrt zum Pokal

Hallo zusammen,

kurz das Wichtigste aus der Sitzung gestern:

1) Die Halle West ist vom 23.03. bis einschließlich 10.04. gesperrt (Boden). Wir bekommen
   dafür die Schulhalle, aber nur Mo und Mi 17:30-19:00. Die U9 und U11 teilen sich.
2) Pokal in Rellinghof am 18.04.: Bus fährt 7:10 ab Parkplatz Freibad, zurück ca. 17 Uhr.
   Kosten 12 Euro je Kind, Geschwister 8. Bitte bis 15.03. die Namen an mich.
3) Trikotsatz: Es fehlen seit dem letzten Spiel die Nummern 4 und 11. Wer hat die?
4) Das Führungszeugnis haben erst sechs von neun abgegeben. Ohne geht es ab 1. April nicht mehr.

Über Punkt 1 brauchen wir nicht mehr zu diskutieren, das hat die Gemeinde so entschieden.

Sportliche Grüße
Annika
"""
KASSE = """2025-11-30 Anfangsbestand                         1.874,20
2025-12-04 Standmiete Adventsmarkt                 -85,00
2025-12-07 Erlös Adventsmarkt                      612,50
2025-12-15 Noten "Kleine Messe", 32 Stück         -278,40
2026-01-12 Beiträge 1. Halbjahr, 29 Mitglieder   1.044,00
2026-01-20 Chorleitung Januar                     -320,00
2026-02-05 Kopien                                  -18,90
2026-02-18 Klavierstimmer                         -110,00
2026-02-20 Chorleitung Februar                    -320,00
2026-02-27 Spende R. Thoms                          50,00
"""

SCENES = (
    Scene(
        "later-mixed-wetter-tour-de",
        "de",
        "web page",
        "Können wir Samstag wandern? https://wetter.example/auental",
        [
            web_fetch(
                "https://wetter.example/auental",
                "Vorhersage für die nächsten Tage mit Temperaturen, Regen und Wind",
                """## Auental, 412 m - Vorhersage (Stand 02.03.2026, 06:00)

| Tag | Min | Max | Regen mm | Regenrisiko | Wind km/h | Sonne h |
|---|---|---|---|---|---|---|
| Mo 02.03. | 1 | 8 | 0,4 | 35 % | 18 | 3,5 |
| Di 03.03. | 0 | 9 | 0,0 | 10 % | 12 | 6,0 |
| Mi 04.03. | 2 | 11 | 0,0 | 5 % | 10 | 7,5 |
| Do 05.03. | 3 | 12 | 1,8 | 55 % | 22 | 2,0 |
| Fr 06.03. | 4 | 9 | 7,2 | 90 % | 41 | 0,5 |
| Sa 07.03. | 2 | 7 | 3,1 | 70 % | 34 | 1,0 |
| So 08.03. | -1 | 10 | 0,0 | 15 % | 14 | 6,5 |

Warnlage: Für Freitag sind oberhalb von 800 m Sturmböen bis 75 km/h möglich.""",
            )
        ],
        """Samstag eher nicht: {{num|70 % Regenrisiko|77 % Regenrisiko}}, 3,1 mm, Wind um {{num|34 km/h|43 km/h}} und \
höchstens 7 °C. **Sonntag** ist deutlich besser – trocken, bis 10 °C und {{num|6,5 Stunden|9,5 Stunden}} Sonne. \
Morgens \
allerdings noch Frost.""",
    ),
    Scene(
        "later-mixed-kraft-ostern-de",
        "de",
        "notes file",
        "Komm ich bis Ostern auf mein Ziel?",
        [read("/home/b/vault/Sport/Kraft.md", TRAINING)],
        """**Kniebeuge: ja, wenn es so weitergeht. Kreuzheben: ebenfalls.**

- Kniebeuge steht bei {{num|87,5 kg|78,5 kg}}, Ziel 95. Du steigerst seit drei Wochen um 2,5 kg pro Woche, bräuchtest \
also noch {{num|drei Wochen|dreizehn Wochen}}.
- Kreuzheben steht bei {{num|112,5 kg|121,5 kg}}, es fehlen 7,5 kg. Der letzte Sprung waren gleich 5 kg.

Ostersonntag ist der {{date|5. April|12. April}}, das sind noch knapp fünf Wochen. Ich würde eher auf die Schulter \
achten: am 20.2. steht da {{quo|„zwickt links“|„zwickt kaum noch“}}, und letzte Woche bist du nur noch mit 30 statt \
35 kg eingestiegen.""",
    ),
    Scene(
        "later-mixed-honig-offen-de",
        "de",
        "aligned columns",
        "wer muss noch zahlen?",
        [bash("~/honig/bestellungen --seit 2026-02-16", aligned(HONIG_HEAD, HONIG))],
        """{{cnt|Fünf Bestellungen|Dreizehn Bestellungen}} sind offen, zusammen **{{amt|460,10 €|406,10 €}}**:

- Kita Mühlbach – 110,40 €, schon geliefert [#bestellung-OPEN:B-0612]
- Café Rosa – {{amt|112,80 €|118,20 €}}, steht zur Abholung bereit [#bestellung-OPEN:B-0614]
- Lenz – 47,40 €, bereit [#bestellung-OPEN:B-0616]
- Hofladen Eck – {{cnt|30 Gläser|35 Gläser}} Raps für 186,00 €, noch nicht gepackt [#bestellung-OPEN:B-0617]
- Reimers – 3,50 €, neu [#bestellung-OPEN:B-0618]

Erinnern würde ich nur die Kita, die hat seit dem {{date|20. Februar|22. Februar}} bestellt und die Ware schon.""",
    ),
    Scene(
        "later-mixed-vereinsmail-de",
        "de",
        "mail",
        "was schreibt annika, kurz bitte",
        [mcp("mail__lesen", {"ordner": "INBOX", "von": "a.feld", "neueste": 1}, MAIL)],
        """- **Halle West gesperrt** vom 23.3. bis {{date|10.4.|17.4.}}; Ersatz ist die Schulhalle, Mo und Mi \
{{time|17:30–19:00|16:45–18:15}}, U9 und U11 gemeinsam
- **Pokal Rellinghof** am 18.4.: Bus um {{time|7:10 Uhr|7:40 Uhr}} am Freibad, {{amt|12 €|26 €}} pro Kind (Geschwister \
8 €). Namen bis 15.3. an sie – also noch knapp zwei Wochen
- **Trikots** 4 und 11 fehlen
- **Führungszeugnis**: {{cnt|drei|fünf}} von neun fehlen noch, ab 1.4. geht es nicht mehr ohne

Zur Sperrung schreibt sie, das habe {{quo|„die Gemeinde so entschieden“|„der Landkreis so angeordnet“}}, Widerspruch \
also zwecklos.""",
    ),
    Scene(
        "later-mixed-chorkasse-de",
        "de",
        "text file, subagent",
        "Kassenstand und was hat der Adventsmarkt gebracht?",
        [
            earlier(task("Finde die Kasse des Chors im Vault", "Die Kasse steht in `Chor/kasse.txt` (10 Zeilen).")),
            grep("Adventsmarkt", "Chor/kasse.txt:2:2025-12-04 Standmiete", "Chor/kasse.txt:3:2025-12-07 Erlös"),
            read("/home/u/vault/Chor/kasse.txt", KASSE),
        ],
        """In der Kasse sind **{{amt|2.448,40 €|2.484,40 €}}** (Stand {{date|27.02.|17.02.}}). Der Adventsmarkt \
hat nach \
Abzug der Standmiete {{amt|527,50 €|517,50 €}} gebracht.""",
    ),
)
