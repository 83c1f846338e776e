"""Watches over a running turn: writes steps into its log that no hook reports and only the screen shows."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import time
from dataclasses import dataclass, field

from paliadin.base import errors
from paliadin.base.files import write_json
from paliadin.base.settings import Settings
from paliadin.base.visible_text import escape_invisible
from paliadin.relays.terminal.aborted_turn import end_aborted, fail_turn, stop_claude
from paliadin.relays.terminal.composer import holds_exactly
from paliadin.relays.terminal.pane import Pane
from paliadin.relays.terminal.screen import DIALOGS, Screen, State
from paliadin.relays.terminal.token_count import append_usage
from paliadin.relays.terminal.transcript_witness import TranscriptWitness
from paliadin.relays.terminal.turn_transcript import TurnTranscript
from paliadin.relays.terminal.unreported_dialog import UnreportedDialog
from paliadin.relays.turn import Turn
from paliadin.steps.model import DialogOpened, Settled
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import now_ms

# All in seconds.
LOOK_EVERY = 0.4
LATE_TEXT = 3.0  # after Stop
OWN_COUNT = 1.5  # after Stop, until we count ourselves: an Escape while its hook ran may have ended the hook's count
LATE_COUNT = 12.0  # of tokens, after Stop: usage.py waits for 10
IDLE = 2.0  # an idle screen without Stop for this long means that somebody ended the turn in the terminal
SILENT = 10.0  # the same, when nothing shows that somebody ended it, or that Claude has begun to work
LOOK_SOON = 0.05  # while it is to be found out whether a message counts, or if a hook tells of a new dialog

RESTING = frozenset({State.READY, State.DRAFT, State.NOT_LOGGED_IN, State.DEAD})
_INTERRUPTED = re.compile(r"\s*⎿\s+Interrupted\b")


@dataclass
class TurnWatcher:
    """Follows one turn until its log is complete."""

    pane: Pane
    turn: Turn
    folder: TurnFolder
    settings: Settings
    transcript: TurnTranscript
    _seen_steps: int = 0
    _seen_changes: int = 0  # of interrupts
    _idle_since: float | None = None
    _dialog_seen: bool = False  # on the screen, since an interrupt last began or ended
    _dialog_closed_at: float | None = None
    _claude_stopped_at: float | None = None
    _counted_here: bool = False  # we have counted, or tried to
    _disk_was_full: bool = False  # at some moment: hooks may have lost lines
    _working: bool = False  # Claude was seen at work; until then the screen may be older than the question
    _unreported: UnreportedDialog = field(init=False)
    _witness: TranscriptWitness = field(init=False)
    _timeout_from: float = field(default_factory=time.monotonic)  # moved on while Claude waits for a reply

    def __post_init__(self) -> None:
        self._unreported = UnreportedDialog(shows_text=not self.pane.launch.for_member)
        self._witness = TranscriptWitness(self.turn, self.folder, self.transcript)

    async def run(self) -> None:
        """Watch until the turn's log is complete. Raises NotFound when the turn's folder is gone, StorageFull."""
        while not self._ended:
            self._check_storage()
            self.pane.launch.restore_files(self.folder)
            screen = await self.pane.look()
            await self.pane.keep_pass_through()
            await self._witness.append_new_steps(self.pane.reports.read().transcript)
            await self._note_dialog(screen)
            self._take_progress()  # with no pause before the checks: both see the same steps
            await self._check(screen)
            await self._pause()

    async def _pause(self) -> None:
        """Wait until the next look, which is at once when a message comes into doubt or a dialog opens."""
        if self._witness.in_doubt or self._unreported.is_coming:
            await asyncio.sleep(LOOK_SOON)
        else:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.turn.progress.in_doubt.wait(), LOOK_EVERY)

    @property
    def _ended(self) -> bool:
        return self.turn.progress.ended.is_set()

    def _take_progress(self) -> None:
        """Restart the timers that new steps make obsolete."""
        progress = self.turn.progress
        self._working = self._working or progress.working
        if progress.count != self._seen_steps:
            self._seen_steps, self._idle_since = progress.count, None
        if progress.interrupt_changes != self._seen_changes:
            self._seen_changes = progress.interrupt_changes
            self._dialog_seen, self._dialog_closed_at = False, None  # the next one is still to be drawn

    async def _note_dialog(self, screen: Screen) -> None:
        """Log a dialog that no hook reports, and its end. The turn's timeout pauses meanwhile."""
        progress, now = self.turn.progress, time.monotonic()
        step = self._unreported.next_step(screen, progress, now)
        opens = isinstance(step, DialogOpened) and progress.dialog is None
        if opens and await self.pane.runs_hook() and self._unreported.wait_for_hook(now):
            step = None
        if step and not self._ended:
            self.turn.log.append(step)
        self.pane.asks_unreported = progress.dialog is not None or isinstance(step, DialogOpened)
        if progress.dialog and now_ms() - progress.dialog.at < 1000 * self.settings.interrupt_timeout:
            self._timeout_from += LOOK_EVERY

    def forget_screen(self) -> None:
        """Reset the timers of what the screen shows; call it when tmux did not respond for a while."""
        self._idle_since = self._dialog_closed_at = None

    def _check_storage(self) -> None:
        try:
            self._disk_was_full = self._disk_was_full or shutil.disk_usage(self.folder.path).free == 0
        except FileNotFoundError as error:
            raise errors.NotFound(
                "the turn's folder was deleted while it ran",
                code="unknown_turn",
                hint="Ask again; Claude was not disturbed.",
            ) from error

    async def _check(self, screen: Screen) -> None:
        """Compare log and screen, and append the steps that the log lacks."""
        now, progress = time.monotonic(), self.turn.progress
        self._claude_stopped_at = self._claude_stopped_at if progress.stop_reported else None
        if progress.stopped or (progress.stop_reported and screen.state in RESTING):
            await self._wait_for_the_end(now)
        elif screen.state is State.DEAD:
            await self._fail(errors.PaneDied("Claude ended in the middle of the turn"), screen)
        elif self._is_held_up(screen):
            self._timeout_from += LOOK_EVERY
            self._check_dialog(screen, now)
        elif now - self._timeout_from > self.settings.turn_timeout:
            await self._time_out(screen)
        elif screen.state in {State.READY, State.DRAFT, State.NOT_LOGGED_IN}:
            await self._check_idle(screen, now)
        else:
            self._idle_since = None
            self._working = self._working or screen.state is State.BUSY or screen.state in DIALOGS

    async def _wait_for_the_end(self, now: float) -> None:
        """Count the tokens if no hook has, and end the turn when the lines that are missing after Stop do not come."""
        self._claude_stopped_at = self._claude_stopped_at or now
        waited, counted = now - self._claude_stopped_at, self.turn.progress.counted
        if waited > (LATE_TEXT if counted else LATE_COUNT):
            self.turn.log.append(Settled(now_ms()))
        elif waited > OWN_COUNT and not counted and not self._counted_here:
            self._counted_here = True
            await append_usage(self.pane.reports, self.folder, after_stop=True)

    def _is_held_up(self, screen: Screen) -> bool:
        """True while Claude itself waits for a reply. An agent in the background holds up nothing."""
        waiting = self.turn.progress.open_interrupts.values()
        if any(interrupt.agent is None for interrupt in waiting):
            return True
        return bool(waiting) and (screen.state in DIALOGS or self._dialog_seen)

    def _check_dialog(self, screen: Screen, now: float) -> None:
        """Release the hooks that wait for a reply once the dialog is closed: none reports a "Yes" in the terminal.

        A dialog that was not seen yet may still come: on a busy machine it is drawn late.
        """
        if screen.state in DIALOGS or screen.state is State.SUSPENDED:
            self._dialog_seen = self._dialog_seen or screen.state in DIALOGS
            self._dialog_closed_at = None
            return
        self._dialog_closed_at = self._dialog_closed_at or now
        if now - self._dialog_closed_at > (2 * LOOK_EVERY if self._dialog_seen else SILENT):
            for interrupt_id in self._with_dialog():
                write_json(self.folder.path / "answers" / f"{interrupt_id}.json", {"by": "terminal"})

    def _with_dialog(self) -> list[str]:
        """Return the interrupts whose dialog has closed: of several, Claude's own; an agent's may have had none."""
        waiting = self.turn.progress.open_interrupts
        return [each for each, interrupt in waiting.items() if interrupt.agent is None] or list(waiting)

    async def _check_idle(self, screen: Screen, now: float) -> None:
        """End the turn when Claude stays idle: no hook reports Escape in the terminal, or a Stop that the disk lost.

        An Escape before the first token puts the question back into the composer.
        """
        self._idle_since = self._idle_since or now
        idle, limit = now - self._idle_since, IDLE if self._working else SILENT
        replied_there = self.turn.progress.replied_by == "terminal"  # the dialog was closed by Escape, "No" or "Yes"
        prompt = self.turn.prompt
        interrupted = replied_there or self._shows_interruption(screen) or holds_exactly(screen, prompt)
        if self.transcript.stopped_by:
            await self._end_by_hook(screen, self.transcript.stopped_by)
        elif idle > limit and self._was_joined():
            self.turn.log.append(Settled(now_ms()))
        elif idle > limit and self._was_restarted():  # its screen shows the conversation, so also earlier interruptions
            await self._fail(errors.PaneDied("Claude ended in the middle of the turn, and was started again"), screen)
        elif idle > limit and interrupted:
            async with self.pane.lock:
                await self.pane.keyboard.clear(prompt)
            if not self._ended:
                await end_aborted(self.pane.reports, self.turn, self.folder, "terminal")
        elif idle > limit and self._disk_was_full:
            await self._fail(
                errors.StorageFull("the disk was full while Claude answered: the end of the answer was lost"), screen
            )
        elif idle > SILENT:
            message = f"Claude has been idle for {SILENT:.0f} s, but its Stop hook never reported"
            error = errors.TurnTimedOut(message, hint=errors.SubmitFailed.default_hint)
            await self._fail(error, screen)

    def _was_joined(self) -> bool:
        """True for an agent's report that Claude has answered together with the next one."""
        return self.turn.origin == "agent" and not self.turn.progress.working

    def _shows_interruption(self, screen: Screen) -> bool:
        """True if somebody pressed Escape, by the transcript, or by the conversation's last line on the screen."""
        conversation, _, _ = screen.text.rpartition("\n❯")
        lines = [line for line in conversation.split("\n") if line.strip(" ─")]
        return self.transcript.interrupted or any(map(_INTERRUPTED.match, lines[-2:]))

    async def _end_by_hook(self, screen: Screen, words: str) -> None:
        """End the turn with the words of the owner's hook that blocked the question, or stopped Claude."""
        async with self.pane.lock:
            await self.pane.keyboard.clear(self.turn.prompt)  # 2.1.330 puts a question back that a hook has blocked
        await self._fail(
            errors.StoppedByHook(f"a hook of your Claude Code stopped this: {escape_invisible(words)}"), screen
        )

    def _was_restarted(self) -> bool:
        """True when this Claude was started after its predecessor got the question, as after a reboot."""
        delivered = self.folder.path / "prompt_id"
        return delivered.exists() and self.pane.reports.read().started_ms > delivered.stat().st_mtime_ns // 1_000_000

    async def _time_out(self, screen: Screen) -> None:
        """Interrupt a turn that took longer than PALIADIN_TURN_TIMEOUT."""
        await stop_claude(self.pane.keyboard, self.turn, self.folder)
        limit = f"{self.settings.turn_timeout:.0f} s"
        await self._fail(errors.TurnTimedOut(f"the turn took longer than {limit}"), screen)

    async def _fail(self, error: errors.PaliadinError, screen: Screen) -> None:
        if not self._ended:
            await fail_turn(self.pane, self.turn, self.folder, error, screen)
