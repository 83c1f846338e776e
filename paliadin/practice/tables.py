"""The practice's tables, in a schema of their own beside Paliadin's: makes them, and opens a connection to them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import psycopg

from paliadin.base.settings import resource_folder
from paliadin.practice import reference
from paliadin.record import migrate
from paliadin.record.driver import connect_parameters, translated_errors

SCHEMA = "paliad"
Connection: TypeAlias = "psycopg.Connection[tuple[object, ...]]"


def migrations() -> Path:
    """The folder of the practice's migrations."""
    return resource_folder("migrations") / SCHEMA


def prepare(conninfo: str, *, second_pair: bool | None = None) -> reference.Loaded:
    """Apply all pending migrations and load the reference data; return what that changed.

    `second_pair`: whether nobody approves what was suggested for themselves; None leaves that as it is.

    Raises ConfigError and StoreUnavailable as `paliadin migrate up` does.
    """
    migrate.up(conninfo, migrations(), schema=SCHEMA)
    with connected(conninfo) as connection:
        if second_pair is not None:
            connection.execute("update paliad.settings set second_pair = %s", (second_pair,))
        return reference.load(connection)


@contextmanager
def connected(conninfo: str) -> Iterator[Connection]:
    """Connect as the tables' owner during a `with` block, whose database errors become Paliadin's."""
    with translated_errors(), psycopg.connect(**connect_parameters(conninfo)) as connection:
        yield connection
