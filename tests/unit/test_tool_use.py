from __future__ import annotations

from collections.abc import Sequence

import pytest

from paliadin.events.timeline import CalledTool
from paliadin.evidence.tool_use import Difference, find_differences, names_same_tools


def brief(differences: Sequence[Difference]) -> list[tuple[object, ...]]:
    return [
        (each.what, each.tool, *(count for count in (each.claimed, each.seen) if count is not None))
        for each in differences
    ]


def calls(**rows: int | None) -> list[CalledTool]:
    return [CalledTool(name.rstrip("_"), rows=count) for name, count in rows.items()]


def test_it_says_which_tools_were_named_and_did_not_run_and_which_ran_and_were_not_named() -> None:
    differences = find_differences(["Grep", "Read"], [], ["Read", "Bash"], [])
    assert brief(differences) == [("not_run", "Grep"), ("not_named", "Bash")]


@pytest.mark.parametrize(
    ("claimed", "ran", "expected"),
    [
        ([3], calls(Read=2), [("rows", "Read", 3, 2)]),
        ([2], calls(Read=2), []),
        ([5], calls(Read=2, Read_=3), []),  # of all calls
        ([3], calls(Read=2, Read_=3), []),  # of one of them
        ([4], calls(Read=2, Read_=3), [("rows", "Read", 4, 5)]),
        ([4], calls(Read=None), []),  # nothing told how many
        ([4, 1], calls(Read=2), []),  # nobody knows which number is whose
    ],
)
def test_another_number_of_rows_is_a_difference(
    claimed: list[int], ran: list[CalledTool], expected: list[tuple[object, ...]]
) -> None:
    assert brief(find_differences(["Read"], claimed, ["Read"], ran)) == expected


def test_a_tool_of_a_server_may_be_named_without_the_server_and_in_any_case() -> None:
    observed = ["mcp__office__search_my_deadlines", "Read"]
    used = ["search_my_deadlines", "read"]
    assert names_same_tools(used, observed)
    calls = [CalledTool(observed[0], rows=1), CalledTool("Read", rows=2)]
    assert find_differences(used, [1, 2], observed, calls) == ()
    assert not names_same_tools(["search"], observed)
