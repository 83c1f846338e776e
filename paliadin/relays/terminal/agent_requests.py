"""Watch over a turn in which an agent asks the user, whatever Claude itself does meanwhile.

The hook that waits for the reply ends such a turn; this module ends it if that hook is gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import time

from paliadin.base import errors
from paliadin.relays.terminal.pane import Pane
from paliadin.relays.terminal.screen import State
from paliadin.relays.turn import Turn, failure
from paliadin.steps.model import Aborted
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import now_ms, started_ms

# All in seconds.
LOOK_EVERY = 2.0
LATE = 60.0  # after the hook should have given up
HOOK_PATIENCE = 3.0  # for a hook that has its reply


async def watch(pane: Pane, turn: Turn, folder: TurnFolder, hook_timeout: float) -> None:
    """Wait until the turn has ended; end it once the Claude that asks is gone, or `hook_timeout` is long over.

    The screen shows no dialog of an agent in the background, so only Claude's process is looked at. Raises NotFound
    when the turn's folder is gone, StorageFull.
    """
    deadline = time.monotonic() + hook_timeout + LATE
    while not await _has_ended(turn, LOOK_EVERY):
        if not folder.path.is_dir():
            raise errors.NotFound("the turn's folder was deleted while it ran", code="unknown_turn", hint="")
        with contextlib.suppress(errors.TmuxUnresponsive):
            if await _is_gone(pane, turn) and not await _has_ended(turn, HOOK_PATIENCE):
                turn.log.append(failure(errors.PaneDied("Claude ended while one of its agents waited for a reply")))
        if time.monotonic() > deadline:
            turn.log.append(Aborted(now_ms(), "timeout"))


async def wait_for_hook(turn: Turn) -> None:
    """Wait until the hook has ended the turn, or end it if the hook is gone."""
    if not await _has_ended(turn, HOOK_PATIENCE):
        turn.log.append(Aborted(now_ms(), "page"))


async def _has_ended(turn: Turn, seconds: float) -> bool:
    """Wait for the turn's end, for `seconds` at most; tells whether it has ended."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await turn.progress.ended.wait()
    return turn.progress.ended.is_set()


async def _is_gone(pane: Pane, turn: Turn) -> bool:
    """True if Claude does not run, or has been started since it asked."""
    if (await pane.look()).state is State.DEAD:
        return True
    return pane.reports.read().started_ms > started_ms(turn.id)
