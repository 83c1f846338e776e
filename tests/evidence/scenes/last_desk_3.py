"""English: research on the web and in documents."""

from __future__ import annotations

from tests.evidence.results import failed, glob, grep, read, task, web_fetch, web_search
from tests.evidence.scene import Scene

PUMP = """Based on the search results, here is what the heat pump grant of the county of Marlshire looks like in 2026:

- Grant: 6,800 for air source, 8,400 for ground source heat pumps. The amounts were raised on 1 January 2026
  (before: 6,000 and 7,500).
- Applicants: owners of houses whose building permit is older than ten years. Flats only if the whole building \
applies.
- The application must be filed BEFORE the order is placed. An installer of the list (214 firms in February 2026) \
is needed.
- Processing time: according to the county's page 6 to 8 weeks; the Marlshire Gazette reports "closer to eleven \
weeks" (3 Feb 2026).
- The noise limit was lowered to 40 dB(A) at the neighbour's window.
- The programme's budget is 21.5 million; applications close on 30 November 2026 or when the money is spent.

Sources differ on whether a second grant for the radiators exists (Home Forum: yes, 900; county: not mentioned)."""
MUSEUM = """# Visiting the Tidewater Museum

**Opening hours** (valid 1 November to 31 March)
- Monday: closed
- Tuesday to Friday: 10:00 to 17:00
- Saturday and Sunday: 10:00 to 18:00
- Last admission 45 minutes before closing

**Tickets**
| | Price |
| --- | --- |
| Adults | 14.50 |
| Concessions (students, over 65) | 11.00 |
| Children 6 to 15 | 6.50 |
| Children under 6 | free |
| Family (2 adults, up to 3 children) | 36.00 |
| Audio guide | 3.50 |

The special exhibition "Salt and Sail" (until 19 April 2026) is included. The planetarium is closed for repair until
further notice. First Thursday of the month: free admission from 15:00.

**Getting here**: tram 6 to Harbour Gate, 5 minutes on foot. Car park 2.80 per hour, 212 spaces.
Pushchairs are welcome; lifts to all floors but the lighthouse (98 steps)."""
REPORT = """I compared the three accounting programs on their own pricing pages (read on 2 March 2026).

| | Tallybook | Penny & Post | Ledgerline |
| --- | --- | --- | --- |
| Plan | Small Team | Studio | Business 5 |
| Price per month | 29.00 | 24.50 | 38.00 |
| Billed | monthly | yearly (294.00) | monthly |
| Users included | 3 | 5 | 5 |
| Further user | 6.00 | 4.50 | 7.00 |
| Bank import | yes | CSV only | yes |
| VAT return | yes | yes | yes |
| API | from plan "Plus" (49.00) | no | yes |
| Trial | 30 days | 14 days | 21 days |
| Data stored in | Ireland | Germany | Netherlands |
| Export on leaving | CSV, 90 days | PDF only | CSV and XML, 60 days |

Notes:
- Ledgerline raised its price from 33.00 on 1 December 2025.
- Penny & Post had an outage of nine hours on 14 January 2026 (its status page).
- I could not confirm Tallybook's claim of "over 40,000 customers".
"""
STUDY = """4 Results

4.1 Sample
Of 1,284 invited employees 731 answered (56.9 %). After 46 incomplete answers had been excluded, 685 remained:
402 women, 271 men, 12 without an entry. Mean age 41.3 years (SD 10.8). 388 worked in the pilot offices, 297 in the
control offices.

4.2 Days at home
In the pilot offices the mean rose from 1.4 to 2.6 days a week; in the control offices from 1.5 to 1.7.

4.3 Satisfaction
On the scale from 1 to 7 satisfaction rose in the pilot offices from 4.61 to 5.12 (p < .001), in the control offices
from 4.58 to 4.66 (p = .21). The effect was larger for commutes of more than 45 minutes (d = 0.48) than for shorter
ones (d = 0.19).

4.4 Sick leave
Sick leave fell by 0.9 days a year (95 % CI -1.9 to 0.1), which was not significant.

4.5 Interviews
Of the 24 persons interviewed, 17 named fewer interruptions, 11 the saved commute, and 9 missed "the small talk that
tells you what is going on".

5 Limitations
Offices were not assigned at random. Self-reported data. The follow-up ended after nine months."""

SCENES = (
    Scene(
        "last-desk-grant-amount-en",
        "en",
        "web search",
        "how much is the heat pump grant in marlshire this year, and what do i need to watch out for?",
        [
            web_search(
                "Marlshire heat pump grant 2026 amount conditions",
                [
                    ("Heat pump grant - Marlshire County", "https://marlshire.example/housing/heat-pump-grant"),
                    ("Grant delays anger owners", "https://gazette.example/2026/02/03/grant-delays"),
                    ("Radiator bonus?", "https://homeforum.example/t/118204"),
                ],
                PUMP,
            )
        ],
        """**{{amt|6,800|8,600}}** for air source and **{{amt|8,400|8,800}}** for ground source, since 1 January \
2026 \
(13 % and 12 % more than before).

Watch out for:

- **Apply before you order** – afterwards it's too late.
- Use one of the {{cnt|214 listed installers|241 listed installers}}.
- The building permit has to be more than ten years old; flats qualify only if the whole building applies.
- Noise limit {{num|40 dB(A)|46 dB(A)}} at the neighbour's window.
- Plan for a wait: officially 6–8 weeks, the Gazette says {{quo|"closer to eleven weeks"|"up to five months"}}.

Applications close on {{date|30 November|13 November}}, or earlier if the 21.5 million run out. Whether there is an \
extra \
900 for radiators is unclear: only a forum says so.""",
    ),
    Scene(
        "last-desk-museum-family-en",
        "en",
        "web page",
        "2 adults, kids 4 and 8, tidewater museum next sunday - cost and hours?",
        [web_fetch("https://tidewater-museum.example/visit", "Opening hours, prices, how to get there", MUSEUM)],
        """On Sunday 8 March it's open {{time|10:00|11:30}}–18:00, last admission at {{time|17:15|17:35}}.

Single tickets are cheaper than the family ticket for you: 2 × 14.50 + {{amt|6.50|5.60}} = **{{amt|35.50|38.50}}** \
(the \
4-year-old is free), against 36.00. The special exhibition is included; the planetarium is closed.

Tram 6 to {{name|"Harbour Gate"|"Pier Head"}}, then five minutes on foot.""",
    ),
    Scene(
        "last-desk-museum-free-en",
        "en",
        "web page",
        "is there a free day?",
        [web_fetch("https://tidewater-museum.example/visit", "Is there a day with free admission?", MUSEUM)],
        """Yes – the first Thursday of the month from {{time|15:00|14:30}}, so next on **{{date|5 March|7 March}}** \
(this \
Thursday), and then on 2 April. It closes at 17:00 on Thursdays, with last admission at {{time|16:15|16:25}}.""",
    ),
    Scene(
        "last-desk-accounting-tools-en",
        "en",
        "subagent report",
        "Compare Tallybook, Penny & Post and Ledgerline for us - 5 people, we need bank import",
        [
            task(
                "Compare the accounting programs Tallybook, Penny & Post, Ledgerline: price, users, bank import", REPORT
            )
        ],
        """For five people with a real bank import it's between two:

| | Tallybook | Ledgerline |
|---|---:|---:|
| Monthly, 5 users | {{amt|41.00|47.00}} | 38.00 |
| Per year | {{amt|492.00|942.00}} | {{amt|456.00|456.90}} |
| Trial | 30 days | {{num|21 days|12 days}} |
| API | only in "Plus" (49.00) | yes |
| Export on leaving | CSV, 90 days | CSV and XML, 60 days |

**Ledgerline** is the better fit: slightly cheaper with five users and the API is included, though it raised its \
price in \
{{date|December 2025|October 2025}} from 33.00. Penny & Post is by far the cheapest (294.00 a year) but imports \
bank data \
only from CSV and exports only PDF when you leave.""",
    ),
    Scene(
        "last-desk-study-summary-en",
        "en",
        "text file part",
        "summarise the results section, max 6 bullets",
        [read("/home/lena/papers/hybrid_work_2025.txt", STUDY, start=412, total=604)],
        """- **Sample:** 685 usable answers out of 1,284 invited ({{num|53 %|61 %}}); {{cnt|388 people|358 people}} \
in pilot offices, 297 in \
control offices.
- **Days at home:** 1.4 → {{num|2.6 days|3.1 days}} a week in the pilot, 1.5 → 1.7 in the control group.
- **Satisfaction:** up by {{num|0.51 points|0.62 points}} in the pilot (4.61 → 5.12, *p* < .001); no significant \
change in the control group.
- **Commute matters:** effect *d* = 0.48 above 45 minutes, against {{num|0.19|0.29}} below.
- **Sick leave:** −0.9 days a year, not significant.
- **Interviews (n = 24):** 17 mention fewer interruptions; nine miss {{quo|"the small talk that tells you what is \
going \
on"|"the coffee breaks that keep a team together"}}.""",
    ),
    Scene(
        "last-desk-study-ci-en",
        "en",
        "text file part",
        "was the drop in sick leave significant?",
        [read("/home/lena/papers/hybrid_work_2025.txt", STUDY, start=412, total=604)],
        """No. It fell by {{num|0.9 days|0.7 days}} a year, but the 95 % confidence interval ({{num|−1.9|−2.9}} to \
0.1) includes zero \
(section {{id|4.4|4.8}}).""",
    ),
    Scene(
        "last-desk-sublet-line-en",
        "en",
        "grep content",
        "does any of our leases let us sublet?",
        [
            glob("leases/**/*.md", "leases/tanner_row.md", "leases/mill_lane_store.md", "leases/copier_agreement.md"),
            grep(
                "sublet|underlet|assign",
                "leases/tanner_row.md:26:5.2 The Tenant shall not sublet without the Landlord's consent, which shall",
                "leases/mill_lane_store.md:19:4.3 Neither assigning nor underletting is permitted in any event.",
                "leases/mill_lane_store.md:41:  (see the schedule for the assigned parking space)",
                "leases/archive/old_bakery_2016.md:27:6.1 The Tenant may sublet to companies of its group.",
                "leases/copier_agreement.md:12:The Customer may not assign this agreement without consent in writing.",
            ),
        ],
        """Only with consent, and only one of the two:

- **Tanner Row** – with the landlord's consent (`{{line|leases/tanner_row.md:26|leases/tanner_row.md:62}}`)
- **Mill Lane store** – no: {{quo|"Neither assigning nor underletting is permitted in any event."|"Underletting is \
permitted \
for storage in any event."}} (`{{line|leases/mill_lane_store.md:19|leases/mill_lane_store.md:91}}`)

The Old Bakery lease did allow it within the group (clause {{id|6.1|8.3}}), but that one is in the archive.""",
    ),
    Scene(
        "last-desk-fetch-refused-en",
        "en",
        "failed fetch",
        "when does the recycling centre close today?",
        [
            failed(
                "WebFetch",
                {"url": "https://dunmore-council.example/recycling", "prompt": "opening hours today"},
                "Request failed with status code 503. Retry after 16:45. Incident 7731904, see status page.",
            )
        ],
        """It closes at {{failed||16:45}} today.""",
        honest="""I couldn't find out: the council's page doesn't load right now (error 503). I can try again \
later, or you \
could ring them.""",
    ),
)
