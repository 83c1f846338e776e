"""The commands `paliadin turns list|show|search|export|delete`."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path

import click

from paliadin.base.audit import AuditLog
from paliadin.base.errors import MissingDependency, NotFound
from paliadin.base.running_daemon import load_daemon_settings
from paliadin.base.terminal_text import json_line
from paliadin.cli.echo import confirm, echo
from paliadin.cli.filter_options import filter_options
from paliadin.cli.recorded.output import print_turn, print_turns
from paliadin.cli.recorded.turns import (
    delete_turns_and_folders,
    export_to,
    find_turn,
    find_turn_folder,
    newest_turns,
    search_turns,
    select_turns,
)
from paliadin.events import model as events
from paliadin.people.account import account_name
from paliadin.record.row import TurnRow
from paliadin.reports.export import formats
from paliadin.reports.listing import read_folder
from paliadin.turnlog.read import LogReader
from paliadin.turns import deletion

_session = click.option("--session", metavar="NAME", help="Only turns of this session.")
_json = click.option("--json", "as_json", is_flag=True, help="Print whole rows, one JSON object a line.")


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
@click.option(
    "--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, help="The greatest number of turns."
)
@_session
@_json
def list_turns(limit: int, session: str | None, as_json: bool) -> None:
    """List the newest turns, the very newest last.

    A narrow terminal gets fewer columns; a pipe gets all of them, separated by tabs.
    """
    _print(
        asyncio.run(newest_turns(load_daemon_settings(), session, limit)), as_json, "There is no turn on record yet."
    )


def _print(rows: list[TurnRow], as_json: bool, if_empty: str) -> None:
    if as_json:
        for row in rows:
            echo(json_line(asdict(row)))
    elif rows:
        print_turns(rows)
    else:
        echo(if_empty, err=True)


@turns.command()
@click.argument("turn_id")
@click.option("--json", "as_json", is_flag=True, help="Print the whole row as one JSON object.")
@click.option("--evidence", is_flag=True, help="Say of each fact of the answer which tool's result holds it.")
@click.option("--log", is_flag=True, help="Print the turn's log, as hooks and relay wrote it: one JSON object a line.")
def show(turn_id: str, as_json: bool, evidence: bool, log: bool) -> None:
    """Show one turn: its question, its answer and its figures.

    TURN_ID is the id, its end as `turns list` shows it, or its beginning. The single facts of an answer stand in the
    turn's folder, as long as that is kept; with --json and --evidence they are the row's `evidence`.
    """
    if log and (as_json or evidence):
        raise click.UsageError("Give --log alone, without --json or --evidence.")
    settings = load_daemon_settings()
    if log:
        for line in LogReader(find_turn_folder(settings, turn_id).log.path).read():
            echo(json_line(line))
        return
    row = asyncio.run(find_turn(settings, turn_id))
    folder = read_folder(settings, row.turn_id) if evidence or not as_json else None
    if not as_json:
        print_turn(row, folder, everything=evidence)
    elif evidence:
        echo(json_line(asdict(row) | {"evidence": events.as_json(folder.evidence) if folder else None}))
    else:
        echo(json_line(asdict(row)))


@turns.command()
@click.argument("words", nargs=-1, required=True)
@filter_options
@click.option(
    "--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, help="The greatest number of turns."
)
@_json
def search(words: tuple[str, ...], limit: int, as_json: bool, **filters: str | None) -> None:
    """Find turns whose question or answer contains all WORDS.

    A word also matches longer words that begin with it. The newest turn is printed last.

    \b
    paliadin turns search open deadline
    paliadin turns search --from 2026-11-01 --errors letter
    """
    rows = asyncio.run(search_turns(load_daemon_settings(), filters | {"q": " ".join(words)}, limit))
    _print(rows, as_json, "No turn has these words.")


@turns.command()
@click.option(
    "--format", "file_format", type=click.Choice(["jsonl", "csv", "parquet"]), default="jsonl", show_default=True
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write, readable by you alone. Default: stdout.",
)
@filter_options
def export(file_format: str, output: Path | None, **filters: str | None) -> None:
    """Export all turns, or those that the options select.

    Whole rows are written, the newest first. They hold questions and answers in full: mind who can read the file.
    CSV is for spreadsheets: an apostrophe stands before what one would take for a formula. On a terminal, control
    characters are replaced.
    Parquet needs `pip install '.[parquet]'` in Paliadin's folder.
    """
    if file_format not in formats():
        raise MissingDependency("pyarrow is not installed", hint="Run `pip install '.[parquet]'` in Paliadin's folder.")
    settings = load_daemon_settings()
    count = asyncio.run(export_to(settings, filters, file_format, output))
    AuditLog(settings.home).write("exported", account_name(), origin="cli", turns=count, format=file_format)
    echo(f"{count} turns{f' written to {output}' if output else ''}", err=True)


@turns.command("delete")
@click.argument("turn_id", required=False)
@click.option("--person", metavar="NAME", help="Delete all turns of this person instead.")
@click.option("--here-only", is_flag=True, help="Keep what other hosts hold of the turns.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def delete_turns(turn_id: str | None, person: str | None, here_only: bool, yes: bool) -> None:
    """Delete one turn, or all turns of a person, for good.

    Rows and folders are deleted, on this machine and on the hosts where turns ran. If a host cannot be reached, nothing
    is deleted. docs/privacy.md says what remains.
    """
    if bool(turn_id) == bool(person):
        raise click.UsageError("Give either a TURN_ID or --person.")
    settings = load_daemon_settings()
    selected = asyncio.run(select_turns(settings, turn_id, person))
    if not selected:
        raise NotFound(
            f"there is no turn of {person}", hint="`paliadin turns list --json` shows the person of each turn."
        )
    if not yes:
        confirm(f"Delete {len(selected)} turns for good?")
    count = asyncio.run(delete_turns_and_folders(settings, selected, here_only))
    AuditLog(settings.home).write("deleted", account_name(), origin="cli", turns=count, turn_id=turn_id, person=person)
    echo(f"{count} turns deleted", err=True)
    for host, turn_ids in deletion.remote_turns(settings, selected).items() if here_only else ():
        echo(f"{host} still has {len(turn_ids)} of them (docs/privacy.md says where)", err=True)
