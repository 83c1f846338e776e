"""English: a small software team; code, tests, commits, configuration."""

from __future__ import annotations

from tests.evidence.results import bash, glob, grep, mcp, read
from tests.evidence.scene import Scene

APP = '''"""Retries of the upload."""

import time

MAX_ATTEMPTS = 7
BACKOFF_SECONDS = 1.5


def upload(client, path):
    """Send the file; raises UploadFailed after MAX_ATTEMPTS."""
    for attempt in range(MAX_ATTEMPTS):
        try:
            return client.put(path)
        except ConnectionError:
            # The server drops idle connections after 75 seconds.
            time.sleep(BACKOFF_SECONDS * 2 ** attempt)
    raise UploadFailed(path)'''
PYTEST = """============================= test session starts ==============================
collected 148 items

tests/test_api.py ............................                           [ 18%]
tests/test_upload.py ....s...                                            [ 24%]

=================== 145 passed, 3 skipped in 12.84s ==========================="""
LOG = """commit 9f3c2e1b77
Author: Priya Nair <priya@shop.example>
Date:   Thu Feb 26 17:31:08 2026 +0100

    Raise the upload limit to 64 MB

commit 41d08aa9c3
Author: Tom Becker <tom@shop.example>
Date:   Tue Feb 24 09:05:41 2026 +0100

    Fix rounding in invoices (#512)

commit c0ffee1234
Author: Priya Nair <priya@shop.example>
Date:   Mon Feb 16 11:44:00 2026 +0100

    Drop support for Python 3.9"""
PORTS = """NAME        STATUS     PORT   UPTIME   MEMORY
api         running    8080   4d 6h    312 MB
worker      running    8081   4d 6h    845 MB
scheduler   stopped    8090   -        -
mailer      running    2525   19h      96 MB"""
ISSUE = {
    "number": 512,
    "title": "Invoice total is off by one cent",
    "state": "closed",
    "labels": ["bug", "billing"],
    "created_at": "2026-02-19T08:12:44Z",
    "closed_at": "2026-02-24T08:06:02Z",
    "comments": 6,
    "body": "Steps:\n1. Create an invoice with three items of 33.33\n2. Look at the total\n\n"
    'Expected "99.99 EUR", got "100.00 EUR".',
}

SCENES = (
    Scene(
        "upload-retry-en",
        "en",
        "read file",
        "How often do we retry an upload?",
        [read("/srv/shop/src/upload.py", APP)],
        """An upload is tried up to **{{num|7 times|5 times}}** before `UploadFailed` is raised \
(`{{line|src/upload.py:5|src/upload.py:58}}`). Between attempts the code waits {{num|1.5 seconds|2.5 seconds}}, \
doubled \
every time (`src/upload.py:16`).

The comment above the sleep explains why:

> {{quo|The server drops idle connections after 75 seconds.|The proxy closes idle connections after two minutes.}}""",
    ),
    Scene(
        "upload-range-en",
        "en",
        "read file",
        "Walk me through upload()",
        [read("/srv/shop/src/upload.py", APP)],
        """Step 1: the loop starts at `src/upload.py:11` and runs `MAX_ATTEMPTS` times.
Step 2: a `ConnectionError` is caught in line 14.
Step 3: after the last attempt {{line|src/upload.py:17|src/upload.py:117}} raises.

```python
for attempt in range(MAX_ATTEMPTS):
    try:
        return client.put(path)
```

So there are 3 things to test: success, one failure, and giving up. Do you want me to write those tests?""",
    ),
    Scene(
        "pytest-run-en",
        "en",
        "bash output",
        "Do the tests pass?",
        [bash("pytest -q", PYTEST)],
        """Yes. {{cnt|145 tests|154 tests}} passed and {{cnt|3|11}} were skipped, {{cnt|148|171}} in all, in \
{{num|12.84 s|18.24 s}}. That is a pass rate of about {{num|98%|93%}}.""",
    ),
    Scene(
        "git-log-en",
        "en",
        "git log",
        "What changed last week?",
        [bash("git log -3", LOG)],
        """Three commits, the newest first:

1. `{{id|9f3c2e1|9f2c3e1}}` – Priya Nair raised the upload limit to {{num|64 MB|128 MB}} ({{date|Feb 26, 2026|Feb 28, \
2026}})
2. `41d08aa` – Tom Becker fixed rounding in invoices ({{id|#512|#521}})
3. `c0ffee1` – support for Python 3.9 was dropped on {{date|16 February|18 February}}

Two of the three are Priya's. The last push was on Thursday at {{time|17:31|19:13}}.""",
    ),
    Scene(
        "services-en",
        "en",
        "aligned columns",
        "Is everything up?",
        [bash("svc list", PORTS)],
        """Not quite: {{cnt|three of four|seven of nine}} services are running, and `scheduler` is **stopped**.

| Service | Port | Memory |
|---|---:|---:|
| api | 8080 | 312 MB |
| worker | 8081 | {{num|845 MB|485 MB}} |
| mailer | 2525 | 96 MB |

Together they use {{num|1,253 MB|1,423 MB}}. The mailer was restarted {{num|19 hours|29 hours}} ago; the other two \
have been \
up for {{num|4 days|9 days}}.""",
    ),
    Scene(
        "issue-en",
        "en",
        "mcp json",
        "What's issue 512 about?",
        [mcp("tracker__get_issue", {"number": 512}, ISSUE)],
        """Issue #512, “{{quo|Invoice total is off by one cent|Invoice total ignores the discount}}”, is closed. It \
was \
opened on {{date|19 February 2026|9 February 2026}} and closed {{num|five days|eight days}} later; there are \
{{cnt|6|16}} comments. The reporter expected {{amt|99.99 EUR|99.66 EUR}} and got 100.00 with three items of 33.33 \
each.""",
    ),
    Scene(
        "grep-todo-en",
        "en",
        "grep",
        "Any TODOs left in billing?",
        [
            grep(
                "TODO",
                "src/billing/invoice.py:41:    # TODO: credit notes",
                "src/billing/invoice.py:203:    # TODO: reverse charge for CH",
                "src/billing/export.py:17:# TODO(tom): DATEV format 7.0",
                "src/billing/tax.py:9:# TODO: rates after 2026-07-01",
            )
        ],
        """There are {{cnt|four|eleven}} TODOs in {{cnt|three|six}} files:

- {{line|src/billing/invoice.py:41|src/billing/invoice.py:14}} — credit notes
- src/billing/invoice.py:203 — "{{quo|reverse charge for CH|reverse charge for Norway}}"
- [export.py:17](src/billing/export.py) — DATEV format, assigned to Tom
- src/billing/tax.py:9 — tax rates after {{date|July 1, 2026|June 1, 2026}}

Half of them are in `invoice.py`.""",
    ),
    Scene(
        "rg-usage-en",
        "en",
        "bash rg",
        "Who calls send_mail?",
        [
            bash(
                "rg -n send_mail src",
                "src/orders.py:88:        send_mail(customer, template)\n"
                "src/users.py:31:    send_mail(user, 'welcome')\nsrc/mail.py:12:def send_mail(to, template):\n",
            )
        ],
        """`send_mail` is defined in {{line|src/mail.py:12|src/mail.py:42}} and called from two places: \
`src/orders.py:88` and `{{line|src/users.py:31|src/users.py:13}}`. The second passes the template \
'{{quo|welcome|registered}}'.""",
    ),
    Scene(
        "glob-migrations-en",
        "en",
        "glob",
        "How many migrations do we have?",
        [
            glob(
                "migrations/*.sql",
                "/srv/shop/migrations/0001_users.sql",
                "/srv/shop/migrations/0002_orders.sql",
                "/srv/shop/migrations/0003_invoices.sql",
                "/srv/shop/migrations/0004_credit_notes.sql",
                "/srv/shop/migrations/0005_audit.sql",
            )
        ],
        """{{cnt|Five|Eight}}, from `0001_users.sql` to `{{name|0005_audit.sql|0005_sessions.sql}}`.""",
    ),
)
