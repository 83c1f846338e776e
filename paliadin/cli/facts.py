"""The facts of an answer, for a person at a terminal: how many were found where, and which were not. Pure.

None of them is called wrong: it was not found in anything that Claude looked up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from paliadin.base.terminal_text import title_line
from paliadin.reports.claims import STATUSES, WORST_FIRST, checked

JsonObject = Mapping[str, Any]

MAX_SOURCES = 3  # shown of a fact
LONGEST = 200  # characters of a fact or of a source's line
COUNTED = {
    "found": "{} found",
    "given": "{} from the question or the page",
    "derived": "{} derived",
    "unsupported": "{} not found in anything Claude looked up",
    "unknown": "{} that cannot be checked, as a result was cut or is no longer kept",
}
STATUS = {"unsupported": "not found", "unknown": "cannot be checked", "given": "given"}
RULES = {
    "count": "derived by counting",
    "sum": "derived by adding",
    "difference": "derived by subtracting",
    "days": "derived as days between dates",
    "rounded": "derived by rounding",
    "share": "derived as a share",
    "searched": "derived: so far it was searched",
}
ORIGINS = {"question": "the question", "context": "the page", "answer": "not found itself"}
DIFFERENCES = {
    "not_run": "{tool} is named, but did not run",
    "not_named": "{tool} ran, but is not named",
    "rows": "{claimed} rows of {tool} are named, {seen} were returned",
    "rows_unclear": "the numbers of rows that are named cannot be matched with the tools",
}


def count_line(counts: Mapping[str, int] | None) -> str:
    """Say how many facts have each status: `2 facts: 1 found, 1 derived`; "" if there was nothing to check."""
    whole = checked(counts or {})
    parts = [COUNTED[status].format(f"{counts[status]:,}") for status in STATUSES if counts and counts.get(status)]
    return f"{whole:,} fact{'' if whole == 1 else 's'}: {', '.join(parts)}" if whole else ""


def fact_lines(claims: Sequence[JsonObject], tools: Mapping[str, str], *, everything: bool) -> list[str]:
    """Return a line for each fact that was not found; with `everything` for the others too, with their sources.

    `claims`: those of the event `evidence`; `tools`: a call's id → its tool.
    """
    wanted = WORST_FIRST if everything else ("unsupported",)
    return [
        f"  {_status(claim)}: {title_line(str(claim['text']), LONGEST)}{_sources(claim, tools)}"
        for status in wanted
        for claim in claims
        if claim["status"] == status
    ]


def evidence_lines(evidence: JsonObject, tools: Mapping[str, str], *, everything: bool) -> list[str]:
    """Return what there is to say of the data of an event `evidence`: `count_line`, then `fact_lines`."""
    claims = evidence.get("claims") or []
    line = count_line(Counter(claim["status"] for claim in claims))
    return [line, *fact_lines(claims, tools, everything=everything)] if line else []


def difference_lines(differences: Sequence[JsonObject]) -> list[str]:
    """Say where the answer's account of its tools and what was seen disagree."""
    return [title_line(DIFFERENCES[each["what"]].format_map(each)) for each in differences]


def _status(claim: JsonObject) -> str:
    return RULES.get(str(claim.get("rule"))) or STATUS.get(claim["status"], str(claim["status"]))


def _sources(claim: JsonObject, tools: Mapping[str, str]) -> str:
    sources = claim.get("sources") or []
    shown = list(_each_source(sources[:MAX_SOURCES], tools))
    more = [f"and {len(sources) - MAX_SOURCES} more"] if len(sources) > MAX_SOURCES else []
    return f" ({'; '.join([*shown, *more])})" if shown else ""


def _each_source(sources: Sequence[JsonObject], tools: Mapping[str, str]) -> Iterator[str]:
    for source in sources:
        if source["origin"] != "call":
            name = ORIGINS.get(source["origin"], str(source["origin"]))
        elif source.get("turn_id"):
            name = f"turn {source['turn_id']}"
        else:
            name = tools.get(str(source.get("call")), "a tool")
        line = f", line {source['line']}" if source.get("line") is not None else ""
        text = f': "{title_line(str(source["text"]), LONGEST)}"' if source.get("text") else ""
        yield f"{title_line(name)}{line}{text}"
