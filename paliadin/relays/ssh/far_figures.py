"""The figures of the sessions on a remote host, as the host reported them last; only changed ones are requested."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from paliadin.base.errors import PaliadinError
from paliadin.base.session_names import NAME
from paliadin.base.tasks import Tasks
from paliadin.relays.figures import Figures
from paliadin.relays.ssh.connection import Connection

TIMEOUT = 2.0  # seconds
PATIENCE = 0.3  # seconds that the list of conversations waits for a host; then it shows what was known before
MARGIN = 2000  # milliseconds: files may change within the same tick of the host's clock
MOST = 10_000  # sessions


class FarFigures:
    """Requests figures over one connection, and keeps them. A late response is awaited in one of `tasks`."""

    def __init__(self, connection: Connection, tasks: Tasks) -> None:
        self._connection, self._tasks = connection, tasks
        self._known: dict[str, Figures] = {}
        self._asking: asyncio.Task[None] | None = None

    async def known(self) -> Mapping[str, Figures]:
        """Return the figures by the sessions' names there; none from an older shim."""
        if self._connection.up.is_set() and self._connection.knows("status"):
            if self._asking is None or self._asking.done():
                self._asking = self._tasks.spawn(self._ask())
            await asyncio.wait({self._asking}, timeout=PATIENCE)
        return self._known

    def forget(self, session: str) -> None:
        """Forget a session that is gone, or begins anew."""
        self._known.pop(session, None)

    async def _ask(self) -> None:
        after = max((figures.changed_at for figures in self._known.values()), default=0) - MARGIN
        try:
            response = await self._connection.request("status", seconds=TIMEOUT, after=max(after, 0))
        except PaliadinError:
            return  # the next poll asks again
        sessions = response.get("sessions")
        if isinstance(sessions, Mapping) and len(sessions) + len(self._known) <= 2 * MOST:
            named = {name: figures for name, figures in sessions.items() if NAME.fullmatch(name)}
            self._known |= {name: Figures.parse(figures) for name, figures in named.items()}
