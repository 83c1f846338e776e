"""Compare what an answer's trailer says of its tools, and of the rows they returned, with what was seen. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from paliadin.evidence.model import Difference
from paliadin.evidence.results import NO_DATA, SUBAGENTS, plain_name

_SERVER = "mcp__"


class Call(Protocol):
    """A call of a tool: the tool's name, if it succeeded (None: it never ran), and the rows that it returned."""

    @property
    def name(self) -> str: ...
    @property
    def ok(self) -> bool | None: ...
    @property
    def rows(self) -> int | None: ...


def find_differences(
    used: Sequence[str],
    rows_seen: Sequence[int],
    observed: Sequence[str],
    calls: Sequence[Call],
    *,
    unreadable: bool = False,
) -> tuple[Difference, ...]:
    """List where the trailer (`used`, `rows_seen`) and what was seen (`observed`, the names, and `calls`) disagree.

    `unreadable`: something in the trailer's numbers of rows is none. Tools that return no data may be named or not.
    """
    data_used = [tool for tool in used if plain_name(tool) not in NO_DATA]
    data_seen = [tool for tool in observed if plain_name(tool) not in NO_DATA]
    return (
        *(
            Difference(tool, "not_run")
            for tool in dict.fromkeys(data_used)
            if not any(_is_same(tool, seen) for seen in data_seen)
        ),
        *(
            Difference(tool, "not_named")
            for tool in data_seen
            if not any(_is_same(claimed, tool) for claimed in data_used)
        ),
        *_row_differences(used, rows_seen, calls, unreadable=unreadable),
    )


def _is_same(claimed: str, seen: str) -> bool:
    """True if the trailer's name is that of the tool: it may leave out the server, but not name another one."""
    if claimed.startswith(_SERVER) and seen.startswith(_SERVER):
        return claimed.casefold() == seen.casefold()
    one, other = plain_name(claimed), plain_name(seen)
    return one == other or ({one, other} <= SUBAGENTS) or other.endswith("__" + one)


def _row_differences(
    used: Sequence[str], rows_seen: Sequence[int], calls: Sequence[Call], *, unreadable: bool
) -> Iterator[Difference]:
    """The differences in rows. For a tool that ran several times, the rows of one call or the sum of all are right."""
    if unreadable:
        yield Difference("", "rows_unclear")
        return
    if not rows_seen or not used:
        return
    if len(used) != len(rows_seen):
        if list(rows_seen) != [call.rows for call in calls if call.rows is not None]:
            yield Difference("", "rows_unclear")
        return
    for tool, claimed in _claimed_rows(used, rows_seen).items():
        seen = [0 if call.ok is False else call.rows for call in calls if _is_same(tool, call.name)]
        counts = [count for count in seen if count is not None]
        is_right = sum(claimed) == sum(counts) or (len(claimed) == 1 and claimed[0] in counts)
        if counts and not is_right:
            yield Difference(tool, "rows", sum(claimed), sum(counts))


def _claimed_rows(used: Sequence[str], rows_seen: Sequence[int]) -> Mapping[str, list[int]]:
    """The numbers of rows that the trailer gives each tool; one that it names twice has two."""
    claimed: dict[str, list[int]] = {}
    for tool, rows in zip(used, rows_seen, strict=True):
        claimed.setdefault(tool, []).append(rows)
    return claimed
