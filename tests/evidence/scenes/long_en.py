"""English: long answers over several calls, and results whose missing part nobody can judge."""

from __future__ import annotations

from tests.evidence.results import bash, cut, earlier, mcp, read, task
from tests.evidence.scene import Scene
from tests.evidence.tables import records

SERVER = """host      cpu%  mem%  disk%  uptime
web-1     34    61    48     41d
web-2     29    58    47     41d
db-1      77    88    83     112d
db-2      12    43    82     3d
cache-1   8     71    15     41d"""

SCENES = (
    Scene(
        "server-report-en",
        "en",
        "several calls",
        "Give me the weekly server report.",
        [
            bash("fleet status", SERVER),
            bash("journalctl -p err --since -7d | wc -l", "37\n"),
            mcp(
                "alerts__list",
                {"days": 7},
                {
                    "rows": records(
                        ("id", "host", "at", "what"),
                        (
                            ("AL-901", "db-1", "2026-02-26T03:12:00Z", "memory above 85 %"),
                            ("AL-904", "db-2", "2026-02-27T10:40:00Z", "rebooted after kernel update"),
                            ("AL-907", "db-1", "2026-03-01T22:05:00Z", "disk above 80 %"),
                        ),
                    ),
                    "more": 0,
                },
            ),
        ],
        """# Weekly report

All {{cnt|five hosts|nine hosts}} are up. Details:

1. **db-1** is the one to watch: CPU {{num|77%|79%}}, memory {{num|88%|98%}}, disk {{num|83%|93%}}. It has been up for \
{{num|112 days|21 days}}.
2. **db-2** was rebooted on {{date|27 Feb|25 Feb}} at {{time|10:40|14:10}} UTC after a kernel update; its disk is at \
82% as well.
3. **cache-1** is bored (8% CPU).

| Alert | Host | What |
|---|---|---|
| {{id|AL-901|AL-910}} | db-1 | memory above 85 % |
| AL-904 | db-2 | {{quo|rebooted after kernel update|rebooted after power loss}} |
| AL-907 | db-1 | disk above 80 % |

Two of the three alerts concern db-1. The journal has {{cnt|37 errors|73 errors}}. I'd suggest:

- [ ] plan 2 TB more for both databases
- [ ] reboot db-1 in a maintenance window of 30 minutes""",
    ),
    Scene(
        "code-review-en",
        "en",
        "several calls",
        "Review the change, please.",
        [
            bash(
                "git diff --stat",
                " src/cart.py       | 18 +++++++++++++-----\n src/prices.py     |  6 +++---\n"
                " tests/test_cart.py | 41 +++++++\n"
                " 3 files changed, 57 insertions(+), 8 deletions(-)\n",
            ),
            read(
                "/srv/shop/src/cart.py",
                "def total(items, voucher=None):\n    amount = sum(item.price for item in items)\n"
                "    if voucher and amount > 20:\n        amount -= voucher.value\n    return round(amount, 2)",
                start=31,
                total=96,
            ),
        ],
        """## Review

{{cnt|Three files|Seven files}} changed, with {{cnt|57 insertions|75 insertions}} and {{cnt|8 deletions|28 deletions}}.

**1. `{{line|src/cart.py:33|src/cart.py:133}}`** – the limit of 20 is a magic number; I'd name it `VOUCHER_MINIMUM`.

**2. `src/cart.py:35`** – `round` uses banker's rounding: `round(2.675, 2)` gives 2.67. For money, use `Decimal`:

```python
VOUCHER_MINIMUM = Decimal("20.00")
amount = amount.quantize(Decimal("0.01"), ROUND_HALF_UP)
```

**3. Tests** – {{cnt|41 lines|14 lines}} of new tests, nice.

Nothing here blocks the merge. Shall I apply points 1 and 2?""",
    ),
    Scene(
        "cut-en",
        "en",
        "cut result",
        "How long did the build take?",
        [cut(bash("make all", "compiling 412 units\n[…]"))],
        """The build of 412 units took 8 min 52 s; the slowest unit was `render.cc` with 94 seconds.""",
    ),
    Scene(
        "cut-earlier-en",
        "en",
        "cut result",
        "And who was on the list for April?",
        [earlier(cut(mcp("roster__list", {"year": 2026}, "Jan: Ashe\nFeb: Nair\n[…]")))],
        """On the list for April: “Becker, T.”, from the 13th to the 24th (ticket RO-664).""",
    ),
    Scene(
        "onboarding-plan-en",
        "en",
        "task",
        "Prepare Tom's first week.",
        [
            task(
                "Collect what Tom needs in his first week.",
                "Start: Monday 9 March 2026, 9:00, reception (badge 0417).\nLaptop LT-2231 is "
                "ready.\nMandatory trainings: security (45 min), fire safety (30 min), GDPR (60 min).\n"
                "Buddy: Priya Nair, ext. 214.",
            )
        ],
        """### Tom's first week

**Monday, {{date|9 March|16 March}}, {{time|9 am|8 am}}** – reception, badge 0417, laptop {{id|LT-2231|LT-2213}}

Trainings:

1. Security – {{num|45 minutes|35 minutes}}
2. Fire safety – half an hour
3. GDPR – {{num|60 minutes|90 minutes}}

That's {{num|135 minutes|153 minutes}} or two and a quarter hours altogether. His buddy is Priya Nair (ext. 214).

**Friday** – I'd plan a short feedback talk of about 20 minutes. Shall I send the invitations?""",
    ),
)
