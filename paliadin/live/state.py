"""The files by which the pass-through and the relay that starts it communicate (docs/live.md)."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

OFF = 3  # exit code of a child that cannot pass anything on; its reason is in the state file
STATE = "state.json"
MEMBER = "member.json"  # in a session's folder: it is somebody else's than the owner's (base/session_names.py)
PROBE = "paliadin-live"  # the path, behind the secret one, at which the pass-through itself responds
PREVIEW_LOG = "live.jsonl"  # in a turn's folder
CLAUDE = "claude.pid"
LOCK = "lock"  # held by the pass-through's parent while it runs

Configuration = Mapping[str, Any]
"""The keys from paliadin/relays/terminal/pass_through.py: port, secret, session, turns, preview, captures, settings."""


def write_state(folder: Path, state: Mapping[str, object]) -> None:
    """Write the state file in one step, for this account only."""
    temporary = folder / f".{STATE}.{os.getpid()}"
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "w") as file:
        json.dump({"pid": os.getppid() if state.get("child") else os.getpid(), **state}, file)
    temporary.rename(folder / STATE)


def hold(folder: Path) -> int:
    """Wait for the lock and hold it until this process ends; returns its file. Raises OSError.

    A process id would not tell whether a process runs: a zombie keeps its id, which tmux may forget to clear away (3.3a
    misses a SIGCHLD now and then), and later another process may get it.
    """
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor


def is_held(folder: Path) -> bool:
    """True while a process holds the lock; raises OSError where the file system knows no locks."""
    try:
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
