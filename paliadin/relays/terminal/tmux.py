"""Paliadin's own tmux server. Each session is a window, and Claude runs in it directly, without a shell.

libtmux makes the server and its windows; keys and captures go through a client in control mode. Every call blocks, for
TIMEOUT at most, even when the server hangs.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from paliadin.base.errors import TmuxFailed, TmuxUnresponsive
from paliadin.relays.terminal import process_state
from paliadin.relays.terminal.tmux_commands import SILENT, TmuxCommands
from paliadin.relays.terminal.tmux_control import ControlClient

T = TypeVar("T")

WIDTH, HEIGHT = 160, 50
BURST = 400  # characters; Claude Code treats more than this at once as a paste
# All in seconds.
CALL_TIMEOUT = 6.0  # for one call of an event loop, and for those before it
TIMEOUT = 5.0  # for one command of tmux; the slowest seen took 0.2
HUNG_TIMEOUT = 0.3  # the same, after a command that got no response
CLOSE_TIMEOUT = 1.0  # for the command that runs, before it is given up
EXIT_TIMEOUT = 2.0  # for the server to end, before it is killed
_ZWJ = "\u200d"
_JOINING = _ZWJ + "\ufe0e\ufe0f\u20e3" + "".join(map(chr, range(0x1F3FB, 0x1F400)))  # variation, keycap, skin tone
_FACTS = "#{pane_dead} #{pane_in_mode} #{pane_pid} #{window_width}x#{window_height} #{pane_tty}"


@dataclass(frozen=True, slots=True)
class PaneCapture:
    """The state of a pane at one moment. `captured` is the screen's text with its colours, without the history."""

    dead: bool
    pid: int
    tty: str
    captured: str
    resized: bool = False  # it had another size and was resized: the program will redraw it


class TmuxServer:
    """The tmux server of the socket name `socket`; `session` is the tmux session that holds Paliadin's windows.

    Calls raise TmuxFailed, TmuxUnresponsive or MissingDependency. Calls from an event loop run in `thread`, one at a
    time (`call`).
    """

    def __init__(self, socket: str, session: str) -> None:
        self._socket, self._session = socket, session
        self._commands = TmuxCommands(socket)
        self._client: ControlClient | None = None
        self._seconds = TIMEOUT  # for the next command
        self._give_up: Callable[[], None] | None = None  # ends the wait for the command that runs
        self.thread = ThreadPoolExecutor(1, "tmux")

    def panes(self) -> dict[str, str]:
        """Return window name → pane id, of all windows; empty when the server is not running."""
        return dict(line.rsplit(" ", 1) for line in self._list("#{window_name} #{pane_id}"))

    def running(self) -> list[str]:
        """Return the names of the windows whose process runs; one whose process has ended keeps its window."""
        lines = (line.partition(" ") for line in self._list("#{pane_dead} #{window_name}"))
        return [name for dead, _, name in lines if dead == "0"]

    def _list(self, fields: str) -> list[str]:
        try:
            return self._run("list-panes", "-s", "-t", f"={self._session}", "-F", fields)
        except TmuxFailed:
            return []

    def is_attached(self, pane: str) -> bool:
        """True if somebody's terminal shows the pane's window; a client in control mode is a program."""
        clients, [window] = self._run_in_client(
            ["list-clients", "-F", "#{client_control_mode} #{window_id}"],
            ["display-message", "-p", "-t", pane, "#{window_id}"],
        )
        return f"0 {window}" in clients

    def start(self, name: str, command: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> str:
        """Run `command` in the window `name`, in place of what ran in it; returns the pane's id."""
        panes = self.panes()
        options = ["-c", str(cwd), *(f"-e{key}={value}" for key, value in environment.items())]
        if name in panes:
            pane = panes[name]
            self._run("respawn-pane", "-k", "-t", pane, *options, *command)
        else:
            created = ["-d", "-P", "-F", "#{pane_id}", "-n", name, *options, *command]
            window = ["new-window", "-t", f"={self._session}:"]
            session = ["new-session", "-s", self._session, "-x", str(WIDTH), "-y", str(HEIGHT)]
            [pane] = self._run(*(window if panes else session), *created)
        # Fixes the size, whoever attaches. The option window-size in tmux.conf would crash tmux 3.3a when it starts.
        self.resize(pane, WIDTH, HEIGHT)
        return pane

    def close_window(self, name: str) -> None:
        """Close the window with what runs in it; does nothing when there is none. With its last one the server ends."""
        if pane := self.panes().get(name):
            [server] = self._run("display-message", "-p", "#{pid}")
            self._run("kill-window", "-t", pane)
            if not self._has_sessions():  # whoever starts the next one must not meet a server that ends
                self._disconnect()
                process_state.wait_or_kill(int(server), EXIT_TIMEOUT)

    def _has_sessions(self) -> bool:
        try:
            return bool(self._run("list-sessions", "-F", "#{session_id}"))
        except TmuxFailed:
            return False

    def capture(self, pane: str) -> PaneCapture:
        """Capture the screen; a mode (copy, clock), which hides it and takes the keys, is left first."""
        facts, lines = self._capture(pane)
        dead, in_mode, pid, size, tty = facts
        if in_mode == "1":
            self._run_in_client(["copy-mode", "-q", "-t", pane])
            (dead, _, pid, size, tty), lines = self._capture(pane)
        resized = size != f"{WIDTH}x{HEIGHT}"
        if resized:
            self.resize(pane, WIDTH, HEIGHT)
        return PaneCapture(dead == "1", int(pid or 0), tty, "\n".join(lines), resized)

    def type(self, pane: str, text: str) -> None:
        """Type one burst. `text` has no control character except newline, which is typed as C-j: Enter would submit."""
        pieces = re.findall(r"\n|[^\n]+", text)
        keys = [["C-j"] if piece == "\n" else ["-l", "--", piece] for piece in pieces]
        self._run_in_client(*(["send-keys", "-t", pane, *key] for key in keys))

    def press(self, pane: str, *keys: str) -> None:
        """Press keys by tmux's names for them, such as Enter, Escape, C-c."""
        self._run_in_client(["send-keys", "-t", pane, *keys])

    def resize(self, pane: str, width: int, height: int) -> None:
        """Set the size of the pane's window, in characters."""
        self._run("resize-window", "-t", pane, "-x", str(width), "-y", str(height))

    def kill_server(self) -> None:
        """End the server with everything in it, and remove its socket, which tmux leaves behind.

        Returns when all of it has ended: a Claude that is told to end writes its logs first.
        """
        self._disconnect()
        [line] = self._run("display-message", "-p", "#{pid} #{socket_path}")
        pid, _, socket = line.partition(" ")
        panes = [pane.split() for pane in self._run("list-panes", "-a", "-F", "#{pane_dead} #{pane_pid}")]
        inside = [each for is_dead, each in panes if is_dead == "0"]  # the id of one that died may be another's by now
        self._run("kill-server")
        Path(socket).unlink(missing_ok=True)
        # The server would wait for ever for a control client whose daemon was killed before it had read all output.
        for each in (pid, *inside):
            process_state.wait_or_kill(int(each), EXIT_TIMEOUT)

    async def call(self, call: Callable[..., T], *arguments: object, seconds: float = CALL_TIMEOUT) -> T:
        """Run a call of this object in `thread`; raises TmuxUnresponsive after `seconds`."""
        running = asyncio.get_running_loop().run_in_executor(self.thread, call, *arguments)
        try:
            async with asyncio.timeout(seconds):  # Python 3.11's wait_for may swallow a cancellation
                return await running
        except TimeoutError as error:
            raise TmuxUnresponsive(SILENT) from error

    def close(self) -> None:
        """Close the connection to the server; its windows go on. A call in `thread` that hangs is given up."""
        closing = self.thread.submit(self._disconnect)
        wait([closing], CLOSE_TIMEOUT)
        if (give_up := self._give_up) and not closing.done():
            give_up()
        closing.result()

    def _disconnect(self) -> None:
        client, self._client = self._client, None
        if client:
            client.close()

    def _capture(self, pane: str) -> tuple[list[str], list[str]]:
        """Return [dead, in a mode, pid, size, tty] and the screen's lines."""
        facts, screen = self._run_in_client(
            ["display-message", "-p", "-t", pane, _FACTS], ["capture-pane", "-p", "-e", "-t", pane]
        )
        return facts[0].split(" "), screen

    def _run_in_client(self, *commands: Sequence[str]) -> list[list[str]]:
        if self._client and self._client.process.poll() is not None:  # with its server, as after the last window
            self._disconnect()
        if self._client is None:
            self._client = ControlClient(self._socket, self._session)
        try:
            with self._waiting(self._client.process.kill):
                return self._client.run(*commands, seconds=self._seconds)
        except TmuxFailed:
            self._disconnect()  # the next call connects again
            raise

    def _run(self, *command: str) -> list[str]:
        with self._waiting(self._commands.give_up):
            return self._commands.run(*command, seconds=self._seconds)

    @contextmanager
    def _waiting(self, give_up: Callable[[], None]) -> Iterator[None]:
        """Let `close` end the wait, and set the next command's timeout, which is short while the server hangs."""
        self._give_up = give_up
        try:
            yield
        except TmuxUnresponsive as error:
            self._seconds = TIMEOUT if isinstance(error, TmuxFailed) else HUNG_TIMEOUT
            raise
        else:
            self._seconds = TIMEOUT
        finally:
            self._give_up = None


def split_into_bursts(text: str) -> Iterator[str]:
    """Split text into bursts of about BURST characters, never within a character of several code points."""
    start = 0
    while start < len(text):
        end = start + BURST
        while end < len(text) and (unicodedata.combining(text[end]) or text[end] in _JOINING or text[end - 1] == _ZWJ):
            end += 1
        yield text[start:end]
        start = end
