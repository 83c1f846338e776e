"""Run tmux commands through libtmux, a process each: 2 ms. It has no timeout, so a thread that hangs is left behind.

Killing the process would not help: a server that hangs keeps the pipes open that libtmux reads to their end.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from pathlib import Path
from threading import Thread

from paliadin.base import umask
from paliadin.base.errors import MissingDependency, TmuxFailed, TmuxUnresponsive
from paliadin.base.open_files import with_inherited_limit

SILENT = "tmux does not respond"
THREAD = "tmux command"
CONFIG = Path(__file__).with_name("tmux.conf")
PROGRAM = Path(__file__).with_name("tmux.sh")  # libtmux would hand our standard input on


class TmuxCommands:
    """The commands of the tmux server of this socket name, one after another.

    Each runs in a thread of its own once the previous thread has ended, so at most one thread is left behind.
    """

    def __init__(self, socket: str) -> None:
        self._socket = socket
        self._thread = Thread()
        self._output: Future[list[str]] = Future()

    def run(self, *command: str, seconds: float) -> list[str]:
        """Return the lines of the command's output; raises TmuxFailed, TmuxUnresponsive or MissingDependency."""
        if self._thread.is_alive():
            self._thread.join(seconds)
        if self._thread.is_alive():
            raise TmuxUnresponsive(SILENT)
        self._output = Future()
        arguments = (self._output, command)
        self._thread = Thread(target=self._settle, args=arguments, name=THREAD, daemon=True)  # no exit waits for it
        self._thread.start()
        try:
            return self._output.result(seconds)
        except TimeoutError as error:
            raise TmuxUnresponsive(SILENT) from error

    def give_up(self) -> None:
        """End the current wait with TmuxUnresponsive."""
        with suppress(InvalidStateError):
            self._output.set_exception(TmuxUnresponsive(SILENT))

    def _settle(self, output: Future[list[str]], command: Sequence[str]) -> None:
        with suppress(InvalidStateError):  # it was given up
            try:
                run = _start_server if command[0] == "new-session" else _run
                output.set_result(run(self._socket, command))
            except Exception as error:  # noqa: BLE001  # `run` raises it
                output.set_exception(error)


def missing_tmux() -> MissingDependency:
    """The error where there is no program `tmux`."""
    return MissingDependency("tmux is not installed", hint="Install tmux (3.2 or newer).")


def _run(socket: str, command: Sequence[str]) -> list[str]:
    from libtmux import Server  # noqa: PLC0415  # 30 ms

    if shutil.which("tmux") is None:
        raise missing_tmux()
    # Its lists of sessions, windows and panes raise ValueError where the locale is C, or once a program has written the
    # separator of their fields into its title: so only `cmd`.
    result = Server(socket_name=socket, config_file=str(CONFIG), tmux_bin=PROGRAM).cmd(*command)
    return _checked(command, result.returncode, result.stdout, result.stderr)


def _start_server(socket: str, command: Sequence[str]) -> list[str]:
    """Start the server with the owner's umask and limit of open files, which libtmux cannot set."""
    program = with_inherited_limit(["tmux", f"-L{socket}", f"-f{CONFIG}", *command])
    result = subprocess.run(
        program, stdin=subprocess.DEVNULL, check=False, capture_output=True, umask=umask.of_owner(),
        encoding="utf-8", errors="backslashreplace",
    )  # fmt: skip
    return _checked(command, result.returncode, result.stdout.splitlines(), result.stderr.splitlines())


def _checked(command: Sequence[str], returncode: int, lines: list[str], complaint: Sequence[str]) -> list[str]:
    if returncode or complaint:
        raise TmuxFailed(f"tmux {command[0]} failed: {' '.join(complaint)}")
    return lines
