"""One session's Claude in its tmux pane: bring it up, look, type, press Escape, clear. Looks before every key."""

from __future__ import annotations

import asyncio
import termios
import time
import uuid
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar

from paliadin import errors
from paliadin.config import Settings
from paliadin.prompt import same_text
from paliadin.relay import claude, process
from paliadin.relay.composer import is_ours, shown_or_dialog, shows_end, shows_part
from paliadin.relay.screen import DIALOGS, Screen, State, read_screen
from paliadin.relay.tmux import Look, Terminal, bursts
from paliadin.turnlog import LogReader, TurnFolder

T = TypeVar("T")

TMUX_PATIENCE = 5.0  # seconds for one tmux call; the slowest seen took 0.2
# How long such a screen may stay after a start before it counts: what Claude prints on its way up is no dialog.
START_PATIENCE = {State.STARTING: 30.0, State.STOPPED: 5.0, State.DIALOG: 3.0, State.DEAD: 0.5}
HOOK_PATIENCE = 10.0  # from the composer to SessionStart
TYPING_PATIENCE = 2.0  # until the composer shows what was typed
ENTER_PATIENCE = 1.0  # until UserPromptSubmit, before Enter is pressed once more
PROOF_PATIENCE = 10.0  # until UserPromptSubmit, in all
REDRAW = 0.7  # seconds until the screen holds again, after its size was put right or a stopped Claude was woken
BUSY_PATIENCE = 2.0  # seconds for what keeps a composer from being ready, before the question is refused
ESCAPE_PATIENCE = 8.0  # until an interrupt took
LATE = 3.0  # seconds until the screen shows that a question that was delivered is worked on
QUIET = 0.5  # seconds without a busy screen that prove that nothing runs, when no key was pressed


class Pane:
    """`environment`: what Claude runs with instead of the terminal's own environment (demo, tests)."""

    def __init__(
        self, settings: Settings, terminal: Terminal, plugin: Path, name: str, environment: Mapping[str, str] | None
    ) -> None:
        self.name = name
        self.folder = settings.sessions_dir / name
        self.lock = asyncio.Lock()  # held while keys are pressed
        self._settings, self._terminal, self._plugin, self._environment = settings, terminal, plugin, environment
        self._id: str | None = None
        self._log = LogReader(self.folder / "events.jsonl")
        self.conversation: str | None = None  # Claude's own session id, as its last SessionStart said
        self.transcript: str | None = None
        self.model: str | None = None
        self._starts = 0
        self._last = ""  # what was typed last
        self._redrawn = 0.0  # until then the screen may be an old one

    async def look(self) -> Screen:
        """The screen's state; DEAD when there is no pane or no process in it."""
        if self._id is None:
            self._id = (await self._do(self._terminal.panes)).get(self.name)
            if self._id is None:
                return Screen(State.DEAD, "")
        try:
            look = await self._do(self._terminal.look, self._id)
        except errors.TmuxUnresponsive:
            if self.name in await self._do(self._terminal.panes):
                raise
            self._id = None  # the window or the whole server is gone
            return Screen(State.DEAD, "")
        screen = read_screen(look.captured)
        if look.dead:
            return Screen(State.DEAD, screen.text)
        stopped = screen.state is not State.STARTING and await asyncio.to_thread(_is_stopped, look)
        if stopped:
            process.go_on(look.pid)
        if stopped or look.resized:
            self._redrawn = time.monotonic() + REDRAW
        return Screen(State.STOPPED, screen.text) if time.monotonic() < self._redrawn else screen

    async def live(self) -> Screen:
        """Bring Claude up if it is not, with its conversation; wait until the screen says something."""
        screen = await self.look()
        if screen.state is State.DEAD:
            await self._start()
            screen = await self._started()
            if screen.state is State.DEAD:
                raise errors.PaneDied(
                    f"Claude ended as soon as it was started: {_last_line(screen.text)}",
                    hint="Run `paliadin doctor`, then `paliadin attach` to see what it says.",
                )
            if screen.state is State.READY:
                await self._hooks_speak()
                screen = await self.look()
        return screen

    async def _started(self) -> Screen:
        since = time.monotonic()
        screen = await self.look()
        while time.monotonic() - since < START_PATIENCE.get(screen.state, 0):
            await asyncio.sleep(0.03)
            before, screen = screen, await self.look()
            if screen.state is not before.state:
                since = time.monotonic()
        return screen

    async def submit(self, turn: TurnFolder, text: str, cancelled: Callable[[], bool]) -> None:
        """Type `text`, press Enter, wait for the proof. Raises a RelayError when it did not arrive."""
        async with self.lock:
            await self._until_ready()
            self._last = text
            self._make_folders()  # somebody may have tidied up
            expected = self.folder / "expected" / turn.turn_id
            expected.symlink_to(turn.path)  # the hook that sees the envelope turns it into prompts/<prompt_id>
            try:
                try:
                    typed = await self._typed(text, cancelled)
                except errors.PaneDied:  # it died as we looked; what was typed is gone with it
                    await self._until_ready()
                    typed = await self._typed(text, cancelled)
                if typed:
                    await self._do(self._terminal.press, self._pane, "Enter")
                    await self._delivered(turn, text)
            finally:
                expected.unlink(missing_ok=True)

    async def _until_ready(self) -> None:
        """Raises what stands in the way of typing."""
        screen = await self.live()
        if screen.state in {State.BUSY, State.STOPPED, State.STARTING}:
            screen = await self._until(
                lambda now: now.state not in {State.BUSY, State.STOPPED, State.STARTING}, BUSY_PATIENCE
            )
        if is_ours(screen, self._last):  # an interrupted question that came back late
            await self.clear(self._last)
            screen = await self.look()
        check_ready(screen)

    async def interrupt(self, turn: TurnFolder, text: str) -> None:
        """Escape, until nothing runs and the composer is empty. Returns early when the turn ended by itself."""
        async with self.lock:
            log, pressed, idle_since, begun = LogReader(turn.log), 0.0, time.monotonic(), False
            delivered = (turn.path / "prompt_id").exists()
            deadline = time.monotonic() + ESCAPE_PATIENCE
            while time.monotonic() < deadline:
                screen = await self.look()
                now = time.monotonic()
                seen = {_event(line) for line in log.read()}
                begun = begun or bool(seen & {"MessageDisplay", "PreToolUse"})
                if seen & {"Stop", "StopFailure"} or screen.state is State.DEAD:
                    return
                if screen.state is State.BUSY or screen.state in DIALOGS:
                    idle_since = now
                    if now - pressed > 0.7:  # Escape twice at once would open the list of old messages
                        await self._do(self._terminal.press, self._pane, "Escape")
                        pressed = now
                elif screen.state in {State.STOPPED, State.STARTING}:
                    idle_since = now
                elif is_ours(screen, text):
                    await self.clear(text)
                    return
                elif now - idle_since > (LATE if delivered and not pressed else 0.1 if begun else QUIET):
                    return  # before the first token the question comes back, on a loaded machine a little later
                await asyncio.sleep(0.02)
            raise errors.TmuxUnresponsive("Escape was pressed, but Claude went on; see `paliadin attach`")

    async def _typed(self, text: str, cancelled: Callable[[], bool]) -> bool:
        """Type it burst by burst, each only when the one before is on the screen; False when it was cancelled.

        Two bursts that Claude reads at once (on a loaded machine) would be taken for a paste.
        """
        typed = ""
        for burst in bursts(text + " "):  # the blank: Enter after a trailing "\\" or "@name" would not submit
            await self._do(self._terminal.type, self._pane, burst)
            typed += burst
            screen = await self._until(partial(shown_or_dialog, text=typed), TYPING_PATIENCE, 0.002)
            if screen.state is not State.DRAFT or cancelled():
                break
        if cancelled() or not is_ours(screen, text):
            await self.clear(typed)
            if cancelled():
                return False
            if screen.state is State.DEAD:
                raise errors.PaneDied("Claude ended while the question was typed; not submitted")
            raise errors.SubmitFailed(f"the terminal did not take the text (it is {screen.state}); not submitted")
        return True

    async def clear(self, text: str) -> None:
        """Empty a composer that holds our own text, or a part of it, and only that."""
        screen = await self.look()
        if is_ours(screen, text) or shows_end(screen, text) or shows_part(screen, text):
            await self._do(self._terminal.press, self._pane, "C-c")
            await self._until(lambda now: now.state is not State.DRAFT and now.state is not State.BUSY, 5.0)

    async def reset(self) -> None:
        """`/clear`, with SessionStart (source clear) as the proof."""
        async with self.lock:
            check_ready(await self.live())
            self._read_log()
            starts = self._starts
            await self._do(self._terminal.type, self._pane, "/clear")
            screen = await self._until(lambda now: now.draft.strip() == "/clear", TYPING_PATIENCE, 0.01)
            if screen.draft.strip() != "/clear":
                raise errors.SubmitFailed(f"the terminal did not take /clear (it is {screen.state})")
            await self._do(self._terminal.press, self._pane, "Enter")
            deadline = time.monotonic() + PROOF_PATIENCE
            while self._starts == starts and time.monotonic() < deadline:
                await asyncio.sleep(0.02)
                self._read_log()
            if self._starts == starts:
                raise errors.SubmitFailed("Claude did not begin a new conversation")
            await self._until(lambda now: now.state is State.READY, TYPING_PATIENCE)

    @property
    def hooks_seen(self) -> bool:
        self._read_log()
        return self._starts > 0

    def read_conversation(self) -> None:
        self._read_log()

    @property
    def _pane(self) -> str:
        if self._id is None:
            raise errors.PaneDied("Claude's terminal is gone")
        return self._id

    def _make_folders(self) -> None:
        for folder in (self.folder, self.folder / "prompts", self.folder / "expected"):
            folder.mkdir(mode=0o700, exist_ok=True)

    async def _start(self) -> None:
        self._read_log()
        self._starts = 0
        self._make_folders()
        resume = self.conversation is not None and self.transcript is not None and Path(self.transcript).is_file()
        conversation = self.conversation if resume and self.conversation else str(uuid.uuid4())
        hooks = claude.hook_environment(self._settings, self.folder)
        command = [
            claude.find_claude(self._settings),
            *claude.arguments(self._settings, self._plugin, conversation, resume=resume),
        ]
        own = None if self._environment is None else {**self._environment, **hooks}
        command = claude.isolated(command, own)
        self._id = await self._do(self._terminal.start, self.name, command, self._settings.workdir, hooks)

    async def _hooks_speak(self) -> None:
        deadline = time.monotonic() + HOOK_PATIENCE
        while not self.hooks_seen and time.monotonic() < deadline:
            await asyncio.sleep(0.02)

    async def _delivered(self, turn: TurnFolder, text: str) -> None:
        log = LogReader(turn.log)
        begun = time.monotonic()
        again = False
        while (waited := time.monotonic() - begun) < PROOF_PATIENCE:
            for line in log.read():
                if _event(line) == "UserPromptSubmit":
                    self._check_text(line, text)
                    return
            if waited > ENTER_PATIENCE and not again and is_ours(await self.look(), text):
                again = True  # Enter is swallowed sometimes
                await self._do(self._terminal.press, self._pane, "Enter")
            await asyncio.sleep(0.003)
        await self.clear(text)
        raise errors.SubmitFailed("Enter was pressed, but Claude did not report the question")

    @staticmethod
    def _check_text(line: Mapping[str, object], text: str) -> None:
        hook = line["hook"]
        reported = hook.get("prompt") if isinstance(hook, Mapping) else None
        if not line.get("cut") and not same_text(text, str(reported)):
            raise errors.SubmitFailed("Claude received another text than was sent; it was stopped")

    async def _until(self, met: Callable[[Screen], bool], patience: float, every: float = 0.03) -> Screen:
        """Look until the condition is met or the time is over; returns the last screen."""
        deadline = time.monotonic() + patience
        screen = await self.look()
        while not met(screen) and time.monotonic() < deadline:
            await asyncio.sleep(every)
            screen = await self.look()
        return screen

    async def _do(self, call: Callable[..., T], *arguments: object, patience: float = TMUX_PATIENCE) -> T:
        try:
            return await asyncio.wait_for(asyncio.to_thread(call, *arguments), patience)
        except TimeoutError as error:
            raise errors.TmuxUnresponsive(f"tmux did not answer within {patience:.0f} s") from error

    def _read_log(self) -> None:
        for line in self._log.read():
            hook = line.get("hook")
            if isinstance(hook, Mapping) and hook.get("hook_event_name") == "SessionStart":
                self._starts += 1
                self.conversation = str(hook.get("session_id"))
                self.transcript = str(hook.get("transcript_path"))
                self.model = str(hook["model"]) if hook.get("model") else self.model


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
            raise errors.DialogOpen(f"a dialog is open in Claude's terminal: {_last_line(screen.text, 3)}")


def _is_stopped(look: Look) -> bool:
    try:
        return process.is_stopped(look.pid) or process.lets_the_terminal_edit(look.tty)
    except (OSError, termios.error):
        return False  # it died as we looked; the next look says so


def _event(line: Mapping[str, object]) -> object:
    hook = line.get("hook")
    return hook.get("hook_event_name") if isinstance(hook, Mapping) else None


def _last_line(text: str, count: int = 1) -> str:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return " / ".join(lines[-count:])[:300]
