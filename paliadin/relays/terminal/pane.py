"""One session's Claude in its tmux pane: bring it up, look at it, know its conversation."""

from __future__ import annotations

import asyncio
import contextlib
import re
import termios
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from paliadin import errors
from paliadin.config import Settings
from paliadin.relay import claude, process
from paliadin.relay.screen import Screen, State, read_screen
from paliadin.relay.tmux import Look, Terminal
from paliadin.turnlog import LogReader, TurnFolder

T = TypeVar("T")

TMUX_PATIENCE = 5.0  # seconds for one tmux call; the slowest seen took 0.2
# How long such a screen may stay after a start before it counts: what Claude prints on its way up is no dialog.
START_PATIENCE = {State.STARTING: 30.0, State.STOPPED: 5.0, State.DIALOG: 3.0, State.DEAD: 0.5}
HOOK_PATIENCE = 10.0  # from the composer to SessionStart
REDRAW = 0.7  # seconds until the screen holds again, after its size was put right or a stopped Claude was woken


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
                    f"Claude ended as soon as it was started: {last_line(screen.text, 6)}",
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

    def mend(self, turn: TurnFolder) -> None:
        """Make again what hooks need and somebody removed, or moved away, while the turn runs."""
        with contextlib.suppress(OSError, errors.PaliadinError):  # the next look tries again
            self._make_folders()
            prompt = self.folder / "prompts" / (turn.path / "prompt_id").read_text()
            if not prompt.is_symlink():
                prompt.symlink_to(turn.path)

    def _make_folders(self) -> None:
        if not self._plugin.is_dir():
            claude.keep_plugin(self._settings.home)
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
            async with asyncio.timeout(patience):  # Python 3.11's wait_for may swallow a cancellation
                return await asyncio.to_thread(call, *arguments)
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


def _is_stopped(look: Look) -> bool:
    try:
        return process.is_stopped(look.pid) or process.lets_the_terminal_edit(look.tty)
    except (OSError, termios.error):
        return False  # it died as we looked; the next look says so


def last_line(text: str, count: int = 1) -> str:
    """The last lines that say something: Claude Code draws its logo there, too."""
    lines = [line.strip() for line in text.split("\n") if re.search(r"[^\W\d_]{2}", line)]
    return " / ".join(lines[-count:])[:300]
