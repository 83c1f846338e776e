"""Opens transactions in the practice's tables as one person, in which only the rows exist that this person may see.

Each call runs in one of them, as a role that owns nothing and may bypass nothing, and names its person to the database,
whose policies and functions decide (migrations/paliad). Only suggesting and deciding write, by such a function.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from psycopg import AsyncConnection, DataError, InternalError, IsolationLevel
from psycopg.errors import QueryCanceled
from psycopg.rows import dict_row

from paliadin.base.errors import PaliadinError, StoreUnavailable
from paliadin.record.driver import CONNECTION_TIMEOUT, Pool, make_pool, translated_errors
from paliadin.record.store import parse_queries

CONNECTIONS = 6  # at most; calls of more people wait for one
STATEMENT_TIMEOUT = "1500ms"

QUERIES = parse_queries("\n".join(path.read_text("utf-8") for path in sorted(Path(__file__).parent.glob("sql/*.sql"))))
_BEGIN = b"""select set_config('paliad.person', %s, true), set_config('statement_timeout', %s, true),
set_config('transaction_read_only', %s, true),
set_config('role', coalesce(%s, case when paliad.is_owner() then 'paliad_tools_all' else 'paliad_tools' end), true)"""

Row = dict[str, Any]


class Purpose(NamedTuple):
    """The purpose of a transaction: whether it only reads, and its role if that is not one of the tools'."""

    read_only: bool = True
    role: str | None = None


READ, SUGGEST = Purpose(), Purpose(read_only=False)
DECIDE = Purpose(read_only=False, role="paliad_approvals")


class User(NamedTuple):
    """One of Paliadin's people, as the practice's table has them."""

    id: str
    name: str
    office: str
    language: str
    role: str


class QueryRefused(PaliadinError):
    """The database cannot run this query's search; other calls are not concerned."""

    default_code, default_status = "query_refused", 400


class QueryTooSlow(StoreUnavailable):
    """A query took longer than STATEMENT_TIMEOUT."""


class Transaction:
    """A person's transaction. `today` is the date at the practice's place."""

    def __init__(self, connection: AsyncConnection[Any], person: str, today: date) -> None:
        self._connection = connection
        self.person, self.today = person, today

    async def rows(self, query: str, **values: object) -> list[Row]:
        """Return the rows of the query with this name in `sql/`; `today` and `person` are values of all.

        Raises QueryRefused, QueryTooSlow.
        """
        query_values: Mapping[str, object] = {"today": self.today, "person": self.person, **values}
        try:
            async with self._connection.cursor(row_factory=dict_row) as cursor:
                await cursor.execute(QUERIES[query], query_values)
                return await cursor.fetchall()
        except QueryCanceled:
            raise QueryTooSlow(f"the query {query} took longer than {STATEMENT_TIMEOUT}") from None
        except (InternalError, DataError):  # such as "tsquery stack too small", for 33 hyphens in a row
            raise QueryRefused(
                "the database cannot search for this", hint="Call it again with plain words, without signs."
            ) from None

    async def row(self, query: str, **values: object) -> Row | None:
        """Return the first row, or None."""
        return next(iter(await self.rows(query, **values)), None)


class PracticeDatabase:
    """Connections to the practice's tables; outside of `connected` the database counts as away."""

    def __init__(self) -> None:
        self._pool: Pool | None = None

    @asynccontextmanager
    async def connected(self, conninfo: str) -> AsyncIterator[None]:
        """Stay connected during a `with` block, whose beginning does not wait for the database."""
        pool = make_pool(conninfo, "paliad", CONNECTIONS)
        try:
            await pool.open(wait=False)
            self._pool = pool
            yield
        finally:
            self._pool = None
            await pool.close(timeout=CONNECTION_TIMEOUT)

    async def write_users(self, users: Sequence[User]) -> None:
        """Make these the practice's users; former ones stay, since deadlines name them, but see nothing any more."""
        with translated_errors():
            async with self._open.connection() as connection, connection.transaction(), connection.cursor() as cursor:
                await cursor.executemany(QUERIES["write_user"], users)
                await cursor.execute(QUERIES["retire_users"], ([user.id for user in users],))

    async def earlier_name(self, person: str) -> str | None:
        """Return the name of the user with this id if they are in a project or a unit; None otherwise."""
        with translated_errors():
            async with self._open.connection() as connection:
                row = await (await connection.execute(QUERIES["earlier_name"], (person,))).fetchone()
        return str(row[0]) if row else None

    @property
    def _open(self) -> Pool:
        if self._pool is None:
            raise StoreUnavailable("the database is not open yet")
        return self._pool

    @asynccontextmanager
    async def transaction(self, person: str, today: date, purpose: Purpose = READ) -> AsyncIterator[Transaction]:
        """Act as this person for a `with` block; raises StoreUnavailable when the database is away or too slow."""
        with translated_errors():
            async with self._open.connection() as connection:
                # The functions count what there is once they have their locks, whatever the database's default is.
                await connection.set_isolation_level(IsolationLevel.READ_COMMITTED)
                async with connection.transaction():
                    read_only = "on" if purpose.read_only else "off"
                    await connection.execute(_BEGIN, (person, STATEMENT_TIMEOUT, read_only, purpose.role))
                    yield Transaction(connection, person, today)


def pattern(words: str) -> str:
    """Return the pattern for `ilike` that matches these words literally."""
    escaped = "".join(f"\\{each}" if each in "\\%_" else each for each in words)
    return f"%{escaped}%"


def first(rows: Sequence[Row], most: int) -> tuple[list[Row], bool]:
    """Return at most `most` rows, and whether there are more; query one more than is shown."""
    return list(rows[:most]), len(rows) > most
