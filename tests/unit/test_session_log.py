"""The log of a session says when its model was started, forgot and began turns by itself; one translator reads it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from paliadin.turnlog.append import append
from paliadin.turnlog.session_log import Branched, Cleared, Compacting, Memory, OwnTurn, SessionLog, Started, translate


def start(at: object, source: str, conversation: str = "a") -> dict[str, Any]:
    return {"at": at, "hook": {"hook_event_name": "SessionStart", "source": source, "session_id": conversation}}


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        (start(7, "resume"), Started(7, "resume", "a")),
        ({"at": 7, "hook": {"hook_event_name": "PreCompact"}}, Compacting(7)),
        ({"at": 7, "cleared": True}, Cleared(7)),
        ({"own_turn": "x"}, OwnTurn("x")),
        ({"at": 7, "branched": {"session_id": "b", "transcript_path": "/t"}}, Branched("b", "/t")),
        ({"at": 7, "branched": {"session_id": 3}}, None),
        ({"at": 7, "hook": {"hook_event_name": "SessionEnd"}}, None),
        ({"at": 7, "hook": "SessionStart"}, None),
        ({"at": 7, "cleared": "yes"}, None),
        ({"own_turn": 7}, None),
    ],
)
def test_a_line_is_translated_or_skipped(line: dict[str, Any], entry: object) -> None:
    assert translate(line) == entry


@pytest.mark.parametrize(
    ("lines", "cleared_at"),
    [
        ([], 0),
        ([start(1, "startup")], 0),
        ([start(1, "startup"), start(2, "resume")], 0),
        ([start(1, "startup"), start(2, "clear", "b")], 2),
        ([start(1, "startup"), start(2, "startup", "b")], 2),  # it had no transcript to go on with
        ([start(1, "startup"), start(2, "startup")], 0),
        ([{"at": 3, "cleared": True}], 3),
        ([{"at": 3, "cleared": True}, start("soon", "clear")], 3),
    ],
)
def test_a_model_knows_nothing_from_before_it_was_cleared(lines: list[dict[str, Any]], cleared_at: int) -> None:
    memory = Memory()
    for line in lines:
        if entry := translate(line):
            memory.take(entry)
    assert memory.cleared_at == cleared_at


def test_what_a_relay_notes_is_read_with_the_lines_of_hooks_and_once(tmp_path: Path) -> None:
    log, branched = SessionLog(tmp_path / "main"), Branched("b", "/t", "a")
    log.note_branched(branched)
    append(tmp_path / "main" / "events.jsonl", start(1, "startup"))
    log.note_cleared()
    first, second, third = log.read()
    assert (first, second) == (branched, Started(1, "startup", "a"))
    assert isinstance(third, Cleared)
    assert log.read() == []
    assert json.loads((tmp_path / "main" / "events.jsonl").read_text().split("\n")[1])["branched"] == branched.as_json()
