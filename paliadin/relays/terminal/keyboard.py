"""What is typed into a session's Claude: a question, Escape, /clear. Looks before every key."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from functools import partial

from paliadin import errors
from paliadin.prompt import same_text
from paliadin.relay.composer import (
    came_back,
    is_ours,
    repeats,
    shows_end,
    shows_part,
    shows_paste,
    taken,
    taken_or_dialog,
)
from paliadin.relay.pane import Pane, last_line
from paliadin.relay.screen import DIALOGS, Screen, State
from paliadin.relay.tmux import bursts
from paliadin.turnlog import LogReader, TurnFolder, hook_event

TYPING_PATIENCE = 2.0  # seconds until the composer shows what was typed
REPEAT_PATIENCE = 0.5  # the same for a burst that repeats what is there: blanks may change nothing
REST = (0.1, 0.5)  # such a burst counts as taken when the screen has not changed for so long; at a second try
HALF_DRAWN = 0.3  # seconds until a dialog that comes up while we type is believed
ENTER_PATIENCE = 1.0  # until UserPromptSubmit, before Enter is pressed once more
PROOF_PATIENCE = 10.0  # until UserPromptSubmit, in all
BUSY_PATIENCE = 2.0  # for what keeps a composer from being ready, before the question is refused
ESCAPE_PATIENCE = 8.0  # until an interrupt took
AGAIN = 0.7  # until Escape is pressed again: twice at once would open the list of old messages
LATE = 3.0  # until the screen shows that a question that was delivered is worked on
QUIET = 0.5  # without a busy screen: proves that nothing runs, when no key was pressed


class _Disturbed(errors.SubmitFailed):
    """Nothing was wrong but the moment: bursts were taken for a paste, or the question before came back among them."""


class Keyboard(Pane):
    """A pane that is typed into. `lock` is held while keys are pressed."""

    _last = ""  # what was typed last
    _before = ""  # and before that

    async def submit(self, turn: TurnFolder, text: str, cancelled: Callable[[], bool]) -> None:
        """Type `text`, press Enter, wait for the proof. Raises a RelayError when it did not arrive."""
        async with self.lock:
            if cancelled():
                return
            ready = await self._until_ready()
            self._before, self._last = self._last, text
            self._make_folders()  # somebody may have tidied up
            expected = self.folder / "expected" / turn.turn_id
            expected.symlink_to(turn.path)  # the hook that sees the envelope turns it into prompts/<prompt_id>
            try:
                try:
                    typed = await self._typed(text, ready, cancelled, REST[0])
                except (errors.PaneDied, _Disturbed):  # it died as we looked, or see there
                    typed = await self._typed(text, await self._until_ready(), cancelled, REST[1])
                if typed and not await self._enter(text, partial(_reported, LogReader(turn.log), text)):
                    raise errors.SubmitFailed("Enter was pressed, but Claude did not report the question")
            finally:
                expected.unlink(missing_ok=True)

    def is_own(self, screen: Screen) -> bool:
        """The composer holds what we typed last: it is being typed, or was interrupted and came back late."""
        return is_ours(screen, self._last)

    async def _until_ready(self) -> Screen:
        """The screen with its empty composer; raises what stands in the way of typing."""
        screen = await self.live()
        if screen.state in {State.BUSY, State.STOPPED, State.STARTING}:
            screen = await self._until(
                lambda now: now.state not in {State.BUSY, State.STOPPED, State.STARTING}, BUSY_PATIENCE
            )
        if self.is_own(screen):
            await self.clear(self._last)
            screen = await self.look()
        check_ready(screen)
        return screen

    async def interrupt(self, turn: TurnFolder, text: str) -> None:
        """Escape, until nothing runs and the composer is empty. Returns early when the turn ended by itself."""
        async with self.lock:
            log, pressed, idle_since, begun = LogReader(turn.log), 0.0, time.monotonic(), False
            delivered, at_press = (turn.path / "prompt_id").exists(), ""
            deadline = time.monotonic() + ESCAPE_PATIENCE
            while time.monotonic() < deadline:
                screen = await self.look()
                now = time.monotonic()
                seen = {hook_event(line) for line in log.read()}
                begun = begun or bool(seen & {"MessageDisplay", "PreToolUse"})
                ours = is_ours(screen, text)
                waits = now - pressed < AGAIN
                # Delivered, and not drawn since: Claude works on it, and Ctrl-C could pass it by.
                undrawn = ours and delivered and (not pressed or (waits and screen.text == at_press))
                if seen & {"Stop", "StopFailure"} or screen.state is State.DEAD:
                    return
                if screen.state is State.BUSY or screen.state in DIALOGS or undrawn:
                    idle_since = now
                    if not waits:
                        await self._do(self._terminal.press, self._pane, "Escape")
                        pressed, at_press = now, screen.text
                elif screen.state in {State.STOPPED, State.STARTING}:
                    idle_since = now
                elif ours:
                    await self.clear(text)
                    idle_since = time.monotonic()
                elif now - idle_since > (LATE if delivered and not pressed else 0.1 if begun else QUIET):
                    return  # before the first token the question comes back, on a loaded machine a little later
                await asyncio.sleep(0.02)
            raise errors.TmuxUnresponsive("Escape was pressed, but Claude went on; see `paliadin attach`")

    async def _typed(self, text: str, ready: Screen, cancelled: Callable[[], bool], rest: float) -> bool:
        """Type it burst by burst, each only when the one before is on the screen; False when it was cancelled.

        Two bursts that Claude reads at once (on a loaded machine) would be taken for a paste.
        """
        typed, screen = "", ready
        for burst in bursts(text + " "):  # the blank: Enter after a trailing "\\" or "@name" would not submit
            typed, before = typed + burst, screen
            again = repeats(before, typed)
            await self._do(self._terminal.type, self._pane, burst)
            met = partial(taken_or_dialog, text=typed, before=before)
            screen = await self._until(met, REPEAT_PATIENCE if again else TYPING_PATIENCE, 0.002)
            if screen.state in DIALOGS:  # or a frame of a long draft that is half drawn
                screen = await self._until(partial(taken, text=typed, before=before), HALF_DRAWN)
            if again:
                screen = await self._at_rest(screen, rest)
            if screen.state is not State.DRAFT or cancelled():
                break
        if cancelled() or not is_ours(screen, text):
            late = came_back(screen, self._before, typed)
            await self.clear(self._before + typed if late else typed, or_paste=True)
            if cancelled():
                return False
            if screen.state is State.DEAD:
                raise errors.PaneDied("Claude ended while the question was typed; not submitted")
            failure = _Disturbed if late or shows_paste(screen) else errors.SubmitFailed
            raise failure(f"the terminal did not take the text (it is {screen.state}); not submitted")
        return True

    async def _at_rest(self, screen: Screen, rest: float) -> Screen:
        """Look until the screen has not changed for `rest` seconds."""
        begun = since = time.monotonic()
        while (now := time.monotonic()) - since < rest and now - begun < TYPING_PATIENCE:
            await asyncio.sleep(0.02)
            before, screen = screen, await self.look()
            if screen.text != before.text:
                since = time.monotonic()
        return screen

    async def clear(self, text: str, *, or_paste: bool = False) -> None:
        """Empty a composer that holds our own text, or a part of it, and only that.

        `or_paste`: it was empty before we typed, so that a paste in it is our own text, too.
        """
        screen = await self.look()
        ours = is_ours(screen, text) or shows_end(screen, text) or shows_part(screen, text)
        if ours or (or_paste and shows_paste(screen)):
            await self._do(self._terminal.press, self._pane, "C-c")
            await self._until(lambda now: now.state is not State.DRAFT and now.state is not State.BUSY, 5.0)

    async def reset(self) -> None:
        """`/clear`, with SessionStart (source clear) as the proof."""
        async with self.lock:
            await self._until_ready()  # the screen may be a moment behind the log
            self._read_log()
            starts, self._last = self._starts, "/clear"  # one that comes late is nobody's draft
            await self._do(self._terminal.type, self._pane, "/clear")
            screen = await self._until(lambda now: now.draft.strip() == "/clear", TYPING_PATIENCE, 0.01)
            if screen.draft.strip() != "/clear":
                await self.clear("/clear")
                raise errors.SubmitFailed(f"the terminal did not take /clear (it is {screen.state})")
            if not await self._enter("/clear", lambda: self._starts_so_far() > starts):
                raise errors.SubmitFailed("Claude did not begin a new conversation")
            self._last = ""
            await self._until(lambda now: now.state is State.READY, TYPING_PATIENCE)

    async def _enter(self, text: str, proved: Callable[[], bool]) -> bool:
        """Press Enter and wait for the proof; without one our text is taken away again."""
        await self._do(self._terminal.press, self._pane, "Enter")
        begun, again = time.monotonic(), False
        while (waited := time.monotonic() - begun) < PROOF_PATIENCE:
            if proved():
                return True
            if waited > ENTER_PATIENCE and not again and is_ours(await self.look(), text):
                again = True  # Enter is swallowed sometimes
                await self._do(self._terminal.press, self._pane, "Enter")
            await asyncio.sleep(0.003)
        await self.clear(text)
        return False

    def _starts_so_far(self) -> int:
        self._read_log()
        return self._starts


def check_ready(screen: Screen) -> None:
    """Raise what stands in the way of typing."""
    match screen.state:
        case State.READY:
            return
        case State.NOT_LOGGED_IN | State.LOGIN:
            raise errors.NotLoggedIn("Claude Code is not logged in")
        case State.DRAFT:
            raise errors.TerminalInUse("somebody has begun to type in Claude's terminal")
        case State.BUSY:
            raise errors.TerminalInUse("Claude is busy with something from the terminal")
        case State.DEAD | State.STOPPED | State.STARTING:
            raise errors.PaneDied(f"Claude is not running (it is {screen.state})")
        case _:
            raise errors.DialogOpen(f"a dialog is open in Claude's terminal: {last_line(screen.text, 3)}")


def _reported(log: LogReader, text: str) -> bool:
    """UserPromptSubmit has come; SubmitFailed when Claude got another text."""
    for line in log.read():
        if hook_event(line) == "UserPromptSubmit":
            hook = line["hook"]
            prompt = hook.get("prompt") if isinstance(hook, Mapping) else None
            if not line.get("cut") and not same_text(text, str(prompt)):
                raise errors.SubmitFailed("Claude received another text than was sent; it was stopped")
            return True
    return False
