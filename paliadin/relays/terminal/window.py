"""A window of the tmux server: its screen, and the keys that it takes."""

from __future__ import annotations

import asyncio
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from paliadin.base import errors
from paliadin.relays.terminal import process_state
from paliadin.relays.terminal.screen import Screen, State, read_screen
from paliadin.relays.terminal.tmux import PaneCapture, TmuxServer

IDLE = frozenset({State.READY, State.NOT_LOGGED_IN})
REDRAW_TIME = 0.7  # seconds that Claude may take to redraw, after its window was resized or it was woken


class Window:
    """The window `name`, and the Claude in it. Calls raise TmuxUnresponsive, those that need a window also PaneDied."""

    def __init__(self, terminal: TmuxServer, name: str) -> None:
        self.name = name
        self.claude = 0  # its process, as of the last look; 0: it does not run
        self.busy_at = 0.0  # when it was last seen at work, or at a draft or a dialog; in seconds since 1970
        self.terminal = terminal
        self._pane_id: str | None = None
        self._outdated_until = 0.0  # by the monotonic clock: the program has not drawn the screen anew before

    @property
    def is_open(self) -> bool:
        """True if the last look has seen the window, whether a process runs in it or not."""
        return self._pane_id is not None

    async def look(self) -> Screen:
        """Read the screen; its state is DEAD without a window or a process. A stopped Claude (Ctrl-Z) is woken."""
        self.claude = 0
        call = self.terminal.call
        if self._pane_id is None:
            self._pane_id = (await call(self.terminal.panes)).get(self.name)
            if self._pane_id is None:
                return Screen(State.DEAD, "")
        try:
            capture = await call(self.terminal.capture, self._pane_id)
        except errors.TmuxFailed:
            if self.name in await call(self.terminal.panes):
                raise
            self._pane_id = None  # the window or the whole server is gone
            return Screen(State.DEAD, "")
        screen = read_screen(capture.captured)
        if capture.dead:
            return Screen(State.DEAD, screen.text)
        self.claude = capture.pid
        stopped = screen.state is not State.STARTING and await asyncio.to_thread(_is_stopped, capture)
        if stopped:
            process_state.wake(capture.pid)
        if stopped or capture.resized:
            self._outdated_until = time.monotonic() + REDRAW_TIME
        if time.monotonic() < self._outdated_until:
            screen = Screen(State.SUSPENDED, screen.text)
        self.busy_at = self.busy_at if screen.state in IDLE else time.time()
        return screen

    async def look_until(self, condition: Callable[[Screen], bool], seconds: float, every: float = 0.03) -> Screen:
        """Look until the condition is met or `seconds` are over; returns the last screen."""
        deadline = time.monotonic() + seconds
        screen = await self.look()
        while not condition(screen) and time.monotonic() < deadline:
            await asyncio.sleep(every)
            screen = await self.look()
        return screen

    async def type(self, text: str) -> None:
        """Type one burst; see TmuxServer.type."""
        await self.terminal.call(self.terminal.type, self._target, text)

    async def press(self, *keys: str) -> None:
        """Press keys by tmux's names for them."""
        await self.terminal.call(self.terminal.press, self._target, *keys)

    async def is_attached(self) -> bool:
        """True if somebody's terminal shows the window."""
        return await self.terminal.call(self.terminal.is_attached, self._target)

    async def start(self, command: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> None:
        """Run the command in the window, in place of what ran in it."""
        self._pane_id = await self.terminal.call(self.terminal.start, self.name, command, cwd, environment)

    async def pid(self) -> int:
        """Return the id of the process that was started in the window."""
        return (await self.terminal.call(self.terminal.capture, self._target)).pid

    async def close(self) -> None:
        """Close the window, if there is one, with what runs in it."""
        await self.terminal.call(self.terminal.close_window, self.name)
        self.claude, self._pane_id = 0, None

    @property
    def _target(self) -> str:
        if self._pane_id is None:
            raise errors.PaneDied("Claude's terminal is gone")
        return self._pane_id


def _is_stopped(capture: PaneCapture) -> bool:
    try:
        return process_state.is_stopped(capture.pid) or process_state.in_canonical_mode(capture.tty)
    except (OSError, termios.error):
        return False  # it died just now; the next look shows it
