"""Mirror the log of a turn that is carried elsewhere into the turn's folder here, byte by byte."""

from __future__ import annotations

import asyncio
from pathlib import Path

from paliadin.base import errors
from paliadin.turnlog.append import append_bytes
from paliadin.turnlog.follow import wake_followers

MAX_LOG = 64 * 1024 * 1024  # bytes of a turn's log, or of a session's, that are taken from elsewhere
TOO_LONG = f"the log there has more than {MAX_LOG // 1024 // 1024} MB, and no more of it is mirrored"


class TurnMirror:
    """The mirror of one turn's log, of at most `most` bytes. `changed` is set with `connection_lost` and `error`.

    `head`: the number of bytes at its beginning that were written here, and are not in the log there.
    """

    def __init__(self, log_path: Path, most: int = MAX_LOG, *, head: int = 0) -> None:
        self._path, self._most = log_path, most
        self.size = max(log_path.stat().st_size - head, 0) if log_path.exists() else 0
        self.changed = asyncio.Event()
        self.connection_lost = False
        self.error: Exception | None = None

    def receive(self, offset: int, data: bytes) -> None:
        """Append bytes that begin at `offset`, without those that the mirror already has."""
        new = data[max(0, self.size - offset) :]
        if offset > self.size or not new:
            return
        try:
            if self.size + len(new) > self._most:
                raise errors.StreamBroken(TOO_LONG)
            append_bytes(self._path, new)
        except (errors.PaliadinError, OSError) as error:
            self.error = error
            self.changed.set()
        else:
            self.size += len(new)
            wake_followers(self._path)
