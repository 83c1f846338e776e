"""What the trailer says of tools and rows, beside those that ran."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from paliadin.events.timeline import CalledTool
from paliadin.evidence.model import Difference
from paliadin.evidence.tool_use import find_differences

ASK, SKILL, TODO = "AskUserQuestion", "Skill", "TodoWrite"


def brief(differences: Sequence[Difference]) -> list[tuple[object, ...]]:
    return [
        (each.what, each.tool, *(count for count in (each.claimed, each.seen) if count is not None))
        for each in differences
    ]


def calls(*each: tuple[str, int | None]) -> list[CalledTool]:
    return [CalledTool(name, True, rows=count) for name, count in each]


def names(*seen: CalledTool) -> list[str]:
    return list(dict.fromkeys(call.name for call in seen))


def test_it_says_which_tools_were_named_and_did_not_run_and_which_ran_and_were_not_named() -> None:
    differences = find_differences(["Grep", "Read"], [], ["Read", "Bash"], [])
    assert brief(differences) == [("not_run", "Grep"), ("not_named", "Bash")]


@pytest.mark.parametrize(
    ("claimed", "ran", "expected"),
    [
        ([3], calls(("Read", 2)), [("rows", "Read", 3, 2)]),
        ([2], calls(("Read", 2)), []),
        ([5], calls(("Read", 2), ("Read", 3)), []),  # of all calls
        ([3], calls(("Read", 2), ("Read", 3)), []),  # of one of them
        ([4], calls(("Read", 2), ("Read", 3)), [("rows", "Read", 4, 5)]),
        ([4], calls(("Read", None)), []),  # nothing told how many
        ([2, 3], calls(("Read", 2), ("Read", 3)), []),  # each call's
        ([500, 3], calls(("Read", 3)), [("rows_unclear", "")]),
        ([4, 1], calls(("Read", 2)), [("rows_unclear", "")]),
        ([], calls(("Read", 2)), []),
    ],
)
def test_another_number_of_rows_is_a_difference(
    claimed: list[int], ran: list[CalledTool], expected: list[tuple[object, ...]]
) -> None:
    assert brief(find_differences(["Read"], claimed, ["Read"], ran)) == expected


@pytest.mark.parametrize(
    ("claimed", "expected"),
    [([2, 3], []), ([5, 5], [("rows", "Read", 10, 5)]), ([2, 4], [("rows", "Read", 6, 5)])],
)
def test_a_tool_that_is_named_twice_has_two_numbers(claimed: list[int], expected: list[tuple[object, ...]]) -> None:
    ran = calls(("Read", 2), ("Read", 3))
    assert brief(find_differences(["Read", "Read"], claimed, ["Read"], ran)) == expected


def test_a_failed_call_returned_no_rows() -> None:
    failed = [CalledTool("Read", False)]
    assert brief(find_differences(["Read"], [12], ["Read"], failed)) == [("rows", "Read", 12, 0)]
    assert find_differences(["Read"], [0], ["Read"], failed) == ()


def test_numbers_that_cannot_be_read_are_a_difference() -> None:
    ran = calls(("Read", 3))
    assert brief(find_differences(["Read"], [], ["Read"], ran, unreadable=True)) == [("rows_unclear", "")]


@pytest.mark.parametrize("tool", [ASK, SKILL, TODO])
def test_a_tool_that_returns_no_data_may_be_named_or_not(tool: str) -> None:
    assert find_differences([tool], [], [], []) == ()
    assert find_differences([], [], [tool], calls((tool, None))) == ()


def test_a_subagent_has_two_names() -> None:
    assert find_differences(["Task"], [], ["Agent"], calls(("Agent", None))) == ()
    assert brief(find_differences([], [], ["Agent"], [])) == [("not_named", "Agent")]


def test_a_tool_of_a_server_may_be_named_without_the_server_and_in_any_case() -> None:
    ran = calls(("mcp__office__search_my_deadlines", 1), ("Read", 2))
    assert find_differences(["search_my_deadlines", "read"], [1, 2], names(*ran), ran) == ()
    assert brief(find_differences(["search", "Read"], [], names(*ran), ran)) == [
        ("not_run", "search"),
        ("not_named", "mcp__office__search_my_deadlines"),
    ]


def test_another_servers_tool_of_the_same_name_is_another_one() -> None:
    ran = calls(("mcp__office__list", 1))
    assert brief(find_differences(["mcp__other__list"], [], names(*ran), ran)) == [
        ("not_run", "mcp__other__list"),
        ("not_named", "mcp__office__list"),
    ]
