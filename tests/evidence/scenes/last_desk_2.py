"""English: minutes, a budget, a calendar, travel, time sheets, a bank's statement."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, grep, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import aligned, csv, psql

MINUTES = """# Partners' meeting, Thursday 19 February 2026

Place: library. Start 8:15, end 9:40.
Present: M. Kessel, T. Sorrell, J. Okri (until 9:10), R. Vane (minutes). Apologies: L. Brandsma.

## 1 Minutes of 22 January
Approved without changes.

## 2 Figures
RV: turnover January 61,420 (January 2025: 55,900). Work in progress 148,300, of which 37,000 are
older than 90 days. TS asked why. MK: "Two clients, and we know both of them."

## 3 Trainee
Second trainee from 1 September 2026. Advertisement by 15 March (JO). Salary 2,150 a month.
Vote: 3 for, 0 against.

## 4 Case management software
Quotes: Ledgerly 7,900 a year, Mattera 6,450 a year plus 2,200 for the migration once.
Decision postponed. RV asks both for a reference; trial of Mattera from 9 to 20 March with two users.

## 5 Heating
Third failure since December. TS writes to the landlord and reserves a reduction of rent.

## 6 Other
Spring lunch: 27 March, 12:30. Dog in the office: no objection "as long as it is Biscuit".

Next meeting: 26 March 2026, 8:15.
"""
BUDGET_HEAD = ("line", "category", "budget_2026", "jan", "feb", "committed", "owner", "note")
BUDGET = [
    line.split("|")
    for line in """\
B01|rent and service charge|44040|3670|3670|36700|RV|
B02|salaries|312000|25480|25480|0|RV|
B03|software licences|14500|2310|985|6450|TS|Mattera not signed yet
B04|books and databases|9800|4120|0|1200|JO|yearly fee in Jan
B05|travel|7200|388|1094|260|MK|
B06|training|6000|0|1750|900|JO|
B07|post and courier|2400|171|203|0|RV|
B08|advertising|3000|0|0|640|JO|trainee ad
B09|repairs|1800|410|435|0|TS|heating
B10|hospitality|1500|0|92|480|RV|spring lunch""".splitlines()
]
EVENTS = """{
  "calendar": "team@kestrel-law.example",
  "timeZone": "Europe/London",
  "items": [
    {"id": "evt_7h2k0", "summary": "Conference with counsel (Finch)", "start": "2026-03-02T14:00", "end": \
"2026-03-02T15:30",
     "location": "Room 2", "attendees": ["ts", "jo"], "status": "confirmed"},
    {"id": "evt_7h2k9", "summary": "Dentist", "start": "2026-03-03T08:30", "end": "2026-03-03T09:15",
     "location": "", "attendees": ["mk"], "status": "confirmed"},
    {"id": "evt_7h3a4", "summary": "Mediation Harlow/Pike", "start": "2026-03-04T09:30", "end": "2026-03-04T17:00",
     "location": "Old Customs House", "attendees": ["mk", "rv"], "status": "confirmed"},
    {"id": "evt_7h3b1", "summary": "Call Sallow (opposition)", "start": "2026-03-04T16:00", "end": "2026-03-04T16:45",
     "location": "video", "attendees": ["jo", "mk"], "status": "tentative"},
    {"id": "evt_7h3c8", "summary": "Mattera demo", "start": "2026-03-05T11:00", "end": "2026-03-05T12:00",
     "location": "video", "attendees": ["rv", "ts"], "status": "confirmed"},
    {"id": "evt_7h3d2", "summary": "File review", "start": "2026-03-05T11:30", "end": "2026-03-05T12:30",
     "location": "Library", "attendees": ["ts", "mk"], "status": "confirmed"},
    {"id": "evt_7h3e5", "summary": "Interview trainee (1)", "start": "2026-03-06T10:00", "end": "2026-03-06T10:40",
     "location": "Room 1", "attendees": ["jo", "rv"], "status": "cancelled"}
  ],
  "nextPageToken": null
}"""
HOURS_HEAD = ("date", "who", "matter", "activity", "minutes", "rate", "billable")
HOURS = [
    line.split("|")
    for line in """\
2026-02-23|JO|M-1208|reading the patent as granted|135|210|t
2026-02-23|TS|M-1215|call with client|35|240|t
2026-02-24|JO|M-1208|search for prior art|220|210|t
2026-02-24|JO|-|library subscription|40|0|f
2026-02-25|MK|M-1208|review of the draft|50|260|t
2026-02-25|JO|M-1208|draft grounds|185|210|t
2026-02-26|TS|M-1215|draft statement of claim|240|240|t
2026-02-27|JO|M-1208|call with the expert|60|210|t
2026-02-27|TS|M-1215|revision after call|75|240|t""".splitlines()
]
BANK_HEAD = ("booked", "valuta", "counterparty", "purpose", "amount", "balance", "ref")
BANK = [
    line.split("|")
    for line in """\
2026-02-16|2026-02-16|Northquay Water|CUST 88120 Q4|-94.17|18240.66|TX55018
2026-02-17|2026-02-17|Quill Estate|FN-0879|768.00|19008.66|TX55031
2026-02-19|2026-02-19|Inkwell Supplies|INV 20417|-212.40|18796.26|TX55072
2026-02-20|2026-02-20|Brandt H.|part FN-0884|1000.00|19796.26|TX55090
2026-02-23|2026-02-24|Court fees PBA|Feb|-470.00|19326.26|TX55127
2026-02-25|2026-02-25|Harlow|FN 0893 thank you|1344.00|20670.26|TX55160
2026-02-26|2026-02-26|Inkwell Supplies|INV 20417|-212.40|20457.86|TX55181
2026-02-27|2026-02-27|Salaries|Feb 2026|-14310.00|6147.86|TX55204""".splitlines()
]

SCENES = (
    Scene(
        "last-desk-minutes-decided-en",
        "en",
        "markdown file",
        "what did the partners decide on the 19th? short please",
        [read("/home/rv/practice/minutes/2026-02-19.md", MINUTES)],
        """- **Trainee:** a second one from {{date|1 September 2026|1 October 2026}}, {{amt|2,150|2,510}} a month \
(3:0). JO \
advertises by {{date|15 March|13 April}}.
- **Software:** postponed. Mattera is tried from 9 to 20 March by {{cnt|two users|eleven users}}; RV gets references.
- **Heating:** TS writes to the landlord and reserves a rent reduction.
- Dog: {{quo|"as long as it is Biscuit"|"as long as he stays downstairs"}}. 🐕

Next meeting is 26 March, 8:15.""",
    ),
    Scene(
        "last-desk-minutes-software-en",
        "en",
        "markdown file",
        "which of the two programs is cheaper over 3 years",
        [
            grep(
                "Ledgerly|Mattera",
                "minutes/2026-02-19.md:19:Quotes: Ledgerly 7,900 a year, Mattera 6,450 a year plus 2,200 for the "
                "migration once.",
                "minutes/2026-02-19.md:20:Decision postponed. RV asks both for a reference; trial of Mattera from 9 "
                "to 20 March with two users.",
            ),
            read("/home/rv/practice/minutes/2026-02-19.md", MINUTES),
        ],
        """Mattera, by {{amt|2,150|2,510}}:

- Ledgerly: 3 × 7,900 = **{{amt|23,700|27,300}}**
- Mattera: 3 × 6,450 + 2,200 = **{{amt|21,550|25,150}}**

In the first year alone Ledgerly is still cheaper (7,900 vs 8,650); Mattera pulls ahead in the second year. \
(Source: minutes of 19 February, {{line|minutes/2026-02-19.md:19|minutes/2026-02-19.md:91}}.)""",
    ),
    Scene(
        "last-desk-budget-over-en",
        "en",
        "csv",
        "Are we over budget anywhere? count committed money as spent",
        [bash("cat finance/budget_2026.csv", csv(BUDGET_HEAD, BUDGET))],
        """No line is over budget, but after two of twelve months some are well used up:

| Line | Budget | Spent + committed | Used |
|---|---:|---:|---:|
| Rent and service charge | 44,040 | 44,040 | 100 % (the whole year is committed) |
| Software licences | 14,500 | {{amt|9,745|9,475}} | {{num|67 %|76 %}} |
| Books and databases | 9,800 | 5,320 | 54 % |
| Repairs | 1,800 | 845 | {{num|47 %|74 %}} |
| Training | 6,000 | {{amt|2,650|2,560}} | 44 % |

**Repairs** is the one I'd watch: {{amt|845|485}} in two months, all of it real spending, and the note says it is \
the heating. \
At that pace the line is empty in early May. Software includes 6,450 for Mattera, which isn't signed yet.""",
    ),
    Scene(
        "last-desk-calendar-clash-en",
        "en",
        "mcp json nested",
        "any clashes this week?",
        [mcp("calendar__list_events", {"timeMin": "2026-03-02", "timeMax": "2026-03-07"}, EVENTS)],
        """Yes, two:

1. **Wednesday 4 March, MK:** the call with Sallow ({{time|16:00–16:45|15:20–15:50}}, only tentative) falls into \
the mediation at \
the Old Customs House, which runs until {{time|17:00|18:15}}.
2. **Thursday 5 March, TS:** the Mattera demo (11:00–12:00) and the file review ({{time|11:30|11:45}}–12:30) \
overlap by half an hour.

Friday's trainee interview is {{quo|"cancelled"|"postponed"}}, so JO and RV are free from 10:00 to 10:40. I'd move \
the Sallow call \
to Thursday; shall I propose a time? [#event-OPEN:evt_7h3b1]""",
    ),
    Scene(
        "last-desk-hours-1208-en",
        "en",
        "psql table",
        "How many hours on M-1208 last week and what's that worth?",
        [bash("psql -d practice -f hours_week9.sql", psql(HOURS_HEAD, HOURS))],
        """**{{num|10 h 50 min|17 h 25 min}}** on M-1208 (23–27 February), worth **{{amt|2,316.67|2,613.67}}**:

- JO: {{num|600 minutes|606 minutes}} at 210 → 2,100.00
- MK: 50 minutes at 260 → {{amt|216.67|261.67}}

JO's longest entry was the search for prior art on {{date|24 February|22 February}} (3 h 40 min). The 40 minutes \
for the \
library subscription are not billable and not included.""",
    ),
    Scene(
        "last-desk-bank-double-en",
        "en",
        "aligned columns",
        "did we pay inkwell twice?",
        [bash("tail -n 8 finance/bank_2026-02.txt | column -t -s '|'", aligned(BANK_HEAD, BANK))],
        """Looks like it. Invoice {{id|20417|20471}} was paid on {{date|19 February|18 February}} (TX55072) and \
again on 26 February \
({{id|TX55181|TX55118}}), **{{amt|212.40|221.40}}** each time. I see no refund so far; the last booking is the \
salaries of 27 February, \
leaving a balance of 6,147.86.""",
    ),
    Scene(
        "last-desk-bank-earlier-en",
        "en",
        "earlier turn",
        "and how much came in from clients in that period?",
        [earlier(bash("tail -n 8 finance/bank_2026-02.txt | column -t -s '|'", aligned(BANK_HEAD, BANK)))],
        """{{amt|3,112.00|3,211.00}} in {{cnt|three payments|eleven payments}}: Quill Estate 768.00 (17 Feb), Brandt \
{{amt|1,000.00|1,100.00}} (20 Feb, part payment) and Harlow 1,344.00 ({{date|25 Feb|28 Feb}}). Each names its fee \
note: \
FN-0879, FN-0884 and FN-0893.""",
    ),
)
