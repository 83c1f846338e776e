"""One question, the whole way: HTTP → daemon → tmux → the real Claude Code → hooks → events → row."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from paliadin.relays.terminal.screen import State, read_screen
from tests.worlds.world import World, eventually, last, text_of

BOTH = pytest.mark.both_versions
ANIMATED = True  # its Claude Code is as people have it


def names(events: list) -> list[str]:
    return [event.name for event in events]


def row_of(world: World, turn_id: str) -> dict:
    """The finished turn as the history has it."""

    def finished() -> dict | None:
        turns = {turn["turn_id"]: turn for turn in world.get("history?session_id=main&limit=200")["turns"]}
        row = turns.get(turn_id)
        return row if row and not row["running"] else None

    return eventually(finished, what="the turn is finished")


def folder_of(world: World, turn_id: str) -> Path:
    return next(world.settings.response_dir.glob(f"*/{turn_id}"))


def answer_dialog(world: World, key: str) -> None:
    """As a person would: a dialog takes no key in its first moment, so look, and press again."""
    eventually(lambda: read_screen(world.screen()).state is State.PERMISSION)

    def is_open() -> bool:
        return read_screen(world.screen()).state is State.PERMISSION

    for _ in range(3):
        world.terminal.press(world.pane, key)
        pressed = time.monotonic()
        while is_open():
            if time.monotonic() > pressed + 5:  # long enough: a second Escape would open a dialog of its own
                break
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the dialog is not answered")


@BOTH
def test_an_answer_with_a_tool_comes_whole_with_its_evidence(shared: World) -> None:
    (shared.workdir / "data.csv").write_text("id,what\nc47bd2,defence\n")
    events = shared.turn(f"Please in:{shared.workdir} scene:read")
    assert [event.id for event in events] == list(range(1, len(events) + 1))
    assert names(events)[0] == "meta"
    assert text_of(events) == "Let me look.\n\nFound it.\nNot this one."
    call, result = last(events, "tool_call").data, last(events, "tool_result").data
    assert (call["name"], call["id"]) == ("Read", result["id"])
    assert (result["ok"], result["rows"]) == (True, 2)
    chips = {event.data["id"]: event.data for event in events if event.name == "chip"}
    assert (chips["c47bd2"]["verified"], chips["c47bd2"]["href"]) == (True, "/deadlines/c47bd2")
    assert (chips["ffffff"]["verified"], chips["ffffff"]["href"]) == (False, None)
    evidence = last(events, "evidence").data
    assert evidence["used_tools"] == evidence["observed_tools"] == ["Read"]
    assert (evidence["rows_seen"], evidence["classifier_tag"], evidence["agrees"]) == ([2], "data", True)
    end = events[-1].data
    assert (events[-1].name, end["aborted"], end["chip_count"]) == ("end", False, 2)
    assert end["usage"] == {
        "input_tokens": 200, "output_tokens": 40, "cache_read_tokens": 6, "cache_write_tokens": 8
    }  # fmt: skip  # two API messages
    assert 0 < end["first_text_ms"] <= end["duration_ms"]


def test_the_trailer_is_never_seen_and_the_record_is_complete(shared: World) -> None:
    turn_id = shared.ask("Say something")
    events = list(shared.follow(turn_id))
    everything = json.dumps([event.data for event in events if event.name != "evidence"])
    assert "paliadin-meta" not in everything
    assert "---" not in text_of(events)
    assert "classifier_tag" not in text_of(events)
    row = row_of(shared, turn_id)
    assert row["response"] == text_of(events)
    assert row["evidence"]["classifier_tag"] == "other"
    assert row["evidence"]["classifier_source"] == "trailer"
    folder = folder_of(shared, turn_id)
    assert eventually((folder / "recorded").exists)
    assert (folder / "response.md").read_text() == text_of(events)
    assert {path.stat().st_mode & 0o077 for path in [folder, *folder.iterdir()]} == {0}


@pytest.mark.any_version
def test_a_replay_gives_the_same_events_with_the_same_numbers(shared: World) -> None:
    turn_id = shared.ask("Say it again")
    first = list(shared.follow(turn_id))
    assert list(shared.follow(turn_id)) == first
    assert list(shared.follow(turn_id, after=4)) == first[4:]


@pytest.mark.any_version
def test_without_a_trailer_the_tag_is_a_fallback_and_says_so(shared: World) -> None:
    evidence = last(shared.turn("scene:silent"), "evidence").data
    assert evidence["classifier_source"] == "fallback"
    assert evidence["agrees"] is None


@BOTH
@pytest.mark.parametrize(("value", "outcome"), [("allow", "done"), ("deny", "refused")])
def test_a_permission_is_answered_from_outside(shared: World, value: str, outcome: str) -> None:
    written = shared.workdir / "written.txt"
    written.unlink(missing_ok=True)
    turn_id = shared.ask(f"in:{shared.workdir} scene:permission")
    events = []
    for event in shared.follow(turn_id):
        events.append(event)
        if event.name == "interrupt":
            assert event.data["kind"] == "permission"
            assert event.data["tool"] == "Write"
            assert event.data["input"]["file_path"] == str(written)
            assert [option["id"] for option in event.data["options"]] == ["allow", "allow_session", "deny"]
            pending = shared.get("history?session_id=main")["turns"][-1]["interrupts"]
            assert [interrupt["id"] for interrupt in pending] == [event.data["id"]]
            response = shared.post(f"stream/{turn_id}/answer", {"interrupt_id": event.data["id"], "value": value})
            assert response.status_code == 200
    assert text_of(events).endswith(f"It was {outcome}.")
    assert written.exists() == (value == "allow")
    resolved = last(events, "interrupt_resolved").data
    assert (resolved["by"], resolved["value"]) == ("page", value)


@BOTH
def test_a_choice_and_a_free_text_reach_claude(shared: World) -> None:
    for value in ("Blue", "rather green, please"):
        turn_id = shared.ask("scene:question")
        events = []
        for event in shared.follow(turn_id):
            events.append(event)
            if event.name == "interrupt":
                assert event.data["kind"] == "question"
                assert [option["label"] for option in event.data["options"]] == ["Red", "Blue"]
                shared.post(f"stream/{turn_id}/answer", {"interrupt_id": event.data["id"], "value": value})
        assert value in text_of(events)


def test_several_questions_at_once_with_several_labels(shared: World) -> None:
    turn_id = shared.ask("scene:questions")
    events = []
    for event in shared.follow(turn_id):
        events.append(event)
        if event.name == "interrupt":
            value = {"Which letter?": "B", "Which letters?": ["A", "B"]}
            shared.post(f"stream/{turn_id}/answer", {"interrupt_id": event.data["id"], "value": value})
    assert '"Which letter?"="B"' in text_of(events)
    assert '"Which letters?"="A, B"' in text_of(events)


def test_a_question_that_is_cancelled_lets_claude_go_on(shared: World) -> None:
    turn_id = shared.ask("scene:question")
    events = []
    for event in shared.follow(turn_id):
        events.append(event)
        if event.name == "interrupt":
            shared.post(f"stream/{turn_id}/answer", {"interrupt_id": event.data["id"], "cancel": True})
    assert "gave no reply" in text_of(events)
    assert last(events, "interrupt_resolved").data["by"] == "cancel"


def test_two_permissions_open_at_once_are_answered_in_any_order(shared: World) -> None:
    turn_id = shared.ask("scene:two")
    open_ids: list[str] = []
    events = []
    for event in shared.follow(turn_id):
        events.append(event)
        if event.name == "interrupt":
            open_ids.append(event.data["id"])
            if len(open_ids) == 2:
                for interrupt_id in reversed(open_ids):
                    shared.post(f"stream/{turn_id}/answer", {"interrupt_id": interrupt_id, "value": "allow"})
    assert text_of(events) == "Results: 2."
    assert sorted(e.data["id"] for e in events if e.name == "interrupt_resolved") == sorted(open_ids)


@pytest.mark.first(1)
@pytest.mark.parametrize("key", ["Enter", "Escape"], ids=["yes", "escape"])
def test_the_terminal_may_answer_first(shared: World, key: str) -> None:
    written = shared.workdir / "written.txt"
    written.unlink(missing_ok=True)
    turn_id = shared.ask(f"in:{shared.workdir} scene:permission")
    events = []
    for event in shared.follow(turn_id):
        events.append(event)
        if event.name == "interrupt":
            answer_dialog(shared, key)
    assert last(events, "interrupt_resolved").data["by"] == "terminal"
    assert written.exists() == (key == "Enter")
    assert events[-1].name == "end"
    assert events[-1].data["aborted"] == (key == "Escape")


@pytest.mark.first(3)
@pytest.mark.parametrize(
    ("scene", "moment"),
    [
        ("thinking", "meta"),
        ("thinking", "thinking"),
        ("slow", "content_delta"),
        ("question", "interrupt"),
        ("permission", "interrupt"),
    ],
)
def test_stop_takes_at_every_moment_and_leaves_a_clean_composer(shared: World, scene: str, moment: str) -> None:
    turn_id = shared.ask(f"in:{shared.workdir} scene:{scene}")
    events, stopped = [], False
    for event in shared.follow(turn_id):
        events.append(event)
        if not stopped and moment in (event.name, event.data.get("phase")):
            stopped = True
            assert shared.post(f"stream/{turn_id}/abort").json() == {"aborted": True}
    assert events[-1].name == "end"
    assert events[-1].data["aborted"] is True
    assert {event.data["by"] for event in events if event.name == "interrupt_resolved"} <= {"cancel"}
    assert row_of(shared, turn_id)["error_code"] == "user_aborted"
    # Not the screen: on a busy machine Claude Code may put the question back late, and the next one takes it away.
    eventually(lambda: shared.get("sessions")["sessions"][0]["state"] == "ready", what="it takes a question")
    assert text_of(shared.turn("And now?")).startswith("You said")
    eventually(lambda: read_screen(shared.screen()).state is State.READY, what="the composer is empty")


@BOTH
def test_stop_takes_while_a_tool_runs(shared: World) -> None:
    turn_id = shared.ask("scene:tool_slow")
    events = []
    for event in shared.follow(turn_id):
        events.append(event)
        if event.name == "interrupt":
            shared.post(f"stream/{turn_id}/answer", {"interrupt_id": event.data["id"], "value": "allow"})
        if event.name == "interrupt_resolved":
            eventually(lambda: read_screen(shared.screen()).state is State.BUSY)
            shared.post(f"stream/{turn_id}/abort")
    assert events[-1].data["aborted"] is True
    assert text_of(shared.turn("And now?")).startswith("You said")


def test_a_tool_call_that_claude_code_refuses_is_shown_and_takes_no_text_away(shared: World) -> None:
    events = shared.turn("scene:refused")
    assert text_of(events) == "I try.\n\nIt did not work."
    result = last(events, "tool_result").data
    assert (result["name"], result["ok"]) == ("Read", False)
    assert last(events, "evidence").data["observed_tools"] == []


def test_lines_that_look_like_commands_run_nothing_and_arrive_exactly(shared: World, api: tuple) -> None:
    lines = [
        "!touch hacked",
        "/clear",
        "#remember this",
        "@data.csv",
        "",
        "  indented",
        "quotes \" and ' and `",
        "; rm",
    ]
    lines += ["back\\slash\\", "漢字かな交じり", "emoji 👩‍👩‍👧‍👦 🇩🇪 ✊🏽", "#{pane_id} $(id) ${HOME}", "end \\"]
    message = "\n".join(lines * 24)
    assert message.count("\n") > 300
    turn_id = shared.ask(message)
    assert list(shared.follow(turn_id))[-1].name == "end"
    reported = [
        line["hook"]["prompt"]
        for line in map(json.loads, filter(None, (folder_of(shared, turn_id) / "events.jsonl").read_text().split("\n")))
        if line.get("hook", {}).get("hook_event_name") == "UserPromptSubmit"
    ]
    assert reported == [f"[PALIADIN:{turn_id}] {message}"]
    assert not (shared.workdir / "hacked").exists()


def test_an_answer_of_two_text_blocks_keeps_both(shared: World) -> None:
    turn_id = shared.ask("scene:two_texts")
    events = list(shared.follow(turn_id))
    assert [line for line in text_of(events).split("\n") if line] == ["The first part.", "The second part."]
    assert not [event for event in events if event.name == "content_reset"]
    assert row_of(shared, turn_id)["response"] == text_of(events).strip()


@pytest.mark.any_version
def test_megabytes_from_a_tool_are_cut_and_marked(shared: World) -> None:
    turn_id = shared.ask(f"in:{shared.workdir} scene:big")
    for event in shared.follow(turn_id):
        if event.name == "interrupt":
            shared.post(f"stream/{turn_id}/answer", {"interrupt_id": event.data["id"], "value": "allow"})
    assert event.name == "end"
    assert (shared.workdir / "big.txt").stat().st_size == 3_000_000
    raw = (folder_of(shared, turn_id) / "events.jsonl").read_text()
    records = [json.loads(line) for line in raw.split("\n") if line]  # not one of them is torn
    assert len(raw) < 1_000_000
    assert any(record.get("cut") for record in records)


def test_an_error_of_the_api_says_what_to_do(shared: World) -> None:
    events = shared.turn("scene:failure")
    assert events[-1].name == "error"
    error = events[-1].data
    assert (error["code"], error["retryable"]) == ("upstream_error", True)
    assert "the script says no" in error["message"]
    assert error["hint"]


def test_an_answer_that_breaks_off_is_not_shown_twice(shared: World) -> None:
    events = shared.turn("scene:cut")
    assert events[-1].name in {"error", "end"}
    assert text_of(events).count("Line one.") == 1


def test_an_answer_that_comes_again_replaces_the_broken_one(shared: World) -> None:
    events = shared.turn("scene:cut_once")
    assert events[-1].name == "end"
    assert text_of(events) == "Line one.\nLine two.\nLine three."


@BOTH
def test_a_prompt_typed_in_the_terminal_becomes_a_turn_of_its_own(shared: World) -> None:
    shared.terminal.type(shared.pane, "typed by hand ")
    eventually(lambda: read_screen(shared.screen()).state is State.DRAFT)
    assert shared.turn("While somebody types")[-1].data["code"] == "terminal_in_use"
    assert "typed by hand" in read_screen(shared.screen()).draft
    shared.terminal.press(shared.pane, "Enter")

    def typed() -> dict | None:
        turns = shared.get("history?session_id=main")["turns"]
        return next((t for t in turns if t["user_message"] == "typed by hand" and not t["running"]), None)

    turn = eventually(typed, what="the turn from the terminal")
    assert turn["origin"] == "terminal"
    assert turn["response"].startswith("You said 13 characters")


def test_reset_begins_a_new_conversation(shared: World) -> None:
    shared.turn("one")
    before = int(text_of(shared.turn("scene:remember")).split()[2])
    assert before >= 2
    assert shared.post("reset", {"session_id": "main"}).status_code == 200
    assert text_of(shared.turn("scene:remember")) == "I remember 1 prompts."


@pytest.mark.any_version
def test_a_second_question_waits_for_the_first(shared: World) -> None:
    turn_id = shared.ask("scene:slow")
    refused = shared.post("turn", {"session_id": "main", "user_message": "me too"})
    assert refused.status_code == 409
    assert refused.json()["error"]["turn_id"] == turn_id
    assert shared.post("reset", {"session_id": "main"}).status_code == 409
    shared.post(f"stream/{turn_id}/abort")
    assert list(shared.follow(turn_id))[-1].data["aborted"]


def has_written_down(world: World, turn_id: str) -> bool:
    """Whether Claude Code has written the question into its transcript; on a busy machine it answers before that."""
    transcripts = (world.root / "claude" / ".claude" / "projects").glob("*/*.jsonl")
    return any(turn_id in path.read_text("utf-8", "replace") for path in transcripts)


def test_claude_killed_in_mid_turn_comes_back_with_its_conversation(shared: World) -> None:
    shared.post("reset", {"session_id": "main"})
    shared.turn("remember me")
    killed = 0.0
    turn_id = shared.ask("scene:slow")
    pid = shared.terminal.capture(shared.pane).pid
    events = []
    for event in shared.follow(turn_id):
        events.append(event)
        if event.name == "content_delta" and not killed:
            eventually(lambda: has_written_down(shared, turn_id), 20, "the question is in the transcript")
            killed = time.monotonic()
            os.kill(pid, signal.SIGKILL)
    assert events[-1].name == "error"
    assert events[-1].data["code"] == "pane_died"
    assert time.monotonic() - killed < 20
    events = shared.turn("scene:remember")
    assert text_of(events) == "I remember 3 prompts."
