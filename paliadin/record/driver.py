"""Shared use of psycopg: the parameters of a connection, and its errors as Paliadin's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import AsyncConnectionPool

from paliadin.base.errors import ConfigError, PaliadinError, StorageFull, StoreUnavailable

CONNECT_TIMEOUT = 5  # seconds, unless the DSN says otherwise
CONNECTION_TIMEOUT = 1.0  # seconds until a database counts as away


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


def make_pool(conninfo: str, name: str, most: int) -> AsyncConnectionPool:
    """Make a pool of at most so many connections, still closed; raises ConfigError for a malformed DSN.

    Whoever asks it for a connection gets one, or an error after CONNECTION_TIMEOUT.
    """
    return AsyncConnectionPool(
        kwargs={**connect_parameters(conninfo), "prepare_threshold": None},  # PgBouncer shares connections
        name=name,
        min_size=1,
        max_size=most,
        open=False,
        timeout=CONNECTION_TIMEOUT,
        check=AsyncConnectionPool.check_connection,
        # The pool doubles its pauses for as long as it tries; giving up early keeps the next one short.
        reconnect_timeout=2 * CONNECTION_TIMEOUT,
    )


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
    if isinstance(error, psycopg.DataError | psycopg.IntegrityError):
        return PaliadinError(f"the database rejected the row: {text}", code="row_refused")
    if isinstance(error, psycopg.OperationalError):
        return StoreUnavailable(f"the database cannot be used at the moment: {text}")
    return StoreUnavailable(f"the database rejected a statement of Paliadin's: {text}")
