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

from paliadin.base.errors import PaliadinError
from paliadin.practice import insertion, tables
from paliadin.practice.practice import TOOLS, in_words
from paliadin.practice.reading import PracticeDatabase, User
from paliadin.practice.seed import make_practice
from paliadin.practice.tools.model import Call
from tests.evidence.practice.rounds import QUESTIONS
from tests.worlds.postgres import server

NOW = datetime(2026, 11, 26, 8, 40, tzinfo=ZoneInfo("Europe/Berlin"))
RESULTS = Path(__file__).with_name("results.json")
JUDGMENTS = Path(__file__).with_name("judgments.json")  # made up, to search in
_INSERT_JUDGMENT = """
insert into paliad.judgments (id, case_number, court_id, division, decided_on, language, headnote, body, made_up)
values (%(id)s, %(case_number)s, %(court_id)s, %(division)s, %(decided_on)s, %(language)s, %(headnote)s, %(body)s, true)
"""


def answer_all(conninfo: str) -> dict[str, list[str]]:
    """Seed an empty database and make each question's calls; return their texts, as Claude would read them."""
    held = make_practice(NOW.date())
    tables.prepare(conninfo)
    with tables.connected(conninfo) as connection:
        insertion.insert(connection, held)
        connection.cursor().executemany(_INSERT_JUDGMENT, json.loads(JUDGMENTS.read_text("utf-8")))
    users = [User(each.id, each.name, each.office, each.language, each.role) for each in held.people]
    return asyncio.run(_call_all(conninfo, [*users, User("owner", "Owner", "", "en", "owner")]))


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
        async with database.reading(person, NOW.date()) as reading:
            return (await tool.function(Call(reading, NOW), tool.parse(arguments))).as_json()
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
