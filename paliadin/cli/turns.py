"""`paliadin turns list|show|export`"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TextIO, TypeVar

import click

from paliadin.cli.database import opened
from paliadin.cli.rows import print_turn, print_turns
from paliadin.cli.text import json_line
from paliadin.config import Settings
from paliadin.errors import NotFound, PaliadinError
from paliadin.record import TurnRow
from paliadin.running import find_daemon
from paliadin.store import Store
from paliadin.turnlog import TurnFolder

T = TypeVar("T")

PAGE = 200  # rows that are held at once
SEARCHED = 5_000  # newest turns that a short id is looked for in

_session = click.option("--session", metavar="NAME", help="Only those of this session.")
_json = click.option("--json", "as_json", is_flag=True, help="Whole rows, one JSON object a line.")


@click.group()
def turns() -> None:
    """List, show and export the turns on record.

    \b
    paliadin turns list --limit 5
    paliadin turns show 7c21f0aa
    paliadin turns export -o turns.jsonl
    """


@turns.command("list")
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, help="How many.")
@_session
@_json
def list_turns(limit: int, session: str | None, as_json: bool) -> None:
    """The newest turns, the very newest last.

    A pipe gets them with tabs between the columns.
    """
    rows = asyncio.run(_newest(find_daemon(), session, limit))
    if as_json:
        for row in rows:
            click.echo(json_line(asdict(row)))
    elif rows:
        print_turns(rows)
    else:
        click.echo("There is no turn on record yet.", err=True)


@turns.command()
@click.argument("turn_id")
@click.option("--json", "as_json", is_flag=True, help="The whole row, as one JSON object.")
@click.option("--log", is_flag=True, help="The turn's log: what the hooks and the relay wrote, one JSON object a line.")
def show(turn_id: str, as_json: bool, log: bool) -> None:
    """One turn: its question, its answer and what is known about it.

    TURN_ID is the id, its end as `turns list` shows it, or its beginning.
    """
    if as_json and log:
        raise click.UsageError("Say either --json or --log.")
    settings = find_daemon()
    if log:
        for line in _folder(settings, turn_id).lines():
            click.echo(json_line(line))
        return
    row = asyncio.run(_one(settings, turn_id))
    if as_json:
        click.echo(json_line(asdict(row)))
    else:
        print_turn(row)


@turns.command()
@click.option("--format", "_format", type=click.Choice(["jsonl"]), default="jsonl", show_default=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="A file; only you can read it.")
@_session
def export(_format: str, output: Path | None, session: str | None) -> None:
    """All turns as whole rows, the newest first.

    They hold every question and every answer: mind who can read the file.
    """
    count = asyncio.run(_export(find_daemon(), session, output))
    click.echo(f"{count} turns{f' written to {output}' if output else ''}", err=True)


async def _newest(settings: Settings, session: str | None, limit: int) -> list[TurnRow]:
    async with opened(settings) as store:
        return await store.turns(session, None, limit)


async def _one(settings: Settings, turn_id: str) -> TurnRow:
    key = turn_id.strip().lower()
    async with opened(settings) as store:
        if row := await store.turn(key):
            return row
        found = [row async for row in _all(store, None, SEARCHED) if _fits(row.turn_id, key)]
    return _only(found, turn_id)


async def _all(store: Store, session: str | None, limit: int | None = None) -> AsyncIterator[TurnRow]:
    """The newest first."""
    before, count = None, 0
    while page := await store.turns(session, before, PAGE):
        for row in reversed(page):
            yield row
        before, count = page[0].turn_id, count + len(page)
        if limit is not None and count >= limit:
            return


async def _export(settings: Settings, session: str | None, output: Path | None) -> int:
    count = 0
    async with opened(settings) as store:
        await store.turns(session, None, 1)  # before a file is emptied: is there anything to read from?
        with _writing(output) as file:
            async for row in _all(store, session):
                file.write(json_line(asdict(row)) + "\n")
                count += 1
    return count


@contextmanager
def _writing(output: Path | None) -> Iterator[TextIO]:
    if output is None:
        yield sys.stdout
        return
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        yield file


def _folder(settings: Settings, turn_id: str) -> TurnFolder:
    key = turn_id.strip().lower()
    names = [path.name for path in settings.response_dir.glob("*/*") if _fits(path.name, key)]
    return TurnFolder(settings.response_dir, _only(names, turn_id, hint="Its folder may be gone (PALIADIN_KEEP_DAYS)."))


def _fits(turn_id: str, key: str) -> bool:
    return turn_id.startswith(key) or turn_id.endswith(key)


def _only(found: list[T], turn_id: str, hint: str | None = None) -> T:
    if len(found) > 1:
        raise PaliadinError(
            f"{len(found)} turns have an id like {turn_id!r}", hint="Give more of the id.", code="ambiguous_turn"
        )
    if not found:
        raise NotFound(f"there is no turn {turn_id}", hint=hint, code="unknown_turn")
    return found[0]
