"""German: long answers over several calls, and a result whose missing part nobody can judge."""

from __future__ import annotations

from tests.evidence.results import bash, cut, earlier, glob, grep, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import markdown, psql, records

AKTE = """# Akte 2025-047 Nordlicht ./. Solaris

- Gericht: LG München I, 21 O 8834/25
- Klage eingereicht: 05.11.2025, zugestellt: 21.11.2025
- Streitwert: 1.200.000 EUR (Unterlassung 900.000, Auskunft 100.000, Schadensersatz 200.000)
- Klagepatent: EP 3 014 772 B1, erteilt 24.04.2019
- Gegnerische Vertreter: Lindner & Partner

## Verlauf
- 19.12.2025 Verteidigungsanzeige
- 30.01.2026 Klageerwiderung (86 Seiten, 14 Anlagen)
- 24.02.2026 Nichtigkeitsklage der Gegenseite, BPatG 6 Ni 12/26 (EP)
- Terminstag: 16.07.2026, 9:00 Uhr, Sitzungssaal 501"""

SCENES = (
    Scene(
        "lagebericht-akte-de",
        "de",
        "several calls",
        "Gib mir einen vollständigen Lagebericht zur Akte Nordlicht.",
        [
            read("/home/ada/akten/2025-047/akte.md", AKTE),
            mcp(
                "buch__konto",
                {"akte": "2025-047"},
                {
                    "akte": "2025-047",
                    "rows": records(
                        ("tag", "text", "betrag"),
                        (
                            ("2025-11-04", "Gerichtskosten 3,0", -17088.0),
                            ("2025-12-01", "Vorschuss Mandant", 25000.0),
                            ("2026-02-11", "Patentanwalt Wirth", -6420.5),
                        ),
                    ),
                },
            ),
            grep(
                "Vergleich",
                "akten/2025-047/mails/17.eml:22:einen Vergleich lehnen wir derzeit ab, würden aber ab Mai reden",
            ),
        ],
        """# Lagebericht Nordlicht ./. Solaris (Stand 2. März 2026)

## 1. Verfahren
Die Klage ging am {{date|5. November 2025|15. November 2025}} beim LG München I ein (Az. **{{file|21 O 8834/25|21 O \
8843/25}}**) \
und wurde 16 Tage später zugestellt. Der Streitwert von {{amt|1,2 Mio. €|1,7 Mio. €}} setzt sich so zusammen:

| Antrag | Wert |
| --- | ---: |
| Unterlassung | 900.000 € |
| Auskunft | {{amt|100.000 €|150.000 €}} |
| Schadensersatz | 200.000 € |

## 2. Gegenseite
- Klageerwiderung vom {{date|30.01.2026|31.01.2026}} mit {{num|86 Seiten|68 Seiten}} und 14 Anlagen
- Nichtigkeitsklage beim BPatG, {{file|6 Ni 12/26 (EP)|6 Ni 21/26 (EP)}}
- Zum Vergleich: „{{quo|einen Vergleich lehnen wir derzeit ab, würden aber ab Mai reden|ein Vergleich kommt für uns \
unter \
keinen Umständen in Betracht}}“ (`akten/2025-047/mails/17.eml:22`)

## 3. Geld
Eingegangen sind 25.000 €, ausgegeben {{amt|23.508,50 €|23.805,50 €}}. Auf dem Konto stehen also noch \
{{amt|1.491,50 €|1.941,50 €}}.

## 4. Termin
Verhandelt wird am **Donnerstag, {{date|16. Juli 2026|9. Juli 2026}}, um 9 Uhr** in Saal 501. Das sind von heute an \
{{num|136 Tage|163 Tage}}.

Eine Aussetzung nach § 148 ZPO wegen der Nichtigkeitsklage ist möglich, in München aber selten. Soll ich eine \
Zeitleiste \
daraus machen?""",
    ),
    Scene(
        "umfrage-auswertung-de",
        "de",
        "markdown table",
        "Werte die Umfrage aus.",
        [
            read(
                "/home/ada/umfrage.md",
                markdown(
                    ("Frage", "ja", "nein", "egal"),
                    (
                        ("Mehr Homeoffice?", 17, 4, 3),
                        ("Neue Kaffeemaschine?", 11, 9, 4),
                        ("Sommerfest im Juli?", 20, 1, 3),
                    ),
                ),
            )
        ],
        """**Ergebnis der Umfrage** (24 Antworten je Frage)

1. Mehr Homeoffice: {{cnt|17 Stimmen|14 Stimmen}} dafür, das sind {{num|71 %|64 %}}.
2. Neue Kaffeemaschine: knapp, 11 zu 9, vier Enthaltungen.
3. Sommerfest im Juli: mit {{cnt|20 Ja-Stimmen|22 Ja-Stimmen}} sehr deutlich, nur eine Gegenstimme.

Zusammen wurde {{cnt|48-mal|84-mal}} mit Ja gestimmt. Ich würde mit Punkt 3 anfangen.""",
    ),
    Scene(
        "gekuerzt-de",
        "de",
        "cut result",
        "Wie endet das Protokoll?",
        [
            cut(
                read(
                    "/home/ada/protokoll-lang.txt",
                    "Sitzung vom 12.01.2026\nTOP 1 Begrüßung\nTOP 2 Haushalt: 48.000 EUR\n[…]",
                )
            )
        ],
        """Der letzte Punkt, TOP 9, wurde auf den 14.04.2026 vertagt. Beschlossen ist der Haushalt mit 48.000 EUR; \
für die \
Sanierung kommen 7.350 EUR dazu.""",
    ),
    Scene(
        "vergleich-zwei-turns-de",
        "de",
        "earlier turn",
        "Was hat sich seit eben geändert?",
        [
            earlier(
                bash(
                    "psql -f lager.sql", psql(("artikel", "bestand"), (("Toner", 3), ("Papier", 112), ("Ordner", 38)))
                ),
                1,
            ),
            earlier(glob("*.bestellung", "/home/ada/b-2201.bestellung"), 2),
            bash("psql -f lager.sql", psql(("artikel", "bestand"), (("Toner", 15), ("Papier", 97), ("Ordner", 38)))),
        ],
        """Zwei von drei Beständen haben sich geändert: Toner ist von 3 auf {{cnt|15 Stück|18 Stück}} gestiegen \
(+12), Papier von {{cnt|112|122}} auf 97 gefallen, also um 15 Pakete. Ordner sind unverändert 38 da. Die \
Bestellung war {{id|b-2201|b-2210}}.""",
    ),
)
