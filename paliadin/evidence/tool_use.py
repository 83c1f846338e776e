"""Compare the tools that an answer claims to have used with those that were seen to run. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

Json = Mapping[str, object]

_SERVER_PREFIX = re.compile(r"mcp__.+?__(?=.)")


def find_differences(
    used: Sequence[str], rows_seen: Sequence[int], observed: Sequence[str], calls: Sequence[Json]
) -> list[dict[str, object]]:
    """List where the trailer and the hooks disagree, as [{"tool", "what", "claimed", "seen"}].

    `used` and `rows_seen` are the trailer's claims, `observed` the names of the tools that ran, `calls` is
    `Timeline.tool_calls`. `what` is `not_run` (claimed, but it did not run), `not_named` (ran, but is not claimed) or
    `rows` (the number of rows differs: `claimed` and `seen` hold both, and are None otherwise).
    """
    named, ran = {_comparable_name(tool) for tool in used}, {_comparable_name(tool) for tool in observed}
    differences = [_difference(tool, "not_run") for tool in dict.fromkeys(used) if _comparable_name(tool) not in ran]
    differences += [_difference(tool, "not_named") for tool in observed if _comparable_name(tool) not in named]
    return [*differences, *_row_differences(used, rows_seen, calls)]


def names_same_tools(used: Sequence[str], observed: Sequence[str]) -> bool:
    """True if the trailer's tools (`used`) are exactly those that ran."""
    return {_comparable_name(tool) for tool in used} == {_comparable_name(tool) for tool in observed}


def _row_differences(
    used: Sequence[str], rows_seen: Sequence[int], calls: Sequence[Json]
) -> Iterator[dict[str, object]]:
    """The `rows` differences. For a tool that ran several times, the rows of one call or the sum of all are right."""
    if len(used) != len(rows_seen):
        return  # it is not known which number belongs to which tool
    for tool, claimed in dict(zip(used, rows_seen, strict=True)).items():
        its_calls = [call for call in calls if _comparable_name(str(call.get("name"))) == _comparable_name(tool)]
        seen = [rows for call in its_calls if isinstance(rows := call.get("rows"), int)]
        if seen and claimed not in {*seen, sum(seen)}:
            yield _difference(tool, "rows", claimed, sum(seen))


def _difference(tool: str, what: str, claimed: int | None = None, seen: int | None = None) -> dict[str, object]:
    return {"tool": tool, "what": what, "claimed": claimed, "seen": seen}


def _comparable_name(tool: str) -> str:
    """The name for comparing: an answer often leaves out the MCP server (`mcp__server__tool`), or changes the case."""
    return _SERVER_PREFIX.sub("", tool, count=1).casefold()
