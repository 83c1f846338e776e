"""What the operating system says of a process: the one place that knows Linux from other systems."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import termios
import time
from pathlib import Path


def is_stopped(pid: int) -> bool:
    """Ctrl-Z or SIGSTOP: state T. It takes no key until it goes on."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except FileNotFoundError:
        return _state_by_ps(pid).startswith("T")
    return stat.rpartition(")")[2].split()[0] in {"T", "t"}


def lets_the_terminal_edit(tty: str) -> bool:
    """Whether the terminal is back in the mode in which it edits lines itself (ICANON), as before a program took it.

    Claude Code gives it back at Ctrl-Z and then waits for SIGCONT; with no shell above it the kernel never stops it
    (its process group is orphaned), so its state does not tell.
    """
    descriptor = os.open(tty, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        return bool(termios.tcgetattr(descriptor)[3] & termios.ICANON)
    finally:
        os.close(descriptor)


def go_on(pid: int) -> None:
    """There is no shell above Claude whose `fg` could wake it."""
    os.kill(pid, signal.SIGCONT)


def end(pid: int, patience: float) -> None:
    """Wait for a process that was told to end; after `patience` seconds it is killed."""
    deadline = time.monotonic() + patience
    with contextlib.suppress(ProcessLookupError):
        while time.monotonic() < deadline:
            os.kill(pid, 0)
            time.sleep(0.01)
        os.kill(pid, signal.SIGKILL)


def _state_by_ps(pid: int) -> str:
    result = subprocess.run(["ps", "-o", "state=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return result.stdout.strip()
