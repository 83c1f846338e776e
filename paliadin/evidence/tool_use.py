"""Compare the tools that an answer claims to have used with those that were seen to run. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from paliadin.evidence.model import Difference

_SERVER_PREFIX = re.compile(r"mcp__.+?__(?=.)")


class Call(Protocol):
    """A call of a tool: the tool's name, and the rows that it returned."""

    @property
    def name(self) -> str: ...
    @property
    def rows(self) -> int | None: ...


def find_differences(
    used: Sequence[str], rows_seen: Sequence[int], observed: Sequence[str], calls: Sequence[Call]
) -> tuple[Difference, ...]:
    """List where the trailer (`used`, `rows_seen`) and what was seen (`observed`, the names, and `calls`) disagree."""
    named, ran = {_comparable_name(tool) for tool in used}, {_comparable_name(tool) for tool in observed}
    return (
        *(Difference(tool, "not_run") for tool in dict.fromkeys(used) if _comparable_name(tool) not in ran),
        *(Difference(tool, "not_named") for tool in observed if _comparable_name(tool) not in named),
        *_row_differences(used, rows_seen, calls),
    )


def names_same_tools(used: Sequence[str], observed: Sequence[str]) -> bool:
    """True if the trailer's tools (`used`) are exactly those that ran."""
    return {_comparable_name(tool) for tool in used} == {_comparable_name(tool) for tool in observed}


def _row_differences(used: Sequence[str], rows_seen: Sequence[int], calls: Sequence[Call]) -> Iterator[Difference]:
    """The `rows` differences. For a tool that ran several times, the rows of one call or the sum of all are right."""
    if len(used) != len(rows_seen):
        return  # it is not known which number belongs to which tool
    rows: dict[str, list[int]] = {}
    for call in calls:
        if call.rows is not None:
            rows.setdefault(_comparable_name(call.name), []).append(call.rows)
    for tool, claimed in dict(zip(used, rows_seen, strict=True)).items():
        seen = rows.get(_comparable_name(tool), [])
        if seen and claimed not in {*seen, sum(seen)}:
            yield Difference(tool, "rows", claimed, sum(seen))


def _comparable_name(tool: str) -> str:
    """The name for comparing: an answer often leaves out the MCP server (`mcp__server__tool`), or changes the case."""
    return _SERVER_PREFIX.sub("", tool, count=1).casefold()
