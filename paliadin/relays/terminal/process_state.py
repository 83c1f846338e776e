"""The state of a process, by the operating system: the one module that distinguishes Linux from other systems."""

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
    """Continue a stopped process with SIGCONT, as a shell's `fg` would; Claude has no shell above it."""
    os.kill(pid, signal.SIGCONT)


def wait_or_kill(pid: int, timeout: float) -> None:
    """Wait until a process has ended; kill it after `timeout` seconds. Raises OSError.

    A zombie has ended: in some containers process 1 takes a second or two to clear it away.
    """
    deadline = time.monotonic() + timeout
    while _state(pid) not in {"", "Z", "X"}:
        if time.monotonic() > deadline:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            return
        time.sleep(0.01)


def _state(pid: int) -> str:
    """The letter of the process's state, as ps(1) lists them; empty when it is gone."""
    try:
        stat = (_PROCESSES / str(pid) / "stat").read_text("utf-8", "replace")
    except (FileNotFoundError, ProcessLookupError):
        return "" if (_PROCESSES / "self" / "stat").exists() else _state_by_ps(pid)
    return stat.rpartition(")")[2].split()[0]


def _state_by_ps(pid: int) -> str:
    result = subprocess.run(["ps", "-o", "state=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return result.stdout.strip()[:1]
