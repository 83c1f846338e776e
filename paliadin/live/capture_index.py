"""The index of captures: an entry beside each file. Entries are read safely, whatever they hold."""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from paliadin.live.capture_room import BODY, ENTRY, NAME, NO_TURN, names

MAX_ENTRY = 64 * 1024  # bytes
MAX_TEXT = 200  # characters
MAX_NUMBER = 2**53
SEPARATOR = b"\r\n\r\n"  # between the request and the response
_UNPRINTABLE = re.compile(r"[^ -~]")


@dataclass(frozen=True, slots=True)
class Entry:
    """A capture's entry in the index: all but the first three fields and `size` may be missing. Sizes are bytes.

    `complete`: request and response are whole, and so is the file; `cut`: a part was not written.
    """

    name: str
    turn: str | None
    at: int  # when the request came; milliseconds since 1970
    size: int = 0  # of the file
    session: str | None = None  # the session's folder
    conversation: str | None = None  # Claude Code's id of it
    agent: str | None = None  # Claude Code's id of the subagent that asks
    request_class: str | None = None  # Claude Code's word for what it asks for: `main` is an answer
    prompt_id: str | None = None
    method: str | None = None
    path: str | None = None
    model: str | None = None
    status: int | None = None
    complete: bool = False
    cut: bool = False
    answered_ms: int | None = None  # until the response's head came
    duration_ms: int | None = None
    request_bytes: int | None = None  # of the body that passed
    response_bytes: int | None = None
    response_at: int | None = None  # where the response begins in the file


_TEXTS = ("session", "conversation", "agent", "request_class", "prompt_id", "method", "path", "model")
_NUMBERS = ("status", "answered_ms", "duration_ms", "request_bytes", "response_bytes", "response_at")
_FLAGS = ("complete", "cut")


def short_text(value: object) -> str | None:
    """Return the value if it is a short text of printable ASCII, else None."""
    return _UNPRINTABLE.sub("?", value[:MAX_TEXT]) if isinstance(value, str) else None


def entries(folder: Path, turn: str | None = None) -> list[Entry]:
    """Return the entries, oldest first; only those of a turn if its id is given, or NO_TURN. None without a folder."""
    index = []
    for match in names(folder, turn):
        with contextlib.suppress(OSError):  # it is gone, or no file
            index.append(_read_entry(folder, match[0], match))
    return sorted(index, key=lambda entry: (entry.at, entry.name))


def find(folder: Path, name: str) -> tuple[Entry, BinaryIO] | None:
    """Return the entry of the capture with this name, and its open file; None if there is none."""
    match = NAME.fullmatch(name)
    if match is None:
        return None
    try:
        return _read_entry(folder, name, match), _open(folder / f"{name}{BODY}")
    except OSError:
        return None


def part(entry: Entry, which: str | None) -> tuple[int, int] | None:
    """Return (start, end) of the `request` or the `response` in the file, or of all; None if it is missing."""
    if which is None:
        return 0, entry.size
    at = entry.response_at
    if which == "request" and at is None and entry.method is not None:
        return 0, entry.size
    if at is None or not len(SEPARATOR) <= at <= entry.size:
        return None
    return (0, at - len(SEPARATOR)) if which == "request" else (at, entry.size)


def _read_entry(folder: Path, name: str, match: re.Match[str]) -> Entry:
    """Read an entry; a missing or damaged one has only what the name tells. Raises OSError without a capture."""
    with _open(folder / f"{name}{BODY}") as file:
        size = os.fstat(file.fileno()).st_size
    values: Any = None
    with contextlib.suppress(OSError, ValueError, RecursionError), _open(folder / f"{name}{ENTRY}") as file:
        values = json.loads(file.read(MAX_ENTRY))
    if not isinstance(values, dict) or values.get("name") != name:
        values = {}
    fields: dict[str, Any] = {key: short_text(values.get(key)) for key in _TEXTS}
    fields |= {key: _number(values.get(key)) for key in _NUMBERS}
    fields |= {key: values.get(key) is True for key in _FLAGS}
    return Entry(name, None if match[1] == NO_TURN else match[1], int(match[2]), size, **fields)


def _number(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER:
        return value
    return None


def _open(path: Path) -> BinaryIO:
    """Open a regular file; raises OSError for a link, a folder, a pipe."""
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(f"{path.name} is no file")
    return file
