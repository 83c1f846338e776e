"""Count a turn's tokens where the Stop hook has not: it did not run, or was ended. Runs that hook's own script."""

from __future__ import annotations

import sys

from paliadin.base.processes import run_for
from paliadin.base.settings import resource_folder
from paliadin.relays.terminal.session_reports import SessionReports
from paliadin.turnlog.folder import TurnFolder

TIMEOUT = 5.0  # seconds


async def append_usage(reports: SessionReports, turn: TurnFolder, *, after_stop: bool = False) -> None:
    """Append a `usage` line to the turn's log; does nothing when the prompt never arrived.

    `after_stop`: Claude has just reported that it stopped, so the end of its transcript is waited for, too.
    """
    reports.read()
    prompt_id = turn.path / "prompt_id"
    if reports.transcript is None or not prompt_id.is_file():
        return
    script = resource_folder("skill") / "hooks" / "usage.py"
    event = ["Stop"] if after_stop else []
    arguments = ["-I", "-S", str(script), *event, reports.transcript, prompt_id.read_text("ascii"), str(turn.log.path)]
    await run_for(TIMEOUT, [sys.executable, *arguments])
