"""A past turn as the history gives it, from its log and from its row."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from paliadin.events.answer_text import Answer
from paliadin.events.chips import Destinations
from paliadin.events.reducer import Reducer
from paliadin.events.timeline import MAX_ENTRIES, CalledTool, Waited
from paliadin.record.row import TurnRow, finished_row
from paliadin.steps.model import (
    Aborted,
    Accepted,
    Failed,
    Interrupted,
    Joined,
    Prompted,
    Replied,
    Settled,
    Step,
    Text,
    ToolEnded,
    ToolStarted,
    Unconfirmed,
    Usage,
)
from paliadin.turnlog.description import Description
from paliadin.turnlog.ids import new_turn_id, started_at
from paliadin.turns.history_items import basics, details_of_log, details_of_row, excerpt, text_with

TURN = "019a2b3c-4d5e-7f60-8123-456789abcdef"
START = round(started_at(TURN).timestamp() * 1000)
DESCRIPTION = {"turn_id": TURN, "session_id": "main", "user_message": "Which?", "origin": "page"}
ANSWER = "One [#file-OPEN:f-1] two.\n\n---\n[paliadin-meta]\nused_tools: Read\nrows_seen: 2\nclassifier_tag: data\n"
USAGE = {"input_tokens": 1, "output_tokens": 2, "cache_read_tokens": 3, "cache_write_tokens": 4}
STEPS: list[Step] = [
    Accepted(START, "opus"),
    Prompted(START + 2, "Which?"),
    ToolStarted(START + 3, "t1", "Read", {"path": "f"}),
    ToolEnded(START + 9, "t1", "Read", "ok", ["f-1", "f-2"], 6),
    Text(START + 10, "m1", ANSWER[:7]),
    Text(START + 11, "m1", ANSWER[7:], final=True),
    Usage(START + 12, USAGE, "opus"),
    Settled(START + 20),
]


def read(*steps: Step) -> Reducer:
    reducer = Reducer(Description.parse(DESCRIPTION), Destinations({"file": "/files/{id}"}))
    for step in steps:
        reducer.feed(step)
    return reducer


def names(item: dict[str, Any]) -> list[str]:
    return [event["event"] for event in item["events"]]


def rows_item(*steps: Step) -> dict[str, Any]:
    return details_of_row(finished_row(read(*steps), watched=True, pane_lines=0))


def test_a_turn_of_a_log_has_its_answer_its_figures_and_its_events() -> None:
    item = details_of_log(read(*STEPS))
    assert item.pop("events")
    evidence = item.pop("evidence")
    assert (evidence["used_tools"], evidence["observed_tools"], evidence["agrees"]) == (["Read"], ["Read"], True)
    [chip] = item.pop("chips")
    assert (chip["id"], chip["href"], chip["verified"]) == ("f-1", "/files/f-1", True)
    assert item == {
        "attachments": [],
        "response": "One two.",
        "joined": [],
        "error_code": None,
        "error": None,
        "aborted": False,
        "usage": USAGE,
        "model": "opus",
        "duration_ms": 20,
        "first_text_ms": 10,
        "interrupts": [],
    }


def test_its_events_are_those_of_the_stream_without_the_phases_and_with_the_texts_joined() -> None:
    item = details_of_log(read(*STEPS))
    assert names(item) == [
        "meta",
        "tool_call",
        "tool_result",
        "content_delta",
        "chip",
        "content_delta",
        "answered",
        "evidence",
        "end",
    ]
    texts = [event["data"] for event in item["events"] if event["event"] == "content_delta"]
    assert texts == [{"text": "One", "message_id": "m1"}, {"text": " two.", "message_id": "m1"}]


def test_texts_of_two_messages_stay_apart() -> None:
    steps = [Text(START, "m1", "One "), Text(START, "m1", "two "), Text(START, "m2", "three"), Text(START, "m2", "!")]
    texts = [event["data"] for event in details_of_log(read(*steps, Settled(START)))["events"]][:2]
    assert texts == [{"text": "One two", "message_id": "m1"}, {"text": "three!", "message_id": "m2"}]


def test_a_turn_that_still_runs_has_no_evidence_and_its_open_question() -> None:
    item = details_of_log(read(*STEPS[:4], Interrupted(START + 5, "i", "Bash", {"command": "ls"})))
    assert item["evidence"] is None
    [interrupt] = item["interrupts"]
    assert (interrupt["id"], interrupt["tool"]) == ("i", "Bash")


def test_a_turn_that_failed_or_was_stopped_says_so() -> None:
    failed = details_of_log(read(*STEPS[:3], Failed(START + 5, "timeout", "Slow", "Ask")))
    assert (failed["error_code"], failed["aborted"]) == ("timeout", False)
    assert (failed["error"]["code"], failed["error"]["message"]) == ("timeout", "Slow")
    stopped = details_of_log(read(*STEPS[:3], Aborted(START + 5, "page")))
    assert (stopped["error_code"], stopped["error"], stopped["aborted"]) == ("user_aborted", None, True)


# From the row alone, once the folder is gone.


def test_a_turn_of_a_row_says_the_same_as_that_of_its_log_but_for_chips_and_tool_outputs() -> None:
    log, row = details_of_log(read(*STEPS)), rows_item(*STEPS)
    assert row["chips"] == []
    for name in ("response", "error_code", "error", "aborted", "evidence", "usage", "model", "interrupts"):
        assert row[name] == log[name], name
    assert (row["duration_ms"], row["first_text_ms"]) == (20, 10)


def test_its_events_are_a_stream_that_a_client_can_play() -> None:
    item = rows_item(*STEPS)
    assert names(item) == ["meta", "tool_call", "tool_result", "content_delta", "evidence", "end"]
    meta, call, result, text, evidence, end = [event["data"] for event in item["events"]]
    assert meta == {"turn_id": TURN, "session_id": "main", "started_at": START, "model": "opus", "notices": []}
    assert call == {"id": "tool-0", "name": "Read", "summary": "", "input": None}
    assert (result["id"], result["ok"], result["rows"], result["duration_ms"]) == ("tool-0", True, 2, 6)
    assert text == {"text": "One two.", "message_id": "response-0"}
    assert evidence == item["evidence"]
    assert end == {
        "duration_ms": 20,
        "waited_ms": 0,
        "first_text_ms": 10,
        "usage": USAGE,
        "model": "opus",
        "chip_count": 1,
        "aborted": False,
        "background_tasks": [],
    }


def test_of_a_row_the_time_that_the_user_took_stands_in_its_end() -> None:
    row = finished_row(read(*STEPS), watched=True, pane_lines=0)
    item = details_of_row(replace(row, interrupts=(Waited("permission", "Bash", "page", 3, 7),)))
    assert item["events"][-1]["data"]["waited_ms"] == 7


def test_a_row_of_a_turn_that_failed_ends_with_its_error() -> None:
    item = rows_item(*STEPS[:3], Failed(START + 5, "timeout", "Slow", "Ask"))
    assert names(item) == ["meta", "tool_call", "error"]
    assert item["events"][-1]["data"] == {"code": "timeout", "message": "", "hint": "", "retryable": True}
    assert (item["error_code"], item["error"], item["aborted"]) == ("timeout", None, False)


def test_a_row_of_a_turn_that_was_stopped_ends_as_one_that_the_user_ended() -> None:
    item = rows_item(*STEPS[:6], Aborted(START + 15, "page"))
    assert names(item)[-2:] == ["evidence", "end"]
    assert item["events"][-1]["data"]["aborted"] is True
    assert (item["error_code"], item["aborted"]) == ("user_aborted", True)


def test_a_row_that_was_never_finished_has_no_end() -> None:
    row = TurnRow(TURN, "main", "ada", "desk", "page", started_at(TURN), "Which?")
    item = details_of_row(row)
    assert names(item) == ["meta"]
    assert (item["response"], item["duration_ms"], item["first_text_ms"], item["model"]) == ("", None, None, None)
    assert item["usage"] == dict.fromkeys(USAGE)


def test_a_claim_that_differs_differs_in_the_row_too() -> None:
    row = finished_row(read(*STEPS), watched=True, pane_lines=0)
    [difference] = details_of_row(replace(row, rows_seen=(5,), evidence_agrees=False))["evidence"]["differences"]
    assert difference["tool"] == "Read"
    assert details_of_row(replace(row, rows_seen=(5,), evidence_agrees=None))["evidence"]["differences"] == []


def test_of_a_row_the_verdict_is_known_but_not_the_single_claims() -> None:
    row = finished_row(read(*STEPS), watched=True, pane_lines=0)
    item = details_of_row(replace(row, claims={"found": 3, "unsupported": 1}, verdict="unsupported"))
    assert (item["evidence"]["claims"], item["evidence"]["verdict"]) == (None, "unsupported")
    assert item["events"][-2] == {"event": "evidence", "data": item["evidence"]}


def test_the_row_knows_best_who_asked_what_and_when_and_the_verdict() -> None:
    row = TurnRow(
        TURN,
        "main",
        "ada",
        "desk",
        "page",
        started_at(TURN),
        "Which?",
        context={"route_name": "deadlines"},
        finished_at=started_at(TURN) + timedelta(seconds=1),
        feedback="up",
        feedback_word="Good",
    )
    assert basics(row) == {
        "turn_id": TURN,
        "session_id": "main",
        "origin": "page",
        "started_at": row.started_at.isoformat(),
        "finished_at": (row.started_at + timedelta(seconds=1)).isoformat(),
        "user_message": "Which?",
        "asked_by": None,
        "context": {"route_name": "deadlines"},
        "feedback": "up",
        "feedback_word": "Good",
        "is_redacted": False,
    }
    assert basics(replace(row, finished_at=None))["finished_at"] is None


# Search results.


@pytest.mark.parametrize(
    ("text", "words", "shown"),
    [
        ("All of it", "of", "All of it"),
        ("All of it", "missing", "All of it"),
        ("Two\nlines  and\tblanks", "LINES", "Two lines and blanks"),
        ("a" * 80 + "WORD" + "b" * 80, "word", "a" * 80 + "WORD" + "b" * 80),
        ("a" * 81 + "WORD" + "b" * 81, "word", "… " + "a" * 80 + "WORD" + "b" * 80 + " …"),
        ("WORD" + "b" * 81, "word", "WORD" + "b" * 80 + " …"),
        ("a" * 81 + "WORD", "word", "… " + "a" * 80 + "WORD"),
        ("first word, then word", "word", "first word, then word"),
        ("word" + "a" * 200 + "word", "word", "word" + "a" * 80 + " …"),
        ("c" * 200, "missing", "c" * 87 + " …"),
    ],
)
def test_a_search_result_shows_the_words_with_what_stands_around_them(text: str, words: str, shown: str) -> None:
    assert excerpt(text, words) == shown


BEGAN = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def test_a_turn_whose_folder_is_gone_still_shows_its_steps_with_rows_and_times() -> None:
    done = CalledTool("Read", ok=True, rows=3, at_ms=10, duration_ms=12)
    denied = CalledTool("Write", refused=True, at_ms=20)
    cut_off = CalledTool("Bash", at_ms=40)
    row = TurnRow(
        "019a2b3c-4d5e-7f60-8123-456789abcdef",
        "main",
        "ada",
        "desk",
        "page",
        BEGAN,
        "Which?",
        finished_at=BEGAN + timedelta(seconds=2),
        duration_ms=2000,
        response="These.",
        observed_tools=("Read",),
        tool_calls=(done, denied, cut_off),
    )
    events = [(event["event"], event["data"]) for event in details_of_row(row)["events"]]
    assert [name for name, _ in events] == [
        "meta",
        "tool_call",
        "tool_result",
        "tool_call",
        "tool_result",
        "tool_call",
        "content_delta",
        "evidence",
        "end",
    ]
    assert events[2][1] == {
        "id": "tool-0",
        "name": "Read",
        "summary": "",
        "ok": True,
        "refused": False,
        "pictures": [],
        "rows": 3,
        "duration_ms": 12,
        "output": "",
    }
    assert (events[4][1]["name"], events[4][1]["ok"], events[4][1]["refused"]) == ("Write", False, True)
    assert events[5][1] == {"id": "tool-2", "name": "Bash", "summary": "", "input": None}


def test_words_that_were_shown_and_never_confirmed_are_marked_for_as_long_as_the_row_is_there() -> None:
    said = Text(START + 10, "m1", "Said. "), Unconfirmed(START + 11, "m1", " Not said"), Aborted(START + 12, "page")
    for item in (details_of_log(read(*said)), rows_item(*said)):
        [mark] = [event["data"]["length"] for event in item["events"] if event["event"] == "unconfirmed"]
        assert (mark, item["response"]) == (9, "Said. Not said")


def test_words_that_joined_stand_before_the_reply_to_them_though_it_was_known_earlier() -> None:
    steps = (
        Accepted(START, "opus"),
        Text(START + 1, "m1", "I look.\n", final=True),
        ToolStarted(START + 3, "t1", "Read", {"path": "f"}),
        ToolEnded(START + 9, "t1", "Read", "ok", ["f-1"], 6),
        Text(START + 10, "m2", "Both: "),
        Joined(START + 11, "and the other one", "t1"),
        Text(START + 12, "m2", "here.", final=True),
        Joined(START + 13, "and last", None),
        Settled(START + 20),
    )
    whole = "I look.\n\nBoth: here."
    for item in (details_of_log(read(*steps)), rows_item(*steps)):
        assert item["response"] == whole
        assert [(words["text"], whole[: words["at"]]) for words in item["joined"]] == [
            ("and the other one", "I look."),
            ("and last", whole),
        ]
    played = [
        event["data"]["text"].strip()
        for event in rows_item(*steps)["events"]
        if event["event"] in {"content_delta", "joined"}
    ]
    assert played == ["I look.", "and the other one", "Both: here.", "and last"]


@pytest.mark.parametrize("told", ["before the call", "after the call"])
def test_words_that_joined_stand_behind_the_message_whose_call_they_waited_for(told: str) -> None:
    steps = [Text(START + 1, "m1", "I look.", final=True), ToolStarted(START + 1, "t1", "Read", {"path": "f"})]
    whole = rows_item(
        *(steps if told == "before the call" else reversed(steps)),
        ToolEnded(START + 9, "t1", "Read", "ok", ["f-1"], 6),
        Text(START + 10, "m2", "Both here.", final=True),
        Joined(START + 11, "and the other one", "t1"),
        Settled(START + 20),
    )
    [words] = whole["joined"]
    assert whole["response"][: words["at"]] == "I look."


def test_a_thousand_words_that_joined_are_placed_in_one_look_at_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another host may write a log with so many, beside messages without end."""
    looks: list[int] = []
    messages = Answer.messages.fget
    assert messages is not None
    monkeypatch.setattr(Answer, "messages", property(lambda answer: (looks.append(1), messages(answer))[1]))
    reducer = Reducer(Description.parse({"turn_id": new_turn_id(), "session_id": "main", "user_message": "?"}))
    for number in range(MAX_ENTRIES):
        reducer.feed(Text(START, f"m{number}", "x", final=True))
        reducer.feed(Joined(START, "w", None))
    looks.clear()
    assert [each.at for each in reducer.joined] == [3 * number + 1 for number in range(MAX_ENTRIES)]
    assert len(looks) == 1
    assert {type(before) for _, before in reducer.timeline.joined} == {int}


def test_words_that_joined_after_a_question_stand_behind_its_reply() -> None:
    steps = (
        Accepted(START, "opus"),
        Text(START + 1, "m1", "Which?", final=True),
        Interrupted(START + 2, "i1", "AskUserQuestion", {}),
        Replied(START + 3, "i1", "page", "a"),
        Text(START + 4, "m2", "Good."),
        Joined(START + 5, "quickly", "a call without a part"),
        Settled(START + 9),
    )
    assert [words["at"] for words in rows_item(*steps)["joined"]] == [len("Which?")]


def test_an_excerpt_is_of_what_joined_where_the_words_are_in_that() -> None:
    steps = (Accepted(START), Text(START + 1, "m", "An answer"), Joined(START + 2, "Beside it"), Settled(START + 3))
    row = finished_row(read(*steps), watched=True, pane_lines=0)
    assert [text_with(words, row) for words in ("answer", "BESIDE", "nothing")] == [
        "An answer",
        "Beside it",
        "An answer",
    ]
    assert text_with("which", row, row.user_message) == "Which?"
