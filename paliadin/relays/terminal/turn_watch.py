"""Watches over a turn that runs: what no hook tells is seen on the screen, and written into the turn's log."""

from __future__ import annotations

import asyncio
import shutil
import time
from dataclasses import dataclass, field

from paliadin import errors
from paliadin.config import Settings
from paliadin.reduce import Reducer
from paliadin.relay.composer import is_ours
from paliadin.relay.keyboard import Keyboard
from paliadin.relay.screen import DIALOGS, Screen, State
from paliadin.relay.usage import count_tokens
from paliadin.turnlog import LogReader, TurnFolder, hook_event, write_json, write_text

LOOK_EVERY = 0.4  # seconds
SETTLE = 3.0  # after Stop, for late text and the token count
IDLE = 2.0  # an idle screen without a Stop, for so long: the turn was ended in the terminal
SILENT = 10.0  # the same, without any sign that somebody ended it, or that Claude has begun


@dataclass
class Watch:
    pane: Keyboard
    turn: TurnFolder
    text: str  # what was typed, to know it again in the composer
    settings: Settings
    _idle_since: float | None = None
    _closed_since: float | None = None
    _stopped_at: float | None = None
    _was_full: bool = False  # the disk was, for a moment at least: hooks may have lost lines
    _begun_work: bool = False  # seen; until then the screen may be older than the question
    _refused: bool = False  # the last question was closed in the terminal, by Escape or "No"
    _begun: float = field(default_factory=time.monotonic)  # moved on by the time that the user's answers took

    def __post_init__(self) -> None:
        self._log = LogReader(self.turn.log)
        self._reducer = Reducer({})

    async def run(self) -> None:
        """Until the turn's log has its end. Raises NotFound when the turn's folder is gone, StorageFull."""
        while not self._read():
            self._check_storage()
            self.pane.mend(self.turn)
            screen = await self.pane.look()
            await self._check(screen)
            await asyncio.sleep(LOOK_EVERY)

    def _read(self) -> bool:
        lines = self._log.read()
        for line in lines:
            self._reducer.feed(line)
            self._refused = line.get("by") == "terminal" if "answer" in line else self._refused
            self._begun_work = self._begun_work or hook_event(line) in {"MessageDisplay", "PreToolUse"}
        if lines:
            self._idle_since = None
        return self._reducer.ended

    def _check_storage(self) -> None:
        try:
            self._was_full = self._was_full or shutil.disk_usage(self.turn.path).free == 0
        except FileNotFoundError as error:
            raise errors.NotFound(
                "the turn's folder was deleted while it ran",
                code="unknown_turn",
                hint="Ask again; Claude was not disturbed.",
            ) from error

    async def _check(self, screen: Screen) -> None:
        now = time.monotonic()
        if self._reducer.stopped:
            self._stopped_at = self._stopped_at or now
            if now - self._stopped_at > SETTLE:
                self.turn.append(relay={"kind": "settled"})
        elif screen.state is State.DEAD:
            await self._fail(errors.PaneDied("Claude ended in the middle of the turn"), screen)
        elif self._reducer.open_interrupts:
            self._begun += LOOK_EVERY
            self._answered_in_terminal(screen, now)
        elif now - self._begun > self.settings.turn_timeout:
            await self._time_out(screen)
        elif screen.state in {State.READY, State.DRAFT, State.NOT_LOGGED_IN}:
            await self._idle(screen, now)
        else:
            self._idle_since = None
            self._begun_work = self._begun_work or screen.state is State.BUSY or screen.state in DIALOGS

    def _answered_in_terminal(self, screen: Screen, now: float) -> None:
        """The dialog is gone, but its hook still waits: nothing told it that "Yes" was chosen in the terminal."""
        if screen.state in DIALOGS or screen.state is State.STOPPED:
            self._closed_since = None
            return
        self._closed_since = self._closed_since or now
        if now - self._closed_since > 2 * LOOK_EVERY:
            for interrupt in self._reducer.open_interrupts:
                write_json(self.turn.path / "answers" / f"{interrupt['id']}.json", {"by": "terminal"})

    async def _idle(self, screen: Screen, now: float) -> None:
        """No hook tells of Escape in the terminal; before the first token it puts the question back."""
        self._idle_since = self._idle_since or now
        quiet, patience = now - self._idle_since, IDLE if self._begun_work else SILENT
        interrupted = self._refused or "Interrupted" in screen.text or is_ours(screen, self.text)
        if quiet > patience and interrupted:
            async with self.pane.lock:
                await self.pane.clear(self.text)
            await self._close(relay={"kind": "aborted", "by": "terminal"})
        elif quiet > patience and self._was_full:
            await self._fail(errors.StorageFull("the disk was full while Claude answered: its end was lost"), screen)
        elif quiet > SILENT:
            error = errors.SubmitFailed("Claude is idle, but never reported the end of this turn", code="timeout")
            await self._fail(error, screen)

    async def _time_out(self, screen: Screen) -> None:
        await self.pane.interrupt(self.turn, self.text)
        limit = f"{self.settings.turn_timeout:.0f} s"
        await self._fail(errors.SubmitFailed(f"the turn took longer than {limit}", code="timeout", hint=""), screen)

    async def _fail(self, error: errors.PaliadinError, screen: Screen) -> None:
        if not self._read():
            await fail(self.pane, self.turn, error, screen)

    async def _close(self, **record: object) -> None:
        if not self._read():
            await count_tokens(self.pane, self.turn)
            self.turn.append(**record)


async def fail(pane: Keyboard, turn: TurnFolder, error: errors.PaliadinError, screen: Screen | None = None) -> None:
    """End the turn with its code, and keep what the screen showed."""
    screen = screen or await pane.look()
    write_text(turn.path / "screen.txt", screen.text)
    await count_tokens(pane, turn)
    failure = {"kind": "failed", "code": error.error_code, "message": error.message}
    turn.append(relay=failure | ({"hint": error.hint} if error.hint else {}))
