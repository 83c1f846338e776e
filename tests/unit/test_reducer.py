"""reduce: example logs for each of its rules, then what holds for every log."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.events.chips import Destinations
from paliadin.events.model import as_json
from paliadin.events.reducer import Reducer
from paliadin.record.row import finished_row
from paliadin.turnlog.description import Description
from tests.worlds.logs import Sent, reduced, sent, translated

Line = dict[str, Any]

TURN = {"turn_id": "019a2b3c-4d5e-7f60-8123-456789abcdef", "session_id": "main", "user_message": "Hello?"}
DESTINATIONS = Destinations({"deadline": "/deadlines/{id}"}, ("/deadlines",))
TRAILER = "\n\n---\n[paliadin-meta]\nused_tools: {tools}\nrows_seen: 2\nclassifier_tag: data\n[/paliadin-meta]\n"
USAGE = {"input_tokens": 10, "output_tokens": 2, "cache_read_tokens": 0, "cache_write_tokens": 0}


def accepted(at: int = 1_000, **fields: object) -> Line:
    return {"at": at, "relay": {"kind": "accepted", "model": "m-1", **fields}}


def hook(event: str, at: int | None = None, **fields: object) -> Line:
    line: Line = {"hook": {"hook_event_name": event, "prompt_id": "p1", **fields}}
    return line if at is None else {"at": at, **line}


def delta(text: str, index: int = 0, *, message: str = "a1", final: bool = False, at: int | None = None) -> Line:
    return hook("MessageDisplay", at, delta=text, index=index, message_id=message, final=final)


def call(ident: str = "t1", name: str = "Read", **tool_input: object) -> Line:
    return hook("PreToolUse", tool_name=name, tool_use_id=ident, tool_input=tool_input or {"file_path": "/a"})


def result(ident: str = "t1", name: str = "Read", response: object = "one\ntwo") -> Line:
    return hook("PostToolUse", tool_name=name, tool_use_id=ident, tool_response=response, duration_ms=7)


def stop(message: str = "", at: int | None = None, **fields: object) -> Line:
    return hook("Stop", at, last_assistant_message=message, **fields)


def usage(at: int | None = None) -> Line:
    line: Line = {"usage": USAGE, "model": "m-2", "complete": True}
    return line if at is None else {"at": at, **line}


def ask(ident: str = "i1", name: str = "Write") -> Line:
    return {"interrupt": ident, "hook": {"hook_event_name": "PermissionRequest", "tool_name": name, "tool_input": {}}}


def reply(ident: str = "i1", by: str = "page", value: object = "allow") -> Line:
    return {"answer": ident, "by": by, "value": value}


def run(*lines: Line) -> list[Sent]:
    return sent(reduced(TURN, lines, DESTINATIONS).events)


def names(events: Iterable[Sent], *leave_out: str) -> list[str]:
    return [event.name for event in events if event.name not in leave_out]


def data(events: Iterable[Sent], name: str) -> list[Any]:
    return [event.data for event in events if event.name == name]


def text(events: Iterable[Sent]) -> str:
    """The answer as a page shows it: what was taken back is gone."""
    messages: dict[Any, str] = {}
    for event in events:
        if event.name == "content_delta":
            messages[event.data["message_id"]] = messages.get(event.data["message_id"], "") + str(event.data["text"])
        elif event.name == "content_reset":
            messages.pop(event.data["message_id"], None)
    return "\n\n".join(messages.values())


# One turn, start to end.


def test_a_plain_turn_has_these_events_and_times() -> None:
    events = run(
        accepted(at=1_000),
        hook("UserPromptSubmit", at=1_030),
        delta("Hello.\n", at=1_500),
        delta("", 1, final=True, at=1_600),
        stop("Hello.", at=1_700, background_tasks=[{"id": 1}]),
        usage(at=1_900),
    )
    expected = ["meta", "status", "status", "status", "content_delta", "answered", "evidence", "end"]
    assert names(events) == expected
    assert [event.id for event in events] == list(range(1, 9))
    assert data(events, "answered") == [{"duration_ms": 700}]
    assert [status["phase"] for status in data(events, "status")] == ["sent", "thinking", "answering"]
    meta = {"turn_id": TURN["turn_id"], "session_id": "main", "started_at": 1_000, "model": "m-1", "notices": []}
    assert data(events, "meta") == [meta]
    assert data(events, "end") == [
        {
            "duration_ms": 700,
            "waited_ms": 0,
            "first_text_ms": 500,
            "usage": USAGE,
            "model": "m-2",
            "chip_count": 0,
            "aborted": False,
            "background_tasks": [{"id": 1}],
        }
    ]


def test_a_selection_that_was_cut_is_reported() -> None:
    turn = {**TURN, "context": {"selection_cut": True}}
    assert data(sent(reduced(turn, [accepted()]).events), "meta")[0]["notices"] == ["selection_cut"]


def test_stop_may_come_before_the_last_text() -> None:
    lines = [accepted(), delta("One.\n"), stop("One.\nTwo."), usage()]
    assert names(run(*lines))[-1] == "content_delta"
    assert names(run(*lines, delta("Two.\n", 1)))[-2:] == ["evidence", "end"]


def test_the_token_count_may_come_before_the_last_text_or_after_it() -> None:
    assert names(run(accepted(), delta("One.\n"), stop("One.")))[-1] != "end"
    early = run(accepted(), usage(), stop("One."), delta("One.\n"))
    late = run(accepted(), delta("One.\n"), stop("One."), usage())
    assert text(early) == text(late) == "One."
    assert names(early)[-1] == names(late)[-1] == "end"


def test_a_turn_that_says_nothing_ends_too() -> None:
    assert names(run(accepted(), stop(""), usage()))[-2:] == ["evidence", "end"]


def test_pieces_out_of_order_are_shown_in_order() -> None:
    events = run(accepted(), delta("two ", 1), delta("four.", 3, final=True), delta("one ", 0), delta("three ", 2))
    assert text(events) == "one two three four."


def test_a_piece_that_comes_twice_is_shown_once() -> None:
    lines = [delta("one ", 0), delta("one ", 0), delta("two", 1), delta("one ", 0)]
    assert text(run(accepted(), *lines, stop("one two"), usage())) == "one two"


def test_steps_and_questions_that_come_twice_are_reported_once() -> None:
    twice = [call(), call(), ask(), ask(), reply(), reply(), ask(), result(), result()]
    once = [call(), ask(), reply(), result()]
    assert run(accepted(), *twice) == run(accepted(), *once)


def test_a_gap_that_never_closes_does_not_lose_what_is_behind_it() -> None:
    events = run(accepted(), delta("one ", 0), delta("three", 2), {"relay": {"kind": "settled"}})
    assert text(events) == "one three"
    assert names(events)[-1] == "end"


@pytest.mark.parametrize(
    "ending",
    [[stop("x"), usage()], [{"relay": {"kind": "aborted"}}], [{"relay": {"kind": "failed", "code": "timeout"}}]],
)
def test_nothing_comes_after_the_end(ending: list[Line]) -> None:
    lines = [accepted(), delta("x"), *ending]
    late = [delta("late", 1), call(), result(), ask(), usage(), stop("x"), {"relay": {"kind": "aborted"}}, accepted()]
    assert run(*lines, *late) == run(*lines)


def test_a_clock_that_is_set_back_makes_no_negative_times() -> None:
    events = run(accepted(at=5_000), delta("x", at=1_000), stop("x", at=2_000), usage(at=2_100))
    end = data(events, "end")[0]
    assert (end["duration_ms"], end["first_text_ms"]) == (0, 0)


def test_a_turn_without_an_envelope_is_a_turn_like_any_other() -> None:
    turn = {**TURN, "origin": "terminal", "user_message": "typed by hand"}
    lines = [{"at": 5, "relay": {"kind": "accepted"}}, hook("UserPromptSubmit"), delta("x"), stop("x"), usage()]
    events = sent(reduced(turn, lines).events)
    assert data(events, "meta")[0]["model"] is None
    assert names(events)[-1] == "end"


# A trailer, chips and evidence.


def test_the_trailer_is_in_no_event_but_the_evidence() -> None:
    written = "Two rows." + TRAILER.format(tools="Read")
    lines = [accepted(), call(), result(), *(delta(char, index) for index, char in enumerate(written))]
    events = run(*lines, stop(written), usage())
    assert text(events) == "Two rows."
    everything = json.dumps([event.data for event in events if event.name != "evidence"])
    for hidden in ("paliadin-meta", "classifier_tag", "rows_seen", "---"):
        assert hidden not in everything
    assert data(events, "evidence")[0] == {
        "used_tools": ["Read"],
        "rows_seen": [2],
        "classifier_tag": "data",
        "classifier_source": "trailer",
        "observed_tools": ["Read"],
        "agrees": True,
        "differences": [],
        "unopened": [],
        "claims": None,
        "verdict": None,
    }


def test_a_trailer_that_was_cut_off_with_the_turn_is_not_shown_either() -> None:
    events = run(accepted(), delta("Two rows.\n\n---\n[paliadin-m"), {"relay": {"kind": "aborted"}})
    assert text(events) == "Two rows."


@pytest.mark.parametrize(
    ("claimed", "observed", "agrees", "differences"),
    [
        ("read", ["Read"], True, []),
        ("Read, Grep", ["Read"], False, [("Grep", "not_run")]),
        ("none", ["Read"], False, [("Read", "not_named")]),
        ("none", [], True, []),
    ],
)
def test_evidence_says_whether_claim_and_observation_agree(
    claimed: str, observed: list[str], agrees: bool, differences: list[tuple[str, str]]
) -> None:
    written = "x" + TRAILER.format(tools=claimed)
    tools = [line for name in observed for line in (call(name, name), result(name, name))]
    events = run(accepted(), *tools, delta(written), stop(written), usage())
    evidence = data(events, "evidence")[0]
    assert evidence["agrees"] is agrees
    assert [(difference["tool"], difference["what"]) for difference in evidence["differences"]] == differences


@pytest.mark.parametrize(("tools", "tag"), [([], "meta"), ([call(), result()], "data")])
def test_without_a_trailer_the_tag_is_a_fallback_and_nothing_agrees_or_not(tools: list[Line], tag: str) -> None:
    evidence = data(run(accepted(), *tools, delta("x"), stop("x"), usage()), "evidence")[0]
    assert (evidence["classifier_tag"], evidence["classifier_source"]) == (tag, "fallback")
    assert (evidence["agrees"], evidence["differences"]) == (None, [])


def test_a_chip_is_verified_by_a_tool_result_of_this_turn_only() -> None:
    events = run(
        accepted(),
        delta("[#deadline-OPEN:c47bd2] too early\n", message="a0", final=True),
        call(),
        result(response={"file": {"content": "id,what\nc47bd2,defence\nc47bd2x,other"}}),
        delta("See [#deadline-OPEN:c47bd2] and [#deadline-OPEN:c47] and [chip:nav:/deadlines] and [chip:nav:/c47bd2]."),
        delta("", 1, final=True),
    )
    chips = [(chip["id"] or chip["value"], chip["verified"], chip["href"]) for chip in data(events, "chip")]
    assert chips == [
        ("c47bd2", False, None),
        ("c47bd2", True, "/deadlines/c47bd2"),
        ("c47", False, None),
        ("/deadlines", False, "/deadlines"),
        ("/c47bd2", False, None),
    ]
    assert "[#" not in text(events)
    # Where each stood: behind so many characters of its message.
    assert [chip["at"] for chip in data(events, "chip")] == [0, 3, 7, 11, 15]


def test_a_path_with_an_id_leads_there_only_if_a_tool_returned_the_id() -> None:
    events = run(
        accepted(),
        call(),
        result(response="c47bd2"),
        delta("[chip:nav:/deadlines/c47bd2] [chip:nav:/deadlines/ffffff] x"),
    )
    assert [(chip["verified"], chip["href"]) for chip in data(events, "chip")] == [
        (True, "/deadlines/c47bd2"),
        (False, None),
    ]


def test_the_text_of_an_error_verifies_nothing() -> None:
    failed = hook("PostToolUseFailure", tool_name="Read", tool_use_id="t1", error="no c47bd2 here")
    events = run(accepted(), call(), failed, delta("[#deadline-OPEN:c47bd2] x"))
    assert data(events, "tool_result")[0]["ok"] is False
    assert data(events, "chip")[0]["verified"] is False


def test_the_end_counts_the_chips_that_are_left() -> None:
    events = run(
        accepted(),
        delta("[chip:nav:/a] one"),
        delta("[chip:nav:/a] [chip:nav:/b] one", message="a2"),
        stop("[chip:nav:/a] [chip:nav:/b] one"),
        usage(),
    )
    assert names(events).count("chip") == 3
    assert data(events, "end")[0]["chip_count"] == 2


# An answer that comes anew.


def test_a_new_message_with_nothing_in_between_takes_the_first_one_back() -> None:
    events = run(accepted(), delta("One. "), delta("One. Two.", message="a2"), stop("One. Two."), usage())
    reset = data(events, "content_reset")
    assert [entry["message_id"] for entry in reset] == ["a1"]
    assert text(events) == "One. Two."


@pytest.mark.parametrize(
    "between",
    [
        [call(), result()],
        [hook("PostToolBatch", tool_calls=[])],
        [hook("Stop", last_assistant_message="One.")],
        [hook("PreCompact", trigger="auto")],
    ],
    ids=["a tool", "a batch", "a stop", "a compaction"],
)
def test_a_new_message_after_a_step_takes_nothing_back(between: list[Line]) -> None:
    events = run(accepted(), delta("One."), *between, delta("Two.", message="a2"))
    assert "content_reset" not in names(events)
    assert text(events) == "One.\n\nTwo."


@pytest.mark.parametrize(
    "tool", [[call(), result()], [hook("PostToolBatch", tool_calls=[])]], ids=["a tool", "a batch"]
)
@pytest.mark.parametrize(
    ("started", "ended", "kept"),
    [(0, 700, True), (710, 700, True), (711, 700, False), (None, 700, False), (0, None, False)],
)
def test_a_message_that_is_logged_after_the_tool_that_follows_it_is_not_taken_back(
    tool: list[Line], started: int | None, ended: int | None, kept: bool
) -> None:
    late, lines = {"started": started, **delta("One.")}, [{"ended": ended, **line} for line in tool]
    events = run(accepted(), *lines, late, delta("Two.", message="a2"), stop("Two."), usage())
    assert text(events) == ("One.\n\nTwo." if kept else "Two.")


@pytest.mark.parametrize(("last", "shown"), [("One. Two.", "One. Two."), ("Two.", "One.\n\nTwo.")])
@pytest.mark.parametrize("stop_first", [False, True])
def test_of_a_message_that_may_stand_before_the_tool_only_what_is_missing_is_added(
    last: str, shown: str, stop_first: bool
) -> None:
    """Stop tells the end of the answer, which may be that message or one that was never displayed."""
    both = [{"started": 705, **delta("One. ")}, stop(last)]
    batch = {"ended": 700, **hook("PostToolBatch", tool_calls=[])}
    events = run(accepted(), batch, *(reversed(both) if stop_first else both), SETTLED, usage())
    assert text(events) == shown


@pytest.mark.parametrize(
    ("started", "ended", "kept"), [(700, 700, False), (701, 700, True), (None, 700, True), (0, None, True)]
)
def test_a_message_that_is_logged_after_stop_but_was_there_before_takes_the_broken_one_back(
    started: int | None, ended: int | None, kept: bool
) -> None:
    stopped, late = {"ended": ended, **stop("One. Two.")}, {"started": started, **delta("One. Two.", message="a2")}
    events = run(accepted(), delta("One."), stopped, late, usage())
    assert text(events) == ("One.\n\nOne. Two." if kept else "One. Two.")


def test_what_a_tool_keeps_is_not_taken_back_by_a_message_that_is_logged_after_stop() -> None:
    late = {"started": 720, **delta("Two.", message="a2")}
    events = run(accepted(), delta("One."), {"ended": 700, **result()}, {"ended": 730, **stop("Two.")}, late, usage())
    assert text(events) == "One.\n\nTwo."


def test_a_late_piece_of_what_was_taken_back_is_not_shown() -> None:
    events = run(
        accepted(), delta("One. "), delta("One. ", message="a2"), delta("Two.", 1), delta("Two.", 1, message="a2")
    )
    assert names(events).count("content_reset") == 1
    assert text(events) == "One. Two."


def test_what_was_taken_back_before_it_was_shown_never_is() -> None:
    lines = [accepted(), delta("[#deadline-OPEN:c4"), delta("Two.", message="a2"), stop("Two."), usage()]
    events = run(*lines)
    assert "content_reset" not in names(events)
    assert text(events) == "Two."


def test_the_answer_may_come_anew_more_than_once() -> None:
    lines = [delta("One.", message=message) for message in ("a1", "a2", "a3")]
    events = run(accepted(), *lines, stop("One."), usage())
    assert [entry["message_id"] for entry in data(events, "content_reset")] == ["a1", "a2"]
    assert text(events) == "One."


# Tools.


def test_a_tool_call_and_its_result_are_reported_with_a_summary() -> None:
    events = run(accepted(), call(file_path="/home/x.txt"), result())
    assert data(events, "tool_call") == [
        {"id": "t1", "name": "Read", "summary": "/home/x.txt", "input": {"file_path": "/home/x.txt"}}
    ]
    expected = {"id": "t1", "name": "Read", "ok": True, "summary": "one", "rows": 2, "duration_ms": 7}
    expected |= {"output": "one\ntwo", "refused": False, "pictures": []}
    assert data(events, "tool_result") == [expected]
    assert [status["phase"] for status in data(events, "status")] == ["sent", "tool", "thinking"]


def held(*sessions: object, at: int = 1_100) -> Line:
    return {"at": at, "step": "held", "by": list(sessions)}


def test_a_turn_that_waits_for_a_place_says_who_has_them() -> None:
    lines = [accepted(), held("a", "b"), held("a", "b"), held("a", "c"), held(), held(), {"at": 2, "step": "prompted"}]
    status = data(sent(reduced(TURN, lines).events), "status")
    assert [(each["phase"], each["held_by"]) for each in status] == [
        ("sent", []),
        ("held", ["a", "b"]),
        ("held", ["a", "c"]),
        ("sent", []),
        ("thinking", []),
    ]
    assert status[1]["message"] == "Waiting for a free place"


def test_those_that_have_the_places_on_a_host_are_named_as_its_sessions() -> None:
    status = data(sent(reduced({**TURN, "session_id": "main@office"}, [accepted(), held("a", 7)]).events), "status")
    assert status[-1]["held_by"] == ["a@office", "7@office"]


def test_each_tool_and_each_question_has_a_status_of_its_own() -> None:
    events = run(accepted(), call("t1"), call("t2", "Grep", pattern="b"), ask("i1"), ask("i2"))
    assert [status["phase"] for status in data(events, "status")] == ["sent", "tool", "tool", "waiting", "waiting"]
    assert [status["message"] for status in data(events, "status")][1:3] == ["Read: /a", "Grep: b"]


def test_a_call_that_only_the_batch_tells_of_was_refused() -> None:
    batch = [
        {"tool_name": "Read", "tool_use_id": "t1", "tool_response": "seen already"},
        {"tool_name": "Edit", "tool_use_id": "t2", "tool_response": "no such field"},
        {"tool_name": "AskUserQuestion", "tool_use_id": "t3", "tool_response": "no"},
    ]
    reducer = reduced(TURN, [accepted(), call(), result(), hook("PostToolBatch", tool_calls=batch)])
    events = sent(reducer.events)
    assert [(entry["id"], entry["ok"]) for entry in data(events, "tool_result")] == [("t1", True), ("t2", False)]
    assert [entry["name"] for entry in data(events, "tool_call")] == ["Read", "Edit"]
    assert data(events, "tool_call")[1] == {"id": "t2", "name": "Edit", "summary": "", "input": None}
    assert reducer.tools.observed == ["Read"]


def test_a_question_is_no_tool_step() -> None:
    asking = {"name": "AskUserQuestion", "ident": "q1"}
    events = run(accepted(), call(**asking), result(**asking))
    assert not {"tool_call", "tool_result"} & set(names(events))


def test_a_subagents_text_is_no_part_of_the_answer_but_its_tools_are_seen() -> None:
    its_text = hook("MessageDisplay", delta="inner", index=0, message_id="s1", final=True, agent_id="sub")
    its_tool = hook("PreToolUse", tool_name="Grep", tool_use_id="s2", tool_input={"pattern": "x"}, agent_id="sub")
    events = run(accepted(), delta("One. "), its_text, its_tool, delta("Two.", 1))
    assert text(events) == "One. Two."
    assert [entry["name"] for entry in data(events, "tool_call")] == ["Grep"]


@pytest.mark.parametrize("event", ["SessionEnd", "Notification", "SubagentStop", "SomethingNew", "", None])
def test_a_hook_that_it_does_not_know_says_nothing(event: str | None) -> None:
    line = {"hook": {"hook_event_name": event, "delta": "x", "index": 0}}
    assert run(accepted(), line) == run(accepted())


# Questions to the user.


def test_several_questions_are_open_at_once_and_answered_in_any_order() -> None:
    lines = [accepted(), ask("i1"), ask("i2", "Bash")]
    asked, once, twice = (reduced(TURN, [*lines, *replies]) for replies in ([], [reply("i2")], [reply("i2"), reply()]))
    assert [entry.id for entry in asked.open_interrupts] == ["i1", "i2"]
    assert [event.name for event in once.events[len(asked.events) :]] == ["interrupt_resolved"]  # one still waits
    assert [entry.id for entry in once.open_interrupts] == ["i1"]
    assert [event.name for event in twice.events[len(once.events) :]] == ["interrupt_resolved", "status"]
    assert twice.open_interrupts == []


@pytest.mark.parametrize("by", ["page", "terminal", "timeout", "cancel"])
def test_a_question_is_resolved_by_whoever_answered(by: str) -> None:
    events = run(accepted(), ask(), reply(by=by, value=None))
    assert data(events, "interrupt_resolved") == [{"id": "i1", "by": by, "value": None}]
    assert [status["phase"] for status in data(events, "status")] == ["sent", "waiting", "thinking"]


def test_an_answer_that_nobody_asked_for_says_nothing() -> None:
    assert run(accepted(), reply("other")) == run(accepted())


def test_a_question_that_is_open_when_claude_has_gone_on_to_its_end_was_answered_in_the_terminal() -> None:
    events = run(accepted(), ask("i1"), hook("Stop", last_assistant_message=""), {"usage": {}, "model": "m"})
    assert [(entry["id"], entry["by"]) for entry in data(events, "interrupt_resolved")] == [("i1", "terminal")]
    assert names(events)[-1] == "end"


def test_a_question_that_is_open_at_the_end_is_cancelled() -> None:
    events = run(accepted(), ask("i1"), ask("i2"), {"relay": {"kind": "aborted"}})
    assert [(entry["id"], entry["by"]) for entry in data(events, "interrupt_resolved")] == [
        ("i1", "cancel"),
        ("i2", "cancel"),
    ]
    assert names(events)[-1] == "end"


# Ends.


def test_an_aborted_turn_ends_with_what_was_shown() -> None:
    events = run(accepted(), delta("One [chip"), usage(), {"at": 2_000, "relay": {"kind": "aborted", "by": "page"}})
    assert text(events) == "One [chip"
    end = data(events, "end")[0]
    assert (end["aborted"], end["duration_ms"], end["usage"]) == (True, 1_000, USAGE)


def test_a_turn_that_never_began_can_fail() -> None:
    failure = {"kind": "failed", "code": "dialog_open", "message": "a dialog is open"}
    events = run({"at": 1_000, "relay": failure})
    assert names(events) == ["error"]
    assert events[0].data["code"] == "dialog_open"
    assert events[0].data["hint"]


def test_a_failure_shows_the_text_so_far_and_its_own_hint() -> None:
    failure = {"kind": "failed", "code": "pane_died", "message": "Claude ended", "hint": "Do this."}
    events = run(accepted(), delta("One `"), {"relay": failure})
    assert text(events) == "One `"
    assert names(events)[-1] == "error"
    assert events[-1].data == {"code": "pane_died", "message": "Claude ended", "hint": "Do this.", "retryable": True}


def test_a_turn_that_settles_without_its_last_words_ends() -> None:
    lines = [accepted(), delta("One. "), stop("One. Two."), SETTLED]
    assert names(run(*lines))[-1] == "end"
    assert data(run(*lines), "end")[0]["usage"] is None


SETTLED: Line = {"relay": {"kind": "settled"}}


@pytest.mark.parametrize(
    ("displayed", "message", "shown"),
    [
        ([delta("One. ")], "One. Two.", "One. Two."),
        ([delta("One. ", 1)], "Zero. One.", "Zero. One."),
        ([delta("Other. ")], "One. Two.", "One. Two."),
        ([], "One. Two.", "One. Two."),
        ([delta("One."), call(), result()], "Two.", "One.\n\nTwo."),
        ([delta("One. Two.")], "One. Two.", "One. Two."),
        ([delta("One."), call(), result(), delta("Two.", message="a2")], "Two. Three.", "One.\n\nTwo. Three."),
    ],
)
def test_what_was_never_displayed_stands_in_stop(displayed: list[Line], message: str, shown: str) -> None:
    events = run(accepted(), *displayed, stop(message), SETTLED)
    assert text(events) == shown
    assert names(events)[-1] == "end"
    late = run(accepted(), stop(message), *displayed, SETTLED)
    assert text(late) == shown


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ("authentication_failed", "not_logged_in"),
        ("server_error", "upstream_error"),
        ("rate_limit", "upstream_error"),
        (None, "upstream_error"),
    ],
)
def test_a_failed_stop_is_an_error_with_claudes_own_words(error: str | None, code: str) -> None:
    failed = hook("StopFailure", error=error, last_assistant_message="API Error: no")
    for lines in ([failed, usage()], [usage(), failed], [failed, {"relay": {"kind": "settled"}}]):
        events = run(accepted(), delta("Half "), *lines)
        assert names(events)[-1] == "error"
        assert (events[-1].data["code"], events[-1].data["message"]) == (code, "API Error: no")
        assert text(events) == "Half"


def test_a_failed_stop_without_words_still_says_something() -> None:
    assert run(accepted(), hook("StopFailure"), usage())[-1].data["message"] == "Claude could not finish"


# Broken lines.


BROKEN: list[Any] = [
    {},
    {"at": "soon"},
    {"at": 10**30, "hook": {}},
    {"hook": None},
    {"hook": "Stop"},
    {"hook": ["Stop"]},
    {"relay": None},
    {"relay": "aborted"},
    {"relay": {"kind": ["aborted"]}},
    {"relay": {}},
    {"usage": [1]},
    {"answer": {"id": 1}},
    {"interrupt": {}, "hook": "x"},
    hook("MessageDisplay"),
    delta(None, 0),  # type: ignore[arg-type]
    delta("x", "0"),  # type: ignore[arg-type]
    delta("x", -1),
    hook("PreToolUse"),
    hook("PreToolUse", tool_name=None, tool_use_id={}, tool_input=[1]),
    hook("PostToolUse", tool_response={"count": True, "file": 3, "content": [None]}),
    hook("PostToolUse", tool_use_id="z", tool_response=["[" * 100_000]),
    hook("PostToolBatch", tool_calls=[None, 3, {"tool_use_id": []}]),
    hook("PostToolBatch", tool_calls={"a": 1}),
    {"interrupt": "q", "hook": {"tool_name": "AskUserQuestion", "tool_input": {"questions": [1, {"options": [2]}]}}},
]


def test_broken_lines_stop_nothing() -> None:
    events = run(accepted(), *BROKEN, delta("x", message="real"), stop("x"), usage())
    assert text(events) == "x"
    assert names(events)[-1] == "end"
    assert data(events, "end")[0]["duration_ms"] == 0


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = ["at", "relay", "hook", "interrupt", "answer", "usage", "by", "value", "model"]
EVENTS = [
    "MessageDisplay",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "UserPromptSubmit",
    "PreCompact",
    "Stop",
    "StopFailure",
]
FIELDS = [
    "delta",
    "index",
    "final",
    "message_id",
    "agent_id",
    "tool_name",
    "tool_input",
    "tool_use_id",
    "tool_response",
    "tool_calls",
    "error",
    "duration_ms",
    "last_assistant_message",
    "background_tasks",
]
names_of_things = st.sampled_from(["Read", "Bash", "AskUserQuestion", "t1", "t2", "i1", "a1", "a2"])
fields = st.dictionaries(st.sampled_from(FIELDS), json_values | names_of_things | st.integers(0, 3), max_size=8)
hooks = st.builds(lambda event, rest: {"hook_event_name": event, **rest}, st.sampled_from(EVENTS), fields)
relays = st.fixed_dictionaries(
    {"kind": st.sampled_from(["accepted", "aborted", "failed", "settled"]) | json_values},
    optional={"code": json_values, "message": json_values, "hint": json_values, "model": json_values},
)
hostile_lines = (
    st.dictionaries(st.sampled_from(KEYS), json_values | names_of_things, max_size=4)
    | st.fixed_dictionaries({"hook": hooks}, optional={"at": st.integers(), "interrupt": names_of_things})
    | st.fixed_dictionaries({"answer": names_of_things}, optional={"by": json_values, "value": json_values})
    | st.fixed_dictionaries({"relay": relays}, optional={"at": st.integers(0, 10**13)})
    | st.fixed_dictionaries({"usage": json_values}, optional={"model": json_values})
)
hostile_logs = st.lists(hostile_lines, max_size=12)


@given(hostile_logs)
def test_no_log_makes_reduce_raise_and_all_that_comes_out_is_json(log: list[Line]) -> None:
    reducer = reduced(TURN, log, DESTINATIONS)
    json.dumps([event.data for event in sent(reducer.events)], allow_nan=False)
    json.dumps(
        as_json([reducer.evidence(), reducer.chips, reducer.open_interrupts, reducer.answer_text]), allow_nan=False
    )
    row = finished_row(reducer, watched=True, pane_lines=0)
    assert isinstance(row.duration_ms, int | None)
    assert isinstance(row.input_tokens, int | None)
    assert isinstance(row.model, str | None)
    assert isinstance(row.error_code, str | None)


@given(hostile_logs, st.integers(0, 12))
def test_the_events_of_a_part_of_a_log_begin_those_of_the_whole(log: list[Line], length: int) -> None:
    part, whole = run(*log[:length]), run(*log)
    assert whole[: len(part)] == part
    assert [event.id for event in whole] == list(range(1, len(whole) + 1))


@given(hostile_logs)
def test_there_is_one_end_at_most_and_it_is_the_last(log: list[Line]) -> None:
    in_order = names(run(*log))
    ends = [number for number, name in enumerate(in_order) if name in ("end", "error")]
    assert ends in ([], [len(in_order) - 1])


# However the stream cuts an answer.


PIECES = [
    "Two rows. ",
    "Line.\n",
    "\n\n",
    "---\n",
    "[#deadline-OPEN:c47bd2]",
    "[#deadline-OPEN:ffffff] ",
    "[chip:nav:/deadlines]",
    "[link](/x) ",
    "```\ncode\n```\n",
    "**bold** ",
    "[",
    TRAILER.format(tools="Read"),
    "[paliadin-meta]\nused_tools: none\n",
    "früh 漢字 👩‍👧 ",
]
answers = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join)


def shown_of(events: list[Sent]) -> tuple[str, list[tuple[Any, ...]], Any]:
    chips = [(chip["kind"], chip["id"], chip["value"], chip["verified"]) for chip in data(events, "chip")]
    return text(events), chips, data(events, "evidence")


@given(answers, st.randoms(use_true_random=False))
def test_any_cut_and_any_order_gives_the_same_text_chips_and_evidence(written: str, chance: random.Random) -> None:
    cuts = sorted(chance.randrange(len(written) + 1) for _ in range(chance.randrange(8)))
    pieces = [written[start:end] for start, end in zip([0, *cuts], [*cuts, len(written)], strict=True)]
    deltas = [delta(piece, index, final=index == len(pieces) - 1) for index, piece in enumerate(pieces)]
    shuffled = chance.sample(deltas, len(deltas))
    before = [accepted(), call(), result(response="c47bd2")]
    whole = shown_of(run(*before, delta(written, final=True), stop(written), usage()))
    assert shown_of(run(*before, *deltas, stop(written), usage())) == whole
    assert shown_of(run(*before, *shuffled, stop(written), usage())) == whole
    late = chance.randrange(len(shuffled) + 1)
    assert shown_of(run(*before, *shuffled[:late], stop(written), usage(), *shuffled[late:])) == whole


def test_a_message_of_two_text_blocks_keeps_both_though_stop_names_the_last() -> None:
    events = run(accepted(), delta("First.\n"), delta("Second.\n", 1, final=True), stop("Second."), usage())
    assert names(events)[-1] == "end"
    assert text(events) == "First.\nSecond."


def test_a_card_that_closes_because_the_user_stopped_the_turn_was_cancelled() -> None:
    stopping: Line = {"relay": {"kind": "stopping"}}
    aborted: Line = {"relay": {"kind": "aborted", "by": "page"}}
    events = run(accepted(), ask(), stopping, {"answer": "i1", "by": "terminal"}, aborted)
    assert [resolved["by"] for resolved in data(events, "interrupt_resolved")] == ["cancel"]


def test_a_log_that_is_read_again_from_its_beginning_tells_nothing_twice() -> None:
    lines = [accepted(), ask(), reply(), call(), result(), delta("One.\n")]
    end = [stop("One."), usage()]
    once, twice = run(*lines, *end), run(*lines, *lines, *end)
    assert names(twice, "status") == names(once, "status")
    assert text(twice) == text(once)


def test_a_step_gives_the_events_that_it_adds() -> None:
    reducer = Reducer(Description.parse(TURN))
    lines = [accepted(), hook("UserPromptSubmit"), delta("Hello.\n"), stop("Hello."), usage()]
    added = [reducer.feed(step) for step in translated(lines)]
    assert [event for events in added for event in events] == reducer.events
    assert [[event.name for event in events] for events in added][:2] == [["meta", "status"], ["status"]]


def test_a_dialog_of_the_terminal_waits_once_however_often_its_text_changes() -> None:
    opened = {"step": "dialog_opened", "id": "d1", "asks": "permission"}
    reducer = reduced(
        TURN,
        [
            accepted(1_000),
            {"at": 2_000, **opened, "text": "No"},
            {"at": 3_000, **opened, "text": "Yes"},
            {"at": 4_000, "step": "dialog_closed", "id": "d1"},
            {"at": 4_000, "step": "dialog_closed", "id": "d2"},
            delta("Done.", final=True, at=5_000),
            stop("Done.", 5_000),
            usage(5_000),
        ],
        DESTINATIONS,
    )
    shown = [event.data for event in sent(reducer.events) if event.name == "interrupt"]
    assert [data["input"]["screen"] for data in shown] == ["No", "Yes"]
    assert [(data["id"], data["kind"], data["options"]) for data in shown] == [("d1", "dialog", [])] * 2
    [over] = [event.data for event in sent(reducer.events) if event.name == "interrupt_resolved"]
    assert (over["id"], over["by"]) == ("d1", "terminal")
    [wait] = reducer.timeline.interrupts
    assert (wait.kind, wait.by, wait.waited_ms) == ("dialog", "terminal", 2_000)
