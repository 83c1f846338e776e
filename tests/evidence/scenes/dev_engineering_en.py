"""English, for tuning: repositories, tests, servers, logs and settings."""

from __future__ import annotations

from tests.evidence.results import bash, compact, edit, failed, glob, grep, grep_files, read, task, todo, write
from tests.evidence.scene import Scene
from tests.evidence.tables import aligned

LOG = """2026-03-02T05:58:01.114Z INFO  worker[1842] queue=mail depth=17
2026-03-02T05:59:47.902Z WARN  worker[1842] retry 3/5 for job 8f2c1e in 40s: SMTP 421 too many connections
2026-03-02T06:00:12.330Z ERROR worker[1842] job 8f2c1e gave up after 5 attempts
2026-03-02T06:00:12.331Z INFO  worker[1842] queue=mail depth=16
2026-03-02T06:03:44.518Z ERROR worker[1851] job 90ab77 gave up after 5 attempts
"""
DF = """Filesystem      Size  Used Avail Use% Mounted on
/dev/nvme0n1p2  468G  391G   54G  88% /
tmpfs            16G  2.1M   16G   1% /run
/dev/sda1       3.6T  1.2T  2.3T  35% /mnt/backup
"""

SCENES = (
    Scene(
        "dev-disk-en",
        "en",
        "df output",
        "do I have enough disk space for a 60 GB dump?",
        [bash("df -h", DF)],
        """Not on the root filesystem: `/` has only {{num|54 GB|74 GB}} free ({{num|88 %|83 %}} of {{num|468 GB|512 \
GB}} used). `/mnt/backup` has plenty – {{num|2.3 TB|3.2 TB}} available.

Put the dump there:

```bash
pg_dump -Fc app > /mnt/backup/app.dump
```

By the way, `/` would be full after that, so maybe clean up `/var/lib/docker` at some point.""",
    ),
    Scene(
        "dev-worker-log-en",
        "en",
        "log file",
        "why are mails not going out?",
        [bash("tail -n 5 /var/log/app/worker.log", LOG)],
        """Two jobs **gave up** this morning:

| Job | When (UTC) | Worker |
|---|---|---|
| `{{id|8f2c1e|8f2e1c}}` | {{time|06:00:12|06:02:51}} | {{num|1842|1824}} |
| `90ab77` | {{time|6:03|6:13}} | 1851 |

The cause is in the WARN line just before: “{{quo|SMTP 421 too many connections|SMTP 550 mailbox unavailable}}”. The \
mail server throttles us, and the worker stops after {{num|5|8}} attempts. In SMTP, 4xx codes are temporary, so \
retrying is right, just not this quickly (the wait was {{num|40 s|90 s}}).

The queue itself is short: {{num|16 jobs|61 jobs}} at the last reading.""",
    ),
    Scene(
        "dev-pytest-fail-en",
        "en",
        "pytest output",
        "run the tests",
        [
            bash(
                "pytest -q --durations=2",
                "....................F.....F....s.\n=========== FAILURES ===========\n___ test_rounds_half_even ___\n\n"
                "    def test_rounds_half_even():\n>       assert price(2.675) == 2.68\nE       assert 2.67 == 2.68\n\n"
                "tests/test_price.py:41: AssertionError\n___ test_rejects_empty_cart ___\ntests/test_cart.py:118: \
KeyError\n"
                "=========== slowest 2 durations ===========\n4.31s call     tests/test_sync.py::test_full_sync\n"
                "1.07s setup    tests/test_db.py::test_migrate\n"
                "2 failed, 30 passed, 1 skipped in 9.84s\n",
            )
        ],
        """**{{cnt|2 failed|4 failed}}**, {{num|30 passed|34 passed}}, 1 skipped ({{num|9.84 s|8.49 s}}).

1. `test_rounds_half_even` at {{line|`tests/test_price.py:41`|`tests/test_price.py:47`}}: `price(2.675)` gives \
{{num|2.67|2.65}} instead of 2.68. That's binary floating point – 2.675 can't be represented exactly.
2. `test_rejects_empty_cart` at {{line|tests/test_cart.py:118|tests/test_cart.py:181}}, a \
`{{name|KeyError|IndexError}}`.

The slowest test is `test_full_sync` with {{num|4.31 s|3.41 s}}, nearly half of the run. Shall I fix the rounding \
with `Decimal`?""",
    ),
    Scene(
        "dev-git-range-en",
        "en",
        "git log",
        "what changed since the last release?",
        [
            bash(
                "git log v2.8.1..HEAD --date=short --format='%h %ad %an %s'",
                "c41d09e 2026-02-27 Mei Tanaka Cache the price list\n7be2f30 2026-02-25 Mei Tanaka Drop Python 3.10\n"
                "a90c5d4 2026-02-25 Ola Berg Fix off-by-one in pager (#412)\n1f6e8b2 2026-02-18 Ola Berg Bump httpx \
to 0.28.1\n"
                "e3307aa 2026-02-16 Mei Tanaka Start 2.9 development\n",
            ),
            bash("git diff --shortstat v2.8.1..HEAD", " 19 files changed, 342 insertions(+), 127 deletions(-)\n"),
        ],
        """Since **v2.8.1** there were {{cnt|five|eight}} commits, {{cnt|three|six}} by Mei Tanaka and two by Ola Berg:

- `{{id|c41d09e|c41d90e}}` Cache the price list – {{date|Feb 27|Feb 24}}
- `7be2f30` Drop Python {{num|3.10|3.9}}
- `a90c5d4` Fix off-by-one in pager ({{id|#412|#421}})
- `1f6e8b2` Bump httpx to {{num|0.28.1|0.27.4}}
- `e3307aa` Start 2.9 development

In total {{num|19 files|26 files}} changed, +342/{{num|\u2212127|\u2212172}} lines, so a net growth of 215 lines.""",
    ),
    Scene(
        "dev-docker-ps-en",
        "en",
        "aligned columns",
        "is everything up?",
        [
            bash(
                "docker ps -a --format 'table {{.Names}}\\t{{.Image}}\\t{{.Status}}\\t{{.Ports}}'",
                aligned(
                    ("NAMES", "IMAGE", "STATUS", "PORTS"),
                    (
                        ("web", "nginx:1.27.4", "Up 6 days", "0.0.0.0:8443->443/tcp"),
                        ("api", "registry.local/api:4.2.0", "Up 6 days (healthy)", "8000/tcp"),
                        ("db", "postgres:16.8", "Up 3 weeks", "5432/tcp"),
                        ("mailer", "registry.local/mailer:1.0.9", "Exited (137) 2 hours ago", ""),
                    ),
                ),
            )
        ],
        """Three of four containers are running; **mailer is down**.

- `web` (nginx {{num|1.27.4|1.26.2}}) – up {{num|6 days|9 days}}, port {{num|8443|8843}} → 443
- `api` ({{num|4.2.0|4.0.2}}) – up 6 days, healthy
- `db` (Postgres 16.8) – up three weeks
- `mailer` – exited with status {{num|137|139}} {{num|2 hours|7 hours}} ago

137 means 128 + 9, i.e. it was killed with SIGKILL, typically by the OOM killer.""",
    ),
    Scene(
        "dev-grep-timeouts-en",
        "en",
        "grep lines",
        "where do we set timeouts?",
        [
            grep(
                "timeout",
                "src/http/client.py:22:    timeout: float = 12.5,",
                "src/http/client.py:61:        raise RequestTimeout(url, timeout)",
                "src/db/pool.py:9:CONNECT_TIMEOUT_S = 3",
                "deploy/nginx.conf:33:    proxy_read_timeout 75s;",
            )
        ],
        """In three places (a {{cnt|fourth|seventh}} hit only raises the error):

1. {{line|`src/http/client.py:22`|`src/http/client.py:27`}} – default of **{{num|12.5 s|15.5 s}}**
2. `src/db/pool.py`, {{line|line 9|line 19}} – `CONNECT_TIMEOUT_S = {{num|3|30}}`
3. {{line|[nginx.conf:33](deploy/nginx.conf#L33)|[nginx.conf:38](deploy/nginx.conf#L38)}} – `proxy_read_timeout \
{{num|75s|45s}}`

The nginx limit is six times the client's, so requests die in the client first.""",
    ),
    Scene(
        "dev-compose-yaml-en",
        "en",
        "yaml",
        "explain the retention settings",
        [
            read(
                "/srv/app/backup.yaml",
                "backup:\n  schedule: '15 2 * * *'\n  target: s3://acme-backups/prod\n  retention:\n    daily: 14\n   \
 weekly: 8\n"
                "    monthly: 24\n  encrypt: true\n  max_size_mb: 4096\n  notify: ops@acme.example\n",
            )
        ],
        """A backup runs every day at {{time|2:15 am|3:45 am}} and goes to \
`{{id|s3://acme-backups/prod|s3://acme-archive/prod}}`. It keeps

- {{num|14|21}} daily backups, so two weeks
- {{num|8|12}} weekly ones
- {{num|24|36}} monthly ones, i.e. two years

A single backup may have up to {{num|4 GB|6 GB}} (4096 MB), it is encrypted, and reports go to \
{{id|ops@acme.example|admin@acme.example}}. In cron syntax the first field is the minute and the second the hour, \
that's why it reads `15 2`.""",
    ),
    Scene(
        "dev-pyproject-en",
        "en",
        "toml",
        "which versions are pinned?",
        [
            read(
                "/home/mei/shop/pyproject.toml",
                '[project]\nname = "shop-api"\nversion = "4.2.0"\nrequires-python = ">=3.11"\ndependencies = [\n'
                '  "fastapi==0.115.8",\n  "sqlalchemy>=2.0.38,<2.1",\n  "httpx==0.28.1",\n]\n\n[tool.ruff]\n'
                "line-length = 110\n",
            )
        ],
        """`shop-api` {{num|4.2.0|4.3.1}} needs Python {{num|3.11|3.13}} or newer and has {{cnt|three|five}} \
dependencies, of which two are pinned exactly:

```toml
fastapi==0.115.8
httpx==0.28.1
```

SQLAlchemy may move within the 2.0 series, from {{num|2.0.38|2.0.83}} up to, but not including, {{num|2.1|2.4}}. \
Ruff's line length is {{num|110|140}}. FastAPI is still a 0.x release, so even a minor update may break things.""",
    ),
    Scene(
        "dev-write-config-en",
        "en",
        "write then read",
        "raise the upload limit to 25 MB and check it",
        [
            read("/srv/app/app.ini", "[uploads]\nmax_mb = 10\nallowed = pdf, docx, png\nscan = clamav\n"),
            edit(
                "/srv/app/app.ini",
                "max_mb = 10",
                "max_mb = 25",
                "[uploads]\nmax_mb = 10\nallowed = pdf, docx, \
png\nscan = clamav\n",
            ),
            bash("grep -n max_mb /srv/app/app.ini && systemctl is-active app", "2:max_mb = 25\nactive\n"),
        ],
        """Done. `max_mb` in `/srv/app/app.ini` ({{line|line 2|line 12}}) went from {{num|10|20}} to \
**{{num|25|35}}**, and the service is {{quo|`active`|`reloading`}}.

Only {{cnt|three|nine}} file types are allowed, by the way: pdf, docx and png. If nginx stands in front, \
`client_max_body_size` must be at least 25 MB as well; its default is 1 MB.""",
    ),
    Scene(
        "dev-write-claim-en",
        "en",
        "write only",
        "write a short status note for the team",
        [
            write(
                "/home/mei/notes/status.md",
                "# Status\n\nMigration 60 % done, 37 tables left, finish planned for \
20 March.\n",
            ),
            bash("wc -l migrations/*.sql | tail -1", "  1284 total\n"),
        ],
        """I've written the note to `notes/status.md`. For the record: the migrations folder has {{num|1,284 \
lines|1,824 lines}} of SQL, and {{input||37 tables}} are left to migrate.""",
        honest="""I've written the note to `notes/status.md`. For the record: the migrations folder has 1,284 lines \
of SQL.""",
    ),
    Scene(
        "dev-glob-largest-en",
        "en",
        "glob and wc",
        "how big is the frontend?",
        [
            glob(
                "web/**/*.ts", "web/src/app.ts", "web/src/api/client.ts", "web/src/api/types.ts", "web/src/ui/table.ts"
            ),
            bash(
                "wc -lc web/src/app.ts web/src/api/*.ts web/src/ui/*.ts",
                "  212   6120 web/src/app.ts\n  388  12744 \
web/src/api/client.ts\n   95   3011 web/src/api/types.ts\n  641  21975 web/src/ui/table.ts\n 1336  43850 total\n",
            ),
        ],
        """It's small: {{cnt|4|11}} TypeScript files with {{num|1,336|1,633}} lines, about {{num|44 kB|58 kB}}.

- `ui/table.ts` is almost half of it: {{num|641 lines|614 lines}} ({{num|48 %|62 %}})
- `api/client.ts`: 388
- `app.ts`: {{num|212|221}}
- `api/types.ts`: 95

The average is 334 lines a file.""",
    ),
    Scene(
        "dev-curl-failed-en",
        "en",
        "failed call",
        "is the staging API healthy?",
        [
            failed(
                "Bash",
                {"command": "curl -sf https://staging.acme.example/health"},
                "Exit code 28\ncurl: (28) \
Connection timed out after 30001 ms",
            ),
            bash(
                "ssh staging systemctl status api | head -3",
                "api.service - Acme API\n   Active: failed (Result: \
exit-code) since Mon 2026-03-02 07:12:44 UTC; 1h 3min ago\n  Process: 20177 ExecStart=/srv/api/run (code=exited, \
status=203/EXEC)\n",
            ),
        ],
        """No. The health check timed out, and systemd says why: the unit has been **failed** since \
{{time|7:12|7:21}} UTC, i.e. for {{num|an hour and 3 minutes|half an hour}}. The process {{id|20177|20717}} exited \
with `{{quo|status=203/EXEC|status=217/USER}}`.

203/EXEC means that the executable couldn't be started – a missing file, a missing interpreter or no execute \
permission. Check in this order:

1. `ls -l /srv/api/run`
2. `head -1 /srv/api/run`
3. `journalctl -u api -n 50`""",
    ),
    Scene(
        "dev-subagent-audit-en",
        "en",
        "subagent",
        "have an agent audit the dependencies",
        [
            todo("Run the audit with at most 12 tools", "Write report"),
            task(
                "Audit requirements.txt for known vulnerabilities. Stop after 15 findings.",
                "Checked 48 packages.\n\n| package | version | advisory | fixed in |\n|---|---|---|---|\n| jinja2 | \
3.1.4 | CVE-2024-56201 | 3.1.5 |\n| pillow | 10.2.0 | CVE-2024-28219 | 10.3.0 |\n\nNo other findings.",
            ),
        ],
        """The agent checked {{num|48 packages|84 packages}} and reports {{cnt|two|eleven}} findings:

- **jinja2 {{num|3.1.4|3.0.9}}** → {{id|CVE-2024-56201|CVE-2024-52601}}, fixed in 3.1.5
- **pillow 10.2.0** → CVE-2024-28219, fixed in {{num|10.3.0|10.4.1}}

That's about 4 % of the packages. Both upgrades are minor or patch releases.""",
    ),
    Scene(
        "dev-files-with-en",
        "en",
        "grep files",
        "which modules still use requests?",
        [grep_files("import requests", "src/sync/pull.py", "src/sync/push.py", "tools/mirror.py")],
        """{{cnt|Three files|Seven files}}: `src/sync/pull.py`, `{{id|src/sync/push.py|src/sync/prune.py}}` and \
`tools/mirror.py`. Two of them are in `src/sync`, so I'd start there. `httpx` has nearly the same interface; the main \
difference is that it doesn't follow redirects by default.""",
    ),
    Scene(
        "dev-json-lines-en",
        "en",
        "json lines",
        "what's slow in the access log?",
        [
            bash(
                "jq -c 'select(.ms > 1000)' access.jsonl",
                "\n".join(
                    compact({"ts": ts, "path": path, "status": status, "ms": ms})
                    for ts, path, status, ms in (
                        ("2026-03-01T21:14:09Z", "/reports/annual", 200, 4187),
                        ("2026-03-01T22:40:55Z", "/reports/annual", 200, 3902),
                        ("2026-03-02T03:05:17Z", "/export/full", 504, 30000),
                        ("2026-03-02T07:51:30Z", "/search", 200, 1204),
                    )
                ),
            )
        ],
        """{{cnt|Four|Nine}} requests took more than a second:

- `/reports/annual`, twice yesterday evening: {{num|4.2 s|6.7 s}} and {{num|3.9 s|5.4 s}} (4 s on average)
- `/export/full` at {{time|3:05 am|4:35 am}}: ran into the 30 s limit, status {{num|504|502}}
- `/search` at 7:51: {{num|1,204 ms|1,420 ms}}

So the export is the only one that failed. 504 is a gateway timeout: the proxy gave up, the export itself may well \
have finished.""",
    ),
)
