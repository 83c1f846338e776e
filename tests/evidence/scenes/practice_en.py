"""English: a patent practice; decisions, letters, the docket."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import aligned, csv, markdown, records

DECISION = """EUROPEAN PATENT OFFICE
Boards of Appeal

Case Number: T 1473/22 - 3.4.02
D E C I S I O N of 11 November 2025

Appellant: Solaris Optics Ltd
Decision under appeal: Decision of the Opposition Division posted on
                       4 August 2022 rejecting the opposition against
                       European patent No. 3 771 234.

Order
For these reasons it is decided that:
1. The decision under appeal is set aside.
2. The patent is revoked.

Reasons
1.1 The appeal is admissible.
2.4 The subject-matter of claim 1 lacks an inventive step starting
    from D3 in combination with D7."""
LETTER = """From: t.lang@kranich.example
Date: Wed, 18 Feb 2026 15:05:33 +0100
Subject: Instructions EP 3 992 008

Dear Ms Vogt,

please pay the renewal fee for year 9 and let "year 10" lapse.
Our limit is 2,300 EUR including your charges.
We need the response to the communication under Rule 71(3)
before 3 April.

Kind regards
Theo Lang"""
HEAD = ("case", "court", "next_step", "due", "lead")
ROWS = (
    ("UPC_CFI_219/2025", "Paris LD", "Rejoinder", "2026-03-06", "Mehta"),
    ("UPC_CFI_411/2025", "Munich LD", "Interim conference", "2026-04-21", "Vogt"),
    ("UPC_CoA_57/2025", "Court of Appeal", "Statement of response", "2026-05-08", "Mehta"),
    ("T 0088/24", "EPO Boards", "Oral proceedings", "2026-06-10", "Vogt"),
    ("X ZR 12/24", "BGH", "Hearing", "2026-06-30", "Brandt"),
    ("UPC_CFI_502/2025", "Paris LD", "Defence", "2026-03-27", "Mehta"),
)

SCENES = (
    Scene(
        "decision-summary-en",
        "en",
        "read file",
        "Summarise the decision, please.",
        [read("/home/kim/cases/ep3771234/T1473-22.txt", DECISION)],
        """## Decision {{file|T 1473/22|T 1437/22}}

The Board of Appeal (3.4.02) decided on {{date|11 November 2025|21 November 2025}} that

1. the decision under appeal is set aside, and
2. “{{quo|The patent is revoked.|The patent is maintained in amended form.}}”

The Opposition Division had rejected the opposition on {{date|4 August 2022|14 August 2022}}. The reason is inventive \
step \
(Art. 56 EPC): D3 in combination with D7, see point 2.4. The patent is EP {{file|3 771 234|3 717 234}}.""",
    ),
    Scene(
        "decision-quote-en",
        "en",
        "read file",
        "What exactly did they say about claim 1?",
        [read("/home/kim/cases/ep3771234/T1473-22.txt", DECISION)],
        """Point 2.4 of the reasons:

> {{quo|The subject-matter of claim 1 lacks an inventive step starting from D3 in combination with D7.|The \
subject-matter \
of claim 1 is not novel over D3, which discloses all its features.}}

The relevant line is {{line|T1473-22.txt:19|T1473-22.txt:42}}. For the test itself see G 1/19 and the Guidelines, \
Part G, \
Chapter VII.""",
    ),
    Scene(
        "letter-instructions-en",
        "en",
        "bash cat",
        "What does Mr Lang want?",
        [bash("cat mail/2026-02-18-lang.eml", LETTER)],
        """Theo Lang wrote on Wednesday, {{date|18 February 2026|25 February 2026}}, at {{time|3:05 pm|5:03 pm}} about \
{{file|EP 3 992 008|EP 3 992 080}}:

- pay year 9, let year 10 lapse
- spend no more than {{amt|€2,300|€3,200}}
- answer the Rule 71(3) communication before {{date|April 3|April 8}}, i.e. {{num|32 days|37 days}} from now

He writes: "{{quo|Our limit is 2,300 EUR including your charges.|Please ask before you spend any money.}}\"""",
    ),
    Scene(
        "docket-upc-en",
        "en",
        "csv",
        "Which UPC matters are on?",
        [read("/home/kim/docket.csv", csv(HEAD, ROWS, ";"))],
        """{{cnt|Four of the six|Nine of the ten}} matters are before the UPC:

| Case | Division | Due |
|:--|:--|--:|
| UPC_CFI_219/2025 | Paris | {{date|6 Mar 2026|16 Mar 2026}} |
| {{file|UPC_CFI_502/2025|UPC_CFI_520/2025}} | Paris | 27 Mar 2026 |
| UPC_CFI_411/2025 | Munich | {{date|21 Apr 2026|24 Apr 2026}} |
| {{file|UPC_CoA_57/2025|UPC_CoA_75/2025}} | Court of Appeal | 8 May 2026 |

Three of them are Mehta's; that's half of all matters.""",
    ),
    Scene(
        "docket-next-en",
        "en",
        "aligned columns",
        "What's the very next thing?",
        [bash("docket --all", aligned(HEAD, ROWS))],
        """The rejoinder in {{file|UPC_CFI_219/2025|UPC_CFI_129/2025}} (Paris LD), due **this Friday, {{date|6 \
March|13 March}}** \
— {{num|four days|nine days}} from now. After that nothing happens for three weeks until the defence in \
UPC_CFI_502/2025.""",
    ),
    Scene(
        "docket-vogt-en",
        "en",
        "markdown table",
        "And Vogt's?",
        [earlier(read("/home/kim/docket.md", markdown(HEAD, ROWS)))],
        """Vogt has two: the interim conference on {{date|2026-04-21|2026-04-12}} \
({{file|UPC_CFI_411/2025|UPC_CFI_417/2025}}) \
and the oral proceedings in T 0088/24 on {{date|June 10th|June 20th}}. They are {{num|50 days|41 days}} apart.""",
    ),
    Scene(
        "docket-june-en",
        "en",
        "mcp json rows",
        "How many things in June?",
        [mcp("docket__list", {"until": "2026-06-30"}, {"rows": records(HEAD, ROWS), "more": 0})],
        """{{cnt|Two|Nine}}: the oral proceedings in {{file|T 0088/24|T 0078/24}} on the 10th and the BGH hearing (X \
ZR 12/24) on \
the 30th. That's {{num|33%|38%}} of the list.""",
    ),
)
