"""Background chores: removes what is older than it may be, and records when sessions started."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

from paliadin.base.retained import Retained, sweeping
from paliadin.base.tasks import background, endless
from paliadin.record.store import Store
from paliadin.turns.session_logs import Start

LOOK_EVERY = 15.0  # seconds between looks for new session starts


class Janitor:
    """Does the chores while it is `running`. `new_starts` returns the starts of sessions since it was called last."""

    def __init__(
        self, store: Store, retained: Sequence[Retained], new_starts: Callable[[], Awaitable[Sequence[Start]]]
    ) -> None:
        self._store, self._retained, self._new_starts = store, retained, new_starts
        self._starts: list[Start] = []  # read from the logs, but not recorded yet

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Do the chores in the background of a `with` block."""
        recording = endless(self.record_starts, "the starts of sessions are not recorded yet", LOOK_EVERY)
        async with sweeping(self._retained), background(recording):
            yield

    async def record_starts(self) -> None:
        """Record the session starts that the logs have gained; without a database they are kept for the next call."""
        self._starts += await self._new_starts()
        if self._starts:
            await self._store.insert_session_starts(self._starts)
            self._starts = []
