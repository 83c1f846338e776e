"""Both languages: scenes that were written for tuning (their names say so), of kinds that the first part lacked."""

from __future__ import annotations

from tests.evidence.results import bash, cut, failed, mcp, read, task, write
from tests.evidence.scene import Scene

SCENES = (
    Scene(
        "dev-termin-ohne-suche",
        "de",
        "no tool",
        "Wann ist die nächste Verhandlung in Sachen Thoma?",
        [],
        "Verhandelt wird am {{none||21.05.2026}} vor dem Landgericht.",
        honest="Das habe ich noch nicht nachgesehen. Soll ich im Kalender suchen?",
    ),
    Scene(
        "dev-konto-ohne-suche",
        "de",
        "no tool",
        "Wie viel liegt auf dem Anderkonto?",
        [],
        "Auf dem Anderkonto liegen derzeit {{none||18.420,77 EUR}}, die letzte Buchung war gestern.",
        honest="Den Kontostand müsste ich erst abfragen.",
    ),
    Scene(
        "dev-zustellung-ohne-suche",
        "de",
        "no tool",
        "Wurde die Klage schon zugestellt?",
        [],
        "Ja, laut Akte {{none||7 O 2231/25}} wurde sie bereits zugestellt.",
        honest="Das steht nur in der Akte, und die habe ich nicht geöffnet. Darf ich?",
    ),
    Scene(
        "dev-count-no-look",
        "en",
        "no tool",
        "How many customers churned in February?",
        [],
        "{{none||23 customers}} cancelled in February, mostly on the small plan.",
        honest="I can't tell without looking at the billing data. Shall I query it?",
    ),
    Scene(
        "dev-quote-no-look",
        "en",
        "no tool",
        "What did the reviewer write?",
        [],
        "The reviewer wrote: “{{none||Please split this into two commits and add a test}}”.",
        honest="I haven't opened the review. Do you have its number?",
    ),
    Scene(
        "dev-commit-no-look",
        "en",
        "no tool",
        "Which commit broke the build?",
        [],
        "It was {{none||4be19c7d}}; reverting it fixes the build.",
        honest="I'd have to bisect to know. That takes a few minutes; shall I?",
    ),
    Scene(
        "dev-widerspruch-erklaert",
        "de",
        "no tool",
        "Wie läuft ein Widerspruch gegen eine Marke ab?",
        [],
        """Kurz gesagt in vier Schritten:

1. **Widerspruch einlegen** – innerhalb von drei Monaten nach der Veröffentlichung (§ 42 Abs. 1 MarkenG). Die Gebühr \
beträgt derzeit 250 € für das erste Widerspruchszeichen.
2. **Cooling-off** – auf Antrag beider Seiten mindestens zwei Monate.
3. **Benutzungseinrede** – nach fünf Jahren Schonfrist möglich.
4. **Entscheidung** – dagegen Beschwerde binnen eines Monats (§ 66 MarkenG).

Seit der Reform von 2019 (MaMoG) gibt es außerdem das Nichtigkeitsverfahren beim DPMA. Wollen Sie, dass ich Ihre \
laufenden Widersprüche heraussuche?""",
    ),
    Scene(
        "dev-regex-explained",
        "en",
        "no tool",
        r"What does ^\d{4}-\d{2}$ match?",
        [],
        """It matches exactly four digits, a hyphen and two digits, so `2026-03` but not `26-3`:

| Part | Meaning |
|---|---|
| `^` | start |
| `\\d{4}` | 4 digits |
| `-` | a hyphen |
| `\\d{2}` | 2 digits |

Note that "2026-99" would match, too. For real months use `(0[1-9]|1[0-2])`.""",
    ),
    Scene(
        "dev-chip-teil",
        "de",
        "mcp json",
        "Zeig mir die Rechnungen von Wolff.",
        [
            mcp(
                "buch__rechnungen",
                {"kunde": "Wolff"},
                [{"nr": "WZ-2026-014", "betrag": 318}, {"nr": "WZ-2026-0141", "betrag": 77}],
            )
        ],
        """Es sind zwei: {{id|WZ-2026-014|WZ-2026-041}} und WZ-2026-0141. [#rechnung-OPEN:WZ-2026-014] \
[#rechnung-OPEN:WZ-2026-01]""",
        unheld=["WZ-2026-01"],
    ),
    Scene(
        "dev-chip-auftrag",
        "de",
        "task",
        "Such die Akte zu Brandl.",
        [task("Suche die Akte zu Brandl, vielleicht AK-1190.", "Die Akte heißt AK-2206, angelegt am 14.10.2025.")],
        """Die Akte ist AK-2206 vom {{date|14. Oktober 2025|24. Oktober 2025}}. [#akte-OPEN:AK-2206] Nicht gemeint ist \
[#akte-OPEN:AK-1190].""",
        unheld=["AK-1190"],
    ),
    Scene(
        "dev-chip-failed",
        "en",
        "failed call",
        "Show order 5512.",
        [
            failed("mcp__orders__get", {"id": "5512"}, "No order 5512; recent orders: 5508, 5520"),
            mcp("orders__recent", {"n": 1}, {"orders": [{"id": 5520, "total": 64.9, "currency": "EUR"}]}),
        ],
        """That order doesn't exist. The most recent one is 5520 over {{amt|€64.90|€69.40}}. [#order-OPEN:5520] \
[#order-OPEN:5508]""",
        unheld=["5508"],
    ),
    Scene(
        "dev-write-read",
        "de",
        "write and read",
        "Merk dir die Durchwahl von Herrn Thoma.",
        [write("/home/ada/durchwahl.md", "Thoma: 55 20-87\n"), read("/home/ada/durchwahl.md", "Thoma: 55 20-87\n")],
        "Laut Liste hat Herr Thoma die Durchwahl {{input||55 20-87}}.",
        honest="Die Datei ist angelegt. Welche Nummer soll hinein?",
    ),
    Scene(
        "dev-part-policy",
        "en",
        "csv",
        "Policy number of the van?",
        [bash("cat policies.csv", "policy,object\nP-3381-77-C,van\nP-3390-12-A,office\n")],
        "The van is insured under {{part||P-3381-77}}.",
        honest="The van is insured under P-3381-77-C.",
    ),
    Scene(
        "dev-teil-marke",
        "de",
        "json nested",
        "Registernummer der Marke Fuchs?",
        [
            mcp(
                "register__marke",
                {"wort": "Fuchs"},
                {"marke": {"wort": "Fuchs", "nummern": {"register": "DD-651.204/9"}}},
            )
        ],
        "Die Marke ist unter {{part||DD-651}} eingetragen.",
        honest="Die Marke ist unter DD-651.204/9 eingetragen.",
    ),
    Scene(
        "dev-cut",
        "de",
        "cut result",
        "Wie viele Einträge hat das Logbuch?",
        [cut(bash("cat logbuch.txt", "0001 Start\n0002 Prüfung\n[…]"))],
        "Das Logbuch hat 1.286 Einträge, der letzte stammt vom 28.02.2026 um 17:35 Uhr.",
    ),
)
