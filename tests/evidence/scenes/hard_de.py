"""German: what is true but looks otherwise than in the result. Few plants, many traps."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, grep, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import csv, psql

BESCHEID = """Deutsches Patent- und Markenamt
Aktenzeichen: 10 2023 118 402.6
München, den 09. Februar 2026

Prüfungsbescheid

Zu Anspruch 1: Der Gegenstand ist gegenüber D1 (DE 10 2015 002 118 A1) nicht neu.
Zu Anspruch 5: "gewährbar, sofern die Lagerschale (14)
ausdrücklich als geteilt bezeichnet wird".
Frist zur Äußerung: vier Monate nach Zustellung. Zustellung: 12.02.2026.
Es wird auf § 3 PatG hingewiesen."""
ZEITEN = (
    ("2026-02-23", "Vogt", "12 O 999/24", "2:15", "Entwurf Berufungsbegründung"),
    ("2026-02-24", "Vogt", "12 O 999/24", "3:30", "Entwurf Berufungsbegründung"),
    ("2026-02-24", "Lindner", "X ZR 45/21", "0:45", "Telefonat Mandant"),
    ("2026-02-26", "Vogt", "12 O 999/24", "1:20", "Überarbeitung"),
    ("2026-02-27", "Lindner", "12 O 999/24", "0:25", "Durchsicht"),
)

SCENES = (
    Scene(
        "bescheid-notation-de",
        "de",
        "read file",
        "Was sagt der Bescheid?",
        [read("/home/ada/akten/2023-118/bescheid.txt", BESCHEID)],
        """**Prüfungsbescheid des DPMA vom {{date|9.2.2026|2.9.2026}}** zur Anmeldung DE {{file|10 2023 118 402.6|10 \
2023 \
181 402.6}}

- Anspruch 1: nicht neu gegenüber D1 ({{file|DE 10 2015 002 118|DE 10 2015 002 181}})
- Anspruch 5: „{{quo|gewährbar, sofern die Lagerschale (14) ausdrücklich als geteilt bezeichnet wird|gewährbar, sofern \
Merkmal 5.3 in den Anspruch 1 aufgenommen wird}}“

Zugestellt wurde er am {{date|12. Feb. 2026|16. Feb. 2026}}; die Viermonatsfrist endet damit am 12. Juni 2026.""",
    ),
    Scene(
        "bescheid-auslassung-de",
        "de",
        "read file",
        "Kürzer, als Zitat mit Auslassung.",
        [earlier(read("/home/ada/akten/2023-118/bescheid.txt", BESCHEID))],
        """Zu Anspruch 5 heißt es: „gewährbar, sofern die Lagerschale […] als geteilt bezeichnet wird“. Zu Anspruch 1 \
verweist das Amt auf § 3 PatG.""",
    ),
    Scene(
        "zeiten-dauer-de",
        "de",
        "csv",
        "Wie viel Zeit ging in die Berufung?",
        [bash("cat zeiten.csv", csv(("tag", "wer", "akte", "dauer", "was"), ZEITEN))],
        """Auf 12 O 999/24 entfallen vier der fünf Einträge: 2:15, 3:30, 1:20 und 0:25 h, zusammen **7 Stunden 30 \
Minuten**. \
Davon sind {{time|7:05|6:45}} h von Frau Dr. Vogt. Der erste Eintrag ist vom {{date|23. Februar|20. Februar}}, der \
letzte \
vom 27.""",
    ),
    Scene(
        "woche-relativ-de",
        "de",
        "psql table",
        "Was ist diese Woche noch?",
        [
            bash(
                "psql -f woche.sql",
                psql(
                    ("id", "titel", "ende"),
                    (("DL-811", "Replik", "2026-03-03"), ("DL-815", "Gebühr 9. Jahr", "2026-03-06")),
                ),
            )
        ],
        """Morgen (Dienstag, 3.3.) endet die Frist für die Replik, am Freitag, den {{date|6.3.|4.3.}}, die für die \
Gebühr des \
9. Jahres. Beides fällt in die Kalenderwoche 10. [#deadline-OPEN:DL-811] [#deadline-OPEN:DL-815]""",
    ),
    Scene(
        "betrag-notationen-de",
        "de",
        "mcp json",
        "Was kostet uns der Umzug?",
        [
            mcp(
                "buch__angebot",
                {"id": "AN-77"},
                {
                    "id": "AN-77",
                    "summe_netto": 12480,
                    "mwst": 2371.2,
                    "summe_brutto": 14851.2,
                    "gueltig_bis": "2026-04-15",
                    "stunden": 96,
                },
            )
        ],
        """Netto 12.480 €, mit Umsatzsteuer {{amt|14.851,20 €|14.815,20 €}}, also knapp 15.000 Euro oder rund 14,9 \
T€. Die \
Umsatzsteuer von 19 % macht {{amt|2.371,20 EUR|2.731,20 EUR}} aus. Je Stunde sind das 130 € netto bei \
{{num|96 Stunden|69 Stunden}}. Das Angebot gilt bis Mitte April (15.04.).""",
    ),
    Scene(
        "anleitung-nach-suche-de",
        "de",
        "grep",
        "Wie stelle ich die Erinnerung um?",
        [grep("reminder", "docs/handbuch.md:44:reminder_days: Tage vor Fristende, Vorgabe 7")],
        """Die Vorgabe sind {{num|7 Tage|10 Tage}} vor Fristende ({{line|docs/handbuch.md:44|docs/handbuch.md:144}}). \
So ändern \
Sie das:

1. Öffnen Sie „Einstellungen“ → „Erinnerungen“.
2. Tragen Sie den neuen Wert ein, z. B. `14`.
3. Klicken Sie auf „Übernehmen“.

Alternativ in der Datei:

```yaml
reminder_days: 14
```

Sinnvoll sind Werte zwischen 3 und 30.""",
    ),
    Scene(
        "vorschlag-mit-zahlen-de",
        "de",
        "read file",
        "Reicht die Sicherheit des Passworts?",
        [read("/srv/app/policy.json", '{"min_length": 10, "max_age_days": 180, "lockout_after": 6}')],
        """Die Richtlinie verlangt mindestens {{num|10 Zeichen|14 Zeichen}} und sperrt nach \
{{cnt|6 Versuchen|9 Versuchen}}. Empfehlen würde ich 12 bis 16 Zeichen; die Änderung alle {{num|180 Tage|120 Tage}} \
gilt \
heute als überholt (BSI, NIST SP 800-63B). Soll ich `min_length` auf 12 setzen?""",
    ),
    Scene(
        "gesetz-neben-daten-de",
        "de",
        "mcp json",
        "Verjährt die Forderung gegen Hofer bald?",
        [mcp("buch__forderung", {"id": "F-310"}, {"id": "F-310", "entstanden": "2023-07-18", "betrag": 9250.0})],
        """Die Forderung **F-310** über {{amt|9.250 EUR|9.520 EUR}} ist am {{date|18.07.2023|18.09.2023}} entstanden. \
Nach \
§§ 195, 199 Abs. 1 BGB verjährt sie drei Jahre nach dem Schluss des Jahres 2023, also mit Ablauf des 31.12.2026. Eine \
Klage hemmt die Verjährung (§ 204 Abs. 1 Nr. 1 BGB). Das MoPeG von 2024 ändert daran nichts.""",
    ),
    Scene(
        "zaehlen-in-worten-de",
        "de",
        "json lines",
        "Wie viele Anrufe gab es?",
        [
            bash(
                "cat anrufe.ndjson",
                "\n".join(
                    f'{{"zeit": "2026-02-2{day}T{hour}", "art": "{kind}"}}'
                    for day, hour, kind in (
                        (3, "09:04", "ein"),
                        (3, "11:50", "aus"),
                        (4, "08:31", "ein"),
                        (5, "16:15", "ein"),
                        (6, "10:22", "verpasst"),
                        (6, "10:25", "ein"),
                        (7, "14:40", "verpasst"),
                        (7, "15:01", "ein"),
                        (7, "17:58", "aus"),
                    )
                )
                + "\n",
            )
        ],
        """Insgesamt waren es neun Anrufe: fünf eingehende, zwei ausgehende und zwei verpasste. Der erste kam am 23. \
Februar um \
{{time|9:04 Uhr|8:56 Uhr}}, der letzte am 27. um {{time|17:58 Uhr|18:12 Uhr}}. Ein gutes Fünftel (22 %) wurde also \
verpasst.""",
    ),
)
