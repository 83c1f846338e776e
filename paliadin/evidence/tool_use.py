"""Where an answer's own account of its tools and what was seen to run are not the same. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

Json = Mapping[str, object]

_SERVER = re.compile(r"mcp__.+?__(?=.)")


def differences(
    used: Sequence[str], rows_seen: Sequence[int], observed: Sequence[str], calls: Sequence[Json]
) -> list[dict[str, object]]:
    """[{"tool", "what", "claimed", "seen"}]

    `what`: `not_run` (named, but it did not run), `not_named` (the reverse), or `rows` (another number than
    came back; `claimed` and `seen` say which). `used` and `rows_seen` are the trailer's; `calls` as in timeline.py.
    """
    named, ran = {_bare(tool) for tool in used}, {_bare(tool) for tool in observed}
    found = [_difference(tool, "not_run") for tool in dict.fromkeys(used) if _bare(tool) not in ran]
    found += [_difference(tool, "not_named") for tool in observed if _bare(tool) not in named]
    return [*found, *_other_rows(used, rows_seen, calls)]


def agree(used: Sequence[str], observed: Sequence[str]) -> bool:
    """Whether the trailer names the tools that ran."""
    return {_bare(tool) for tool in used} == {_bare(tool) for tool in observed}


def _other_rows(used: Sequence[str], rows_seen: Sequence[int], calls: Sequence[Json]) -> Iterator[dict[str, object]]:
    """A tool that ran several times may be named once, with the rows of one call or of all."""
    if len(used) != len(rows_seen):
        return  # nobody knows which number is whose
    for tool, claimed in dict(zip(used, rows_seen, strict=True)).items():
        same = [call.get("rows") for call in calls if _bare(str(call.get("name"))) == _bare(tool)]
        seen = [rows for rows in same if isinstance(rows, int)]
        if seen and claimed not in {*seen, sum(seen)}:
            yield _difference(tool, "rows", claimed, sum(seen))


def _difference(tool: str, what: str, claimed: int | None = None, seen: int | None = None) -> dict[str, object]:
    return {"tool": tool, "what": what, "claimed": claimed, "seen": seen}


def _bare(tool: str) -> str:
    """A tool of an MCP server is often named without the server."""
    return _SERVER.sub("", tool, count=1).casefold()
