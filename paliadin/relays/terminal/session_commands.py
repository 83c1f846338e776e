"""Claude Code's own commands that Paliadin types: `/clear` for a new conversation, `/compact` for a shorter one."""

from __future__ import annotations

import asyncio
import time

from paliadin.base import errors
from paliadin.relays.terminal.pane import Pane
from paliadin.relays.terminal.ready import last_lines
from paliadin.relays.terminal.screen import State

RESET_HINT = "Look at the terminal with `paliadin attach`, then begin a new conversation again."
COMPACT_HINT = "A conversation that has just begun cannot be shortened. `paliadin attach` shows what Claude says."
COMPACT_TIMEOUT = 300.0  # seconds: the model writes a summary of everything
NOTHING_DONE = 3.0  # seconds that Claude is idle after `/compact`, and has not reported that it is done


async def reset(pane: Pane) -> None:
    """Begin a new conversation with `/clear`; raises a RelayError when Claude reports no SessionStart."""
    async with pane.lock:
        await pane.wait_until_ready()  # before it is, the report of its own start may still come
        starts = pane.reports.read().starts
        await pane.keyboard.run_own("/clear", lambda: pane.reports.read().starts > starts, RESET_HINT)


async def compact(pane: Pane) -> None:
    """Have Claude replace the conversation by a summary; raises a RelayError when it does not."""
    async with pane.lock:
        await pane.wait_until_ready()
        reports, begun = pane.reports.read(), time.monotonic()
        starts, compactions = reports.starts, reports.compactions
        idle_since: float | None = None

        def is_done() -> bool:
            return reports.read().starts > starts

        await pane.keyboard.run_own("/compact", lambda: is_done() or reports.compactions > compactions, COMPACT_HINT)
        while not is_done() and time.monotonic() - begun < COMPACT_TIMEOUT:
            screen, now = await pane.look(), time.monotonic()
            idle_since = (idle_since or now) if screen.state is State.READY else None
            if screen.state is State.DEAD or (idle_since and now - idle_since > NOTHING_DONE):
                raise errors.RelayError(
                    f"Claude did not shorten the conversation; it says: {last_lines(screen.text, 3)}",
                    code="not_compacted",
                    hint=COMPACT_HINT,
                )
            await asyncio.sleep(0.1)
        if not is_done():
            raise errors.TurnTimedOut(f"shortening the conversation took longer than {COMPACT_TIMEOUT:.0f} s")
