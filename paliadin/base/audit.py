"""The audit log: who signed in, asked, allowed, denied, exported, deleted, changed keys, and from where.

`$PALIADIN_HOME/audit.jsonl` holds one JSON object a line, mode 0600, and never a question's or an answer's text. A file
that has grown large is renamed by the time of its end, and deleted a year later. Nobody can fill a disk with it: there
is a limit for the entries of one kind, and one for all files. At a limit, a line says how much is missing.
"""

from __future__ import annotations

import contextlib
import errno
import json
import logging
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

log = logging.getLogger(__name__)

MAX_BYTES = 5_000_000  # of one file
MAX_ALL = 1_000_000_000  # bytes of all files
KEPT = timedelta(days=365)
MOST_ENTRIES = 300  # of one kind in an hour
HOUR = 3600.0  # seconds
MOST_KINDS = 10_000  # that are counted at a time
LONGEST_FIELD = 300  # characters
LEAVES_OUT, LEFT_OUT, REMOVED = "further entries left out", "entries left out", "older entries removed"  # events
_CURRENT = "audit.jsonl"
_TIME = "%Y%m%dT%H%M%S%fZ"  # in the names of older files

Field = str | int | None


@dataclass(slots=True)
class _Kind:
    """The entries of one event by one person in an hour."""

    began: float
    entries: int = 0


class AuditLog:
    """Appends to the audit log of a state folder. Several processes may do so at once; each counts its own entries."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._clock = folder, clock
        self._kinds: dict[tuple[str, str], _Kind] = {}  # (event, who), the one that began first at the front
        self._remove_old()

    def write(self, event: str, who: str, *, origin: str = "", **fields: Field) -> None:
        """Append a line: what happened, who did it, from where. A full disk is only a line in the daemon's log.

        Of the entries of one kind that are too many in an hour, only their number is written.
        """
        self.report()
        kind = self._kinds.setdefault((event, who), _Kind(self._clock()))
        kind.entries += 1
        if kind.entries <= MOST_ENTRIES:
            self._write(event, who, origin, fields)
        elif kind.entries == MOST_ENTRIES + 1:
            self._write(LEAVES_OUT, who, origin, {"of": event, "most_in_an_hour": MOST_ENTRIES})

    def report(self, *, is_end: bool = False) -> None:
        """Write how many entries were left out, of each kind whose hour is over or (`is_end`) of all.

        To be called often.
        """
        began_before = self._clock() - HOUR
        while self._kinds:
            (event, who), kind = next(iter(self._kinds.items()))
            if not (is_end or kind.began <= began_before or len(self._kinds) > MOST_KINDS):
                return
            del self._kinds[event, who]
            if kind.entries > MOST_ENTRIES:
                self._write(LEFT_OUT, who, "", {"of": event, "entries": kind.entries - MOST_ENTRIES})

    def _write(self, event: str, who: str, origin: str, fields: dict[str, Field]) -> None:
        now = datetime.now(UTC)
        values: dict[str, Field] = {"event": event, "who": who, "from": origin, **fields}
        cut = {name: value[:LONGEST_FIELD] if isinstance(value, str) else value for name, value in values.items()}
        line = json.dumps({"at": now.isoformat(), **cut}) + "\n"
        try:
            self._append(line.encode(), now)
        except OSError as error:
            log.warning("the audit log cannot be written: %s", error.strerror)

    def _append(self, line: bytes, now: datetime) -> None:
        path = self._folder / _CURRENT
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(path, flags, 0o600)
        try:
            line = b"\n" + line if _is_torn(descriptor) else line
            if os.write(descriptor, line) < len(line):  # one write: lines of several processes do not mix
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if os.fstat(descriptor).st_size > MAX_BYTES:
                with contextlib.suppress(FileNotFoundError):  # another process was first
                    path.rename(self._folder / f"audit-{now.strftime(_TIME)}.jsonl")
                self._remove_old()
        finally:
            os.close(descriptor)

    def _remove_old(self) -> None:
        """Remove the files that are older than a year and, with a line that says so, the oldest of too many."""
        oldest = (datetime.now(UTC) - KEPT).strftime(_TIME)
        sizes = {path: size for path in _older_files(self._folder) if (size := _size(path)) is not None}
        too_many, removed, until = sum(sizes.values()) - MAX_ALL, 0, ""
        for path, size in sizes.items():
            is_expired = _end_of(path) < oldest
            if is_expired or too_many > 0:
                with contextlib.suppress(OSError):
                    path.unlink()
                    too_many -= size
                    removed, until = (removed, until) if is_expired else (removed + size, _end_of(path))
        if removed:
            self._write(REMOVED, "", "", {"until": until, "bytes": removed})


def read_audit_log(folder: Path, since: datetime | None = None) -> Iterator[dict[str, object]]:
    """Yield the lines since a time (with a time zone), oldest first; a line that does not parse is skipped."""
    # A process may write to a file for a moment after another one has renamed it.
    earliest = (since.astimezone(UTC) - timedelta(minutes=1)).strftime(_TIME) if since else ""
    for path in [*(path for path in _older_files(folder) if _end_of(path) >= earliest), folder / _CURRENT]:
        try:
            text = path.read_text("utf-8", "replace")
        except FileNotFoundError:
            continue
        for line in text.splitlines():
            entry = _parse(line)
            if entry and (since is None or datetime.fromisoformat(str(entry["at"])) >= since):
                yield entry


def _is_torn(file: int) -> bool:
    """Tell whether the last line has no end: the disk was full, or a process ended in its middle."""
    size = os.fstat(file).st_size
    return size > 0 and os.pread(file, 1, size - 1) != b"\n"


def _older_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("audit-*.jsonl"))


def _end_of(path: Path) -> str:
    """Return the time in UTC at which an older file was ended, as its name says."""
    return path.stem.removeprefix("audit-")


def _size(path: Path) -> int | None:
    with contextlib.suppress(OSError):
        return path.lstat().st_size
    return None


def _parse(line: str) -> dict[str, object] | None:
    with contextlib.suppress(ValueError, KeyError, TypeError):
        entry = json.loads(line)
        datetime.fromisoformat(entry["at"])
        return dict(entry)
    return None
