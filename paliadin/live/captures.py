"""Whole requests and responses of Claude Code, kept as files for whoever wants to see what was sent (CAPTURE=1).

Each has two files in captures/: `<name>.http`, the request and behind it the response as they were, and `<name>.json`,
its entry in the index. The name begins with the turn's id, or with `none`. Of the heads only fields on a short list
are written, so that no secret is. docs/live.md says what is in them.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paliadin.live.framing import Head

MAX_BYTES = 1_000_000_000  # of all captures together
MAX_AGE = 7 * 86_400.0  # seconds
NO_TURN = "none"
_NAME = re.compile(r"(?:[0-9a-f-]{36}|none)--[0-9]{13,17}-[0-9]{1,9}")
# What may be written of a head. Neither a key, a cookie or an account is among them.
_FIELDS = frozenset(
    [
        *("accept", "accept-encoding", "anthropic-beta", "anthropic-version", "content-encoding", "content-length"),
        *("content-type", "date", "retry-after", "request-id", "transfer-encoding", "user-agent", "x-app"),
        *("x-should-retry", "x-stainless-retry-count", "x-stainless-timeout", "x-claude-code-session-id"),
        *("x-claude-code-agent-id", "x-claude-code-prompt-id", "x-claude-code-request-class"),
    ]
)

Entry = Mapping[str, Any]
"""A capture's entry in the index; docs/live.md lists its fields."""


class Capture:
    """Writes one request and its response. Errors are the caller's, who then calls `discard`."""

    def __init__(self, folder: Path, head: Head, session: str) -> None:
        make_room(folder)
        self.turn: str | None = None  # to be set once it is known
        self.model: str | None = None
        self._folder, self._began = folder, time.time_ns() // 1_000_000
        self._temporary = f".{os.getpid()}-{time.time_ns()}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
        self._file = os.fdopen(os.open(folder / self._temporary, flags, 0o600), "wb")
        self._sizes = {"request": 0, "response": 0}
        self._status: int | None = None
        self._answered: int | None = None  # when the response's head came
        self._response_at: int | None = None  # where it begins in the file
        method, target = head.request
        self._entry = {
            "session": session,
            "conversation": head.get("x-claude-code-session-id"),
            "agent": head.get("x-claude-code-agent-id"),
            "class": head.get("x-claude-code-request-class"),
            "prompt_id": head.get("x-claude-code-prompt-id"),
            "method": method,
            "path": "/" + target.partition("/")[2].partition("/")[2],  # without the secret part
        }
        self._write_head(Head(f"{method} {self._entry['path']} HTTP/1.1", head.fields))

    def write_request(self, data: bytes) -> None:
        """Add bytes of the request's body, as they pass."""
        self._sizes["request"] += self._file.write(data)

    def begin_response(self, head: Head) -> None:
        """Add the response's head."""
        self._file.write(b"\r\n\r\n")
        self._response_at = self._file.tell()
        self._status, self._answered = head.status, time.time_ns() // 1_000_000
        self._write_head(head)

    def write_response(self, data: bytes) -> None:
        """Add bytes of the response's body, as they pass."""
        self._sizes["response"] += self._file.write(data)

    def finish(self, *, complete: bool) -> None:
        """Give the file its name, and write its entry. `complete`: request and response are whole."""
        self._file.close()
        name = f"{self.turn or NO_TURN}--{self._began}-{time.time_ns() % 10**9}"
        entry = {
            "name": name,
            "turn": self.turn,
            **self._entry,
            "model": self.model,
            "status": self._status,
            "complete": complete,
            "at": self._began,
            "answered_ms": None if self._answered is None else self._answered - self._began,
            "duration_ms": time.time_ns() // 1_000_000 - self._began,
            "request_bytes": self._sizes["request"],
            "response_bytes": self._sizes["response"],
            "response_at": self._response_at,
        }
        (self._folder / self._temporary).rename(self._folder / f"{name}.http")
        _write(self._folder / f"{name}.json", json.dumps(entry).encode("ascii"))

    def discard(self) -> None:
        """Remove what was written; never raises."""
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            (self._folder / self._temporary).unlink(missing_ok=True)

    def _write_head(self, head: Head) -> None:
        fields = [(name, value if name.lower() in _FIELDS else "(not kept)") for name, value in head.fields]
        self._file.write(Head(head.first_line, fields).encode())


def _write(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
        file.write(data)


def make_room(folder: Path, now: float | None = None) -> None:
    """Make the folder if it is missing; remove the captures that are too old, then the oldest beyond MAX_BYTES."""
    folder.mkdir(mode=0o700, exist_ok=True)
    now, kept = time.time() if now is None else now, 0
    files = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                stat = entry.stat(follow_symlinks=False)
                files.append((stat.st_mtime, stat.st_size, entry.path))
    for modified, size, path in sorted(files, reverse=True):
        kept += size
        if now - modified > MAX_AGE or kept > MAX_BYTES:
            Path(path).unlink(missing_ok=True)


def entries(folder: Path, turn: str | None = None) -> list[Entry]:
    """The index, oldest first; only those of a turn if its id is given."""
    found = []
    for path in folder.glob(f"{turn or '*'}--*.json"):
        with contextlib.suppress(OSError, ValueError):
            entry = json.loads(path.read_text("utf-8"))
            if isinstance(entry, dict) and entry.get("name") == path.stem and _NAME.fullmatch(path.stem):
                found.append(entry)
    return sorted(found, key=lambda entry: str(entry.get("at")))


def find(folder: Path, name: str) -> Path | None:
    """The file of the capture with this name; None if there is none."""
    path = folder / f"{name}.http"
    return path if _NAME.fullmatch(name) and path.is_file() and not path.is_symlink() else None


def remove(folder: Path, turn: str) -> int:
    """Remove a turn's captures; returns how many files there were."""
    files = list(folder.glob(f"{turn}--*")) if re.fullmatch(r"[0-9a-f-]{36}", turn) else []
    for path in files:
        path.unlink(missing_ok=True)
    return len(files)
