"""A tmux client in control mode: it stays connected, and runs a command in 0.04 ms where a new process takes 2."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Sequence

from paliadin.base.errors import TmuxUnresponsive


class ControlClient:
    """A `tmux -C attach-session` process; tmux(1), CONTROL MODE, has its protocol.

    It reads one command list a line, and writes the output of each command between %begin and %end.
    """

    def __init__(self, socket: str, session: str) -> None:
        # We need neither its size nor the output of panes. -u: text is UTF-8, whatever the locale.
        attach = [
            "tmux",
            "-u",
            "-L",
            socket,
            "-C",
            "attach-session",
            "-t",
            f"={session}",
            "-f",
            "ignore-size,no-output",
        ]
        self._process = subprocess.Popen(
            attach,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            errors="backslashreplace",
            bufsize=1,
        )
        self._lock = threading.Lock()
        self._read_output()  # of attach-session itself

    def run(self, *commands: Sequence[str]) -> list[list[str]]:
        """Run the commands; returns the lines of each one's output. Raises TmuxUnresponsive at the first that fails."""
        with self._lock:
            try:
                self._write(" ; ".join(" ".join(map(_quoted, command)) for command in commands))
                return [self._read_output() for _ in commands]
            except OSError as error:
                raise TmuxUnresponsive("the tmux server is gone") from error

    def close(self) -> None:
        """End the client; the server goes on."""
        self._process.kill()
        self._process.communicate()

    def _write(self, line: str) -> None:
        if self._process.stdin:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()

    def _read_output(self) -> list[str]:
        """Read the output of the next command; raises TmuxUnresponsive when it failed or the server is gone."""
        begun: str | None = None
        lines: list[str] = []
        for raw in self._process.stdout or ():
            line = raw.rstrip("\n")
            mark, _, numbers = line.partition(" ")
            if begun is None:
                begun = numbers if mark == "%begin" else None  # anything else is a notification
            elif mark == "%end" and numbers == begun:
                return lines
            elif mark == "%error" and numbers == begun:
                raise TmuxUnresponsive(f"tmux refused a command: {' '.join(lines)}")
            else:
                lines.append(line)
        raise TmuxUnresponsive("the tmux server is gone")


def _quoted(argument: str) -> str:
    """Quote one argument for tmux's parser: nothing is special within single quotes."""
    return "'" + argument.replace("'", "'\\''") + "'"
