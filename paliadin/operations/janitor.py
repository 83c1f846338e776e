"""Background chores: removes turn folders older than KEEP_DAYS and old captures, records when sessions started."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.base.tasks import background
from paliadin.record.store import Store
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.removal import limit_captures, remove_expired, remove_unneeded_attachments
from paliadin.turns.session_logs import Start

log = logging.getLogger(__name__)

SWEEP_EVERY = 3600.0  # seconds
LOOK_EVERY = 15.0  # seconds between looks for new session starts


class Janitor:
    """Does the chores in one task while it is `running`.

    `queued_files` returns the ids of the attached files that questions which wait have, `new_starts` the starts of
    sessions since it was called last.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        queued_files: Callable[[], Collection[str]],
        new_starts: Callable[[], Awaitable[Sequence[Start]]],
    ) -> None:
        self._settings, self._store = settings, store
        self._queued_files, self._new_starts = queued_files, new_starts
        self._starts: list[Start] = []  # read from the logs, but not recorded yet

    def running(self) -> AbstractAsyncContextManager[None]:
        """Do the chores in the background of a `with` block."""
        return background(self._work())

    async def record_starts(self) -> None:
        """Record the session starts that the logs have gained; without a database they are kept for the next call."""
        self._starts += await self._new_starts()
        if self._starts:
            await self._store.insert_session_starts(self._starts)
            self._starts = []

    async def _work(self) -> None:
        last_sweep = -SWEEP_EVERY
        while True:
            try:
                if time.monotonic() - last_sweep > SWEEP_EVERY:
                    last_sweep = time.monotonic()
                    await asyncio.to_thread(remove_expired, self._settings, datetime.now(UTC), is_recorded)
                    await asyncio.to_thread(limit_captures, self._settings)
                    await asyncio.to_thread(remove_unneeded_attachments, self._settings, self._queued_files())
                await self.record_starts()
            except (errors.PaliadinError, OSError) as error:
                log.warning("the janitor failed and will try again: %s", error)
            await asyncio.sleep(LOOK_EVERY)


def is_recorded(folder: TurnFolder) -> bool:
    """Tell whether the turn's finished row is in the database, so that its folder may be removed."""
    return folder.recorded.exists()
