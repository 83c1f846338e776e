"""A client of the tmux server in control mode: a process that stays, and answers a command in 0.04 ms instead of 2."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Sequence

from paliadin.errors import TmuxUnresponsive


class Control:
    """`tmux -C attach`: a line in is a command, its answer stands between %begin and %end (tmux(1), CONTROL MODE)."""

    def __init__(self, socket: str, session: str) -> None:
        # Neither its size nor what panes print concerns us; -u: text is UTF-8 whatever the locale says.
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
        self._answer()  # that of attach-session itself

    def run(self, *commands: Sequence[str]) -> list[list[str]]:
        """The answers of the commands, each a list of lines; raises TmuxUnresponsive at the first that fails."""
        with self._lock:
            try:
                self._write(" ; ".join(" ".join(map(_quoted, command)) for command in commands))
                return [self._answer() for _ in commands]
            except OSError as error:
                raise TmuxUnresponsive("the tmux server is gone") from error

    def close(self) -> None:
        """The client ends, the server does not."""
        self._process.kill()
        self._process.communicate()

    def _write(self, line: str) -> None:
        if self._process.stdin:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()

    def _answer(self) -> list[str]:
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
    """One argument in tmux's own syntax: in single quotes nothing is special."""
    return "'" + argument.replace("'", "'\\''") + "'"
