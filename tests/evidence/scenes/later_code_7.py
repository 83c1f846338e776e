"""English: a review, an issue tracker, a bisection, an image's layers."""

from __future__ import annotations

from tests.evidence.results import bash, compact, earlier, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import aligned

PR = {
    "number": 2291,
    "title": "Retry webhook deliveries with backoff",
    "author": {"login": "jverhoef"},
    "createdAt": "2026-02-25T13:04:11Z",
    "baseRefName": "main",
    "headRefName": "webhook-retry",
    "additions": 187,
    "deletions": 42,
    "changedFiles": 6,
    "mergeable": "CONFLICTING",
    "reviewDecision": "CHANGES_REQUESTED",
    "reviews": [
        {
            "author": {"login": "smoreau"},
            "state": "CHANGES_REQUESTED",
            "submittedAt": "2026-02-26T08:51:30Z",
            "body": "The delay has no upper bound. After 12 failures we would wait 68 minutes.",
        },
        {
            "author": {"login": "tadeo-k"},
            "state": "COMMENTED",
            "submittedAt": "2026-02-26T15:20:02Z",
            "body": "Can we have a metric for deliveries that are given up? Otherwise looks good.",
        },
        {
            "author": {"login": "smoreau"},
            "state": "COMMENTED",
            "submittedAt": "2026-02-27T10:09:47Z",
            "body": "Also, line 74 of worker.go swallows context.Canceled.",
        },
    ],
    "statusCheckRollup": [
        {"name": "lint", "conclusion": "SUCCESS", "durationSeconds": 48},
        {"name": "unit", "conclusion": "SUCCESS", "durationSeconds": 391},
        {"name": "integration", "conclusion": "FAILURE", "durationSeconds": 1127},
        {"name": "docs", "conclusion": "SKIPPED", "durationSeconds": 0},
    ],
}
BUGS = {
    "nodes": [
        {
            "identifier": "MOB-3108",
            "title": "App crashes when the camera permission is revoked",
            "priorityLabel": "Urgent",
            "state": {"name": "In Progress"},
            "assignee": {"displayName": "yuki"},
            "estimate": 3,
            "createdAt": "2026-02-20",
            "cycle": {"number": 31},
        },
        {
            "identifier": "MOB-3121",
            "title": "Offline queue loses photos above 20 MB",
            "priorityLabel": "Urgent",
            "state": {"name": "Todo"},
            "assignee": None,
            "estimate": 5,
            "createdAt": "2026-02-26",
            "cycle": {"number": 31},
        },
        {
            "identifier": "MOB-3077",
            "title": "Push token is not renewed after restore",
            "priorityLabel": "High",
            "state": {"name": "In Review"},
            "assignee": {"displayName": "anselm"},
            "estimate": 2,
            "createdAt": "2026-02-09",
            "cycle": {"number": 31},
        },
        {
            "identifier": "MOB-2984",
            "title": "Dark mode: unreadable badge",
            "priorityLabel": "Low",
            "state": {"name": "Todo"},
            "assignee": {"displayName": "yuki"},
            "estimate": 1,
            "createdAt": "2026-01-15",
            "cycle": None,
        },
    ],
    "pageInfo": {"hasNextPage": False},
}
CYCLE = {"number": 31, "startsAt": "2026-02-23", "endsAt": "2026-03-08", "scope": 44, "completed": 26, "progress": 0.59}
BISECT = """\
running './ci/startup_time.sh' (limit 900 ms)
startup: 641 ms
Bisecting: 22 revisions left to test after this (roughly 5 steps)
[7d3e09f6c2] settings: read the theme from the profile
startup: 1288 ms
Bisecting: 11 revisions left to test after this (roughly 4 steps)
[13b9fe8a54] build(deps): bump okio from 3.9.0 to 3.10.2
startup: 655 ms
Bisecting: 5 revisions left to test after this (roughly 3 steps)
[a81c47d05e] l10n: load all plural rules at start
startup: 1301 ms
Bisecting: 2 revisions left to test after this (roughly 1 step)
[5c6620bd91] l10n: new keys for the onboarding
startup: 648 ms
Bisecting: 0 revisions left to test after this (roughly 1 step)
[e927f4a3b0] l10n: tidy up imports
startup: 650 ms
a81c47d05e63f90b1d7728c4e5fa0096b3d1c2aa is the first bad commit
commit a81c47d05e63f90b1d7728c4e5fa0096b3d1c2aa
Author: Selma Quist <selma@tidewater.example>
Date:   Wed Feb 11 11:38:54 2026 +0100

    l10n: load all plural rules at start

 app/src/main/kotlin/l10n/PluralRules.kt | 29 ++++++++++++++++++-----------
 app/src/main/kotlin/l10n/Bootstrap.kt   |  4 ++++
 2 files changed, 22 insertions(+), 11 deletions(-)
bisect found first bad commit
"""
PLURALS = """object Bootstrap {
    fun start(context: Context) {
        Fonts.register(context)
        // MOB-3040: no jank on the first list
        for (locale in Locale.getAvailableLocales()) {
            PluralRules.load(locale)
        }
        Theme.apply(context)
    }
}"""
LAYERS_HEAD = ("SIZE", "CREATED", "CREATED BY")
LAYERS = (
    ("0B", "2 days ago", 'CMD ["python" "-m" "vision.serve"]'),
    ("1.84GB", "2 days ago", "COPY . /app # buildkit"),
    ("3.12GB", "2 days ago", "RUN pip install -r requirements.txt # buildkit"),
    ("412MB", "9 days ago", "RUN apt-get update && apt-get install -y build-essential ffmpeg"),
    ("0B", "9 days ago", "WORKDIR /app"),
    ("58.3MB", "4 weeks ago", "RUN set -eux; wget -O python.tar.xz ..."),
    ("74.8MB", "4 weeks ago", "# debian.sh --arch 'amd64' out/ 'bookworm'"),
)
CONTEXT_DU = """\
1.3G	./models/checkpoints
389M	./.git
121M	./data/samples
17M	./notebooks
2.2M	./vision
"""
DOCKERFILE = """FROM python:3.12-slim-bookworm
WORKDIR /app
RUN apt-get update && apt-get install -y build-essential ffmpeg
COPY requirements.txt .
RUN pip install -r requirements.txt
COPY . /app
CMD ["python", "-m", "vision.serve"]
"""

SCENES = (
    Scene(
        "later-pr-status-en",
        "en",
        "pull request json",
        "what's blocking 2291?",
        [
            bash(
                "gh pr view 2291 --json number,title,reviews,statusCheckRollup,mergeable,…",
                compact(PR),
            )
        ],
        """Three things block #2291 ("Retry webhook deliveries with backoff", +{{cnt|187|137}}/−42 in 6 files):

1. **Changes requested** by smoreau on {{date|Feb 26|Feb 23}}: {{quo|"The delay has no upper bound."|"The delay is far \
too short."}} – after 12 failures the wait would be {{num|68 minutes|86 minutes}}. He also points out that \
{{line|line 74 of worker.go|line 47 of worker.go}} swallows `context.Canceled`.
2. **`integration` fails** (after almost 19 minutes). `lint` and `unit` are green.
3. **Merge conflict** with `main`.

tadeo-k's wish, a metric for deliveries that are given up, is not blocking.""",
    ),
    Scene(
        "later-cycle-bugs-en",
        "en",
        "issue tracker json",
        "bugs left in this cycle?",
        [
            mcp("linear__list_issues", {"label": "bug", "team": "MOB"}, BUGS),
            mcp("linear__cycle", {"number": 31}, CYCLE),
        ],
        """Three bugs in cycle {{num|31|37}}, which ends on {{date|Sunday, March 8|Saturday, March 14}}:

- **Urgent** – App crashes when the camera permission is revoked (yuki, in progress, 3 points) \
[#issue-OPEN:MOB-3108]
- **Urgent** – Offline queue loses photos above {{num|20 MB|50 MB}}: nobody is on it, {{cnt|5 points|9 points}} \
[#issue-OPEN:MOB-3121]
- **High** – {{id|MOB-3077|MOB-3707}}, push token is not renewed after restore (anselm, in review) \
[#issue-OPEN:MOB-3077]

The dark mode badge (MOB-2984) isn't planned for any cycle. The cycle stands at 26 of 44 points (59%) with six days \
to go, so MOB-3121 needs someone today.""",
    ),
    Scene(
        "later-bisect-startup-en",
        "en",
        "git bisect run",
        "app start got slow sometime in feb, bisect it (limit 900ms)",
        [
            bash("git bisect run ./ci/startup_time.sh", BISECT),
            read("/home/yuki/tidewater/app/src/main/kotlin/l10n/Bootstrap.kt", PLURALS),
        ],
        """It's `{{id|a81c47d05e|a81c74d05e}}`, {{quo|"l10n: load all plural rules at start"|"l10n: preload every \
translation at launch"}} by Selma Quist, {{date|Feb 11|Feb 17}}.

Startup goes from about 650 ms to about {{num|1.3 s|1.8 s}} with it. The cause is in `Bootstrap.kt`, \
{{line|line 5 of Bootstrap.kt|line 29 of Bootstrap.kt}}: it loads the rules for *every* available locale, not just \
the user's. Loading only `Locale.getDefault()` there and the others lazily should keep what MOB-3040 wanted (no jank \
on the first list) without the cost.

Want me to make the change?""",
    ),
    Scene(
        "later-image-layers-en",
        "en",
        "docker history",
        "why is the vision image 5.5 GB??",
        [
            bash("docker history vision:latest", aligned(LAYERS_HEAD, LAYERS)),
            earlier(bash("du -sh ./models/* ./.git ./data/* ./notebooks ./vision | sort -rh", CONTEXT_DU)),
            read("/home/lior/vision/Dockerfile", DOCKERFILE),
            bash("cat .dockerignore; true", "", "cat: .dockerignore: No such file or directory"),
        ],
        """Two layers are 90% of it:

- `pip install`: **{{num|3.12 GB|3.21 GB}}** – mostly torch with CUDA, I assume. `--no-cache-dir` helps a bit, the \
CPU wheel a lot.
- `COPY . /app`: **{{num|1.84 GB|1.48 GB}}** – you have no `.dockerignore`, so `models/checkpoints` \
({{num|1.3 GB|3.1 GB}}) and `.git` ({{num|389 MB|398 MB}}) go into the image. The code itself is 2.2 MB.

Then there's `build-essential` and ffmpeg with 412 MB; the compiler could stay in a build stage.

A `.dockerignore` with `.git`, `models/checkpoints`, `data` and `notebooks` saves about 1.8 GB in one line each.""",
    ),
)
