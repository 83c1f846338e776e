"""English: an office; contacts, the web, contracts, what failed."""

from __future__ import annotations

import json

from tests.evidence.results import bash, earlier, failed, mcp, web_fetch, web_search
from tests.evidence.scene import Scene
from tests.evidence.tables import by_id, psql

HEAD = ("invoice", "client", "issued", "due", "total", "status")
ROWS = (
    ("INV-2024-001", "Harbour Foods Ltd", "2026-01-12", "2026-02-11", "4,250.00", "paid"),
    ("INV-2024-014", "Aldgate Press", "2026-01-30", "2026-03-01", "1,180.50", "overdue"),
    ("INV-2024-017", "Harbour Foods Ltd", "2026-02-09", "2026-03-11", "640.00", "sent"),
    ("INV-2024-022", "Nordlicht GmbH", "2026-02-20", "2026-03-22", "12,900.00", "sent"),
    ("INV-2024-023", "Aldgate Press", "2026-02-27", "2026-03-29", "385.25", "draft"),
)

SCENES = (
    Scene(
        "contact-en",
        "en",
        "mcp json",
        "Give me the contact of Aldgate Press.",
        [
            mcp(
                "crm__contact",
                {"name": "Aldgate Press"},
                {
                    "id": "cu-0917",
                    "name": "Aldgate Press",
                    "person": "Moira Ashe",
                    "phone": "+44 20 7946 0812",
                    "since": "2019-05-06",
                    "note": "Prefers e-mail.\nNever call before 10.",
                },
            )
        ],
        """Your contact is Moira Ashe, customer {{id|cu-0917|cu-0971}}, a client since {{date|May 6, 2019|May 16, \
2019}}. \
The note says "{{quo|Prefers e-mail. Never call before 10.|Prefers phone calls in the afternoon.}}\"""",
    ),
    Scene(
        "search-rates-en",
        "en",
        "web search",
        "What's the current late payment rate in the UK?",
        [
            web_search(
                "UK statutory late payment interest rate 2026",
                [
                    ("Late commercial payments: charging interest", "https://www.gov.example/late-payments"),
                    ("Statutory interest explained", "https://smallbusiness.example/statutory-interest"),
                ],
                "Statutory interest is 8% plus the Bank of England base rate. With the base rate at 3.75%, that is "
                "11.75% for debts that became overdue in the first half of 2026.",
            )
        ],
        """Statutory interest is {{num|8%|9%}} above the base rate. With a base rate of {{num|3.75 %|3.25 %}} this \
gives \
{{num|11.75%|12.25%}} for debts that fell due in the first half of 2026. See [{{name|Late commercial payments: \
charging \
interest|Late Payment Act guidance}}](https://www.gov.example/late-payments).""",
    ),
    Scene(
        "search-echo-en",
        "en",
        "web search",
        "Did the fee for form 2031-B go up?",
        [web_search("form 2031-B fee 74.20 EUR since 2026-02-15", [], "No results were found for this search.")],
        """Yes, the fee is {{input||74.20 EUR}} now.""",
        honest="""I found nothing about that form. Do you know which office issues it?""",
    ),
    Scene(
        "fetch-holiday-en",
        "en",
        "web fetch",
        "When is the EPO closed around Easter?",
        [
            web_fetch(
                "https://www.epo.example/holidays",
                "Which days is the EPO closed in 2026?",
                "In 2026 the filing offices are closed on 1 January, 3 April (Good Friday), 6 April (Easter Monday), "
                "1 May, 14 May, 25 May, and from 24 to 31 December.",
            )
        ],
        """Around Easter it's closed on {{date|3 April|2 April}} (Good Friday) and {{date|6 April|7 April}} (Easter \
Monday). \
Under Rule 134(1) EPC a period ending on such a day extends to the next working day.""",
    ),
    Scene(
        "earlier-invoice-en",
        "en",
        "earlier turn",
        "And the draft?",
        [earlier(bash('psql -c "select * from invoices"', psql(HEAD, ROWS)))],
        """The draft is {{id|INV-2024-023|INV-2024-032}} for Aldgate Press: {{amt|385.25|358.25}}, dated \
{{date|2026-02-27|2026-02-25}}. Shall I send it?""",
    ),
    Scene(
        "invoice-failed-en",
        "en",
        "failed call",
        "What's the status of INV-2024-030?",
        [
            failed(
                "mcp__books__invoice",
                {"id": "INV-2024-030"},
                "<tool_use_error>No invoice INV-2024-030; the last one of that client is INV-2023-188</tool_use_error>",
            )
        ],
        """I couldn't find it, but the client also has {{failed||INV-2023-188}}, which is paid.""",
        honest="""I couldn't find INV-2024-030. Maybe the number is wrong?""",
    ),
    Scene(
        "question-values-en",
        "en",
        "page context",
        "My budget is 7,400 EUR, flight on 14 April at 7:20. Is that enough for a hotel at 189 EUR a night?",
        [mcp("travel__hotel", {"city": "Lisbon"}, {"hotel": "Miradouro", "nights": 4, "per_night": 189, "tax": 4})],
        """For {{cnt|4 nights|6 nights}} at 189 EUR you'd pay {{amt|756 EUR|776 EUR}}, well within your 7,400 EUR. \
Your flight \
on April 14 leaves at 7:20, so a taxi would be sensible. The quote is for the hotel “{{name|Miradouro|Mirante}}”.""",
        context={"route_name": "trips.edit", "entity_type": "trip", "entity_id": "tr-55"},
    ),
    Scene(
        "by-id-contracts-en",
        "en",
        "json by id",
        "Which contract ends first?",
        [
            bash(
                "cat contracts.json",
                json.dumps(
                    by_id(
                        ("id", "partner", "ends", "monthly"),
                        [
                            ("CT-81", "CleanCo", "2026-08-31", 420),
                            ("CT-92", "FiberNet", "2026-05-15", 89.9),
                            ("CT-97", "PrintLease", "2027-01-31", 133),
                        ],
                    ),
                    indent=2,
                ),
            )
        ],
        """The first to end is **{{id|CT-92|CT-29}}** with FiberNet, on {{date|15 May 2026|25 May 2026}}; it costs \
{{amt|89.90|98.90}} a month. All {{cnt|three|five}} contracts together come to {{amt|642.90|624.90}} per month.""",
    ),
)
