"""German: what stands in files, mails and notes of a practice; quotations above all."""

from __future__ import annotations

from tests.evidence.results import bash, glob, grep, mcp, read
from tests.evidence.scene import Scene

URTEIL = """Landgericht Düsseldorf
4c O 31/24

Verkündet am 18. Dezember 2025

Im Namen des Volkes
URTEIL

I. Die Beklagte wird verurteilt, es zu unterlassen, Vorrichtungen nach Anspruch 1
   des Patents EP 2 344 567 B1 anzubieten oder in Verkehr zu bringen.
II. Die Beklagte trägt die Kosten des Rechtsstreits.
III. Das Urteil ist gegen Sicherheitsleistung von 750.000,00 EUR vorläufig vollstreckbar.

Tatbestand
Die Klägerin ist Inhaberin des Klagepatents, das am 14.06.2012 angemeldet wurde.
Der Streitwert wird auf 1.500.000 EUR festgesetzt."""
NOTIZ = """Telefonat mit Herrn Brandl (Kranich AG), 26.02.2026, 14:30 Uhr

- Will die Anmeldung "Klappmechanismus" vorerst nicht in den USA verfolgen.
- Budget 2026: 38.500 EUR für alle Anmeldungen.
- Nächster Termin: 17.03.2026 um 9:15 Uhr, Raum Isar
- bittet um "eine kurze Einschätzung zur Erfindungshöhe" bis Ende der Woche"""
MAIL = {
    "id": "msg-88213",
    "von": "k.hofer@meyer-optik.example",
    "an": "kanzlei@vogt-patent.example",
    "betreff": "AW: Vergleichsvorschlag 7 O 4410/25",
    "datum": "2026-02-25T16:42:10+01:00",
    "text": "Sehr geehrte Frau Dr. Vogt,\n\nwir können uns eine Zahlung von 85.000 Euro vorstellen,\n"
    "wenn die Gegenseite auf weitere Ansprüche verzichtet.\n\nMit freundlichen Grüßen\nKarin Hofer",
}

SCENES = (
    Scene(
        "urteil-tenor-de",
        "de",
        "read file",
        "Was hat das LG entschieden?",
        [read("/home/ada/akten/2024-031/urteil.txt", URTEIL)],
        """Das Landgericht Düsseldorf hat am {{date|18.12.2025|11.12.2025}} (Az. {{file|4c O 31/24|4b O 31/24}}) der \
Klage \
stattgegeben:

1. Unterlassung hinsichtlich Anspruch 1 des Patents {{file|EP 2 344 567 B1|EP 2 344 576 B1}}
2. „{{quo|Die Beklagte trägt die Kosten des Rechtsstreits.|Die Kosten des Rechtsstreits werden gegeneinander \
aufgehoben.}}“
3. Vorläufig vollstreckbar gegen Sicherheitsleistung in Höhe von {{amt|750.000 €|570.000 €}}

Der Streitwert liegt bei {{amt|1,5 Mio. EUR|1,8 Mio. EUR}}. Gegen das Urteil ist nach § 511 ZPO die Berufung \
statthaft; \
die Frist beträgt nach § 517 ZPO einen Monat.""",
    ),
    Scene(
        "urteil-zitat-umbruch-de",
        "de",
        "read file",
        "Zitiere bitte Ziffer I wörtlich.",
        [read("/home/ada/akten/2024-031/urteil.txt", URTEIL)],
        """Ziffer I lautet:

> {{quo|Die Beklagte wird verurteilt, es zu unterlassen, Vorrichtungen nach Anspruch 1 des Patents EP 2 344 567 B1 \
anzubieten oder in Verkehr zu bringen.|Die Beklagte wird verurteilt, es zu unterlassen, Vorrichtungen nach Anspruch 1 \
des Patents EP 2 344 567 B1 herzustellen, zu gebrauchen oder einzuführen.}}

Angemeldet wurde das Klagepatent am {{date|14. Juni 2012|14. Juli 2012}}.""",
    ),
    Scene(
        "notiz-telefonat-de",
        "de",
        "bash cat",
        "Was kam beim Telefonat mit Brandl heraus?",
        [bash("cat notizen/2026-02-26-brandl.md", NOTIZ)],
        """Herr Brandl hat am 26. Februar um {{time|14:30 Uhr|15:30 Uhr}} angerufen. Ergebnisse:

- Die Anmeldung „Klappmechanismus“ soll **nicht** in die USA gehen.
- Für alle Anmeldungen stehen 2026 {{amt|38.500 Euro|35.800 Euro}} zur Verfügung.
- Nächster Termin ist der {{date|17. März|19. März}}, {{time|9.15 Uhr|9.45 Uhr}}, im Raum Isar.
- Er bittet um „{{quo|eine kurze Einschätzung zur Erfindungshöhe|ein ausführliches Gutachten zur Neuheit}}“.

Bis zum Termin sind es {{num|15 Tage|12 Tage}}. Soll ich die Einschätzung vorbereiten?""",
    ),
    Scene(
        "mail-angebot-de",
        "de",
        "mcp json",
        "Was schreibt Frau Hofer?",
        [mcp("postfach__lesen", {"id": "msg-88213"}, MAIL)],
        """Karin Hofer hat am {{date|25.02.2026|24.02.2026}} um {{time|16:42|17:24}} Uhr auf den Vergleichsvorschlag \
im \
Verfahren {{file|7 O 4410/25|7 O 4401/25}} geantwortet. Meyer Optik würde {{amt|85.000 EUR|95.000 EUR}} zahlen, \
„{{quo|wenn \
die Gegenseite auf weitere Ansprüche verzichtet|wenn die Gegenseite die Klage zurücknimmt}}“.

Eine Frist für die Antwort nennt sie nicht.""",
    ),
    Scene(
        "mail-liste-de",
        "de",
        "mcp records",
        "Ungelesene Mails?",
        [
            mcp(
                "postfach__suchen",
                {"ungelesen": True},
                "Betreff: Rückfrage Anspruch 4\nVon: t.lang@kranich.example\nEingang: 02.03.2026 07:58",
                "Betreff: Rechnung 2026-0117\nVon: buchhaltung@wolff-zeichnungen.example\nEingang: 01.03.2026 18:03",
                "Betreff: Terminsverlegung UPC_CFI_88/2025\nVon: registry@upc.example\nEingang: 27.02.2026 11:20",
            )
        ],
        """{{cnt|Drei|Fünf}} Nachrichten sind ungelesen:

| Eingang | Absender | Betreff |
|---|---|---|
| heute, {{time|07:58|08:57}} | t.lang@kranich.example | {{quo|„Rückfrage Anspruch 4“|„Rückfrage Anspruch 7“}} |
| gestern, 18:03 | Wolff Zeichnungen | Rechnung {{id|2026-0117|2026-0171}} |
| {{date|27.02.|25.02.}} | Registry des UPC | Terminsverlegung {{file|UPC_CFI_88/2025|UPC_CFI_68/2025}} |

Am eiligsten scheint mir die letzte.""",
    ),
    Scene(
        "suche-vollmacht-de",
        "de",
        "grep",
        "Wo steht etwas von der Vollmacht?",
        [
            grep(
                "Vollmacht",
                "akten/2025-014/klage.md:12:Die Vollmacht ist als Anlage K 1 beigefügt.",
                "akten/2025-014/klage.md:87:Eine weitere Vollmacht wird nachgereicht.",
                "akten/2025-020/notiz.md:4:Vollmacht liegt seit 11.11.2025 im Original vor",
            )
        ],
        """Die Vollmacht wird an {{cnt|drei|zwölf}} Stellen in zwei Dateien erwähnt:

- `{{line|akten/2025-014/klage.md:12|akten/2025-014/klage.md:21}}`: „Die Vollmacht ist als Anlage K 1 beigefügt.“
- `akten/2025-014/klage.md:87`: „{{quo|Eine weitere Vollmacht wird nachgereicht.|Eine beglaubigte Vollmacht ist \
nachzureichen.}}“
- `akten/2025-020/notiz.md:4`: Sie liegt seit dem {{date|11. November 2025|21. November 2025}} im Original vor.""",
    ),
    Scene(
        "dateien-anlagen-de",
        "de",
        "glob",
        "Welche Anlagen gibt es zur Klage?",
        [
            glob(
                "akten/2025-014/anlagen/*.pdf",
                "/home/ada/akten/2025-014/anlagen/K1_Vollmacht.pdf",
                "/home/ada/akten/2025-014/anlagen/K2_Patentschrift.pdf",
                "/home/ada/akten/2025-014/anlagen/K3_Abmahnung.pdf",
                "/home/ada/akten/2025-014/anlagen/K4_Testkauf.pdf",
            )
        ],
        """Im Ordner liegen {{cnt|vier|neun}} PDF-Dateien: K1 (Vollmacht), K2 (Patentschrift), K3 (Abmahnung) und \
`{{name|K4_Testkauf.pdf|K4_Gutachten.pdf}}`. Eine Anlage K5 gibt es nicht.""",
    ),
)
