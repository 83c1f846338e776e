"""The practice's users are Paliadin's people: this writes them into the practice's table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import psycopg

from paliadin.record.driver import connect_parameters, translated_errors

_UPSERT = """insert into paliad.users (id, name, office, language, role, active) values (%s, %s, %s, %s, %s, true)
on conflict (id) do update set name = excluded.name, office = excluded.office, language = excluded.language,
role = excluded.role, active = true"""
_RETIRE = "update paliad.users set active = false where not id = any(%s) and active"


class User(NamedTuple):
    """A person as the practice knows them."""

    id: str
    name: str
    office: str
    language: str
    role: str


def write_users(conninfo: str, users: Sequence[User]) -> None:
    """Make these the practice's users; others stay, since deadlines name them, and see nothing any more."""
    with translated_errors(), psycopg.connect(**connect_parameters(conninfo)) as connection, connection.transaction():
        connection.cursor().executemany(_UPSERT, users)
        connection.execute(_RETIRE, ([user.id for user in users],))
