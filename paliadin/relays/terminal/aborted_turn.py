"""Stop Claude, and end a turn that was stopped or that failed; text that the reader has seen stays."""

from __future__ import annotations

import asyncio
import contextlib
import time

from paliadin.base import errors
from paliadin.base.files import write_text
from paliadin.events.preview import PreviewState
from paliadin.events.reducer import Reducer
from paliadin.relays.terminal.keyboard import Keyboard
from paliadin.relays.terminal.pane import Pane
from paliadin.relays.terminal.screen import Screen
from paliadin.relays.terminal.session_reports import SessionReports
from paliadin.relays.terminal.stopping import Action, Stopping
from paliadin.relays.terminal.token_count import append_usage
from paliadin.relays.turn import Turn, failure
from paliadin.steps.model import Aborted, Unconfirmed
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import now_ms
from paliadin.turnlog.read import LogReader

ESCAPE_TIMEOUT = 15.0  # seconds until Claude has stopped
NEW_MESSAGE = "stopped"  # the id of a message of which no hook has told anything


async def stop_claude(keyboard: Keyboard, turn: Turn, folder: TurnFolder) -> None:
    """Press Escape until Claude has stopped and the composer is empty.

    Returns early when the turn ends by itself. Raises TmuxUnresponsive when Claude does not stop.
    """
    async with keyboard.lock:
        progress, started = turn.progress, time.monotonic()
        stopping = Stopping(turn.prompt, (folder.path / "prompt_id").exists(), started)
        while time.monotonic() - started < ESCAPE_TIMEOUT:
            screen = await keyboard.window.look()
            now = time.monotonic()
            action = stopping.next_action(
                screen,
                now,
                answering=progress.working,
                stopped=progress.stopped,
                interrupted=progress.interrupted,
            )
            if action is Action.DONE:
                return
            if action is Action.ESCAPE:
                await keyboard.window.press("Escape")
            elif action is Action.CLEAR:
                await keyboard.clear(turn.prompt)
                stopping.idle_since = time.monotonic()
            await asyncio.sleep(0.02)
        if not progress.stopped:
            raise errors.TmuxUnresponsive(
                f"Claude did not stop within {ESCAPE_TIMEOUT:.0f} s of pressing Escape",
                hint="Run `paliadin attach` and press Esc there.",
            )


async def end_aborted(reports: SessionReports, turn: Turn, folder: TurnFolder, by: str) -> None:
    """End the turn as stopped by its user (`by`: page or terminal), with the text that was generated until then."""
    with contextlib.suppress(errors.StorageFull):  # the end is worth more than its last words
        if unconfirmed := find_unconfirmed(turn, folder):
            turn.log.append(unconfirmed)
    await append_usage(reports, folder)
    turn.log.append(Aborted(now_ms(), by))


def find_unconfirmed(turn: Turn, folder: TurnFolder) -> Unconfirmed | None:
    """Return the text that was generated and shown, and that no hook has reported; None without live text."""
    lines = LogReader(folder.preview_path).read()
    if not lines:
        return None
    reducer, preview = Reducer(turn.description), PreviewState()
    for step in turn.log.read():
        preview.confirm(reducer.feed(step))
    preview.stopping = True
    for line in lines:
        preview.take(line)
    provisional = preview.shown
    if not provisional.text.strip():
        return None
    return Unconfirmed(now_ms(), preview.message_id(provisional.message) or NEW_MESSAGE, provisional.text)


async def fail_turn(
    pane: Pane, turn: Turn, folder: TurnFolder, error: errors.PaliadinError, screen: Screen | None = None
) -> None:
    """End the turn with the error, and keep the screen's text in screen.txt; `screen` is looked at when it is None."""
    with contextlib.suppress(errors.TmuxUnresponsive):  # no screen to keep
        write_text(folder.path / "screen.txt", (screen or await pane.look()).text)
    await append_usage(pane.reports, folder)
    turn.log.append(failure(error))
