"""Reading, exporting and deleting recorded turns, for `paliadin turns`.

A turn's id may be shortened to its beginning or its end. Raises NotFound if no turn matches, and PaliadinError
`ambiguous_turn` if several do.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from paliadin.base.errors import NotFound, PaliadinError
from paliadin.base.settings import Settings
from paliadin.cli.echo import ByteOutput, byte_output
from paliadin.cli.filter_options import parse_filter
from paliadin.cli.recorded.database import open_store
from paliadin.record.row import TurnRow
from paliadin.record.store import Store
from paliadin.reports.export import export_turns
from paliadin.reports.figures import build_query
from paliadin.reports.listing import list_turns
from paliadin.turnlog.folder import TurnFolder
from paliadin.turns import deletion

T = TypeVar("T")
ID_LENGTH = 36  # characters of a full id
PAGE = 200  # rows that are held at once
SHORT_ID_LIMIT = 5_000  # newest turns among which a shortened id is looked up


async def newest_turns(settings: Settings, session: str | None, limit: int) -> list[TurnRow]:
    """Return the newest turns, the very newest last."""
    async with open_store(settings) as store:
        return await store.turns(session, None, limit)


async def find_turn(settings: Settings, turn_id: str) -> TurnRow:
    """Return the row with this id, which may be shortened."""
    key = turn_id.strip().lower()
    async with open_store(settings) as store:
        if row := await store.turn(key):
            return row
        matches = [row async for row in _newest_first(store, SHORT_ID_LIMIT) if _fits(row.turn_id, key)]
    if not matches and len(key) < ID_LENGTH:
        raise NotFound(
            f"no turn among the newest {SHORT_ID_LIMIT:,} has an id that begins or ends with {turn_id!r}",
            hint="Check it with `paliadin turns list`; give the full id for an older turn.",
            code="unknown_turn",
        )
    return _only(matches, turn_id)


async def _newest_first(store: Store, limit: int) -> AsyncIterator[TurnRow]:
    """Yield at least `limit` rows if there are so many, a page at a time."""
    before, count = None, 0
    while page := await store.turns(None, before, PAGE):
        for row in reversed(page):
            yield row
        before, count = page[0].turn_id, count + len(page)
        if count >= limit:
            return


async def search_turns(settings: Settings, filters: Mapping[str, str | None], limit: int) -> list[TurnRow]:
    """Return the newest turns that pass the filter, the very newest last."""
    turn_filter, zone = parse_filter(settings, filters)
    async with open_store(settings) as store:
        async with store.snapshot() as snapshot:
            page = await list_turns(snapshot, turn_filter, zone, sort="newest", limit=limit, offset=0)
        rows = [await store.turn(str(row["turn_id"])) for row in reversed(page.rows)]
    return [row for row in rows if row]


async def export_to(
    settings: Settings, filters: Mapping[str, str | None], file_format: str, output: Path | None
) -> int:
    """Write the turns that pass the filter to `output`, or to stdout; returns their number."""
    turn_filter, zone = parse_filter(settings, filters)
    async with open_store(settings) as store, store.snapshot() as snapshot:
        [count] = await snapshot.rows(build_query("count", turn_filter), turn_filter.values(zone))
        # An existing file is overwritten only now that the database has responded.
        with _open_output(output) as file:
            async for chunk in export_turns(snapshot, turn_filter, zone, file_format):
                file.write(chunk)
    return int(count["turns"])


async def select_turns(settings: Settings, turn_id: str | None, person: str | None) -> deletion.SessionByTurn:
    """Return the turn, or all turns of the person, each with its session."""
    if turn_id:
        row = await find_turn(settings, turn_id)
        return {row.turn_id: row.session_id}
    async with open_store(settings) as store, store.snapshot() as snapshot:
        return await deletion.turns_of_person(snapshot, str(person))


async def delete_turns_and_folders(settings: Settings, turns: deletion.SessionByTurn, here_only: bool) -> int:
    """Delete rows and folders, on other hosts as well unless `here_only`; returns the number of turns."""
    async with open_store(settings) as store:
        return await deletion.delete_turns(settings, store, turns, here_only=here_only)


def find_turn_folder(settings: Settings, turn_id: str) -> TurnFolder:
    """Return the folder of the turn with this id, which may be shortened."""
    key = turn_id.strip().lower()
    names = [path.name for path in settings.response_dir.glob("*/*") if _fits(path.name, key)]
    return TurnFolder(
        settings.response_dir, _only(names, turn_id, hint="Its folder may have been deleted after PALIADIN_KEEP_DAYS.")
    )


def _fits(turn_id: str, key: str) -> bool:
    return turn_id.startswith(key) or turn_id.endswith(key)


def _only(matches: list[T], turn_id: str, hint: str | None = None) -> T:
    if len(matches) > 1:
        raise PaliadinError(
            f"{len(matches)} turns have an id like {turn_id!r}",
            hint="Give more digits of the id.",
            code="ambiguous_turn",
        )
    if not matches:
        raise NotFound(f"there is no turn {turn_id}", hint=hint, code="unknown_turn")
    return matches[0]


@contextmanager
def _open_output(output: Path | None) -> Iterator[ByteOutput]:
    if output is None:
        with byte_output() as stdout:
            yield stdout
        return
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        yield file
