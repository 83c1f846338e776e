"""The state of a process, by the operating system. Only this module distinguishes Linux from other systems."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import termios
import time
from pathlib import Path

_PROCESSES = Path("/proc")
"""On Linux, a folder for each process. Other systems have `ps`, which a bare Debian lacks."""

_ENDED = {"", "Z", "X"}
"""The states of a process that has ended; a zombie only waits to be cleared away."""


def is_stopped(pid: int) -> bool:
    """True when the process was stopped by Ctrl-Z or SIGSTOP: it takes no keys. Raises OSError."""
    return _state(pid) in {"T", "t"}


def in_canonical_mode(tty: str) -> bool:
    """True when the terminal edits lines itself (ICANON), as it does while no program has taken it over.

    Claude Code returns to this mode at Ctrl-Z and waits for SIGCONT. Without a shell above it, its process group is
    orphaned, so the kernel never stops it and `is_stopped` cannot tell. Raises OSError, termios.error.
    """
    descriptor = os.open(tty, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        return bool(termios.tcgetattr(descriptor)[3] & termios.ICANON)
    finally:
        os.close(descriptor)


def wake(pid: int) -> None:
    """Continue a stopped process with SIGCONT, as a shell's `fg` would; Claude has no shell above it.

    Does nothing when it is gone.
    """
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)


def start_time(pid: int) -> str:
    """Return when the process was started, as the system writes it; empty when it has ended. Unique with its id."""
    fields = _stat(pid)
    if fields is None:
        return "" if _state_by_ps(pid) in _ENDED else _ps(pid, "lstart")
    return "" if fields[0] in _ENDED else fields[19]


def has_child(pid: int, word: str) -> bool:
    """True if a child of the process has the word in its command line; False also where that is unknown."""
    for listing in (_PROCESSES / str(pid) / "task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in listing.read_text().split():
                if word in (_PROCESSES / child / "cmdline").read_text("utf-8", "replace"):
                    return True
    return False


def terminate(pid: int) -> None:
    """Ask a process to end (SIGTERM), also one that is stopped; does nothing when it is gone."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
        wake(pid)


def wait_or_kill(pid: int, timeout: float) -> None:
    """Wait until a process has ended; kill it after `timeout` seconds. Raises OSError.

    A zombie has ended: in some containers process 1 takes a second or two to clear it away.
    """
    deadline = time.monotonic() + timeout
    while _state(pid) not in _ENDED:
        if time.monotonic() > deadline:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            return
        time.sleep(0.01)


def _state(pid: int) -> str:
    """Return the letter of the process's state, as ps(1) lists them; empty when it is gone."""
    fields = _stat(pid)
    return _state_by_ps(pid) if fields is None else fields[0]


def _stat(pid: int) -> list[str] | None:
    """Read the fields of /proc/<pid>/stat from the state on, [""] when the process is gone; None without /proc."""
    try:
        stat = (_PROCESSES / str(pid) / "stat").read_text("utf-8", "replace")
    except (FileNotFoundError, ProcessLookupError):
        return [""] if (_PROCESSES / "self" / "stat").exists() else None
    return stat.rpartition(")")[2].split()


def _state_by_ps(pid: int) -> str:
    return _ps(pid, "state")[:1]


def _ps(pid: int, column: str) -> str:
    result = subprocess.run(
        ["ps", "-o", f"{column}=", "-p", str(pid)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LC_ALL": "C"},
    )
    return result.stdout.strip()
