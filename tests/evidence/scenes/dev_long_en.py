"""English, for tuning: long answers that rest on several calls, with headings, lists, tables and questions at the \
end."""

from __future__ import annotations

from tests.evidence.results import bash, compact, earlier, failed, glob, grep, mcp, read, task, web_fetch
from tests.evidence.scene import Scene
from tests.evidence.tables import aligned, csv, markdown, records

TICKETS = (
    ("OPS-881", "closed", "Amara", "2026-02-02", "2026-02-04", 1),
    ("OPS-884", "closed", "Jonas", "2026-02-05", "2026-02-13", 2),
    ("OPS-889", "open", "Amara", "2026-02-11", "", 1),
    ("OPS-893", "waiting", "Jonas", "2026-02-16", "", 3),
    ("OPS-897", "open", "Yuki", "2026-02-23", "", 2),
    ("OPS-898", "closed", "Yuki", "2026-02-24", "2026-02-25", 3),
)

SCENES = (
    Scene(
        "dev-monthly-report-en",
        "en",
        "csv",
        "write the monthly ops report for February",
        [read("/srv/ops/tickets-2026-02.csv", csv(("key", "state", "owner", "opened", "closed", "prio"), TICKETS))],
        """# Ops report, February 2026

## Summary

{{cnt|Six|Thirteen}} tickets were opened in February; {{cnt|three|eleven}} of them ({{num|50%|75%}}) are closed. Two \
are open, and one – {{id|OPS-893|OPS-839}} – is waiting.

## Resolution times

| Ticket | Owner | Opened | Closed | Days |
| --- | --- | --- | --- | ---: |
| OPS-881 | Amara | Feb 2 | {{date|Feb 4|Feb 6}} | 2 |
| OPS-884 | Jonas | {{date|Feb 5|Feb 9}} | Feb 13 | {{num|8|15}} |
| OPS-898 | Yuki | Feb 24 | Feb 25 | 1 |

The median is two days, the mean 3⅔.

## Still open

- **{{id|OPS-889|OPS-869}}** (Amara, priority 1) has been open since {{date|Wednesday, 11 February|Wednesday, 18 \
February}}, i.e. for {{num|19 days|31 days}}.
- **OPS-897** (Yuki) was opened a week ago.

## Recommendation

A priority-1 ticket shouldn't stay open for more than a day or two; I'd escalate the first one today. Shall I draft \
the message?""",
    ),
    Scene(
        "dev-incident-timeline-en",
        "en",
        "several calls",
        "write a postmortem timeline for tonight's outage",
        [
            bash(
                "grep -h -E 'FATAL|started' /var/log/pg/*.log",
                "2026-03-02 01:12:09.882 UTC [3391] FATAL: sorry, \
too many clients already\n2026-03-02 01:47:30.001 UTC [1] LOG: database system was started, max_connections = 400\n",
            ),
            mcp(
                "pager__incident",
                {"id": "PD-5512"},
                {
                    "id": "PD-5512",
                    "triggered": "2026-03-02T01:14:00Z",
                    "acknowledged": {"at": "2026-03-02T01:21:00Z", "by": "Yuki Arai"},
                    "resolved": "2026-03-02T01:52:00Z",
                    "failed_requests": 23817,
                },
            ),
            failed(
                "mcp__metrics__query",
                {"expr": "rate(http_5xx[5m])"},
                "Error: range too long, 86460 points > \
11000",
            ),
        ],
        """## Timeline (all times UTC, {{date|2 March 2026|3 March 2026}})

- **{{time|01:12|01:22}}** – first `FATAL: {{quo|sorry, too many clients already|the database system is shutting down}}`
- **01:14** – alert {{id|PD-5512|PD-5521}} triggered
- **{{time|01:21|01:31}}** – acknowledged by “{{name|Yuki Arai|Yuki Araki}}” ({{num|7 minutes|17 minutes}} after the \
alert)
- **{{time|01:47|01:57}}** – database restarted with `max_connections = {{num|400|500}}`
- **01:52** – resolved

## Impact

{{num|23,817 requests|28,317 requests}} failed within {{num|40 minutes|55 minutes}}. I couldn't get the error rate, \
the metrics query was refused as too long.

## Next steps

1. Put a pooler in front of the database (PgBouncer in transaction mode).
2. Alert at 80 % of the connections instead of at the first failure.
3. Review in a week.""",
    ),
    Scene(
        "dev-lease-compare-en",
        "en",
        "several calls",
        "compare the two office offers",
        [
            read(
                "/home/mei/offers/dock9.txt",
                "DOCK 9\nArea: 410 sqm, 3rd floor\nRent: EUR 16.50 per sqm and \
month\nService charge: EUR 3.80 per sqm\nTerm: 5 years, from 1 July 2026\nDeposit: 3 months' rent\nBreak option after \
36 months\n",
            ),
            read(
                "/home/mei/offers/mill.txt",
                "OLD MILL\nArea: 385 sqm, ground floor + mezzanine\nRent: EUR 18.00 per \
sqm and month\nService charge: included\nTerm: 3 years, from 15 June 2026\nDeposit: EUR 15,000\n12 parking spaces at \
EUR 60\n",
            ),
        ],
        """| | Dock 9 | Old Mill |
| --- | --- | --- |
| Area | {{num|410 m²|440 m²}} | {{num|385 m²|358 m²}} |
| Rent per m² | {{amt|€16.50|€15.60}} | €18.00 |
| Service charge | {{amt|€3.80|€3.20}} | included |
| Start | {{date|1 July|1 August}} | {{date|mid-June|mid-May}} |
| Term | {{num|5 years|10 years}} | 3 years |
| Deposit | three months' rent | {{amt|€15,000|€51,000}} |

With the service charge, Dock 9 comes to €20.30 per m², so €8,323 a month against {{amt|€6,930|€6,390}} for the Old \
Mill. Over a year the difference is €16,716.

**But** Dock 9 has a break option after {{num|three years|two years}}, and at the Old Mill you'd probably want the \
{{cnt|12|22}} parking spaces ({{amt|€60|€90}} each, €720 together).

My take: the Old Mill is cheaper, smaller and two weeks earlier.""",
    ),
    Scene(
        "dev-migration-review-en",
        "en",
        "several calls",
        "review the last migration",
        [
            glob(
                "migrations/0*.sql",
                "migrations/0031_tags.sql",
                "migrations/0032_audit.sql",
                "migrations/0033_drop_legacy.sql",
            ),
            read(
                "/srv/app/migrations/0033_drop_legacy.sql",
                "-- drops what 0029 made superfluous\nBEGIN;\nSET \
lock_timeout = '5s';\nALTER TABLE orders DROP COLUMN legacy_ref;\nCREATE INDEX orders_created_idx ON orders \
(created_at);\nCOMMIT;\n",
            ),
            grep(
                "legacy_ref",
                "src/orders/export.py:88:    row['legacy_ref'],",
                "tests/test_export.py:19:    \
'legacy_ref': 'X-17',",
            ),
        ],
        """I looked at `{{id|0033_drop_legacy.sql|0034_drop_legacy.sql}}`, the latest of {{cnt|three|nine}} migrations.

**Blocking**

1. `legacy_ref` is dropped but still used in {{line|`src/orders/export.py:88`|`src/orders/export.py:98`}} and in a \
test ({{line|`tests/test_export.py:19`|`tests/test_export.py:91`}}). The export will fail with a `KeyError`.

**Should fix**

2. {{line|Line 5|Line 15}} creates an index inside a transaction, so writes are blocked meanwhile. `CREATE INDEX \
CONCURRENTLY` can't run in a transaction, so that needs a file of its own.

**Nice**

3. The lock timeout of {{num|5 s|8 s}} is a good idea. The comment says the column became superfluous with \
{{num|0029|0027}}: “{{quo|drops what 0029 made superfluous|removes columns nobody reads any more}}”.

Do you want me to split it?""",
    ),
    Scene(
        "dev-course-plan-en",
        "en",
        "mcp several texts",
        "when are my classes and what's due?",
        [
            mcp(
                "campus__schedule",
                {"term": "2026S"},
                "MAT-204 Linear Algebra II | Mon 10:15-11:45 | H 1012 | first: 13 April 2026",
                "PHY-311 Optics Lab | Thu 14:00-17:00 | L-7 | first: 23 April 2026 | 9 sessions",
                "ESSAY: 2,500-3,000 words, due 26 June 2026, 23:59; counts 40 % of the grade",
            )
        ],
        """**Classes**

- **{{name|[Linear Algebra II](https://campus.example/204)|[Linear Algebra III](https://campus.example/204)}}**, \
Mondays {{time|10:15–11:45|10:45–12:15}} in {{id|H 1012|H 1021}}, starting {{date|April 13|April 20}}
- **Optics Lab** ({{id|PHY-311|PHY-331}}), Thursdays {{time|2–5 pm|3–6 pm}}, {{cnt|nine|thirteen}} sessions from \
{{date|23 April|30 April}}

**Due**

- Essay of {{num|2,500 to 3,000 words|2,200 to 3,600 words}} by {{date|Friday, 26 June|Friday, 19 June}}, one minute \
before midnight; it makes up {{num|40%|60%}} of the grade

At 500 words a day you'd need five to six days for a first draft, so start by mid-June at the latest.""",
    ),
    Scene(
        "dev-bill-split-en",
        "en",
        "mcp text",
        "Split the dinner between the five of us, Yuki doesn't drink",
        [
            mcp(
                "receipts__scan",
                {"image": "IMG_0092.jpg"},
                "TRATTORIA DA ENZO\n28/02/2026 20:47 Table 14\n5 Menu del \
giorno 27,00 135,00\n2 Vino rosso 0,75 l 26,50 53,00\n3 Acqua 3,50 10,50\n5 Espresso 2,40 12,00\nTOTALE EUR 210,50\n",
            )
        ],
        """The bill from {{date|Saturday|Sunday}} night ({{time|8:47 pm|9:17 pm}}, table {{num|14|41}}) is \
**{{amt|€210.50|€201.50}}**:

- Food, water and coffee: €157.50, so €31.50 for each of the five
- Wine: {{amt|€53.00|€58.00}}, so €13.25 for each of the four who drank

| Who | Pays |
| --- | ---: |
| Yuki | **€31.50** |
| everyone else | **€44.75** |

The set menu was {{amt|€27|€29}} each, an espresso {{amt|€2.40|€4.20}}. Rounding up to €35 and €50 would leave a tip \
of about 12 %.""",
    ),
    Scene(
        "dev-dependency-report-en",
        "en",
        "subagent",
        "research which charting library we should use",
        [
            task(
                "Compare charting libraries: size, licence, last release.",
                "# Findings\n\n"
                + markdown(
                    ("Library", "Size (gz)", "Licence", "Last release", "Stars"),
                    (
                        ("PlotLite", "41.3 kB", "MIT", "2026-01-30", "18,204"),
                        ("ChartForge", "96 kB", "Apache-2.0", "2025-11-12", "61,900"),
                        ("VizNine", "212 kB", "proprietary", "2026-02-14", "-"),
                    ),
                )
                + '\n\nPlotLite has no stacked areas. \
ChartForge\'s docs: "Canvas rendering is the default since v5."',
            ),
            web_fetch(
                "https://chartforge.example/changelog",
                "latest version",
                "ChartForge 5.4.1 – 12 November 2025. \
Fixes tooltips on touch devices; 14 contributors.",
            ),
        ],
        """### Comparison

| | PlotLite | ChartForge | VizNine |
| --- | --- | --- | --- |
| Size | {{num|41 kB|47 kB}} | {{num|96 kB|69 kB}} | 212 kB |
| Licence | MIT | Apache-2.0 | proprietary |
| Last release | {{date|Jan 30|Jan 20}} | {{date|Nov 12, 2025|Nov 21, 2025}} | {{date|Feb 14|Feb 24}} |
| Stars | {{num|18.2k|28.1k}} | {{num|~62,000|~26,000}} | – |

### Recommendation

**ChartForge** ({{num|5.4.1|5.1.4}}). It's more than twice the size of PlotLite, but PlotLite lacks stacked areas, \
which your dashboard uses. Its docs say “{{quo|Canvas rendering is the default since v5|SVG rendering will be removed \
in v6}}”, so it should cope with many points. VizNine is out because of the licence.

`npm install chartforge@5` would do. Want me to try it on one page?""",
    ),
    Scene(
        "dev-ssl-expiry-en",
        "en",
        "bash text",
        "when do our certificates expire?",
        [
            bash(
                "for h in www api mail; do echo $h; openssl x509 -enddate -serial -noout -in $h.pem; done",
                "www\nnotAfter=Mar 19 23:59:59 2026 GMT\nserial=04B7C91E20\napi\nnotAfter=May 30 12:00:00 2026 \
GMT\nserial=0A11F35D77\nmail\nnotAfter=Feb 28 23:59:59 2026 GMT\nserial=03C4E8A090\n",
            )
        ],
        """> [!WARNING]
> The certificate of **mail** expired on {{date|Saturday|Thursday}} (Feb 28), two days ago.

- `www` – {{date|March 19|March 29}}, i.e. in {{num|17 days|27 days}} (serial `{{id|04B7C91E20|04B7C19E20}}`)
- `api` – {{date|May 30|June 30}}, at {{time|noon GMT|6 pm GMT}} (serial `0A11F35D77`)

Let's Encrypt certificates are valid for 90 days and are usually renewed 30 days before they end, so `www` should \
have been renewed already. Check `systemctl list-timers certbot.timer`.""",
    ),
    Scene(
        "dev-inbox-triage-en",
        "en",
        "mcp json rows",
        "triage my inbox",
        [
            mcp(
                "mail__inbox",
                {"unread": True},
                {
                    "rows": records(
                        ("id", "from", "subject", "received", "kb"),
                        (
                            (
                                "a91",
                                "Grace Mwangi",
                                "Re: Offsite – hotel needs numbers by Thursday noon",
                                "2026-03-02T07:40",
                                18,
                            ),
                            ("a92", "payroll@firm.example", "Your payslip 02/2026", "2026-02-27T12:00", 96),
                            ("a95", "Kenji Sato", "Draft v2 (comments on pp. 3 and 11)", "2026-03-01T22:16", 1480),
                            (
                                "a97",
                                "Conference Desk",
                                "Early bird ends 15 March – save 120 EUR",
                                "2026-03-01T09:00",
                                44,
                            ),
                        ),
                    ),
                    "more": 26,
                },
            )
        ],
        """Of the unread mails I saw four (there are {{num|26 more|62 more}}):

**Reply today**

- **Grace Mwangi**, {{time|7:40|7:04}}: the hotel needs the numbers by {{date|Thursday|Friday}} noon

**This week**

- **Kenji Sato**: “{{name|Draft v2|Draft v4}}”, with comments on pages {{num|3|33}} and {{num|11|17}}; it has a large \
attachment ({{num|1.5 MB|5.1 MB}})
- **Conference Desk**: early bird until {{date|the 15th|the 25th}}, saves {{amt|€120|€850}}

**No action**

- Your payslip for February, received on Friday at {{time|noon|6 pm}}

Should I draft a reply to Grace?""",
    ),
    Scene(
        "dev-npm-audit-en",
        "en",
        "json indented",
        "anything critical in npm audit?",
        [
            earlier(bash("npm ls | wc -l", "918\n")),
            bash(
                "npm audit --json",
                compact(
                    {
                        "vulnerabilities": {
                            "path-match": {"severity": "high", "range": "<0.1.12", "fixAvailable": True},
                            "cookie-jar": {
                                "severity": "low",
                                "range": "<0.7.0",
                                "fixAvailable": {"name": "server-kit", "version": "5.0.1", "isSemVerMajor": True},
                            },
                        },
                        "metadata": {
                            "vulnerabilities": {"low": 1, "high": 1, "critical": 0, "total": 2},
                            "dependencies": {"prod": 311, "dev": 604, "total": 914},
                        },
                    },
                    2,
                ),
            ),
        ],
        """No, nothing critical. There are {{cnt|two|eleven}} findings in {{num|914 dependencies|941 dependencies}} \
({{num|311|331}} of them in production):

1. `{{name|path-match|path-mask}}` below **{{num|0.1.12|0.1.21}}** – high, `npm audit fix` solves it
2. `cookie-jar` below {{num|0.7.0|0.9.0}} – low, but needs `server-kit` {{num|5.0.1|5.1.0}}, a major update

I'd do the first now and plan the second; Express-like frameworks often change middleware signatures between majors.""",
    ),
    Scene(
        "dev-hours-list-en",
        "en",
        "aligned columns",
        "which branches are open on Saturday?",
        [
            bash(
                "cat branches.txt",
                aligned(
                    ("branch", "mon-fri", "sat", "phone"),
                    (
                        (
                            "North Gate",
                            "08:00-18:30",
                            "09:00-13:00",
                            "0161 \
496 0142",
                        ),
                        ("Riverside", "09:00-17:00", "closed", "0161 496 0187"),
                        (
                            "Old Town",
                            "07:30-19:00",
                            "08:30-16:00",
                            "0161 \
496 0110",
                        ),
                    ),
                ),
            )
        ],
        """Two of the three:

- **{{name|[North Gate](tel:+441614960142)|[North Bank](tel:+441614960142)}}** from 9 am to {{time|1 pm|3 pm}}, phone \
{{id|0161 496 0142|0161 496 0124}}
- **Old Town** from {{time|half past eight|half past nine}} until {{time|4 pm|2 pm}}

Riverside is closed on Saturdays; on weekdays it's open from nine to five. Old Town has the longest hours, eleven and \
a half a day.""",
    ),
)
