"""Migrates the database by SQL files, each in one transaction under an advisory lock.

A folder of files belongs to one schema, whose table `schema_migrations` says which of them are applied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import LiteralString, NamedTuple

import psycopg
from psycopg import sql

from paliadin.base.errors import ConfigError
from paliadin.record.driver import connect_parameters, translated_errors
from paliadin.record.migration_files import FILE_HINT, Migration, has_statements, read

SCHEMA = "paliadin"
LOCK = 0x70616C6961  # "palia"; any number that no other program takes in this database
LOCK_TIMEOUT = "60s"

_TABLE = """
create schema if not exists {schema};
create table if not exists {schema}.schema_migrations (
    version    text primary key,
    name       text not null,
    checksum   text not null,
    applied_at timestamptz not null default now()
)
"""


class AppliedMigration(NamedTuple):
    """An applied migration: a row of `paliadin.schema_migrations`."""

    version: str
    name: str
    checksum: str
    applied_at: datetime

    @property
    def file(self) -> str:
        return f"{self.version}_{self.name}.sql"


class MigrationStatus(NamedTuple):
    """The state of a migration.

    `applied_at`: None if it is still to be applied; `changed`: its file was edited or removed after that.
    """

    version: str
    name: str
    applied_at: datetime | None
    changed: bool


def up(conninfo: str, folder: Path | None = None, *, schema: str = SCHEMA) -> list[str]:
    """Apply the migrations that are not applied yet, oldest first; return the names of their files.

    Raises ConfigError when a migration fails (it leaves nothing behind) or when the files do not match what was
    applied, and StoreUnavailable when there is no database.
    """
    migrations = read(folder)
    applied_files: list[str] = []
    with translated_errors(), psycopg.connect(**connect_parameters(conninfo)) as connection:
        while migration := _apply_next(connection, migrations, schema):
            applied_files.append(migration.file)
    return applied_files


def down(conninfo: str, steps: int = 1, folder: Path | None = None, *, schema: str = SCHEMA) -> list[str]:
    """Undo the newest `steps` migrations, newest first; return the names of their files. Raises as `up` does."""
    migrations = read(folder)
    with translated_errors(), psycopg.connect(**connect_parameters(conninfo)) as connection:
        undone = (_undo_last(connection, migrations, schema) for _ in range(steps))
        return [migration.file for migration in undone if migration]


def status(conninfo: str, folder: Path | None = None, *, schema: str = SCHEMA) -> list[MigrationStatus]:
    """Return the state of every migration on disk or in the database, oldest first. Changes nothing."""
    migrations = read(folder)
    with translated_errors(), psycopg.connect(**connect_parameters(conninfo)) as connection:
        table = f"{schema}.schema_migrations"
        exists = connection.execute("select to_regclass(%s) is not null", (table,)).fetchone()
        applied = _applied(connection, schema) if exists == (True,) else {}
    applied = _with_replacement(applied, migrations)
    return [_status(migrations.get(version), applied.get(version)) for version in sorted({*migrations, *applied})]


def _status(migration: Migration | None, applied: AppliedMigration | None) -> MigrationStatus:
    changed = applied is not None and (migration is None or migration.checksum != applied.checksum)
    either = migration or applied
    assert either is not None  # noqa: S101  # the caller's versions come from one of the two
    return MigrationStatus(either.version, either.name, applied and applied.applied_at, changed)


def _apply_next(connection: psycopg.Connection, migrations: Mapping[str, Migration], schema: str) -> Migration | None:
    with _locked(connection):
        connection.execute(_sql(_TABLE, schema))
        applied = _checked(connection, migrations, schema)
        migration = next((item for version, item in migrations.items() if version not in applied), None)
        if migration:
            _execute(connection, migration, migration.up)
            _note_applied(connection, migration, schema)
    return migration


def _note_applied(connection: psycopg.Connection, migration: Migration, schema: str) -> None:
    connection.execute(
        _sql("insert into {schema}.schema_migrations (version, name, checksum) values (%s, %s, %s)", schema),
        (migration.version, migration.name, migration.checksum),
    )


def _undo_last(connection: psycopg.Connection, migrations: Mapping[str, Migration], schema: str) -> Migration | None:
    with _locked(connection):
        connection.execute(_sql(_TABLE, schema))
        applied = _checked(connection, migrations, schema)
        if not applied:
            return None
        migration = migrations[max(applied)]
        if not has_statements(migration.down):
            raise ConfigError(
                f"the migration {migration.file} has no `-- migrate:down`: it cannot be undone",
                hint="Restore a backup.",
            )
        _execute(connection, migration, migration.down)
        delete = _sql("delete from {schema}.schema_migrations where version = %s", schema)
        connection.execute(delete, (migration.version,))
    return migration


@contextmanager
def _locked(connection: psycopg.Connection) -> Iterator[None]:
    # Held by the transaction, not by the session: PgBouncer gives each transaction another session.
    with connection.transaction():
        connection.execute(f"set local lock_timeout = '{LOCK_TIMEOUT}'".encode())
        connection.execute("select pg_advisory_xact_lock(%s)", (LOCK,))
        yield


def _checked(
    connection: psycopg.Connection, migrations: Mapping[str, Migration], schema: str
) -> dict[str, AppliedMigration]:
    """Return the applied migrations; raises ConfigError if the file of one is missing or was edited.

    Where a file now takes the place of all of them, the table is changed to say so.
    """
    recorded = _applied(connection, schema)
    applied = _with_replacement(recorded, migrations)
    if applied != recorded:
        connection.execute(_sql("delete from {schema}.schema_migrations", schema))
        for version in applied:
            _note_applied(connection, migrations[version], schema)
    for version, row in applied.items():
        if version not in migrations:
            raise ConfigError(
                f"the migration {row.file} is applied to the database, but has no file",
                hint="The database was used by a newer Paliadin: install that version, or restore the file.",
            )
        if migrations[version].checksum != row.checksum:
            raise ConfigError(
                f"the migration {row.file} was edited after it had been applied",
                hint="Restore the file, and put the change into a new migration.",
            )
    return applied


def _with_replacement(
    applied: dict[str, AppliedMigration], migrations: Mapping[str, Migration]
) -> dict[str, AppliedMigration]:
    """Return the applied migrations, or the one that takes the place of all of them.

    Raises ConfigError if only some of those are applied whose place it takes.
    """
    files = [row.file for row in applied.values()]
    merged = next((migration for migration in migrations.values() if {*migration.replaced_files} & {*files}), None)
    if merged is None:
        return applied
    if {*merged.replaced_files} != {*files}:
        last = merged.replaced_files[-1]
        raise ConfigError(
            f"the database is at {files[-1]}, and {merged.file} takes the place of the files up to {last}",
            hint=f"Run `paliadin migrate up` with the last version of Paliadin that has {last}, then with this one.",
        )
    applied_at = max(row.applied_at for row in applied.values())
    return {merged.version: AppliedMigration(merged.version, merged.name, merged.checksum, applied_at)}


def _applied(connection: psycopg.Connection, schema: str) -> dict[str, AppliedMigration]:
    query = "select version, name, checksum, applied_at from {schema}.schema_migrations order by version"
    rows = connection.execute(_sql(query, schema))
    return {row[0]: AppliedMigration(row[0], row[1], row[2], row[3].astimezone(UTC)) for row in rows}


def _sql(query: LiteralString, schema: str) -> sql.Composed:
    return sql.SQL(query).format(schema=sql.Identifier(schema))


def _execute(connection: psycopg.Connection, migration: Migration, statements: str) -> None:
    try:
        connection.execute(statements.encode())
    except psycopg.OperationalError:
        raise  # the database went away or is full: not the file's fault
    except psycopg.Error as error:
        message = f"the migration {migration.file} failed: {error.diag.message_primary or error}"
        raise ConfigError(message, hint=FILE_HINT) from error
