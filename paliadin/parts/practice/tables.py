"""The practice's tables, in a schema of their own beside Paliadin's: makes them, and opens a connection to them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import psycopg

from paliadin.base.errors import ConfigError
from paliadin.parts.practice import reference
from paliadin.record import migrate
from paliadin.record.driver import connect_parameters, translated_errors

SCHEMA = "paliad"
ROLES = ("paliad_tools", "paliad_tools_all", "paliad_approvals")
_MISSING_ROLES = """
    select wanted from unnest(%s::text[]) with ordinality as roles (wanted, place)
    where not (select rolsuper or rolcreaterole from pg_roles where rolname = current_user)
        and not exists (select from pg_roles where rolname = wanted and pg_has_role(current_user, oid, 'member'))
    order by place
"""
Connection: TypeAlias = "psycopg.Connection[tuple[object, ...]]"


def migrations() -> Path:
    """Return the folder of the practice's migrations."""
    return Path(__file__).with_name("migrations")


def prepare(conninfo: str, *, second_pair: bool | None = None) -> reference.Loaded:
    """Apply all pending migrations and load the reference data; return the changes.

    `second_pair`: whether nobody approves what was suggested for themselves; None leaves that as it is.

    Raises ConfigError and StoreUnavailable as `paliadin migrate up` does.
    """
    with connected(conninfo) as connection:
        _check_roles(connection)
    migrate.up(conninfo, migrations(), schema=SCHEMA)
    with connected(conninfo) as connection:
        if second_pair is not None:
            connection.execute("update paliad.settings set second_pair = %s", (second_pair,))
        return reference.load(connection)


def _check_roles(connection: Connection) -> None:
    """Raise ConfigError if roles are missing that the tables' owner may not make, naming all of them at once."""
    missing = [str(name) for (name,) in connection.execute(_MISSING_ROLES, (list(ROLES),)).fetchall()]
    if missing:
        [(owner,)] = connection.execute("select current_user").fetchall()
        raise ConfigError(
            f"an administrator has to make the roles {', '.join(missing)} and grant them to {owner}",
            hint='docs/practice.md has the statements, under "In a database of your own".',
        )


@contextmanager
def connected(conninfo: str) -> Iterator[Connection]:
    """Connect as the tables' owner during a `with` block, whose database errors become Paliadin's."""
    with translated_errors(), psycopg.connect(**connect_parameters(conninfo)) as connection:
        yield connection
