"""The turns behind a figure, and all that is kept of one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from paliadin.config import Settings
from paliadin.errors import NotFound
from paliadin.monitor.figures import PARTS, Row, query
from paliadin.monitor.filters import SORTS, Filter
from paliadin.reduce import Reducer
from paliadin.store.reading import Reading
from paliadin.turnlog import TurnFolder

LONGEST_LINE = 20_000  # characters of a log's line that are shown
MOST_LINES = 2_000
LONGEST_SCREEN = 100_000


@dataclass(frozen=True, slots=True)
class Page:
    rows: list[Row]
    count: int
    parts: Mapping[str, list[Row]]


@dataclass(frozen=True, slots=True)
class Folder:
    """What a turn's folder holds beyond the row. Everything in it may be hostile text."""

    lines: list[str]
    screen: str
    chips: list[Mapping[str, Any]]


async def page(reading: Reading, wanted: Filter, zone: ZoneInfo, *, sort: str, limit: int, offset: int) -> Page:
    values = wanted.values(zone) | {"limit": limit, "offset": offset}
    rows = await reading.rows(query("turns", wanted, order=SORTS[sort]), values)
    [count] = await reading.rows(query("count", wanted), values)
    parts = await reading.rows(query("breakdown", wanted), values)
    return Page(rows, count["turns"], {part: [row for row in parts if row["part"] == part] for part in PARTS})


def folder(settings: Settings, turn_id: str) -> Folder | None:
    """None when it is gone, or never was: the row is all there is."""
    try:
        turn = TurnFolder(settings.response_dir, turn_id)
        reducer = Reducer(turn.describe(), settings.chips)
    except NotFound:
        return None
    lines = list(turn.lines())
    for line in lines:
        reducer.feed(line)
    shown = [json.dumps(line, ensure_ascii=False)[:LONGEST_LINE] for line in lines[:MOST_LINES]]
    return Folder(shown, _screen(turn.path / "screen.txt"), list(reducer.chips))


def _screen(path: Path) -> str:
    return path.read_text("utf-8", "replace")[:LONGEST_SCREEN] if path.exists() else ""
