"""Shared use of psycopg: the parameters of a connection, and its errors as Paliadin's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from paliadin.base.errors import ConfigError, PaliadinError, StorageFull, StoreUnavailable
from paliadin.base.tasks import within

CONNECT_TIMEOUT = 5  # seconds, unless the DSN says otherwise
CONNECTION_TIMEOUT = 1.0  # seconds until a database counts as away
BUSY_TIMEOUT = 5.0  # seconds to wait for others that use all connections
QUERY_TIMEOUT = 5.0  # seconds for a database that took the connection and then hangs
ROW_REFUSED = "row_refused"  # the code of an error: the database never takes this row
TRUSTED_FOR = 1.0  # seconds since its last use in which a connection is taken without asking the server first
T = TypeVar("T")

Configure = Callable[["psycopg.AsyncConnection[Any]"], Awaitable[None]]


def connect_parameters(conninfo: str) -> dict[str, Any]:
    """Return the keyword arguments of `psycopg.connect` for a DSN; raises ConfigError for a malformed one."""
    try:
        dsn_parameters = conninfo_to_dict(conninfo)
    except psycopg.ProgrammingError:
        # libpq's message quotes parts of the DSN, and those may be the password.
        raise ConfigError(
            "PALIADIN_DATABASE_URL is not a Postgres DSN", hint="Write postgresql://user:password@host/database."
        ) from None
    return {"connect_timeout": CONNECT_TIMEOUT, "application_name": "paliadin", "autocommit": True, **dsn_parameters}


class Pool(AsyncConnectionPool):
    """A connection pool that does not take a long queue for a database that is away.

    psycopg's has one timeout for both: of 200 that come at once to four connections, the last ones would be told that
    the database cannot be used. Here they wait their turn, for up to BUSY_TIMEOUT, and CONNECTION_TIMEOUT holds for
    the one that has it. If the database turns out to be away, all those that waited fail as well.
    """

    def __init__(self, conninfo: str = "", *, max_size: int, **options: Any) -> None:
        super().__init__(conninfo, max_size=max_size, check=self._check, **options)
        self._used_at: WeakKeyDictionary[psycopg.AsyncConnection[Any], float] = WeakKeyDictionary()
        self._turns = asyncio.Semaphore(max_size)
        self._away_at = -float("inf")

    async def getconn(self, timeout: float | None = None) -> psycopg.AsyncConnection[Any]:  # noqa: ASYNC109  # psycopg's
        """Wait for a connection; raises PoolTimeout."""
        since = monotonic()
        await self._turn()
        try:
            return await self._connection(since, timeout)
        except BaseException:
            self._turns.release()
            raise

    async def _turn(self) -> None:
        try:
            async with asyncio.timeout(BUSY_TIMEOUT):
                await self._turns.acquire()
        except TimeoutError:
            raise PoolTimeout(f"others have used all its connections for {BUSY_TIMEOUT:g} s") from None

    async def _connection(self, since: float, seconds: float | None) -> psycopg.AsyncConnection[Any]:
        if self._away_at >= since:
            raise PoolTimeout("others that waited could not get a connection")
        try:
            return await super().getconn(seconds)
        except PoolTimeout:
            self._away_at = monotonic()
            raise

    async def _check(self, connection: psycopg.AsyncConnection[Any]) -> None:
        """Ask the server whether it still knows the connection; where it was just used, that would double the cost."""
        if monotonic() - self._used_at.get(connection, -float("inf")) > TRUSTED_FOR:
            await self.check_connection(connection)

    async def putconn(self, conn: psycopg.AsyncConnection[Any]) -> None:
        """Give a connection back, and with it the turn."""
        self._used_at[conn] = monotonic()
        try:
            await super().putconn(conn)
        finally:
            self._turns.release()


def make_pool(conninfo: str, name: str, most: int, configure: Configure | None = None) -> Pool:
    """Make a pool of at most `most` connections, still closed; raises ConfigError for a malformed DSN.

    `configure` prepares each new connection.
    """
    return Pool(
        kwargs={**connect_parameters(conninfo), "prepare_threshold": None},  # PgBouncer shares connections
        name=name,
        min_size=1,
        max_size=most,
        open=False,
        configure=configure,
        timeout=CONNECTION_TIMEOUT,
        # The pool doubles its pauses for as long as it tries; giving up early keeps the next one short.
        reconnect_timeout=2 * CONNECTION_TIMEOUT,
    )


async def rows_of(pool: Pool | None, query: bytes, values: Mapping[str, object]) -> list[dict[str, Any]]:
    """Run a query on one of the pool's connections; without an open pool (None) the database counts as away."""
    if pool is None:
        raise StoreUnavailable("the database is not open yet")
    async with pool.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(query, values)
        return await cursor.fetchall() if cursor.description else []


async def answered_within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Do work in the database; its errors are Paliadin's, one that hangs counts as away after `seconds`."""
    with translated_errors():
        try:
            return await within(seconds, work)
        except TimeoutError:
            raise StoreUnavailable(f"the database did not answer within {seconds:g} s") from None


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn psycopg's errors into StorageFull, StoreUnavailable or, for a row it never accepts, PaliadinError."""
    try:
        yield
    except psycopg.Error as error:
        # The cause is cut off: its DETAIL quotes the row, and so the prompt, into any traceback that is logged.
        raise _translation(error) from None


def _translation(error: psycopg.Error) -> PaliadinError:
    text = error.diag.message_primary or str(error)
    if isinstance(error, psycopg.errors.DiskFull):
        return StorageFull(f"the database's disk is full: {text}")
    if isinstance(error, psycopg.errors.UndefinedTable | psycopg.errors.InvalidSchemaName):
        return StoreUnavailable(f"the database has no tables yet: {text}", hint="Run `paliadin migrate up`.")
    if isinstance(error, psycopg.DataError | psycopg.IntegrityError | psycopg.errors.ProgramLimitExceeded):
        return PaliadinError(f"the database rejected the row: {text}", code=ROW_REFUSED)
    if isinstance(error, psycopg.OperationalError):
        return StoreUnavailable(f"the database cannot be used at the moment: {text}")
    return StoreUnavailable(f"the database rejected a statement of Paliadin's: {text}")
