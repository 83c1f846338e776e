"""What the operating system says of a process: the one place that knows Linux from other systems."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path


def is_stopped(pid: int) -> bool:
    """Ctrl-Z or SIGSTOP: state T. It takes no key until it goes on."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except FileNotFoundError:
        return _state_by_ps(pid).startswith("T")
    return stat.rpartition(")")[2].split()[0] in {"T", "t"}


def go_on(pid: int) -> None:
    """There is no shell above Claude whose `fg` could wake it."""
    os.kill(pid, signal.SIGCONT)


def _state_by_ps(pid: int) -> str:
    result = subprocess.run(["ps", "-o", "state=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return result.stdout.strip()
