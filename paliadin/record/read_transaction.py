"""One look at all rows: what several queries of it say fits together, whatever is written meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from paliadin.store.connection import translated

PATIENCE = "20s"  # for one query: a look at years of turns takes its time, a runaway ends
MEMORY = "32MB"  # for a sort or a hash; the default of 4 MB spills a month of many turns to disk

Row = dict[str, Any]


class Reading:
    """`values` are the parameters `%(name)s` of the SQL; nothing of a user's is ever part of the SQL itself."""

    def __init__(self, connection: AsyncConnection[Any]) -> None:
        self._connection = connection

    async def rows(self, sql: str, values: Mapping[str, object]) -> list[Row]:
        async with self._connection.cursor(row_factory=dict_row) as cursor:
            await cursor.execute(sql.encode(), values)
            return await cursor.fetchall()

    async def stream(self, sql: str, values: Mapping[str, object], *, at_once: int) -> AsyncIterator[list[Row]]:
        """The rows, `at_once` of them in memory."""
        async with self._connection.cursor("rows", row_factory=dict_row) as cursor:
            await cursor.execute(sql.encode(), values)
            while page := await cursor.fetchmany(at_once):
                yield page


@asynccontextmanager
async def reading(pool: AsyncConnectionPool) -> AsyncIterator[Reading]:
    with translated():
        async with pool.connection() as connection, connection.transaction():
            await connection.execute("set transaction isolation level repeatable read read only")
            await connection.execute(f"set local statement_timeout = '{PATIENCE}'".encode())
            await connection.execute(f"set local work_mem = '{MEMORY}'".encode())
            yield Reading(connection)
