"""English: what is true but looks otherwise than in the result, and what is said beside it. Few plants, many traps."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, grep, mcp, read, task, web_fetch, write
from tests.evidence.scene import Scene
from tests.evidence.tables import csv, psql, records

NGINX = """server {
    listen 443 ssl;
    server_name pay.shop.example;
    client_max_body_size 25m;
    proxy_read_timeout 90s;

    location /hooks/ {
        limit_req zone=hooks burst=40;
        proxy_pass http://10.20.4.17:9000;
    }
}"""

TRACE = """Traceback (most recent call last):
  File "/srv/shop/src/importer.py", line 87, in load
    rows = parse(handle)
  File "/srv/shop/src/parser.py", line 142, in parse
    raise ParseError(f"row {number}: expected 12 columns, got {len(cells)}")
parser.ParseError: row 3906: expected 12 columns, got 11"""

SALES_HEAD = ("region", "orders", "revenue", "returns")
SALES = (
    ("North", 1204, 88310.5, 41),
    ("South", 968, 70125.0, 57),
    ("West", 1533, 121904.25, 38),
    ("Online", 4021, 265480.0, 212),
)

SCENES = (
    Scene(
        "nginx-limits-en",
        "en",
        "read file",
        "How large may a webhook body be?",
        [read("/etc/nginx/sites/pay.conf", NGINX)],
        """Up to **{{num|25 MB|50 MB}}** (`client_max_body_size 25m`, {{line|pay.conf:4|pay.conf:14}}). Requests time \
out after \
{{num|90 seconds|60 seconds}}, a minute and a half, and are passed to {{id|10.20.4.17:9000|10.20.4.71:9000}}. Bursts \
of 40 are \
allowed under `/hooks/`.

Note that HTTP/1.1 itself sets no limit; most providers send less than 1 MB.""",
    ),
    Scene(
        "traceback-en",
        "en",
        "bash output",
        "Why did the import stop?",
        [bash("tail -6 import.log", TRACE)],
        """Row {{num|3906|3960}} of the file has {{cnt|11 columns|10 columns}} instead of 12. The parser raises in \
`{{line|src/parser.py:142|src/parser.py:124}}`, called from `src/importer.py:87`.

> {{quo|row 3906: expected 12 columns, got 11|row 3906: unexpected end of file}}

Two ways to fix it:

1. Repair the row (probably an unescaped `;`).
2. Let `parse` skip rows with fewer columns and log them.

I'd prefer option 1.""",
    ),
    Scene(
        "sales-share-en",
        "en",
        "psql table",
        "How did the regions do?",
        [bash("psql -f sales.sql", psql(SALES_HEAD, SALES))],
        """Online leads with {{cnt|4,021 orders|4,201 orders}} and {{amt|265,480.00|256,480.00}} in revenue, i.e. \
48.6% of the \
total of {{amt|545,819.75|554,819.75}}. West follows ({{amt|121,904.25|129,104.25}}).

All {{cnt|four regions|nine regions}} together had 7,726 orders and {{cnt|348|384}} returns, a return rate of about \
4.5%.""",
    ),
    Scene(
        "sales-rounded-en",
        "en",
        "csv",
        "Roughly?",
        [earlier(bash("cat sales.csv", csv(SALES_HEAD, SALES)))],
        """Roughly $546k in revenue, half of it online (about {{amt|$265k|$285k}}), from some 7,700 orders. West made \
around \
{{amt|122,000|132,000}}.""",
    ),
    Scene(
        "nested-quotes-en",
        "en",
        "mcp json",
        "What did the customer complain about?",
        [
            mcp(
                "desk__ticket",
                {"id": "SD-2290"},
                {
                    "id": "SD-2290",
                    "from": "Moira Ashe",
                    "opened": "2026-02-27T08:05:00Z",
                    "priority": 2,
                    "text": "Hi,\n\nthe label says “best before 02/26” but the box says 'best before 04/26'.\n"
                    "Which one   is right?\n\nMoira",
                },
            )
        ],
        """Ticket {{id|SD-2290|SD-2209}} from Moira Ashe ({{date|27 Feb|24 Feb}}, {{time|8:05 UTC|8:50 UTC}}):

> the label says "best before 02/26" but the box says "best before 04/26". Which one is right?

In short: “{{quo|Which one is right?|When do I get my money back?}}” It has priority 2.""",
    ),
    Scene(
        "explain-beside-data-en",
        "en",
        "mcp json",
        "Is our certificate OK?",
        [
            mcp(
                "tls__check",
                {"host": "shop.example"},
                {
                    "host": "shop.example",
                    "not_after": "2026-05-28T11:59:59Z",
                    "bits": 2048,
                    "issuer": "Example CA R11",
                    "chain": 3,
                },
            )
        ],
        """Yes. It was issued by “{{name|Example CA R11|Example CA E5}}” and is valid until {{date|28 May 2026|18 May \
2026}}, \
{{num|87 days|77 days}} from now. The key has {{num|2048 bits|3072 bits}}.

For comparison: certificates may be valid for at most 398 days today, and that goes down to 200 days and finally 47 \
days by \
2029. NIST considers 2048-bit RSA acceptable until 2030.""",
    ),
    Scene(
        "list-numbering-en",
        "en",
        "grep",
        "What do the release notes say about 6.2?",
        [
            grep(
                "6.2",
                "CHANGELOG.md:14:## 6.2.0 (2026-02-12)",
                "CHANGELOG.md:16:- Exports are 4x faster",
                "CHANGELOG.md:17:- Drops PostgreSQL 13",
            )
        ],
        """### 2. Release 6.2.0

Published on {{date|12 Feb 2026|21 Feb 2026}} ({{line|CHANGELOG.md:14|CHANGELOG.md:41}}):

1. “{{quo|Exports are 4x faster|Exports are 8x faster}}”
2. PostgreSQL 13 is no longer supported

### 3. What that means for us
We run on a newer version, so there's nothing to do.""",
    ),
    Scene(
        "percent-change-en",
        "en",
        "mcp json rows",
        "How did sign-ups develop?",
        [
            mcp(
                "stats__signups",
                {"months": 3},
                {"rows": records(("month", "signups"), (("2025-12", 480), ("2026-01", 600), ("2026-02", 750)))},
            )
        ],
        """They grew by 25% twice in a row: from {{cnt|480|408}} in December to 600 in January and {{cnt|750|705}} in \
February. \
That's {{cnt|1,830|1,380}} in the quarter, 610 a month on average. At this pace you'd see more than 900 in March, but \
that's \
only an extrapolation.""",
    ),
    Scene(
        "duration-en",
        "en",
        "mcp records",
        "How long are tomorrow's jobs?",
        [
            mcp(
                "jobs__plan",
                {"day": "2026-03-03"},
                "J-51 reindex, starts 01:00, 2 h 20 min",
                "J-52 vacuum, starts 03:30, 45 min",
                "J-53 report mail, starts 06:00, 5 min",
            )
        ],
        """Three jobs are planned for tomorrow, {{num|3 h 10 min|4 h 25 min}} in total:

- {{id|J-51|J-57}}: reindex, {{time|1:00|1:30}} to 3:20 am
- J-52: vacuum, from {{time|3:30|3:50}}, three quarters of an hour
- J-53: report mail at 6 am, {{num|5 minutes|15 minutes}}""",
    ),
    Scene(
        "question-back-en",
        "en",
        "read file",
        "Can we keep customer data for ten years?",
        [
            read(
                "/home/kim/legal/retention.md",
                "# Retention\n\n- Invoices: 8 years (since 2025, before: 10)\n- Applications: 6 months\n"
                "- Logs: 30 days\n- Customer accounts: 3 years after the last order\n",
            )
        ],
        """Not all of it. According to your policy:

| Data | Kept for |
|---|---|
| Invoices | {{num|8 years|11 years}} |
| Applications | {{num|6 months|9 months}} |
| Logs | {{num|30 days|90 days}} |
| Accounts | {{num|3 years|9 years}} after the last order |

Art. 5(1)(e) GDPR would forbid a general period of ten years. Do you need an exception for one of the \
{{cnt|four|nine}} groups?""",
    ),
    Scene(
        "read-window-en",
        "en",
        "read file",
        "What happens around line 240 of sync.py?",
        [
            read(
                "/srv/shop/src/sync.py",
                "def flush(queue):\n    while queue:\n        batch = queue[:100]\n        push(batch)\n"
                '        del queue[:100]\n    log.info("flushed")',
                start=238,
                total=411,
            )
        ],
        """`flush` starts in {{line|src/sync.py:238|src/sync.py:538}} and pushes batches of {{num|100 items|250 \
items}} \
(src/sync.py:240–242). At the end it logs "{{quo|flushed|queue drained}}" (line 243). The file has {{cnt|411 \
lines|441 lines}}.""",
    ),
    Scene(
        "several-files-en",
        "en",
        "several calls",
        "Do the two configs agree?",
        [
            bash("cat prod.env", "WORKERS=12\nTIMEOUT=30\nREGION=eu-central-1\nDEBUG=0\n"),
            bash("cat stage.env", "WORKERS=4\nTIMEOUT=30\nREGION=eu-west-3\nDEBUG=1\n"),
        ],
        """Three of the {{cnt|four settings|six settings}} differ:

- `WORKERS`: 12 in production, 4 on stage
- `REGION`: `eu-central-1` vs. `{{id|eu-west-3|eu-west-1}}`
- `DEBUG`: 0 vs. 1

`TIMEOUT` is {{num|30 s|45 s}} in both.""",
    ),
    Scene(
        "wrote-summary-en",
        "en",
        "write and read",
        "Write a short summary of the incident into summary.md.",
        [
            read(
                "/srv/ops/incident.log",
                "21:14 queue stalls\n21:32 on-call paged\n21:50 db-2 restarted\n22:05 backlog of 5,120 cleared\n",
            ),
            write("/srv/ops/summary.md", "# Incident\nFrom 21:14 to 22:05 the queue stalled.\n"),
        ],
        """I wrote `summary.md`. The incident lasted {{num|51 minutes|61 minutes}}, from {{time|21:14|21:41}} until \
{{time|22:05|22:50}}; on-call was paged after {{num|18 minutes|28 minutes}}. A backlog of {{cnt|5,120|5,210}} \
messages was cleared.""",
    ),
    Scene(
        "guess-labelled-en",
        "en",
        "task",
        "How long will the migration take?",
        [
            task(
                "Estimate the size of the old database.",
                "Size on disk 184 GB, 61 tables, largest: events (1.2 billion rows).",
            )
        ],
        """The database has {{num|184 GB|148 GB}} in {{cnt|61 tables|16 tables}}; the largest is `events` with \
{{cnt|1.2 billion rows|2.1 billion rows}}. At 50 MB/s – a cautious guess – copying takes a little over an hour; plan \
3 hours with \
the indexes. Shall I try it with one table?""",
    ),
    Scene(
        "weather-page-en",
        "en",
        "web fetch",
        "Can we do the site visit on Thursday?",
        [
            web_fetch(
                "https://weather.example/freising",
                "forecast for Thursday 5 March",
                "Thursday: 4 to 11 °C, wind 35 km/h in gusts, rain from 16:00, 6 mm. Sunrise 6:44, sunset 18:04.",
            )
        ],
        """Yes, in the morning: Thursday, {{date|March 5|March 12}}, stays dry until {{time|4 pm|2 pm}}, with at most \
{{num|11 °C|17 °C}} and gusts of {{num|35 km/h|53 km/h}}. Take off before then; {{num|6 mm|16 mm}} of rain are \
expected. Sunset is \
at {{time|18:04|18:40}}.""",
    ),
    Scene(
        "filter-context-en",
        "en",
        "page context",
        "How many of these are high priority?",
        [
            mcp(
                "desk__list",
                {"filter": "open"},
                "SD-2281 high\nSD-2284 low\nSD-2285 high\nSD-2290 normal\nSD-2291 high\nSD-2293 low\n",
            )
        ],
        """Of the six tickets in the view "open, last 30 days" three are high: SD-2281, {{id|SD-2285|SD-2258}} and \
SD-2291. That's \
{{num|50 %|55 %}}. You've selected SD-2293, which is low.""",
        context={
            "route_name": "tickets.index",
            "view": "table",
            "filter": "open, last 30 days",
            "selection": "SD-2293",
        },
    ),
)
