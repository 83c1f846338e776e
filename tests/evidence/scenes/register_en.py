"""English: a patent practice; registers, exhibits, costs."""

from __future__ import annotations

from tests.evidence.results import glob, grep, mcp, task, web_fetch
from tests.evidence.scene import Scene

SCENES = (
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
