"""German: what is said beside the data: rules, steps, headings, corrections. Few plants, many traps."""

from __future__ import annotations

from tests.evidence.results import bash, glob, grep, mcp, task, web_fetch, web_search
from tests.evidence.scene import Scene
from tests.evidence.tables import records

SCENES = (
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
