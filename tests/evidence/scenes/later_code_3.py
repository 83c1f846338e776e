"""English: dependencies."""

from __future__ import annotations

from tests.evidence.results import bash, mcp
from tests.evidence.scene import Scene

OUTDATED = """\
Package                 Current   Wanted   Latest  Location                             Depended by
@tanstack/react-query   5.51.23  5.66.0   5.66.0  node_modules/@tanstack/react-query   portal
axios                     0.27.2   0.27.2    1.7.9  node_modules/axios                   portal
date-fns                  2.30.0   2.30.0    4.1.0  node_modules/date-fns                portal
eslint                    8.57.0   8.57.1   9.19.0  node_modules/eslint                  portal
react                     18.2.0   18.3.1   19.0.0  node_modules/react                   portal
react-dom                 18.2.0   18.3.1   19.0.0  node_modules/react-dom               portal
typescript                 5.4.5    5.7.3    5.7.3  node_modules/typescript              portal
zod                      3.22.4   3.24.1   3.24.1  node_modules/zod                     portal
"""
AUDIT = {
    "auditReportVersion": 2,
    "vulnerabilities": {
        "axios": {"severity": "high", "isDirect": True, "range": "<=0.29.0", "via": ["GHSA-wf5p-g6vw-rhxx"]},
        "braces": {"severity": "high", "isDirect": False, "range": "<3.0.3", "via": ["GHSA-grv7-fg5c-xmjg"]},
        "nanoid": {"severity": "moderate", "isDirect": False, "range": "<3.3.8", "via": ["GHSA-mwcw-c2x4-8c55"]},
    },
    "metadata": {
        "vulnerabilities": {"info": 0, "low": 0, "moderate": 1, "high": 2, "critical": 0, "total": 3},
        "dependencies": {"prod": 212, "dev": 874, "optional": 51, "total": 1103},
    },
}

SCENES = (
    Scene(
        "later-npm-outdated-en",
        "en",
        "npm outdated",
        "what can I upgrade without pain, and is anything insecure?",
        [bash("npm outdated", OUTDATED), mcp("npm__audit", {"cwd": "/home/noor/portal"}, AUDIT, indent=2)],
        """{{cnt|8 packages|14 packages}} are outdated.

**Safe (minor/patch, within your ranges)** – `npm update` does these:
- @tanstack/react-query 5.51.23 → {{num|5.66.0|5.60.6}}
- typescript 5.4.5 → {{num|5.7.3|5.3.7}}
- zod 3.22.4 → 3.24.1
- react, react-dom 18.2.0 → 18.3.1
- eslint 8.57.0 → 8.57.1

**Major, needs work:** axios 1.x, date-fns 4.x, eslint 9.x, React 19.

**Security:** `npm audit` reports {{cnt|three vulnerabilities|fourteen vulnerabilities}}, two high and one \
moderate. Only axios (≤ 0.29.0, {{id|GHSA-wf5p-g6vw-rhxx|GHSA-wf5p-h8q2-rhxx}}) is a direct dependency, so that's the \
major upgrade I'd do first. braces and nanoid are transitive and should go away with `npm audit fix`.""",
    ),
)
