"""Inserts the made-up practice into the tables, and removes it, without touching the user's own rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, fields
from datetime import date
from typing import Any

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from paliadin.base.errors import PaliadinError
from paliadin.parts.practice import judgments
from paliadin.parts.practice.made_up.words import MARK
from paliadin.parts.practice.rows import AuditLine, Person, Practice, Row
from paliadin.parts.practice.seed import make_practice

Connection = psycopg.Connection[Any]

# What is in a project: a project with something of these that was not seeded is the user's, and stays.
_THINGS = ("deadlines", "appointments", "notes", "parties")
_HOLDING = ("approval_requests", *_THINGS)

_DELETE_MADE_UP = sql.SQL("delete from {table} where starts_with({id}, %s)")
_DELETE_EMPTY_PROJECTS = sql.SQL(
    "delete from paliad.projects as project where starts_with(id, %s)"
    " and not exists (select from paliad.projects as below where below.parent_id = project.id) and {empty}"
)
_HOLDS_NOTHING = sql.SQL("not exists (select from {table} as held where held.project_id = project.id)")
_DELETE_UNUSED_UNITS = (
    "delete from paliad.partner_units as unit where starts_with(id, %s)"
    " and not exists (select from paliad.project_units where unit_id = unit.id)"
)
_STAGE = "create temporary table staged on commit drop as select {columns} from {table} with no data"
_UNSTAGE = "insert into {table} ({columns}) select {columns} from pg_temp.staged"
_LAST_NUMBER = """
    select coalesce(max(substring(id from '[0-9]+$')::int), 0)
    from (select id from paliad.projects union all select id from paliad.partner_units) as kept
    where starts_with(id, %s)
"""


class AlreadySeeded(PaliadinError):
    """There are projects already, so nothing was made up beside them."""

    default_code = "already_seeded"
    default_status = 409


def seed(connection: Connection, today: date, *, again: bool = False) -> Practice:
    """Make up a practice and insert it with made-up judgments, in one transaction.

    `again`: remove what was seeded before, first.

    Raises AlreadySeeded if there are projects, with `again` if none of them was seeded.
    """
    with connection.transaction():
        _refuse_beside_others(connection, again=again)
        if again:
            remove(connection)
        practice = make_practice(today, first=_next_number(connection))
        _insert(connection, practice)
        judgments.import_file(connection, judgments.MADE_UP_FILE, made_up=True)
    return practice


def insert(connection: Connection, practice: Practice) -> None:
    """Insert a practice in one transaction; people who are there already stay as they are.

    Raises AlreadySeeded if there are projects.
    """
    with connection.transaction():
        _refuse_beside_others(connection, again=False)
        _insert(connection, practice)


def remove(connection: Connection) -> None:
    """Remove the made-up rows in one transaction, except for the people.

    A project stays if it holds something that was not made up. So do the projects above it, and the units that are
    attached to it.
    """
    with connection.transaction():
        for table in _THINGS:
            connection.execute(_DELETE_MADE_UP.format(table=_table(table), id=sql.Identifier("id")), (MARK,))
        requests = _DELETE_MADE_UP.format(table=_table("approval_requests"), id=sql.Identifier("thing_id"))
        connection.execute(requests, (MARK,))
        connection.execute("delete from paliad.judgments where made_up")
        connection.execute("delete from paliad.audit_trail where details @> '{\"made_up\": true}'")
        empty = sql.SQL(" and ").join(_HOLDS_NOTHING.format(table=_table(each)) for each in _HOLDING)
        while connection.execute(_DELETE_EMPTY_PROJECTS.format(empty=empty), (MARK,)).rowcount:
            pass  # each round removes those that have nothing below them any more
        connection.execute(_DELETE_UNUSED_UNITS, (MARK,))


def _refuse_beside_others(connection: Connection, *, again: bool) -> None:
    connection.execute("lock table paliad.projects in share row exclusive mode")
    counts = "select count(*), count(*) filter (where starts_with(id, %s)) from paliad.projects"
    [(every, made_up)] = connection.execute(counts, (MARK,)).fetchall()
    if again and every and not made_up:
        raise AlreadySeeded(
            f"there are {every} projects, and none of them was seeded",
            hint="Seed a database without projects: set PALIADIN_DATABASE_URL or PALIADIN_HOME.",
        )
    if every and not again:
        hint = "`paliadin paliad seed --again` replaces what was seeded, and keeps all else."
        raise AlreadySeeded(
            f"there are {every} projects already, {made_up} of them seeded",
            hint=hint if made_up else "Seed a database without projects: set PALIADIN_DATABASE_URL or PALIADIN_HOME.",
        )


def _next_number(connection: Connection) -> int:
    """Return the first number for new ids: after those of seeded projects and units that have stayed."""
    [(last,)] = connection.execute(_LAST_NUMBER, (MARK,)).fetchall()
    return int(last) + 1


def _insert(connection: Connection, practice: Practice) -> None:
    for rows in practice.in_order():
        if rows and isinstance(rows[0], Person):
            _insert_people(connection, rows)
        elif rows:
            _copy(connection, rows)


def _insert_people(connection: Connection, rows: Sequence[Row]) -> None:
    insert_one = sql.SQL("insert into paliad.users ({}) values ({}) on conflict (id) do nothing").format(
        _columns(rows), sql.SQL(", ").join([sql.Placeholder()] * len(fields(rows[0])))
    )
    with connection.cursor() as cursor:
        cursor.executemany(insert_one, [astuple(row) for row in rows])


def _copy(connection: Connection, rows: Sequence[Row]) -> None:
    """Insert rows through a temporary table: only a superuser can COPY into a table with policies."""
    table, columns = _table(rows[0].table), _columns(rows)
    names = [field.name for field in fields(rows[0])]
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL(_STAGE).format(table=table, columns=columns))
        with cursor.copy(sql.SQL("copy pg_temp.staged from stdin")) as copy:
            for row in rows:
                values = [getattr(row, name) for name in names]
                if isinstance(row, AuditLine):
                    values[-1] = Jsonb(row.details)
                copy.write_row(values)
        cursor.execute(sql.SQL(_UNSTAGE).format(table=table, columns=columns))
        cursor.execute("drop table pg_temp.staged")


def _columns(rows: Sequence[Row]) -> sql.Composed:
    return sql.SQL(", ").join(sql.Identifier(field.name) for field in fields(rows[0]))


def _table(name: str) -> sql.Identifier:
    return sql.Identifier("paliad", name)
