"""English: private errands."""

from __future__ import annotations

from tests.evidence.results import bash, glob, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import csv, markdown

POWER_HEAD = (
    "period_from",
    "period_to",
    "reading_start",
    "reading_end",
    "kwh",
    "price_kwh",
    "standing",
    "total",
    "paid_by",
)
POWER = [
    line.split("|")
    for line in """\
2025-02-01|2025-04-30|41208|41977|769|0.2840|31.50|249.90|direct debit
2025-05-01|2025-07-31|41977|42530|553|0.2840|31.50|188.55|direct debit
2025-08-01|2025-10-31|42530|43142|612|0.2840|31.50|205.31|direct debit
2025-11-01|2026-01-31|43142|44096|954|0.3120|34.20|331.85|direct debit""".splitlines()
]
TRAINS = """{
  "from": "Ashgrove", "to": "Port Selwyn", "date": "2026-03-14", "currency": "GBP",
  "connections": [
    {"id": "c1", "dep": "07:12", "arr": "10:48", "changes": 1, "via": "Milbury Junction", "transfer_min": 9,
     "trains": ["IC 2041", "RE 77"], "fares": {"saver": 38.9, "flex": 71.0}, "seats_left": 12},
    {"id": "c2", "dep": "08:34", "arr": "11:41", "changes": 0, "via": null, "transfer_min": null,
     "trains": ["IC 517"], "fares": {"saver": 54.9, "flex": 79.0}, "seats_left": 3},
    {"id": "c3", "dep": "09:12", "arr": "13:02", "changes": 2, "via": "Milbury Junction, Cole", "transfer_min": 7,
     "trains": ["IC 2043", "RE 79", "RB 14"], "fares": {"saver": 29.9, "flex": 64.0}, "seats_left": 40},
    {"id": "c4", "dep": "10:34", "arr": "13:41", "changes": 0, "via": null, "transfer_min": null,
     "trains": ["IC 519"], "fares": {"saver": null, "flex": 79.0}, "seats_left": 22}
  ],
  "notices": ["Engineering works between Cole and Port Selwyn on 14 March after 15:00: replacement buses, +35 min"]
}"""
POLICY = """HOMEGUARD HOUSEHOLD INSURANCE                                   Policy no. HG-58-330917-4
Insured: A. Merriden                                            Valid from 1 June 2025

Sum insured                          62,000
Excess per claim                     150
Yearly premium                       187.40   (monthly: 16.25)

SECTION B - WHAT IS COVERED
B.1 Fire, lightning, explosion
B.2 Burglary, incl. vandalism after burglary
B.3 Tap water
B.4 Storm from wind force 8, hail
B.5 Bicycles: theft from a locked place, up to 1,200 per bicycle, if locked;
    between 10 pm and 6 am only if in use or in a locked room

SECTION C - WHAT IS NOT COVERED
C.1 Flood and backwater (may be added as "Nature Plus", 43.80 a year)
C.2 Damage by pets
C.3 Mobile phones outside the home

SECTION F - CLAIMS
F.1 Notify us without delay, at the latest within 14 days of discovery.
F.2 Theft must be reported to the police within 48 hours.
F.3 Keep damaged things until we agree to their disposal.

SECTION G - END
G.1 The contract is renewed by one year unless either side gives notice three months
    before the end of the insurance year (31 May)."""
GUESTS_HEAD = ("Household", "Adults", "Children", "Reply", "Food", "Room", "Note")
GUESTS = [
    line.split("|")
    for line in """\
Ferris|2|0|yes|1 vegan|own|arrive Friday
Nakamoto-Bell|2|3|yes|-|Mill Inn|cot needed
Uncle Bram|1|0|no|-|-|hip operation
Dray|2|1|yes|1 gluten-free|Mill Inn|
Pilar & Sunniva|2|0|open|2 vegetarian|-|reminded 24 Feb
Old choir|6|0|yes|1 vegan, 2 vegetarian|own|bring songs
Hollins|1|2|open|-|-|
Aunt Josephine|1|0|yes|no nuts|guest room|picked up at 14:05""".splitlines()
]
MOWER = """Order WG-7710284 - Wickham Garden Machines

Ordered: 9 February 2026        Paid: card ending 4410
Delivered: 18 February 2026 (parcel 3SWGM0082216659)

1 x Cordless mower Larkfield 38 LX      329.00
1 x Battery 36 V / 4.0 Ah               119.00
1 x Mulching kit                         34.90
Voucher SPRING10                        -10.00
Shipping                                  6.95
Total                                   479.85

Returns: within 30 days of delivery, in the original box. Return shipping 9.90, free if faulty.
Warranty: 3 years (battery 2 years). Register within 60 days of delivery for 5 years on the motor."""

SCENES = (
    Scene(
        "last-desk-power-bill-en",
        "en",
        "csv",
        "why was the last electricity bill so high?",
        [bash("cat ~/home/bills/electricity.csv", csv(POWER_HEAD, POWER))],
        """Both usage and price went up. November–January vs. the quarter before:

- **Usage:** {{num|954 kWh|945 kWh}} instead of 612, i.e. +{{num|56 %|65 %}}
- **Price per kWh:** 0.2840 → {{num|0.3120|0.3210}} (about +10 %)
- **Standing charge:** 31.50 → 34.20

So the bill rose from 205.31 to **{{amt|331.85|313.85}}**, by {{amt|126.54|162.54}}. Most of it is winter usage: at \
the old prices the \
same quarter would have cost about {{amt|302|320}}, so roughly 29 is due to the increase.""",
    ),
    Scene(
        "last-desk-power-year-en",
        "en",
        "csv",
        "total for the year?",
        [bash("cat ~/home/bills/electricity.csv", csv(POWER_HEAD, POWER))],
        """{{amt|975.61|957.61}} for {{num|2,888 kWh|2,988 kWh}} (1 February 2025 to {{date|31 January 2026|28 \
January 2026}}), so about \
{{amt|81.30|83.10}} a month.""",
    ),
    Scene(
        "last-desk-train-choice-en",
        "en",
        "mcp json nested",
        "train to port selwyn on the 14th, morning, not too expensive, i hate changing",
        [mcp("rail__connections", {"from": "Ashgrove", "to": "Port Selwyn", "date": "2026-03-14"}, TRAINS)],
        """I'd take **IC 517**: Saturday 14 March, {{time|08:34|08:43}} → 11:41, direct, {{amt|54.90|59.40}} – but \
only \
{{cnt|3 seats|8 seats}} are left at that fare.

| | Departs | Arrives | Changes | Saver |
|---|---|---|---:|---:|
| Cheapest | 09:12 | {{time|13:02|13:20}} | 2 | 29.90 |
| Compromise | 07:12 | 10:48 | 1 (9 min in Milbury Junction) | {{amt|38.90|39.80}} |
| **Direct** | 08:34 | 11:41 | 0 | 54.90 |

The other direct train, {{id|IC 519|IC 591}} at 10:34, has only the flex fare (79.00). Travel back before 15:00 if \
it's the same \
day: after that there are replacement buses, 35 minutes longer.""",
    ),
    Scene(
        "last-desk-bike-stolen-en",
        "en",
        "text file",
        "bike got nicked from the locked cellar last night. covered? what do i have to do",
        [glob("~/docs/insurance/*", "~/docs/insurance/homeguard.txt"), read("~/docs/insurance/homeguard.txt", POLICY)],
        """Sorry to hear that. **Yes, it looks covered** – theft from a locked place (B.5), up to \
{{amt|1,200|2,100}} per bicycle, less \
{{amt|150|275}} excess. One catch: it also says {{quo|"if locked"|"if chained to a fixed object"}}, so was the bike \
itself locked? At \
night a locked room is enough as to the place.

What to do, in this order:

1. **Police** within {{num|48 hours|72 hours}} (F.2) – so by Wednesday morning at the latest, better today.
2. **HomeGuard** without delay, at the latest within {{num|14 days|60 days}} (F.1). Policy no. \
{{id|HG-58-330917-4|HG-58-339017-4}}.
3. Have the receipt and frame number ready.""",
    ),
    Scene(
        "last-desk-insurance-notice-en",
        "en",
        "text file",
        "until when could I cancel homeguard",
        [read("~/docs/insurance/homeguard.txt", POLICY)],
        """Until the end of February – so you've just missed it. The insurance year ends on {{date|31 May|30 \
June}}, and G.1 wants notice \
{{num|three months|five months}} before. It now runs until 31 May 2027, unless they raise the premium \
({{amt|187.40|178.40}} a year), \
which often gives you a special right to cancel.""",
    ),
    Scene(
        "last-desk-guests-count-en",
        "en",
        "markdown table",
        "how many for the party now",
        [read("/home/iris/party/guests.md", "# 21 March, barn\n\n" + markdown(GUESTS_HEAD, GUESTS) + "\n")],
        """**{{cnt|17 people|22 people}} confirmed**: 13 adults and {{cnt|4 children|19 children}}, from five \
households.

- Still open: Pilar & Sunniva and Hollins – {{num|5 people|16 people}} more if all come
- Declined: Uncle Bram
- Food among the confirmed: 2 vegan, {{cnt|2 vegetarian|12 vegetarian}}, 1 gluten-free, 1 without nuts

Aunt Josephine has to be picked up at {{time|14:05|14:50}}, and the Nakamoto-Bells need a cot. Nineteen days to \
go.""",
    ),
    Scene(
        "last-desk-mower-return-en",
        "en",
        "text file",
        "can i still send the mower back?",
        [bash("cat ~/mail/orders/WG-7710284.txt", MOWER)],
        """Yes, until **{{date|20 March 2026|10 March 2026}}**: it was delivered on 18 February and you have 30 \
days, so \
{{num|18 days|26 days}} are left. It has to go in the original box; return shipping is {{amt|9.90|6.90}}, or free \
if it's faulty.

If you keep it: register it by 19 April to get {{num|5 years|15 years}} on the motor.""",
    ),
    Scene(
        "last-desk-reminder-set-en",
        "en",
        "own input",
        "remind me to call the vet",
        [
            mcp(
                "reminders__create",
                {"title": "Call the vet", "due": "2026-03-03T09:20"},
                {"created": {"id": "rem_5510c", "title": "Call the vet", "due": "2026-03-03T09:20"}, "ok": True},
            )
        ],
        """Done, I'll remind you tomorrow to call the vet. They open at {{input||09:20}}.""",
        honest="""Done, I'll remind you tomorrow to call the vet.""",
    ),
)
