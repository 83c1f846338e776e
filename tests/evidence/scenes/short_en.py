"""English: short questions and short answers with one thing to check, each said in another way."""

from __future__ import annotations

from tests.evidence.model import CallGiven
from tests.evidence.results import bash, earlier, edit, glob, grep, grep_files, mcp, read, task, web_fetch, web_search
from tests.evidence.scene import Scene
from tests.evidence.tables import csv, psql


def brief(name: str, shape: str, question: str, made: CallGiven, answer: str) -> Scene:
    """A scene with one call."""
    return Scene(f"short-{name}", "en", shape, question, [made], answer)


SCENES = (
    brief(
        "renewal",
        "mcp json",
        "When does the domain renew?",
        mcp(
            "domains__get", {"name": "shop.example"}, {"domain": "shop.example", "renews": "2026-10-19", "price": 14.5}
        ),
        "On the {{date|19th of October|29th of October}}, for 14.50 a year.",
    ),
    brief(
        "checkin",
        "read file",
        "From when can we check in?",
        read(
            "/home/kim/trip.txt", "Hotel Miradouro, check-in from 15:00, check-out until 11:30.\nConfirmation QX-90217"
        ),
        "From {{time|3 pm|2 pm}}; you'll have to leave by 11:30.",
    ),
    brief(
        "queue",
        "bash output",
        "How long is the queue?",
        bash("qstat", "queue: mail  waiting: 2381  active: 6\n"),
        "{{cnt|2,381 messages|2,831 messages}} are waiting, six are being sent.",
    ),
    brief(
        "part-number",
        "csv",
        "Part number of the bracket?",
        bash(
            "cat parts.csv", csv(("part", "name", "stock"), (("BR-2207-X", "bracket", 40), ("BR-2270-X", "bolt", 900)))
        ),
        "The bracket is {{id|BR-2207-X|BR-2277-X}}.",
    ),
    brief(
        "warranty",
        "task",
        "What does the warranty exclude?",
        task(
            "Read the warranty and say what it excludes.", 'Excluded: "damage caused by unsuitable storage" and wear.'
        ),
        'It excludes wear and "{{quo|damage caused by unsuitable storage|damage caused by frost or flooding}}".',
    ),
    brief(
        "assert",
        "grep",
        "Where is the limit checked?",
        grep("assert size", "core/buffer.py:59:    assert size <= LIMIT"),
        "It's checked in {{line|core/buffer.py:59|core/buffer.py:95}}.",
    ),
    brief(
        "application",
        "web fetch",
        "Application number of the divisional?",
        web_fetch(
            "https://register.example/div",
            "divisional application number",
            "Divisional: EP 24 150 318.2, filed 12 January 2024",
        ),
        "The divisional is {{file|EP 24 150 318.2|EP 24 150 381.2}}, filed in January 2024.",
    ),
    brief(
        "latency",
        "json indented",
        "How slow is checkout?",
        bash(
            "cat p95.json",
            '{\n  "checkout": {"p50_ms": 210, "p95_ms": 1340},\n  "search": {"p50_ms": 95, "p95_ms": 380}\n}\n',
        ),
        "Its 95th percentile is {{num|1,340 ms|1,430 ms}}, or about 1.3 seconds; search is much faster.",
    ),
    brief(
        "photos",
        "glob",
        "How many photos did the surveyor send?",
        glob("survey/*.jpg", *(f"/home/kim/survey/IMG_{number}.jpg" for number in range(4411, 4427))),
        "There are {{cnt|sixteen|19}} in the folder, starting with IMG_4411.",
    ),
    brief(
        "last-backup",
        "aligned columns",
        "When was the last full backup?",
        bash("backups", "TYPE  WHEN              SIZE\nfull  2026-02-22 02:00  51G\nincr  2026-03-01 02:00  3G\n"),
        "A week ago on Sunday, {{date|Feb 22nd|Feb 15th}}, with 51 GB.",
    ),
    brief(
        "documents",
        "mcp records",
        "Which documents mention Solaris?",
        mcp(
            "drive__search",
            {"q": "Solaris"},
            {"title": "Solaris – term sheet v3"},
            {"title": "Call with Solaris (notes)"},
        ),
        "Two: “{{name|Solaris – term sheet v3|Solaris – share purchase v2}}” and “Call with Solaris (notes)”.",
    ),
    brief(
        "deposit",
        "earlier turn",
        "What was the deposit again?",
        earlier(mcp("lease__terms", {}, {"rent": 3150, "deposit": 9450, "currency": "GBP"})),
        "{{amt|£9,450|£9,540}}, three months' rent.",
    ),
    brief(
        "matching-specs",
        "grep files",
        "Which specs mention a lens array?",
        grep_files("lens array", "specs/ep-a.txt", "specs/ep-f.txt"),
        "`specs/ep-a.txt` and `{{name|specs/ep-f.txt|specs/ep-k.txt}}`.",
    ),
    brief(
        "refund",
        "psql table",
        "What's the biggest refund?",
        bash(
            "psql -f refunds.sql",
            psql(("order_id", "refund_eur"), (("O-771", "48.90"), ("O-802", "219.00"), ("O-815", "12.35"))),
        ),
        "Order O-802 with {{amt|€219|€291}}.",
    ),
    brief(
        "shift",
        "markdown table",
        "When does my shift end on Friday?",
        read(
            "/home/kim/rota.md",
            "| Day | From | To |\n|---|---|---|\n| Thu | 06:30 | 14:45 |\n| Fri | 13:15 | 21:30 |\n",
        ),
        "On Friday you work until {{time|9:30 pm|10:15 pm}}.",
    ),
    brief(
        "build-number",
        "log",
        "Which build was shipped?",
        bash("tail -1 ship.log", "2026-02-28T19:02:11Z shipped build 20260228.7 to eu-central\n"),
        "Build {{id|20260228.7|20260228.4}}, on Saturday evening.",
    ),
    brief(
        "gap",
        "mcp json rows",
        "How long between the two hearings?",
        mcp("docket__hearings", {"case": "Vega"}, {"rows": [{"on": "2026-05-19"}, {"on": "2026-07-07"}], "more": 0}),
        "{{num|49 days|63 days}}: the first is on 19 May, the second on 7 July.",
    ),
    brief(
        "voters",
        "json by id",
        "Who hasn't voted yet?",
        mcp("poll__votes", {"poll": 9}, {"ashe": {"voted": True}, "becker": {"voted": False}, "nair": {"voted": True}}),
        "Only Becker; the other two of the {{cnt|three members|eight members}} have.",
    ),
    brief(
        "range",
        "json nested",
        "What's the range of the van?",
        mcp("fleet__van", {"id": "V2"}, {"van": {"id": "V2", "battery": {"kwh": 79, "range_km": 412}, "seats": 3}}),
        "About {{num|412 km|421 km}} on a 79 kWh battery.",
    ),
    brief(
        "claim-ref",
        "bash cat",
        "Reference of the insurance claim?",
        bash("cat claim.txt", "Claim ref. HC/2026/008841, handler: J. Reid\n"),
        "It's {{file|HC/2026/008841|HC/2026/008814}}, handled by J. Reid.",
    ),
    brief(
        "banner",
        "edit",
        "Remove the banner.",
        edit("/srv/shop/base.html", "<b>Winter sale</b>", "", "<body>\n<b>Winter sale</b>\n</body>"),
        "Done. I removed the line with “{{quo|Winter sale|Summer sale}}”.",
    ),
    brief(
        "moon",
        "web search",
        "When is the next full moon?",
        web_search(
            "next full moon March 2026",
            [("Moon phases", "https://moon.example")],
            "Full moon on 3 March 2026 at 11:38 UTC.",
        ),
        "Tomorrow, 3 March, at {{time|11:38|11:58}} UTC.",
    ),
    brief(
        "turnout",
        "psql table",
        "What was the turnout?",
        bash("psql -f t.sql", psql(("answered", "invited"), ((63, 84),))),
        "63 of 84 people answered, that's {{num|75%|78%}}.",
    ),
    brief(
        "hereinafter",
        "bash rg",
        "How often do we say 'hereinafter'?",
        bash("rg -c hereinafter contracts", "contracts/a.md:4\ncontracts/b.md:11\ncontracts/c.md:2\n"),
        "{{cnt|17 times|23 times}}, most of them in `contracts/b.md`.",
    ),
)
