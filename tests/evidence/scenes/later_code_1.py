"""English: code, git, tests, disks, a pipeline."""

from __future__ import annotations

from tests.evidence.results import bash, grep
from tests.evidence.scene import Scene

BLAME = """\
4be91c07 (Ines Marlow  2024-11-05 10:22:31 +0100 41) def refund(order, amount, *, reason=None):
4be91c07 (Ines Marlow  2024-11-05 10:22:31 +0100 42)     if order.state not in REFUNDABLE:
4be91c07 (Ines Marlow  2024-11-05 10:22:31 +0100 43)         raise NotRefundable(order.id)
d20a6f3e (Piet Oosten  2025-09-18 16:47:02 +0200 44)     amount = round(amount, 2)
d20a6f3e (Piet Oosten  2025-09-18 16:47:02 +0200 45)     if amount > order.total:
d20a6f3e (Piet Oosten  2025-09-18 16:47:02 +0200 46)         amount = order.total
97c5b8aa (Ines Marlow  2026-01-22 09:05:48 +0100 47)     with ledger.transaction() as tx:
97c5b8aa (Ines Marlow  2026-01-22 09:05:48 +0100 48)         tx.post(order.account, -amount, reason or "refund")
4be91c07 (Ines Marlow  2024-11-05 10:22:31 +0100 49)         order.refunded += amount
4be91c07 (Ines Marlow  2024-11-05 10:22:31 +0100 50)     return order
"""
SHOW = """\
commit d20a6f3e5b1947c08e6a2f7d3390cc1ab8e4f512
Author: Piet Oosten <piet@stall.example>
Date:   Thu Sep 18 16:47:02 2025 +0200

    payments: clamp refunds to the order total

    Support kept typing the gross amount of the whole basket. Instead of an
    error we now refund what the order was worth. See SHOP-1183.

 src/payments/refund.py        |  3 +++
 tests/payments/test_refund.py | 17 +++++++++++++++++
 2 files changed, 20 insertions(+)
"""
DURATIONS = """\
============================= test session starts ==============================
platform linux -- Python 3.12.8, pytest-8.3.4, pluggy-1.5.0
rootdir: /home/noor/atlas
plugins: xdist-3.6.1, asyncio-0.25.0, cov-6.0.0
collected 418 items

tests/api/test_export.py ........F.......                                [  3%]
tests/api/test_login.py ......................                           [  9%]
tests/geo/test_tiles.py ...............................s.......          [ 18%]
tests/geo/test_route.py .........F............................           [ 27%]
[...]
=================================== FAILURES ===================================
_________________________ test_export_keeps_timezone __________________________

    def test_export_keeps_timezone():
        row = export_row(make_trip(start="2026-02-11T23:30:00+01:00"))
>       assert row["start"] == "2026-02-11T23:30:00+01:00"
E       AssertionError: assert '2026-02-11T22:30:00+00:00' == '2026-02-11T23:30:00+01:00'

tests/api/test_export.py:88: AssertionError
____________________________ test_route_avoids_ferry ___________________________

>       assert route.length_m == pytest.approx(18450, rel=0.01)
E       assert 21907 == 18450 +- 184.5

tests/geo/test_route.py:57: AssertionError
============================= slowest 6 durations ==============================
38.41s call     tests/geo/test_import.py::test_import_planet_extract
12.07s call     tests/geo/test_tiles.py::test_tiles_zoom_14
9.66s call     tests/api/test_export.py::test_export_large
4.12s setup    tests/api/test_login.py::test_login_ldap
2.98s call     tests/geo/test_route.py::test_route_many_stops
1.75s teardown tests/api/test_login.py::test_login_ldap
=========================== short test summary info ============================
FAILED tests/api/test_export.py::test_export_keeps_timezone - AssertionError
FAILED tests/geo/test_route.py::test_route_avoids_ferry - assert 21907 == 18450
============= 2 failed, 411 passed, 5 skipped in 94.36s (0:01:34) ==============
"""
DF = """\
Filesystem      Size  Used Avail Use% Mounted on
udev            7.8G     0  7.8G   0% /dev
tmpfs           1.6G  2.1M  1.6G   1% /run
/dev/nvme0n1p2  234G  219G  3.6G  99% /
/dev/nvme0n1p1  511M  6.1M  505M   2% /boot/efi
/dev/sda1       1.8T  1.1T  612G  65% /srv/media
"""
DU = """\
96G	/var
71G	/home
38G	/opt
9.4G	/usr
3.1G	/root
1.2G	/snap
412M	/boot
88M	/etc
"""
DU_VAR = """\
63G	/var/lib/docker
14G	/var/log
11G	/var/lib/postgresql
5.2G	/var/cache/apt
1.9G	/var/lib/snapd
620M	/var/backups
"""
DOCKER_DF = """\
TYPE            TOTAL     ACTIVE    SIZE      RECLAIMABLE
Images          47        9         41.8GB    33.2GB (79%)
Containers      12        9         1.1GB     310MB (28%)
Local Volumes   23        8         12.6GB    4.9GB (38%)
Build Cache     316       0         7.3GB     7.3GB
"""
CI = """\
2026-03-02T07:14:08.1182Z ##[group]Run actions/setup-node@v4
2026-03-02T07:14:08.1190Z with:
2026-03-02T07:14:08.1191Z   node-version: 20
2026-03-02T07:14:08.1192Z   cache: npm
2026-03-02T07:14:08.1201Z ##[endgroup]
2026-03-02T07:14:11.6027Z Found in cache @ /opt/hostedtoolcache/node/20.18.1/x64
2026-03-02T07:14:12.0315Z npm cache is not found
2026-03-02T07:14:12.4420Z ##[group]Run npm ci
2026-03-02T07:14:19.9077Z npm error code EUSAGE
2026-03-02T07:14:19.9083Z npm error
2026-03-02T07:14:19.9084Z npm error `npm ci` can only install packages when your package.json and package-lock.json \
are in sync. Please update your lock file with `npm install` before continuing.
2026-03-02T07:14:19.9088Z npm error
2026-03-02T07:14:19.9090Z npm error Invalid: lock file's vite@5.4.11 does not satisfy vite@6.0.7
2026-03-02T07:14:19.9091Z npm error Missing: esbuild@0.24.2 from lock file
2026-03-02T07:14:19.9092Z npm error Missing: @esbuild/linux-x64@0.24.2 from lock file
2026-03-02T07:14:19.9096Z npm error A complete log of this run can be found in: /home/runner/.npm/_logs/debug-0.log
2026-03-02T07:14:19.9410Z ##[error]Process completed with exit code 1.
2026-03-02T07:14:20.2207Z Post job cleanup.
"""

SCENES = (
    Scene(
        "later-blame-refund-en",
        "en",
        "git blame",
        "who made refund() silently clamp the amount, and why?",
        [
            grep("def refund", "src/payments/refund.py:41:def refund(order, amount, *, reason=None):"),
            bash("git blame -L 41,50 src/payments/refund.py", BLAME),
            bash("git show --stat d20a6f3e", SHOW),
        ],
        """Piet Oosten, in {{id|`d20a6f3e`|`d20f6a3e`}} on {{date|18 September 2025|11 September 2025}}: \
{{quo|"payments: clamp refunds to the order total"|"payments: cap refunds silently"}}.

The clamp is at {{line|`src/payments/refund.py:45`|`src/payments/refund.py:63`}}–46. His reason in the commit message: \
support kept typing the gross amount of the whole basket, so instead of an error the order's total is refunded. The \
background is in {{id|SHOP-1183|SHOP-1138}}.

The rest of the function is by Ines Marlow (November 2024, and the ledger transaction from January 2026). One thing I \
noticed: the clamp compares with `order.total`, not with `order.total - order.refunded`, so two refunds in a row can \
still exceed what was paid.""",
    ),
    Scene(
        "later-pytest-durations-en",
        "en",
        "pytest output",
        "run the tests and tell me what's slow",
        [bash("python -m pytest --durations=6", DURATIONS)],
        """The run took {{time|1:34|1:43}} minutes: {{cnt|411 passed|414 passed}}, 2 failed, 5 skipped.

**Slow**
- `test_import_planet_extract` alone takes {{num|38.4 s|34.8 s}}, i.e. about 41% of the run
- `test_tiles_zoom_14` – 12.1 s
- `test_export_large` – 9.7 s
- `test_login_ldap` – {{num|5.9 s|7.3 s}} for setup and teardown together

The top three make up roughly 60 s, so marking them `@pytest.mark.slow` would bring a normal run down to about 34 s.

**Failing**
- `test_export_keeps_timezone` ({{line|tests/api/test_export.py:88|tests/api/test_export.py:98}}): the export converts \
to UTC, `22:30+00:00` instead of `23:30+01:00`
- `test_route_avoids_ferry` (`tests/geo/test_route.py:57`): the route is {{num|21,907 m|29,107 m}} long, expected \
18,450 m ± 1%""",
    ),
    Scene(
        "later-disk-full-en",
        "en",
        "df and du",
        "Server says no space left. What's eating it?",
        [
            bash("df -h", DF),
            bash("du -xsh /* 2>/dev/null | sort -rh | head -8", DU),
            bash("du -sh /var/*/* /var/log | sort -rh | head -6", DU_VAR),
            bash("docker system df", DOCKER_DF),
        ],
        """The root filesystem is at 99%: {{num|219 GB|291 GB}} of 234 GB used, {{num|3.6 GB|6.3 GB}} free. \
`/srv/media` is fine (65%).

The main culprit is Docker – {{num|63 GB|36 GB}} in `/var/lib/docker`, about two thirds of `/var`:

| | Size | Reclaimable |
|---|---:|---:|
| Images (47, 9 in use) | 41.8 GB | {{num|33.2 GB|32.3 GB}} |
| Volumes (23, 8 in use) | 12.6 GB | 4.9 GB |
| Build cache | 7.3 GB | 7.3 GB |
| Containers | 1.1 GB | 0.3 GB |

`docker image prune -a` plus `docker builder prune` would give you back about {{num|40.5 GB|45.2 GB}}. I'd leave the \
volumes alone until you've checked what the 15 unused ones hold. After that, `/var/log` with 14 GB is worth a look.""",
    ),
    Scene(
        "later-ci-lockfile-en",
        "en",
        "ci log",
        "CI is red again, why",
        [bash("gh run view 20518834417 --log-failed", CI)],
        """The lock file is out of sync. `npm ci` failed with `EUSAGE` at {{time|07:14:19 UTC|07:41:19 UTC}}:

> {{quo|"Invalid: lock file's vite@5.4.11 does not satisfy vite@6.0.7"|"Invalid: lock file's vite is too old for Node"}}

So someone bumped vite to {{num|6.0.7|6.7.0}} in `package.json` without committing the new `package-lock.json`; \
`esbuild@{{num|0.24.2|0.42.2}}` is missing there too. Run `npm install` and commit the lock file.""",
    ),
)
