"""One tmux server of our own, a window per session, and in it the program itself, with no shell above it.

libtmux makes the server and its windows, about 2 ms a call; keys and looks go through a client in control mode. Every
call blocks: callers keep them off the event loop.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import libtmux
from libtmux.exc import LibTmuxException, TmuxCommandNotFound

from paliadin.errors import MissingDependency, TmuxUnresponsive
from paliadin.relay import process
from paliadin.relay.control import Control

WIDTH, HEIGHT = 160, 50
BURST = 400  # characters; more at once, and Claude Code takes it for a paste
EXIT_PATIENCE = 2.0  # seconds until a server that was told to end is killed
_ZWJ = "\u200d"
_JOINING = _ZWJ + "\ufe0e\ufe0f\u20e3" + "".join(map(chr, range(0x1F3FB, 0x1F400)))  # variation, keycap, skin tone
_FACTS = "#{pane_dead} #{pane_in_mode} #{pane_pid} #{window_width}x#{window_height} #{pane_tty}"


@dataclass(frozen=True, slots=True)
class Look:
    """One look at a pane: `captured` is its text with colours, of the screen and not of its history."""

    dead: bool
    pid: int
    tty: str
    captured: str
    resized: bool = False  # somebody had changed its size; the program will draw it anew


class Terminal:
    """The tmux server `socket`; `session` is the tmux session that holds our windows."""

    def __init__(self, socket: str, session: str) -> None:
        self._socket, self._session = socket, session
        self._client: Control | None = None
        config = str(Path(__file__).with_name("tmux.conf"))
        self._server = libtmux.Server(socket_name=socket, config_file=config)

    def panes(self) -> dict[str, str]:
        """Window name → pane id, of the windows there are; empty when the server does not run."""
        try:
            listed = self._run("list-panes", "-s", "-t", f"={self._session}", "-F", "#{window_name} #{pane_id}")
        except TmuxUnresponsive:
            return {}
        return dict(line.rsplit(" ", 1) for line in listed)

    def start(self, name: str, command: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> str:
        """Run `command` in a window called `name`, in place of one that is there; returns the pane's id."""
        panes = self.panes()
        where = ["-c", str(cwd), *(f"-e{key}={value}" for key, value in environment.items())]
        if name in panes:
            pane = panes[name]
            self._run("respawn-pane", "-k", "-t", pane, *where, *command)
        else:
            fresh = ["-d", "-P", "-F", "#{pane_id}", "-n", name, *where, *command]
            there = ["new-window", "-t", f"={self._session}:"]
            first = ["new-session", "-s", self._session, "-x", str(WIDTH), "-y", str(HEIGHT)]
            [pane] = self._run(*(there if panes else first), *fresh)
        # Fixes the size, whoever attaches. The option window-size in tmux.conf would crash tmux 3.3a at its start.
        self.size(pane, WIDTH, HEIGHT)
        return pane

    def look(self, pane: str) -> Look:
        """The screen as it is now; a mode (copy, clock) hides it and swallows keys, and is left first."""
        facts, lines = self._capture(pane)
        dead, in_mode, pid, size, tty = facts
        if in_mode == "1":
            self._client_runs(["copy-mode", "-q", "-t", pane])
            (dead, _, pid, size, tty), lines = self._capture(pane)
        resized = size != f"{WIDTH}x{HEIGHT}"
        if resized:
            self.size(pane, WIDTH, HEIGHT)
        return Look(dead == "1", int(pid or 0), tty, "\n".join(lines), resized)

    def type(self, pane: str, text: str) -> None:
        """Type one burst; it holds no control character but newline, which is typed as C-j (Enter would submit)."""
        pieces = re.findall(r"\n|[^\n]+", text)
        keys = [["C-j"] if piece == "\n" else ["-l", "--", piece] for piece in pieces]
        self._client_runs(*(["send-keys", "-t", pane, *key] for key in keys))

    def press(self, pane: str, *keys: str) -> None:
        self._client_runs(["send-keys", "-t", pane, *keys])

    def size(self, pane: str, width: int, height: int) -> None:
        self._run("resize-window", "-t", pane, "-x", str(width), "-y", str(height))

    def kill_server(self) -> None:
        """End the server with everything in it; tmux leaves its socket behind."""
        self.close()
        [told] = self._run("display-message", "-p", "#{pid} #{socket_path}")
        pid, _, socket = told.partition(" ")
        self._run("kill-server")
        Path(socket).unlink(missing_ok=True)
        # It waits for ever for a control client whose daemon was killed while there was something to tell it.
        process.end(int(pid), EXIT_PATIENCE)

    def close(self) -> None:
        """Let go of the server; it and its windows live on."""
        client, self._client = self._client, None
        if client:
            client.close()

    def _capture(self, pane: str) -> tuple[list[str], list[str]]:
        """(dead, in a mode, pid, size, tty) and the screen's lines."""
        told, screen = self._client_runs(
            ["display-message", "-p", "-t", pane, _FACTS], ["capture-pane", "-p", "-e", "-t", pane]
        )
        return told[0].split(" "), screen

    def _client_runs(self, *commands: Sequence[str]) -> list[list[str]]:
        try:
            if self._client is None:
                self._client = Control(self._socket, self._session)
            return self._client.run(*commands)
        except TmuxUnresponsive:
            self.close()  # the next call finds out whether there is a server
            raise

    def _run(self, *command: str) -> list[str]:
        try:
            result = self._server.cmd(*command)
        except TmuxCommandNotFound as error:
            raise MissingDependency("tmux is not installed", hint="Install tmux (3.2 or newer).") from error
        except LibTmuxException as error:
            raise TmuxUnresponsive(f"tmux {command[0]} failed: {error}") from error
        if result.returncode or result.stderr:
            raise TmuxUnresponsive(f"tmux {command[0]} failed: {' '.join(result.stderr)}")
        return list(result.stdout)


def bursts(text: str) -> Iterator[str]:
    """Cut text into bursts of at most BURST characters, none within a character made of several."""
    start = 0
    while start < len(text):
        end = start + BURST
        while end < len(text) and (unicodedata.combining(text[end]) or text[end] in _JOINING or text[end - 1] == _ZWJ):
            end += 1
        yield text[start:end]
        start = end
