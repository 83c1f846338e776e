"""A consistent view of all rows for several queries, whatever is written meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import dict_row

from paliadin.record.driver import Pool, translated_errors

STATEMENT_TIMEOUT = "20s"  # enough for years of turns, but ends a runaway query
WORK_MEM = "32MB"  # for a sort or a hash; the default of 4 MB spills a month of many turns to disk

Row = dict[str, Any]
"""A query's row: column → value."""


class Snapshot:
    """Runs queries in one read-only transaction.

    `values` are the SQL's parameters `%(name)s`; text of a user's is never part of the SQL itself.
    """

    def __init__(self, connection: AsyncConnection[Any]) -> None:
        self._connection = connection

    async def rows(self, sql: str, values: Mapping[str, object]) -> list[Row]:
        """Return all rows of a query."""
        async with self._connection.cursor(row_factory=dict_row) as cursor:
            await cursor.execute(sql.encode(), values)
            return await cursor.fetchall()

    async def stream(self, sql: str, values: Mapping[str, object], *, batch_size: int) -> AsyncIterator[list[Row]]:
        """Yield the rows of a query in batches of at most `batch_size`."""
        async with self._connection.cursor("rows", row_factory=dict_row) as cursor:
            await cursor.execute(sql.encode(), values)
            while batch := await cursor.fetchmany(batch_size):
                yield batch


@asynccontextmanager
async def open_snapshot(pool: Pool) -> AsyncIterator[Snapshot]:
    """Take a snapshot; raises StoreUnavailable, also when a query exceeds STATEMENT_TIMEOUT."""
    with translated_errors():
        async with pool.connection() as connection, connection.transaction():
            await connection.execute("set transaction isolation level repeatable read read only")
            await connection.execute(f"set local statement_timeout = '{STATEMENT_TIMEOUT}'".encode())
            await connection.execute(f"set local work_mem = '{WORK_MEM}'".encode())
            yield Snapshot(connection)
