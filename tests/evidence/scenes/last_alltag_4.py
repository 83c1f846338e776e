"""German: a firm of lawyers and patent attorneys; time sheets, an office action, holidays, offers, notes, a bill."""

from __future__ import annotations

from tests.evidence.results import bash, grep, read, task, web_search
from tests.evidence.scene import Scene
from tests.evidence.tables import csv, markdown

ZEIT_HEAD = ("datum", "kuerzel", "akte", "min", "taetigkeit", "abrechenbar", "satz", "rechnung")
ZEITEN = (
    ("2026-02-02", "RT", "Z 0466/25", 95, "Durchsicht Gutachten Vorabfassung", "j", 280, ""),
    ("2026-02-03", "MW", "P 2231 EP", 40, "Ansprüche prüfen", "j", 190, ""),
    ("2026-02-03", "RT", "Z 0501/25", 150, "Berufungsbegründung Entwurf", "j", 280, ""),
    ("2026-02-05", "RT", "intern", 60, "Teamrunde", "n", 0, ""),
    ("2026-02-09", "RT", "Z 0466/25", 25, "Telefonat Fr. Moser", "j", 280, ""),
    ("2026-02-10", "LH", "P 2305 WO", 75, "Weisung nat. Phase", "j", 320, ""),
    ("2026-02-12", "RT", "Z 0501/25", 210, "Berufungsbegründung", "j", 280, ""),
    ("2026-02-17", "RT", "Z 0466/25", 45, "Mail Gericht, Fristverlängerung", "j", 280, ""),
    ("2026-02-18", "MW", "P 2231 EP", 110, "Beschreibung anpassen", "j", 190, ""),
    ("2026-02-24", "RT", "Z 0466/25", 135, "Gutachten, Mail Mandantin", "j", 280, ""),
    ("2026-02-25", "RT", "intern", 95, "Partnerrunde", "n", 0, ""),
    ("2026-02-26", "RT", "Z 0501/25", 60, "Mandantengespräch", "j", 280, ""),
)
BESCHEID = """DEUTSCHES PATENT- UND MARKENAMT                                   München, 12.02.2026
Prüfungsstelle für Klasse F16K
Aktenzeichen: 10 2024 118 902.6          Ihr Zeichen: P 2198 DE
Anmelder: Holm Ventile GmbH & Co. KG

                               1. Prüfungsbescheid
Zugestellt durch Übermittlungsempfangsbekenntnis am 17.02.2026. Frist zur Äußerung: vier Monate.

Druckschriften:
(D1) DE 10 2011 052 330 A1
(D2) EP 2 914 877 B1
(D3) US 2016 / 0 138 725 A1

1. Der Gegenstand des Anspruchs 1 ist nicht neu gegenüber D1 (§ 3 PatG). D1 zeigt in Fig. 3 und
   Abs. [0027] bis [0031] ein Ventil mit Gehäuse (12), Schließkörper (20) und Feder (24), wobei die
   Feder in einer Ringnut (26) gehalten ist.
2. Anspruch 2 und 3 ergeben sich aus D1, Abs. [0034].
3. Der Gegenstand des Anspruchs 4 (Dichtlippe aus zwei Werkstoffen) ist neu; er beruht aber nicht auf
   erfinderischer Tätigkeit, da D2, Sp. 4, Z. 11-38, eine solche Lippe zum selben Zweck lehrt.
4. Anspruch 5 ist aus denselben Gründen nicht gewährbar.
5. Anspruch 6 (Drosselbohrung im Schließkörper, Durchmesser 0,4 bis 0,9 mm) ist im ermittelten Stand
   der Technik weder gezeigt noch nahegelegt. Ein auf Anspruch 6 gerichtetes Patentbegehren könnte
   zur Erteilung führen.
6. Anspruch 9 ist unklar: „im Wesentlichen koaxial“.
7. In der Beschreibung ist D1 zu würdigen; in Fig. 5 fehlt das Bezugszeichen 31.

Mit der gegenwärtigen Fassung der Ansprüche 1 bis 9 kann eine Patenterteilung nicht in Aussicht
gestellt werden; es müsste mit Zurückweisung gerechnet werden."""
URLAUB_HEAD = ("Name", "Anspruch", "Rest Vj.", "genommen", "geplant", "Zeiträume 2026", "Vertretung")
URLAUB = (
    ("Dirks", 30, 4, 2, 18, "07.04.–17.04., 03.08.–14.08.", "Weber"),
    ("Kost", 30, 0, 0, 15, "13.07.–31.07.", "Sommer"),
    ("Sommer", 28, 6, 5, 14, "30.03.–02.04., 17.08.–28.08.", "Kost"),
    ("Weber", 30, 2, 0, 14, "07.04.–10.04., 20.07.–31.07.", "Dirks"),
    ("Pohlmann", 26, 1, 3, 10, "10.08.–21.08.", "Kost"),
)
NOTIZEN = (
    "/k/notizen/2025-11.md:88:- Kranz: Gegenseite bietet 22.000, Mandant will 30.000 (Tel. 18.11.)",
    "/k/notizen/2025-12.md:14:- Kranz: Urteil LG verkündet 04.12., Klage abgewiesen, Zustellung 09.12.",
    "/k/notizen/2025-12.md:61:- Kranz: Berufung soll eingelegt werden, Vorschuss angefordert",
    "/k/notizen/2026-01.md:9:- Kranz: Berufung eingelegt 08.01., OLG Az. 7 U 14/26",
    "/k/notizen/2026-01.md:73:- Kranz: Deckungszusage RS-Vers. da, SB 250, Schaden-Nr. 26-0118-4470",
    "/k/notizen/2026-02.md:31:- Kranz: Verlängerung Begründung bewilligt bis 09.03. (Beschl. v. 05.02.)",
    "/k/notizen/2026-02.md:52:- Kranz: Zeuge Rudolf umgezogen, neue Anschrift erfragen",
)
EINGANG = """Toner & Papier Lüders e.K.                       Rechnung R-118204
Kunde 7033  Hagedorn Lenz PartmbB                Datum 23.02.2026   Lieferung 19.02.2026  LS 66108

Art.      Bezeichnung                      Menge   EP        Rabatt   Gesamt
TN-3480   Toner schwarz                    4       96,40     5 %      366,32
TN-3512   Toner schwarz XL                 2       134,00    0 %      268,00
PA-80A4   Kopierpapier A4 80g, Karton      15      21,90     0 %      328,50
UM-C4F    Umschlag C4 Fenster, 250 St.     3       27,80     0 %       83,40
ET-9916   Rückenschilder, 100 St.          5       8,95      0 %       44,75
                                           Zwischensumme            1.090,97
                                           Versand                      0,00
                                           MwSt 19 %                  207,28
                                           Rechnungsbetrag          1.298,25
Zahlbar bis 25.03.2026, bei Zahlung bis 05.03.2026 2 % Skonto. IBAN DE00 5550 1200 0077 0331 18"""
LIEFERSCHEIN = """Lieferschein 66108   19.02.2026   Toner & Papier Lüders e.K.
TN-3480   4
TN-3512   2
PA-80A4   12   (3 Karton folgen)
UM-C4F    3
ET-9916   5
Angenommen: Sommer, 19.02., 10:25"""

SCENES = (
    Scene(
        "last-stunden-tamm-februar-de",
        "de",
        "csv",
        "Stunden RT Februar je Akte, mit Honorar",
        [bash("cat /k/zeit/2026-02.csv", csv(ZEIT_HEAD, ZEITEN, ";"))],
        """RT, Februar 2026, abrechenbar:

| Akte | Zeit | Honorar (280 €/h) |
|---|---:|---:|
| Z 0466/25 | 5:00 h | {{amt|1.400,00 €|1.450,00 €}} |
| Z 0501/25 | 7:00 h | {{amt|1.960,00 €|1.690,00 €}} |
| **Summe** | **{{num|12:00 h|13:30 h}}** | **{{amt|3.360,00 €|3.630,00 €}}** |

Dazu 2:35 h intern. Alle {{cnt|sieben|vierzehn}} Einträge sind noch ohne Rechnungsnummer; der längste ist die \
Berufungsbegründung vom {{date|12.02.|19.02.}} mit 3,5 Stunden.""",
    ),
    Scene(
        "last-pruefungsbescheid-holm-de",
        "de",
        "plain text",
        "Kurzfassung vom Bescheid P 2198 DE für die Mandantin, mit Frist",
        [bash("pdftotext -layout '/k/akten/P 2198 DE/2026-02-12_Bescheid.pdf' -", BESCHEID)],
        """**1. Prüfungsbescheid vom 12.02.2026, Az. {{file|10 2024 118 902.6|10 2024 118 920.6}}**

- **Ansprüche 1–3:** nicht neu gegenüber {{file|DE 10 2011 052 330 A1|DE 10 2011 052 303 A1}} (D1), vor allem \
Fig. 3 und Abs. [0027]–[0031].
- **Ansprüche 4 und 5:** neu, aber nicht erfinderisch mit Blick auf D2.
- **Anspruch 6** (Drosselbohrung, {{num|0,4 bis 0,9 mm|0,6 bis 1,2 mm}}): **gewährbar.** Laut Prüfer {{quo|„weder \
gezeigt noch nahegelegt“|„in hohem Maße überraschend“}}.
- **Anspruch 9:** unklar („im Wesentlichen koaxial“).
- Formal: D1 in der Beschreibung würdigen, in Fig. 5 Bezugszeichen 31 ergänzen.

Zu den Ansprüchen 7 und 8 sagt der Bescheid nichts Eigenes.

**Frist:** vier Monate ab Zustellung am 17.02., also **{{date|17. Juni 2026|17. Mai 2026}}**. \
Der schnellste Weg wäre, Anspruch 6 in Anspruch 1 aufzunehmen.""",
    ),
    Scene(
        "last-urlaub-ostern-besetzung-de",
        "de",
        "markdown table",
        "sind wir über ostern besetzt? und wer hat noch viel urlaub offen",
        [read("/k/personal/urlaub_2026.md", markdown(URLAUB_HEAD, URLAUB))],
        """**Ostern:** In der Woche nach Ostern (7. bis {{date|10. April|9. April}}) fehlen Dirks und Weber zugleich – \
und die vertreten sich gegenseitig. Da sollte einer tauschen, oder Kost springt ein. In der Karwoche fehlt nur Sommer.

**Noch nicht verplant** (Anspruch + Rest − genommen − geplant):

- Weber {{num|18 Tage|27 Tage}}
- Kost und Sommer je 15
- Dirks und Pohlmann je {{cnt|14|19}}

Der Resturlaub aus 2025 (Sommer {{cnt|6 Tage|11 Tage}}, Dirks 4, Weber 2, Pohlmann 1) verfällt in der Regel am 31. \
März.""",
    ),
    Scene(
        "last-kranz-notizen-de",
        "de",
        "grep lines",
        "was weiss ich alles zu kranz",
        [grep("Kranz", *NOTIZEN)],
        """Aus den Notizen, der Reihe nach:

1. **Nov 2025:** Gegenseite bot {{amt|22.000|27.000}}, Kranz wollte 30.000 (`2025-11.md:88`).
2. **{{date|04.12.|14.12.}}** Urteil des LG, Klage abgewiesen, am 09.12. zugestellt.
3. **08.01.** Berufung eingelegt, Az. {{file|7 U 14/26|7 U 41/26}}.
4. Rechtsschutz hat zugesagt, Selbstbeteiligung 250, Schaden-Nr. {{id|26-0118-4470|26-0118-4407}} \
(`2026-01.md:{{line|73|37}}`).
5. Begründungsfrist verlängert bis **09.03.** – das ist heute in einer Woche.
6. Offen: neue Anschrift des Zeugen Rudolf.""",
    ),
    Scene(
        "last-lueders-rechnung-pruefen-de",
        "de",
        "two files",
        "kann ich R-118204 so freigeben?",
        [read("/k/eingang/R-118204.txt", EINGANG), read("/k/eingang/LS_66108.txt", LIEFERSCHEIN)],
        """Nein, noch nicht. Berechnet sind 15 Karton Kopierpapier, geliefert wurden laut Lieferschein \
{{id|66108|66180}} nur {{cnt|12|16}}; {{quo|„3 Karton folgen“|„Rest storniert“}}. Das sind 65,70 € netto bzw. \
{{amt|78,18 €|81,78 €}} brutto zu viel, sofern die drei nicht inzwischen da sind.

Die Rechnung selbst ist richtig addiert (1.090,97 € + {{amt|207,28 €|270,28 €}} MwSt. = 1.298,25 €). Mit Skonto wären \
es 1.272,29 €, das geht aber nur bis {{date|Donnerstag, 5. März|Freitag, 6. März}}. Also am besten heute bei Sommer \
nachfragen, ob der Rest gekommen ist.""",
    ),
    Scene(
        "last-verjaehrung-mietforderung-de",
        "de",
        "search and report",
        "Miete offen seit Nov 2022, Gewerbe, wann verjährt das? Und was steht bei uns zu Reinders in der Akte?",
        [
            web_search(
                "Verjährung Mietforderung Gewerbe § 195 § 199 BGB",
                [
                    ("§ 195 BGB Regelmäßige Verjährungsfrist", "https://gesetze.example/bgb/195"),
                    ("Verjährung von Mietforderungen", "https://ratgeber.example/miete-verjaehrung"),
                ],
                "Die regelmäßige Verjährungsfrist beträgt drei Jahre (§ 195 BGB) und beginnt mit dem Schluss des "
                "Jahres, in dem der Anspruch entstanden ist (§ 199 Abs. 1 BGB). Gehemmt wird sie u. a. durch Klage "
                "oder Zustellung des Mahnbescheids (§ 204 BGB).",
            ),
            task(
                "Suche in /k/akten alles zu Reinders und fasse zusammen.",
                "Akte Z 0377/25 Reinders ./. Bistro Kolumna:\n- Mandatsannahme 14.10.2025 (Hagedorn)\n"
                "- Forderung: Mieten Nov 2022 bis Feb 2023, je 1.320,00 EUR; zusammen 5.280,00 EUR\n"
                "- Mahnbescheid beantragt 02.12.2025, zugestellt 11.12.2025, Geschäfts-Nr. 25-0718834-0-6\n"
                "- Widerspruch der Gegenseite 22.12.2025, Abgabe ans AG Lindenau beantragt 19.01.2026\n"
                "- AG Lindenau, Az. 4 C 88/26; Frist Anspruchsbegründung 12.03.2026\n"
                "- Kostenvorschuss 483,00 EUR gezahlt",
            ),
        ],
        """Forderungen aus 2022 verjährten regulär mit Ablauf des **{{date|31.12.2025|30.06.2025}}** (§§ 195, 199 \
BGB), \
die aus 2023 ein Jahr später.

Bei Reinders ist das gewahrt: Der Mahnbescheid wurde am {{date|11.12.2025|17.12.2025}} zugestellt, das hemmt. Es geht \
um \
{{cnt|vier|neun}} Mieten zu je 1.320 €, zusammen {{amt|5.280 €|5.820 €}}. Nach dem Widerspruch liegt die Sache beim \
AG Lindenau ({{file|4 C 88/26|4 C 89/26}}); **Anspruchsbegründung bis 12. März**, also in zehn Tagen.""",
    ),
)
