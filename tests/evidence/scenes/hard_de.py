"""German: what is true but looks otherwise than in the result, and what is said beside it. Few plants, many traps."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, glob, grep, mcp, read, task, web_fetch, web_search
from tests.evidence.scene import Scene
from tests.evidence.tables import csv, psql, records

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
    Scene(
        "tabelle-ohne-kopf-de",
        "de",
        "bash cat",
        "Was steht in kontakte.txt?",
        [
            bash(
                "cat kontakte.txt",
                "Brandl, Josef      +49 8161 55 20 14   j.brandl@kranich.example\n"
                "Lang, Theo         +49 8161 55 20 31   t.lang@kranich.example\n"
                "Empfang            +49 8161 55 20 0\n",
            )
        ],
        """Drei Kontakte der Kranich AG:

| Name | Telefon |
| --- | --- |
| Josef Brandl | {{id|+49 8161 55 20 14|+49 8161 55 20 41}} |
| Theo Lang | +49 (0)8161 552031 |
| Empfang | 08161 / 55 20-0 |

Lang erreichen Sie auch unter t.lang@kranich.example.""",
    ),
    Scene(
        "ueberschriften-nummern-de",
        "de",
        "task",
        "Fass den Bericht zusammen.",
        [
            task(
                "Lies den Bericht zum Serverraum und fasse ihn zusammen.",
                "Temperatur im Mittel 24,8 °C, Spitze 31,2 °C am 14.02.2026 um 15:40. "
                "USV: Laufzeit 11 min, Akku von 2019.\n"
                "Empfehlung: Klimagerät 5 kW, ca. 3.900 EUR.",
            )
        ],
        """# Bericht Serverraum

## 1 Temperatur
Im Mittel {{num|24,8 °C|28,4 °C}}, am 14. Februar nachmittags ({{time|15:40|14:50}}) sogar über 31 °C.

## 2 USV
Sie hält nur {{num|11 Minuten|17 Minuten}}; der Akku ist sieben Jahre alt.

## 3 Empfehlung
Ein Klimagerät mit 5 kW für etwa {{amt|3.900 €|9.300 €}}.

### 3.1 Nächste Schritte
1. Angebot einholen
2. Akku tauschen""",
    ),
    Scene(
        "korrektur-der-frage-de",
        "de",
        "mcp json",
        "Die Verhandlung ist doch am 22.04. um 10 Uhr, oder?",
        [
            mcp(
                "kalender__suche",
                {"text": "Verhandlung"},
                [{"titel": "Verhandlung 4a O 17/25", "beginn": "2026-04-23T09:45:00+02:00", "ort": "Saal 2.105"}],
            )
        ],
        """Nicht am 22.04. um 10 Uhr, sondern einen Tag später: am **{{date|23.04.2026|24.04.2026}} um \
{{time|9:45 Uhr|9:15 Uhr}}** in Saal 2.105.""",
    ),
    Scene(
        "suche-leer-de",
        "de",
        "grep",
        "Kommt 'Sicherheitsleistung' in der Akte vor?",
        [
            grep("Sicherheitsleistung"),
            glob("akten/2026-002/*.md", "akten/2026-002/klage.md", "akten/2026-002/replik.md"),
        ],
        """Nein, das Wort „Sicherheitsleistung“ kommt in keiner der {{cnt|zwei Dateien|fünf Dateien}} der Akte vor. \
Die \
Vorschriften dazu stehen in §§ 108 ff., 709 ZPO.""",
    ),
    Scene(
        "zeitzone-de",
        "de",
        "mcp json",
        "Wann war das Deployment?",
        [mcp("deploy__letztes", {}, {"id": "d-9a3f", "fertig": "2026-02-27T22:40:00Z", "dauer_s": 5400})],
        """Das Deployment d-9a3f war am 27. Februar um 22:40 UTC fertig, nach hiesiger Zeit um 23:40 Uhr. Es dauerte \
{{num|90 Minuten|70 Minuten}}, also anderthalb Stunden.""",
    ),
    Scene(
        "roemisch-und-klammern-de",
        "de",
        "grep",
        "Welche Klauseln betreffen die Haftung?",
        [
            grep(
                "Haftung",
                "vertrag.md:58:§ 9 (2) Die Haftung ist auf 50.000 EUR je Schadensfall begrenzt.",
                "vertrag.md:61:§ 9 (4) Die Haftung für Vorsatz bleibt unberührt.",
            )
        ],
        """Zwei Klauseln, beide in § 9:

- Abs. 2: Begrenzung auf {{amt|50.000 €|75.000 €}} je Schadensfall ({{line|vertrag.md:58|vertrag.md:85}})
- Abs. 4: «{{quo|Die Haftung für Vorsatz bleibt unberührt.|Die Haftung für Fahrlässigkeit ist ausgeschlossen.}}»

Das entspricht § 276 Abs. 3 BGB und ist auch in AGB zulässig (§ 309 Nr. 7 BGB).""",
    ),
    Scene(
        "webseite-termine-de",
        "de",
        "web fetch",
        "Wann ist die nächste Eignungsprüfung?",
        [
            web_fetch(
                "https://epa.example/eqe",
                "Termine der EQE",
                "EQE 2026: Paper F 9 March 2026, 09:30-13:00 CET; M1 and M2 on "
                "11 March; pass mark 50 out of 100; results by 3 July 2026.",
            )
        ],
        """Los geht es am **{{date|9. März 2026|10. März 2026}}** mit Paper F, von {{time|9:30|9:00}} bis 13 Uhr. M1 \
und M2 \
folgen zwei Tage später. Bestanden hat, wer mindestens {{num|50 Punkte|45 Punkte}} erreicht. Die Ergebnisse kommen \
spätestens am {{date|3. Juli|10. Juli}}.""",
    ),
    Scene(
        "mehrere-quellen-de",
        "de",
        "several calls",
        "Passen Rechnung und Zahlung von Seidel zusammen?",
        [
            mcp(
                "buch__rechnung", {"kunde": "Seidel"}, {"nummer": "RE-26-0090", "betrag": 1487.5, "datum": "2026-01-05"}
            ),
            mcp(
                "bank__umsaetze",
                {"name": "Seidel"},
                {
                    "rows": records(
                        ("tag", "betrag", "zweck"),
                        (("2026-01-19", 1000, "RE-26-0090 Teil 1"), ("2026-02-02", 400, "RE 0090 Rest")),
                    )
                },
            ),
            grep("Seidel", "mahnungen.md:3:Seidel: noch nicht gemahnt"),
        ],
        """Nein, es fehlen {{amt|87,50 €|78,50 €}}.

| | |
|---|---|
| Rechnung {{id|RE-26-0090|RE-26-0099}} vom {{date|5.1.2026|8.1.2026}} | {{amt|1.487,50 €|1.478,50 €}} |
| Zahlung vom 19.01. | \u22121.000 € |
| Zahlung vom {{date|02.02.|12.02.}} | \u2212400 € |

Gemahnt wurde noch nicht (`mahnungen.md:3`). Soll ich eine Zahlungserinnerung schreiben?""",
    ),
    Scene(
        "websuche-mehrere-de",
        "de",
        "web search",
        "Welche Gerichte haben zuletzt zu Art. 69 EPÜ entschieden?",
        [
            web_search(
                "Urteil Art. 69 EPÜ Auslegung 2025",
                [
                    ("BGH, Urteil vom 14. Oktober 2025 – X ZR 88/23", "https://recht.example/bgh-x-zr-88-23"),
                    ("UPC Court of Appeal: claim interpretation", "https://upc.example/coa"),
                ],
                "Der BGH hat in X ZR 88/23 die Beschreibung herangezogen; "
                "das UPC-Berufungsgericht ebenso (UPC_CoA_335/2023).",
            )
        ],
        """Zwei Treffer sind einschlägig:

1. [{{name|BGH, Urteil vom 14. Oktober 2025 – X ZR 88/23|BGH, Urteil vom 21. Oktober 2025 – X ZR 83/23}}]\
(https://recht.example/bgh-x-zr-88-23)
2. UPC-Berufungsgericht, {{file|UPC_CoA_335/2023|UPC_CoA_353/2023}}

Beide ziehen die Beschreibung heran, wie es das Protokoll zu Art. 69 EPÜ verlangt.""",
    ),
)
