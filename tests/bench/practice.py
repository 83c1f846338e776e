"""The practice's tools with 100,000 deadlines in 5,000 projects, for 50 people: `make bench-practice`.

Prints the time of each tool for a member and for the owner (median and 90 % of 30 calls, in this process), of a project
that may not be seen beside one that does not exist, of the same through the whole way of an MCP client, and of 50
people at once. With `--plans` also how Postgres carries each query out (docs/practice.md keeps them).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from rich.console import Console
from rich.table import Table

from paliadin.base.errors import PaliadinError
from paliadin.parts.practice import insertion, tables
from paliadin.parts.practice import rows as made
from paliadin.parts.practice.approvals import Decision
from paliadin.parts.practice.practice import Practice
from paliadin.parts.practice.seed import make_practice
from paliadin.parts.practice.transactions import QUERIES, User
from paliadin.postgres.cluster import remove_database
from tests.worlds.postgres import server

PROJECTS, DEADLINES, PEOPLE, REPEATS = 5_000, 100_000, 50, 30
CALLS: Sequence[tuple[str, Mapping[str, Any]]] = (
    ("whats_on_my_plate", {}),
    ("list_my_projects", {}),
    ("get_project_detail", {"project_id": "own"}),
    ("search_my_deadlines", {}),
    ("search_my_deadlines", {"q": "Klageerwiderung"}),
    ("search_my_deadlines", {"q": "Klageerwiderung", "status": "any"}),
    ("search_my_deadlines", {"project_id": "own", "status": "any"}),
    ("search_my_deadlines", {"court": "Munich LD"}),
    ("list_my_appointments", {}),
    ("list_my_pending_approvals", {}),
    ("lookup_court", {"q": "Munich"}),
    ("lookup_glossary_term", {"q": "Klageerwiderung"}),
    ("lookup_deadline_rule", {"q": "opposition", "trigger_date": "2026-11-26", "court": "EPO Munich"}),
    ("search_case_law", {"q": "Dringlichkeit"}),
)


def main() -> None:
    """Fill a database of its own, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", action="store_true", help="print the plans of the queries, too")
    options = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="paliadin-bench-"))
    try:
        with server(home) as conninfo:
            held = make_practice(datetime.now(UTC).date(), projects=PROJECTS, deadlines=DEADLINES, people=PEOPLE)
            fill(conninfo, held)
            asyncio.run(measure(conninfo, held))
            if options.plans:
                print_plans(conninfo, held)
    finally:
        remove_database(home)
        subprocess.run(["rm", "-rf", str(home)], check=True)


def fill(conninfo: str, held: made.Practice) -> None:
    begun = time.perf_counter()
    tables.prepare(conninfo)
    with tables.connected(conninfo) as connection:
        insertion.insert(connection, held)
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("vacuum analyze")
    print(f"filled in {time.perf_counter() - begun:.1f} s")  # noqa: T201  # its report


async def measure(conninfo: str, held: made.Practice) -> None:
    users = [User(each.id, each.name, each.office, each.language, each.role) for each in held.people]
    practice = Practice(lambda: [*users, User("owner", "Owner", "", "en", "owner")], "UTC")
    async with practice.connected(conninfo):
        counts = {user.id: len(await visible(conninfo, user.id)) for user in users}
        member = sorted(counts, key=lambda each: counts[each])[len(counts) // 2]
        own = min(await visible(conninfo, member))
        hidden = min({project.id for project in held.projects} - await visible(conninfo, member))
        table = Table(
            "tool", "arguments", f"member, {counts[member]} projects", "owner, all", title="ms: median / 90 %"
        )
        for name, arguments in CALLS:
            given = {key: own if value == "own" else value for key, value in arguments.items()}
            times = [await timed(partial(practice.call, who, name, given)) for who in (member, "owner")]
            table.add_row(name, shown(arguments), *(f"{median:.1f} / {most:.1f}" for median, most in times))
        for what, project in (("may not be seen", hidden), ("does not exist", "demo-project-none")):
            median, most = await timed(partial(attempt, practice, member, project))
            table.add_row("get_project_detail", what, f"{median:.2f} / {most:.2f}", "")
        for what, call in (("suggest_deadline", suggest), ("suggest_deadline, then the decision", suggest_and_decide)):
            times = [await timed(partial(call, practice, who, own)) for who in (member, "owner")]
            table.add_row(what, "a new one each time", *(f"{median:.1f} / {most:.1f}" for median, most in times))
        Console(width=120).print(table)
        await measure_many(practice, [user.id for user in users])


async def measure_many(practice: Practice, people: Sequence[str]) -> None:
    """All people at once, each with one call after the other."""
    times: list[float] = []

    async def work(person: str) -> None:
        for name, arguments in CALLS:
            if "own" not in arguments.values():
                begun = time.perf_counter()
                await practice.call(person, name, arguments)
                times.append((time.perf_counter() - begun) * 1000)

    begun = time.perf_counter()
    await asyncio.gather(*map(work, people))
    took = time.perf_counter() - begun
    times.sort()
    print(  # noqa: T201
        f"{len(people)} people at once: {len(times)} calls in {took:.1f} s, {len(times) / took:.0f} a second; "
        f"median {statistics.median(times):.0f} ms, 90 % {times[len(times) * 9 // 10]:.0f} ms"
    )


async def suggest(practice: Practice, person: str, project: str) -> str:
    """Suggest a deadline, in a turn of its own; its id."""
    arguments = {"project_id": project, "title": "Reply", "due_date": str(datetime.now(UTC).date() + timedelta(30))}
    result = json.loads(await practice.call(person, "suggest_deadline", arguments, str(uuid4())))
    return str(result["suggestion"]["id"])


async def suggest_and_decide(practice: Practice, person: str, project: str) -> None:
    """The same, and approve it."""
    await practice.decide(person, await suggest(practice, person, project), Decision(approve=True))


async def attempt(practice: Practice, person: str, project: str) -> None:
    try:
        await practice.call(person, "get_project_detail", {"project_id": project})
    except PaliadinError:
        return
    raise AssertionError


async def visible(conninfo: str, person: str) -> set[str]:
    with psycopg.connect(conninfo) as connection:
        connection.execute("select set_config('paliad.person', %s, true)", (person,))
        return {str(project) for (project,) in connection.execute("select paliad.visible_projects()")}


async def timed(call: Callable[[], Awaitable[Any]]) -> tuple[float, float]:
    """(median, 90 %) in milliseconds."""
    times = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        await call()
        times.append((time.perf_counter() - begun) * 1000)
    times.sort()
    return statistics.median(times), times[REPEATS * 9 // 10]


def shown(arguments: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in arguments.items())


def print_plans(conninfo: str, held: made.Practice) -> None:
    now = datetime.now(UTC)
    member = held.members[0].user_id
    values: dict[str, Any] = dict.fromkeys(("after", "kind", "words", "due_after", "due_before", "court", "court_id"))
    values |= {
        "today": now.date(),
        "person": member,
        "now": now,
        "month_end": now + timedelta(days=30),
    }
    values |= {"week_end": now.date() + timedelta(days=3), "project_id": None, "most": 26, "start": now}
    values |= {"turn": None, "request": uuid4(), "since": now - timedelta(days=28), "until": now}
    values |= {"month_end": now + timedelta(days=30), "end": now + timedelta(days=30), "ids": [held.projects[0].id]}
    names = [name for name in QUERIES if b"paliad.projects" in QUERIES[name] or name.startswith("plate")]
    for person, role in ((member, "paliad_tools"), ("owner", "paliad_tools_all")):
        with psycopg.connect(conninfo) as connection:
            connection.execute(
                "select set_config('paliad.person', %s, true), set_config('role', %s, true)", (person, role)
            )
            for name in names:
                status = None if name == "list_projects" else "open"  # that of a project is another
                explain = b"explain (analyze, buffers off, costs off, timing off, summary on) "
                rows = connection.execute(explain + QUERIES[name], values | {"status": status})
                print(f"\n## {name}, {'a member' if role == 'paliad_tools' else 'the owner'}\n")  # noqa: T201
                print("\n".join(str(line) for (line,) in rows))  # noqa: T201


if __name__ == "__main__":
    if os.environ.get("PYTHONPATH") is None and not Path("paliadin").is_dir():
        sys.exit("run it in Paliadin's folder")
    main()
