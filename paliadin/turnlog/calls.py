"""Find the turn that a tool's call comes from, in the turn logs and never by the model's word.

Claude Code gives a call's id to an MCP server, and before that to the hook `PreToolUse`, which logs it in the turn of
the prompt that led to it, whether that was asked in Paliadin or typed in the terminal (docs/architecture.md).
"""

from __future__ import annotations

import heapq
import os
import time
from pathlib import Path

from paliadin.base.errors import NotFound
from paliadin.steps.model import ToolStarted
from paliadin.turnlog.ids import check_turn_id
from paliadin.turnlog.log import FileTurnLog

LATEST = 5  # turns of a session that are looked at: the one that runs is the last, but for what runs in the background
PATIENCE = 0.5  # seconds; the hook ends before the call is made, so this is for a machine that hardly runs
LONGEST_ID = 200  # characters


def turn_of_call(session_folder: Path, call_id: object, tool: str) -> str | None:
    """Return the id of the session's turn whose log has this call of the tool, or None. It may block for PATIENCE."""
    if not isinstance(call_id, str) or not 0 < len(call_id) <= LONGEST_ID:
        return None
    deadline = time.monotonic() + PATIENCE
    while True:
        for folder in _latest_turns(session_folder):
            if _has_call(folder / "events.jsonl", call_id, tool):
                return folder.name
        if time.monotonic() > deadline:
            return None
        time.sleep(0.02)


def _has_call(log: Path, call_id: str, tool: str) -> bool:
    try:
        if call_id.encode("utf-8", "replace") not in log.read_bytes():  # most logs; to translate one takes far longer
            return False
    except FileNotFoundError:  # the turn is being deleted
        return False
    started = (step for step in FileTurnLog(log).read() if isinstance(step, ToolStarted))
    return any(step.id == call_id and step.name == tool for step in started)


def _latest_turns(session_folder: Path) -> list[Path]:
    """Return the folders of the session's last turns, newest first: their names, UUIDv7, sort by time."""
    try:
        with os.scandir(session_folder / "prompts") as links:
            targets = [Path(link.path).readlink() for link in links if link.is_symlink()]
    except OSError:
        return []
    return heapq.nlargest(LATEST, filter(_is_of_a_turn, targets), key=lambda path: path.name)


def _is_of_a_turn(folder: Path) -> bool:
    try:
        return bool(check_turn_id(folder.name))
    except NotFound:
        return False
