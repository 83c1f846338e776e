"""English: flaky tests, slow queries, dependencies, access logs, source code, a release."""

from __future__ import annotations

from tests.evidence.results import bash, grep, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import markdown, psql, records

FLAKY_HEAD = ("test", "runs", "failed", "retried_ok", "p95_ms", "owner", "last_failure")
FLAKY = (
    ("checkout.spec.ts > pays with voucher", 318, 27, 25, 8410, "payments", "2026-03-01T22:14:09Z"),
    ("search.spec.ts > suggests while typing", 318, 19, 19, 5120, "discovery", "2026-03-02T04:40:51Z"),
    ("login.spec.ts > remembers the device", 316, 11, 10, 3975, "identity", "2026-02-27T13:02:33Z"),
    ("cart.spec.ts > merges guest cart", 318, 4, 4, 2860, "payments", "2026-02-25T09:31:17Z"),
    ("profile.spec.ts > uploads an avatar", 311, 2, 1, 6230, "identity", "2026-02-19T16:55:02Z"),
    ("search.spec.ts > filters by brand", 318, 1, 1, 2204, "discovery", "2026-02-18T11:20:40Z"),
    ("home.spec.ts > renders hero", 318, 0, 0, 1480, "discovery", None),
    ("footer.spec.ts > links resolve", 318, 0, 0, 990, "platform", None),
)
SLOW_HEAD = ("queryid", "calls", "total_s", "mean_ms", "rows", "query")
SLOW = (
    ("-7719340218", 18420, "5213.4", "283.0", 921000, "select * from events where account_id = $1 order by ..."),
    ("4402871556", 96, "1840.9", "19176.0", 96, "select count(*) from audit_log where actor like $1"),
    ("881240937", 240118, "624.3", "2.6", 240118, "update sessions set seen_at = now() where id = $1"),
    ("-120558364", 3077, "391.0", "127.1", 30770, "select i.*, p.name from invoices i join plans p on ..."),
    ("6650013972", 512, "88.6", "173.0", 25600, "select * from exports where state = $1 limit 50"),
    ("3097714405", 1120344, "71.2", "0.1", 1120344, "select 1"),
)
EXPLAIN = """ Limit  (cost=48211.07..48211.19 rows=50 width=412) (actual time=281.337..281.350 rows=50 loops=1)
   ->  Sort  (cost=48211.07..48402.55 rows=76592 width=412) (actual time=281.335..281.341 rows=50 loops=1)
         Sort Key: created_at DESC
         Sort Method: top-N heapsort  Memory: 58kB
         ->  Bitmap Heap Scan on events  (cost=1440.21..45666.71 rows=76592 width=412)
               Recheck Cond: (account_id = 5514)
               Heap Blocks: exact=22871
               ->  Bitmap Index Scan on events_account_id_idx  (cost=0.00..1421.06 rows=76592 width=0)
 Planning Time: 0.274 ms
 Execution Time: 281.422 ms
"""
OUTDATED = """Package              Current   Wanted   Latest  Location                          Depended by
@types/node         20.17.12  20.17.16  22.13.0  node_modules/@types/node          ledger-ui
eslint                8.57.1    8.57.1   9.19.0  node_modules/eslint               ledger-ui
react                 18.3.1    18.3.1   19.0.0  node_modules/react                ledger-ui
react-dom             18.3.1    18.3.1   19.0.0  node_modules/react-dom            ledger-ui
undici                 6.6.2    6.21.1    7.3.0  node_modules/undici               ledger-ui
vite                   5.4.6    5.4.14   6.0.11  node_modules/vite                 ledger-ui
zod                   3.23.8    3.24.1   3.24.1  node_modules/zod                  ledger-ui
"""
AUDIT = {
    "auditReportVersion": 2,
    "vulnerabilities": {
        "undici": {
            "severity": "moderate",
            "isDirect": True,
            "via": [{"source": 1101610, "title": "Use of Insufficiently Random Values in undici", "range": ">=6.0.0"}],
            "fixAvailable": {"name": "undici", "version": "6.21.1", "isSemVerMajor": False},
        },
        "vite": {
            "severity": "high",
            "isDirect": True,
            "via": [{"source": 1102437, "title": "Websites were able to send any requests to the dev server"}],
            "fixAvailable": {"name": "vite", "version": "5.4.14", "isSemVerMajor": False},
        },
        "nanoid": {
            "severity": "moderate",
            "isDirect": False,
            "via": [{"source": 1101163, "title": "Predictable results in nanoid generation", "range": "<3.3.8"}],
            "fixAvailable": True,
        },
    },
    "metadata": {
        "vulnerabilities": {"info": 0, "low": 0, "moderate": 2, "high": 1, "critical": 0, "total": 3},
        "dependencies": {"prod": 147, "dev": 612, "optional": 48, "total": 759},
    },
}
CODES = """  41872 200
   3310 304
   1196 301
    884 404
    217 502
     61 499
"""
BY_MINUTE = """     2 02/Mar/2026:06:51
     9 02/Mar/2026:06:52
    58 02/Mar/2026:06:53
    74 02/Mar/2026:06:54
    49 02/Mar/2026:06:55
    23 02/Mar/2026:06:56
     2 02/Mar/2026:06:57
"""
JOURNAL = """Mar 02 06:51:38 web-1 systemd[1]: Stopping gunicorn.service - orders api...
Mar 02 06:51:38 web-1 gunicorn[20114]: [INFO] Handling signal: term
Mar 02 06:53:08 web-1 systemd[1]: gunicorn.service: State 'stop-sigterm' timed out. Killing.
Mar 02 06:53:08 web-1 systemd[1]: gunicorn.service: Killing process 20114 (gunicorn) with signal SIGKILL.
Mar 02 06:53:09 web-1 systemd[1]: Started gunicorn.service - orders api.
Mar 02 06:53:12 web-1 gunicorn[31877]: [INFO] Starting gunicorn 23.0.0
Mar 02 06:53:12 web-1 gunicorn[31877]: [ERROR] Exception in worker process: could not connect to db-1:6432
Mar 02 06:56:30 web-1 gunicorn[31877]: [INFO] Booting worker with pid: 31940
Mar 02 06:56:31 web-1 gunicorn[31877]: [INFO] Booting worker with pid: 31941
"""
RETRY = """class Uploader:
    MAX_ATTEMPTS = 5
    BASE_DELAY = 0.4

    def __init__(self, client: Client, sleep: Callable[[float], None] = time.sleep) -> None:
        self._client = client
        self._sleep = sleep

    def put(self, key: str, body: bytes) -> Receipt:
        for attempt in range(1, self.MAX_ATTEMPTS + 1):
            try:
                return self._client.put(key, body)
            except Throttled as error:
                delay = error.retry_after or self.BASE_DELAY * 2 ** (attempt - 1)
            except ConnectionError:
                delay = self.BASE_DELAY * 2 ** (attempt - 1)
            log.warning("upload of %s failed, attempt %d", key, attempt)
            if attempt < self.MAX_ATTEMPTS:
                self._sleep(delay)
        raise UploadFailed(key)"""
ISSUES_HEAD = ("key", "title", "status", "assignee", "points", "priority", "updated")
ISSUES = (
    ("PLT-2207", "Rotate signing keys", "Done", "Noor", 3, "P2", "2026-02-27"),
    ("PLT-2211", "Move cron jobs to the new scheduler", "In progress", "Dario", 8, "P1", "2026-03-01"),
    ("PLT-2214", "Alert when the queue lags > 5 min", "In review", "Noor", 2, "P1", "2026-02-28"),
    ("PLT-2215", "Drop the legacy export endpoint", "To do", "", 5, "P3", "2026-02-16"),
    ("PLT-2220", "Backups: restore drill", "Blocked", "Hanne", 5, "P1", "2026-02-24"),
    ("PLT-2223", "Terraform 1.10", "Done", "Dario", 2, "P3", "2026-02-20"),
    ("PLT-2229", "Runbook for the mail relay", "To do", "Hanne", 1, "P2", "2026-02-25"),
    ("PLT-2231", "Trace sampling at 5 %", "In progress", "Noor", 3, "P2", "2026-03-02"),
)

SCENES = (
    Scene(
        "last-werk-flaky-tests-en",
        "en",
        "mcp json rows",
        "which e2e tests are flaky, last 30 days?",
        [mcp("ci__test_stats", {"suite": "e2e", "days": 30}, {"tests": records(FLAKY_HEAD, FLAKY), "branch": "main"})],
        """Six of the eight tests failed at least once, but three account for nearly all of it ({{cnt|57|75}} of 64 \
failures):

1. **checkout: pays with voucher**: {{num|27|72}} failures in 318 runs ({{num|8.5%|5.8%}}), 25 of them green on \
retry
2. **search: suggests while typing**: 19 failures, all green on retry
3. **login: remembers the device**: 11 in {{cnt|316|361}} runs

The first two are also among the slowest (p95 of 8.4 s and {{num|5.1 s|1.5 s}}), so I'd look for a hard-coded \
wait first. Note that voucher checkout failed *twice* even after a retry, which may be a real bug rather than \
flakiness.""",
    ),
    Scene(
        "last-werk-slow-queries-en",
        "en",
        "psql table",
        "what's eating the db",
        [
            bash("psql -h db-1 ops -f top_statements.sql", psql(SLOW_HEAD, SLOW)),
            bash("psql -h db-1 app -c 'explain (analyze) select * from events where account_id = 5514 ...'", EXPLAIN),
        ],
        """Mostly one query. The `events` listing took {{num|5,213 s|5,312 s}} in total, about {{num|63%|36%}} of the \
time of the top six. It runs {{cnt|18,420|14,820}} times at 283 ms each.

The plan shows why: there is an index on `account_id`, but not on the sort column, so Postgres fetches an estimated \
{{num|76,592|67,952}} rows and sorts them to return 50. This should fix it:

```sql
create index concurrently events_account_created_idx on events (account_id, created_at desc);
```

Runner-up is the `audit_log` count: only {{cnt|96 calls|69 calls}}, but 19 s each. A leading wildcard in that `like` \
would explain it.""",
    ),
    Scene(
        "last-werk-npm-audit-en",
        "en",
        "json indented",
        "anything urgent in our npm deps?",
        [
            bash("npm outdated", OUTDATED),
            mcp("shell__json", {"cmd": "npm audit --json"}, AUDIT, indent=2),
        ],
        """Nothing critical. `npm audit` reports {{cnt|3 vulnerabilities|11 vulnerabilities}} (1 high, 2 moderate) in \
{{cnt|759|795}} packages, and all can be fixed without a major upgrade:

| Package | Severity | Now | Fix |
| --- | --- | --- | --- |
| vite | **high** | 5.4.6 | {{num|5.4.14|5.4.41}} |
| undici | moderate | {{num|6.6.2|6.2.6}} | 6.21.1 |
| nanoid | moderate | transitive | `npm audit fix` |

The vite one ({{quo|"Websites were able to send any requests to the dev server"|"Any website could read files from \
the dev server"}}) only concerns `vite dev`, not what you ship. The remaining majors (React 19, ESLint 9, Vite 6) can \
wait.""",
    ),
    Scene(
        "last-werk-502-spike-en",
        "en",
        "access log counts",
        "Why did we get paged this morning?",
        [
            bash("awk '{print $9}' access.log | sort | uniq -c | sort -rn", CODES),
            bash("grep ' 502 ' access.log | cut -d[ -f2 | cut -c1-17 | uniq -c", BY_MINUTE),
            bash("ssh web-1 journalctl -u gunicorn --since 06:50 --until 07:00", JOURNAL),
        ],
        """A restart of the orders API on `web-1` went badly. Between 06:51 and 06:57 nginx answered \
{{cnt|217 requests|271 requests}} with 502, with a peak of {{num|74|47}} at {{time|06:54|06:45}}.

Timeline:

- **06:51:38** systemd starts to stop gunicorn
- **{{time|06:53:08|06:58:03}}** it doesn't exit in 90 seconds and gets SIGKILL
- **06:53:12** the new one starts, but can't reach {{quo|"db-1:6432"|"db-1:6543"}}
- **06:56:30** first worker boots, the errors stop

So the page was about {{num|five minutes|fourteen minutes}} of partial outage; 502s are 0.5% of all requests in that \
log. \
What I can't see from here is why the pooler was unreachable for those three minutes.""",
    ),
    Scene(
        "last-werk-upload-retries-en",
        "en",
        "source file",
        "how long does an upload retry before it gives up",
        [
            grep("class Uploader", "src/store/upload.py:41:class Uploader:"),
            read("/home/sam/vault/src/store/upload.py", RETRY, 41, 118),
        ],
        """At most {{num|6 seconds|9 seconds}} of waiting, plus the requests themselves. There are \
{{cnt|five attempts|eight attempts}} with pauses of 0.4, 0.8, 1.6 and {{num|3.2 s|2.3 s}} in between \
({{line|`upload.py:56`|`upload.py:65`}}), then it raises `UploadFailed`.

The exception is throttling: if the server sends a `retry_after`, that is used as is, with no upper bound.""",
    ),
    Scene(
        "last-werk-sprint-board-en",
        "en",
        "markdown table",
        "Where are we with the sprint?",
        [mcp("tracker__board", {"sprint": "PLT 26-04"}, markdown(ISSUES_HEAD, ISSUES))],
        """2 of {{cnt|8|13}} tickets are done, or {{cnt|5|17}} of {{num|29 points|92 points}}.

- **Blocked:** the restore drill (Hanne, 5 points), untouched since {{date|Feb 24|Feb 22}}. It's a P1, so I'd ask \
about this one today. [#issue-OPEN:PLT-2220]
- **In review:** queue lag alert (Noor) [#issue-OPEN:PLT-2214]
- **In progress:** cron jobs (Dario, 8 points) and trace sampling (Noor, 3)
- **Not started:** {{id|PLT-2215|PLT-2251}}, which nobody has, and PLT-2229""",
    ),
)
