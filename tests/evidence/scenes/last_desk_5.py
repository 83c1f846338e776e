"""English: a small team's tickets and tables."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, edit, mcp, read, task
from tests.evidence.scene import Scene
from tests.evidence.tables import aligned, csv, markdown, psql, records

TICKET_HEAD = (
    "key",
    "title",
    "type",
    "status",
    "assignee",
    "priority",
    "created",
    "updated",
    "estimate_h",
    "spent_h",
    "sprint",
    "watchers",
)
TICKETS = [
    line.split("|")
    for line in """\
WEB-311|Booking form rejects umlauts|bug|in progress|noor|high|2026-02-11|2026-02-27|5|6.5|S14|4
WEB-318|New price table for spring|task|done|ewan|medium|2026-02-12|2026-02-25|3|2|S14|2
WEB-322|Newsletter bounces from qmail.example|bug|open|-|high|2026-02-16|2026-02-16|4|0|S14|6
WEB-325|Alt texts in the gallery|task|in review|ewan|low|2026-02-17|2026-02-26|8|7|S14|1
WEB-329|Payment page shows old VAT rate|bug|done|noor|urgent|2026-02-18|2026-02-19|2|3|S14|9
WEB-330|Export of guests as CSV|feature|open|tamsin|medium|2026-02-19|2026-02-20|12|0|S15|3
WEB-333|Cookie banner covers the menu|bug|in progress|tamsin|medium|2026-02-23|2026-02-27|3|1.5|S14|2
WEB-334|Move DNS to the new registrar|task|blocked|ewan|high|2026-02-23|2026-02-24|2|1|S14|5
WEB-338|Calendar off by one in April|bug|open|noor|urgent|2026-02-27|2026-02-28|4|0|S15|7""".splitlines()
]
ISSUE = """{
  "key": "WEB-334",
  "fields": {
    "summary": "Move DNS to the new registrar", "status": {"name": "Blocked", "id": "10042"},
    "assignee": {"displayName": "Ewan Trask", "accountId": "5d0c77e1"}, "priority": {"name": "High"},
    "created": "2026-02-23T09:41:07.000+0000", "duedate": "2026-03-12", "labels": ["infra", "dns"],
    "description": "Harrowgate Names ends our tariff on 31 March 2026. Move dunlinlodge.example and two more \
domains.",
    "comment": {"total": 3, "comments": [
      {"id": "28811", "author": "Ewan Trask", "created": "2026-02-23T15:20:44.000+0000",
       "body": "Zone exported: 34 records. TTL lowered from 86400 to 600."},
      {"id": "28816", "author": "Noor Haddow", "created": "2026-02-24T08:05:12.000+0000",
       "body": "Do not forget the MX of the old shop, it still gets mail."},
      {"id": "28820", "author": "Ewan Trask", "created": "2026-02-24T11:52:30.000+0000",
       "body": "Blocked: the auth code for dunlinlodge.example was refused, support case HN-40917 opened. They say \
5 working days."}
    ]},
    "issuelinks": [{"type": "blocks", "outwardIssue": {"key": "WEB-322"}}],
    "timetracking": {"originalEstimate": "2h", "timeSpent": "1h"}
  }
}"""
SLA_HEAD = (
    "month",
    "tickets",
    "first_reply_median_min",
    "first_reply_p90_min",
    "solved",
    "reopened",
    "csat",
    "answers",
)
SLA = [
    line.split("|")
    for line in """\
2025-09|212|47|310|205|9|4.31|88
2025-10|241|52|355|229|12|4.28|97
2025-11|268|61|402|250|17|4.12|104
2025-12|190|44|288|188|6|4.40|71
2026-01|305|73|498|271|21|3.97|126
2026-02|259|49|301|254|10|4.35|113""".splitlines()
]
ROTA_HEAD = ("Week", "Mon", "Tue", "Wed", "Thu", "Fri", "Weekend")
ROTA = (
    ("10 (2-8 Mar)", "Noor", "Noor", "Ewan", "Ewan", "Tamsin", "Tamsin"),
    ("11 (9-15 Mar)", "Ewan", "Ewan", "Tamsin", "Tamsin", "Noor", "Noor"),
    ("12 (16-22 Mar)", "Tamsin", "Tamsin", "Noor", "Noor", "Ewan", "Ewan"),
    ("13 (23-29 Mar)", "Noor", "Tamsin", "Tamsin", "Ewan", "Ewan", "Noor"),
)
ROTA_TEXT = "# Support rota March\n\n" + markdown(ROTA_HEAD, ROTA) + "\n\nHours 9-17, weekend on call only.\n"
STOCK_HEAD = ("sku", "item", "place", "on_hand", "reserved", "reorder_at", "unit_cost", "supplier", "lead_days")
STOCK = [
    line.split("|")
    for line in """\
LN-104|bath towel 70x140|store A|164|90|120|6.40|Hemsley|12
LN-108|hand towel|store A|310|90|150|2.15|Hemsley|12
LN-120|duvet cover double|store A|58|36|60|18.90|Hemsley|12
CL-007|all-purpose cleaner 5 l|cellar|7|0|4|11.25|Orbit Clean|3
CL-011|dishwasher tabs (100)|cellar|2|0|5|14.80|Orbit Clean|3
AM-310|soap bar 20 g|cellar|1240|400|800|0.19|Petal & Co|20
AM-315|shampoo sachet|cellar|380|400|600|0.23|Petal & Co|20""".splitlines()
]

SCENES = (
    Scene(
        "last-desk-sprint-state-en",
        "en",
        "psql table",
        "where does sprint 14 stand?",
        [
            bash(
                "psql tracker -c \"select * from tickets where updated > '2026-02-15' order by key\"",
                psql(TICKET_HEAD, TICKETS),
            )
        ],
        """Two of {{cnt|seven tickets|sixteen tickets}} in S14 are done:

- ✅ **Done:** WEB-318 (price table), {{id|WEB-329|WEB-392}} (VAT rate)
- 👀 **In review:** WEB-325 (alt texts)
- 🔧 **In progress:** WEB-311 (umlauts), WEB-333 (cookie banner)
- ⛔ **Blocked:** {{id|WEB-334|WEB-343}} (DNS)
- 💤 **Not started:** WEB-322 (newsletter bounces) – high priority, **nobody assigned**, untouched since {{date|16 \
February|14 February}}

Time: {{num|21 h|34 h}} spent of 27 h estimated. WEB-311 is over its estimate (6.5 h of 5 h), and so was WEB-329.""",
    ),
    Scene(
        "last-desk-sprint-bugs-en",
        "en",
        "mcp json rows",
        "open bugs by priority",
        [mcp("tracker__search", {"jql": "project = WEB"}, {"issues": records(TICKET_HEAD, TICKETS), "isLast": True})],
        """{{cnt|Four bugs|Fourteen bugs}} are not done yet:

1. **Urgent** – Calendar off by one in April, noor, since {{date|27 February|22 February}} [#ticket-OPEN:WEB-338]
2. **High** – Booking form rejects umlauts, noor [#ticket-OPEN:WEB-311]
3. **High** – Newsletter bounces from {{name|"qmail.example"|"hotpost.example"}}, unassigned [#ticket-OPEN:WEB-322]
4. **Medium** – Cookie banner covers the menu, tamsin [#ticket-OPEN:WEB-333]""",
    ),
    Scene(
        "last-desk-ticket-blocked-en",
        "en",
        "mcp json nested",
        "why is the dns move stuck and is it going to be a problem",
        [mcp("jira__get_issue", {"key": "WEB-334"}, ISSUE)],
        """The auth code for dunlinlodge.example was refused. Ewan opened support case {{id|HN-40917|HN-40971}} \
with Harrowgate on \
{{date|24 February|26 February}}; they quoted {{num|5 working days|15 working days}}, so an answer is due by tomorrow.

It's not critical yet: the ticket is due on 12 March, and the old tariff ends on {{date|31 March|30 April}}. But it \
blocks WEB-322. \
Already done: zone exported ({{cnt|34 records|43 records}}), TTL down to {{num|600|360}}.

Keep Noor's note in mind: the MX of the old shop {{quo|"still gets mail"|"is no longer used"}}. \
[#ticket-OPEN:WEB-334]""",
    ),
    Scene(
        "last-desk-support-trend-en",
        "en",
        "csv",
        "How's support doing compared with last autumn? two or three sentences for the newsletter",
        [read("/srv/reports/support_monthly.csv", csv(SLA_HEAD, SLA))],
        """> After a hard January ({{cnt|305 tickets|350 tickets}}, satisfaction down to 3.97), February was back \
to normal: 259 tickets, a median \
first reply after {{num|49 minutes|94 minutes}} and a satisfaction of {{num|4.35|4.53}} – better than in any month \
from September to November. \
We solved {{num|98 %|89 %}} of what came in, and only ten tickets had to be reopened, against {{cnt|21|32}} in \
January.""",
    ),
    Scene(
        "last-desk-support-quarter-en",
        "en",
        "subagent report",
        "total tickets + solve rate for the last half year",
        [
            task(
                "Read /srv/reports/support_monthly.csv and give me the monthly figures of support as a table",
                "Monthly figures, from support_monthly.csv:\n\n" + aligned(SLA_HEAD, SLA) + "\n\nNo month is missing.",
            )
        ],
        """September to February: **{{cnt|1,475 tickets|1,745 tickets}}**, {{cnt|1,397|1,793}} of them solved = \
{{num|94.7 %|97.4 %}}. Best month was \
December (98.9 %), weakest January ({{num|88.9 %|86.5 %}}).""",
    ),
    Scene(
        "last-desk-rota-weekends-en",
        "en",
        "markdown table",
        "who has which weekend in march? and swap noor and tamsin in week 13, monday",
        [
            read("/srv/wiki/rota_march.md", ROTA_TEXT),
            edit(
                "/srv/wiki/rota_march.md",
                "| 13 (23-29 Mar) | Noor | Tamsin | Tamsin |",
                "| 13 (23-29 Mar) | Tamsin | Noor | Tamsin |",
                ROTA_TEXT,
            ),
        ],
        """Weekends:

- {{date|7/8 March|6/7 March}}: Tamsin
- 14/15 March: Noor
- 21/22 March: Ewan
- {{date|28/29 March|26/27 March}}: Noor

Noor has two of them. I've made the swap in week 13: Tamsin now has Monday the {{date|23rd|25th}}, Noor Tuesday the \
24th.""",
    ),
    Scene(
        "last-desk-stock-order-en",
        "en",
        "aligned columns",
        "what do we need to order, counting reserved as gone",
        [bash("stockctl list --all", aligned(STOCK_HEAD, STOCK))],
        """{{cnt|Four|Thirteen}} of the seven items are below their reorder point:

| SKU | Item | Free | Reorder at | Lead time |
|---|---|---:|---:|---:|
| LN-104 | bath towel | {{num|74|47}} | 120 | 12 days |
| {{id|LN-120|LN-102}} | duvet cover double | 22 | 60 | 12 days |
| CL-011 | dishwasher tabs | 2 | 5 | 3 days |
| AM-315 | shampoo sachet | **−20** | 600 | {{num|20 days|28 days}} |

**Shampoo is the urgent one**: more is reserved than there is, and Petal & Co needs 20 days, so even an order today \
arrives on \
{{date|22 March|18 March}}. Soap bars come next (840 free, reorder at 800).""",
    ),
    Scene(
        "last-desk-earlier-estimate-en",
        "en",
        "earlier turn",
        "how many hours are planned for s15 then?",
        [
            earlier(
                mcp(
                    "tracker__search",
                    {"jql": "project = WEB"},
                    {"issues": records(TICKET_HEAD, TICKETS), "isLast": True},
                )
            )
        ],
        """{{num|16 hours|28 hours}} so far: 12 for the CSV export ({{id|WEB-330|WEB-303}}, tamsin) \
and {{num|4 h|24 h}} for the calendar bug (WEB-338, noor).""",
    ),
)
