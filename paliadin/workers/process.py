"""A worker as a process: it carries other processes' turns until it is cancelled."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from paliadin.base.settings import Settings
from paliadin.people.person_key import PersonKey
from paliadin.record import migrate
from paliadin.record.database_startup import Tables
from paliadin.record.own_keys import OwnKeys
from paliadin.record.store import Store
from paliadin.relays.messages.carrier import LocalCarrier
from paliadin.relays.messages.tools import Reader, Tools
from paliadin.toolboxes.toolbox import Toolbox
from paliadin.workers import jobs
from paliadin.workers.shared_turns import SharedTurns
from paliadin.workers.worker import Worker


class WorkerParts(Protocol):
    """The parts' toolboxes and tables, which a worker needs."""

    @property
    def toolboxes(self) -> Sequence[Toolbox]: ...

    @property
    def tables(self) -> Sequence[Tables]: ...


async def run_worker(
    settings: Settings, load: Callable[[Callable[[PersonKey], str]], WorkerParts], ready: Callable[[], None]
) -> None:
    """Carry turns until cancelled; raises ConfigError, StoreUnavailable where it cannot begin.

    `load` makes the toolboxes and their tables; its argument returns the id under which others know a person.
    """
    known: dict[PersonKey, tuple[str, Reader]] = {}  # their id for others, and what else is known of them

    def reads_as(person: PersonKey, described: Mapping[str, Any]) -> None:
        known[person] = described["id"], Reader(**{name: described[name] for name in ("name", "office", "language")})

    conninfo, store = str(settings.database_url), Store()
    part = load(lambda person: known[person][0])
    tools = Tools(part.toolboxes, lambda person: known[person][1])
    carrier = LocalCarrier(settings, tools, OwnKeys(store, settings.home).of)
    await asyncio.to_thread(migrate.up, conninfo)
    await asyncio.to_thread(jobs.prepare, conninfo)
    async with contextlib.AsyncExitStack() as stack:
        for tables in (store, *part.tables):
            await stack.enter_async_context(tables.connected(conninfo))
        worker = Worker(SharedTurns(conninfo), carrier, reads_as, settings.worker_turns, settings.turn_timeout)
        await worker.run(ready)
