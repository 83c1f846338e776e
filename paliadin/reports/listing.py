"""Lists the turns behind a figure, and reads what the folder of one holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from uuid import UUID
from zoneinfo import ZoneInfo

from paliadin.base.errors import NotFound
from paliadin.base.settings import Settings
from paliadin.events.chips import Destinations
from paliadin.events.model import ChipShown, Error, ToolCall
from paliadin.evidence.model import Evidence
from paliadin.record.reading import read_turn
from paliadin.record.row import TurnRow
from paliadin.record.snapshot import Row, Snapshot
from paliadin.reports.figures import DIMENSIONS, build_query
from paliadin.reports.filters import SORTS, Filter
from paliadin.reports.trace import TraceStep, trace_of_log
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.read import Line, LogReader

MAX_LINES = 2_000
MAX_SCREEN = 100_000  # characters


@dataclass(frozen=True, slots=True)
class TurnPage:
    """One page of turns. `count`: all turns of the filter; `parts`: one of DIMENSIONS → rows of `breakdown`."""

    rows: list[Row]
    count: int
    parts: Mapping[str, list[Row]]


@dataclass(frozen=True, slots=True)
class FolderContents:
    """The parts of a turn's folder that its row lacks. All of it may be hostile text.

    `lines`: those of the log; `screen`: the saved screen, or ""; `chips`: those that count; `error`: that of the turn,
    if it failed; `evidence`: None while the turn runs; `tools`: a call's id → its tool; `trace`: what the log tells.
    """

    lines: list[Line]
    screen: str
    chips: list[ChipShown]
    error: Error | None
    evidence: Evidence | None
    tools: Mapping[str, str]
    trace: list[TraceStep] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The ids of the turns just before and just after one; None: there is none."""

    older: UUID | None
    newer: UUID | None


async def find_neighbours(snapshot: Snapshot, turn_filter: Filter, zone: ZoneInfo, row: TurnRow) -> Neighbours:
    """Return the turns before and after this one among those that a filter chooses."""
    values = turn_filter.values(zone) | {"at": row.started_at, "turn_id": row.turn_id}
    older, newer = [await snapshot.rows(build_query(name, turn_filter), values) for name in ("older", "newer")]
    return Neighbours(older[0]["turn_id"] if older else None, newer[0]["turn_id"] if newer else None)


async def list_turns(
    snapshot: Snapshot, turn_filter: Filter, zone: ZoneInfo, *, sort: str, limit: int, offset: int
) -> TurnPage:
    """Return `limit` turns from `offset` on; `sort` is one of SORTS."""
    values = turn_filter.values(zone) | {"limit": limit, "offset": offset}
    rows = await snapshot.rows(build_query("turns", turn_filter, order=SORTS[sort]), values)
    [count] = await snapshot.rows(build_query("count", turn_filter), values)
    parts = await snapshot.rows(build_query("breakdown", turn_filter), values)
    return TurnPage(rows, count["turns"], {part: [row for row in parts if row["part"] == part] for part in DIMENSIONS})


def read_folder(settings: Settings, turn_id: str) -> FolderContents | None:
    """Read a turn's folder; None when there is none (any more), so that the row is all there is."""
    try:
        turn = TurnFolder(settings.response_dir, turn_id)
        reducer = read_turn(turn, Destinations(settings.chips, settings.routes))
    except NotFound:
        return None
    lines = list(islice(chain.from_iterable(LogReader(turn.log.path).parts()), MAX_LINES))
    tools = {event.data.id: event.data.name for event in reducer.events if isinstance(event.data, ToolCall)}
    evidence = reducer.evidence() if reducer.ended else None
    screen, trace = _screen(turn.path / "screen.txt"), trace_of_log(turn.log.read())
    return FolderContents(lines, screen, reducer.chips, reducer.error, evidence, tools, trace)


def _screen(path: Path) -> str:
    return path.read_text("utf-8", "replace")[:MAX_SCREEN] if path.exists() else ""
