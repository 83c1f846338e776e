"""The commands `paliadin paliad seed` and `paliadin paliad import judgments`, which fill the practice's tables."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from shlex import join
from typing import TypeVar

import click

from paliadin.base.errors import PaliadinError
from paliadin.base.running_daemon import load_daemon_settings
from paliadin.base.settings import Settings
from paliadin.base.terminal_text import one_line
from paliadin.cli.client import DaemonClient, DaemonUnreachable
from paliadin.cli.echo import echo
from paliadin.cli.record import with_database
from paliadin.parts.practice import insertion, judgments, tables
from paliadin.parts.practice.rows import Person, Practice
from paliadin.parts.practice.settings import is_on

T = TypeVar("T")


@click.group()
def paliad() -> None:
    """Fill a patent practice's tables, which Claude reads for the person who asks (PALIADIN_PALIAD).

    \b
    paliadin paliad seed
    paliadin paliad import judgments upc.jsonl
    """


@paliad.command()
@click.option("--again", is_flag=True, help="Replace what was seeded before. What you have added stays.")
def seed(again: bool) -> None:
    """Make up a practice, to try things out: people, projects, deadlines, judgments.

    No person, company or case of it exists. Its deadlines are spread around today. Where there are projects already,
    nothing is made.
    """
    settings = load_daemon_settings()
    today = datetime.now().astimezone().date()
    practice = _run(settings, lambda connection: insertion.seed(connection, today, again=again))
    counts = {name: len(getattr(practice, name)) for name in ("projects", "deadlines", "appointments", "notes")}
    echo("made up: " + ", ".join(f"{count} {name}" for name, count in counts.items()))
    _say_how_they_get_in(practice, asyncio.run(_let_in(settings, practice.people)))
    _say_if_off(settings)


@paliad.group(name="import")
def import_() -> None:
    """Import judgments from a file."""


@import_.command(name="judgments")
@click.argument("file", type=click.Path(path_type=Path))
def import_judgments(file: Path) -> None:
    """Import the judgments in FILE, for `search_case_law`: all of them, or none if something is wrong with one.

    FILE is JSON Lines or a JSON list (docs/practice.md). A judgment with the same case number, court and date is
    replaced.
    """
    settings = load_daemon_settings()
    imported = _run(settings, lambda connection: judgments.import_file(connection, file))
    echo(f"{imported.new} new judgments, {imported.replaced} replaced")
    _say_if_off(settings)


def _run(settings: Settings, work: Callable[[tables.Connection], T]) -> T:
    """Run `work` on the practice's tables, after making them and loading the reference data."""

    def with_tables(conninfo: str) -> T:
        _say_what_stays(tables.prepare(conninfo).kept)
        with tables.connected(conninfo) as connection:
            return work(connection)

    return with_database(settings, with_tables)


def _say_what_stays(kept: Sequence[str]) -> None:
    if kept:
        echo(f"no longer reference data, but used, and so still there: {', '.join(kept)}", err=True)


async def _let_in(settings: Settings, people: Sequence[Person]) -> dict[str, str] | None:
    """Have the daemon add the people whom it does not know yet; returns the ids that it refused, with the reason.

    None if no daemon runs.
    """
    refused = {}
    async with DaemonClient(settings) as daemon:
        try:
            known_ids = {person["id"] for person in (await daemon.send("GET", "people"))["people"]}
        except DaemonUnreachable:
            return None
        for person in people:
            try:
                if person.id not in known_ids:
                    await daemon.send("POST", "people", asdict(person))
            except PaliadinError as error:
                refused[person.id] = f"{error.message}. {error.hint}"
    return refused


def _say_how_they_get_in(practice: Practice, refused: dict[str, str] | None) -> None:
    if refused is None:
        echo("\nNo daemon runs, so its people are not let in yet. Start it with `paliadin up`, then for each:\n")
        for person in practice.people:
            words = ("add", person.id, "--name", person.name, "--office", person.office, "--language", person.language)
            echo(f"  {join(['paliadin', 'people', *words])}")
        echo("\nAn address that signs one of them in: `paliadin people token ID`.")
        return
    echo("\nIts people, and what prints an address that signs each of them in:\n")
    for person in practice.people:
        way = f"not let in: {one_line(refused[person.id])}" if person.id in refused else _token(person)
        echo(f"  {person.name} ({person.office}, {person.language}): {way}")


def _token(person: Person) -> str:
    return f"paliadin people token {person.id}"


def _say_if_off(settings: Settings) -> None:
    if not is_on(settings):
        echo("\nA daemon shows none of this unless PALIADIN_PALIAD=true is set for it.", err=True)
