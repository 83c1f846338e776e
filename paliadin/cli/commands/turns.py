"""The commands `paliadin turns list|show|search|export|delete`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import click

from paliadin.base.audit import AuditLog
from paliadin.base.errors import MissingDependency, NotFound
from paliadin.base.running_daemon import load_daemon_settings
from paliadin.base.settings import Settings
from paliadin.cli.console import print_list
from paliadin.cli.echo import confirm, echo, echo_json
from paliadin.cli.record import find_turn, find_turn_folder, open_output, today, with_snapshot, with_store, with_tables
from paliadin.cli.recorded_turns import print_turn, print_turns
from paliadin.events.model import as_json as event_as_json
from paliadin.parts.loading import House, load_parts
from paliadin.people.account import account_name
from paliadin.record.row import TurnRow
from paliadin.record.snapshot import Snapshot
from paliadin.record.store import Store
from paliadin.reports import export as exports
from paliadin.reports import listing
from paliadin.reports.days import owner_zone
from paliadin.reports.figures import build_query
from paliadin.reports.filters import FIRST_DAY, VERDICTS, Filter
from paliadin.turnlog.read import LogReader
from paliadin.turns import deletion

Filters = Mapping[str, str | None]
"""The values of the options that `filter_options` adds."""

_session = click.option("--session", metavar="NAME", help="Only turns of this session.")
_limit = click.option(
    "--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, help="The greatest number of turns."
)
_json = click.option("--json", "as_json", is_flag=True, help="Print whole rows, one JSON object a line.")


def _day(name: str, text: str) -> Callable[..., Any]:
    def as_text(_ctx: click.Context, _param: click.Parameter, value: datetime | None) -> str | None:
        return value.date().isoformat() if value else None

    return click.option(name, name[2:], metavar="DAY", type=click.DateTime(["%Y-%m-%d"]), callback=as_text, help=text)


FILTERS = (
    _day("--from", "Only turns of this day and later."),
    _day("--to", "Only turns up to this day, included."),
    _session,
    click.option("--person", metavar="NAME", help="Only turns of this person."),
    click.option("--origin", metavar="NAME", help="Only turns from page, widget, cli, api, terminal or agent."),
    click.option("--tag", metavar="NAME", help="Only turns with this tag, such as data."),
    click.option(
        "--verdict", type=click.Choice(VERDICTS), help="Only turns whose answer's facts are all found, or not all, …"
    ),
    click.option("--errors", flag_value="1", help="Only turns that failed."),
)


def filter_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that select turns, with the same meaning as the dashboard's filter."""
    for option in reversed(FILTERS):
        command = option(command)
    return command


def parse_filter(settings: Settings, filters: Filters) -> Filter:
    """Convert the options' values. No days mean all days."""
    query = {name: value for name, value in filters.items() if value}
    last = (today(settings) + timedelta(days=1)).isoformat()
    turn_filter = Filter.parse({"to": last} | query, today(settings))
    return turn_filter if "from" in query else turn_filter.with_days(FIRST_DAY, turn_filter.last)


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
@_limit
@_session
@_json
def list_turns(limit: int, session: str | None, as_json: bool) -> None:
    """List the newest turns, the very newest last.

    A narrow terminal gets fewer columns; a pipe gets all of them, separated by tabs.
    """
    rows = with_store(load_daemon_settings(), lambda store: store.turns(session, None, limit))
    print_list(rows, print_turns, as_json=as_json, if_empty="There is no turn on record yet.")


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
            echo_json(line)
        return
    row = find_turn(settings, turn_id)
    folder = listing.read_folder(settings, row.turn_id) if evidence or not as_json else None
    if not as_json:
        print_turn(row, folder, everything=evidence)
    elif evidence:
        echo_json(asdict(row) | {"evidence": event_as_json(folder.evidence) if folder else None})
    else:
        echo_json(asdict(row))


@turns.command()
@click.argument("words", nargs=-1, required=True)
@filter_options
@_limit
@_json
def search(words: tuple[str, ...], limit: int, as_json: bool, **filters: str | None) -> None:
    """Find turns whose question or answer contains all WORDS.

    A word also matches longer words that begin with it. The newest turn is printed last.

    \b
    paliadin turns search open deadline
    paliadin turns search --from 2026-11-01 --errors letter
    """
    settings = load_daemon_settings()
    turn_filter, zone = parse_filter(settings, filters | {"q": " ".join(words)}), owner_zone(settings.timezone)

    async def find(store: Store) -> list[TurnRow]:
        async with store.snapshot() as snapshot:
            page = await listing.list_turns(snapshot, turn_filter, zone, sort="newest", limit=limit, offset=0)
        rows = [await store.turn(str(row["turn_id"])) for row in reversed(page.rows)]
        return [row for row in rows if row]

    print_list(with_store(settings, find), print_turns, as_json=as_json, if_empty="No turn has these words.")


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
    if file_format not in exports.formats():
        raise MissingDependency("pyarrow is not installed", hint="Run `pip install '.[parquet]'` in Paliadin's folder.")
    settings = load_daemon_settings()
    turn_filter, zone = parse_filter(settings, filters), owner_zone(settings.timezone)

    async def write(snapshot: Snapshot) -> int:
        [count] = await snapshot.rows(build_query("count", turn_filter), turn_filter.values(zone))
        # An existing file is overwritten only now that the database has responded.
        with open_output(output) as file:
            async for chunk in exports.export_turns(snapshot, turn_filter, zone, file_format):
                file.write(chunk)
        return int(count["turns"])

    count = with_snapshot(settings, write)
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
    if turn_id:
        row = find_turn(settings, turn_id)
        selected: deletion.SessionByTurn = {row.turn_id: row.session_id}
    else:
        selected = with_snapshot(settings, lambda snapshot: deletion.turns_of_person(snapshot, str(person)))
    if not selected:
        raise NotFound(
            f"there is no turn of {person}", hint="`paliadin turns list --json` shows the person of each turn."
        )
    if not yes:
        confirm(f"Delete {len(selected)} turns for good?")
    store = Store()
    part = load_parts(House(settings, None, lambda person: person.name, store), "KEEPS_TURNS")
    retained = deletion.kept_here(settings, store, part.retained)
    count = with_tables(
        settings,
        [store, *part.tables],
        lambda: deletion.delete_turns(settings, retained, selected, here_only=here_only),
    )
    AuditLog(settings.home).write("deleted", account_name(), origin="cli", turns=count, turn_id=turn_id, person=person)
    echo(f"{count} turns deleted", err=True)
    for host, turn_ids in deletion.remote_turns(settings, selected).items() if here_only else ():
        echo(f"{host} still has {len(turn_ids)} of them (docs/privacy.md says where)", err=True)
