"""English: a practice; dockets, hearings, engagement letters, fees, conflicts."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, grep, mcp, read, task
from tests.evidence.scene import Scene
from tests.evidence.tables import psql, records

DOCKET_HEAD = ("id", "matter", "type", "due", "owner", "state", "note")
DOCKET = (
    ("DL-2018", "P-1150-EP", "Rule 71(3) reply", "2026-02-27", "rk", "done", "filed 25 Feb"),
    ("DL-2031", "P-1187-EP", "Response Art. 94(3)", "2026-03-04", "mh", "open", "extension used"),
    ("DL-2034", "P-1190-US", "Office action response", "2026-03-06", "mh", "open", None),
    ("DL-2038", "T-0412-EU", "Opposition: evidence of use", "2026-03-06", "rk", "open", "client sent 3 of 5 invoices"),
    ("DL-2044", "P-1201-WO", "Chapter II demand", "2026-03-11", "mh", "open", None),
    ("DL-2047", "T-0398-GB", "Renewal", "2026-03-12", "sb", "instructed", "agent confirmed 18 Feb"),
    ("DL-2051", "P-1175-JP", "Request for examination", "2026-03-19", "rk", "open", None),
    ("DL-2052", "P-1166-EP", "Validation", "2026-03-20", "sb", "open", "DE, FR, GB, NL"),
    ("DL-2039", "P-1102-EP", "Renewal fee year 7", "2026-03-31", "sb", "open", None),
    ("DL-2060", "P-1187-DE", "Annuity year 5", "2026-04-30", "sb", "open", None),
)
TIME_HEAD = ("entry_id", "work_date", "who", "matter", "hours", "rate", "billed", "narrative")
TIME = (
    (88101, "2026-02-02", "mh", "4410-02", "1.20", "340.00", "f", "Call with client re lease clause 14"),
    (88107, "2026-02-03", "jt", "4410-02", "3.50", "210.00", "f", "Review of draft lease"),
    (88115, "2026-02-05", "jt", "4410-02", "0.80", "210.00", "f", "Email to landlord's solicitors"),
    (88116, "2026-02-05", "mh", "4388-01", "0.50", "340.00", "t", "Conference with counsel"),
    (88129, "2026-02-11", "mh", "4410-02", "2.00", "340.00", "f", "Mark-up of side letter"),
    (88140, "2026-02-17", "pd", "4410-02", "1.60", "150.00", "f", "Land registry searches"),
    (88152, "2026-02-19", "jt", "4410-02", "2.40", "210.00", "f", "Second turn of draft lease"),
    (88166, "2026-02-24", "pd", "4388-01", "4.10", "150.00", "t", "Bundle preparation"),
)
LETTER = """# Engagement letter

**Harrow & Pell LLP** - our ref HP/4410-02/MH
12 January 2026

Dear Ms Okafor,

Lease of Unit 7, Tannery Yard

1. Scope. We will advise Brightwater Ceramics Ltd on the negotiation of a new lease of Unit 7.
   We will not advise on tax, planning or environmental matters.
2. People. Marian Holt (partner, £340 per hour) is responsible. Jonas Treadwell (associate, £210)
   will do most of the drafting; Priya Dunmore (paralegal, £150) will deal with searches.
3. Estimate. Our estimate is £4,500 to £6,000 plus VAT. We will tell you before our fees reach £5,000.
   This is an estimate and not a fixed fee.
4. Money on account. Please pay £1,500 on account before 26 January 2026.
5. Bills. We bill monthly. Bills are payable within 21 days; after that interest runs at 4% above base.
6. Termination. You may end the engagement at any time in writing. We may do so on 14 days' notice.
7. Complaints. First to Marian Holt, then to our complaints partner, Edwin Sarr; we reply within 8 weeks.
8. Storage. We keep the file for 7 years after the final bill.

Yours sincerely,
Harrow & Pell LLP"""
HEARINGS = """HEARING LIST - week 11/2026 (printed 2026-03-01 18:42)
----------------------------------------------------------------
Mon 09.03  10:00  Rm 4   HC-2025-000871  Ostrey v Banning Freight      CMC            30m  EW
Mon 09.03  14:30  Rm 11  CC-2024-011902  Lindqvist v Tarn Homes        Costs          1h   MH
Tue 10.03  10:30  Rm 2   HC-2025-001140  Re Calloway (deceased)        Directions     45m  EW
Wed 11.03  09:45  video  ET-3301877/25   Farrow v Pinnock Logistics    Preliminary    2h   JT
Thu 12.03  10:30  Rm 2   HC-2025-000655  Meridian Glass v Hext         Trial day 1/3  1d   MH
Fri 13.03  10:30  Rm 2   HC-2025-000655  Meridian Glass v Hext         Trial day 2/3  1d   MH
Fri 13.03  11:00  Rm 9   CC-2025-004417  Dray v Sowerby                Summary jmt    1h   EW
----------------------------------------------------------------
Bundles due: 871 by 04.03 noon; 11902 by 05.03; 655 lodged 20.02; 4417 by 10.03 16:00
Counsel: 655 Anselm Rooke KC; 4417 Tilda Marsh
"""
CONFLICT = """Checked the three sources you named.

1. `clients.csv` (2,318 rows): "Vantor Holdings" is not a client. "Vantor Energy GmbH" is a former client
   (client no. 20771, file closed 2019-06-28, partner E. Sarr).
2. `adverse_parties.csv` (5,904 rows): two hits. HP/3977-04 (Ledbury v Vantor Holdings plc, closed 2022-11-03)
   and HP/4290-01 (Coxwold Wind Ltd, open, Vantor Holdings plc is guarantor, fee earner J. Treadwell).
3. Company register extract of 2026-02-20: Vantor Holdings plc, no. 09114427, directors P. Aske and L. Morrow;
   Vantor Energy GmbH is a wholly owned subsidiary since 2017.

I did not look at the archive before 2012."""

SCENES = (
    Scene(
        "later-office-docket-fortnight-en",
        "en",
        "mcp json rows",
        "what's due this week and next?",
        [mcp("docket__list", {"until": "2026-04-30"}, {"rows": records(DOCKET_HEAD, DOCKET), "total": 10}, indent=2)],
        """**This week**

- **Wed 4 March** – response under Art. 94(3) in P-1187-EP (MH). The extension is already used, so this one can't \
move. [#deadline-OPEN:DL-2031]
- **{{date|Fri 6 March|Thu 5 March}}** – US office action response, {{file|P-1190-US|P-1109-US}} (MH). \
[#deadline-OPEN:DL-2034]
- **Fri 6 March** – evidence of use, T-0412-EU (RK). Client has sent only {{cnt|3 of 5 invoices|13 of 15 invoices}}. \
[#deadline-OPEN:DL-2038]

**Next week**

- **{{date|Wed 11 March|Tue 17 March}}** – Chapter II demand, P-1201-WO (MH). [#deadline-OPEN:DL-2044]
- **Thu 12 March** – renewal of T-0398-GB. Already instructed; the agent confirmed on \
{{date|18 February|16 February}}. [#deadline-OPEN:DL-2047]

After that it's quiet until the JP examination request on 19 March.""",
    ),
    Scene(
        "later-office-docket-mh-load-en",
        "en",
        "mcp json rows",
        "How many open ones does each of us have in March?",
        [mcp("docket__list", {"until": "2026-04-30"}, {"rows": records(DOCKET_HEAD, DOCKET), "total": 10})],
        """Open deadlines falling in March:

| Owner | Open | Next |
|---|---:|---|
| MH | 3 | {{date|4 March|5 March}} (P-1187-EP) |
| RK | 2 | 6 March (T-0412-EU) |
| SB | 2 | {{date|20 March|22 March}} ({{file|P-1166-EP|P-1616-EP}}) |

That makes {{cnt|seven|thirteen}}. SB's GB renewal is not counted because it is already instructed, and the DE \
annuity (DL-2060) is only due at the end of April.""",
    ),
    Scene(
        "later-office-wip-matter-en",
        "en",
        "psql table",
        "Unbilled WIP on 4410-02? Are we near the estimate?",
        [
            earlier(read("/srv/files/4410-02/engagement.md", LETTER)),
            bash("psql wip -c \"select * from time where work_date >= '2026-02-01'\"", psql(TIME_HEAD, TIME)),
        ],
        """Unbilled on 4410-02 for February: **{{amt|£2,735.00|£2,753.00}}** over {{num|11.5 hours|12.5 hours}}.

- Marian: 3.2 h × £340 = {{amt|£1,088|£1,188}}
- Jonas: 6.7 h × £210 = £1,407
- Priya: 1.6 h × £150 = £240

The estimate in the engagement letter is £4,500–£6,000 plus VAT, so you're at about {{num|61%|68%}} of the lower end. \
You promised to warn the client before fees reach £5,000; there is {{amt|£2,265|£2,256}} of headroom until then – \
assuming nothing was recorded in January, which I haven't looked at.""",
    ),
    Scene(
        "later-office-engagement-terms-en",
        "en",
        "file",
        "What did we tell Ms Okafor about fees and when bills are due",
        [read("/srv/files/4410-02/engagement.md", LETTER)],
        """From the engagement letter of {{date|12 January 2026|21 January 2026}}:

- Estimate {{amt|£4,500|£4,200}} to £6,000 plus VAT, expressly {{quo|"an estimate and not a fixed fee"|"a capped fee \
for the whole matter"}}
- £1,500 on account, payable before 26 January
- Monthly bills, payable within {{num|21 days|28 days}}; then interest at {{num|4% above base|9% above base}}
- We undertook to tell her before fees reach £5,000""",
    ),
    Scene(
        "later-office-hearings-holt-en",
        "en",
        "text",
        "Marian's hearings next week, and what still needs lodging for her?",
        [bash("cat /srv/lists/hearings_w11.txt", HEARINGS)],
        """Marian (MH) has two matters next week:

1. **Lindqvist v Tarn Homes** ({{file|CC-2024-011902|CC-2024-011920}}) – costs, Monday 9 March, {{time|14:30|13:30}}, \
Rm 11, one hour.
2. **Meridian Glass v Hext** (HC-2025-000655) – trial, days 1 and 2 on Thursday and Friday at 10:30 in Rm 2, with \
Anselm Rooke KC. Day 3 isn't on this list.

Only the Lindqvist bundle is outstanding: due {{date|5 March|7 March}}, i.e. Thursday. The Meridian bundle was lodged \
on {{date|20 February|26 February}}.""",
    ),
    Scene(
        "later-office-hearings-clash-en",
        "en",
        "text",
        "any clashes for EW in week 11?",
        [bash("cat /srv/lists/hearings_w11.txt", HEARINGS)],
        """No. EW has {{cnt|three hearings|sixteen hearings}} on three different days: Monday {{time|10:00|10:15}} \
(Ostrey), Tuesday 10:30 (Calloway) and Friday {{time|11:00|11:45}} (Dray v Sowerby, \
{{file|CC-2025-004417|CC-2025-004471}}). The one thing to watch: two bundles, Ostrey by noon on Wednesday and Dray by \
4 pm on the 10th, the day of Calloway.""",
    ),
    Scene(
        "later-office-conflict-check-en",
        "en",
        "subagent report",
        "Can we act for Coxwold against Vantor Holdings? Run the conflict check.",
        [
            task(
                "Conflict check for Vantor Holdings plc: clients.csv, adverse_parties.csv, company register extract. "
                "Report hits with file numbers and dates.",
                CONFLICT,
            )
        ],
        """Nothing that blocks us, one point for Edwin.

- **Vantor Holdings plc** (no. {{id|09114427|09141427}}) has never been a client, only an adverse party: \
{{file|HP/3977-04|HP/3979-04}}, closed in November 2022, and HP/4290-01, which is Coxwold's own open file.
- **Vantor Energy GmbH**, its wholly owned subsidiary, *is* a former client (no. {{id|20771|20717}}). That file was \
closed on {{date|28 June 2019|26 June 2019}}. Edwin should confirm that we hold no confidential information that \
matters here.

The search covered {{cnt|2,318 clients|2,813 clients}} and 5,904 adverse parties; the archive before 2012 wasn't \
checked.""",
    ),
    Scene(
        "later-office-clause-grep-en",
        "en",
        "grep lines",
        "Which of our supplier contracts renew automatically?",
        [
            grep(
                "renew",
                "contracts/copier_2023.md:41:8.2 The term renews for successive periods of 12 months unless "
                "terminated on 90 days' notice.",
                "contracts/copier_2023.md:77:Schedule B - renewal price list",
                "contracts/cleaning_2025.md:19:4. This agreement ends on 31 August 2026 and is not renewed "
                "automatically.",
                "contracts/research_db.md:12:Initial term: 24 months from 1 June 2024",
                "contracts/research_db.md:58:11(b) automatic renewal for 24 months; notice of non-renewal not later "
                "than 60 days before expiry",
                "contracts/research_db.md:59:11(c) on renewal the fee rises by the greater of CPI and 3.5%",
                "contracts/shredding.md:30:This order renews monthly; cancel any time.",
                "contracts/telephony.md:66:Renewal: none. Rolling after month 36, 30 days' notice.",
            )
        ],
        """Three renew by themselves:

- **Copier** – 12 months at a time, {{num|90 days' notice|45 days' notice}} (`{{line|contracts/copier_2023.md:41|\
contracts/copier_2023.md:47}}`)
- **Research database** – another 24 months unless you give notice {{num|60 days|80 days}} before expiry \
(`contracts/research_db.md:58`). The initial term runs from 1 June 2024, so it expires on 31 May 2026, and the notice \
has to be out by about **1 April**. The fee goes up by at least {{num|3.5%|5.3%}}.
- **Shredding** – monthly, cancel any time

Telephony just rolls on after month 36 (30 days' notice), and cleaning ends on {{date|31 August 2026|30 June 2026}}.""",
    ),
)
