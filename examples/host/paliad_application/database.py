"""The practice's database: what it lets a person see, and their decision on what was asked for.

It decides itself who may see and decide what, so no query says whose rows it wants. psycopg is imported only here, and
only once there is a database.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

if TYPE_CHECKING:
    import psycopg

Row = Mapping[str, Any]
PEOPLE = "select id, name, office, role from paliad.users where active order by role <> 'owner', name, id"
APPROVALS = "paliad_approvals"  # the role that decides, and may read the question behind a suggestion


class DatabaseAway(Exception):
    """The database cannot be used at the moment."""


@dataclass(frozen=True)
class Reading:
    """A transaction that reads as a person."""

    person: Row | None  # None for nobody, who sees no project
    people: Sequence[Row]
    connection: psycopg.Connection[dict[str, Any]]

    def rows(self, query: str, **values: object) -> list[Row]:
        """The rows of a query."""
        return list(self.connection.execute(query.encode(), values).fetchall())

    def questions(self, requests: Sequence[UUID]) -> Mapping[UUID, str]:
        """The questions that led to these requests, without those that were deleted or are not theirs to read."""
        [role] = self.rows("select current_setting('role') as name")
        self.rows("select set_config('role', %(role)s, true)", role=APPROVALS)
        query = "select id, paliad.question_of(id) as question from unnest(%(ids)s::uuid[]) as id"
        found = {row["id"]: row["question"] for row in self.rows(query, ids=list(requests)) if row["question"]}
        self.rows("select set_config('role', %(role)s, true)", role=role["name"])
        return found


@contextlib.contextmanager
def reading(database: str, wanted: str) -> Iterator[Reading]:
    """Read as the wanted person, if there is such a person."""
    with _connected(database) as connection:
        connection.read_only = True
        connection.execute("select set_config('statement_timeout', '3s', true)")
        people = connection.execute(PEOPLE).fetchall()
        person = next((each for each in people if each["id"] == wanted), None)
        role = "paliad_tools_all" if person and person["role"] == "owner" else "paliad_tools"
        _take(connection, role, person["id"] if person else "")
        yield Reading(person, people, connection)


def decide(database: str, person: str, request: UUID, *, approve: bool, note: str) -> Row:
    """Decide as a person, in a transaction of its own; return the row of `paliad.decide`."""
    with _connected(database) as connection:
        connection.execute("select set_config('statement_timeout', '5s', true)")
        _take(connection, APPROVALS, person)
        query = "select * from paliad.decide(%(id)s, %(approve)s, %(note)s)"
        [row] = connection.execute(query, {"id": request, "approve": approve, "note": note}).fetchall()
        return row


def _take(connection: psycopg.Connection[dict[str, Any]], role: str, person: str) -> None:
    connection.execute("select set_config('paliad.person', %s, true)", (person,))
    connection.execute("select set_config('role', %s, true)", (role,))


@contextlib.contextmanager
def _connected(database: str) -> Iterator[psycopg.Connection[dict[str, Any]]]:
    """A connection during a `with` block, whose transaction is committed at its end; its errors become DatabaseAway."""
    import psycopg  # noqa: PLC0415  # only here
    from psycopg.rows import dict_row  # noqa: PLC0415

    try:
        with psycopg.connect(database, row_factory=dict_row, connect_timeout=3) as connection:
            yield connection
    except psycopg.Error as error:
        raise DatabaseAway from error
