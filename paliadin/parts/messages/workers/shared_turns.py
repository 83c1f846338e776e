"""The rows of turns that several processes carry together: questions, steps, and signals to workers.

They exist while a turn runs, and a little longer. A writer wakes the others with NOTIFY, which carries ids only. A
worker holds an advisory lock for as long as it lives, so that the others notice its death.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from paliadin.base.errors import PaliadinError, StoreUnavailable
from paliadin.base.strict_json import JsonObject
from paliadin.parts.messages.workers import jobs
from paliadin.record.driver import (
    CONNECTION_TIMEOUT,
    QUERY_TIMEOUT,
    Pool,
    answered_within,
    connect_parameters,
    make_pool,
    rows_of,
    translated_errors,
)
from paliadin.record.row_loading import configure
from paliadin.record.snapshot import Row
from paliadin.record.store import parse_queries

log = logging.getLogger(__name__)

STEPS, SIGNALS = "paliadin_steps", "paliadin_signals"
"""The channels of NOTIFY: for new steps, and for signals to workers."""
LOCKS = 0x70616C77  # the first half of the workers' advisory locks
_QUERIES = parse_queries(Path(__file__).with_name("queries.sql").read_text("utf-8").replace("{locks}", str(LOCKS)))
CONNECTIONS = 4
RECONNECT_EVERY = 0.5  # seconds
MOST_AT_ONCE = 200  # turns in one statement: their ids fit into one NOTIFY, which takes 8,000 bytes


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a turn's log: whole lines that begin at a byte. `ends`: it is the last part."""

    turn_id: str
    at_byte: int
    lines: bytes
    ends: bool = False


@dataclass(frozen=True, slots=True)
class TurnState:
    """The state of a turn that was asked. `worker`: the lock of its worker; `is_cared_for`: that worker lives."""

    turn_id: str
    worker: int | None
    is_over: bool
    is_late: bool  # it was asked longer ago than one may wait for a worker
    is_cared_for: bool


class SharedTurns:
    """The tables `paliadin.asked`, `steps` and `signals`. Every method raises StoreUnavailable and StorageFull."""

    def __init__(self, conninfo: str) -> None:
        self.conninfo = conninfo
        self._pool: Pool | None = None

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[Pool]:
        """Stay connected during a `with` block, which begins without waiting; yields the connections."""
        pool = make_pool(jobs.for_queue(self.conninfo), "turns", CONNECTIONS, configure)
        try:
            await pool.open(wait=False)
            self._pool = pool
            yield pool
        finally:
            self._pool = None
            await pool.close(timeout=CONNECTION_TIMEOUT)

    async def ask(self, turn_id: str, question: JsonObject) -> None:
        """Insert a question's row, and in the same transaction the job by which a worker finds it."""
        await answered_within(QUERY_TIMEOUT, self._ask(turn_id, question))

    async def _ask(self, turn_id: str, question: JsonObject) -> None:
        if self._pool is None:
            raise StoreUnavailable("the database is not open yet")
        async with self._pool.connection() as connection, connection.transaction():
            await connection.execute(_QUERIES["ask"], {"turn_id": turn_id, "question": Jsonb(question)})
            await jobs.defer(connection, turn_id)

    async def take(self, turn_id: str, worker: int) -> Mapping[str, Any] | None:
        """Assign a turn to this worker; returns its question, {} if unreadable, None if it is another's or is over."""
        rows = await self._rows("take", turn_id=turn_id, worker=worker)
        return (rows[0]["question"] or {}) if rows else None

    async def withdraw(self, turn_id: str) -> bool:
        """Remove a question that no worker has taken; False if one has."""
        return bool(await self._rows("withdraw", turn_id=turn_id))

    async def write(self, parts: Sequence[Part]) -> set[str]:
        """Write parts of at most MOST_AT_ONCE turns; returns the turns that still run."""
        rows = await self._rows(
            "write",
            turn_ids=[part.turn_id for part in parts],
            at_bytes=[part.at_byte for part in parts],
            lines=[part.lines for part in parts],
            ends=[part.ends for part in parts],
        )
        return {str(row["turn_id"]) for row in rows}

    async def read(self, sizes: Mapping[str, int]) -> list[Part]:
        """Return the parts of these turns from these bytes on, in the order of each log."""
        rows = await self._rows("read", turn_ids=[*sizes], sizes=[*sizes.values()])
        return [Part(str(row["turn_id"]), row["at_byte"], row["lines"]) for row in rows]

    async def states(self, turn_ids: Sequence[str], seconds: float) -> list[TurnState]:
        """Return these turns' states; a turn that was asked more than `seconds` ago `is_late`."""
        rows = await self._rows("states", turn_ids=list(turn_ids), seconds=seconds)
        return [TurnState(**{**row, "turn_id": str(row["turn_id"])}) for row in rows]

    async def abandon(self, turn_id: str, worker: int, lines: bytes) -> None:
        """End a turn with these lines on behalf of its dead worker; does nothing if it has ended."""
        await self._rows("abandon", turn_id=turn_id, worker=worker, lines=lines)

    async def send_signal(self, turn_id: str, signal: JsonObject) -> bool:
        """Send a signal to a turn's worker; False if the turn is over."""
        return bool(await self._rows("send_signal", turn_id=turn_id, signal=Jsonb(signal)))

    async def take_signals(self, turn_ids: Sequence[str]) -> list[tuple[str, object]]:
        """Remove and return the signals to these turns' worker, as (turn_id, signal), oldest first."""
        rows = await self._rows("take_signals", turn_ids=list(turn_ids))
        return [(str(row["turn_id"]), row["signal"]) for row in rows]

    async def remove(self, turn_ids: Sequence[str]) -> None:
        """Remove the rows of turns whose logs are complete elsewhere."""
        await self._rows("remove", turn_ids=list(turn_ids))

    async def sweep(self, seconds: float) -> None:
        """Remove turns that ended `seconds` ago, and all that are a day old."""
        await self._rows("sweep", seconds=seconds)

    async def workers(self) -> int:
        """Return the number of living workers."""
        return int((await self._rows("workers"))[0]["workers"])

    async def listen(
        self, channel: str, heard: Callable[[Sequence[str]], None], began: Callable[[], None], lock: int | None = None
    ) -> None:
        """Call `heard` with the ids of each NOTIFY, and `began` whenever one may have been missed. Endless.

        `lock`: hold this worker's lock for as long as the connection lasts.
        """
        while True:
            try:
                with translated_errors():
                    await self._listen(channel, heard, began, lock)
            except PaliadinError as error:
                log.warning("%s: %s", channel, error.message)
            await asyncio.sleep(RECONNECT_EVERY)

    async def _listen(
        self, channel: str, heard: Callable[[Sequence[str]], None], began: Callable[[], None], lock: int | None
    ) -> None:
        async with await psycopg.AsyncConnection.connect(**connect_parameters(self.conninfo)) as connection:
            if lock is not None:
                await connection.execute("select pg_advisory_lock(%s::int, %s::int)", (LOCKS, lock))
            await connection.execute(f"listen {channel}".encode())
            began()
            async for notification in connection.notifies():
                heard(notification.payload.split(","))

    async def _rows(self, query: str, **values: object) -> list[Row]:
        return await answered_within(QUERY_TIMEOUT, rows_of(self._pool, _QUERIES[query], values))
