"""What the transcript says of a turn beside the hooks, and whether Paliadin's Stop hook is the only one."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from paliadin.relays.terminal.stop_hooks import StopHooks
from paliadin.relays.terminal.turn_transcript import MAX_JOINED, MAX_WORDS, TurnTranscript

TURN = "01a224eb-9a7f-718c-b7a1-64b61e8ddcdc"
PROMPT = {"type": "user", "promptId": "p1", "message": {"content": f"[PALIADIN:{TURN}] Hi"}}
END = {"type": "system", "subtype": "turn_duration"}


class Room:
    """Claude's folder with one transcript."""

    def __init__(self, home: Path) -> None:
        self.environment = {"HOME": str(home)}
        folder = home / ".claude/projects/-w"
        folder.mkdir(parents=True)
        self.path = folder / "2026aaaa-0000-4000-8000-000000000001.jsonl"
        self.seen = TurnTranscript(TURN, self.environment)
        self.entries = 0

    def write(self, *entries: dict[str, Any] | str) -> None:
        """Write entries, each of which follows the one before."""
        self.put(*(each if isinstance(each, str) else self.chained(each) for each in entries))

    def chained(self, entry: dict[str, Any]) -> dict[str, Any]:
        self.entries += 1
        parent = f"u{self.entries - 1}" if self.entries > 1 else None
        return {"uuid": f"u{self.entries}", "parentUuid": parent, **entry}

    def put(self, *entries: dict[str, Any] | str) -> None:
        """Write entries as they are."""
        with self.path.open("a") as file:
            file.writelines(each if isinstance(each, str) else json.dumps(each) + "\n" for each in entries)

    def read(self) -> TurnTranscript:
        self.seen.read(str(self.path), "p1")
        return self.seen


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def said(text: str, message: str = "a") -> dict[str, Any]:
    return {"type": "assistant", "message": {"id": message, "content": [{"type": "text", "text": text}]}}


def attached(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": "attachment", "attachment": {"type": kind, **fields}}


def test_a_message_is_counted_once_it_is_whole_whatever_its_blanks(room: Room) -> None:
    room.write(
        {**PROMPT, "promptId": "p0"}, said("of another turn"), PROMPT, said("One.\n\nTwo", "a"), said(" three", "a")
    )
    assert room.read().count("One.Twothree") == 1
    assert room.read().count("ofanotherturn") == 0
    room.write(said("One. Two three", "b"))
    assert room.read().count("One.Twothree") == 2


def test_what_is_written_in_pieces_is_read_in_pieces(room: Room) -> None:
    line = json.dumps(room.chained(PROMPT)) + "\n"
    room.write(line[:20])
    assert not room.read().begun
    room.write(line[20:])
    assert room.read().begun


def test_the_turn_is_over_with_its_own_end_and_not_with_that_of_another(room: Room) -> None:
    room.write(END, PROMPT)
    assert not room.read().over
    room.write({**PROMPT, "promptId": "p2"}, END)
    assert not room.read().over
    room.write(PROMPT, END)
    assert room.read().over


@pytest.mark.parametrize("order", [(0, 4, 1, 2, 3), (4, 3, 2, 1, 0), (1, 4, 0, 3, 2)])
def test_a_first_turn_in_any_order_is_over_once_all_of_it_is_there(room: Room, order: tuple[int, ...]) -> None:
    result = {**PROMPT, "message": {"content": [{"type": "tool_result"}]}}
    entries = [room.chained(each) for each in (PROMPT, said("One", "a"), result, said("Two", "b"), END)]
    for number in order:
        assert not room.read().over
        room.put(entries[number])
    assert room.read().over
    assert [room.read().count(text) for text in ("One", "Two")] == [1, 1]


def test_a_turn_that_was_compacted_in_its_middle_is_over_with_its_end(room: Room) -> None:
    room.write(PROMPT, said("One", "a"))
    boundary = {"type": "system", "subtype": "compact_boundary", "parentUuid": None}
    room.write({**boundary, "logicalParentUuid": "not written"}, said("Two", "b"), END)
    assert room.read().over


def test_prompts_that_a_person_typed_and_that_joined_are_told_in_their_order(room: Room) -> None:
    person = {"origin": {"kind": "human"}}
    other = attached("queued_command", prompt="a task's report", origin={"kind": "task"})
    joined = [attached("queued_command", prompt=text, **person) for text in ("first", "x" * 2 * MAX_JOINED)]
    calls = [{"type": "tool_use", "id": call, "name": "Read"} for call in ("t1", "t2")]
    used = {"type": "assistant", "message": {"id": "a", "content": calls}}
    room.write(PROMPT, joined[0], other, used, joined[1])
    assert room.read().joined == [("first", None), ("x" * MAX_JOINED, "t2")]


def test_an_interruption_is_that_of_this_turn(room: Room) -> None:
    text = "[Request interrupted by user for tool use]"
    interruption = {**PROMPT, "message": {"content": [{"type": "text", "text": text}]}}
    room.write({**interruption, "promptId": "p0"}, PROMPT)
    assert not room.read().interrupted
    room.write(interruption)
    assert room.read().interrupted


def test_a_turn_was_interrupted_that_the_interruption_follows_whatever_id_it_has(room: Room) -> None:
    """2.1.330 gives it the id of what was typed meanwhile, and writes that first or last."""
    stopped = {
        "type": "user",
        "promptId": "p2",
        "message": {"content": [{"type": "text", "text": "[Request interrupted by user]"}]},
    }
    typed = {"type": "user", "promptId": "p2", "message": {"content": "typed meanwhile"}}
    room.put({**PROMPT, "uuid": "a", "parentUuid": None}, {**said("Let me"), "uuid": "b", "parentUuid": "a"})
    room.put({**typed, "uuid": "c", "parentUuid": "b"})
    assert not room.read().interrupted
    room.put({**stopped, "uuid": "d", "parentUuid": "b"})
    assert room.read().interrupted
    room.seen = TurnTranscript(TURN, room.environment)  # of what was typed
    room.seen.read(str(room.path), "p2")
    assert not room.seen.interrupted
    room.put({**said("It goes"), "uuid": "e", "parentUuid": "d"}, {**END, "uuid": "f", "parentUuid": "e"})
    room.seen.read(str(room.path), "p2")
    assert room.seen.over
    room.put({**stopped, "uuid": "g", "parentUuid": "e"})
    room.seen.read(str(room.path), "p2")
    assert room.seen.interrupted


def test_a_question_that_says_so_itself_was_not_interrupted(room: Room) -> None:
    room.write({**PROMPT, "message": {"content": "[Request interrupted by user] what is that?"}})
    assert not room.read().interrupted


def test_the_words_of_a_hook_that_blocked_this_question_are_told(room: Room) -> None:
    refused = {"type": "system", "subtype": "informational", "preventContinuation": True}
    room.write({**refused, "content": "blocked by hook:\nNo\n\nOriginal prompt: [PALIADIN:another] Hi"})
    assert room.read().stopped_by == ""
    words = "w" * 2 * MAX_WORDS
    told = f"UserPromptSubmit operation blocked by hook:\n[/x/run.sh --all]: {words}"
    room.write({**refused, "content": f"{told}\n\nOriginal prompt: [PALIADIN:{TURN}] Hi"})
    assert room.read().stopped_by == "w" * MAX_WORDS


def test_of_a_question_that_was_typed_the_words_are_told_and_those_of_one_typed_beside_are_not(room: Room) -> None:
    refused = {"type": "system", "subtype": "informational", "preventContinuation": True}
    told = "UserPromptSubmit operation blocked by hook:\nNo\n\nOriginal prompt: "
    room.seen.question = "typed by hand "
    room.write({**refused, "content": told + "another"})
    assert room.read().stopped_by == ""
    room.write({**refused, "content": told + "typed by hand"})
    assert room.read().stopped_by == "No"
    room.write({**PROMPT, "message": {"content": "typed by hand"}})  # the next time it was not blocked
    assert room.read().stopped_by == ""
    room.write({**refused, "content": told + "typed beside"})
    assert room.read().stopped_by == ""


def test_a_hook_that_stops_a_question_and_keeps_it_tells_why(room: Room) -> None:
    stopped = {"type": "system", "subtype": "informational", "preventContinuation": True}
    words = "Operation stopped by hook: Not today"
    room.write({**PROMPT, "promptId": "p0"}, {**stopped, "content": words})
    assert room.read().stopped_by == ""
    room.write(PROMPT, {**PROMPT, "message": {"content": words}}, {**stopped, "content": words})
    assert room.read().stopped_by == "Not today"


def test_a_hook_that_stops_claude_tells_why_but_that_of_its_stop_ends_nothing(room: Room) -> None:
    room.write(PROMPT, attached("hook_stopped_continuation", message="done", hookEvent="Stop"))
    assert room.read().stopped_by == ""
    room.write(attached("hook_stopped_continuation", message="Enough", hookEvent="PostToolUse"))
    assert room.read().stopped_by == "Enough"


def test_what_stood_there_before_the_turn_is_skipped(room: Room) -> None:
    room.write(PROMPT, said("from before"))
    room.seen.skip(str(room.path))
    room.write(said("of nobody"))
    assert not room.read().begun


DEEP = '["parentUuid",' + "[" * 5000
LINES = [
    "null",
    '["parentUuid"]',
    '{"parentUuid": 1, "promptId": 7, "type": "user"}',
    '{"parentUuid"',
    '["parentUuid",' + "[" * 5000,
]


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_is_no_entry_is_passed_over(room: Room, line: str) -> None:
    room.write(PROMPT, f"{line}\n", said("One"))
    assert room.read().count("One") == 1


def test_a_path_that_is_none_of_claudes_own_is_not_read(room: Room, tmp_path: Path) -> None:
    stranger = tmp_path / room.path.name
    stranger.write_text(json.dumps(PROMPT) + "\n")
    room.seen.read(str(stranger), "p1")
    assert not room.seen.begun


def test_our_stop_hook_is_known_to_be_alone_for_this_process_and_these_settings(tmp_path: Path) -> None:
    settings = tmp_path / "home/.claude/settings.json"
    settings.parent.mkdir(parents=True)
    hooks = StopHooks(tmp_path, {"HOME": str(tmp_path / "home")})
    assert not hooks.is_only(7)
    hooks.note(7, 1)
    assert hooks.is_only(7)
    assert not hooks.is_only(8)
    settings.write_text("{}")
    assert not hooks.is_only(7)
    hooks.note(7, 1)
    os.utime(settings, ns=(1, 1))
    assert not hooks.is_only(7)
    for count in (2, None):
        hooks.note(7, count)
        assert not hooks.is_only(7)
