"""German: a patent practice; its book of deadlines, its calendar, its files."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, grep, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import csv, psql, records

BUCH_HEAD = ("id", "az", "mandant", "art", "vorfrist", "frist", "ra", "stand", "gebucht_am")
BUCH = [
    line.split("|")
    for line in """\
FR-7701|P1184EP|Lohr Antriebe GmbH|Erwiderung Art. 94(3)|2026-02-20|2026-03-03|hk|offen|2025-10-27
FR-7704|P1190DE|Lohr Antriebe GmbH|Prüfungsbescheid|2026-02-25|2026-03-04|hk|verlängert|2025-11-04
FR-7709|P0871EP|Nordquell AG|Jahresgebühr 7|2026-02-27|2026-03-31|sb|offen|2026-01-05
FR-7713|M0420EM|Teehaus Orla|Widerspruch|2026-02-27|2026-03-05|sb|offen|2025-12-08
FR-7715|P1201WO|Optik Brandis KG|Nationale Phase 30 M|2026-02-06|2026-03-06|hk|offen|2025-09-08
FR-7716|P1201WO|Optik Brandis KG|Nationale Phase 31 M|2026-03-06|2026-04-07|hk|offen|2025-09-08
FR-7722|G0067DE|Lohr Antriebe GmbH|Verlängerung GM|2026-03-02|2026-03-31|tm|offen|2026-01-12
FR-7725|P1177US|Nordquell AG|Office Action|2026-02-16|2026-03-09|hk|offen|2025-12-10
FR-7730|P0999DE|Weidner Söhne|Beschwerde|2026-02-25|2026-03-04|tm|erledigt|2026-02-05
FR-7731|P1166EP|Weidner Söhne|Regel 71(3)|2026-02-28|2026-03-13|tm|offen|2025-11-14
FR-7736|M0433DE|Teehaus Orla|Beanstandung|2026-02-26|2026-03-05|sb|erledigt|2026-02-06
FR-7740|P1210DE|Optik Brandis KG|Prioritätsfrist|2026-03-20|2026-04-20|hk|offen|2025-04-22""".splitlines()
]
JAHR_HEAD = ("akte", "land", "jahr", "faellig", "amtsgebuehr", "honorar", "zahler", "auftrag")
JAHR = (
    ("P0644DE", "DE", 12, "31.03.2026", "620,00", "145,00", "Kanzlei", "ja"),
    ("P0702DE", "DE", 9, "31.03.2026", "290,00", "145,00", "Kanzlei", "ja"),
    ("P0715DE", "DE", 8, "31.03.2026", "240,00", "145,00", "Dienstleister", "ja"),
    ("P0718EP", "EP", 6, "31.03.2026", "1.155,00", "180,00", "Kanzlei", "nein"),
    ("P0720EP", "EP", 5, "31.03.2026", "925,00", "180,00", "Kanzlei", "ja"),
    ("P0733DE", "DE", 5, "30.04.2026", "100,00", "145,00", "Kanzlei", "fehlt"),
    ("P0739EP", "EP", 4, "30.04.2026", "690,00", "180,00", "Kanzlei", "fehlt"),
    ("P0741DE", "DE", 3, "30.04.2026", "70,00", "145,00", "Dienstleister", "ja"),
)
TERMINE = {
    "kalender": "sitzungen@kanzlei.example",
    "zeitzone": "Europe/Berlin",
    "termine": [
        {
            "uid": "ev-30117",
            "titel": "Mündliche Verhandlung T 0412/24",
            "beginn": "2026-03-11T09:00:00+01:00",
            "ende": "2026-03-11T17:00:00+01:00",
            "ort": "Haar, Saal 2.11",
            "teilnehmer": ["H. Kerner", "S. Bartl"],
            "erinnerung_min": [1440, 60],
        },
        {
            "uid": "ev-30121",
            "titel": "Telko Nordquell / US-Anwälte",
            "beginn": "2026-03-11T16:30:00+01:00",
            "ende": "2026-03-11T17:15:00+01:00",
            "ort": "Teams",
            "teilnehmer": ["H. Kerner"],
            "erinnerung_min": [15],
        },
        {
            "uid": "ev-30125",
            "titel": "Erfindergespräch Lohr (Getriebe)",
            "beginn": "2026-03-12T10:30:00+01:00",
            "ende": "2026-03-12T12:00:00+01:00",
            "ort": "Werk Lohr, Bau 4",
            "teilnehmer": ["H. Kerner", "T. Mahler"],
            "erinnerung_min": [60],
        },
        {
            "uid": "ev-30130",
            "titel": "Anhörung DPMA 10 2019 004 417.3",
            "beginn": "2026-03-13T13:15:00+01:00",
            "ende": "2026-03-13T15:00:00+01:00",
            "ort": "München, Zweibrückenstraße",
            "teilnehmer": ["T. Mahler"],
            "erinnerung_min": [1440],
        },
    ],
    "next_sync_token": "CLi4pQ93",
}
VERMERK = """# Vermerk Akte P1166EP

Mandant: Weidner Söhne Maschinenbau
Vertreter: T. Mahler
Anmeldenummer: 21 704 338.6
Anmeldetag: 29.01.2021, Priorität DE vom 31.01.2020

## Stand

- 03.11.2025: Mitteilung nach Regel 71(3) EPÜ, Zustellung elektronisch
- 13.11.2025: an Mandant weitergeleitet, mit Kostenvoranschlag 2.870 EUR
- 15.12.2025: Mandant fragt nach UPC und Einheitspatent
- 08.01.2026: Telefonat mit Frau Weidner: Einheitspatent ja, dazu Validierung in ES, GB und CH
- 27.01.2026: Übersetzung der Ansprüche (EN, FR) bestellt, Angebot 1.140 EUR, Lieferung bis 06.03.2026

## Offen

1. Druckexemplar prüfen: Seite 7 „Wellendichtring“ statt „Wellendichtung“
2. Erteilungsgebühr zahlen
3. Antrag auf einheitliche Wirkung vorbereiten (ein Monat nach Hinweis auf Erteilung)
4. Vollmacht für GB liegt noch nicht vor"""

SCENES = (
    Scene(
        "later-kanzlei-fristen-woche-de",
        "de",
        "psql table",
        "was muss diese woche raus",
        [bash('psql kanzlei -c "select * from fristenbuch order by id"', psql(BUCH_HEAD, BUCH))],
        """Diese Woche laufen **{{cnt|drei offene Fristen|dreizehn offene Fristen}}** ab:

- **Di, 3.3.** – P1184EP (Lohr), Erwiderung Art. 94(3), hk [#frist-OPEN:FR-7701]
- **{{date|Do, 5.3.|Do, 19.3.}}** – M0420EM (Teehaus Orla), Widerspruch, sb [#frist-OPEN:FR-7713]
- **Fr, 6.3.** – {{id|P1201WO|P1210WO}} (Optik Brandis), nationale Phase 30 Monate, hk [#frist-OPEN:FR-7715]

P1190DE wäre am Mittwoch fällig, ist aber als verlängert eingetragen; ein neues Datum steht nicht im Buch. Schon \
erledigt sind FR-7730 und {{id|FR-7736|FR-7763}}.

Am dringendsten ist P1184EP: Die Vorfrist war am {{date|20.02.|12.02.}}, die Frist ist morgen.""",
    ),
    Scene(
        "later-kanzlei-fristen-hk-de",
        "de",
        "psql table",
        "Wie viele offene hat Kerner, und welche ist die letzte?",
        [bash('psql kanzlei -c "select * from fristenbuch"', psql(BUCH_HEAD, BUCH))],
        """Herr Kerner (hk) hat {{cnt|fünf|elf}} offene Fristen, dazu eine verlängerte (P1190DE). Die späteste ist \
die Prioritätsfrist in P1210DE am {{date|20. April 2026|24. April 2026}} – bis dahin sind es noch {{num|7 \
Wochen|6,5 Wochen}}.""",
    ),
    Scene(
        "later-kanzlei-fristen-optik-de",
        "de",
        "mcp json rows",
        "Optik Brandis: was steht an?",
        [
            mcp(
                "docket__fristen",
                {"mandant": "Optik Brandis KG"},
                {"treffer": 3, "fristen": records(BUCH_HEAD, [BUCH[4], BUCH[5], BUCH[11]])},
            )
        ],
        """| Akte | Was | Vorfrist | Frist |
|---|---|---|---|
| P1201WO | Nationale Phase (30 Monate) | {{date|06.02.2026|26.02.2026}} | **06.03.2026** |
| P1201WO | Nationale Phase (31 Monate, z. B. EP) | 06.03.2026 | {{date|07.04.2026|17.04.2026}} |
| P1210DE | Prioritätsfrist | 20.03.2026 | 20.04.2026 |

Die 30-Monats-Frist läuft in {{num|4 Tagen|9 Tagen}} ab und ist noch offen. Rechnerisch endet die 31-Monats-Frist \
am 06.04., das ist Ostermontag – deshalb der Tag danach.""",
    ),
    Scene(
        "later-kanzlei-jahresgebuehren-maerz-de",
        "de",
        "csv",
        "was zahlen wir ende märz an jahresgebühren selbst ein?",
        [bash("cat /srv/kanzlei/jahresgebuehren_q1.csv", csv(JAHR_HEAD, JAHR, ";"))],
        """Zum 31.03.2026 zahlt die Kanzlei in {{cnt|drei Akten|siebzehn Akten}} mit Auftrag ein:

- P0644DE, 12. Jahr: 620,00 €
- P0702DE, {{num|9. Jahr|19. Jahr}}: {{amt|290,00 €|920,00 €}}
- P0720EP, 5. Jahr: 925,00 €

**Amtsgebühren zusammen: {{amt|1.835,00 €|1.385,00 €}}**, dazu 470,00 € Honorar.

Nicht dabei: P0715DE (zahlt der Dienstleister) und P0718EP – dort steht beim Auftrag „nein“, der Mandant lässt also \
offenbar fallen. Ich würde mir das vor dem 31. noch einmal schriftlich bestätigen lassen, es geht um {{amt|1.155,00 \
€|1.515,00 €}}.""",
    ),
    Scene(
        "later-kanzlei-jahresgebuehren-fehlt-de",
        "de",
        "csv",
        "Wo fehlt noch der Auftrag?",
        [bash("cat /srv/kanzlei/jahresgebuehren_q1.csv", csv(JAHR_HEAD, JAHR, ";"))],
        """In {{cnt|zwei|dreizehn}} Akten, beide fällig am {{date|30.04.2026|13.04.2026}}: P0733DE (5. Jahr, 100 €) \
und {{id|P0739EP|P0793EP}} (4. Jahr, {{amt|690 €|960 €}}). Mit Honorar wären das {{amt|1.115 €|1.511 €}}.""",
    ),
    Scene(
        "later-kanzlei-termine-kollision-de",
        "de",
        "mcp json indented",
        "Passt das nächste Woche alles zusammen bei Kerner?",
        [mcp("calendar__list_events", {"von": "2026-03-09", "bis": "2026-03-15"}, TERMINE, indent=2)],
        """Nicht ganz – am **Mittwoch, {{date|11.03.|18.03.}}**, überschneidet sich etwas:

- 9:00–17:00 Uhr: mündliche Verhandlung {{file|T 0412/24|T 0421/24}} in Haar
- {{time|16:30|15:40}}–17:15 Uhr: Telko Nordquell mit den US-Anwälten

Das sind {{num|30 Minuten|50 Minuten}} Überlappung, und aus dem Saal kommt man um 17 Uhr auch nicht in eine Telko. \
Donnerstag bei Lohr (10:30–{{time|12:00 Uhr|13:45 Uhr}}) ist unproblematisch.

Am Donnerstagnachmittag und am Freitag steht bei ihm im Kalender nichts. Soll ich die Telko auf Donnerstag, 16:30 \
Uhr, schieben?""",
    ),
    Scene(
        "later-kanzlei-termin-anhoerung-de",
        "de",
        "mcp json",
        "wann muss mahler am freitag los",
        [earlier(mcp("calendar__list_events", {"von": "2026-03-09", "bis": "2026-03-15"}, TERMINE))],
        """Die Anhörung zu {{file|10 2019 004 417.3|10 2019 004 471.3}} beginnt am 13.03. um {{time|13:15 Uhr|13:50 \
Uhr}} in der Zweibrückenstraße. Woher er kommt, steht nicht im Termin; angesetzt ist sie bis 15 Uhr, also {{num|1 ¾ \
Stunden|3 ½ Stunden}}.""",
    ),
    Scene(
        "later-kanzlei-vermerk-weidner-de",
        "de",
        "markdown note",
        "Was fehlt bei P1166EP noch bis zur Erteilung? Frist ist am 13.3.",
        [read("/srv/akten/P1166EP/vermerk.md", VERMERK)],
        """Bis zum 13.03. (noch {{num|11 Tage|17 Tage}}) fehlt in P1166EP laut Vermerk:

1. **Druckexemplar** – auf {{num|Seite 7|Seite 17}} muss {{quo|„Wellendichtring“|„Wellendichtungsring“}} stehen
2. **Erteilungsgebühr** – noch nicht bezahlt
3. **Übersetzung der Ansprüche** – am 27.01. bestellt für {{amt|1.140 EUR|1.410 EUR}}, kommt bis \
{{date|06.03.2026|09.03.2026}}

Erst danach wichtig: der Antrag auf einheitliche Wirkung und die Vollmacht für Großbritannien. Wenn die Übersetzung \
pünktlich kommt, bleibt nach der Lieferung noch eine Woche.""",
    ),
    Scene(
        "later-kanzlei-wellendichtring-stellen-de",
        "de",
        "grep content",
        "wo steht der falsche Begriff noch?",
        [
            grep(
                "Wellendichtung",
                "/srv/akten/P1166EP/druckexemplar.txt:212:durch eine Wellendichtung (18) gegen das Gehäuse",
                "/srv/akten/P1166EP/druckexemplar.txt:219:Die Wellendichtung kann als Lippendichtung ausgeführt sein.",
                "/srv/akten/P1166EP/druckexemplar.txt:347:eine zweite Wellendichtung (28) auf der Abtriebsseite",
                "/srv/akten/P1166EP/ansprueche_en.txt:41:Wellendichtung -> shaft sealing ring (Glossar)",
                "/srv/akten/P1166EP/vermerk.md:18:1. Seite 7 „Wellendichtring“ statt „Wellendichtung“",
            )
        ],
        """Im Druckexemplar an {{cnt|drei Stellen|acht Stellen}}:

- `{{line|druckexemplar.txt:212|druckexemplar.txt:221}}` – Bezugszeichen 18
- `druckexemplar.txt:219` – derselbe, {{quo|„kann als Lippendichtung ausgeführt sein“|„kann als Labyrinthdichtung \
ausgeführt sein“}}
- `{{line|druckexemplar.txt:347|druckexemplar.txt:374}}` – Bezugszeichen {{num|28|38}}, Abtriebsseite

Die Treffer in `ansprueche_en.txt` (Glossar) und `vermerk.md` sind nur Notizen. Der Vermerk nennt nur Seite 7, die \
dritte Stelle liegt aber deutlich weiter hinten.""",
    ),
)
