"""Migrates the database by SQL files in dbmate's format, each in one transaction under an advisory lock.

A folder of files belongs to one schema, whose table `schema_migrations` says which of them are applied. A file may take
the place of older ones, which it names in comments `-- replaces: 0001_a 0002_b` before its first section.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import LiteralString, NamedTuple

import psycopg
from psycopg import sql

from paliadin.base.errors import ConfigError
from paliadin.base.settings import resource_folder
from paliadin.record.driver import connect_parameters, translated_errors

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
_FILE_NAME = re.compile(r"(\d{4})_([a-z0-9_]+)\.sql")
_MARKER = re.compile(r"^-- migrate:(.*?)\s*$", re.MULTILINE)
_REPLACED = re.compile(r"^-- replaces: (.*)$", re.MULTILINE)
_FILE_HINT = "Correct the file, then run `paliadin migrate up`."


@dataclass(frozen=True, slots=True)
class Migration:
    """A migration file. `up` and `down` are its SQL sections; `checksum` is the SHA-256 of all its bytes.

    `replaced_files`: the older files that together had its effect.
    """

    version: str
    name: str
    up: str
    down: str
    checksum: str
    replaced_files: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        return f"{self.version}_{self.name}.sql"


class Applied(NamedTuple):
    """An applied migration: a row of `paliadin.schema_migrations`."""

    version: str
    name: str
    checksum: str
    applied_at: datetime

    @property
    def file(self) -> str:
        return f"{self.version}_{self.name}.sql"


class Status(NamedTuple):
    """The state of a migration.

    `applied_at`: None if it is still to be applied; `changed`: its file was edited or removed after that.
    """

    version: str
    name: str
    applied_at: datetime | None
    changed: bool


def parse(file: str, content: bytes) -> Migration:
    """Parse the content of one migration file; raises ConfigError that names the file."""
    match = _FILE_NAME.fullmatch(file)
    if not match:
        raise ConfigError(f"the migration {file} is not named like 0001_record.sql", hint=_FILE_HINT)
    try:
        preamble, *sections = _MARKER.split(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"the migration {file} is not UTF-8: {error}", hint=_FILE_HINT) from error
    if sections[::2] not in (["up"], ["up", "down"]) or _has_statements(preamble):
        raise ConfigError(
            f"the migration {file} needs a line `-- migrate:up` first, then at most one `-- migrate:down`",
            hint=_FILE_HINT,
        )
    up, down = [*sections[1::2], ""][:2]
    replaced_files = tuple(f"{name}.sql" for names in _REPLACED.findall(preamble) for name in names.split())
    return Migration(match[1], match[2], up, down, hashlib.sha256(content).hexdigest(), replaced_files)


def read(folder: Path | None = None) -> dict[str, Migration]:
    """Read the migrations of a folder (by default Paliadin's own): version → migration, oldest first.

    Raises ConfigError for a malformed file, or for two files of one version.
    """
    migrations: dict[str, Migration] = {}
    for path in sorted((folder or resource_folder("migrations")).glob("*.sql")):
        migration = parse(path.name, path.read_bytes())
        if migration.version in migrations:
            message = f"{path.name} has the same number as {migrations[migration.version].file}"
            raise ConfigError(message, hint=_FILE_HINT)
        migrations[migration.version] = migration
    return migrations


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


def status(conninfo: str, folder: Path | None = None, *, schema: str = SCHEMA) -> list[Status]:
    """Return the state of every migration on disk or in the database, oldest first. Changes nothing."""
    migrations = read(folder)
    with translated_errors(), psycopg.connect(**connect_parameters(conninfo)) as connection:
        table = f"{schema}.schema_migrations"
        exists = connection.execute("select to_regclass(%s) is not null", (table,)).fetchone()
        applied = _applied(connection, schema) if exists == (True,) else {}
    applied = _with_replacement(applied, migrations)
    return [_status(migrations.get(version), applied.get(version)) for version in sorted({*migrations, *applied})]


def _status(migration: Migration | None, applied: Applied | None) -> Status:
    changed = applied is not None and (migration is None or migration.checksum != applied.checksum)
    either = migration or applied
    assert either is not None  # noqa: S101  # the caller's versions come from one of the two
    return Status(either.version, either.name, applied and applied.applied_at, changed)


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
        if not _has_statements(migration.down):
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


def _checked(connection: psycopg.Connection, migrations: Mapping[str, Migration], schema: str) -> dict[str, Applied]:
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


def _with_replacement(applied: dict[str, Applied], migrations: Mapping[str, Migration]) -> dict[str, Applied]:
    """Return the applied migrations, or the one that takes the place of all of them.

    Raises ConfigError if only some of those are applied whose place it takes.
    """
    files = [row.file for row in applied.values()]
    one = next((migration for migration in migrations.values() if {*migration.replaced_files} & {*files}), None)
    if one is None:
        return applied
    if {*one.replaced_files} != {*files}:
        last = one.replaced_files[-1]
        raise ConfigError(
            f"the database is at {files[-1]}, and {one.file} takes the place of the files up to {last}",
            hint=f"Run `paliadin migrate up` with the last version of Paliadin that has {last}, then with this one.",
        )
    return {one.version: Applied(one.version, one.name, one.checksum, max(row.applied_at for row in applied.values()))}


def _applied(connection: psycopg.Connection, schema: str) -> dict[str, Applied]:
    query = "select version, name, checksum, applied_at from {schema}.schema_migrations order by version"
    rows = connection.execute(_sql(query, schema))
    return {row[0]: Applied(row[0], row[1], row[2], row[3].astimezone(UTC)) for row in rows}


def _sql(query: LiteralString, schema: str) -> sql.Composed:
    return sql.SQL(query).format(schema=sql.Identifier(schema))


def _execute(connection: psycopg.Connection, migration: Migration, statements: str) -> None:
    try:
        connection.execute(statements.encode())
    except psycopg.OperationalError:
        raise  # the database went away or is full: not the file's fault
    except psycopg.Error as error:
        message = f"the migration {migration.file} failed: {error.diag.message_primary or error}"
        raise ConfigError(message, hint=_FILE_HINT) from error


def _has_statements(text: str) -> bool:
    """Tell whether the SQL has anything but comments and blanks."""
    return bool(re.sub(r"--.*", "", text).strip())
