"""Type into a session's window: a question, Escape, /clear. It looks at the screen before every key."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from functools import partial

from paliadin.base import errors
from paliadin.relays.terminal.background_work import agents_work
from paliadin.relays.terminal.composer import (
    accepted_or_dialog,
    has_accepted,
    has_returned,
    holds_exactly,
    holds_rest,
    may_show_end,
    shows_end,
    shows_part,
    shows_paste,
)
from paliadin.relays.terminal.screen import AT_WORK, DIALOGS, PASSING, Screen, State
from paliadin.relays.terminal.session_reports import SessionReports
from paliadin.relays.terminal.tmux import split_into_bursts
from paliadin.relays.terminal.window import Window
from paliadin.turnlog.append import append_bytes

# All in seconds.
TYPING_TIMEOUT = 8.0  # until the composer shows a burst; on a machine that is busy Claude Code draws late
FIRST_KEYS_TIMEOUT = 40.0  # the same for a Claude that has just started: it draws its screen before it reads any key
REPEAT_TIMEOUT = 0.5  # the same for a burst whose end was on the screen before: it may change nothing there
UNCHANGED_FOR = (0.1, 0.5)  # such a burst counts as taken once the screen is unchanged for this long; at a second try
LATE_DRAWING = 4.0  # until the composer shows the whole text, when it has shown the end: frames may be half drawn
OWN_TURN_TIMEOUT = 600.0  # until a turn is over that Claude has begun by itself while we typed, as on an agent's report
DIALOG_STABLE_FOR = 0.3  # until a dialog is believed: a frame of a long text that is half drawn looks like one
CLEAR_LOOK = 0.3  # until the composer shows what is to be cleared, or that it is empty
ENTER_TIMEOUT = 1.0  # until UserPromptSubmit, before Enter is pressed once more
PROOF_TIMEOUT = 10.0  # until UserPromptSubmit, in all
QUIET_FOR = 1.0  # in which an idle Claude would report what an earlier daemon may have submitted
CLEAR_TIMEOUT = 5.0  # until the composer is empty
MIN_COLUMNS = 40  # of the composer, in characters


class TypingDisturbed(errors.SubmitFailed):
    """The typing was disturbed and can be repeated: a burst became a paste, or the previous question came back."""


class Keyboard:
    """Types into the window of the session whose `reports` these are. `lock` is held while keys are pressed."""

    def __init__(self, window: Window, reports: SessionReports) -> None:
        self.window, self._reports = window, reports
        self.lock = asyncio.Lock()
        self._last_typed = ""  # what was typed last
        self._typed_before = ""  # what was typed before that
        self._reading = 0  # the process of the Claude that was seen to read keys

    def begin(self, text: str) -> None:
        """Note the text that is typed next, to tell it from a previous one that comes back into the composer."""
        self._typed_before, self._last_typed = self._last_typed, text

    def holds_own_text(self, screen: Screen) -> bool:
        """True when the composer holds the text that we typed last, or a part of it that Claude has drawn so far."""
        return holds_exactly(screen, self._last_typed) or holds_rest(screen, self._last_typed)

    async def clear_last(self) -> None:
        """Remove the text that we typed last from the composer."""
        await self.clear(self._last_typed)

    async def type_text(self, text: str, ready: Screen, cancelled: Callable[[], bool], unchanged_for: float) -> bool:
        """Type burst by burst, each once the composer shows the one before; return False when it was cancelled.

        Claude Code takes two bursts that it reads at once, as on a loaded machine, for a paste. `ready` is the screen
        before, `unchanged_for` one of UNCHANGED_FOR. Raises TypingDisturbed or another RelayError when the composer
        does not hold the text.
        """
        typed, screen = "", ready
        submittable = text + " "  # Enter right after "\\" or "@name" would not submit
        for burst in split_into_bursts(submittable):
            typed, before = typed + burst, screen
            repeats = may_show_end(before, typed)
            await self.window.type(burst)
            is_shown = partial(_is_shown, text=typed, before=before, cancelled=cancelled)
            screen = await self.window.look_until(is_shown, REPEAT_TIMEOUT if repeats else self._patience, 0.002)
            if screen.state in DIALOGS:  # or a half-drawn frame of a long draft
                screen = await self.window.look_until(
                    partial(has_accepted, text=typed, before=before), DIALOG_STABLE_FOR
                )
            if repeats:
                screen = await self._wait_until_unchanged(screen, unchanged_for)
            if screen.state is not State.DRAFT or cancelled():
                break
            self._reading = self.window.claude
        settled = partial(self._is_settled, text=text, typed=typed)
        if screen.state is State.DRAFT and not cancelled():
            screen = await self.window.look_until(settled, LATE_DRAWING)
        if is_overtaken := screen.state in AT_WORK and not cancelled():  # what is typed stands below Claude's own turn
            await self.window.look_until(lambda now: cancelled() or now.state not in AT_WORK, OWN_TURN_TIMEOUT)
            screen = await self.window.look_until(lambda now: cancelled() or settled(now), LATE_DRAWING)
        if cancelled() or not holds_exactly(screen, text):
            returned = has_returned(screen, self._typed_before, typed)
            await self.clear(self._typed_before + typed if returned else typed, or_paste=True)
            if cancelled():
                return False
            if screen.state is State.DEAD:
                raise errors.PaneDied("Claude ended while the question was typed; not submitted")
            may_succeed = is_overtaken or returned or shows_paste(screen)
            failure = TypingDisturbed if may_succeed else errors.SubmitFailed
            raise failure(f"the composer does not hold the question (the screen is {screen.state}); not submitted")
        return True

    @property
    def _patience(self) -> float:
        """Return how many seconds to wait until the composer shows what was typed."""
        return TYPING_TIMEOUT if self._reading == self.window.claude else FIRST_KEYS_TIMEOUT

    def _is_settled(self, screen: Screen, text: str, typed: str) -> bool:
        """True when the composer holds `text`, or something that waiting will not turn into `text`."""
        hopeless = screen.state is State.DEAD or shows_paste(screen) or has_returned(screen, self._typed_before, typed)
        return hopeless or holds_exactly(screen, text)

    async def _wait_until_unchanged(self, screen: Screen, unchanged_for: float) -> Screen:
        """Look until the screen has not changed for `unchanged_for` seconds."""
        begun = since = time.monotonic()
        while (now := time.monotonic()) - since < unchanged_for and now - begun < TYPING_TIMEOUT:
            await asyncio.sleep(0.02)
            before, screen = screen, await self.window.look()
            if screen.text != before.text:
                since = time.monotonic()
        return screen

    async def clear(self, text: str, *, or_paste: bool = False) -> None:
        """Empty the composer if it holds `text` or a part of it, and nothing that somebody else typed.

        `or_paste`: the composer was empty before we typed, so a paste in it is our own text, too.
        """

        def is_own(screen: Screen) -> bool:
            ours = (holds_exactly, holds_rest, shows_end, shows_part)
            return any(is_ours(screen, text) for is_ours in ours) or (or_paste and shows_paste(screen))

        screen = await self.window.look_until(lambda now: is_own(now) or now.state is State.READY, CLEAR_LOOK)
        if is_own(screen):
            keys: Sequence[str] = ("C-c",)
            if await asyncio.to_thread(agents_work, self._reports):  # in 2.1.197 Ctrl-C ends them, and leaves the text
                keys = ("C-u",) * 2 * (len(text) // MIN_COLUMNS + text.count("\n") + 1)  # a line each, and its end
            await self.window.press(*keys)
            await self.window.look_until(
                lambda now: now.state is not State.DRAFT and now.state is not State.BUSY, CLEAR_TIMEOUT
            )

    async def withdraw_unless(self, delivered: Callable[[], bool], text: str) -> bool:
        """Clear `text` that an earlier daemon typed, unless Claude gets it after all; returns whether it does.

        Enter may have been pressed just before that daemon ended, and a question with pictures is reported late. A rest
        that is not seen now is cleared before the next question.
        """
        async with self.lock:
            self._last_typed = text
            with contextlib.suppress(errors.TmuxUnresponsive):
                await self._wait_while_passing(delivered)
                if not delivered():
                    await self.clear(text)
        return delivered()

    async def _wait_while_passing(self, proved: Callable[[], bool]) -> None:
        """Wait until `proved`, or until the screen has been in no PASSING state for QUIET_FOR."""
        begun = since = time.monotonic()
        while not proved() and (now := time.monotonic()) - since < QUIET_FOR and now - begun < PROOF_TIMEOUT:
            screen = await self.window.look()
            if screen.state is State.DEAD:
                return
            if screen.state in PASSING:
                since = time.monotonic()
            await asyncio.sleep(0.02)

    async def run_own(self, text: str, proved: Callable[[], bool], hint: str) -> Screen:
        """Type one of Claude Code's own commands, press Enter, and wait until `proved`; raises a RelayError otherwise.

        The lock must be held, and Claude be ready. Returns the screen some time after Enter. A command, skill or
        workflow of the folder, account or a plugin that would be run in its place is refused by Paliadin's hook.
        """
        guard = self._reports.folder / "own_command"  # as long as it is there, skill/hooks/own_command.sh refuses
        append_bytes(guard, b"")
        try:
            self._last_typed = text  # a late one in the composer is our own text
            await self.window.type(text)
            screen = await self.window.look_until(lambda now: now.draft.strip() == text, self._patience, 0.01)
            if screen.draft.strip() != text:
                await self.clear(text)
                raise errors.SubmitFailed(
                    f"the composer does not hold {text} (the screen is {screen.state})", hint=hint
                )
            if not await self.press_enter(text, lambda: proved() or not guard.exists()):
                raise errors.SubmitFailed(f"Claude did not report that it has run {text}", hint=hint)
            if not guard.exists():
                raise _replaced(text)
        finally:
            guard.unlink(missing_ok=True)
        self._last_typed = ""
        return await self.window.look_until(lambda now: now.state is State.READY, TYPING_TIMEOUT)

    async def press_enter(self, text: str, proved: Callable[[], bool]) -> bool:
        """Press Enter and wait until `proved`; return False, and clear `text`, when that takes too long."""
        pressed_at, presses = time.monotonic(), 0
        while (waited := time.monotonic() - pressed_at) < PROOF_TIMEOUT:
            if proved():
                return True
            try:
                lost = presses == 1 and waited > ENTER_TIMEOUT and holds_exactly(await self.window.look(), text)
                if lost or not presses:  # Claude Code sometimes loses an Enter
                    presses += 1
                    await self.window.press("Enter")
            except errors.TmuxFailed:
                raise
            except errors.TmuxUnresponsive:  # it hangs: Enter may have been pressed, or be pressed late
                pass
            await asyncio.sleep(0.003)
        try:
            await self.clear(text)
        except errors.TmuxUnresponsive as error:
            raise errors.TmuxUnresponsive(
                "tmux has not responded since Enter was pressed: Claude may still get the question",
                hint="Look at the terminal with `paliadin attach` before you ask again.",
            ) from error
        return False


def _replaced(command: str) -> errors.RelayError:
    return errors.RelayError(
        f"something has taken the place of Claude Code's own {command}, so it was not run",
        code="command_replaced",
        hint="Rename that command, skill or workflow (`/` in `paliadin attach` lists it), then end Claude with /exit.",
    )


def _is_shown(screen: Screen, text: str, before: Screen, cancelled: Callable[[], bool]) -> bool:
    """True once the composer shows the text, or once waiting for it was cancelled."""
    return cancelled() or screen.state is State.DEAD or accepted_or_dialog(screen, text=text, before=before)
