"""The sessions that this daemon has made on a remote host, one for each conversation."""

from __future__ import annotations

import contextlib
from pathlib import Path

from paliadin.base.session_names import MADE_NAME, SessionName

MARKER = "discarded"
"""An empty file in a session's folder here: the host has the session no more."""


class MadeSessions:
    """Keeps track of them by their folders here, `<name>@<host>` in `sessions`, so that a restart loses none.

    `there` are those that the host has. A session that the host has removed stays among those `here` until its folder
    is removed too: its turns may be kept for a branch.
    """

    def __init__(self, sessions: Path, host: str) -> None:
        self._sessions, self._host = sessions, host
        names = {SessionName.parse(path.name).session for path in sessions.glob(f"*@{host}")}
        made = {name for name in names if MADE_NAME.fullmatch(name)}
        self._gone = {name for name in made if (self._folder(name) / MARKER).exists()}
        self.there = made - self._gone

    def here(self) -> list[str]:
        """Return the sessions that have a folder here, sorted."""
        self._gone = {name for name in self._gone if self._folder(name).is_dir()}
        return sorted(self.there | self._gone)

    def add(self, name: str) -> None:
        """Note that the host has this session now."""
        self.there.add(name)

    def remove(self, name: str) -> None:
        """Note that the host has removed this session; other sessions are ignored. Raises OSError."""
        if name in self.there:
            with contextlib.suppress(FileNotFoundError):  # nothing is kept of it here
                (self._folder(name) / MARKER).touch(0o600)
            self.there.discard(name)
            self._gone.add(name)

    def _folder(self, name: str) -> Path:
        return self._sessions / str(SessionName(name, self._host))
