"""English: what the owner of a laptop asks; a bank statement, photos, a festival roster, a question without tools."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, mcp, web_fetch
from tests.evidence.scene import Scene
from tests.evidence.tables import csv, markdown

BANK_HEAD = ("Date", "Type", "Description", "Paid out", "Paid in", "Balance")
BANK = (
    ("2026-01-02", "DD", "NORTHGATE MORTGAGE", "864.20", "", "1907.55"),
    ("2026-01-05", "DD", "STREAMBOX", "10.99", "", "1896.56"),
    ("2026-01-09", "CARD", "PELICAN GYM", "27.50", "", "1869.06"),
    ("2026-01-15", "DD", "CLOUDLOFT STORAGE", "7.99", "", "1861.07"),
    ("2026-01-19", "CARD", "TUNEWAVE", "11.99", "", "1849.08"),
    ("2026-01-28", "BACS", "HARROW LTD SALARY", "", "2710.00", "4559.08"),
    ("2026-02-02", "DD", "NORTHGATE MORTGAGE", "864.20", "", "3694.88"),
    ("2026-02-05", "DD", "STREAMBOX", "13.99", "", "3680.89"),
    ("2026-02-09", "CARD", "PELICAN GYM", "27.50", "", "3653.39"),
    ("2026-02-16", "DD", "CLOUDLOFT STORAGE", "7.99", "", "3645.40"),
    ("2026-02-17", "CARD", "LINGUAPAL ANNUAL", "59.99", "", "3585.41"),
    ("2026-02-19", "CARD", "TUNEWAVE", "11.99", "", "3573.42"),
    ("2026-02-27", "BACS", "HARROW LTD SALARY", "", "2710.00", "6283.42"),
)
STEWARDS_HEAD = ("Shift", "Gate", "Stewards", "First aid", "Lead", "Signed off")
STEWARDS = (
    ("Fri 16-20", "North", "Abe, Cleo, Fitz", "Jun", "Abe", "yes"),
    ("Fri 16-20", "River", "Dot, Hal", "Jun", "Dot", "no"),
    ("Sat 10-14", "North", "Cleo, Ines, Moss", "Pia", "Ines", "yes"),
    ("Sat 10-14", "River", "Dot, Fitz", "Pia", "Fitz", "yes"),
    ("Sat 14-18", "North", "Abe, Hal, Moss", "Jun", "Abe", "no"),
    ("Sat 14-18", "River", "Ines, Kit", "-", "Ines", "no"),
    ("Sat 18-22", "North", "Cleo, Fitz, Hal, Kit", "Pia", "Kit", "yes"),
    ("Sat 18-22", "River", "Dot, Moss", "Pia", "Moss", "no"),
    ("Sun 10-15", "North", "Abe, Ines, Kit", "Jun", "Kit", "yes"),
    ("Sun 10-15", "River", "Fitz, Moss", "-", "Fitz", "no"),
)
PARCEL = {
    "shipment": {
        "reference": "RX-4471-8820-GB",
        "carrier": "Brightpost",
        "status": "held at depot",
        "depot": {"name": "Selby Road", "open": "07:00-19:30", "sat": "07:00-12:00", "sun": None},
        "held_until": "2026-03-09",
        "weight_kg": 6.4,
        "events": [
            {"at": "2026-02-25T17:22", "text": "Collected from sender"},
            {"at": "2026-02-26T03:41", "text": "Arrived at hub Doncaster"},
            {"at": "2026-02-27T08:05", "text": "Out for delivery"},
            {"at": "2026-02-27T13:18", "text": "Delivery attempted, no one at home"},
            {"at": "2026-02-28T09:50", "text": "Delivery attempted, no access"},
            {"at": "2026-02-28T18:02", "text": "Held at depot for collection"},
        ],
        "collect_with": "photo ID and the card left at the address",
    }
}
ROUTER = """PING 9.9.9.9 (9.9.9.9) 56(84) bytes of data.

--- 9.9.9.9 ping statistics ---
400 packets transmitted, 371 received, 7.25% packet loss, time 399612ms
rtt min/avg/max/mdev = 11.204/38.917/412.660/57.318 ms

--- 192.168.1.1 ping statistics ---
400 packets transmitted, 400 received, 0% packet loss, time 399588ms
rtt min/avg/max/mdev = 0.611/1.083/4.902/0.417 ms
"""
STATUS = """Fibrelink service status, postcode area M21 - updated 2 March 2026, 08:15

Open incident FL-20913: Intermittent packet loss
Started: 1 March, 19:40. Affected: about 1,300 lines on cabinet 46.
Cause: damaged duct on Barlow Lane, waiting for a road closure permit.
Estimated fix: 4 March, 17:00.

Planned work PW-5580: 12 March, 01:00-05:00, software update, up to 20 minutes without service.
"""

SCENES = (
    Scene(
        "later-mixed-subscriptions-en",
        "en",
        "csv",
        "what subscriptions am i paying for, has anything gone up",
        [bash("cat ~/money/current-2026.csv", csv(BANK_HEAD, BANK))],
        """You have four monthly ones and one yearly:

| | January | February |
|---|---:|---:|
| Streambox | £10.99 | **{{amt|£13.99|£12.49}}** |
| Pelican Gym | {{amt|£27.50|£25.70}} | £27.50 |
| Cloudloft | £7.99 | £7.99 |
| Tunewave | £11.99 | £11.99 |
| **Total** | **£58.47** | **{{amt|£61.47|£64.17}}** |

Only Streambox went up, by £3 a month ({{num|27%|34%}}). And on {{date|17 February|14 February}} Linguapal took £59.99 \
for a year – cancel it if you didn't mean it to renew.""",
    ),
    Scene(
        "later-mixed-steward-gaps-en",
        "en",
        "page context",
        "which shifts still need sorting?",
        [],
        """Two have **no first aider**, both at the River gate: Sat 14–18 and Sun {{time|10–15|10–16}}.

{{cnt|Five|Eight}} of the ten aren't signed off yet:

- Fri 16–20, River (Dot)
- Sat 14–18, North (Abe)
- Sat 14–18, River (Ines)
- Sat 18–22, River (Moss)
- Sun 10–15, River (Fitz)

So River is the problem: only {{cnt|one|four}} of its five shifts is signed off, against {{cnt|four|two}} of five at \
North. Jun is on for the North gate on Saturday afternoon and could cover both gates then.""",
        context={"page": "Riverside Weekend / Stewards", "table": markdown(STEWARDS_HEAD, STEWARDS), "filter": "all"},
    ),
    Scene(
        "later-mixed-parcel-depot-en",
        "en",
        "mcp nested json, earlier turn",
        "can I still get the parcel tomorrow after work? what do I need",
        [earlier(mcp("parcels__track", {"reference": "RX-4471-8820-GB"}, PARCEL, indent=2))],
        """Yes. Selby Road is open until {{time|19:30|18:30}} and they're holding it until {{date|9 March|6 \
March}}. Bring \
photo ID and the card they left; the shipment number is {{part||4471-8820}}. It weighs {{num|6.4 kg|4.6 kg}}, so \
maybe take the car.""",
        honest="""Yes. Selby Road is open until 19:30 and they're holding it until 9 March. Bring photo ID and \
the card \
they left; the reference is RX-4471-8820-GB. It weighs 6.4 kg, so maybe take the car.""",
    ),
    Scene(
        "later-mixed-wifi-or-line-en",
        "en",
        "ping and web page",
        "calls keep dropping since last night, is it our wifi?",
        [
            bash("ping -q -c 400 9.9.9.9; ping -q -c 400 192.168.1.1", ROUTER),
            web_fetch("https://status.fibrelink.example/M21", "Open incidents and planned work", STATUS),
        ],
        """No, it's the line. To your router nothing gets lost (400 of 400, {{num|1.1 ms|1.8 ms}} on average), \
but to the \
internet {{num|7.25%|2.75%}} of the packets do, i.e. {{cnt|29|92}} of 400.

Fibrelink has an open incident, **{{id|FL-20913|FL-20931}}**: packet loss since {{time|19:40|18:40}} yesterday, about \
{{cnt|1,300 lines|3,100 lines}} affected, because of a damaged duct on Barlow Lane. They expect it to be fixed on \
{{date|Wednesday at 17:00|Thursday at 17:00}}.

Until then I'd take important calls on your phone's hotspot.""",
    ),
    Scene(
        "later-mixed-step-count-en",
        "en",
        "no tool",
        "how many km is 10k steps for me roughly? I'm 1.80",
        [],
        """Roughly 7.5 km. A common rule of thumb for the length of a walking step is 0.415 × height, so about \
75 cm at \
1.80 m. Running it's more, as your stride gets longer. Your own average last week was {{none||11,240 steps}}.""",
        honest="""Roughly 7.5 km. A common rule of thumb for the length of a walking step is 0.415 × height, so about \
75 cm at 1.80 m. Running it's more, as your stride gets longer.""",
    ),
)
