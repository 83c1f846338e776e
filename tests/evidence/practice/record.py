"""`python -m tests.evidence.practice.record`: write what the tools return for the questions to results.json."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import click
from psycopg import sql
from psycopg.types.json import Jsonb

from paliadin.base.errors import PaliadinError
from paliadin.parts.practice import tables
from paliadin.parts.practice.practice import TOOLS
from paliadin.parts.practice.toolbox import in_words
from paliadin.parts.practice.tools.model import Call
from paliadin.parts.practice.transactions import PracticeDatabase, User
from tests.evidence.practice.rounds import QUESTIONS
from tests.worlds.postgres import server

NOW = datetime(2026, 11, 26, 8, 40, tzinfo=ZoneInfo("Europe/Berlin"))
RESULTS = Path(__file__).with_name("results.json")
PRACTICE = Path(__file__).with_name("practice.json")
"""The rows of a practice that was once made up for this day, by table. The answers speak of them, so they stay."""


def answer_all(conninfo: str) -> dict[str, list[str]]:
    """Fill an empty database and make each question's calls; return their texts, as Claude would read them."""
    held = json.loads(PRACTICE.read_text("utf-8"))
    tables.prepare(conninfo)
    with tables.connected(conninfo) as connection:
        for table, rows in held.items():
            _insert(connection, table, rows)
    users = [User(each["id"], each["name"], each["office"], each["language"], each["role"]) for each in held["users"]]
    return asyncio.run(_call_all(conninfo, [*users, User("owner", "Owner", "", "en", "owner")]))


def _insert(connection: tables.Connection, table: str, rows: Sequence[Mapping[str, object]]) -> None:
    name = sql.Identifier("paliad", table)
    columns = sql.SQL(", ").join(map(sql.Identifier, dict.fromkeys(column for row in rows for column in row)))
    insert = sql.SQL("insert into {0} ({1}) select {1} from jsonb_populate_recordset(null::{0}, %s)")
    connection.execute(insert.format(name, columns), (Jsonb(rows),))


async def _call_all(conninfo: str, users: Sequence[User]) -> dict[str, list[str]]:
    database, answered = PracticeDatabase(), {}
    async with database.connected(conninfo):
        await database.write_users(users)
        for name, question in QUESTIONS.items():
            answered[name] = [
                await _call(database, question.person, tool, arguments) for tool, arguments in question.calls
            ]
    return answered


async def _call(database: PracticeDatabase, person: str, name: str, arguments: Mapping[str, object]) -> str:
    """What practice.Practice.call does, at a time of our own."""
    tool = TOOLS[name]
    try:
        async with database.transaction(person, NOW.date()) as transaction:
            return (await tool.function(Call(transaction, NOW), tool.parse(arguments))).as_json()
    except PaliadinError as error:
        return in_words(error)


def main() -> None:
    """Record the results with a database server of its own."""
    with tempfile.TemporaryDirectory() as home, server(Path(home)) as conninfo:
        results = answer_all(conninfo)
    RESULTS.write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", "utf-8")
    click.echo(f"{sum(map(len, results.values()))} results of {len(results)} questions")


if __name__ == "__main__":
    main()
