"""What the logs of a session's turns tell of work that goes on behind an idle screen."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from paliadin.base.settings import ensure_home, load_settings
from paliadin.relays.terminal.background_work import may_go_on
from paliadin.relays.terminal.pane import Pane
from paliadin.relays.terminal.tmux import TmuxServer
from paliadin.steps.model import Aborted, Accepted, Failed, Settled, Step, Stopped, ToolStarted
from paliadin.turnlog.append import append
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id

TASKS = [{"id": "b1"}]
NONE = [Accepted(10), Stopped(20), Settled(30)]
GOES_ON = [Accepted(10), Stopped(20, TASKS), Settled(30)]
STOPPED_BY_USER = [Accepted(10), Aborted(20)]
BEGUN = [Accepted(10), ToolStarted(15, "t", "Bash", {"command": "x", "run_in_background": True}), Aborted(20)]
NOT_OVER = [Accepted(10)]
API_FAILED = [Accepted(10), Stopped(20), Failed(20, "upstream_error")]  # its hook names no tasks
AGENT_BEGUN = [Accepted(10), ToolStarted(15, "t", "Agent", {"run_in_background": False}), Aborted(20)]


@pytest.fixture
def pane(tmp_path: Path) -> Pane:
    settings = load_settings({"PALIADIN_HOME": str(tmp_path)})
    ensure_home(settings)
    pane = Pane(settings, TmuxServer("none", "none"), tmp_path, "main", None)
    pane._make_folders()
    return pane


def add_turns(pane: Pane, *turns: list[Step]) -> None:
    """The turns of a session, the oldest first; the names of their links are in no order."""
    for number, steps in enumerate(turns):
        folder = TurnFolder(pane._settings.response_dir, new_turn_id())
        folder.create(Description.parse({"turn_id": folder.turn_id}))
        for step in steps:
            folder.log.append(step)
        link = pane.folder / "prompts" / f"{99 - number}"
        link.symlink_to(folder.path)
        os.utime(link, (number, number), follow_symlinks=False)


@pytest.mark.parametrize(
    ("turns", "goes_on"),
    [
        ([], False),
        ([NONE], False),
        ([GOES_ON], True),
        ([GOES_ON, NONE], False),
        ([NONE, GOES_ON], True),
        ([NONE, STOPPED_BY_USER], False),
        ([GOES_ON, STOPPED_BY_USER], True),
        ([NONE, BEGUN], True),
        ([BEGUN, NONE], False),
        ([NONE, NOT_OVER], True),
        ([NONE, []], False),
        ([GOES_ON, API_FAILED], True),
        ([NONE, API_FAILED], False),
        ([NONE, AGENT_BEGUN], True),
    ],
)
def test_the_newest_turn_that_tells_decides(pane: Pane, turns: list[list[Step]], goes_on: bool) -> None:
    add_turns(pane, *turns)
    assert may_go_on(pane) is goes_on


def test_what_an_earlier_process_had_begun_ended_with_it(pane: Pane) -> None:
    add_turns(pane, GOES_ON)
    start = {"hook_event_name": "SessionStart", "source": "resume", "session_id": "c", "transcript_path": "t"}
    append(pane.folder / "events.jsonl", {"at": 15, "hook": start})
    assert may_go_on(pane)
    append(pane.folder / "events.jsonl", {"at": 40, "hook": start})
    assert not may_go_on(pane)


def test_a_turn_that_was_deleted_tells_nothing(pane: Pane) -> None:
    add_turns(pane, GOES_ON)
    for link in (pane.folder / "prompts").iterdir():
        TurnFolder(pane._settings.response_dir, link.readlink().name).discard()
    assert not may_go_on(pane)
