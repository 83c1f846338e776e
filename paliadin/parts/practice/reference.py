"""The reference data: courts, glossary and deadline rules. Files of this package, kept in tables for everybody to read.

docs/practice.md describes the files, and where each entry comes from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from paliadin.base.errors import ConfigError
from paliadin.base.strict_json import parse_json

FOLDER = Path(__file__).with_name("reference")
FILES: Mapping[str, str] = {"courts": "courts.json", "glossary": "glossary.json", "deadline_rules": "rules.json"}
"""Table → file. An entry's fields are the table's columns."""

Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Loaded:
    """The changes of one loading.

    `written`: new or changed entries; `removed`: ids that are no longer in the files; `kept`: such ids that stay,
    because something refers to them.
    """

    written: int = 0
    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def read(table: str, folder: Path = FOLDER) -> Sequence[Entry]:
    """Read the entries of a table's file; raises ConfigError that names the file."""
    return _parse(table, (folder / FILES[table]).read_bytes())


def load(connection: psycopg.Connection[Any], folder: Path = FOLDER) -> Loaded:
    """Load the files into the tables, in one transaction; return the changes.

    Files that have not changed since the last time are not loaded again. Raises ConfigError for a malformed file.
    """
    changes: list[Loaded] = []
    with connection.transaction():
        connection.execute("lock table paliad.reference_digests in exclusive mode")
        digests = dict(connection.execute("select table_name, digest from paliad.reference_digests").fetchall())
        for table, file in FILES.items():
            content = (folder / file).read_bytes()
            digest = hashlib.sha256(content).hexdigest()
            if digests.get(table) != digest:
                changes.append(_load_table(connection, table, _parse(table, content)))
                _keep_digest(connection, table, digest)
    removed, kept = (tuple(id_ for each in changes for id_ in getattr(each, name)) for name in ("removed", "kept"))
    return Loaded(sum(each.written for each in changes), removed, kept)


def _parse(table: str, content: bytes) -> Sequence[Entry]:
    file = FILES[table]
    hint = f"Restore {file}, which is part of Paliadin, by installing it again."
    try:
        entries = parse_json(content.decode("utf-8"))
    except ValueError as error:
        raise ConfigError(f"the reference file {file} is not JSON: {error}", hint=hint) from error
    if not isinstance(entries, list) or not all(isinstance(each, dict) and each.get("id") for each in entries):
        raise ConfigError(f"the reference file {file} is not a list of objects with an id", hint=hint)
    return entries


def _load_table(connection: psycopg.Connection[Any], table: str, entries: Sequence[Entry]) -> Loaded:
    columns = _columns(connection, table)
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    upsert = sql.SQL(
        "insert into {table} as kept ({names}) select {names} from jsonb_populate_recordset(null::{table}, %s)"
        " on conflict (id) do update set ({names}) = row({new}) where row({old}) is distinct from row({new})"
    ).format(
        table=sql.Identifier("paliad", table),
        names=names,
        new=_qualified("excluded", columns),
        old=_qualified("kept", columns),
    )
    written = connection.execute(upsert, (Jsonb(entries),)).rowcount
    gone = sql.SQL("select id from {} where id <> all(%s) order by id").format(sql.Identifier("paliad", table))
    rows = connection.execute(gone, ([each["id"] for each in entries],)).fetchall()
    removed = {id_: _remove(connection, table, id_) for (id_,) in rows}
    return Loaded(
        written,
        tuple(key for key, done in removed.items() if done),
        tuple(k for k, done in removed.items() if not done),
    )


def _remove(connection: psycopg.Connection[Any], table: str, id_: str) -> bool:
    """Remove an entry; return False, and leave it, if something refers to it."""
    delete = sql.SQL("delete from {} where id = %s").format(sql.Identifier("paliad", table))
    try:
        with connection.transaction():
            connection.execute(delete, (id_,))
    except psycopg.errors.ForeignKeyViolation:
        return False
    return True


def _columns(connection: psycopg.Connection[Any], table: str) -> list[str]:
    rows = connection.execute(
        "select column_name from information_schema.columns where table_schema = 'paliad' and table_name = %s"
        " order by ordinal_position",
        (table,),
    )
    return [str(name) for (name,) in rows.fetchall()]


def _qualified(table: str, columns: Sequence[str]) -> sql.Composed:
    return sql.SQL(", ").join(sql.Identifier(table, column) for column in columns)


def _keep_digest(connection: psycopg.Connection[Any], table: str, digest: str) -> None:
    connection.execute(
        "insert into paliad.reference_digests values (%s, %s) on conflict (table_name) do update set digest = %s",
        (table, digest, digest),
    )
