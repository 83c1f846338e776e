"""Run tmux commands in a client in control mode, which stays connected: 0.04 ms, where a new process takes 2.

No call waits longer than its timeout, whatever hangs.
"""

from __future__ import annotations

import select
import subprocess
import time
from collections import deque
from collections.abc import Sequence
from subprocess import DEVNULL, PIPE

from paliadin.base.errors import TmuxFailed, TmuxUnresponsive
from paliadin.relays.terminal.tmux_commands import CONFIG, SILENT, missing_tmux

SLICE = 0.1  # seconds between looks whether to wait on
GONE = "the tmux server is gone"


class ControlClient:
    """A `tmux -C attach-session` process; tmux(1), CONTROL MODE, has its protocol.

    It reads one command list a line, and writes the output of each command between %begin and %end.
    """

    def __init__(self, socket: str, session: str) -> None:
        # We need neither its size nor the output of panes. -u: text is UTF-8, whatever the locale. -N: a server that it
        # started would have this process's umask, and `new-session` could still meet it.
        command = ["tmux", "-u", "-N", f"-L{socket}", f"-f{CONFIG}", "-C", "attach-session", "-t", f"={session}"]
        command += ["-f", "ignore-size,no-output"]
        try:
            self.process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, bufsize=0)
        except FileNotFoundError as error:
            raise missing_tmux() from error
        assert self.process.stdout is not None  # noqa: S101  # it is a pipe
        self._poll = select.poll()
        self._poll.register(self.process.stdout, select.POLLIN)
        self._unanswered = 1  # commands whose output is to come: attach-session itself
        self._unread: deque[str] = deque()  # lines
        self._rest = b""  # the beginning of a line
        self._begun: str | None = None  # the numbers of the output that has begun
        self._lines: list[str] = []  # of this output

    def run(self, *commands: Sequence[str], seconds: float) -> list[list[str]]:
        """Run the commands; returns the lines of each one's output.

        Raises TmuxFailed at the first that fails: close the client then. Raises TmuxUnresponsive when the output does
        not come in time; the next call waits for it before it sends anything.
        """
        deadline = time.monotonic() + seconds
        try:
            while self._unanswered:
                self._read_output(deadline)
            assert self.process.stdin is not None  # noqa: S101  # it is a pipe
            line = " ; ".join(" ".join(map(_quoted, command)) for command in commands)
            self.process.stdin.write(f"{line}\n".encode())  # never blocks: the pipe is empty
            self._unanswered = len(commands)
            return [self._read_output(deadline) for _ in commands]
        except OSError as error:
            raise TmuxFailed(GONE) from error

    def close(self) -> None:
        """End the client; the server goes on."""
        with self.process:  # closes the pipes and waits; a server that hangs would not end its output
            self.process.kill()

    def _read_output(self, deadline: float) -> list[str]:
        """Read the output of the next command; raises TmuxFailed when it failed or the server is gone."""
        while True:
            line = self._read_line(deadline)
            mark, _, numbers = line.partition(" ")
            if self._begun is None:
                self._begun = numbers if mark == "%begin" else None  # anything else is a notification
            elif mark in {"%end", "%error"} and numbers == self._begun:
                lines, self._lines, self._begun = self._lines, [], None
                self._unanswered -= 1
                if mark == "%error":
                    raise TmuxFailed(f"tmux refused a command: {' '.join(lines)}")
                return lines
            else:
                self._lines.append(line)

    def _read_line(self, deadline: float) -> str:
        assert self.process.stdout is not None  # noqa: S101  # it is a pipe
        while not self._unread:
            if self._poll.poll(SLICE * 1000):
                if not (part := self.process.stdout.read(65536)):
                    raise TmuxFailed(GONE)
                *lines, self._rest = (self._rest + part).split(b"\n")
                self._unread.extend(map(_decoded, lines))
            elif self.process.poll() is not None:
                raise TmuxFailed(GONE)
            elif time.monotonic() > deadline:
                raise TmuxUnresponsive(SILENT)
        return self._unread.popleft()


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "backslashreplace")


def _quoted(argument: str) -> str:
    """Quote one argument for tmux's parser: nothing is special within single quotes."""
    return "'" + argument.replace("'", "'\\''") + "'"
