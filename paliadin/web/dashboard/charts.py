"""The dashboard's charts: the geometry of their bars, and the sums that they show. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

CHART_HEIGHT = 120
CHART_WIDTH = 900
COLOURS = 4  # for models in the token chart; all models after the third share the last one


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle in the chart's units; `colour` is the number of a CSS class."""

    x: float
    y: float
    width: float
    height: float
    colour: int = 0


def columns(values: Sequence[int]) -> list[Bar]:
    """Return one column per value, spread over the chart's width; the largest value is as high as the chart."""
    step, top = CHART_WIDTH / max(len(values), 1), max([*values, 1])
    heights = [CHART_HEIGHT * value / top for value in values]
    return [
        Bar(round(number * step, 2), round(CHART_HEIGHT - height, 2), round(step * 0.78, 2), round(height, 2))
        for number, height in enumerate(heights)
    ]


def divided_columns(values: Sequence[tuple[int, int]]) -> list[tuple[Bar, Bar]]:
    """Return for each (whole, part) a column as high as the whole, and the part at its foot."""
    pairs = []
    for (whole, part), bar in zip(values, columns([whole for whole, _ in values]), strict=True):
        height = round(bar.height * part / whole, 2) if whole else 0
        pairs.append((bar, Bar(bar.x, round(CHART_HEIGHT - height, 2), bar.width, height)))
    return pairs


@dataclass(frozen=True, slots=True)
class TokenChart:
    """Stacked columns of tokens: one column per day, one bar per model."""

    days: list[tuple[date, int]]  # (day, sum of its tokens)
    bars: list[list[Bar]]  # per day, from the bottom up
    models: list[tuple[str, int]]  # (name, colour), most tokens first


def token_chart(days: Sequence[date], rows: Sequence[Mapping[str, Any]]) -> TokenChart:
    """Lay out the chart; `rows` hold a day, a model and its token counts."""
    by_day: dict[date, dict[str, int]] = {day: {} for day in days}
    totals: dict[str, int] = {}
    for row in rows:
        count = count_tokens(row)
        by_day[row["day"]][row["model"]] = count
        totals[row["model"]] = totals.get(row["model"], 0) + count
    order = sorted(totals, key=lambda name: -totals[name])
    colours = {name: min(number, COLOURS - 1) for number, name in enumerate(order)}
    sums = [(day, sum(counts.values())) for day, counts in by_day.items()]
    top, outlines = max([count for _, count in sums] + [1]), columns([count for _, count in sums])
    bars = []
    for outline, counts in zip(outlines, by_day.values(), strict=True):
        stack, y = [], float(CHART_HEIGHT)
        for name in order:
            height = CHART_HEIGHT * counts.get(name, 0) / top
            y -= height
            stack.append(Bar(outline.x, round(y, 2), outline.width, round(height, 2), colours[name]))
        bars.append(stack)
    return TokenChart(sums, bars, [(name, colours[name]) for name in order])


def count_tokens(row: Mapping[str, Any]) -> int:
    """Add up the row's tokens of all four kinds."""
    return sum(row[kind] or 0 for kind in ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"))


def cost_by_day(days: Sequence[tuple[date, int]], rows: Sequence[Mapping[str, Any]]) -> dict[date, float]:
    """Add up what each of the chart's days has cost, in US dollars; what has no price is not in it."""
    costs = dict.fromkeys((day for day, _ in days), 0.0)
    for row in rows:
        costs[row["day"]] += row["cost"] or 0
    return costs


def sum_by_model(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Add up the days' rows per model, most tokens first; a sum is None if none of its values is known."""
    totals: dict[str, dict[str, Any]] = {}
    kinds = ("turns", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "cost")
    for row in rows:
        total = totals.setdefault(row["model"], {"model": row["model"]} | dict.fromkeys(kinds))
        for kind in kinds:
            if row[kind] is not None:
                total[kind] = (total[kind] or 0) + row[kind]
    return sorted(totals.values(), key=lambda total: -count_tokens(total))


def time_line(steps: Sequence[Mapping[str, Any]], duration_ms: int | None) -> list[Bar]:
    """Return one bar per step on a time axis from the turn's start (0) to its end (100)."""
    ends = [(step["at_ms"] or 0) + (step["took_ms"] or 0) for step in steps]
    whole = max([*ends, duration_ms or 0, 1])
    return [
        Bar(
            round(100 * (step["at_ms"] or 0) / whole, 2),
            0,
            round(max(100 * (step["took_ms"] or 0) / whole, 0.6), 2),
            8,
        )
        for step in steps
    ]
