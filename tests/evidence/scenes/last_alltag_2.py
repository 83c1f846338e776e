"""German: a firm of lawyers and patent attorneys; deadlines, reminders, renewal fees, a thread, a lease, minutes."""

from __future__ import annotations

from tests.evidence.results import bash, grep, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import psql, records

FRIST_HEAD = ("id", "akte", "mandant", "art", "vorfrist", "frist", "rvz", "sb", "status")
FRISTEN = (
    ("FR-8814", "P 2231 EP", "Holm Ventile", "Erwiderung R 71(3)", "2026-02-27", "2026-03-06", "LH", "mw", "offen"),
    ("FR-8819", "Z 0482/25", "Gärtnerei Moll", "Klageerwiderung", "2026-02-26", "2026-03-05", "AB", "ks", "offen"),
    ("FR-8820", "M 0917 DE", "Tausend Teeblätter", "Widerspruch", "2026-02-24", "2026-03-03", "AB", "ks", "erledigt"),
    ("FR-8826", "P 2198 DE", "Holm Ventile", "Prüfungsantrag", "2026-03-02", "2026-03-16", "LH", "mw", "offen"),
    ("FR-8827", "Z 0501/25", "Kranz ./. Kranz", "Berufungsbegründung", "2026-03-02", "2026-03-09", "RT", "ks", "offen"),
    ("FR-8831", "P 2305 WO", "Silvan Optik", "Nat. Phase EP", "2026-03-02", "2026-03-30", "LH", "pd", "offen"),
    ("FR-8832", "M 0933 EU", "Brotfabrik Nord", "Benutzungsnachweis", "2026-03-04", "2026-03-11", "AB", "ks", "verl."),
    ("FR-8840", "P 2117 DE", "Silvan Optik", "9. Jahresgebühr", "2026-03-17", "2026-03-31", "LH", "pd", "offen"),
    ("FR-8841", "Z 0466/25", "Moser Bau", "Stellungnahme Gutachten", "2026-03-10", "2026-03-17", "RT", "ks", "offen"),
)
OPOS_HEAD = ("rechnung", "mandant", "akte", "datum", "faellig", "brutto", "bezahlt", "mahnstufe", "kontakt")
OPOS = (
    ("2025-1188", "Moser Bau", "Z 0466/25", "2025-12-04", "2025-12-18", 2856.0, 1000.0, 2, "buchhaltung@moser.example"),
    ("2025-1203", "Silvan Optik", "P 2117 DE", "2025-12-19", "2026-01-02", 1249.5, 1249.5, 0, "ip@silvan.example"),
    ("2026-0014", "Kranz, H.", "Z 0501/25", "2026-01-15", "2026-01-29", 1785.0, 0.0, 1, "h.kranz@post.example"),
    ("2026-0029", "Holm Ventile", "P 2231 EP", "2026-01-30", "2026-02-13", 3927.0, 0.0, 0, "einkauf@holm.example"),
    ("2026-0033", "Gärtnerei Moll", "Z 0482/25", "2026-02-05", "2026-02-19", 892.5, 892.5, 0, "info@moll.example"),
    ("2026-0047", "Brotfabrik Nord", "M 0933 EU", "2026-02-18", "2026-03-04", 1190.0, 0.0, 0, "recht@brotnord.example"),
    ("2026-0051", "Tausend Teeblätter", "M 0917 DE", "2026-02-12", "2026-02-26", 476.0, 0.0, 0, "tee@tausend.example"),
)
REGISTER = {
    "aktenzeichen": "10 2018 004 417.3",
    "titel": "Rückschlagventil mit federbelastetem Schließkörper",
    "anmelder": [{"name": "Holm Ventile GmbH & Co. KG", "ort": "Bad Sulza", "seit": "2018-06-04"}],
    "vertreter": "Hagedorn Lenz Partnerschaft mbB",
    "anmeldetag": "2018-06-04",
    "offenlegung": {"nr": "DE 10 2018 004 417 A1", "tag": "2019-12-05"},
    "erteilung": {"nr": "DE 10 2018 004 417 B4", "veroeffentlicht": "2022-03-17", "einspruchsfrist": "2022-12-17"},
    "ipc": ["F16K 15/02", "F16K 1/36"],
    "status": "Patent in Kraft",
    "jahresgebuehren": [
        {"jahr": 6, "faellig": "2023-06-30", "eur": 150, "gezahlt": "2023-06-12", "zuschlag": False},
        {"jahr": 7, "faellig": "2024-06-30", "eur": 210, "gezahlt": "2024-06-21", "zuschlag": False},
        {"jahr": 8, "faellig": "2025-06-30", "eur": 280, "gezahlt": "2025-10-09", "zuschlag": True},
        {"jahr": 9, "faellig": "2026-06-30", "eur": 350, "gezahlt": None, "zuschlag": None},
    ],
    "letzte_aenderung": "2025-10-14",
}
THREAD = [
    {
        "id": "19c7a02",
        "from": "Petra Moser <p.moser@moser.example>",
        "date": "2026-02-24T08:12:00+01:00",
        "subject": "Gutachten Dachstuhl",
        "body": "Sehr geehrter Herr Dr. Tamm,\ndas Gutachten kam gestern. Der Sachverständige setzt die Mängel mit "
        "18.400 Euro an, wir hatten 6.500 angeboten. Das mit der Unterspannbahn stimmt so nicht, die hat der "
        "Bauherr selbst verlegt! Was machen wir?\nMoser",
    },
    {
        "id": "19c7b5e",
        "from": "Ralf Tamm <tamm@kanzlei.example>",
        "date": "2026-02-24T16:40:00+01:00",
        "subject": "AW: Gutachten Dachstuhl",
        "body": "Sehr geehrte Frau Moser,\ndas Gericht gibt uns bis 17.03. Gelegenheit zur Stellungnahme. Bitte "
        "schicken Sie mir das Bautagebuch für Mai und Juni 2024 und Fotos. Wer kann zur Unterspannbahn aussagen?",
    },
    {
        "id": "19c80d1",
        "from": "Petra Moser <p.moser@moser.example>",
        "date": "2026-02-27T18:03:00+01:00",
        "subject": "AW: AW: Gutachten Dachstuhl",
        "attachments": [{"name": "Bautagebuch_Mai24.pdf", "kb": 2210}, {"name": "IMG_4471.jpg", "kb": 3904}],
        "body": "Anbei Mai und ein Foto. Juni suche ich noch. Unser Vorarbeiter Herr Lindt war dabei, er ist aber "
        "ab 13.03. drei Wochen in Kur. Über 10.000 gehen wir bei einem Vergleich auf keinen Fall.\nMoser",
    },
]
MIETE = """§ 2 Mietzeit
(1) Das Mietverhältnis beginnt am 01.07.2021 und ist auf fünf Jahre fest geschlossen.
(2) Es verlängert sich um jeweils zwei Jahre, wenn es nicht spätestens sechs Monate vor Ablauf
    schriftlich gekündigt wird.
(3) Dem Mieter steht ein einmaliges Optionsrecht auf Verlängerung um drei Jahre zu. Die Option ist
    bis spätestens drei Monate vor Ablauf der Festmietzeit durch eingeschriebenen Brief auszuüben.

§ 3 Miete
(1) Die Miete beträgt monatlich 3.640,00 EUR zuzüglich Umsatzsteuer, Nebenkosten 610,00 EUR.
(2) Ändert sich der Verbraucherpreisindex gegenüber dem Stand bei Vertragsbeginn oder der letzten
    Anpassung um mehr als 8 Prozent, kann jede Partei eine Anpassung im gleichen Verhältnis verlangen.

§ 4 Kaution
Der Mieter stellt eine Bankbürgschaft über 10.920,00 EUR."""
PROTOKOLL = """Partnerrunde 25.02.2026, 17:00–18:35, Besprechungsraum 2
Teilnehmer: Tamm, Hagedorn, Lenz, Abel (ab 17:20, per Video); Protokoll: Dirks

TOP 1  Zahlen Januar
Honorarumsatz 148.300 EUR (Vj. 139.900). Offene Posten 61.200 EUR, davon 22.750 älter als 60 Tage.
Lenz: „Wir schreiben die Rechnungen zu spät, nicht zu wenige.“ -> Abrechnung künftig bis zum 5. des Folgemonats.

TOP 2  Aktenverwaltung
Angebot Juralog 412 EUR/Monat für 11 Plätze; Angebot Aktenfuchs 385 EUR/Monat für 10 Plätze, weiterer Platz 42 EUR.
Testlauf Juralog 09.03. bis 27.03. in Team Marken. Verantwortlich: Abel. Entscheidung in der nächsten Runde.

TOP 3  Personal
Ausbildungsplatz ab 01.09. wird ausgeschrieben (Dirks, bis 13.03.). Wunsch von Frau Kost auf 30 Std. ab Mai: zugestimmt.

TOP 4  Verschiedenes
Klimagerät Serverraum defekt, Reparatur 1.140 EUR netto freigegeben. Sommerfest: 10.07.

Nächste Runde: 01.04.2026, 17:00"""

SCENES = (
    Scene(
        "last-fristen-lh-maerz-de",
        "de",
        "psql table",
        "Welche Fristen hat LH im März noch offen?",
        [bash("psql kanzlei -c \"select * from fristen where frist < '2026-04-01'\"", psql(FRIST_HEAD, FRISTEN))],
        """LH hat im März {{cnt|vier|fünfzehn}} offene Fristen:

- **Fr 06.03.** – P 2231 EP, Holm Ventile: Erwiderung R 71(3). Die Vorfrist vom {{date|27.02.|25.02.}} ist schon \
abgelaufen. [#deadline-OPEN:FR-8814]
- **Mo {{date|16.03.|23.03.}}** – P 2198 DE, Holm Ventile: Prüfungsantrag, Vorfrist heute [#deadline-OPEN:FR-8826]
- **Mo 30.03.** – {{file|P 2305 WO|P 2350 WO}}, Silvan Optik: nationale Phase EP, Vorfrist heute \
[#deadline-OPEN:FR-8831]
- **Di 31.03.** – P 2117 DE, Silvan Optik: {{num|9.|23.}} Jahresgebühr [#deadline-OPEN:FR-8840]

Am dringendsten ist also Freitag, noch {{num|4 Tage|16 Tage}}.""",
    ),
    Scene(
        "last-mahnlauf-maerz-de",
        "de",
        "json rows",
        "Mahnlauf: wer ist überfällig und mit wie viel?",
        [mcp("fibu__opos", {"stichtag": "2026-03-02"}, {"stichtag": "2026-03-02", "posten": records(OPOS_HEAD, OPOS)})],
        """Stand heute sind **{{cnt|vier|neun}} Rechnungen** mit zusammen **{{amt|8.044,00 €|8.404,00 €}}** überfällig:

| Rechnung | Mandant | offen | überfällig seit | Mahnstufe |
|---|---|---:|---|---|
| 2025-1188 | Moser Bau | {{amt|1.856,00 €|1.586,00 €}} (1.000 € gezahlt) | 18.12. (74 Tage) | 2 |
| {{id|2026-0014|2026-0041}} | Kranz, H. | 1.785,00 € | 29.01. (32 Tage) | 1 |
| 2026-0029 | Holm Ventile | 3.927,00 € | 13.02. ({{num|17 Tage|23 Tage}}) | – |
| 2026-0051 | Tausend Teeblätter | 476,00 € | 26.02. (4 Tage) | – |

Brotfabrik Nord (1.190 €) wird erst am {{date|4. März|9. März}} fällig. Bei Moser würde ich vor der dritten Stufe \
mit RT sprechen, weil in der Sache gerade eine Stellungnahme läuft. [#rechnung-OPEN:2025-1188]""",
        {"hinweis": "Fristenliste vom Morgen: Z 0466/25 Moser Bau, Stellungnahme Gutachten, RT, 2026-03-17"},
    ),
    Scene(
        "last-jahresgebuehr-holm-de",
        "de",
        "json indented",
        "Wann ist bei Holm Rückschlagventil die nächste Jahresgebühr dran?",
        [mcp("dpma__register", {"suche": "Holm Rückschlagventil"}, REGISTER, indent=2)],
        """Die {{num|9. Jahresgebühr|11. Jahresgebühr}} für {{file|10 2018 004 417.3|10 2018 004 471.3}} ist am \
**{{date|30. Juni 2026|30. Juli 2026}}** fällig, {{amt|350 €|385 €}}. Ohne Zuschlag kann man danach noch zwei Monate \
zahlen, mit Zuschlag bis Ende Dezember.

Letztes Jahr wurde sie erst am {{date|09.10.2025|19.09.2025}} und mit Zuschlag gezahlt.""",
    ),
    Scene(
        "last-moser-mailwechsel-de",
        "de",
        "mcp json thread",
        "bring mich bei moser auf stand",
        [mcp("mail__thread", {"q": "Moser Gutachten"}, {"thread": THREAD, "count": 3}, indent=1)],
        """**Stand Moser, Gutachten Dachstuhl (3 Mails, letzte vom {{date|27.02.|26.02.}}):**

- Der Sachverständige kommt auf {{amt|18.400 €|14.800 €}} Mängel; angeboten waren 6.500 €. Differenz also 11.900 €.
- Frau Moser bestreitet den Punkt Unterspannbahn: {{quo|„die hat der Bauherr selbst verlegt“|„die war bei der Abnahme \
in Ordnung“}}. Zeuge wäre der Vorarbeiter, Herr Lindt.
- Vergleich: höchstens {{amt|10.000 €|12.500 €}}.
- Geschickt hat sie das Bautagebuch Mai 2024 und ein Foto. **Juni fehlt noch.**

Eng wird es mit Lindt: Er ist ab {{date|13.03.|18.03.}} drei Wochen in Kur, die Stellungnahme muss bis 17.03. \
raus. Ich würde ihn diese Woche anrufen.""",
    ),
    Scene(
        "last-mietvertrag-option-de",
        "de",
        "grep and file",
        "Bis wann müssen wir die Option im Büromietvertrag ziehen?",
        [
            grep("Option", "/k/verwaltung/mietvertrag_2021.md:46:(3) Dem Mieter steht ein einmaliges Optionsrecht"),
            read("/k/verwaltung/mietvertrag_2021.md", MIETE, 42, 131),
        ],
        """Bis **{{date|31. März 2026|30. April 2026}}** – drei Monate vor Ablauf der Festmietzeit am 30. Juni 2026, \
und zwar per {{quo|„eingeschriebenen Brief“|„notarielle Erklärung“}} (§ 2 Abs. 3, \
`mietvertrag_2021.md:{{line|46|64}}`). Das sind noch {{num|29 Tage|34 Tage}}.

Dringend ist es trotzdem nur bedingt: Gekündigt werden musste bis Ende Dezember 2025. Falls das niemand getan hat, \
läuft der Vertrag nach Abs. 2 ohnehin zwei Jahre weiter; die Option brächte drei.""",
    ),
    Scene(
        "last-partnerrunde-aufgaben-de",
        "de",
        "minutes",
        "wer muss was machen aus der letzten partnerrunde",
        [read("/k/protokolle/2026-02-25_partner.txt", PROTOKOLL)],
        """| Wer | Was | Bis |
|---|---|---|
| Abel | Testlauf Juralog im Team Marken | 09.03. bis {{date|27.03.|20.03.}} |
| Dirks | Ausbildungsplatz ausschreiben (Beginn {{date|01.09.|01.08.}}) | 13.03. |
| alle | Rechnungen bis zum {{num|5.|15.}} des Folgemonats schreiben | laufend |

Ohne Namen blieben die Reparatur des Klimageräts ({{amt|1.140 €|1.410 €}} netto, freigegeben) und das Sommerfest am \
10.07. Zur Software: Aktenfuchs käme bei elf Plätzen auf 427 € im Monat, Juralog auf {{amt|412 €|421 €}}. Entschieden \
wird am 01.04.""",
    ),
)
