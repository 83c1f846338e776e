"""English: an office; invoices above all."""

from __future__ import annotations

from tests.evidence.results import bash, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import csv, markdown, psql, records

HEAD = ("invoice", "client", "issued", "due", "total", "status")
ROWS = (
    ("INV-2024-001", "Harbour Foods Ltd", "2026-01-12", "2026-02-11", "4,250.00", "paid"),
    ("INV-2024-014", "Aldgate Press", "2026-01-30", "2026-03-01", "1,180.50", "overdue"),
    ("INV-2024-017", "Harbour Foods Ltd", "2026-02-09", "2026-03-11", "640.00", "sent"),
    ("INV-2024-022", "Nordlicht GmbH", "2026-02-20", "2026-03-22", "12,900.00", "sent"),
    ("INV-2024-023", "Aldgate Press", "2026-02-27", "2026-03-29", "385.25", "draft"),
)
CASES = {
    "UPC_CFI_411/2025": {
        "parties": "Vega Imaging v Solaris Optics",
        "division": "Munich",
        "hearing": "2026-06-18",
        "value": "2,000,000 EUR",
    },
    "EP 3 771 234 B1": {
        "parties": "Opposition by Solaris Optics",
        "division": "EPO",
        "hearing": "2026-09-02",
        "value": None,
    },
}

SCENES = (
    Scene(
        "invoices-open-en",
        "en",
        "psql table",
        "Which invoices are still open?",
        [bash('psql -c "select * from invoices"', psql(HEAD, ROWS))],
        """Apart from the draft, three invoices are unpaid:

| Invoice | Client | Due | Total |
|---|---|---|---:|
| {{id|INV-2024-014|INV-2024-041}} | Aldgate Press | {{date|March 1|March 7}} (overdue) | £1,180.50 |
| INV-2024-017 | Harbour Foods Ltd | 11 March 2026 | {{amt|£640.00|£460.00}} |
| INV-2024-022 | Nordlicht GmbH | {{date|22 March 2026|27 March 2026}} | {{amt|£12,900.00|£12,090.00}} |

Altogether that is **{{amt|£14,720.50|£14,270.50}}**.""",
    ),
    Scene(
        "invoices-client-en",
        "en",
        "mcp json rows",
        "What does Harbour Foods owe us?",
        [mcp("books__invoices", {"client": "Harbour"}, {"rows": records(HEAD, [ROWS[0], ROWS[2]]), "more": 0})],
        """Harbour Foods has {{cnt|two|five}} invoices, of which one is paid. What's left is \
{{id|INV-2024-017|INV-2024-071}} over {{amt|640.00|604.00}}, due on {{date|03/11/2026|03/18/2026}} — {{num|9 days|14 \
days}} \
from today.""",
    ),
    Scene(
        "invoices-count-en",
        "en",
        "csv",
        "Quick stats please",
        [bash("cat invoices.csv", csv(HEAD, [[cell.replace(",", "") for cell in row] for row in ROWS]))],
        """- {{cnt|5 invoices|7 invoices}}, {{amt|19,355.75|19,535.75}} in total
- 2 sent, 1 paid, 1 overdue, 1 draft
- {{num|40%|35%}} of them were sent but not paid
- largest: {{amt|12,900|11,900}} (Nordlicht GmbH), about {{num|67%|58%}} of everything""",
    ),
    Scene(
        "invoices-february-en",
        "en",
        "markdown table",
        "How many did we issue in February?",
        [read("/home/kim/office/invoices.md", markdown(HEAD, ROWS))],
        """{{cnt|Three|Nine}}: on the 9th, the 20th and the 27th of February, over {{amt|13,925.25|13,295.25}} in \
all. In \
January it were two. The average of the five is {{amt|3,871.15|3,781.15}}.""",
    ),
    Scene(
        "hearings-en",
        "en",
        "json by id",
        "When are the hearings?",
        [mcp("docket__cases", {}, CASES, indent=2)],
        """There are two hearings this year:

**{{file|UPC_CFI_411/2025|UPC_CFI_441/2025}}** (Vega Imaging v Solaris Optics), Munich division, on \
{{date|18 June 2026|16 June 2026}}. The value in dispute is {{amt|EUR 2 million|EUR 5 million}}.

**{{file|EP 3 771 234 B1|EP 3 711 234 B1}}**, opposition before the EPO, on 2 September 2026, {{num|76 days|86 days}} \
after \
the first one. Under Rule 116 EPC, written submissions are due before oral proceedings.""",
    ),
    Scene(
        "meeting-notes-en",
        "en",
        "read file",
        "What did we agree with the landlord?",
        [
            read(
                "/home/kim/office/notes/landlord.txt",
                "Meeting with Mr Okafor, 24 Feb 2026, 10:00-10:45\n\n"
                "Rent stays at GBP 3,150 per month until 31 Dec 2026.\n"
                "Break clause: notice of six months, first possible on 30 June 2027.\n"
                '"We will repaint the second floor at our own cost" (Okafor).\nParking spaces 11 and 12 are ours.',
            )
        ],
        """You met Mr Okafor on {{date|24 February|23 February}} at {{time|10 a.m.|11 a.m.}} and agreed:

* The rent stays at {{amt|£3,150|£3,510}} per month until the end of 2026 — that's {{amt|£37,800|£42,120}} a year.
* Notice period: six months; the earliest date is {{date|30 June 2027|31 March 2027}}.
* They'll repaint: “{{quo|We will repaint the second floor at our own cost|We will renovate both floors before the \
summer}}”.
* Parking spaces 11 and 12 belong to you.""",
    ),
    Scene(
        "calendar-en",
        "en",
        "mcp records",
        "What's on my calendar tomorrow?",
        [
            mcp(
                "calendar__events",
                {"day": "2026-03-03"},
                {
                    "id": "ev-301",
                    "start": "2026-03-03T09:30",
                    "end": "2026-03-03T10:15",
                    "title": "Stand-up with design",
                },
                {"id": "ev-302", "start": "2026-03-03T13:00", "end": "2026-03-03T14:30", "title": "Lunch with Priya"},
                {"id": "ev-307", "start": "2026-03-03T16:45", "end": "2026-03-03T17:00", "title": "Call the insurer"},
            )
        ],
        """Tomorrow, Tuesday, you have {{cnt|three|four}} entries:

- **{{time|9:30|9:00}}** “{{name|Stand-up with design|Review with design}}” ({{num|45 minutes|40 minutes}})
- **1 pm** lunch with Priya
- **{{time|4:45 pm|5:15 pm}}** call the insurer

Between the first and the second there's a gap of nearly three hours. [#event-OPEN:ev-301]""",
    ),
)
