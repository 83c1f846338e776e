"""The part `neighbours` of `make load`: how long a person's turns take while four others ask what costs most to check.

Over the Messages API, with a practice. The others' answers have hundreds of calculations, beside results of 10 KB.
NEIGHBOURS_TURNS: how many turns are measured, alone and beside the others (40).
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
from rich.console import Console
from rich.table import Table

from paliadin.demo.api_messages import Conversation, Message, Text, ToolUse
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.cluster import locate_cluster, remove_database
from tests.worlds.processes import daemon_of, usage
from tests.worlds.somebody import Somebody, Visitors
from tests.worlds.world import World, parse_sse

TURNS = int(os.environ.get("NEIGHBOURS_TURNS", "40"))
ROUNDS = 4
HOSTILE = ("eve", "mallory", "oscar", "trudy")
DEADLINES = 60  # of each of them: 10 KB as a tool's result
Timed = dict[str, float]
"""The seconds until a turn's text, until it is answered, until it has ended."""

RANDOM = random.Random(1)  # noqa: S311  # the same answers each time
WAYS = (
    lambda: (
        f"{RANDOM.randint(10, 999)} + {RANDOM.randint(10, 999)} = {RANDOM.randint(10, 99_999)}.{RANDOM.randint(10, 99)}"
    ),
    lambda: f"| {' | '.join(str(RANDOM.randint(100, 9_999)) for _ in range(600))} |",
    lambda: f"{RANDOM.randint(10, 999)} minutes",
    lambda: f"about {RANDOM.randint(1, 99)}.{RANDOM.randint(1, 9)} Mio. EUR",
)
ROWS = """
insert into paliad.projects (id, kind, label) values ('p-{0}', 'client', 'A client');
insert into paliad.project_members (project_id, user_id) values ('p-{0}', '{0}');
insert into paliad.deadlines (id, project_id, title, due_date)
    select 'd-{0}-' || n, 'p-{0}', 'Deadline number ' || n * 37, current_date + n % 90 from generate_series(1, {1}) n;
"""


def script(conversation: Conversation) -> Message:
    """A word; or, after the call of a tool, 8,000 characters that take long to check."""
    way, _, number = conversation.user_text.rpartition(" ")[2].partition(":")
    if way != "flood":
        return Message((Text(("Good.",)),))
    if not conversation.results:
        return Message((ToolUse("search_my_deadlines", {"status": "any"}),))
    pieces: list[str] = []
    while sum(map(len, pieces)) < 8_000:
        pieces.append(WAYS[int(number) % len(WAYS)]())
    return Message((Text(tuple(f"{piece}\n" for piece in pieces)),))


def neighbours() -> None:
    """Measure one person's turns alone, and beside four who ask without end."""
    root = Path(tempfile.mkdtemp(prefix="paliadin-load-"))
    api = ScriptedApi(script)
    with api.running() as url, contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, root, ignore_errors=True)
        world = World(root / "w", Path("/nonexistent"), api, url)
        world.options |= {"RELAY": "messages", "API_KEY": "key-of-the-load", "API_URL": url, "PALIAD": "true"}
        world.options |= {"TURNS_PER_HOUR": "100000", "ALL_TURNS_PER_HOUR": "100000"}
        stack.callback(remove_database, root / "w" / "home")
        stack.callback(world.close)
        world.start()
        visitors = stack.enter_context(Visitors(world))
        bob, *others = [visitors.let_in(name) for name in ("bob", *HOSTILE)]
        for each in (bob, *others):
            each.agree()
            each.turn("Hello")
        with psycopg.connect(locate_cluster(world.settings.home).conninfo) as connection:
            for each in HOSTILE:
                connection.execute(ROWS.format(each, DEADLINES).encode())
        _compare(world, bob, others)


def _compare(world: World, bob: Somebody, others: list[Somebody]) -> None:
    daemon = daemon_of(world)
    alone, beside, cpu, lasted, answers = list[Timed](), list[Timed](), 0.0, 0.0, 0
    for _ in range(ROUNDS):  # by turns, since the machine may be faster or slower later
        alone += [_turn(bob) for _ in range(TURNS // ROUNDS)]
        with _asking(others) as asked:
            while min(asked.values()) < 2:  # each of them is at it
                time.sleep(0.05)
            before, began = usage(daemon), time.monotonic()
            beside += [_turn(bob) for _ in range(TURNS // ROUNDS)]
            cpu, lasted = cpu + usage(daemon).cpu - before.cpu, lasted + time.monotonic() - began
            answers += sum(asked.values())
    table = Table(title=f"{TURNS} turns of one word, alone and beside {len(others)} people; milliseconds")
    for column in ("", "alone", "beside", "ratio", "p90 alone", "p90 beside", "ratio"):
        table.add_column(column, justify="right")
    for name in ("text", "answered", "end"):
        one, two = ([turn[name] * 1000 for turn in turns] for turns in (alone, beside))
        figures = [(figure(one), figure(two)) for figure in (statistics.median, _p90)]
        table.add_row(name, *(text for a, b in figures for text in (f"{a:.1f}", f"{b:.1f}", f"{b / a:.2f}")))
    console = Console(width=100)
    console.print(table)
    memory = usage(daemon).resident
    console.print(f"{answers} answers of theirs; the daemon: {cpu / lasted:.2f} of a core, {memory:.0f} MB")


def _p90(values: list[float]) -> float:
    return sorted(values)[len(values) * 9 // 10]


def _turn(person: Somebody) -> Timed:
    """Ask for a word; the seconds until its text, until it is answered, until it has ended."""
    asked, at = time.monotonic(), {}
    turn_id = person.ask("A word, please")
    with person.client.stream("GET", f"{person.prefix}/api/paliadin/stream/{turn_id}") as stream:
        for event in parse_sse(stream.iter_lines()):
            at.setdefault({"content_delta": "text"}.get(event.name, event.name), time.monotonic() - asked)
            if event.name == "error":
                sys.exit(f"LOST: {event.data}")
    time.sleep(0.1)
    return at


@contextlib.contextmanager
def _asking(people: list[Somebody]) -> Iterator[dict[str, int]]:
    """Have them ask during the block, each without end; the value counts the answers of each."""
    over, answers = threading.Event(), {each.name: 0 for each in people}

    def ask(person: Somebody, number: int) -> None:
        while not over.is_set():
            person.turn(f"flood:{number}")
            answers[person.name] += 1

    threads = [threading.Thread(target=ask, args=(each, number)) for number, each in enumerate(people)]
    for thread in threads:
        thread.start()
    try:
        yield answers
    finally:
        over.set()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    neighbours()
