"""The files by which the pass-through and the relay that starts it know of each other (docs/live.md)."""

from __future__ import annotations

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

Configuration = Mapping[str, Any]
"""What paliadin/relays/terminal/pass_through.py writes: port, secret, session, turns, preview, captures, settings."""


def write_state(folder: Path, state: Mapping[str, object]) -> None:
    """Write the state file in one step, for this account only."""
    temporary = folder / f".{STATE}.{os.getpid()}"
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "w") as file:
        json.dump({"pid": os.getppid() if state.get("child") else os.getpid(), **state}, file)
    temporary.rename(folder / STATE)
