"""What every use of psycopg here shares: a connection's parameters, and what its errors mean to Paliadin."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from paliadin.errors import ConfigError, PaliadinError, StorageFull, StoreUnavailable

CONNECT_TIMEOUT = 5  # seconds, unless the DSN says otherwise


def parameters(conninfo: str) -> dict[str, Any]:
    """The keywords of `psycopg.connect` for a DSN; raises ConfigError when it is none."""
    try:
        known = conninfo_to_dict(conninfo)
    except psycopg.ProgrammingError:
        # libpq's message quotes parts of the DSN, and those may be the password.
        raise ConfigError(
            "PALIADIN_DATABASE_URL is not a Postgres DSN", hint="Write postgresql://user:password@host/database."
        ) from None
    return {"connect_timeout": CONNECT_TIMEOUT, "application_name": "paliadin", "autocommit": True, **known}


@contextmanager
def translated() -> Iterator[None]:
    """Turn psycopg's errors into StorageFull, StoreUnavailable or, for a row it will never take, PaliadinError."""
    try:
        yield
    except psycopg.Error as error:
        # The cause is cut off: its DETAIL quotes the row, and so the prompt, into any traceback that is logged.
        raise _meaning(error) from None


def _meaning(error: psycopg.Error) -> PaliadinError:
    text = error.diag.message_primary or str(error)
    if isinstance(error, psycopg.errors.DiskFull):
        return StorageFull(f"the database's disk is full: {text}")
    if isinstance(error, psycopg.errors.UndefinedTable | psycopg.errors.InvalidSchemaName):
        return StoreUnavailable(f"the database has no tables yet: {text}", hint="Run `paliadin migrate up`.")
    if isinstance(error, psycopg.DataError | psycopg.IntegrityError):
        return PaliadinError(f"the database refuses the row: {text}", code="row_refused")
    if isinstance(error, psycopg.OperationalError):
        return StoreUnavailable(f"the database does not answer: {text}")
    return StoreUnavailable(f"the database refuses to work for Paliadin: {text}")
