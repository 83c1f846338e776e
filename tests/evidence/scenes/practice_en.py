"""English: a patent practice; decisions, registers, letters, deadlines."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, glob, grep, mcp, read, task, web_fetch
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
    Scene(
        "register-status-en",
        "en",
        "mcp json",
        "Is the patent still in force?",
        [
            mcp(
                "register__status",
                {"number": "EP3771234"},
                {
                    "number": "EP 3 771 234 B1",
                    "filed": "2016-05-19",
                    "granted": "2020-10-07",
                    "status": "revoked",
                    "statusDate": "2025-11-11",
                    "states": ["DE", "FR", "GB", "IT", "NL"],
                    "proprietor": "Vega Imaging Inc.",
                },
            )
        ],
        """No, it was **revoked** on {{date|Nov 11, 2025|Nov 17, 2025}}.

- Filed: {{date|19 May 2016|9 May 2016}}
- Granted: {{date|7 October 2020|17 October 2020}}
- Validated in {{cnt|five states|eight states}} (DE, FR, GB, IT, NL)
- Proprietor: Vega Imaging Inc.

Without the revocation it would have expired 20 years after filing (Art. 63(1) EPC).""",
    ),
    Scene(
        "exhibits-en",
        "en",
        "glob",
        "How many exhibits do we have?",
        [
            glob(
                "exhibits/*",
                *(
                    f"/home/kim/cases/cfi411/exhibits/VG{number:02}_{name}.pdf"
                    for number, name in enumerate(("power", "patent", "translation", "test-purchase", "expert"), 1)
                ),
            )
        ],
        """There are {{cnt|5|7}}; the last one is `{{name|VG05_expert.pdf|VG05_photos.pdf}}`.""",
    ),
    Scene(
        "grep-claims-en",
        "en",
        "grep",
        "Where is 'interferometer' mentioned?",
        [
            grep(
                "interferometer",
                "spec/description.md:31:the interferometer 12 is arranged downstream of lens 4",
                "spec/description.md:112:an interferometer as in US 9,874,501 B2",
                "spec/claims.md:6:2. Device according to claim 1, comprising an interferometer (12).",
            )
        ],
        """It's mentioned three times: in `spec/description.md` (lines 31 and {{line|112|121}}) and in claim 2 \
({{line|spec/claims.md:6|spec/claims.md:16}}). Line 112 cites {{file|US 9,874,501 B2|US 9,847,501 B2}}, and the claim \
reads \
"{{quo|Device according to claim 1, comprising an interferometer (12)|Device according to claim 1, wherein the \
interferometer is tunable}}".""",
    ),
    Scene(
        "costs-task-en",
        "en",
        "task",
        "Have someone work out our costs so far in 411.",
        [
            task(
                "Work out the costs of UPC_CFI_411/2025 from the time sheets.",
                "Hours: Vogt 61.5, Mehta 22.0, paralegals 14.5.\nFees so far: EUR 41,870.00; "
                "disbursements: EUR 12,350.40.\n"
                "Court fee of EUR 14,600 is included in the disbursements? No: it was paid by the client directly.",
            )
        ],
        """So far {{num|98 hours|89 hours}} have been recorded, {{num|61.5|65.1}} of them Vogt's. The fees come to \
{{amt|EUR 41,870|EUR 48,170}}, disbursements to {{amt|EUR 12,350.40|EUR 12,530.40}}, so \
**{{amt|EUR 54,220.40|EUR 54,440.20}}** together. The court fee was paid by the client.""",
    ),
    Scene(
        "fee-page-en",
        "en",
        "web fetch",
        "What's the appeal fee at the EPO now?",
        [
            web_fetch(
                "https://www.epo.example/fees",
                "appeal fee",
                "Fee for appeal (R. 97) for large entities: EUR 2 925; for natural "
                "persons and SMEs: EUR 2 015. In force since 1 April 2024.",
            )
        ],
        """For large entities it's **{{amt|EUR 2,925|EUR 2,795}}**, for natural persons and SMEs \
{{amt|€2,015|€2,105}} — \
{{amt|910 euros|690 euros}} less. These amounts apply since {{date|April 1, 2024|April 1, 2025}}. Under Art. 108 EPC \
the fee must be \
paid within two months.""",
    ),
    Scene(
        "records-matters-en",
        "en",
        "mcp records",
        "List the matters of Kranich.",
        [
            mcp(
                "matters__search",
                {"client": "Kranich"},
                "MAT-0412 | Folding mechanism | PCT/EP2025/061734 | opened 12 May 2025",
                "MAT-0418 | Hinge | EP 25 178 902.3 | opened 2 June 2025",
                "MAT-0431 | Trade mark KRANICH | 018 977 245 | opened 9 Sept 2025",
            )
        ],
        """Kranich has {{cnt|3 matters|8 matters}}:

1. **{{id|MAT-0412|MAT-0421}}** Folding mechanism, {{file|PCT/EP2025/061734|PCT/EP2025/061743}}
2. **MAT-0418** Hinge, {{file|EP 25 178 902.3|EP 25 187 902.3}}
3. **MAT-0431** trade mark “{{quo|KRANICH|KRANICH MOBIL}}”, opened {{date|9 September 2025|19 September 2025}}

[#matter-OPEN:MAT-0412] [#matter-OPEN:MAT-0431]""",
    ),
)
