"""English: what the owner of a laptop asks; hosts, a small shop, runs, a trip, a roster."""

from __future__ import annotations

from tests.evidence.results import bash, failed, glob, grep, mcp, read
from tests.evidence.scene import Scene

DF = """Filesystem                 Size  Used Avail Use% Mounted on
tmpfs                      1.6G  2.1M  1.6G   1% /run
/dev/nvme0n1p2             118G  104G  8.3G  93% /
tmpfs                      7.8G     0  7.8G   0% /dev/shm
/dev/nvme0n1p1             511M  6.1M  505M   2% /boot/efi
/dev/sda1                  3.6T  2.9T  562G  85% /srv/photos
/dev/sdb1                  1.8T  412G  1.3T  24% /srv/backup
"""
DU = """61G\t/var/lib/docker
14G\t/var/log
9.7G\t/home
6.2G\t/usr
3.4G\t/opt
1.1G\t/var/cache/apt
"""
JOURNAL = """Mar 01 23:58:12 attic systemd[1]: Starting restic-backup.service - Nightly backup...
Mar 01 23:58:13 attic restic[48120]: open repository
Mar 01 23:58:19 attic restic[48120]: lock repository
Mar 01 23:58:20 attic restic[48120]: using parent snapshot 7c19e0ab
Mar 02 00:04:41 attic restic[48120]: Files:          214 new,    37 changed, 188402 unmodified
Mar 02 00:04:41 attic restic[48120]: Dirs:            19 new,    52 changed,  11837 unmodified
Mar 02 00:04:41 attic restic[48120]: Added to the repository: 3.718 GiB (3.544 GiB stored)
Mar 02 00:04:41 attic restic[48120]: processed 188653 files, 402.156 GiB in 6:21
Mar 02 00:04:42 attic restic[48120]: snapshot e4410f9d saved
Mar 02 00:04:44 attic restic[48133]: Applying Policy: keep 7 daily, 4 weekly, 12 monthly snapshots
Mar 02 00:04:45 attic restic[48133]: keep 19 snapshots:
Mar 02 00:04:45 attic restic[48133]: remove 1 snapshots:
Mar 02 00:04:45 attic restic[48133]: ID        Time                 Host    Tags  Paths
Mar 02 00:04:45 attic restic[48133]: b03d77f1  2026-02-22 00:04:39  attic         /home,/srv/photos
Mar 02 00:04:47 attic restic[48133]: [0:01] 100.00%  1 / 1 files deleted
Mar 02 00:04:47 attic systemd[1]: restic-backup.service: Deactivated successfully.
Mar 02 00:04:47 attic systemd[1]: restic-backup.service: Consumed 4min 52.618s CPU time.
"""
ORDERS = {
    "orders": [
        {
            "id": "W-3318",
            "placed": "2026-02-24T09:12:44Z",
            "status": "paid",
            "customer": {"name": "P. Okafor", "city": "Leeds"},
            "lines": [{"sku": "MUG-BLU", "qty": 4, "unit": "14.50"}, {"sku": "BOWL-S", "qty": 2, "unit": "22.00"}],
            "shipping": "6.95",
            "total": "108.95",
        },
        {
            "id": "W-3321",
            "placed": "2026-02-26T18:40:03Z",
            "status": "paid",
            "customer": {"name": "Hanne Brix", "city": "Odense"},
            "lines": [{"sku": "VASE-T", "qty": 1, "unit": "64.00"}],
            "shipping": "18.40",
            "total": "82.40",
        },
        {
            "id": "W-3322",
            "placed": "2026-02-27T07:55:19Z",
            "status": "shipped",
            "customer": {"name": "R. Tindall", "city": "York"},
            "lines": [{"sku": "MUG-BLU", "qty": 2, "unit": "14.50"}],
            "shipping": "4.95",
            "total": "33.95",
        },
        {
            "id": "W-3325",
            "placed": "2026-03-01T20:31:57Z",
            "status": "paid",
            "customer": {"name": "Imke Sandt", "city": "Bath"},
            "lines": [{"sku": "BOWL-S", "qty": 6, "unit": "22.00"}, {"sku": "MUG-GRN", "qty": 3, "unit": "14.50"}],
            "shipping": "9.95",
            "total": "185.45",
        },
    ],
    "currency": "GBP",
    "page": {"size": 50, "next": None},
}
RUNS = """date,type,km,minutes,avg_hr,shoes,notes
2026-02-02,easy,6.2,38,141,blue,
2026-02-04,intervals,8.0,44,158,red,6x800 felt hard
2026-02-07,long,14.5,93,146,blue,hilly
2026-02-10,easy,5.8,36,139,blue,
2026-02-12,tempo,9.1,47,161,red,
2026-02-15,long,16.0,102,148,blue,
2026-02-18,easy,6.4,40,140,blue,left calf tight
2026-02-22,long,12.2,80,144,blue,cut short - calf
2026-02-25,easy,4.9,32,138,blue,calf ok
2026-02-28,long,17.3,112,149,blue,"best long run this winter"
"""
MAIL = """From: Bookings <noreply@fjordrail.example>
To: dana@hale.example
Date: Sat, 21 Feb 2026 16:08:31 +0100
Subject: Your tickets - booking QX7-2LMP

Hello Dana,

Thank you for booking with Fjordrail. Please find your itinerary below.

  Booking reference     QX7-2LMP
  Passengers            2 adults, 1 child (7)

  OUT   Fri 03 Apr 2026   Train 62
        dep Oslo S        08:25
        arr Bergen        15:12      coach 4, seats 31, 32, 33

  BACK  Tue 07 Apr 2026   Train 601
        dep Bergen        11:59
        arr Oslo S        18:39      coach 2, seats 14, 15, 16

  Fare (flexible)       NOK 3,194.00
  Seat reservations     NOK   150.00
  Total paid            NOK 3,344.00    card ending 4471

Flexible tickets can be refunded free of charge until 24 hours before departure.
After that, a fee of NOK 250 per person applies. Lost something? Quote this reference.
"""

SCENES = (
    Scene(
        "later-mixed-disk-attic-en",
        "en",
        "bash aligned, page context",
        "why is this one red?",
        [
            bash("ssh attic df -h", DF),
            bash("ssh attic 'sudo du -xsh /var/lib/docker /var/log /home /usr /opt /var/cache/apt | sort -rh'", DU),
        ],
        """The root filesystem on `attic` is at **{{num|93%|96%}}** – {{num|104 GB|140 GB}} of 118 GB used, 8.3 \
GB left \
– and the panel turns red at 90%.

What fills it:

- `/var/lib/docker`: {{num|61 GB|16 GB}}
- `/var/log`: 14 GB
- `/home`: 9.7 GB

Docker is more than half of it. `docker system prune` is probably the quickest win. `/srv/photos` isn't far behind, by \
the way: {{num|85%|88%}}, which is yellow already (80%), but it still has {{num|562 GB|526 GB}} free.""",
        context={
            "page": "Hosts / attic",
            "panel": {"title": "Root disk", "state": "red", "thresholds": {"yellow": 80, "red": 90}, "unit": "percent"},
            "selected_host": "attic",
        },
    ),
    Scene(
        "later-mixed-backup-night-en",
        "en",
        "journal",
        "did the backup run last night?",
        [bash("journalctl -u restic-backup --since yesterday --no-pager", JOURNAL)],
        """Yes. It started at {{time|23:58|22:58}}, processed {{cnt|188,653 files|186,853 files}} (402 GiB) in \
6:21 and \
saved snapshot `{{id|e4410f9d|e4140f9d}}`. {{cnt|214 new|241 new}} and 37 changed files, about 3.7 GiB added.

Afterwards it pruned one old snapshot (`b03d77f1`, from {{date|22 February|20 February}}); 19 are kept.""",
    ),
    Scene(
        "later-mixed-shop-to-ship-en",
        "en",
        "mcp nested json",
        "what do I have to pack today?",
        [mcp("shop__orders", {"since": "2026-02-23"}, ORDERS, indent=2)],
        """{{cnt|Three orders|Eight orders}} are paid but not shipped:

- **P. Okafor, Leeds** – 4 × MUG-BLU, 2 × BOWL-S (£108.95) [#order-OPEN:W-3318]
- **Hanne Brix, Odense** – 1 × VASE-T ({{amt|£82.40|£84.20}}) [#order-OPEN:W-3321]
- **Imke Sandt, Bath** – 6 × BOWL-S, {{cnt|3 × MUG-GRN|13 × MUG-GRN}} ({{amt|£185.45|£158.45}}) [#order-OPEN:W-3325]

So in total 8 small bowls, 7 mugs and the tall vase. Together they're worth **{{amt|£376.80|£387.60}}** including \
shipping. Odense will need a customs form.

Okafor's has been waiting longest, since {{date|24 February|23 February}}.""",
    ),
    Scene(
        "later-mixed-runs-february-en",
        "en",
        "csv file",
        "how was my running in feb",
        [read("/home/sam/log/runs-2026-02.csv", RUNS)],
        """A solid month: **{{num|100.4 km|104.0 km}}** over {{cnt|10 runs|13 runs}}, 10 h 24 min in total, so about \
{{num|6:13 min/km|6:31 min/km}} on average.

- Longest: {{num|17.3 km|13.7 km}} on the 28th, which you called {{quo|"best long run this winter"|"best run of the \
year"}}
- Long runs made up 60 km, i.e. roughly 60% of the distance
- The calf showed up on the 18th and cut the run on the {{date|22nd|23rd}} short; by the 25th you'd noted it as ok

Only two hard sessions, both before the calf went. I'd bring one back this week, not two.""",
    ),
    Scene(
        "later-mixed-bergen-refund-en",
        "en",
        "mail",
        "until when can I cancel the Bergen trip for free?",
        [
            mcp("mail__search", {"q": "bergen tickets"}, {"hits": [{"id": "m-20418", "subject": "Your tickets"}]}),
            mcp("mail__get", {"id": "m-20418"}, MAIL),
        ],
        """Until **Thursday, {{date|2 April 2026|4 April 2026}}, {{time|08:25|08:52}}**, which is 24 hours before the \
outbound train leaves Oslo S. After that it's NOK 250 per person, so {{amt|NOK 750|NOK 690}} for the three of you.

If you only want to drop the return leg: same rule, so until Monday 6 April, 11:59.

Reference {{id|QX7-2LMP|QX7-2LPM}}, NOK 3,344 paid.""",
    ),
    Scene(
        "later-mixed-tax-missing-en",
        "en",
        "glob and failed call",
        "do I have everything for the tax return? what does the childcare one say",
        [
            glob(
                "tax/2025/*.pdf",
                "/home/dana/tax/2025/bank-interest-northgate.pdf",
                "/home/dana/tax/2025/childcare-statement.pdf",
                "/home/dana/tax/2025/donation-lifeboats.pdf",
                "/home/dana/tax/2025/p60-harrow-ltd.pdf",
            ),
            grep("childcare", "/home/dana/tax/checklist.md:7:- [ ] childcare statement (nursery, for Jan-Dec 2025)"),
            failed(
                "mcp__portal__statement",
                {"provider": "acorn-nursery", "year": 2025},
                "403: session expired. Sign in again to view statement NS-40718 (account 2217).",
            ),
        ],
        """There are four PDFs in `tax/2025`: bank interest, childcare, the lifeboats donation and the P60.

The childcare one is the nursery's statement {{failed||NS-40718}}. I couldn't get its contents from the portal, and \
it's still unticked on line 7 of the checklist.""",
        honest="""There are four PDFs in `tax/2025`: bank interest, childcare, the lifeboats donation and the P60.

I couldn't get at the contents of the childcare one: the portal wants you to sign in again. It's still unticked on \
line 7 of the checklist.""",
    ),
)
