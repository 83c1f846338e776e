"""English: durations, periods, several sources, guesses beside data. Few plants, many traps."""

from __future__ import annotations

from tests.evidence.results import bash, mcp, read, task, web_fetch, write
from tests.evidence.scene import Scene

SCENES = (
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
                "Thursday, 5 March: 4 to 11 °C, "
                "wind 35 km/h in gusts, rain from 16:00, 6 mm. Sunrise 6:44, sunset 18:04.",
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
