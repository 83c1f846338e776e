"""The commands `paliadin captures list|show`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import click

from paliadin.base.errors import NotFound, PaliadinError
from paliadin.base.running_daemon import load_daemon_settings
from paliadin.base.settings import Settings
from paliadin.cli.console import SECOND, SHORT, local_time, print_list, print_table, seconds
from paliadin.cli.echo import byte_output
from paliadin.live.capture_index import Entry, entries, find, part

COLUMNS = ("name", "started", "turn", "class", "status", "took", "sent", "received", "model")
PIECE = 64 * 1024  # bytes


@click.group()
def captures() -> None:
    """List and show whole requests to Claude's API, and their responses.

    They are kept with PALIADIN_CAPTURE=true, and hold everything that Claude Code sends: docs/privacy.md.

    \b
    paliadin captures list --turn 7c21f0aa
    paliadin captures show 1763726400123-004215873 --response
    """


@captures.command("list")
@click.option("--turn", metavar="ID", help="Only those of this turn: its id, its end or beginning, or `none`.")
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=20, show_default=True, help="The greatest number of captures."
)
@click.option("--json", "as_json", is_flag=True, help="Print whole entries of the index, one JSON object a line.")
def list_captures(turn: str | None, limit: int, as_json: bool) -> None:
    """List the newest captures, the very newest last."""
    settings = load_daemon_settings()
    newest = entries(settings.captures_dir)
    matches = [entry for entry in newest if turn is None or _is_of(entry, turn.strip().lower())][-limit:]
    print_list(matches, _print, as_json=as_json, if_empty=_no_captures(settings))


@captures.command()
@click.argument("name")
@click.option("--request", "which", flag_value="request", help="Only the request.")
@click.option("--response", "which", flag_value="response", help="Only the response.")
def show(name: str, which: str | None) -> None:
    """Write a capture to stdout: the request, an empty line, the response.

    NAME is as `captures list` shows it. A pipe gets the bytes as they were; on a terminal, control characters are
    replaced.
    """
    entry, file = _find(load_daemon_settings().captures_dir, name)
    with file:
        place = part(entry, which)
        if place is None:
            raise NotFound(f"the capture has no {which}", hint="Show all of it, without an option.")
        file.seek(place[0])
        with byte_output() as output:
            for piece in _pieces(file, place[1] - place[0]):
                output.write(piece)


def _print(listed: Iterable[Entry]) -> None:
    print_table(COLUMNS, map(_cells, listed), spare=("took", "class", "started"))


def _no_captures(settings: Settings) -> str:
    """Return the sentence that there are no captures, and whether there will be some."""
    if settings.capture:
        return "Nothing is captured yet: PALIADIN_CAPTURE is on, and counts from the next start of Claude."
    return "Nothing is captured: PALIADIN_CAPTURE is off. docs/privacy.md says what it would keep."


def _is_of(entry: Entry, key: str) -> bool:
    turn = entry.turn or "none"
    return bool(key) and (turn.startswith(key) or turn.endswith(key))


def _find(folder: Path, name: str) -> tuple[Entry, BinaryIO]:
    """Find the capture with this name or this end of it; raises NotFound, and PaliadinError if there are several."""
    match = find(folder, name)
    if match is None and name:
        names = [entry.name for entry in entries(folder) if entry.name.endswith(name)]
        if len(names) > 1:
            raise PaliadinError(f"{len(names)} captures have a name like {name!r}", hint="Give more of the name.")
        match = find(folder, names[0]) if names else None
    if match is None:
        raise NotFound(f"there is no capture {name!r}", hint="Check it with `paliadin captures list`.")
    return match


def _pieces(file: BinaryIO, size: int) -> Iterator[bytes]:
    while size and (piece := file.read(min(size, PIECE))):
        size -= len(piece)
        yield piece


def _cells(entry: Entry) -> list[str]:
    status = "-" if entry.status is None else str(entry.status)
    return [
        entry.name.rpartition("--")[2],
        local_time(entry.at, SECOND),
        (entry.turn or "none")[-SHORT:],
        entry.request_class or ("agent" if entry.agent else ""),
        status if entry.complete else f"{status} {'cut' if entry.cut else 'incomplete'}",
        seconds(entry.duration_ms),
        _size(entry.request_bytes),
        _size(entry.response_bytes),
        entry.model or "",
    ]


def _size(count: int | None) -> str:
    if count is None or count < 1000:
        return "" if count is None else f"{count} B"
    return f"{count / 1000:,.1f} kB"
