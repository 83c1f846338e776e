"""The tool calls of a turn: which tools ran, and the events that show each call."""

from __future__ import annotations

import pytest

from paliadin.events.model import ToolCall, ToolResult
from paliadin.events.tool_calls import ToolCallTracker
from paliadin.events.tool_summaries import MAX_TEXT
from paliadin.evidence.results import Call
from paliadin.steps.model import Outcome, ToolEnded, ToolStarted


def ended(outcome: Outcome, result: object = "one\ntwo", name: str = "Read", call_id: str = "t1") -> ToolEnded:
    return ToolEnded(1, call_id, name, outcome, result, 7.5)


def test_a_call_shows_its_input_in_short_and_in_full() -> None:
    shown = ToolCallTracker().start(ToolStarted(1, "t1", "Read", {"file_path": "/a"}))
    assert shown == ToolCall("t1", "Read", "/a", {"file_path": "/a"})


def test_a_result_shows_its_first_line_its_rows_and_its_text() -> None:
    shown = ToolCallTracker().end(ended("ok"))
    assert shown == ToolResult("t1", "Read", True, "one", 2, 7.5, "one\ntwo", False)
    long = ToolCallTracker().end(ended("ok", "x" * (MAX_TEXT + 1))).output
    assert "⟨1 more characters⟩" in str(long)


@pytest.mark.parametrize(("outcome", "refused"), [("failed", False), ("refused", True), ("invalid", False)])
def test_a_call_that_did_not_succeed_returned_no_rows(outcome: Outcome, refused: bool) -> None:
    shown = ToolCallTracker().end(ended(outcome))
    assert (shown.ok, shown.rows, shown.refused) == (False, None, refused)


def test_a_tool_that_returns_no_list_has_no_rows() -> None:
    output = {"stdout": "one\ntwo"}
    assert ToolCallTracker().end(ended("ok", output, "Bash")).rows == 2
    assert ToolCallTracker().end(ended("ok", output, "Task")).rows is None


@pytest.mark.parametrize(("outcome", "ran"), [("ok", True), ("failed", True), ("refused", False), ("invalid", False)])
def test_only_a_tool_that_ran_was_observed(outcome: Outcome, ran: bool) -> None:
    tools = ToolCallTracker()
    tools.end(ended(outcome))
    assert tools.observed == (["Read"] if ran else [])
    assert [call.outcome for call in tools.calls] == [outcome]


def test_a_tool_is_observed_once_and_each_of_its_results_counts() -> None:
    tools = ToolCallTracker()
    for call_id, name in (("t1", "Read"), ("t2", "Bash"), ("t3", "Read")):
        tools.end(ended("ok", call_id, name, call_id))
    assert (tools.observed, [call.text for call in tools.calls]) == (["Read", "Bash"], ["t1", "t2", "t3"])


def test_a_result_is_cut_only_if_a_mark_in_it_says_so() -> None:
    def kept(result: str) -> Call:
        tools = ToolCallTracker()
        tools.end(ToolEnded(1, "t1", "Read", "ok", result, cut=True))
        return tools.calls[0]

    assert kept("a … [cut by Paliadin: 9 more characters] … b").cut
    assert not kept("the input of this call was cut").cut


@pytest.mark.parametrize(
    ("outcome", "unseen"), [("ok", False), ("failed", False), ("refused", True), ("invalid", True)]
)
def test_a_call_of_which_no_start_was_reported_is_unseen_unless_it_ran(outcome: Outcome, unseen: bool) -> None:
    tools = ToolCallTracker()
    assert tools.is_unseen(ended(outcome)) is unseen
    tools.start(ToolStarted(1, "t1", "Read"))
    assert not tools.is_unseen(ended(outcome))
    assert tools.is_unseen(ended(outcome, call_id="t2")) is unseen
