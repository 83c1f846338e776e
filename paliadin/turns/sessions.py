"""The sessions of this daemon: on this machine, and on its remote hosts."""

from __future__ import annotations

import time
from collections.abc import Sequence

from paliadin.base import errors
from paliadin.base.session_names import SessionName
from paliadin.base.settings import Settings
from paliadin.relays.protocol import DEFAULT_SESSION, Relays, SessionState

SETTLED_AFTER = 2.0  # seconds after which the time of a folder's last change tells of every later change


class Sessions:
    """Finds sessions by name.

    Names are the full ones that the database has: `main@laptop` for a session of the daemon `laptop`, or plain `main`.
    """

    def __init__(self, settings: Settings, relay: Relays) -> None:
        self._settings, self._relay = settings, relay
        self._listed: Sequence[str] = ()
        self._listed_at: float | None = None  # the time of the parent folder's last change then

    def names(self) -> list[str]:
        """Return every session that a question can be asked in."""
        return [*map(self._settings.names.full, self._local()), *self._relay.sessions()]

    def log_folders(self) -> list[str]:
        """Return each session's folder name below `sessions/`; a remote session's folder holds a mirror of its log."""
        return [*self._local(), *self._relay.sessions()]

    def resolve(self, session_id: object) -> str:
        """Return the full name of the session that a request names; raises InvalidField or NotFound."""
        if not isinstance(session_id, str):
            raise errors.InvalidField("session_id must be a string")
        session = self._settings.names.full(session_id)
        if session not in (names := self.names()):
            raise errors.NotFound(
                f"there is no session {session[:80]!r}", code="unknown_session", hint=f"Sessions: {', '.join(names)}."
            )
        return session

    async def states(self) -> list[SessionState]:
        """Return the current state of each session, looked up now."""
        return [await self._relay.state(name) for name in self.names()]

    def _local(self) -> Sequence[str]:
        """List the folders; again only when their parent has changed, since they are asked for twice a second."""
        changed_at = self._settings.sessions_dir.stat().st_mtime
        if changed_at != self._listed_at:
            folders = (path.name for path in self._settings.sessions_dir.iterdir() if path.is_dir())
            names = {DEFAULT_SESSION, *(name for name in folders if SessionName.parse(name).place is None)}
            self._listed = sorted(names)
            # A folder that is made within the same tick of the clock would not be noticed.
            self._listed_at = changed_at if abs(time.time() - changed_at) > SETTLED_AFTER else None
        return self._listed
