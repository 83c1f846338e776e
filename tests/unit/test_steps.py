"""Steps: when a turn is over, and their one serialised form."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, get_args

import pytest

from paliadin.steps.model import (
    Aborted,
    Accepted,
    AllText,
    Checked,
    DialogClosed,
    DialogOpened,
    Doubted,
    Failed,
    Held,
    Interrupted,
    Joined,
    Kept,
    Noted,
    OnlyStopHook,
    Prompted,
    Replied,
    Retracted,
    Settled,
    Step,
    Stopped,
    Stopping,
    StopReported,
    Text,
    ToolEnded,
    ToolStarted,
    Unconfirmed,
    Usage,
    WentOn,
    is_over,
)
from paliadin.steps.serialised import from_line, to_line

GOING_ON = [Accepted(1), Prompted(2), Text(3, "m", "x"), Stopping(4)]
# One of each kind, as it stands in a log.
STEPS: list[tuple[Step, dict[str, Any]]] = [
    (
        Accepted(1, "opus"),
        {"at": 1, "step": "accepted", "model": "opus", "notices": None, "transcript_read": False},
    ),
    (Held(1, ["a"]), {"at": 1, "step": "held", "by": ["a"]}),
    (Prompted(2, "Hi"), {"at": 2, "step": "prompted", "text": "Hi"}),
    (Text(3, "m1", "Hello", final=True), {"at": 3, "step": "text", "message": "m1", "text": "Hello", "final": True}),
    (Retracted(4, "m1"), {"at": 4, "step": "retracted", "message": "m1"}),
    (
        ToolStarted(5, "t1", "Read", {"path": "x"}),
        {"at": 5, "step": "tool_started", "id": "t1", "name": "Read", "input": {"path": "x"}},
    ),
    (
        ToolEnded(6, "t1", "Read", "ok", ["a"], 1.5),
        {
            "at": 6,
            "step": "tool_ended",
            "id": "t1",
            "name": "Read",
            "outcome": "ok",
            "result": ["a"],
            "duration_ms": 1.5,
            "cut": False,
        },
    ),
    (
        Interrupted(7, "i", "Write", 1, folder="/w", exists=True, leads_to="/b"),
        {
            "at": 7,
            "step": "interrupted",
            "id": "i",
            "tool": "Write",
            "input": 1,
            "cut": False,
            "folder": "/w",
            "exists": True,
            "leads_to": "/b",
            "agent": None,
        },
    ),
    (
        DialogOpened(7, "d", "Yes or no?", "permission"),
        {"at": 7, "step": "dialog_opened", "id": "d", "text": "Yes or no?", "asks": "permission"},
    ),
    (DialogClosed(7, "d"), {"at": 7, "step": "dialog_closed", "id": "d"}),
    (Noted(7, "length", [1]), {"at": 7, "step": "noted", "kind": "length", "data": [1]}),
    (Checked(7, [{"kind": "id"}], ["c1"]), {"at": 7, "step": "checked", "claims": [{"kind": "id"}], "chips": ["c1"]}),
    (Replied(8, "i", "page", "yes"), {"at": 8, "step": "replied", "id": "i", "by": "page", "value": "yes"}),
    (
        Usage(9, {"output_tokens": 3}, "opus"),
        {
            "at": 9,
            "step": "usage",
            "counts": {"output_tokens": 3},
            "model": "opus",
            "stop_hooks": None,
            "files": None,
        },
    ),
    (OnlyStopHook(9), {"at": 9, "step": "only_stop_hook"}),
    (StopReported(10), {"at": 10, "step": "stop_reported"}),
    (WentOn(10), {"at": 10, "step": "went_on"}),
    (Doubted(10, "m"), {"at": 10, "step": "doubted", "message": "m"}),
    (Kept(10, "m"), {"at": 10, "step": "kept", "message": "m"}),
    (Unconfirmed(10, "m", "so f"), {"at": 10, "step": "unconfirmed", "message": "m", "text": "so f"}),
    (Joined(10, "and also", "t1"), {"at": 10, "step": "joined", "text": "and also", "after": "t1"}),
    (Stopped(10, [{"id": "b"}]), {"at": 10, "step": "stopped", "background_tasks": [{"id": "b"}]}),
    (AllText(1), {"at": 1, "step": "all_text"}),
    (Stopping(11), {"at": 11, "step": "stopping"}),
    (Settled(12), {"at": 12, "step": "settled"}),
    (Aborted(13, "page"), {"at": 13, "step": "aborted", "by": "page"}),
    (
        Failed(14, "timeout", "Too slow", "Ask again"),
        {"at": 14, "step": "failed", "code": "timeout", "message": "Too slow", "hint": "Ask again"},
    ),
]


@pytest.mark.parametrize("end", [Stopped(5), Settled(5), Aborted(5), Failed(5, "timeout")])
def test_a_turn_is_over_with_any_one_of_the_steps_that_end_it(end: Step) -> None:
    assert not is_over(GOING_ON)
    assert is_over([*GOING_ON, end])


def test_every_kind_of_step_is_here() -> None:
    assert {type(step) for step, _ in STEPS} == set(get_args(Step))


@pytest.mark.parametrize(("step", "line"), STEPS)
def test_a_step_has_one_line_and_is_read_from_it_again(step: Step, line: dict[str, Any]) -> None:
    assert to_line(step) == line
    assert list(to_line(step))[:2] == ["at", "step"]
    assert from_line(json.loads(json.dumps(line)), line["at"]) == step


@pytest.mark.parametrize(("step", "line"), STEPS)
def test_its_time_is_the_one_given_also_if_the_line_has_another_or_none(step: Step, line: dict[str, Any]) -> None:
    assert from_line(line, 99) == replace(step, at=99)
    assert from_line({key: value for key, value in line.items() if key != "at"}, 99) == replace(step, at=99)


def test_fields_that_may_be_missing_get_their_defaults_and_unknown_ones_are_skipped() -> None:
    assert from_line({"step": "accepted", "later": True}, 1) == Accepted(1)
    assert from_line({"step": "text", "message": "m", "text": "x"}, 1) == Text(1, "m", "x")
    assert from_line({"step": "tool_ended", "id": "t", "name": "Read", "outcome": "failed"}, 1) == ToolEnded(
        1, "t", "Read", "failed"
    )
    assert from_line({"step": "usage"}, 1) == Usage(1, {}, None)


@pytest.mark.parametrize(
    "line",
    [
        {},
        {"step": None},
        {"step": 1},
        {"step": ["accepted"]},
        {"step": "Accepted"},
        {"step": "unheard_of"},
        {"step": "retracted"},
        {"step": "text", "message": "m"},
        {"step": "text", "message": "m", "text": None},
        {"step": "text", "message": "m", "text": ["x"]},
        {"step": "text", "message": "m", "text": "x", "final": 1},
        {"step": "text", "message": "m", "text": "x", "final": None},
        {"step": "accepted", "model": 5},
        {"step": "tool_ended", "id": "t", "name": "Read", "outcome": "done"},
        {"step": "tool_ended", "id": "t", "name": "Read", "outcome": None},
        {"step": "tool_ended", "id": "t", "name": "Read", "outcome": ["ok"]},
        {"step": "tool_ended", "id": "t", "name": "Read", "outcome": "ok", "duration_ms": "5"},
        {"step": "tool_ended", "id": "t", "name": "Read", "outcome": "ok", "duration_ms": True},
        {"step": "usage", "counts": ["x"]},
        {"step": "usage", "counts": "x"},
        {"step": "stopped", "background_tasks": "three"},
        {"step": "stopped", "background_tasks": 3},
        {"step": "stopped", "background_tasks": {"a": 1}},
    ],
)
def test_a_line_with_a_field_of_a_wrong_type_is_no_step(line: dict[str, Any]) -> None:
    assert from_line(line, 1) is None


@pytest.mark.parametrize("at", ["1", 1.5, True, None])
def test_a_time_is_a_whole_number(at: Any) -> None:
    assert from_line({"step": "settled"}, at) is None


@pytest.mark.parametrize("duration", [5, 5.5, None])
def test_a_duration_is_any_number_or_unknown(duration: float | None) -> None:
    line = {"step": "tool_ended", "id": "t", "name": "Read", "outcome": "ok", "duration_ms": duration}
    assert from_line(line, 1) == ToolEnded(1, "t", "Read", "ok", duration_ms=duration)


@pytest.mark.parametrize("value", [None, "x", 5, [1], {"a": 1}, False])
def test_a_tools_input_and_a_reply_may_be_any_json_value(value: object) -> None:
    assert from_line({"step": "tool_started", "id": "t", "name": "Read", "input": value}, 1) == ToolStarted(
        1, "t", "Read", value
    )
    assert from_line({"step": "replied", "id": "i", "value": value}, 1) == Replied(1, "i", None, value)
