"""Looks after what piles up: removes turns' folders when their time is over, and puts sessions' starts on record."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from paliadin import errors
from paliadin.config import Settings
from paliadin.folders import sweep
from paliadin.store import Store
from paliadin.turnlog import LogReader, TurnFolder

log = logging.getLogger(__name__)

SWEEP_EVERY = 3600.0  # seconds
LOOK_EVERY = 15.0  # seconds between looks for sessions that began
LONGEST_SOURCE = 50  # characters
LAST_MS = 2**42  # the year 2109: a later time is none

Start = tuple[str, datetime, str]
"""session_id, when, and Claude Code's word for why: startup, resume, clear, compact."""


class Janitor:
    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings, self._store = settings, store
        self._logs: dict[str, LogReader] = {}
        self._starts: list[Start] = []  # those that are not on record yet
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.create_task(self._work())

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def record_starts(self) -> None:
        """What a database that is away does not take is kept for the next time."""
        self._starts += await asyncio.to_thread(lambda: list(self._new_starts()))
        if self._starts:
            await self._store.session_starts(self._starts)
            self._starts = []

    async def _work(self) -> None:
        swept = -SWEEP_EVERY
        while True:
            try:
                if time.monotonic() - swept > SWEEP_EVERY:
                    swept = time.monotonic()
                    await asyncio.to_thread(sweep, self._settings, datetime.now(UTC), is_recorded)
                await self.record_starts()
            except (errors.PaliadinError, OSError) as error:
                log.warning("the janitor tries again: %s", error)
            await asyncio.sleep(LOOK_EVERY)

    def _new_starts(self) -> Iterator[Start]:
        for path in self._settings.sessions_dir.glob("*/events.jsonl"):
            name = path.parent.name
            for line in self._logs.setdefault(name, LogReader(path)).read():
                hook, at = line.get("hook"), line.get("at")
                if not isinstance(hook, Mapping) or hook.get("hook_event_name") != "SessionStart":
                    continue
                if isinstance(at, int) and 0 < at < LAST_MS:
                    source = str(hook.get("source"))[:LONGEST_SOURCE]
                    yield self._settings.session_id(name), datetime.fromtimestamp(at / 1000, UTC), source


def is_recorded(folder: TurnFolder) -> bool:
    """Its row is finished: a turn that runs keeps its folder, and one whose row the database has not taken yet."""
    return folder.recorded.exists()
