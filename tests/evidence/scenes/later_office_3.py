"""English: an office; personnel, travel, events, calendars, mailboxes."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, mcp
from tests.evidence.scene import Scene
from tests.evidence.tables import aligned, csv, records

LEAVE_HEAD = ("emp_no", "name", "team", "start_date", "fte", "entitlement", "carried", "taken", "booked", "sick_ytd")
LEAVE = (
    (3107, "Abara, Ngozi", "ops", "2019-04-01", 1.0, 28, 3, 6, 10, 1),
    (3112, "Cullen, Dara", "ops", "2021-09-13", 0.8, 22, 0, 2, 5, 0),
    (3118, "Fenwick, Iris", "finance", "2016-01-04", 1.0, 30, 5, 9, 0, 4),
    (3121, "Haddon, Leo", "finance", "2024-06-17", 1.0, 26, 1.5, 0, 12, 2),
    (3126, "Ito, Maya", "legal", "2023-02-20", 0.6, 16, 0, 3, 4, 0),
    (3130, "Kovar, Petra", "legal", "2020-11-02", 1.0, 28, 4, 11, 5, 7),
    (3139, "Mbeki, Sol", "it", "2025-08-18", 1.0, 26, 0, 1, 0, 0),
    (3141, "Quist, Elin", "it", "2025-12-01", 1.0, 26, 0, 0, 3, 0),
)
CALENDAR = {
    "calendar": "edie.marlowe",
    "tz": "Europe/London",
    "items": [
        {"id": "ev_81aa", "summary": "Partners' meeting", "start": "2026-03-03T08:30", "end": "2026-03-03T09:45",
         "location": "Library", "attendees": 6, "status": "confirmed"},
        {"id": "ev_81b2", "summary": "Dentist", "start": "2026-03-03T13:15", "end": "2026-03-03T14:00",
         "location": None, "attendees": 1, "status": "confirmed", "visibility": "private"},
        {"id": "ev_81c0", "summary": "Interview: K. Solberg (paralegal)", "start": "2026-03-03T15:00",
         "end": "2026-03-03T15:45", "location": "Room 3", "attendees": 3, "status": "confirmed"},
        {"id": "ev_81c7", "summary": "Budget call w/ Hanlon", "start": "2026-03-04T10:00", "end": "2026-03-04T11:00",
         "location": "phone +44 20 7946 0815", "attendees": 2, "status": "tentative"},
        {"id": "ev_81d3", "summary": "Lunch Tessa", "start": "2026-03-04T12:30", "end": "2026-03-04T13:45",
         "location": "The Old Ferry", "attendees": 2, "status": "confirmed"},
        {"id": "ev_81e9", "summary": "Fire drill", "start": "2026-03-05T11:20", "end": "2026-03-05T11:40",
         "location": "whole building", "attendees": 64, "status": "confirmed"},
    ],
}  # fmt: skip
ITINERARY = """From: bookings@wayfarer-desk.example
To: Odile Grant
Date: Thu, 26 Feb 2026 17:22:09 +0000
Subject: Your itinerary WFD-5H2KQ7 - Lisbon 18-20 March

Traveller: GRANT/ODILE MS            Booking ref: WFD-5H2KQ7

OUTBOUND   Wed 18 Mar 2026
  NL 1473  London Gatwick (LGW) N 07:05 - Lisbon (LIS) T1 09:50     Seat 14C   1 bag 23 kg
RETURN     Fri 20 Mar 2026
  NL 1480  Lisbon (LIS) T1 19:35 - London Gatwick (LGW) N 22:20     Seat 9A    1 bag 23 kg

HOTEL      Casa do Miradouro, Rua das Amoreiras 88
  Check-in 18 Mar from 15:00, check-out 20 Mar by 11:30. 2 nights, breakfast included.
  Confirmation 6624817-B. Free cancellation until 16 Mar 18:00 local time.

PRICE
  Flights          GBP 243.16
  Hotel            GBP 287.00   (EUR 332.00)
  City tax         EUR 8.00 payable at the hotel
  Service fee      GBP 12.50
  Total charged    GBP 542.66   card ending 4410

Fare rules: changes GBP 45 plus difference; not refundable. Online check-in opens 30 hours before departure.
"""
EVENT_HEAD = ("reg_id", "name", "company", "ticket", "paid", "diet", "arrived_2025", "registered_at")
EVENT = (
    ("R-0501", "Anouk Vries", "Delft Robotics", "full", 290, "vegetarian", "yes", "2026-01-14 10:12"),
    ("R-0502", "Bram Osei", "Delft Robotics", "full", 290, "", "yes", "2026-01-14 10:15"),
    ("R-0503", "Carys Pugh", "Halden Law", "speaker", 0, "vegan", "no", "2026-01-20 08:40"),
    ("R-0504", "Dmitri Lund", "Nordvik", "day 1", 160, "", "no", "2026-01-28 16:03"),
    ("R-0505", "Esme Tully", "City Library", "full", 290, "gluten-free", "no", "2026-02-03 09:27"),
    ("R-0506", "Farid Noor", "Nordvik", "day 1", 160, "halal", "yes", "2026-02-09 12:55"),
    ("R-0507", "Greta Holm", "Halden Law", "full", 0, "", "yes", "2026-02-11 14:31"),
    ("R-0508", "Hugo Pike", "freelance", "day 2", 160, "vegetarian", "no", "2026-02-19 19:08"),
    ("R-0509", "Ines Rocha", "Quay Partners", "full", 290, "", "no", "2026-02-25 07:46"),
    ("R-0510", "Jory Blake", "Quay Partners", "speaker", 0, "vegan", "no", "2026-02-27 11:19"),
)
INBOX = (
    ("m-7741", "2026-02-27T16:48", "Ruth Penhallow", "Signed NDA - Corvane", True, "Attached as promised."),
    ("m-7744", "2026-02-27T18:05", "Building Mgmt", "Lift B out of service 3-6 March", True, "Please use Lift A."),
    ("m-7750", "2026-03-01T21:14", "Osman Kell", "URGENT: price list", False, "Need the 2026 list by Tuesday noon."),
    ("m-7752", "2026-03-02T06:58", "Ledgerly", "Invoice LG-118204", False, "GBP 84.00 due 16 March 2026."),
    ("m-7755", "2026-03-02T07:31", "Saskia Thorn", "Thursday's workshop", False, "Can we start at 9.15, not 10?"),
    ("m-7756", "2026-03-02T08:02", "Newsletter", "10 ways to run better meetings", False, "Number 7 will amaze you"),
    (
        "m-7759",
        "2026-03-02T08:40",
        "Ruth Penhallow",
        "Re: Signed NDA - Corvane",
        False,
        "Wrong version, page 4 is old.",
    ),
)

SCENES = (
    Scene(
        "later-office-leave-left-en",
        "en",
        "csv",
        "who has a lot of leave left? year ends 31 March",
        [bash("sqlite3 -header -csv hr.db 'select * from leave'", csv(LEAVE_HEAD, LEAVE))],
        """Left after what's taken and booked, highest first:

1. Iris Fenwick – {{num|26 days|28.5 days}} (30 + 5 carried − 9 taken, nothing booked)
2. Sol Mbeki – 25
3. Elin Quist – {{num|23|32}}
4. Petra Kovar – 16
5. Leo Haddon – {{num|15.5|17.5}}

Ngozi and Dara have 15 each, Maya 9. Iris and Sol have {{num|51 days|58 days}} between them and \
nothing booked, so I'd speak to those two first: only {{num|29 days|34 days}} remain until the year ends.""",
    ),
    Scene(
        "later-office-employee-fact-en",
        "en",
        "csv",
        "when did Petra join and is she full time",
        [bash("sqlite3 -header -csv hr.db 'select * from leave'", csv(LEAVE_HEAD, LEAVE))],
        """Petra Kovar joined on {{date|2 November 2020|11 February 2020}} and is full-time (FTE 1.0). Employee no. \
{{id|3130|3103}}.""",
    ),
    Scene(
        "later-office-calendar-tomorrow-en",
        "en",
        "mcp json nested",
        "what does Edie have tomorrow, any gap of an hour for me?",
        [mcp("calendar__events", {"calendar": "edie.marlowe", "from": "2026-03-03", "days": 3}, CALENDAR, indent=1)],
        """Tomorrow (Tue 3 March):

- {{time|08:30|08:15}}–09:45 Partners' meeting, Library
- 13:15–{{time|14:00|14:20}} private
- 15:00–15:45 Interview with K. Solberg, {{quo|"Room 3"|"Room 5"}}

So she is free from 9:45 to 13:15 ({{num|3.5 hours|4.5 hours}}), then for an hour from 14:00 to 15:00, and again from \
15:45. I'd take **10:00–11:00**. Shall I send an invite?""",
    ),
    Scene(
        "later-office-itinerary-en",
        "en",
        "mail",
        "Odile's Lisbon trip – times and what it cost pls",
        [mcp("mail__get", {"query": "itinerary Lisbon", "limit": 1}, ITINERARY)],
        """**Out:** Wed 18 March, NL 1473, Gatwick {{time|07:05|07:50}} → Lisbon 09:50 (seat 14C)
**Back:** Fri 20 March, {{id|NL 1480|NL 1408}}, Lisbon {{time|19:35|19:55}} → Gatwick 22:20 (seat 9A)
**Hotel:** Casa do Miradouro, 2 nights with breakfast, conf. {{id|6624817-B|6628417-B}}

Charged: {{amt|£542.66|£542.96}} (flights £243.16, hotel £287.00, fee £12.50), plus €8 city tax at the hotel. The \
flights aren't refundable; the hotel can be cancelled free of charge until {{date|16 March|14 March}}, 18:00.""",
    ),
    Scene(
        "later-office-checkin-en",
        "en",
        "earlier turn",
        "and when can she check in online?",
        [earlier(mcp("mail__get", {"query": "itinerary Lisbon", "limit": 1}, ITINERARY))],
        """30 hours before departure, so from {{date|Tuesday 17 March|Sunday 15 March}} at {{time|01:05|02:05}} for \
the outbound flight. For the return it's Thursday 19 March, {{time|13:35|14:35}}.""",
    ),
    Scene(
        "later-office-event-catering-en",
        "en",
        "aligned columns",
        "Numbers for the caterer, both days, with diets",
        [bash("regtool export symposium-26 --format=table", aligned(EVENT_HEAD, EVENT))],
        """{{cnt|Ten people|Fourteen people}} are registered, as of {{date|27 February|26 February}}:

- Day 1: 9 people (everyone but Hugo Pike)
- Day 2: 8 (without the two Nordvik day-1 tickets)

Diets: 2 vegetarian, 2 vegan, 1 gluten-free, 1 halal. Farid Noor's halal meal is for day 1 only, and Hugo Pike's \
vegetarian one for day 2 only.

Greta Holm ({{id|R-0507|R-0570}}) has a full ticket but shows 0 paid. Total paid so far: {{amt|1,640|1,460}}.""",
    ),
    Scene(
        "later-office-inbox-morning-en",
        "en",
        "mcp json rows",
        "anything in my inbox that can't wait?",
        [
            mcp(
                "mail__search",
                {"folder": "INBOX", "since": "2026-02-27"},
                {"messages": records(("id", "received", "from", "subject", "read", "snippet"), INBOX), "unread": 5},
            )
        ],
        """{{cnt|Five unread|Eleven unread}}. Three need you:

- **Ruth Penhallow**, {{time|08:40|08:04}} – the signed Corvane NDA is the {{quo|"Wrong version"|"unsigned draft"}}; \
page 4 is old. Don't file Friday's attachment. [#mail-OPEN:m-7759]
- **Osman Kell** – wants the 2026 price list by Tuesday noon, i.e. tomorrow. [#mail-OPEN:m-7750]
- **Saskia Thorn** – asks to start Thursday's workshop at {{time|9.15|9.45}} instead of 10. [#mail-OPEN:m-7755]

Ledgerly's invoice {{id|LG-118204|LG-118240}} ({{amt|£84.00|£48.00}}) has until 16 March.""",
    ),
)
