"""Paliadin's own tmux server. Each session is a window, and Claude runs in it directly, without a shell.

libtmux makes the server and its windows, in about 2 ms a call; keys and captures go through a client in control mode.
Every call blocks, so callers keep them off the event loop.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import libtmux
from libtmux.exc import LibTmuxException, TmuxCommandNotFound

from paliadin.base.errors import MissingDependency, TmuxUnresponsive
from paliadin.relays.terminal import process_state
from paliadin.relays.terminal.tmux_control import ControlClient

WIDTH, HEIGHT = 160, 50
BURST = 400  # characters; Claude Code treats more than this at once as a paste
EXIT_TIMEOUT = 2.0  # seconds for the server to end, before it is killed
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
    """The tmux server of the socket name `socket`; `session` is the tmux session that holds Paliadin's windows."""

    def __init__(self, socket: str, session: str) -> None:
        self._socket, self._session = socket, session
        self._client: ControlClient | None = None
        config = str(Path(__file__).with_name("tmux.conf"))
        self._server = libtmux.Server(socket_name=socket, config_file=config)

    def panes(self) -> dict[str, str]:
        """Return window name → pane id, of all windows; empty when the server is not running."""
        try:
            lines = self._run("list-panes", "-s", "-t", f"={self._session}", "-F", "#{window_name} #{pane_id}")
        except TmuxUnresponsive:
            return {}
        return dict(line.rsplit(" ", 1) for line in lines)

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
        """End the server with everything in it, and remove its socket, which tmux leaves behind."""
        self.close()
        [line] = self._run("display-message", "-p", "#{pid} #{socket_path}")
        pid, _, socket = line.partition(" ")
        self._run("kill-server")
        Path(socket).unlink(missing_ok=True)
        # It would wait for ever for a control client whose daemon was killed before it had read all output.
        process_state.wait_or_kill(int(pid), EXIT_TIMEOUT)

    def close(self) -> None:
        """Close the connection to the server; its windows go on."""
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
        try:
            if self._client is None:
                self._client = ControlClient(self._socket, self._session)
            return self._client.run(*commands)
        except TmuxUnresponsive:
            self.close()  # the next call connects again
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


def split_into_bursts(text: str) -> Iterator[str]:
    """Split text into bursts of about BURST characters, never within a character of several code points."""
    start = 0
    while start < len(text):
        end = start + BURST
        while end < len(text) and (unicodedata.combining(text[end]) or text[end] in _JOINING or text[end - 1] == _ZWJ):
            end += 1
        yield text[start:end]
        start = end
