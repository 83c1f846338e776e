"""English: an office; research on the web, comparisons of products, customers and deals, parcels."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, mcp, read, web_fetch, web_search
from tests.evidence.scene import Scene
from tests.evidence.tables import psql, records

SCANNERS = """The search found current reviews and data sheets of three sheet-fed document scanners.

**Norvex DS-640**: 40 ppm / 80 ipm duplex, feeder for 60 sheets, 600 dpi, 3.4 kg, USB and Wi-Fi. Street price around
£369 (Officeland, 27 February 2026). Daily duty 4,000 sheets. 3-year warranty. Reviewers criticise the software on
macOS ("crashes on every second import", Deskreview, 4.1/5).

**Calder ScanPro 55**: 55 ppm / 110 ipm, feeder for 100 sheets, 600 dpi, 4.3 kg, USB, Ethernet. £648 at Papermart.
Daily duty 7,500 sheets. 2-year warranty on site. Deskreview 4.6/5: "the fastest in its class".

**Immo iD30**: 30 ppm / 60 ipm, feeder for 50 sheets, 600 dpi, 2.9 kg, USB only. £279 at Officeland, 12 left.
Daily duty 3,000 sheets. 1-year warranty. Deskreview 3.7/5.

None of the three is certified for TWAIN Direct. The Calder has a passport slot."""
SCANNER_HITS = (
    ("The best document scanners of 2026 - Deskreview", "https://deskreview.example/scanners-2026"),
    ("Norvex DS-640 data sheet", "https://norvex.example/ds-640"),
    ("Calder ScanPro 55 | Papermart", "https://papermart.example/p/55021"),
    ("Immo iD30 - Officeland", "https://officeland.example/immo-id30"),
)
PRICING = """# Signwell & Ray - plans (prices per user and month, excluding VAT, billed annually)

| | Starter | Team | Business |
|---|---|---|---|
| Price | £9 | £19 | £34 |
| Billed monthly | £12 | £24 | £42 |
| Envelopes per user and year | 60 | 240 | unlimited |
| Minimum users | 1 | 3 | 10 |
| Advanced signatures (AES) | no | yes | yes |
| Qualified signatures (QES) | no | £1.80 each | £1.20 each |
| Single sign-on | no | no | yes |
| API calls per hour | - | 500 | 5,000 |
| Audit trail kept for | 1 year | 7 years | 10 years |
| Support | mail | mail, chat (9-17) | phone, 24/7 |

Extra envelopes: £0.90. Free trial of 14 days, no card needed. Charities: 25% off Team and Business.
Prices valid from 1 January 2026. Cancellation to the end of the billing period."""
DEAL_HEAD = ("deal_id", "account", "stage", "value_gbp", "prob", "owner", "created", "last_touch", "close_date", "next")
DEALS = (
    ("D-5521", "Arkwell Foods", "negotiation", 48000, 70, "jonah", "2025-10-02", "2026-02-26", "2026-03-31", "redline"),
    ("D-5534", "Stavely Council", "proposal", 112500, 35, "mina", "2025-11-11", "2026-01-22", "2026-04-30", ""),
    ("D-5540", "Brightmoor Care", "discovery", 26000, 20, "jonah", "2025-12-08", "2026-02-19", "2026-05-29", "demo"),
    ("D-5547", "Tidewater Labs", "negotiation", 67400, 80, "mina", "2025-12-15", "2026-02-27", "2026-03-20", "legal"),
    ("D-5552", "Oakhurst Press", "lost", 18900, 0, "petra", "2026-01-09", "2026-02-13", "2026-02-13", ""),
    ("D-5556", "Calloway Rail", "proposal", 83200, 40, "petra", "2026-01-19", "2026-02-24", "2026-04-17", "call 5/3"),
    ("D-5560", "Finch & Daw", "won", 31750, 100, "jonah", "2026-01-21", "2026-02-20", "2026-02-20", "onboarding"),
    ("D-5563", "Marsh Textiles", "discovery", 14300, 15, "petra", "2026-02-04", "2026-02-05", "2026-06-12", ""),
)
ACCOUNT = {
    "account": {
        "id": "ACC-00917",
        "name": "Tidewater Labs Ltd",
        "industry": "biotech",
        "employees": 142,
        "address": {"street": "6 Quay Lane", "city": "Portcastle", "postcode": "PC4 7TN"},
        "since": "2023-05-16",
        "health": "green",
    },
    "contacts": [
        {"id": "CT-3381", "name": "Helena Strand", "role": "COO", "phone": "+44 1632 960 417", "primary": True},
        {"id": "CT-3390", "name": "Babak Irani", "role": "Head of IT", "phone": "+44 1632 960 422", "primary": False},
    ],
    "activities": [
        {"at": "2026-02-27T15:10", "type": "call", "by": "mina", "minutes": 22,
         "text": "Helena: board approves on 12 March. Wants net 45 instead of net 30. Price is fine."},
        {"at": "2026-02-18T09:00", "type": "mail", "by": "mina", "text": "Sent contract v3"},
        {"at": "2026-02-11T11:30", "type": "meeting", "by": "mina", "minutes": 60,
         "text": "Babak needs SSO and a DPA. 85 seats now, 120 by autumn."},
        {"at": "2026-01-29T16:45", "type": "call", "by": "jonah", "minutes": 9, "text": "Voicemail"},
    ],
    "open_tickets": [{"id": "TK-20611", "subject": "Export times out", "opened": "2026-02-23", "priority": "P2"}],
}  # fmt: skip
TRACK = """consignment    JD0146-77120-3391
service        express 12:00
sender         Officeland DC Tamford
pieces         3 (41.6 kg)

2026-02-26 17:52  Tamford      collected
2026-02-26 23:10  Tamford      departed facility
2026-02-27 04:36  Ashbury hub  arrived
2026-02-27 05:15  Ashbury hub  exception: 1 piece missort
2026-02-27 11:21  Portcastle   delivered 2 pieces, signed REID
2026-02-28 03:58  Ashbury hub  piece 3 relabelled
2026-03-02 06:40  Portcastle   out for delivery
"""

SCENES = (
    Scene(
        "later-office-scanner-pick-en",
        "en",
        "web search",
        "document scanner for the front desk, 2–3k pages a day, mixed win/mac. which one?",
        [web_search("best sheet-fed document scanner 2026 comparison price duty cycle", SCANNER_HITS, SCANNERS)],
        """**Calder ScanPro 55**, if the budget allows it.

| | Norvex DS-640 | Calder ScanPro 55 | Immo iD30 |
|---|---|---|---|
| Price | {{amt|£369|£386}} | £648 | £279 |
| Speed (duplex) | 80 ipm | {{num|110 ipm|117 ipm}} | 60 ipm |
| Feeder | 60 | 100 | 50 |
| Daily duty | 4,000 | {{cnt|7,500|5,700}} | 3,000 |
| Warranty | 3 years | 2 years, on site | 1 year |
| Deskreview | 4.1 | {{num|4.6|4.8}} | 3.7 |

- The Immo would run at its limit with your volume, and it is USB only.
- The Norvex is enough on paper and saves you £279, but its Mac software {{quo|"crashes on every second import"|"has \
no driver for recent Macs"}} according to Deskreview – a problem in a mixed office.
- The Calder has Ethernet and plenty of headroom.""",
    ),
    Scene(
        "later-office-esign-cost-en",
        "en",
        "web page",
        "What would Signwell & Ray cost for 8 people? We need QES about 200 times a year. "
        "https://signwell-ray.example/pricing",
        [web_fetch("https://signwell-ray.example/pricing", "All plans, prices, limits, QES", PRICING)],
        """For 8 people **Team** is the plan: Starter has no QES, and Business needs at least {{cnt|10 users|18 \
users}}.

- 8 × £19 × 12 = {{amt|£1,824|£1,842}} a year
- 200 QES × {{amt|£1.80|£1.08}} = £360
- **Total {{amt|£2,184|£2,194}}** a year excluding VAT, billed annually

Team includes {{cnt|240 envelopes|480 envelopes}} per user and year, 1,920 altogether, and keeps the audit trail for \
7 years. It has no single sign-on. Even if you paid for ten users, Business would be £4,320 with the same 200 QES.""",
    ),
    Scene(
        "later-office-esign-trial-en",
        "en",
        "web page, earlier",
        "is there a trial, and do we get anything off as a charity?",
        [earlier(web_fetch("https://signwell-ray.example/pricing", "All plans, prices, limits, QES", PRICING))],
        """Yes to both: {{num|14 days|21 days}} free without a card, and charities get {{num|25% off|35% off}} Team \
and Business. At Team's £19 that would be {{amt|£14.25|£15.24}} per user and month.""",
    ),
    Scene(
        "later-office-pipeline-en",
        "en",
        "psql table",
        "pipeline summary for the sales meeting",
        [bash("psql crm -f pipeline.sql", psql(DEAL_HEAD, DEALS))],
        """Pipeline as of today: **six open deals, {{amt|£351,400|£354,100}}**, weighted \
{{amt|£167,520|£176,520}}.

| Stage | Deals | Value |
|---|---:|---:|
| Negotiation | 2 | £115,400 |
| Proposal | 2 | {{amt|£195,700|£197,500}} |
| Discovery | 2 | £40,300 |

**Closing this month:** Tidewater Labs ({{date|20 March|23 March}}, 80%) and Arkwell Foods (31 March, 70%).

**Going cold:** Stavely Council, our biggest, hasn't been touched since {{date|22 January|27 January}} – \
{{num|39 days|47 days}} – and has no next step. Marsh Textiles has none either.

Since the start of February: Finch & Daw won (£31,750), Oakhurst Press lost (£18,900).""",
    ),
    Scene(
        "later-office-deals-jonah-en",
        "en",
        "mcp json rows",
        "what's on Jonah's plate?",
        [mcp("crm__deals", {"owner": "jonah"}, {"result": records(DEAL_HEAD, [DEALS[0], DEALS[2], DEALS[6]])})],
        """Two open deals, {{amt|£74,000|£47,000}} together, plus one onboarding:

- **Arkwell Foods** – negotiation, {{amt|£48,000|£84,000}}, {{num|70%|75%}}; redline is next. [#deal-OPEN:D-5521]
- **Brightmoor Care** – discovery, £26,000, 20%; demo to be done, last contact {{date|19 February|9 February}}. \
[#deal-OPEN:D-5540]
- **Finch & Daw** – won on 20 February, now onboarding. [#deal-OPEN:D-5560]""",
    ),
    Scene(
        "later-office-account-brief-en",
        "en",
        "mcp json nested",
        "calling Tidewater in 10 min. brief me",
        [mcp("crm__account", {"name": "Tidewater"}, ACCOUNT, indent=2)],
        """**Tidewater Labs** ({{id|ACC-00917|ACC-00971}}), biotech, {{cnt|142 employees|1,420 employees}}, customer \
since May 2023.

- **Call:** Helena Strand, COO, {{id|+44 1632 960 417|+44 1632 960 471}}. IT is Babak Irani (…422).
- **Where it stands:** the board approves on {{date|12 March|10 March}}. {{quo|"Price is fine."|"Price is a bit \
steep."}} She wants net 45 instead of net 30; that was on Friday's call with Mina, 22 minutes.
- **IT needs** SSO and a DPA. {{cnt|85 seats|58 seats}} now, 120 by autumn.
- **Careful:** they have an open P2 ticket, TK-20611 (export times out), since 23 February – a week old today.

They have contract v3, sent on 18 February.""",
    ),
    Scene(
        "later-office-parcel-en",
        "en",
        "log",
        "Where's the third box from Officeland??",
        [bash("track JD0146-77120-3391", TRACK)],
        """Out for delivery since {{time|06:40|06:04}} this morning, so it should come today. It was missorted at the \
Ashbury hub on Friday and relabelled on {{date|Saturday, 28 February|Sunday, 1 March}}. The other two arrived on \
Friday at {{time|11:21|11:12}}; {{quo|"REID"|"REED"}} signed for them. Your order number there is {{part||77120}}.""",
        honest="""Out for delivery since 06:40 this morning, so it should come today. It was missorted at the Ashbury \
hub on Friday and relabelled on Saturday, 28 February. The other two arrived on Friday at 11:21; "REID" signed for \
them.""",
    ),
    Scene(
        "later-office-bank-holidays-en",
        "en",
        "file",
        "Is the office open over Easter?",
        [
            read(
                "/srv/share/office/closing_days_2026.md",
                """# Closing days 2026

| Date | Day | Reason | Phones |
|---|---|---|---|
| 1 Jan | Thu | New Year | off |
| 2 Jan | Fri | bridge day | on call: Abara |
| 3 Apr | Fri | Good Friday | off |
| 6 Apr | Mon | Easter Monday | on call: Cullen |
| 4 May | Mon | early May | off |
| 25 May | Mon | spring | on call: Quist |
| 31 Aug | Mon | summer | on call: Haddon |
| 24 Dec | Thu | from 13:00 | off |
| 25 Dec | Fri | Christmas | off |
| 28-31 Dec | Mon-Thu | shutdown | on call: Kovar |

Post room closes one hour earlier on the day before a closing day (16:30).
Alarm code changes on 1 April. Questions: front desk, ext. 2200.""",
            )
        ],
        """Closed from {{date|Friday 3 April|Friday 10 April}} to Monday 6 April; open again on Tuesday the 7th. On \
Easter Monday {{quo|"Cullen"|"Treadwell"}} is on call, on Good Friday the phones are off. The post room closes at \
{{time|16:30|15:30}} on Thursday.""",
    ),
)
