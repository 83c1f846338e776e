"""English: a practice; deadlines, court dates, fee notes, a mailbox, a contract, minutes."""

from __future__ import annotations

from tests.evidence.results import bash, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import psql, records

DUE_HEAD = ("id", "matter", "title", "kind", "due", "pre_notice", "owner", "status", "source", "created_at")
DUE = [
    line.split("|")
    for line in """\
DL-2031|M-1184|Harlow v. Pike|reply to defence|2026-02-27|2026-02-20|MK|open|post|2026-01-30T10:12:44Z
DL-2036|M-1201|Osterby Ltd|objection to fee note|2026-03-03|2026-02-24|TS|open|mail|2026-02-03T08:01:19Z
DL-2039|M-1177|Quill Estate|inventory for the registry|2026-03-04|2026-02-25|MK|open|post|2026-02-04T15:40:02Z
DL-2040|M-1190|Brandt|notice of appeal|2026-03-05|2026-02-26|JO|done|post|2026-02-05T09:33:51Z
DL-2044|M-1215|Finch Logistics|statement of claim|2026-03-06|2026-02-27|TS|open|manual|2026-02-12T11:20:08Z
DL-2047|M-1184|Harlow v. Pike|disclosure list|2026-03-13|2026-03-06|MK|open|order|2026-02-16T13:05:30Z
DL-2051|M-1208|Sallow Systems|grounds of opposition|2026-03-16|2026-03-09|JO|open|manual|2026-02-17T16:44:12Z
DL-2052|M-1215|Finch Logistics|security for costs|2026-03-20|2026-03-13|TS|open|order|2026-02-19T07:58:27Z
DL-2058|M-1222|Teasdale|limitation|2026-04-30|2026-03-31|MK|open|manual|2026-02-25T12:15:55Z""".splitlines()
]
FEE_HEAD = ("fee_note", "client", "issued", "due", "net", "vat", "gross", "paid", "reminders", "partner")
FEES = [
    line.split("|")
    for line in """\
FN-0871|Osterby Ltd|2025-11-14|2025-12-14|1850.00|370.00|2220.00|0.00|2|TS
FN-0879|Quill Estate|2025-12-02|2026-01-01|640.00|128.00|768.00|768.00|0|MK
FN-0884|Brandt|2025-12-19|2026-01-18|2400.00|480.00|2880.00|1000.00|1|JO
FN-0890|Finch Logistics|2026-01-12|2026-02-11|3975.00|795.00|4770.00|0.00|1|TS
FN-0893|Harlow|2026-01-23|2026-02-22|1120.00|224.00|1344.00|1344.00|0|MK
FN-0898|Sallow Systems|2026-02-09|2026-03-11|5260.00|1052.00|6312.00|0.00|0|JO
FN-0901|Teasdale|2026-02-24|2026-03-26|310.00|62.00|372.00|0.00|0|MK""".splitlines()
]
MAILS = """{
  "query": "from:registry newer_than:14d",
  "resultSizeEstimate": 4,
  "messages": [
    {
      "id": "19c8f2a41d07be33",
      "threadId": "19c8f2a41d07be33",
      "from": "listing@northquay-court.example",
      "to": "office@kestrel-law.example",
      "date": "Thu, 19 Feb 2026 09:14:22 +0000",
      "subject": "Notice of hearing KB-2025-004417",
      "labels": [
        "INBOX",
        "court"
      ],
      "attachments": [
        {"name": "notice_004417.pdf", "size": 148201}
      ],
      "snippet": "Take notice that the application will be heard on 24 March 2026 at 10.30 am before Master \
Ellwood, Room E112, time estimate 90 minutes. Skeleton arguments are to be lodged not later than"
    },
    {
      "id": "19c96e0b7721ac90",
      "threadId": "19c96e0b7721ac90",
      "from": "fees@northquay-court.example",
      "to": "office@kestrel-law.example",
      "date": "Mon, 23 Feb 2026 14:02:08 +0000",
      "subject": "Fee account statement February",
      "labels": [
        "INBOX"
      ],
      "attachments": [
        {"name": "pba_0226.csv", "size": 4120}
      ],
      "snippet": "Your account PBA0093417 was debited three times in February: 303.00, 108.00 and 59.00. The \
balance is"
    },
    {
      "id": "19ca0c5de5b19f02",
      "threadId": "19c8f2a41d07be33",
      "from": "listing@northquay-court.example",
      "to": "office@kestrel-law.example",
      "date": "Wed, 25 Feb 2026 16:47:51 +0000",
      "subject": "RE: Notice of hearing KB-2025-004417",
      "labels": [
        "INBOX",
        "court",
        "UNREAD"
      ],
      "attachments": [],
      "snippet": "Please note that the hearing has been moved to Room E119. Date and time are unchanged. Remote \
attendance was refused by the Master."
    },
    {
      "id": "19caa9d2f3306e57",
      "threadId": "19caa9d2f3306e57",
      "from": "no-reply@northquay-court.example",
      "to": "office@kestrel-law.example",
      "date": "Fri, 27 Feb 2026 18:30:00 +0000",
      "subject": "Planned maintenance of e-filing",
      "labels": [
        "INBOX",
        "UNREAD"
      ],
      "attachments": [],
      "snippet": "E-filing will not be available from Saturday 7 March 8.00 pm until Sunday 8 March 11.00 am."
    }
  ]
}"""
LEASE = """# Lease of office premises, 14 Tanner Row

Parties: Alder & Wick Properties (Landlord), Kestrel Law LLP (Tenant)
Commencement: 1 October 2021

## 1 Premises
1.1 Second floor, 212 square metres, and two parking spaces (nos. 7 and 8).

## 2 Term
2.1 The term is five years from the commencement.
2.2 The Tenant may renew once for three years by notice in writing not less than
    six months before the end of the term.
2.3 If no notice is given, the lease ends without further notice.

## 3 Rent
3.1 The yearly rent is 38,400.00, payable in equal monthly instalments in advance.
3.2 From 1 October 2024 the yearly rent is 40,320.00.
3.3 The service charge is 310.00 a month.
3.4 Rent in arrear bears interest at 4 % above base rate.

## 4 Deposit
4.1 The deposit is three monthly instalments of the rent under 3.1.

## 5 Use
5.1 The premises shall be used as offices only.
5.2 The Tenant shall not sublet without the Landlord's consent, which shall not be
    unreasonably withheld.

## 6 Repairs
6.1 Repairs up to 450.00 each, and 1,800.00 in a calendar year, are borne by the Tenant.
6.2 The Landlord keeps the roof, the lifts and the heating in repair."""

SCENES = (
    Scene(
        "last-desk-due-this-week-en",
        "en",
        "mcp json rows",
        "what's due this week?",
        [mcp("practice__deadlines", {"until": "2026-04-30"}, {"rows": records(DUE_HEAD, DUE), "total": 9})],
        """{{cnt|Three open deadlines|Seven open deadlines}} this week, and one that is already overdue:

- **Overdue since Friday, {{date|27 February|21 February}}:** reply to defence, Harlow v. Pike (MK) \
[#deadline-OPEN:DL-2031]
- **Tue 3 March:** objection to fee note, Osterby Ltd (TS) [#deadline-OPEN:DL-2036]
- **Wed 4 March:** inventory for the registry, Quill Estate (MK) [#deadline-OPEN:DL-2039]
- **Fri 6 March:** statement of claim, Finch Logistics (TS) [#deadline-OPEN:DL-2044]

The notice of appeal in Brandt ({{id|DL-2040|DL-2048}}, due Thursday) is marked done. After that it is quiet until \
{{date|13 March|12 March}}, when the disclosure list in Harlow v. Pike is due.""",
    ),
    Scene(
        "last-desk-owner-load-en",
        "en",
        "mcp json rows",
        "how are the open deadlines spread across people",
        [mcp("practice__deadlines", {"status": "any"}, {"rows": records(DUE_HEAD, DUE), "total": 9})],
        """Of the nine deadlines on record, eight are open:

| Owner | Open | Next due |
|---|---:|---|
| MK | 4 | {{date|27 Feb|26 Jan}} (overdue) |
| TS | 3 | 3 Mar |
| JO | 1 | {{date|16 Mar|18 Mar}} |

MK carries half of them, including the limitation in Teasdale ({{id|M-1222|M-1212}}) on 30 April, which has a \
pre-notice on {{date|31 March|29 March}}. JO has one finished as well.""",
    ),
    Scene(
        "last-desk-fees-overdue-en",
        "en",
        "psql table",
        "Which fee notes are overdue and how much is that in total?",
        [
            bash(
                "psql -d practice -c \"select * from fee_notes where issued > '2025-11-01' order by issued\"",
                psql(FEE_HEAD, FEES),
            )
        ],
        """Three fee notes are past due, with **{{amt|8,870.00|8,780.00}}** outstanding in total:

| Fee note | Client | Due | Outstanding | Days overdue |
|---|---|---|---:|---:|
| {{id|FN-0871|FN-0817}} | Osterby Ltd | 14 Dec 2025 | 2,220.00 | 78 |
| FN-0884 | Brandt | 18 Jan 2026 | {{amt|1,880.00|1,660.00}} | 43 |
| FN-0890 | Finch Logistics | 11 Feb 2026 | 4,770.00 | {{num|19|34}} |

Brandt has paid 1,000.00 of 2,880.00. Osterby has had two reminders, the other two one each. FN-0898 (6,312.00, \
Sallow \
Systems) isn't overdue yet; it falls due on {{date|11 March|17 March}}.""",
    ),
    Scene(
        "last-desk-hearing-room-en",
        "en",
        "mcp json nested",
        "anything new from the court in the last two weeks?",
        [mcp("mail__search", {"query": "from:registry newer_than:14d", "max": 20}, MAILS)],
        """Four messages, two of them unread:

- **Hearing in {{file|KB-2025-004417|KB-2025-004471}}:** 24 March 2026, {{time|10:30|11:15}}, Master Ellwood, 90 \
minutes. \
On 25 February the court moved it from Room E112 to **Room {{id|E119|E191}}**; date and time are unchanged, and \
remote \
attendance was refused.
- **Fee account:** three debits in February, {{amt|470.00|740.00}} in total (statement attached as CSV).
- **E-filing maintenance:** not available from Saturday 7 March, 8 pm, to Sunday 8 March, {{time|11 am|9 am}}.

The notice also sets a date for skeleton arguments, but the preview breaks off before it. Shall I open the PDF? \
[#mail-OPEN:19c8f2a41d07be33]""",
    ),
    Scene(
        "last-desk-lease-renewal-en",
        "en",
        "markdown file",
        "When do we have to tell the landlord if we want to stay?",
        [read("/home/mk/practice/lease_tanner_row.md", LEASE)],
        """**By {{date|30 March 2026|30 June 2026}} at the latest** – that is four weeks from today.

The lease began on 1 October 2021 and runs {{num|five years|eleven years}} (2.1), so it ends on 30 September 2026. \
Clause 2.2 lets you \
renew *once*, for three years, by written notice {{quo|"not less than six months before the end of the term"|"not \
later than six months after the start of the term"}}. To be safe I'd have the letter with the landlord a few days \
earlier.

If you do nothing, it simply ends: {{quo|"the lease ends without further notice"|"the lease continues from month to \
month"}} (2.3).""",
    ),
    Scene(
        "last-desk-lease-cost-en",
        "en",
        "markdown file",
        "what do we pay for the office per month, all in? and how big was the deposit",
        [read("/home/mk/practice/lease_tanner_row.md", LEASE)],
        """Currently **{{amt|3,670|3,760}} a month**:

- Rent: 40,320 a year since October 2024, so {{amt|3,360|3,630}} a month
- Service charge: 310

The deposit was three instalments of the *original* rent (38,400 / 12 = 3,200), i.e. **{{amt|9,600|9,900}}**. On \
top of \
that you bear small repairs, up to {{amt|450|540}} each and at most 1,800 in a calendar year.""",
    ),
)
