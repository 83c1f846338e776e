"""A worker as a process: it carries other processes' turns until it is cancelled."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Any

from paliadin.base.settings import Settings
from paliadin.parts.loading import House, load_parts
from paliadin.parts.messages.carrier import LocalCarrier
from paliadin.parts.messages.own_keys import OwnKeys
from paliadin.parts.messages.settings import MessagesSettings
from paliadin.parts.messages.tools import Reader, Tools
from paliadin.parts.messages.workers import jobs
from paliadin.parts.messages.workers.shared_turns import SharedTurns
from paliadin.parts.messages.workers.worker import Worker
from paliadin.people.person_key import PersonKey
from paliadin.record import migrate
from paliadin.record.store import Store


async def run(settings: Settings, ready: Callable[[], None]) -> None:
    """Carry turns until cancelled; raises ConfigError, StoreUnavailable where it cannot begin."""
    known: dict[PersonKey, tuple[str, Reader]] = {}  # their id for others, and what else is known of them

    def reads_as(person: PersonKey, described: Mapping[str, Any]) -> None:
        known[person] = described["id"], Reader(**{name: described[name] for name in ("name", "office", "language")})

    conninfo, store = str(settings.database_url), Store()
    part = load_parts(House(settings, None, lambda person: known[person][0], store))
    tools = Tools(part.toolboxes, lambda person: known[person][1])
    carrier = LocalCarrier(settings, tools, OwnKeys(store, settings.home).of)
    await asyncio.to_thread(migrate.up, conninfo)
    await asyncio.to_thread(jobs.prepare, conninfo)
    async with contextlib.AsyncExitStack() as stack:
        for tables in (store, *part.tables):
            await stack.enter_async_context(tables.connected(conninfo))
        worker = Worker(
            SharedTurns(conninfo),
            carrier,
            reads_as,
            settings.part(MessagesSettings).worker_turns,
            settings.turn_timeout,
        )
        await worker.run(ready)
