"""The geometry of the dashboard's charts and of a turn's time line. Pure.

Across, a chart counts in percent of its width, which is the page's to choose; from its top down, in pixels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

HEIGHT = 150  # pixels from the highest line of the grid to the ground
MOST_STEPS = 4  # between lines of the grid
MOST_LABELS = 7  # below the ground
GAP = 0.12  # of a column's place, on each side of it
KINDS = ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line between two points."""

    x1: float
    y1: float
    x2: float
    y2: float


def nice_ticks(top: float, *, unit: float = 1, least: float = 0) -> list[float]:
    """Return the values of the grid's lines: from 0 to `top` or just beyond, in steps of 1, 2 or 5 times 10^n.

    The steps are nice numbers of `unit`, and at least `least`.
    """
    if top <= 0:
        return [0, max(unit, least)]
    smallest_step = max(top / unit / MOST_STEPS, least / unit)
    size = 10.0 ** math.floor(math.log10(smallest_step))
    step = unit * next(size * factor for factor in (1, 2, 5, 10) if size * factor >= smallest_step * (1 - 1e-9))
    return [round(number * step, 9) for number in range(math.ceil(top / step * (1 - 1e-9)) + 1)]


def time_unit(milliseconds: float) -> float:
    """Return the unit in which so long a time is counted: a millisecond, a second, a minute or an hour."""
    return next((unit for unit in (3_600_000, 60_000) if milliseconds >= 2 * unit), 1000 if milliseconds >= 1000 else 1)


def height_of(value: float, top: float) -> float:
    """Return how far down a value lies, where `top` is the highest line of the grid."""
    return round(HEIGHT * (1 - value / top), 2)


def middle(number: int, count: int) -> float:
    """Return the middle of one of `count` columns, in percent of the width."""
    return round((number + 0.5) * 100 / count, 3)


def stack(values: Sequence[float], number: int, count: int, top: float) -> list[Bar]:
    """Return the parts of a column, one on the other, the first one at its foot."""
    place, below, bars = 100 / count, 0.0, []
    for value in values:
        y, foot = height_of(below + value, top), height_of(below, top)
        bars.append(Bar(round((number + GAP) * place, 3), y, round(place * (1 - 2 * GAP), 3), round(foot - y, 2)))
        below += value
    return bars


def segments(values: Sequence[float | None], top: float) -> list[Line]:
    """Return the lines between neighbouring points; a missing value has none."""
    count = len(values)
    return [
        Line(middle(number, count), height_of(first, top), middle(number + 1, count), height_of(second, top))
        for number, (first, second) in enumerate(pairwise(values))
        if first is not None and second is not None
    ]


def labelled(count: int) -> list[tuple[int, bool]]:
    """Return the columns that have a label below them, each with whether it stays where there is little room."""
    step = math.ceil(count / MOST_LABELS)
    return [(number, place % 2 == 0) for place, number in enumerate(range(0, count, step))]


def count_tokens(row: Mapping[str, Any]) -> int:
    """Add up the row's tokens of all four kinds."""
    return sum(row[kind] or 0 for kind in KINDS)


def sum_by_model(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Add up the periods' rows per model, most tokens first; a sum is None if none of its values is known."""
    totals: dict[str, dict[str, Any]] = {}
    kinds = ("turns", *KINDS, "cost")
    for row in rows:
        total = totals.setdefault(row["model"], {"model": row["model"]} | dict.fromkeys(kinds))
        for kind in kinds:
            if row[kind] is not None:
                total[kind] = (total[kind] or 0) + row[kind]
    return sorted(totals.values(), key=lambda total: -count_tokens(total))


def known_sum(values: Sequence[float | None]) -> float | None:
    """Add up the known values; None if there is none."""
    known_values = [value for value in values if value is not None]
    return sum(known_values) if known_values else None


def time_line(spans: Sequence[tuple[int | None, int | None]], whole: float) -> list[Bar]:
    """Return a bar for each (beginning, duration) in milliseconds, on an axis from the turn's start to `whole`."""
    bars = []
    for at, took in spans:
        x = min(100 * (at or 0) / whole, 99.4)
        bars.append(Bar(round(x, 2), 0, round(min(max(100 * (took or 0) / whole, 0.6), 100 - x), 2), 8))
    return bars
