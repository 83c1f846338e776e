"""English: an office; minutes, venues."""

from __future__ import annotations

from tests.evidence.results import read, task
from tests.evidence.scene import Scene

MINUTES = """# Ops weekly, 26 February 2026

Present: Abara (chair), Cullen, Haddon, Quist. Apologies: Kovar
Start 14:00, end 14:52

## 1. Phones
Quist: 31 handsets migrated, 12 to go. Porting of the main number on Sat 7 March, 06:00-09:00.
Old contract with Telmark ends 31 March; notice was given on 18 December.

## 2. Cleaning
Complaints down from 9 in January to 4. Cullen meets the supervisor on 5 March.

## 3. Archive
Quote from Boxwell: £0.42 per box per month, 640 boxes, min. term 36 months. Haddon finds it too dear.
Decision: get two more quotes.

## 4. First aid
Two certificates lapse on 30 April (Cullen, Kovar). Course costs £95 per head.

## Actions
- A1 Haddon: two archive quotes - 13 March
- A2 Quist: tell clients about the outage - 4 March
- A3 Cullen: book first-aid course - 20 March
- A4 Abara: sign off handset invoice TM-2206 (£3,627.00) - 2 March
- A5 Quist: remove old fax line - 31 March"""
VENUES = """Three venues fit 40 people with breakout rooms on 11 June 2026.

| Venue | Day rate | Capacity (theatre) | Breakouts | Cancellation | Notes |
|---|---|---|---|---|---|
| Mill Loft | £1,150 | 60 | 2 | free until 28 days before | own catering allowed, no lift |
| Harbour Rooms | £1,480 | 85 | 4 | 50% from 42 days before | catering £31 pp, step-free |
| St Bride's Hall | £890 | 110 | 1 + gallery | free until 14 days before | no AV, catering £24 pp |

I phoned nobody; prices are from their websites, excluding VAT. Mill Loft holds dates for 5 working days."""

SCENES = (
    Scene(
        "later-office-minutes-actions-en",
        "en",
        "file",
        "open actions from ops weekly?",
        [read("/home/ngozi/notes/ops/2026-02-26.md", MINUTES)],
        """Five actions, in order of date:

| # | Who | What | By |
|---|---|---|---|
| A4 | Abara | sign off {{id|TM-2206|TM-2260}} ({{amt|£3,627.00|£3,267.00}}) | **today** |
| A2 | Quist | tell clients about the outage | {{date|4 March|6 March}} |
| A1 | Haddon | two more archive quotes | 13 March |
| A3 | Cullen | book first-aid course | {{date|20 March|22 March}} |
| A5 | Quist | remove the old fax line | 31 March |

The outage itself is on Saturday 7 March, 06:00–{{time|09:00|08:30}}.""",
    ),
    Scene(
        "later-office-archive-quote-en",
        "en",
        "file",
        "what would Boxwell cost us over the full term?",
        [read("/home/ngozi/notes/ops/2026-02-26.md", MINUTES)],
        """640 boxes × £0.42 = {{amt|£268.80|£286.80}} a month, so **{{amt|£9,676.80|£9,766.80}}** over the minimum \
term of {{num|36 months|30 months}}. The notes don't say whether VAT, collection or retrieval are included.""",
    ),
    Scene(
        "later-office-venues-en",
        "en",
        "subagent report",
        "find a venue for the 11 June away day, 40 people",
        [task("Find venues for 40 people with breakout rooms on 11 June 2026 in Marlhaven; compare prices.", VENUES)],
        """I'd go for **Mill Loft**: {{amt|£1,150|£1,510}} for the day, two breakout rooms, own catering allowed, and \
free cancellation until 28 days before, so until {{date|14 May|19 May}}. The catch: no lift.

If you need step-free access, it's Harbour Rooms at £1,480 plus £31 a head, {{amt|£2,720|£2,740}} for 40. St Bride's \
Hall is the cheapest ({{amt|£1,850|£1,805}} with catering at £24 a head), but it has only one breakout room and no AV.

All prices are from the websites and exclude VAT. Mill Loft will hold the date for {{num|5 working days|15 working \
days}}.""",
    ),
)
