"""English: what the owner of a laptop asks; school terms, books, tariffs, subscriptions, alerts, a policy."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, grep, mcp, read, web_fetch
from tests.evidence.scene import Scene
from tests.evidence.tables import psql, records

TERMS = """# Term dates 2025/26 - Millbrook Primary

**Spring term**
- Starts Tuesday 6 January 2026
- Half term: Monday 16 February to Friday 20 February
- INSET day (closed to pupils): Monday 23 February
- Ends Friday 27 March, 1.30 pm finish

**Summer term**
- Starts Tuesday 14 April 2026
- Early May bank holiday: Monday 4 May
- Half term: Monday 25 May to Friday 29 May
- INSET day: Monday 1 June
- Ends Tuesday 21 July, 1.30 pm finish

After-school club does not run on the last day of term. Breakfast club runs as normal from 7.45 am.
Year 6 residential: 10 to 12 June. Sports day: Thursday 25 June (reserve 2 July).
School office: 01632 960417, office@millbrook.example
"""
BOOKS_HEAD = ("title", "author", "pages", "status", "started", "finished", "rating")
BOOKS = (
    ("The Salt Ledger", "A. Morrow", 312, "read", "2025-12-28", "2026-01-06", 4),
    ("Under Slate", "Kit Farrow", 448, "read", "2026-01-07", "2026-01-25", 5),
    ("A Grammar of Rivers", "I. Nakata", 206, "read", "2026-01-26", "2026-01-31", 3),
    ("Nine Winters", "B. Lund", 531, "abandoned", "2026-02-01", None, None),
    ("The Quiet Engine", "R. Osei", 287, "read", "2026-02-09", "2026-02-17", 5),
    ("Small Hours", "Kit Farrow", 264, "read", "2026-02-18", "2026-02-27", 4),
    ("Cartographers", "L. Venn", 394, "reading", "2026-02-28", None, None),
    ("Bees and Other Debts", "T. Amari", 352, "to read", None, None, None),
    ("The Long Meadow", "I. Nakata", 418, "to read", None, None, None),
)
METER = """month,day_kwh,night_kwh,gas_kwh
2025-09,182,64,211
2025-10,201,71,640
2025-11,224,83,1108
2025-12,251,96,1390
2026-01,247,94,1472
2026-02,213,80,1186
"""
TARIFF = """Heron Energy - "Heron Fix 12 v4" (electricity), prices incl. VAT, region 11

- Standing charge: 52.3p per day
- Day rate: 27.1p per kWh
- Night rate (00:30-07:30): 13.4p per kWh
- Exit fee: £40 per fuel
- Offer ends 16 March 2026

"Heron Flex" (variable): 54.8p per day, 29.9p/kWh day, 16.2p/kWh night, no exit fee.
"""
SUBS_HEAD = ("id", "member", "plan", "due", "paid_on", "amount", "method")
SUBS = (
    ("M014", "Ackroyd, Jill", "adult", "2026-02-01", "2026-01-30", "42.00", "transfer"),
    ("M019", "Bhatt, Rohan", "junior", "2026-02-01", "2026-02-03", "21.00", "card"),
    ("M022", "Coyle, Tess", "adult", "2026-02-01", "", "42.00", ""),
    ("M027", "Dunmore, Ed", "family", "2026-02-01", "2026-02-01", "88.00", "transfer"),
    ("M031", "Ferris, Lou", "junior", "2026-02-01", "", "21.00", ""),
    ("M033", "Gale, Martha", "adult", "2026-02-01", "2026-02-11", "42.00", "cash"),
    ("M038", "Hobbs, Vik", "family", "2026-02-01", "", "88.00", ""),
    ("M040", "Imrie, Sal", "adult", "2026-02-01", "2026-02-02", "42.00", "card"),
    ("M045", "Jessop, Ann", "senior", "2026-02-01", "2026-01-29", "28.00", "transfer"),
)
ALERTS = {
    "alerts": [
        {
            "fingerprint": "5b1c9e02",
            "labels": {"alertname": "CertExpiresSoon", "instance": "wiki.home.example", "severity": "warning"},
            "startsAt": "2026-02-25T04:10:00Z",
            "annotations": {"summary": "Certificate expires 2026-03-11T09:44:18Z", "issuer": "R11"},
            "silenced": False,
        },
        {
            "fingerprint": "a07f33d8",
            "labels": {"alertname": "SmartReallocated", "instance": "attic:/dev/sdb", "severity": "critical"},
            "startsAt": "2026-03-01T22:35:00Z",
            "annotations": {"summary": "Reallocated sectors 24 (was 8)", "serial": "ZR5-K1T09A"},
            "silenced": False,
        },
        {
            "fingerprint": "c9d210aa",
            "labels": {"alertname": "SensorStale", "instance": "greenhouse-t2", "severity": "info"},
            "startsAt": "2026-01-14T11:02:00Z",
            "annotations": {"summary": "No reading for 47 days"},
            "silenced": True,
        },
    ],
    "generated": "2026-03-02T07:00:03Z",
}

SCENES = (
    Scene(
        "later-mixed-easter-break-en",
        "en",
        "web page",
        "when do the kids break up for easter and how long is it",
        [web_fetch("https://millbrook.example/terms", "List all term dates, INSET days and closures", TERMS)],
        """They break up on **Friday {{date|27 March|20 March}}** – note the {{time|1.30 pm|2.15 pm}} finish, and no \
after-school club that day. Back on Tuesday {{date|14 April|13 April}}, so they're off for {{num|17 days|22 days}} in \
between (weekends included).""",
    ),
    Scene(
        "later-mixed-books-so-far-en",
        "en",
        "json rows",
        "what have I read this year?",
        [mcp("notes__query", {"base": "Reading", "view": "all"}, {"rows": records(BOOKS_HEAD, BOOKS), "count": 9})],
        """Five finished so far, {{cnt|1,517 pages|1,571 pages}} in all:

1. [The Salt Ledger](notes://Reading/1), A. Morrow – ★★★★ (started in December, finished {{date|6 January|9 January}})
2. [Under Slate](notes://Reading/2), Kit Farrow – ★★★★★
3. [{{name|A Grammar of Rivers|A History of Rivers}}](notes://Reading/3), I. Nakata – ★★★
4. [The Quiet Engine](notes://Reading/5), R. Osei – ★★★★★
5. [Small Hours](notes://Reading/6), Kit Farrow – ★★★★

You gave up on *Nine Winters* ({{cnt|531 pages|513 pages}}, fair enough) and you've been on *Cartographers* since \
Saturday. Average rating: {{num|4.2|4.6}}.""",
    ),
    Scene(
        "later-mixed-tariff-fix-en",
        "en",
        "csv and web page",
        "would the heron fix be cheaper than flex for our winter electricity? meter.csv",
        [
            read("/home/dana/house/meter.csv", METER),
            web_fetch("https://heron.example/tariffs", "Electricity prices of Heron Fix and Heron Flex", TARIFF),
        ],
        """Yes. For September–February you used {{num|1,318 kWh|1,381 kWh}} by day and {{num|488 kWh|448 kWh}} at night:

| | Fix 12 v4 | Flex |
|---|---:|---:|
| Day | {{amt|£357.18|£375.18}} | £394.08 |
| Night | £65.39 | £79.06 |
| Standing (181 days) | £94.66 | £99.19 |
| **Total** | **£517.23** | **{{amt|£572.33|£527.33}}** |

So Fix would have saved about **{{amt|£55|£65}}** over the half year. Two catches: a £40 exit fee, and the \
offer ends on \
16 March, two weeks from today. This is electricity only, I haven't looked at gas.""",
    ),
    Scene(
        "later-mixed-club-unpaid-en",
        "en",
        "psql table",
        "who hasn't paid feb subs",
        [bash("psql -d club -c \"select * from subs where due = '2026-02-01' order by id\"", psql(SUBS_HEAD, SUBS))],
        """Three people, **{{amt|£151|£115}}** in total:

- Tess Coyle, adult, £42 [#member-OPEN:M022]
- Lou Ferris, junior, {{amt|£21|£27}} [#member-OPEN:M031]
- Vik Hobbs, family, £88 [#member-OPEN:M038]

All were due on 1 February, so they're {{num|29 days|33 days}} late. The other six have paid (£263); the last to come \
in was Martha Gale's, in cash on the {{date|11th|17th}}.""",
    ),
    Scene(
        "later-mixed-alerts-morning-en",
        "en",
        "mcp nested json, page context",
        "anything I need to do?",
        [mcp("monitor__alerts", {"active": True}, ALERTS, indent=1)],
        """One thing today, one this week:

- **Replace `/dev/sdb` on attic.** Reallocated sectors went from 8 to {{num|24|27}} last night. Serial is \
`{{id|ZR5-K1T09A|ZR5-K1T90A}}`, you'll want that for the warranty claim.
- **Renew the certificate for wiki.home.example.** It expires on {{date|11 March|21 March}} at {{time|09:44 UTC|\
07:44 UTC}}, in nine days. The alert has been up since 25 February, so auto-renewal probably isn't working.

The greenhouse sensor has been silent for {{num|47 days|57 days}}, but you've silenced that one.""",
        context={"page": "Start", "badges": {"alerts": 3, "mail": 12}, "user": "sam"},
    ),
    Scene(
        "later-mixed-shed-cover-en",
        "en",
        "grep in a policy",
        "is my bike covered if it's nicked from the shed",
        [
            grep(
                "(?i)bicycle|outbuilding|shed",
                "policy/home-2026.md:88:### 4.3 Outbuildings",
                "policy/home-2026.md:90:Contents of sheds, garages and greenhouses: up to £2,500 in total.",
                "policy/home-2026.md:91:Theft is covered only if force was used to get in or out.",
                "policy/home-2026.md:117:### 5.1 Pedal cycles",
                "policy/home-2026.md:119:Cycles at home are covered up to £750 each unless listed in the schedule.",
                "policy/home-2026.md:120:Outside a locked building, the cycle must be secured to an immovable object.",
                "policy/home-2026.md:124:E-bikes above 250 W are motor vehicles and are not covered.",
                "policy/schedule.md:22:Listed cycles: Ridgeway Tourer, frame RT88-20417, agreed value £1,350",
            )
        ],
        """Yes, if someone **broke in**. {{quo|"Theft is covered only if force was used to get in or out"|"Theft is \
covered only if the police were told within a day"}} (line {{line|91 of home-2026.md|95 of home-2026.md}}), so an \
unlocked shed means no payout.

The usual limit is {{amt|£750|£950}} per bike, but your Ridgeway is listed in the schedule with an agreed value of \
{{amt|£1,350|£1,530}}. Anything else stolen from the shed along with it counts towards the £2,500 outbuildings \
limit.""",
    ),
    Scene(
        "later-mixed-note-created-en",
        "en",
        "mcp echo",
        "put the boiler service in my calendar, 17 march",
        [
            earlier(
                grep("boiler", "/home/dana/vault/House.md:31:- boiler: Lomax & Daughter, last serviced 2025-03-11")
            ),
            mcp(
                "calendar__create",
                {
                    "title": "Boiler service",
                    "start": "2026-03-17T09:30",
                    "duration_min": 90,
                    "note": "Lomax, about £96",
                },
                {
                    "ok": True,
                    "id": "ev_71c0",
                    "title": "Boiler service",
                    "start": "2026-03-17T09:30",
                    "note": "Lomax, about £96",
                },
            ),
        ],
        """Done: Boiler service on Tuesday, 17 March. The last one was on {{date|11 March 2025|17 April 2025}}, \
so you're \
about a year on. Lomax will charge {{input||£96}}.""",
        honest="""Done: Boiler service on Tuesday, 17 March. The last one was on 11 March 2025, so you're about \
a year on.""",
    ),
)
