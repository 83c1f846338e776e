"""From which turn a call comes: of the session's last turns, the one whose log has the call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paliadin.turnlog import calls
from paliadin.turnlog.calls import LATEST, turn_of_call
from paliadin.turnlog.ids import new_turn_id

TOOL = "mcp__paliad__suggest_deadline"


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "PATIENCE", 0.0)


def make_turn(session: Path, *ids: str, tool: str = TOOL, event: str = "PreToolUse") -> str:
    """A turn of the session, whose log has these calls."""
    turn = new_turn_id()
    folder = session.parent / "turns" / turn
    folder.mkdir(parents=True)
    hooks = [{"hook_event_name": event, "tool_use_id": each, "tool_name": tool, "tool_input": {}} for each in ids]
    (folder / "events.jsonl").write_text("".join(f"\n{json.dumps({'at': 1, 'hook': hook})}\n" for hook in hooks))
    (session / "prompts").mkdir(parents=True, exist_ok=True)
    (session / "prompts" / turn).symlink_to(folder)
    return turn


def test_it_is_the_turn_whose_log_has_the_call(tmp_path: Path) -> None:
    session = tmp_path / "main"
    turns = [make_turn(session, f"toolu_{number}") for number in range(LATEST)]
    assert [turn_of_call(session, f"toolu_{number}", TOOL) for number in range(LATEST)] == turns
    make_turn(session)
    assert turn_of_call(session, "toolu_0", TOOL) is None  # too long ago
    assert turn_of_call(session, "toolu_1", TOOL) == turns[1]


def test_another_tool_a_result_or_a_text_with_the_id_is_not_the_call(tmp_path: Path) -> None:
    session = tmp_path / "main"
    make_turn(session, "toolu_1", tool="mcp__paliad__suggest_note")
    make_turn(session, "toolu_2", event="UserPromptSubmit")
    make_turn(session, "x toolu_3")
    for number in (1, 2, 3):
        assert turn_of_call(session, f"toolu_{number}", TOOL) is None


@pytest.mark.parametrize("call_id", ["", "x" * 201, None, 7, ["toolu_1"], {"id": "toolu_1"}, "\ud800", "toolu_"])
def test_what_is_no_id_is_of_no_turn(tmp_path: Path, call_id: object) -> None:
    make_turn(tmp_path / "main", "toolu_1")
    assert turn_of_call(tmp_path / "main", call_id, TOOL) is None


def test_a_session_without_turns_and_links_that_lead_nowhere_have_none(tmp_path: Path) -> None:
    session = tmp_path / "main"
    assert turn_of_call(session, "toolu_1", TOOL) is None
    (session / "prompts").mkdir(parents=True)
    targets = ("..", "/etc/passwd", f"/nowhere/{new_turn_id()}", "ffffffff-ffff-7fff-bfff-ffffffffffff")
    for number, target in enumerate(targets):
        (session / "prompts" / str(number)).symlink_to(target)
    assert turn_of_call(session, "toolu_1", TOOL) is None
    turn = make_turn(session, "toolu_1")
    assert turn_of_call(session, "toolu_1", TOOL) == turn
