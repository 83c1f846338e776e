"""`paliadin turns list|show|search|export|delete`"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO, TypeVar

import click

from paliadin.cli.database import opened
from paliadin.cli.filters import filter_options, meant_by
from paliadin.cli.rows import print_turn, print_turns
from paliadin.cli.text import json_line
from paliadin.config import Settings
from paliadin.errors import MissingDependency, NotFound, PaliadinError
from paliadin.monitor import deletion
from paliadin.monitor.export import export as write
from paliadin.monitor.export import formats
from paliadin.monitor.figures import query
from paliadin.monitor.records import page
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
    """List, show, search, export and delete the turns on record.

    \b
    paliadin turns list --limit 5
    paliadin turns show 7c21f0aa
    paliadin turns search open deadline
    paliadin turns export --format csv -o turns.csv
    """


@turns.command("list")
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, help="How many.")
@_session
@_json
def list_turns(limit: int, session: str | None, as_json: bool) -> None:
    """The newest turns, the very newest last.

    A narrow terminal leaves columns out; a pipe gets all of them, with tabs between.
    """
    _print(asyncio.run(_newest(find_daemon(), session, limit)), as_json, "There is no turn on record yet.")


def _print(rows: list[TurnRow], as_json: bool, nothing: str) -> None:
    if as_json:
        for row in rows:
            click.echo(json_line(asdict(row)))
    elif rows:
        print_turns(rows)
    else:
        click.echo(nothing, err=True)


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
@click.argument("words", nargs=-1, required=True)
@filter_options
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, help="How many.")
@_json
def search(words: tuple[str, ...], limit: int, as_json: bool, **filters: str | None) -> None:
    """Turns whose question or answer has all the WORDS or words that begin so; the newest last.

    \b
    paliadin turns search open deadline
    paliadin turns search --from 2026-11-01 --errors letter
    """
    rows = asyncio.run(_search(find_daemon(), filters | {"q": " ".join(words)}, limit))
    _print(rows, as_json, "No turn has these words.")


@turns.command()
@click.option("--format", "form", type=click.Choice(["jsonl", "csv", "parquet"]), default="jsonl", show_default=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="A file; only you can read it.")
@filter_options
def export(form: str, output: Path | None, **filters: str | None) -> None:
    """All turns, or those that the options mean, as whole rows, the newest first.

    They hold every question and every answer: mind who can read the file. Parquet needs `pip install
    'paliadin[parquet]'`.
    """
    if form not in formats():
        raise MissingDependency("pyarrow is not installed", hint="pip install 'paliadin[parquet]'")
    count = asyncio.run(_export(find_daemon(), filters, form, output))
    click.echo(f"{count} turns{f' written to {output}' if output else ''}", err=True)


@turns.command("delete")
@click.argument("turn_id", required=False)
@click.option("--person", metavar="NAME", help="All turns of this person instead.")
@click.option("--here-only", is_flag=True, help="Leave what other hosts have of them.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete_turns(turn_id: str | None, person: str | None, here_only: bool, yes: bool) -> None:
    """Delete one turn, or a person's turns, for good: rows and folders, here and on other hosts.

    When a host cannot be reached nothing is deleted. docs/privacy.md says what remains.
    """
    if bool(turn_id) == bool(person):
        raise click.UsageError("Say either a TURN_ID or --person.")
    settings = find_daemon()
    found = asyncio.run(_meant(settings, turn_id, person))
    if not found:
        raise NotFound(
            f"there is no turn of {person}", hint="`paliadin turns list --json` shows whose turns there are."
        )
    if not yes:
        click.confirm(f"Delete {len(found)} turns for good?", abort=True, err=True)
    click.echo(f"{asyncio.run(_delete(settings, found, here_only))} turns deleted", err=True)
    for host, turn_ids in deletion.elsewhere(settings, found).items() if here_only else ():
        click.echo(f"{host} still has {len(turn_ids)} of them (docs/privacy.md says where)", err=True)


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


async def _search(settings: Settings, filters: Mapping[str, str | None], limit: int) -> list[TurnRow]:
    wanted, zone = meant_by(settings, filters)
    async with opened(settings) as store:
        async with store.reading() as reading:
            found = await page(reading, wanted, zone, sort="newest", limit=limit, offset=0)
        rows = [await store.turn(str(row["turn_id"])) for row in reversed(found.rows)]
    return [row for row in rows if row]


async def _export(settings: Settings, filters: Mapping[str, str | None], form: str, output: Path | None) -> int:
    wanted, zone = meant_by(settings, filters)
    async with opened(settings) as store, store.reading() as reading:
        [count] = await reading.rows(query("count", wanted), wanted.values(zone))
        # Only now, when there is something to read from, a file is emptied.
        with _writing(output) as file:
            async for part in write(reading, wanted, zone, form):
                file.write(part)
    return int(count["turns"])


async def _meant(settings: Settings, turn_id: str | None, person: str | None) -> deletion.Sessions:
    if turn_id:
        row = await _one(settings, turn_id)
        return {row.turn_id: row.session_id}
    async with opened(settings) as store, store.reading() as reading:
        return await deletion.turns_of(reading, str(person))


async def _delete(settings: Settings, turns: deletion.Sessions, here_only: bool) -> int:
    async with opened(settings) as store:
        return await deletion.delete(settings, store, turns, here_only=here_only)


@contextmanager
def _writing(output: Path | None) -> Iterator[BinaryIO]:
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
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
