"""English: what is true but looks otherwise than in the result. Few plants, many traps."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, grep, mcp, read
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
SALES_HEAD = ("region", "orders", "revenue_usd", "returns")
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
        """Row 3906 of the file has {{cnt|11 columns|10 columns}} instead of 12. The parser raises in \
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
        """Online leads with {{cnt|4,021 orders|4,201 orders}} and {{amt|$265,480.00|$256,480.00}} in revenue, i.e. \
48.6% of the \
total of {{amt|$545,819.75|$554,819.75}}. West follows ({{amt|$121,904.25|$129,104.25}}).

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
{{amt|$122,000|$132,000}}.""",
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
        """They grew by 25% twice in a row: from {{cnt|480 sign-ups|408 sign-ups}} in December to 600 in January and \
{{cnt|750|705}} in \
February. \
That's {{cnt|1,830 sign-ups|1,380 sign-ups}} in the quarter, 610 a month on average. At this pace you'd see more than \
900 in March, but \
that's \
only an extrapolation.""",
    ),
)
