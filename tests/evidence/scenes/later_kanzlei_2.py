"""German: a patent practice; judgments, contracts, letters, bills of costs."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, mcp, read, task
from tests.evidence.scene import Scene

URTEIL = """# LG Mannheim, Urteil vom 14.11.2025 – 7 O 88/24

**Verkündet am:** 14. November 2025
**Streitwert:** 750.000,00 EUR

## Tenor

I. Die Beklagte wird verurteilt, es bei Meidung eines Ordnungsgeldes bis zu 250.000 EUR, ersatzweise Ordnungshaft bis
zu sechs Monaten, zu unterlassen, Ventilblöcke gemäß Anspruch 1 des Klagepatents anzubieten oder in Verkehr zu \
bringen.

II. Die Beklagte hat Auskunft zu erteilen über alle Handlungen seit dem 19. Juni 2021.

III. Die Widerklage wird abgewiesen.

IV. Von den Kosten des Rechtsstreits tragen die Klägerin 15 % und die Beklagte 85 %.

V. Das Urteil ist gegen Sicherheitsleistung in Höhe von 400.000 EUR vorläufig vollstreckbar.

## Tatbestand

1 Die Klägerin ist eingetragene Inhaberin des Klagepatents, dessen Erteilung am 19. Mai 2021 veröffentlicht wurde.

2 Sie bewirbt ihre Blöcke seit 2018 unter der Bezeichnung „Trivalo“.

3 Die Beklagte vertreibt die angegriffene Ausführungsform seit März 2023 und setzte davon 1.842 Stück ab.

## Entscheidungsgründe

17 Das Merkmal 1.4 verlangt nicht, dass die Rückholfeder unmittelbar am Schieber anliegt. Der Fachmann erkennt aus
Absatz [0023], dass es allein auf die Rückstellkraft ankommt.

18 Eine Aussetzung nach § 148 ZPO kommt nicht in Betracht; die Nichtigkeitsklage ist nicht mit überwiegender
Wahrscheinlichkeit erfolgreich.

21 Für die Zeit vor dem 19. Juni 2021 besteht kein Anspruch, weil der Beklagten eine Prüfungsfrist von einem Monat
zusteht."""
LIZENZ = """§ 5 Lizenzgebühr

(1) Die Lizenznehmerin zahlt eine einmalige Gebühr von 85.000 EUR, fällig 30 Tage nach Unterzeichnung.
(2) Sie zahlt ferner 2,75 % des Nettoverkaufserlöses, mindestens jedoch 40.000 EUR je Kalenderjahr.
(3) Abgerechnet wird halbjährlich, jeweils bis zum 31. Juli und 31. Januar.
(4) Bei Verzug gelten 9 Prozentpunkte über dem Basiszinssatz.

§ 6 Bücher

(1) Die Lizenzgeberin darf die Bücher einmal je Jahr mit einer Ankündigung von 15 Werktagen prüfen lassen.
(2) Weicht die Abrechnung um mehr als 4 % ab, trägt die Lizenznehmerin die Kosten der Prüfung.

§ 7 Laufzeit

(1) Der Vertrag beginnt am 1. Juli 2022 und endet am 30. Juni 2027.
(2) Er verlängert sich um jeweils zwei Jahre, wenn er nicht mit einer Frist von neun Monaten schriftlich gekündigt \
wird.
(3) Das Recht zur Kündigung aus wichtigem Grund bleibt unberührt. Ein wichtiger Grund ist insbesondere der Angriff
auf ein Vertragsschutzrecht.

§ 8 Gerichtsstand

Ausschließlicher Gerichtsstand ist Stuttgart."""
MAIL_JP = {
    "id": "msg-88412",
    "thread_id": "thr-5120",
    "from": "Aya Morita <a.morita@sakuragi-ip.example>",
    "to": ["frist@kanzlei.example"],
    "cc": ["t.mahler@kanzlei.example"],
    "date": "2026-02-26T03:12:44+00:00",
    "subject": "JP 2022-514873 / Your ref. P1088JP: Office Action (Reasons for Refusal)",
    "labels": ["EINGANG", "FRIST"],
    "body": "Dear colleagues,\n\nplease find attached the Office Action dispatched on February 17, 2026. The response"
    " is due by May 18, 2026 (extendible by two months for JPY 2,100 plus our fee of EUR 160).\n\nThe Examiner rejects"
    " claims 1 to 6 and 9 for lack of inventive step over D1 (JP 2015-201334 A) and D2 (WO 2017/118402 A1). Claims 7"
    " and 8 are considered allowable. Our estimate for a response is EUR 1,950, or EUR 780 if you"
    " send us the arguments ready to file.\n\nWe need your instructions by April 27, 2026.\n\nKind regards\nAya Morita",
    "attachments": [
        {"name": "OA_P1088JP.pdf", "size": 412870, "type": "application/pdf"},
        {"name": "OA_P1088JP_en.pdf", "size": 388104, "type": "application/pdf"},
        {"name": "D1_abstract_en.pdf", "size": 97412, "type": "application/pdf"},
    ],
}
KFA = """Landgericht Mannheim                                   7 O 88/24
Kostenausgleichung nach § 106 ZPO, Entwurf vom 23.02.2026

Gegenstandswert 750.000,00 EUR, Gebühr 1,0: 4.350,00 EUR

Klägerin
  Verfahrensgebühr 1,3                        5.655,00
  Terminsgebühr 1,2                           5.220,00
  Auslagenpauschale                              20,00
  Reisekosten 02.10.2025                        148,60
  Patentanwalt, Verfahrensgebühr 1,3          5.655,00
  Patentanwalt, Terminsgebühr 1,2             5.220,00
  Auslagenpauschale Patentanwalt                 20,00
  Gerichtskosten                             13.458,00
Beklagte
  Verfahrensgebühr 1,3                        5.655,00
  Terminsgebühr 1,2                           5.220,00
  Auslagenpauschale                              20,00
  Reisekosten                                   391,20

(ohne Umsatzsteuer, beide Seiten zum Vorsteuerabzug berechtigt)
"""

SCENES = (
    Scene(
        "later-kanzlei-urteil-tenor-de",
        "de",
        "judgment markdown",
        "Kurzfassung vom Mannheimer Urteil für den Mandanten (wir sind Klägerin)",
        [read("/srv/urteile/lg-mannheim-7-o-88-24.md", URTEIL)],
        """**LG Mannheim, {{file|7 O 88/24|7 O 98/24}}, Urteil vom {{date|14.11.2025|11.11.2025}}**

Wir haben weit überwiegend gewonnen:

- **Unterlassung**: Die Beklagte darf die Ventilblöcke nicht mehr anbieten oder in Verkehr bringen (Ordnungsgeld \
bis 250.000 EUR).
- **Auskunft** ab dem {{date|19. Juni 2021|9. Juni 2021}} – nicht schon ab der Veröffentlichung am 19. Mai, weil \
das Gericht einen Monat Prüfungsfrist zugesteht.
- **Widerklage** abgewiesen.
- **Kosten**: 15 % wir, {{num|85 %|58 %}} die Gegenseite.
- **Vollstreckung** gegen Sicherheit von {{amt|400.000 EUR|450.000 EUR}}.

Zur Größenordnung: Die Beklagte hat 1.842 Stück abgesetzt. Ausgesetzt wurde nicht; die Nichtigkeitsklage sei \
{{quo|„nicht mit überwiegender Wahrscheinlichkeit erfolgreich“|„offensichtlich ohne Aussicht auf Erfolg“}}.""",
    ),
    Scene(
        "later-kanzlei-urteil-merkmal-de",
        "de",
        "judgment markdown",
        "Was sagt die Kammer zu Merkmal 1.4, wörtlich?",
        [earlier(read("/srv/urteile/lg-mannheim-7-o-88-24.md", URTEIL))],
        """In Rn. {{num|17|71}}:

> {{quo|„Das Merkmal 1.4 verlangt nicht, dass die Rückholfeder unmittelbar am Schieber anliegt.“|„Das Merkmal 1.4 \
setzt voraus, dass die Feder den Schieber berührt.“}}

Begründet wird das mit Absatz {{id|[0023]|[0032]}}: Es komme {{quo|„allein auf die Rückstellkraft“|„vor allem auf \
die Federkonstante“}} an.""",
    ),
    Scene(
        "later-kanzlei-kostenausgleich-de",
        "de",
        "bash text",
        "rechne mal nach was wir von der gegenseite kriegen",
        [
            bash("cat /srv/akten/S0088/kfa_entwurf.txt", KFA),
            earlier(read("/srv/urteile/lg-mannheim-7-o-88-24.md", URTEIL)),
        ],
        """Nach dem Entwurf und der Quote aus dem Urteil (85 % Beklagte, 15 % Klägerin):

| | EUR |
|---|---:|
| Kosten Klägerin (inkl. Gerichtskosten 13.458,00) | {{amt|35.396,60|35.936,60}} |
| Kosten Beklagte | {{amt|11.286,20|11.826,20}} |
| **Gesamt** | **46.682,80** |
| davon 15 % trägt die Klägerin | 7.002,42 |

Erstattung also 35.396,60 − 7.002,42 = **{{amt|28.394,18 EUR|28.934,18 EUR}}**, ohne Umsatzsteuer.

Die Reisekosten der Gegenseite ({{amt|391,20 EUR|319,20 EUR}}) haben im Entwurf kein Datum; da lohnt sich eine \
Rückfrage.""",
    ),
    Scene(
        "later-kanzlei-lizenz-kuendigung-de",
        "de",
        "contract text",
        "bis wann müssten wir den Lizenzvertrag mit Ahrens kündigen?",
        [read("/srv/vertraege/ahrens_lizenz.txt", LIZENZ, start=88, total=161)],
        """**Spätestens am {{date|30. September 2026|31. März 2027}}.** Der Vertrag endet nach § 7 Abs. 1 am \
{{date|30.06.2027|30.09.2027}} und verlängert sich um zwei Jahre, wenn er nicht {{quo|„mit einer Frist von neun \
Monaten schriftlich gekündigt wird“|„mit einer Frist von sechs Monaten in Textform gekündigt wird“}} (§ 7 Abs. 2, \
{{line|Zeile 103|Zeile 130}}).

Bis dahin sind es noch knapp sieben Monate. Wird nichts getan, läuft er bis zum 30. Juni 2029.""",
    ),
    Scene(
        "later-kanzlei-lizenz-mindest-de",
        "de",
        "contract text",
        "Ahrens hat für 2025 1,2 Mio. Nettoerlös gemeldet. Was schulden die?",
        [earlier(read("/srv/vertraege/ahrens_lizenz.txt", LIZENZ, start=88, total=161))],
        """Nach § 5 Abs. 2 sind es {{num|2,75 %|2,57 %}} des Nettoverkaufserlöses, bei 1.200.000 EUR also \
{{amt|33.000 EUR|39.000 EUR}}. Das liegt unter dem Mindestbetrag – geschuldet sind deshalb {{amt|40.000 EUR|54.000 \
EUR}}, der Aufschlag beträgt 7.000 EUR.

Die Abrechnung für das zweite Halbjahr war bis zum {{date|31. Januar|28. Februar}} fällig. Eine Buchprüfung ginge \
einmal im Jahr, anzukündigen {{num|15 Werktage|21 Werktage}} vorher.""",
    ),
    Scene(
        "later-kanzlei-mail-japan-de",
        "de",
        "mcp json mail",
        "was will morita",
        [mcp("mail__get_message", {"id": "msg-88412"}, MAIL_JP, indent=2)],
        """Aya Morita schickt den japanischen Prüfungsbescheid zu P1088JP ({{file|JP 2022-514873|JP 2022-518473}}):

- **Frist:** {{date|18.05.2026|15.05.2026}}, verlängerbar um zwei Monate ({{amt|2.100 JPY|1.200 JPY}} plus 160 EUR)
- **Weisung an sie bis:** {{date|27.04.2026|24.04.2026}}
- **Inhalt:** Ansprüche 1–6 und 9 nicht erfinderisch über D1 und D2; 7 und 8 gewährbar
- **Kosten:** 1.950 EUR, oder {{amt|780 EUR|870 EUR}}, wenn wir die Argumente fertig liefern – das spart 1.170 EUR

Der naheliegende Weg wäre, 7 oder 8 in den Hauptanspruch zu ziehen. [#mail-OPEN:msg-88412]""",
    ),
    Scene(
        "later-kanzlei-recherche-bericht-de",
        "de",
        "subagent report",
        "Lass den Stand der Technik zu der Ventilsache prüfen und sag mir das Ergebnis in drei Sätzen.",
        [
            task(
                "Prüfe D1 bis D5 in /srv/akten/S0088/stand_der_technik gegen Anspruch 1 (Merkmale 1.1 bis 1.6).",
                """Ich habe alle fünf Dokumente gelesen (zusammen 143 Seiten).

| Dok. | Nummer | veröffentlicht | 1.1 | 1.2 | 1.3 | 1.4 | 1.5 | 1.6 |
|---|---|---|---|---|---|---|---|---|
| D1 | DE 198 41 226 A1 | 16.03.2000 | x | x | x | - | x | - |
| D2 | US 6,772,091 B2 | 10.08.2004 | x | x | - | - | x | x |
| D3 | EP 1 902 447 A1 | 26.03.2008 | x | x | x | x | x | - |
| D4 | DE 20 2011 004 913 U1 | 21.07.2011 | x | - | - | x | - | - |
| D5 | WO 2016/045218 A1 | 31.03.2016 | x | x | x | - | - | x |

Am nächsten liegt D3 (Fig. 4, Abs. [0041] bis [0046]). Merkmal 1.6 (Entlüftungsnut) zeigen nur D2 und D5. D2, Sp. 7,
Z. 12-30, nennt für die Nut denselben Zweck wie unser Patent, so dass die Kombination D3 + D2 naheliegen könnte.
Neuheitsschädlich ist keines.""",
            )
        ],
        """Neuheitsschädlich ist keines der fünf Dokumente (zusammen {{cnt|143 Seiten|134 Seiten}}). Am nächsten \
kommt D3 ({{file|EP 1 902 447 A1|EP 1 920 \
474 A1}}) mit fünf von sechs Merkmalen; es fehlt nur die \
{{quo|„Entlüftungsnut“|„Drosselbohrung“}} (1.6). Gefährlich ist die Kombination mit D2, das die Nut in {{line|Sp. \
7, Z. 12-30|Sp. 9, Z. 44-51}} mit demselben Zweck beschreibt.""",
    ),
)
