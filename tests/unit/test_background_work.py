"""What the logs of a session's turns tell of work that goes on behind an idle screen."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from paliadin.relays.terminal.background_work import may_have_background_work
from paliadin.relays.terminal.session_reports import SessionReports
from paliadin.steps.model import Aborted, Accepted, Failed, Settled, Step, Stopped, ToolStarted
from paliadin.turnlog.append import append
from paliadin.turnlog.folder import TurnFolder
from tests.worlds.logs import made_turn

TASKS = [{"id": "b1"}]
NONE = [Accepted(10), Stopped(20), Settled(30)]
GOES_ON = [Accepted(10), Stopped(20, TASKS), Settled(30)]
STOPPED_BY_USER = [Accepted(10), Aborted(20)]
BEGUN = [Accepted(10), ToolStarted(15, "t", "Bash", {"command": "x", "run_in_background": True}), Aborted(20)]
NOT_OVER = [Accepted(10)]
API_FAILED = [Accepted(10), Stopped(20), Failed(20, "upstream_error")]  # its hook names no tasks
AGENT_BEGUN = [Accepted(10), ToolStarted(15, "t", "Agent", {"run_in_background": False}), Aborted(20)]


@pytest.fixture
def reports(tmp_path: Path) -> SessionReports:
    (tmp_path / "main" / "prompts").mkdir(parents=True)
    return SessionReports(tmp_path / "main")


def add_turns(reports: SessionReports, *turns: list[Step]) -> None:
    """The turns of a session, the oldest first; the names of their links are in no order."""
    for number, steps in enumerate(turns):
        folder = made_turn(reports.folder.parent)
        for step in steps:
            folder.log.append(step)
        link = reports.folder / "prompts" / f"{99 - number}"
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
def test_the_newest_turn_that_tells_decides(reports: SessionReports, turns: list[list[Step]], goes_on: bool) -> None:
    add_turns(reports, *turns)
    assert may_have_background_work(reports) is goes_on


def test_what_an_earlier_process_had_begun_ended_with_it(reports: SessionReports) -> None:
    add_turns(reports, GOES_ON)
    start = {"hook_event_name": "SessionStart", "source": "resume", "session_id": "c", "transcript_path": "t"}
    append(reports.folder / "events.jsonl", {"at": 15, "hook": start})
    assert may_have_background_work(reports)
    append(reports.folder / "events.jsonl", {"at": 40, "hook": start})
    assert not may_have_background_work(reports)


def test_a_turn_that_was_deleted_tells_nothing(reports: SessionReports) -> None:
    add_turns(reports, GOES_ON)
    for link in (reports.folder / "prompts").iterdir():
        TurnFolder(reports.folder.parent, link.readlink().name).discard()
    assert not may_have_background_work(reports)
