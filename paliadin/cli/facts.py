"""The facts of an answer, for a person at a terminal: how many were found where, and which were not. Pure.

None of them is called wrong: it was not found in anything that Claude looked up, or is not what its calculation comes
to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from paliadin.base.terminal_text import title_line
from paliadin.cli.texts import phrase
from paliadin.reports.claims import STATUSES, WORST_FIRST, checked
from paliadin.words.tool_names import row_count, tool_name

JsonObject = Mapping[str, Any]

MAX_SOURCES = 3  # shown of a fact
LONGEST = 200  # characters of a fact or of a source's line


def count_line(counts: Mapping[str, int] | None) -> str:
    """Say how many facts have each status: `2 facts: 1 found, 1 derived`; "" if there was nothing to check."""
    whole = checked(counts or {})
    known_counts = {status: counts[status] for status in STATUSES if counts and counts.get(status)}
    parts = [phrase(f"count.{status}").format(f"{count:,}") for status, count in known_counts.items()]
    return f"{whole:,} fact{'' if whole == 1 else 's'}: {', '.join(parts)}" if whole else ""


def fact_lines(claims: Sequence[JsonObject], tools: Mapping[str, str], *, everything: bool) -> list[str]:
    """Return a line for each fact that was not found or does not add up; with `everything` for all, with their sources.

    `claims`: those of the event `evidence`; `tools`: a call's id → its tool.
    """
    statuses = WORST_FIRST if everything else ("differs", "unsupported")
    return [
        f"  {_status(claim)}: {title_line(str(claim['text']), LONGEST)}{_sources(claim, tools)}"
        for status in statuses
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
    return [title_line(phrase(f"difference.{each['what']}").format_map(_named(each))) for each in differences]


def _named(difference: JsonObject) -> JsonObject:
    tool = str(difference["tool"])
    rows = {key: row_count(tool, difference.get(key) or 0) for key in ("claimed", "seen")}
    return {"tool": tool_name(tool), **rows}


def tool_names(names: Iterable[object]) -> str:
    """Return the names of tools in words, each once: `File read, Files searched`."""
    return ", ".join(dict.fromkeys(tool_name(str(name)) for name in names))


def _status(claim: JsonObject) -> str:
    return phrase(f"rule.{claim.get('rule')}") or phrase(f"status.{claim['status']}", str(claim["status"]))


def _sources(claim: JsonObject, tools: Mapping[str, str]) -> str:
    sources = claim.get("sources") or []
    descriptions = [*_calculation(claim), *_each_source(sources[:MAX_SOURCES], tools)]
    more = [f"and {len(sources) - MAX_SOURCES} more"] if len(sources) > MAX_SOURCES else []
    return f" ({'; '.join([*descriptions, *more])})" if descriptions else ""


def _calculation(claim: JsonObject) -> Iterator[str]:
    """How the fact was worked out, or what its calculation comes to instead."""
    if calculation := claim.get("calculation"):
        text, comes_to, assumes = (calculation[key] for key in ("text", "comes_to", "assumes"))
        key = "differs" if comes_to else "quoted"
        is_different = claim["status"] == "differs"
        words = phrase(f"calculation.{key}").format(text, comes_to, claim["text"]) if is_different else text
        yield title_line(words, LONGEST)
        if assumes:
            yield title_line(phrase("calculation.assumes").format(", ".join(assumes)), LONGEST)


def _each_source(sources: Sequence[JsonObject], tools: Mapping[str, str]) -> Iterator[str]:
    for source in sources:
        if source["origin"] != "call":
            name = phrase(f"source.{source['origin']}", str(source["origin"]))
        elif source.get("turn_id"):
            name = f"turn {source['turn_id']}"
        else:
            tool = tools.get(str(source.get("call")))
            name = tool_name(tool) if tool else phrase("source.call")
        line = f", line {source['line']}" if source.get("line") is not None else ""
        record = f" of {title_line(str(source['record']), LONGEST)}" if source.get("record") else ""
        words = f': "{title_line(str(source["text"]), LONGEST)}"' if source.get("text") else ""
        yield f"{title_line(name)}{line}{record}{words}"
