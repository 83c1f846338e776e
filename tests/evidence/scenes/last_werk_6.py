"""English: a bisect, memory, an infrastructure plan, a budget, duplicate rows; inputs that come back; long ids."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, mcp, read, task
from tests.evidence.scene import Scene
from tests.evidence.tables import csv

BISECT = """I ran `git bisect` between v2.30.0 (good) and main (bad) with `pytest tests/test_dates.py -x` as the probe.

- 173 commits in the range, 8 steps
- first bad commit: 6dc0b71e94 "Parse ISO weeks without dateutil" by Wanda Krol, 2026-02-18, PR !1407
- files touched: src/cal/parse.py (+48 -17), src/cal/weeks.py (new, 63 lines), tests/test_parse.py (+22)
- failing: test_dates.py::test_week_53 only; expected 2020-12-28, got 2021-01-04
- reason: weeks.py line 31 takes January 1st as the start of week 1, ISO takes the week with January 4th
- reverting it locally on top of main makes all 94 tests in tests/ pass

One step was skipped (build failure at 0f2a6d3c11, missing lock file)."""
DMESG = """[Mon Mar  2 03:17:42 2026] node invoked oom-killer: gfp_mask=0x140cca, order=0, oom_score_adj=0
[Mon Mar  2 03:17:42 2026] CPU: 1 PID: 8841 Comm: node Not tainted 6.8.0-53-generic #55-Ubuntu
[Mon Mar  2 03:17:42 2026] Mem-Info: active_anon:211904 inactive_anon:1702311 isolated_anon:0
[Mon Mar  2 03:17:42 2026] Total swap = 2097148kB
[Mon Mar  2 03:17:42 2026] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
[Mon Mar  2 03:17:42 2026] [    611]     0   611    72318     1104       110592      212             0 multipathd
[Mon Mar  2 03:17:42 2026] [   1290]   113  1290   548221    18342       720896     9911          -900 postgres
[Mon Mar  2 03:17:42 2026] [   8841]  1001  8841  2904417  1488230     13922304   402117             0 node
[Mon Mar  2 03:17:42 2026] [   8902]  1001  8902   291043    22117      1474560    18230             0 node
[Mon Mar  2 03:17:42 2026] oom-kill:constraint=CONSTRAINT_NONE,task=node,pid=8841,uid=1001
[Mon Mar  2 03:17:42 2026] Out of memory: Killed process 8841 (node) total-vm:11617668kB, anon-rss:5952920kB
[Mon Mar  2 03:17:43 2026] oom_reaper: reaped process 8841 (node), now anon-rss:0kB
"""
FREE = """               total        used        free      shared  buff/cache   available
Mem:            7937        2216        4102          91        1618        5412
Swap:           2047         388        1659
"""
THUMBS = """2026-03-02T03:00:00.114Z thumbs start album=winter-fair files=1204 concurrency=64
2026-03-02T03:04:11.870Z thumbs progress done=288 failed=0
2026-03-02T03:09:02.415Z thumbs progress done=611 failed=2
2026-03-02T03:14:55.031Z thumbs progress done=907 failed=2
"""
PLAN = """Terraform used the selected providers to generate the following execution plan.

  # aws_db_instance.reports must be replaced
-/+ resource "aws_db_instance" "reports" {
      ~ allocated_storage  = 200 -> 300
      ~ engine_version     = "15.8" -> "16.6"
      ~ storage_encrypted  = false -> true # forces replacement
        instance_class     = "db.r6g.large"
        skip_final_snapshot = true
    }

  # aws_security_group_rule.reports_in will be updated in-place
  ~ resource "aws_security_group_rule" "reports_in" {
      ~ cidr_blocks = ["10.8.0.0/16"] -> ["10.8.32.0/20"]
        from_port   = 5432
    }

  # aws_cloudwatch_metric_alarm.reports_cpu will be created
  + resource "aws_cloudwatch_metric_alarm" "reports_cpu" {
      + threshold          = 85
      + evaluation_periods = 3
      + period             = 300
    }

  # aws_iam_user.old_ci will be destroyed
  - resource "aws_iam_user" "old_ci" {
      - name = "ci-legacy" -> null
    }

Plan: 2 to add, 1 to change, 2 to destroy.
"""
BUDGET_HEAD = ("category", "budget", "jan", "feb", "note")
BUDGET = (
    ("Rent", "1450.00", "1450.00", "1450.00", ""),
    ("Groceries", "520.00", "498.35", "561.80", ""),
    ("Eating out", "180.00", "142.60", "267.40", "birthday 14 Feb"),
    ("Transport", "130.00", "118.00", "118.00", "monthly pass"),
    ("Utilities", "210.00", "231.75", "224.15", ""),
    ("Insurance", "95.00", "95.00", "95.00", ""),
    ("Kids", "240.00", "205.50", "312.90", "ski camp deposit 120.00"),
    ("Fun", "150.00", "88.20", "61.45", ""),
)
DUPES = """    3 mara.lind@post.example
    3 office@tischler-voss.example
    2 j.okafor@mail.example
    2 kontakt@nordlicht.example
    2 p.ruiz@mail.example
    2
"""
HEADS = """id,email,name,source,created
10417,mara.lind@post.example,Mara Lind,web,2025-06-11
13822,Mara.Lind@post.example,Mara Lind,fair,2025-10-02
15960,mara.lind@post.example ,M. Lind,import,2026-01-19
11208,office@tischler-voss.example,Tischler Voss,web,2025-07-30
14031,office@tischler-voss.example,Voss,phone,2025-10-21
15961,office@tischler-voss.example,Tischler Voss GmbH,import,2026-01-19
12750,j.okafor@mail.example,J. Okafor,web,2025-08-28
15974,j.okafor@mail.example,Jo Okafor,import,2026-01-19
12911,kontakt@nordlicht.example,Nordlicht,fair,2025-09-05
15988,kontakt@nordlicht.example,Nordlicht e.V.,import,2026-01-19
13340,p.ruiz@mail.example,P. Ruiz,web,2025-09-22
16002,p.ruiz@mail.example,Pilar Ruiz,import,2026-01-19
"""
RELEASE = """# deploy/production/release.yaml
release: shop-2026.02.4-r17
image: registry.fernlicht.example/shop/web@sha256:9b41c0de77f2a35188e6
replaces: shop-2026.02.3-r15
trace: 4f1e77a0-52c9-4b0d-9a3e-d07716c8b452
window:
  from: 2026-03-03T05:00:00Z
  to: 2026-03-03T06:30:00Z
canary:
  percent: 10
  minutes: 20
rollback_on:
  error_rate: 1.5
  p99_ms: 1200"""
VARS = """  LOG_LEVEL=info
  PAYMENT_MODE=live
  FEATURE_WISHLIST=off
"""

SCENES = (
    Scene(
        "last-werk-bisect-report-en",
        "en",
        "task report",
        "find out which commit broke test_week_53",
        [task("Bisect tests/test_dates.py between v2.30.0 and main; report the first bad commit.", BISECT)],
        """It's {{id|`6dc0b71e94`|`6cd0b71e94`}}, "Parse ISO weeks without dateutil" (Wanda, {{date|Feb 18|Feb 13}}, \
PR {{id|!1407|!1470}}), found after {{cnt|8 steps|12 steps}}.

The new `weeks.py` starts week 1 on January 1st, while ISO says it's the week containing January 4th. See \
{{line|line 31 of weeks.py|line 37 of weeks.py}}. Hence the result is a week late: 2021-01-04 instead of 2020-12-28. \
Reverting it makes all 94 tests pass, but fixing that one line is probably what you want.""",
    ),
    Scene(
        "last-werk-oom-night-en",
        "en",
        "kernel log",
        "media server restarted itself at night?",
        [
            bash("ssh media 'sudo dmesg -T | tail -12'", DMESG),
            bash("ssh media free -m", FREE),
            bash("ssh media 'grep thumbs /var/log/media.log | tail -4'", THUMBS),
        ],
        """Not the server, only the Node process. The kernel killed it at {{time|03:17|03:41}} because memory and swap \
were used up: PID {{id|8841|8481}} held {{num|5.95 GB|9.55 GB}} on a machine with 8.

The thumbnail job had been running since 3:00 with a concurrency of {{num|64|46}} and was at \
{{cnt|907 of 1,204|979 of 1,402}} files, so it's incomplete. Memory is fine now (5.4 GB available). I'd rerun it with \
8 workers or so; shall I?""",
    ),
    Scene(
        "last-werk-terraform-plan-en",
        "en",
        "terraform plan",
        "ok to apply?",
        [
            earlier(
                bash(
                    "git log --oneline -2 -- infra/",
                    "be41d07 reports: encrypt storage\n71c9f3a reports: \
alarm\n",
                )
            ),
            bash("terraform plan -no-color", PLAN),
        ],
        """**No, this would delete the reports database.** Turning on `storage_encrypted` forces a replacement, and \
with \
`skip_final_snapshot = true` nothing is kept. That came in with {{id|be41d07|be14d07}}.

The rest of the plan:

- Postgres 15.8 → {{num|16.6|16.9}} and 200 → {{num|300 GB|320 GB}}, on the same instance
- the port 5432 rule narrows to {{quo|"10.8.32.0/20"|"10.8.23.0/20"}}. Check that nobody connects from elsewhere \
in the /16
- a new CPU alarm at {{num|85%|95%}} for 15 minutes
- the user `ci-legacy` goes

For the encryption, take a snapshot, copy it encrypted, and restore from that.""",
    ),
    Scene(
        "last-werk-household-budget-en",
        "en",
        "csv",
        "Where did we overspend in February?",
        [bash("cat budget-2026.csv", csv(BUDGET_HEAD, BUDGET))],
        """In four categories, by {{amt|216.25|261.25}} altogether:

| | Budget | Feb | Over |
| --- | ---: | ---: | ---: |
| Eating out | 180.00 | 267.40 | {{amt|87.40|84.70}} |
| Kids | 240.00 | {{amt|312.90|321.90}} | 72.90 |
| Groceries | 520.00 | 561.80 | 41.80 |
| Utilities | 210.00 | 224.15 | 14.15 |

Against the whole budget of 2,975 it's less dramatic: you spent {{amt|3,090.70|3,190.70}}, so {{num|3.9%|9.3%}} too \
much, since Fun and Transport stayed below. Two of those look like one-offs: the birthday on the \
{{date|14th of February|17th of February}} and the ski camp deposit. Utilities were over in January, too.""",
    ),
    Scene(
        "last-werk-duplicate-contacts-en",
        "en",
        "csv",
        "are there duplicate contacts in the export?",
        [
            bash("cut -d, -f2 contacts.csv | tr A-Z a-z | tr -d ' ' | sort | uniq -cd | sort -rn", DUPES),
            bash("./show-dupes.sh contacts.csv", HEADS),
        ],
        """Yes, {{cnt|five addresses|nine addresses}} occur more than once, {{cnt|12 rows|14 rows}} in all, so 7 could \
go. Two occur three times: `mara.lind` and `office@tischler-voss`.

All five have a row from the import of {{date|January 19|January 16}} (ids 15960 to {{id|16002|16020}}), which \
apparently didn't compare with what was there. One address also has a trailing blank (id {{id|15960|15690}}). There \
are \
two lines without an address, too.""",
    ),
    Scene(
        "last-werk-last-outage-en",
        "en",
        "mcp json rows",
        "did we have an outage recently?",
        [
            mcp(
                "status__incidents",
                {"since": "2026-02-09", "component": "edge-7"},
                {"query": {"since": "2026-02-09", "component": "edge-7"}, "incidents": [], "total": 0},
            )
        ],
        """Yes, the last one was on {{input||February 9}} and affected {{input||edge-7}}.""",
        honest="""The status page lists no incidents for the last three weeks. I only asked for the edge though; \
shall I check the other components?""",
    ),
    Scene(
        "last-werk-release-tomorrow-en",
        "en",
        "yaml file",
        "what goes live tomorrow and when?",
        [
            read("/home/lou/deploy/production/release.yaml", RELEASE),
            bash("kubectl -n shop set env deploy/web --list", VARS),
        ],
        """`shop-2026.02.4-r17` (image {{part|9b41c0de77f2a35188e6|77f2a35188e6}}), replacing `shop-2026.02.3-r15`, \
between \
{{time|5:00|5:40}} and 6:30 UTC on {{date|March 3|March 8}}. It starts with a canary of 10% for \
{{num|20 minutes|25 minutes}} and rolls back by itself above 1.5% errors or a p99 of {{num|1.2 s|2.1 s}}. The wishlist \
is still switched off.""",
    ),
)
