"""The steps that lines of Claude Code's hooks, and those of an earlier relay, are translated into."""

from __future__ import annotations

from typing import Any

import pytest

from paliadin.base.strict_json import count_values
from paliadin.steps import claude_code
from paliadin.steps.claude_code import MOST_CALLS, MOST_VALUES, Translator
from paliadin.steps.model import (
    Aborted,
    Accepted,
    AllText,
    Checked,
    DialogClosed,
    Doubted,
    Failed,
    Interrupted,
    Joined,
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
)
from paliadin.steps.serialised import to_line
from tests.worlds.logs import translated

USAGE = {"at": 1, "usage": {"output_tokens": 1}}


def hook(name: str, at: int = 1, line: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    return {"at": at, "hook": {"hook_event_name": name, **fields}, **(line or {})}


def call(name: str, tool: str = "Read", call_id: str = "t1", **fields: Any) -> dict[str, Any]:
    return hook(name, tool_use_id=call_id, tool_name=tool, **fields)


def display(text: str, message: str = "m1", *, final: bool = True, **line: Any) -> dict[str, Any]:
    return hook("MessageDisplay", 1, line, message_id=message, index=0, delta=text, final=final)


def stop(text: str = "", **fields: Any) -> dict[str, Any]:
    return hook("Stop", last_assistant_message=text, **fields)


def kinds(steps: list[Step]) -> list[type[Step]]:
    return [type(step) for step in steps]


# Time.


def test_a_step_has_the_latest_time_so_far_since_a_clock_may_be_set_back() -> None:
    lines = [hook("UserPromptSubmit", at) for at in (5, 3, 9)]
    assert [step.at for step in translated(lines)] == [5, 5, 9]


@pytest.mark.parametrize("at", [2**42, 2**62, -1, True, "7", None, 6.5])
def test_a_time_that_cannot_be_is_not_believed(at: Any) -> None:
    assert translated([{**USAGE, "at": 4}, {**USAGE, "at": at}])[1].at == 4


def test_the_last_time_that_is_believed() -> None:
    assert translated([{**USAGE, "at": 2**42 - 1}])[0].at == 2**42 - 1


# The question.


def test_the_prompt_has_arrived_with_its_text() -> None:
    assert translated([hook("UserPromptSubmit", prompt="Hello")]) == [Prompted(1, "Hello")]


def test_of_a_prompt_that_the_hook_cut_the_whole_text_is_not_known() -> None:
    assert translated([hook("UserPromptSubmit", 1, {"cut": True}, prompt="Hel")]) == [Prompted(1, None)]
    assert translated([hook("UserPromptSubmit", prompt=5)]) == [Prompted(1, None)]


# Tools.


def test_a_call_is_given_once_with_its_result_though_hooks_may_report_it_twice() -> None:
    begin, end = call("PreToolUse", tool_input={"path": "x"}), call("PostToolUse", tool_response=["a"], duration_ms=7)
    assert translated([begin, begin, end, end]) == [
        ToolStarted(1, "t1", "Read", {"path": "x"}),
        ToolEnded(1, "t1", "Read", "ok", ["a"], 7),
    ]


def test_a_call_that_failed_has_its_error_as_its_result() -> None:
    lines = [call("PreToolUse"), call("PostToolUseFailure", error="No such file", duration_ms=3.5)]
    assert translated(lines)[1] == ToolEnded(1, "t1", "Read", "failed", "No such file", 3.5)


@pytest.mark.parametrize("duration", ["7", True, None, [7]])
def test_a_duration_that_is_no_number_is_unknown(duration: Any) -> None:
    assert translated([call("PostToolUse", duration_ms=duration)]) == [ToolEnded(1, "t1", "Read", "ok")]


def test_a_question_to_the_user_is_no_tool() -> None:
    names = ("PreToolUse", "PostToolUse", "PostToolUseFailure")
    batch = hook("PostToolBatch", tool_calls=[{"tool_use_id": "t1", "tool_name": "AskUserQuestion"}])
    assert translated([*(call(name, "AskUserQuestion") for name in names), batch]) == []


def batch(*calls: Any) -> dict[str, Any]:
    return hook("PostToolBatch", tool_calls=list(calls))


def of_batch(call_id: str, tool: str = "Bash", response: object = "said no") -> dict[str, Any]:
    return {"tool_use_id": call_id, "tool_name": tool, "tool_response": response}


def asked(interrupt_id: str, tool: str, tool_input: object) -> dict[str, Any]:
    return hook("PermissionRequest", 1, {"interrupt": interrupt_id}, tool_name=tool, tool_input=tool_input)


def test_a_call_that_somebody_was_asked_about_and_that_never_ran_was_refused() -> None:
    lines = [
        call("PreToolUse", "Bash", "t1", tool_input="ls"),
        asked("i1", "Bash", "ls"),
        batch(of_batch("t1")),
    ]
    assert translated(lines)[-1] == ToolEnded(1, "t1", "Bash", "refused", "said no")


@pytest.mark.parametrize(("tool", "tool_input"), [("Bash", "rm"), ("Write", "ls")])
def test_a_call_that_nobody_was_asked_about_was_malformed(tool: str, tool_input: str) -> None:
    lines = [call("PreToolUse", "Bash", "t1", tool_input="ls"), asked("i1", tool, tool_input), batch(of_batch("t1"))]
    assert translated(lines)[-1] == ToolEnded(1, "t1", "Bash", "invalid", "said no")


def test_of_a_batch_only_the_calls_that_have_no_result_yet_are_new_and_each_counts_once() -> None:
    lines = [call("PostToolUse", "Read", "t1"), batch(of_batch("t1"), None, "x", of_batch("t2"))]
    expected = [ToolEnded(1, "t1", "Read", "ok"), ToolEnded(1, "t2", "Bash", "invalid", "said no")]
    assert translated(lines) == translated([*lines, batch(of_batch("t2"))]) == expected


@pytest.mark.parametrize("calls", [None, "t1", {"t1": 1}, 5])
def test_a_batch_that_is_no_list_is_passed_over(calls: Any) -> None:
    assert translated([hook("PostToolBatch", tool_calls=calls)]) == []


# Interrupts.


def test_an_interrupt_is_given_once_and_so_is_its_reply() -> None:
    reply = {"at": 2, "answer": "i1", "by": "page", "value": "allow"}
    assert translated([asked("i1", "Bash", "ls"), asked("i1", "Bash", "ls"), reply, reply]) == [
        Interrupted(1, "i1", "Bash", "ls"),
        Replied(2, "i1", "page", "allow"),
    ]


def test_a_reply_to_nothing_is_none() -> None:
    assert translated([{"at": 1, "answer": "i9", "by": "page"}]) == []


@pytest.mark.parametrize(("by", "given"), [("terminal", "cancel"), ("page", "page"), ("timeout", "timeout")])
def test_after_stop_a_dialog_that_the_terminal_closed_was_cancelled(by: str, given: str) -> None:
    lines = [asked("i1", "Bash", "ls"), {"at": 1, "step": "stopping"}, {"at": 1, "answer": "i1", "by": by}]
    assert translated(lines)[-1] == Replied(1, "i1", given)


def test_without_stop_it_was_answered_in_the_terminal() -> None:
    lines = [asked("i1", "Bash", "ls"), {"at": 1, "answer": "i1", "by": "terminal"}]
    assert translated(lines)[-1] == Replied(1, "i1", "terminal")


def test_what_is_still_open_at_the_end_was_answered_in_the_terminal() -> None:
    lines = [
        asked("i1", "Bash", "ls"),
        asked("i2", "Bash", "pwd"),
        {"at": 1, "answer": "i1", "by": "page"},
        stop(),
        USAGE,
    ]
    assert [step for step in translated(lines) if isinstance(step, Replied)] == [
        Replied(1, "i1", "page"),
        Replied(1, "i2", "terminal"),
    ]


@pytest.mark.parametrize("lines", [[{"step": "stopping"}, stop(), USAGE], [hook("StopFailure"), USAGE]])
def test_but_not_after_stop_and_not_of_a_claude_that_failed(lines: list[dict[str, Any]]) -> None:
    assert Replied not in kinds(translated([asked("i1", "Bash", "ls"), *lines]))


# The end.


def test_a_turn_has_ended_when_stop_all_text_and_the_tokens_are_there_in_any_order() -> None:
    text = display("Done.")
    for lines in ([text, stop("Done."), USAGE], [stop("Done."), text, USAGE], [USAGE, stop("Done."), text]):
        translator = Translator()
        steps = [translator.feed(line) for line in lines]
        assert [Settled in kinds(given) for given in steps] == [False, False, True]
        assert translator.ended


def test_after_the_end_nothing_counts() -> None:
    assert kinds(translated([stop(), USAGE, display("late"), USAGE])) == [
        StopReported,
        Stopped,
        AllText,
        Usage,
        Settled,
    ]


def test_all_text_is_there_once_stop_and_the_last_text_are_in_whatever_order() -> None:
    after = translated([display("One.\n"), stop("One."), USAGE])
    assert kinds(after)[-4:] == [Stopped, AllText, Usage, Settled]
    before = kinds(translated([stop("One."), USAGE, display("One.\n")]))
    assert before[:3] == [StopReported, Stopped, Usage]
    assert before[-2:] == [AllText, Settled]
    assert AllText not in kinds(translated([display("One.\n", final=False), stop("One.\nTwo.")]))


def test_a_turn_that_failed_has_no_complete_answer() -> None:
    failed = {"hook_event_name": "StopFailure", "error": "rate_limit", "last_assistant_message": "API Error"}
    assert AllText not in kinds(translated([{"at": 1, "hook": failed}, USAGE]))


def test_tokens_that_a_relay_counted_count_too() -> None:
    assert Settled in kinds(translated([{"step": "usage"}, {"step": "accepted"}, stop()]))
    assert Settled not in kinds(translated([{"step": "accepted"}, stop()]))


def test_work_in_the_background_is_named_with_the_stop() -> None:
    assert translated([stop(background_tasks=[{"id": "b"}])])[1] == Stopped(1, [{"id": "b"}])
    assert translated([stop(background_tasks="b")])[1] == Stopped(1, ())


def test_a_relay_that_settles_the_turn_gets_the_missing_text_of_stop_first() -> None:
    steps = translated([display("One ", final=False), stop("One two."), {"at": 2, "step": "settled"}])
    assert "".join(step.text for step in steps if isinstance(step, Text)) == "One two."
    assert kinds(steps)[-1] is Settled


@pytest.mark.parametrize(
    ("fields", "code", "message"),
    [
        ({"error": "authentication_failed", "last_assistant_message": "Log in."}, "not_logged_in", "Log in."),
        ({"error": "rate_limit"}, "upstream_error", "rate_limit"),
        ({}, "upstream_error", "Claude could not finish"),
    ],
)
def test_a_claude_that_failed_ends_the_turn_with_its_words(fields: dict[str, str], code: str, message: str) -> None:
    for lines in ([hook("StopFailure", **fields), USAGE], [USAGE, hook("StopFailure", **fields)]):
        assert translated(lines)[-1] == Failed(1, code, message)


def test_a_turn_may_fail_with_text_that_never_came() -> None:
    assert kinds(translated([hook("StopFailure", last_assistant_message="Never shown"), USAGE]))[-1] is Failed


def test_a_text_in_front_of_a_tool_whose_hook_ended_later_is_kept() -> None:
    """The tool's line comes first, since its hook was faster; `started` and `ended` tell which was first."""
    for name in ("PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"):
        tool = {**call(name), "ended": 100}
        first, second = display("Before.", "m1", started=105), display("After.", "m2", started=200)
        assert Retracted not in kinds(translated([tool, first, second])), name
        assert Retracted in kinds(translated([call(name), first, second])), name


@pytest.mark.parametrize("between", [call("PreToolUse"), call("PostToolUse"), batch(), hook("PreCompact"), stop("x")])
def test_a_message_after_a_tool_or_a_compaction_does_not_replace_the_one_before(between: dict[str, Any]) -> None:
    assert Retracted not in kinds(translated([display("One."), between, display("Two.", "m2")]))
    assert translated([display("One."), display("Two.", "m2")])[2] == Retracted(1, "m1")


# Steps in their older form, and lines that are none.


def test_steps_in_their_older_form_are_the_same_steps() -> None:
    for line, step in [
        ({"kind": "accepted", "model": "opus"}, Accepted(1, "opus")),
        ({"kind": "accepted"}, Accepted(1)),
        ({"kind": "stopping"}, Stopping(1)),
        ({"kind": "aborted", "by": "terminal"}, Aborted(1, "terminal")),
        ({"kind": "failed", "code": "timeout", "message": "Slow", "hint": "Ask"}, Failed(1, "timeout", "Slow", "Ask")),
        ({"kind": "settled"}, Settled(1)),
    ]:
        assert translated([{"at": 1, "relay": line}]) == [step]
    assert translated([{"at": 1, "relay": {"kind": "odd"}}, {"at": 1, "relay": "settled"}]) == []


def test_a_usage_line_names_the_tokens_and_the_model() -> None:
    assert translated([{**USAGE, "model": "opus"}]) == [Usage(1, {"output_tokens": 1}, "opus")]
    assert translated([{"at": 1, "usage": None}]) == [Usage(1)]
    assert translated([{**USAGE, "files": ["/a", 1]}]) == [Usage(1, {"output_tokens": 1}, files=("/a", "1"))]
    assert translated([{**USAGE, "files": "/a"}]) == [Usage(1, {"output_tokens": 1})]


@pytest.mark.parametrize(
    "line", [{}, {"hook": None}, {"hook": {"hook_event_name": "SessionStart"}}, {"step": "odd"}, {"own_turn": "x"}]
)
def test_a_line_of_an_unknown_kind_gives_nothing(line: dict[str, Any]) -> None:
    assert translated([{"at": 1, **line}]) == []


def test_a_plan_that_the_hook_found_is_shown_with_the_input_and_its_call_is_known_again() -> None:
    asked = call("PermissionRequest", "ExitPlanMode", tool_input={}) | {"interrupt": "i1", "plan": "# Plan"}
    refused = {"tool_name": "ExitPlanMode", "tool_use_id": "t1", "tool_response": "no"}
    started, interrupted, ended = translated(
        [call("PreToolUse", "ExitPlanMode", tool_input={}), asked, hook("PostToolBatch", tool_calls=[refused])]
    )
    assert isinstance(started, ToolStarted)
    assert isinstance(interrupted, Interrupted)
    assert interrupted.input == {"plan": "# Plan"}
    assert isinstance(ended, ToolEnded)
    assert ended.outcome == "refused"


AGENT = {"agent_id": "a1", "agent_type": "Explore"}


def test_what_an_agent_asks_is_left_to_it_when_claude_stops_and_what_claude_asked_is_closed() -> None:
    asked = {"hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {}}
    lines = [{"at": 1, "interrupt": "i", "hook": asked | AGENT}, {"at": 1, "interrupt": "j", "hook": asked}]
    steps = translated([*lines, stop(), {"step": "settled"}])
    assert [step.agent for step in steps if isinstance(step, Interrupted)] == ["Explore", None]
    replies = [(step.id, step.by) for step in steps if isinstance(step, Replied)]
    assert replies == [("i", "background"), ("j", "terminal")]


def test_a_tool_of_an_agents_makes_no_turn_go_on_that_claude_has_stopped() -> None:
    call = {"hook_event_name": "PreToolUse", "tool_use_id": "t", "tool_name": "Bash", "tool_input": {}}
    read = {"at": 1, "relay": {"kind": "accepted", "transcript_read": True}}
    counted = {"at": 1, "usage": {}, "complete": True}
    assert translated([read, stop(), {"at": 1, "hook": call | AGENT}, counted])[-1] == Settled(1)
    assert Settled(1) not in translated([read, stop(), {"at": 1, "hook": call}, counted])


# With a relay that reads the transcript as well.

READS = {"at": 1, "step": "accepted", "transcript_read": True}
ALONE = {"at": 1, "step": "only_stop_hook"}


def counted(*, complete: bool = True) -> dict[str, Any]:
    return {"at": 1, "usage": {"output_tokens": 1}, "complete": complete, "stop_hooks": 1}


def decided(step: str, message: str = "m1") -> dict[str, Any]:
    return {"at": 1, "step": step, "message": message}


def shown(steps: list[Step]) -> list[str]:
    void = {step.message for step in steps if isinstance(step, Retracted)}
    return [step.text for step in steps if isinstance(step, Text) and step.text and step.message not in void]


TWO = [display("One", "m1"), display("Two", "m2")]


@pytest.mark.parametrize(("step", "left"), [("kept", ["One", "Two"]), ("retracted", ["Two"])])
def test_whether_a_message_counts_that_another_one_follows_is_for_the_relay_to_tell(step: str, left: list[str]) -> None:
    steps = translated([READS, *TWO, stop("Two"), counted()])
    assert kinds(steps).count(Doubted) == 1
    assert AllText not in kinds(steps)  # the answer is not complete before that is known
    steps = translated([READS, *TWO, stop("Two"), counted(), decided(step)])
    assert (kinds(steps)[-1], shown(steps)) == (Settled, left)


def test_a_decision_may_come_before_stop_and_is_asked_for_once() -> None:
    steps = translated([READS, *TWO, decided("kept"), display("Three", "m3"), decided("kept", "m2"), stop("Three")])
    assert kinds(steps).count(Doubted) == 2
    assert shown(steps) == ["One", "Two", "Three"]


@pytest.mark.parametrize("end", ["settled", "aborted"])
def test_a_message_of_which_the_relay_never_told_is_not_lost(end: str) -> None:
    assert shown(translated([READS, *TWO, {"at": 1, "step": end}])) == ["One", "Two"]


@pytest.mark.parametrize(("step", "left"), [("kept", ["One", "Two"]), ("retracted", ["Two"])])
def test_text_that_only_stop_has_may_go_on_or_take_the_place_of_the_last_message(step: str, left: list[str]) -> None:
    """2.1.197 does not stream when it asks the API again."""
    lines = [READS, display("One", "m1"), stop("Two"), counted()]
    assert kinds(translated(lines))[-1] is Doubted
    steps = translated([*lines, decided(step), {"at": 1, "step": "settled"}])
    assert (kinds(steps)[-1], shown(steps)) == (Settled, left)


def test_a_stop_that_another_hook_may_undo_ends_nothing_before_claude_rests() -> None:
    lines = [READS, display("One", "m1"), stop("One")]
    assert not {Stopped, AllText} & set(kinds(translated(lines)))
    assert not {Stopped, AllText} & set(kinds(translated([*lines, counted(complete=False)])))
    assert kinds(translated([*lines, counted()]))[-4:] == [Usage, Stopped, AllText, Settled]
    assert kinds(translated([READS, ALONE, *lines[1:]]))[-3:] == [StopReported, Stopped, AllText]


def test_claude_goes_on_after_a_stop_and_only_the_last_one_ends_the_turn() -> None:
    lines = [READS, display("One", "m1"), stop("One"), display("Two", "m2"), call("PreToolUse"), call("PostToolUse")]
    steps = translated([*lines, counted(complete=False)])
    assert Stopped not in kinds(steps)
    steps = translated([*lines, display("Three", "m3"), stop("Three", stop_hook_active=True), counted()])
    assert (kinds(steps)[-1], shown(steps)) == (Settled, ["One", "Two", "Three"])
    assert kinds(steps).count(AllText) == 1


def test_what_an_agent_does_in_the_background_undoes_no_stop() -> None:
    work = call("PreToolUse", "Bash", "t9", agent_id="a")
    steps = translated([READS, display("One", "m1"), stop("One"), work, counted()])
    assert (kinds(steps)[-1], WentOn in kinds(steps)) == (Settled, False)
    assert WentOn in kinds(translated([READS, stop(""), call("PreToolUse", "Bash", "t9")]))


def test_a_permission_between_two_stops_waits_for_its_reply() -> None:
    asks = {"at": 1, "interrupt": "i", "hook": {"hook_event_name": "PermissionRequest", "tool_name": "Write"}}
    steps = translated([READS, stop(""), call("PreToolUse", "Write"), asks])
    assert [type(step) for step in steps if isinstance(step, Interrupted | Replied)] == [Interrupted]


def test_a_prompt_that_was_typed_meanwhile_is_not_the_turns_own() -> None:
    prompts = [hook("UserPromptSubmit", prompt="mine"), hook("UserPromptSubmit", prompt="typed beside")]
    assert [step.text for step in translated([READS, *prompts]) if isinstance(step, Prompted)] == ["mine"]


@pytest.mark.parametrize(("lines", "by"), [([{"at": 1, "step": "stopping"}], "page"), ([], "terminal")])
def test_a_turn_that_was_stopped_while_another_stop_hook_ran_was_not_answered(
    lines: list[dict[str, Any]], by: str
) -> None:
    interrupted = counted() | {"interrupted": True}
    begun = [READS, display("One", final=False), stop("One Two")]
    steps = translated([*begun, *lines, interrupted, {"at": 2, "step": "aborted"}])
    assert steps[-1] == Aborted(1, by)
    assert "".join(step.text for step in steps if isinstance(step, Text)) == "One Two"
    assert AllText not in kinds(steps)
    told = translated([READS, {"at": 1, "step": "only_stop_hook"}, display("One"), stop("One"), *lines, interrupted])
    assert kinds(told)[-1] is Settled  # all was there before


def test_a_dialog_that_was_there_when_claude_went_on_to_its_end_was_replied_to_in_the_terminal() -> None:
    opened = {"at": 1, "step": "dialog_opened", "id": "d", "text": "Proceed?"}
    steps = translated([READS, opened, display("One"), stop("One"), counted()])
    assert [step for step in steps if isinstance(step, DialogClosed)] == [DialogClosed(1, "d")]
    closed = {"at": 1, "step": "dialog_closed", "id": "d"}
    assert kinds(translated([READS, opened, closed, display("One"), stop("One"), counted()])).count(DialogClosed) == 1
    stopped = translated([READS, opened, {"at": 1, "step": "stopping"}, {"at": 1, "step": "aborted"}])
    assert DialogClosed not in kinds(stopped)


def test_words_that_joined_are_told_once_by_the_relay_or_with_the_tokens() -> None:
    told = {"at": 1, "step": "joined", "text": "one"}
    listed = [{"text": "one", "after": None}, {"text": "two", "after": "t1"}]
    steps = translated([READS, stop(""), told, counted() | {"joined": listed}])
    assert [(step.text, step.after) for step in steps if isinstance(step, Joined)] == [("one", None), ("two", "t1")]
    assert kinds(steps)[-1] is Settled
    assert kinds(translated([READS, stop(""), counted() | {"joined": "one"}]))[-1] is Settled


def test_unconfirmed_words_stand_behind_all_that_the_hooks_have_reported() -> None:
    early = hook("MessageDisplay", message_id="m1", index=1, delta="two ", final=False)
    steps = translated([READS, early, {"at": 1, "step": "unconfirmed", "message": "m1", "text": "three"}])
    assert [step.text for step in steps if isinstance(step, Text | Unconfirmed) and step.text] == ["two ", "three"]


@pytest.mark.parametrize("values", [100, 100_000])
def test_of_many_values_so_many_are_kept_and_what_has_happened_stays(values: int) -> None:
    number, table = 2 * MOST_VALUES // values, [[]] * values
    calls = [call("PreToolUse", call_id="t0", tool_input={"a": "b"})]
    calls += [call("PostToolUse", call_id=f"t{n}", tool_response=table) for n in range(number)]
    asked = {"interrupt": "i1", **call("PermissionRequest", tool_input={"rows": table})}
    batch = hook("PostToolBatch", tool_calls=[{"tool_use_id": f"t{number - 1}", "tool_name": "Read"}])
    steps = translated([READS, *calls, batch, asked, display("One"), stop("One"), counted()])
    ended = [step for step in steps if isinstance(step, ToolEnded)]
    assert [step.outcome for step in ended] == ["ok"] * number
    assert sum(count_values(step.result) for step in ended) < 1.1 * MOST_VALUES
    assert all(step.cut == (step.result != table) for step in ended)
    assert [step.input for step in steps if isinstance(step, Interrupted)] == [{"rows": table}]
    assert kinds(steps)[-1] is Settled
    assert "".join(step.text for step in steps if isinstance(step, Text)) == "One"


def test_in_a_log_of_too_many_values_only_inputs_and_results_of_calls_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claude_code, "MOST_VALUES", 100)
    edits = {"edits": [{"old": "a", "new": "b"}] * 10}
    answers = [of_batch("t1", "MultiEdit", ["no"] * 30), of_batch("t2", "MultiEdit"), of_batch("t3")]
    replies = {str(n): "x" for n in range(30)}
    tasks, files, words = [{"id": "b1", "command": "make"}] * 12, ["/a"] * 30, [{"text": "And?", "after": "t1"}] * 12
    lines = [
        call("PostToolUse", call_id="t0", tool_response=[0] * 100),
        call("PreToolUse", "MultiEdit", "t1", tool_input=edits),
        asked("i1", "MultiEdit", edits),
        {"at": 1, "answer": "i1", "by": "page", "value": replies},
        batch(*answers),
        stop("", background_tasks=tasks),
        {**USAGE, "joined": words, "files": files, "complete": True},
    ]
    steps = translated([READS, *lines, to_line(Checked(2, [{"status": "found"}] * 20))])
    ended = [step for step in steps if isinstance(step, ToolEnded)]
    assert [(step.id, step.outcome) for step in ended[1:]] == [("t1", "refused"), ("t2", "invalid"), ("t3", "invalid")]
    assert [count_values(step.result) for step in ended] == [1] * 4
    assert [step.value for step in steps if isinstance(step, Replied)] == [replies]
    assert [step.background_tasks for step in steps if isinstance(step, Stopped)] == [tasks]
    assert kinds(steps).count(Joined) == 12
    assert [step.files for step in steps if isinstance(step, Usage)] == [tuple(files)]
    assert [len(step.claims or ()) for step in steps if isinstance(step, Checked)] == [20]


def test_in_a_log_of_too_many_values_a_relays_question_keeps_its_words_and_a_batch_so_many_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(claude_code, "MOST_VALUES", 100)
    ended = [to_line(ToolEnded(1, f"t{n}", "list", "ok", [0] * 90)) for n in range(3)]
    question = Interrupted(1, "i1", "AskUserQuestion", {"questions": [{"options": [{"label": "A"}] * 20}]})
    steps = translated([*ended, to_line(question), to_line(Usage(1, {"output_tokens": 1}, files=["/a"] * 30))])
    assert [step.cut for step in steps if isinstance(step, ToolEnded)] == [False, True, True]
    together = batch(*(of_batch(f"b{n}") for n in range(2 * MOST_CALLS)), [], 5)
    assert kinds(translated([*ended, together])).count(ToolEnded) == 3 + MOST_CALLS
    assert question in steps
    assert kinds(steps)[-1] is Usage
