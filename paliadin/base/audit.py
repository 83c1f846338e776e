"""The audit log: who signed in, asked, allowed, denied, exported, deleted, changed keys, and from where.

`$PALIADIN_HOME/audit.jsonl` holds one JSON object a line, mode 0600, and never a question's or an answer's text. A file
that has grown large is renamed by the time of its end, and deleted a year later.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

log = logging.getLogger(__name__)

MAX_BYTES = 5_000_000  # of one file
KEPT = timedelta(days=365)
LONGEST_FIELD = 300  # characters
_CURRENT = "audit.jsonl"
_TIME = "%Y%m%dT%H%M%S%fZ"  # in the names of older files


class AuditLog:
    """Appends to the audit log of a state folder. Several processes may do so at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._remove_expired()

    def write(self, event: str, who: str, *, origin: str = "", **fields: str | int | None) -> None:
        """Append a line: what happened, who did it, from where. A full disk is only a line in the daemon's log."""
        now = datetime.now(UTC)
        values: dict[str, str | int | None] = {"event": event, "who": who, "from": origin, **fields}
        cut = {name: value[:LONGEST_FIELD] if isinstance(value, str) else value for name, value in values.items()}
        line = json.dumps({"at": now.isoformat(), **cut}) + "\n"
        try:
            self._append(line.encode(), now)
        except OSError as error:
            log.warning("the audit log cannot be written: %s", error.strerror)

    def _append(self, line: bytes, now: datetime) -> None:
        path = self._folder / _CURRENT
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(path, flags, 0o600)
        try:
            os.write(descriptor, line)  # one write: lines of several processes do not mix
            if os.fstat(descriptor).st_size > MAX_BYTES:
                path.rename(self._folder / f"audit-{now.strftime(_TIME)}.jsonl")
                self._remove_expired()
        finally:
            os.close(descriptor)

    def _remove_expired(self) -> None:
        oldest = (datetime.now(UTC) - KEPT).strftime(_TIME)
        for path in _older_files(self._folder):
            if path.stem.removeprefix("audit-") < oldest:
                with contextlib.suppress(OSError):
                    path.unlink()


def read_audit_log(folder: Path, since: datetime | None = None) -> Iterator[dict[str, object]]:
    """Yield the lines since a time (with a time zone), oldest first; a line that does not parse is skipped."""
    for path in [*_older_files(folder), folder / _CURRENT]:
        try:
            text = path.read_text("utf-8", "replace")
        except FileNotFoundError:
            continue
        for line in text.splitlines():
            entry = _parse(line)
            if entry and (since is None or datetime.fromisoformat(str(entry["at"])) >= since):
                yield entry


def _older_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("audit-*.jsonl"))


def _parse(line: str) -> dict[str, object] | None:
    with contextlib.suppress(ValueError, KeyError, TypeError):
        entry = json.loads(line)
        datetime.fromisoformat(entry["at"])
        return dict(entry)
    return None
