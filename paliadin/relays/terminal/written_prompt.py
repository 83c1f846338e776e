"""Tell whether Claude Code has written a session's last prompt to its transcript: without that it forgets the prompt.

On a busy machine it may write it seconds after its answer; 2.1.197 makes the file only then.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from paliadin.base.errors import NotFound, RelayError
from paliadin.relays.terminal.background_work import newest_prompts
from paliadin.relays.terminal.session_reports import SessionReports
from paliadin.relays.terminal.transcript_files import Environment, locate, reading
from paliadin.steps.model import Stopped, StopReported, Text, ToolStarted
from paliadin.turnlog.log import FileTurnLog
from paliadin.turnlog.read import LogReader

PATIENCE = 2.0  # seconds; whoever wants to park tries again later
LOOK_EVERY = 0.1  # seconds
_ANSWERED = (StopReported, Stopped, Text, ToolStarted)


async def wait_until_written(reports: SessionReports, environment: Environment) -> bool:
    """Wait, for PATIENCE at most, until the last prompt is in the transcript; returns if it is."""
    deadline = time.monotonic() + PATIENCE
    while not await asyncio.to_thread(is_written, reports, environment):
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(LOOK_EVERY)
    return True


def is_written(reports: SessionReports, environment: Environment) -> bool:
    """Tell whether the transcript that would be resumed holds the last prompt to which Claude has begun an answer.

    Claude Code need not keep a prompt that was stopped or blocked before that. After /clear there is none yet.
    """
    reports.read()
    for prompt in newest_prompts(reports.folder):
        log = prompt / "events.jsonl"
        if any(isinstance(step, _ANSWERED) for step in FileTurnLog(log).read()):
            path = _transcript_of(log)
            return path is None or path != reports.transcript or _holds(path, prompt.name, environment)
    return True


def _transcript_of(log: Path) -> str | None:
    """Return the path of the transcript that the turn's hooks name; None if none does."""
    for line in LogReader(log).read():
        hook = line.get("hook")
        if isinstance(hook, dict) and isinstance(hook.get("transcript_path"), str):
            return str(hook["transcript_path"])
    return None


def _holds(path: str, prompt_id: str, environment: Environment) -> bool:
    """True if the transcript has an entry of this prompt. In a text the quotes would be escaped."""
    named = f'"promptId":"{prompt_id}"'.encode()
    try:
        with reading(locate(path, environment)) as lines:
            return any(named in line for line in lines)
    except NotFound:
        return False
    except RelayError:  # the owner keeps it where we do not look into it
        return Path(path).is_file()
