"""The record, for commands: it is read where it lies, whether or not a daemon runs.

What lives in the daemon is asked over its socket instead (`client`).
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TypeVar

from paliadin.base.errors import NotFound, PaliadinError
from paliadin.base.settings import Settings, ensure_home
from paliadin.cli.echo import ByteOutput, byte_output
from paliadin.postgres.cluster import Cluster, locate_cluster
from paliadin.postgres.embedded import EmbeddedPostgres
from paliadin.record.database_startup import Tables
from paliadin.record.row import TurnRow
from paliadin.record.snapshot import Snapshot
from paliadin.record.store import Store
from paliadin.reports.days import local_day, owner_zone
from paliadin.turnlog.folder import TurnFolder

T = TypeVar("T")
ID_LENGTH = 36  # characters of a full id
PAGE = 200  # rows that are held at once
SHORT_ID_LIMIT = 5_000  # newest turns among which a shortened id is looked up

# The pool would log each failed attempt; the error at the end says enough.
logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())


@asynccontextmanager
async def reach_database(settings: Settings, *, make: bool = False) -> AsyncIterator[str]:
    """Yield the database's conninfo. The embedded server is started for the duration, unless it runs already.

    `make`: create the embedded database if there is none; otherwise that raises NotFound. A daemon that starts in the
    meantime waits until the server has stopped.
    """
    if settings.database_url:
        yield settings.database_url
        return
    if make:
        ensure_home(settings)
    elif not (settings.home / "postgres").exists():
        raise NotFound(f"there is no database in {settings.home} yet", hint="`paliadin up` creates it.")
    cluster = locate_cluster(settings.home)
    if is_running(cluster):
        yield cluster.conninfo
        return
    async with EmbeddedPostgres(settings.home).running() as conninfo:
        yield conninfo


def is_running(cluster: Cluster) -> bool:
    """Return whether the embedded server takes connections; its pid file may be left over from a power cut."""
    server = cluster.postmaster()
    if server is None:
        return False
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(server.socket))
        except OSError:
            return False
    return True


def with_database(settings: Settings, work: Callable[[str], T]) -> T:
    """Call `work` with the conninfo of the database, which is created if there is none; returns its result."""

    async def run() -> T:
        async with reach_database(settings, make=True) as conninfo:
            return await asyncio.to_thread(work, conninfo)

    return asyncio.run(run())


def with_store(settings: Settings, work: Callable[[Store], Awaitable[T]]) -> T:
    """Call `work` with a store on the existing database; returns its result. Raises NotFound if there is none."""
    store = Store()
    return with_tables(settings, [store], lambda: work(store))


def with_tables(settings: Settings, tables: Sequence[Tables], work: Callable[[], Awaitable[T]]) -> T:
    """Call `work` while these tables of the existing database are open; otherwise as `with_store`."""

    async def run() -> T:
        async with reach_database(settings) as conninfo, AsyncExitStack() as stack:
            for each in tables:
                await stack.enter_async_context(each.connected(conninfo))
            return await work()

    return asyncio.run(run())


def with_snapshot(settings: Settings, work: Callable[[Snapshot], Awaitable[T]]) -> T:
    """Call `work` with a snapshot of the record; see `with_store`."""

    async def read(store: Store) -> T:
        async with store.snapshot() as snapshot:
            return await work(snapshot)

    return with_store(settings, read)


def today(settings: Settings) -> date:
    """Return the day that it is for the owner."""
    return local_day(datetime.now(UTC), owner_zone(settings.timezone))


def find_turn(settings: Settings, turn_id: str) -> TurnRow:
    """Return the row with this id, which may be shortened to its beginning or its end.

    Raises NotFound if no turn matches, and PaliadinError `ambiguous_turn` if several do.
    """
    key = turn_id.strip().lower()

    async def matching(store: Store) -> list[TurnRow]:
        row = await store.turn(key)
        return [row] if row else [row async for row in _newest_first(store, SHORT_ID_LIMIT) if _fits(row.turn_id, key)]

    matches = with_store(settings, matching)
    if not matches and len(key) < ID_LENGTH:
        raise NotFound(
            f"no turn among the newest {SHORT_ID_LIMIT:,} has an id that begins or ends with {turn_id!r}",
            hint="Check it with `paliadin turns list`; give the full id for an older turn.",
            code="unknown_turn",
        )
    return _only_match(matches, turn_id)


async def _newest_first(store: Store, limit: int) -> AsyncIterator[TurnRow]:
    """Yield rows, a page at a time: at least `limit` of them if there are as many."""
    before, count = None, 0
    while page := await store.turns(None, before, PAGE):
        for row in reversed(page):
            yield row
        before, count = page[0].turn_id, count + len(page)
        if count >= limit:
            return


def find_turn_folder(settings: Settings, turn_id: str) -> TurnFolder:
    """Return the folder of the turn with this id, which may be shortened; raises as `find_turn` does."""
    key = turn_id.strip().lower()
    names = [path.name for path in settings.response_dir.glob("*/*") if _fits(path.name, key)]
    hint = "Its folder may have been deleted after PALIADIN_KEEP_DAYS."
    return TurnFolder(settings.response_dir, _only_match(names, turn_id, hint))


def _fits(turn_id: str, key: str) -> bool:
    return turn_id.startswith(key) or turn_id.endswith(key)


def _only_match(matches: list[T], turn_id: str, hint: str | None = None) -> T:
    if len(matches) > 1:
        raise PaliadinError(
            f"{len(matches)} turns have an id like {turn_id!r}",
            hint="Give more digits of the id.",
            code="ambiguous_turn",
        )
    if not matches:
        raise NotFound(f"there is no turn {turn_id}", hint=hint, code="unknown_turn")
    return matches[0]


@contextmanager
def open_output(path: Path | None) -> Iterator[ByteOutput]:
    """Yield stdout, or the file at the path, emptied, for this account alone."""
    if path is None:
        with byte_output() as stdout:
            yield stdout
        return
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        yield file
