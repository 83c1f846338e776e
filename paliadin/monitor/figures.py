"""The figures of the dashboard: what `figures.sql` says, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from paliadin.monitor import gate
from paliadin.monitor.days import bounds, days_from, local_day
from paliadin.monitor.filters import IS_ASKED, IS_DEAD, IS_ERROR, IS_WATCHED, Filter
from paliadin.monitor.settings import MonitorSettings
from paliadin.store.reading import Reading
from paliadin.store.store import parse_queries

SQL = {
    name: query.decode()
    for name, query in parse_queries(Path(__file__).with_name("figures.sql").read_text("utf-8")).items()
}
PARTS = ("tag", "error", "page", "session", "origin", "person")
NOTHING: Mapping[str, Any] = {
    "turns": 0,
    "finished": 0,
    "errors": 0,
    "with_tool": 0,
    "watched": 0,
    "abandoned": 0,
    "claimed": 0,
    "disagrees": 0,
    "up": 0,
    "down": 0,
    "duration_ms": [None, None],
    "first_text_ms": [None, None],
}

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Figures:
    """`now` and `before`: the filter's days, and as many before; keys as in NOTHING (the pairs: median, p90).

    `daily`: turns of each day of the chart. `tokens`: rows by day and model, with `cost` in dollars (None: no price).
    `parts`: PARTS → rows. `interrupts` and the rows of `prompts` and `tools`: as their query names the columns.
    """

    filter: Filter
    now: Mapping[str, Any]
    before: Mapping[str, Any]
    daily: list[tuple[date, int]]
    tokens: list[Row]
    parts: Mapping[str, list[Row]]
    prompts: list[Row]
    tools: list[Row]
    interrupts: Row
    verdict: gate.Verdict


def share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


async def figures(
    reading: Reading, wanted: Filter, settings: MonitorSettings, zone: ZoneInfo, today: date, *, chart_days: int = 90
) -> Figures:
    """Everything the dashboard shows, from one look at the rows."""
    chart = days_from(today - timedelta(days=chart_days - 1), chart_days)
    headline = {row.pop("this_span"): row for row in await _rows(reading, "headline", wanted, zone)}
    daily = await _rows(reading, "daily", wanted, zone, chart)
    breakdown = await _rows(reading, "breakdown", wanted, zone)
    return Figures(
        filter=wanted,
        now=headline.get(True, NOTHING),
        before=headline.get(False, NOTHING),
        daily=[(day, row["turns"]) for day, row in zip(chart, daily, strict=True)],
        tokens=await tokens(reading, wanted, settings, zone),
        parts={part: [row for row in breakdown if row["part"] == part] for part in PARTS},
        prompts=await _rows(reading, "prompts", wanted, zone),
        tools=await _rows(reading, "tools", wanted, zone),
        interrupts=(await _rows(reading, "interrupts", wanted, zone))[0],
        verdict=await verdict(reading, settings, zone, today),
    )


async def tokens(reading: Reading, wanted: Filter, settings: MonitorSettings, zone: ZoneInfo) -> list[Row]:
    days = days_from(wanted.first, wanted.days)
    rows = await _rows(reading, "tokens", wanted, zone, days)
    return [row | {"day": days[row["day"]], "cost": settings.prices.cost(row["model"], row)} for row in rows]


async def verdict(reading: Reading, settings: MonitorSettings, zone: ZoneInfo, today: date) -> gate.Verdict:
    """Over the last whole days, whatever the dashboard's filter is."""
    days = days_from(today - timedelta(days=gate.DAYS), gate.DAYS)
    judged = Filter(days[0], days[-1], None)
    counts = {row.pop("day"): row for row in await _rows(reading, "gate", judged, zone, days)}
    resets = (await _rows(reading, "resets", judged, zone))[0]["resets"]
    first: datetime | None = (await _rows(reading, "first", judged, zone))[0]["first"]
    return gate.judge(days, counts, resets, local_day(first, zone) if first else None, settings.gate)


def query(name: str, wanted: Filter, **more: str) -> str:
    names = {"is_error": IS_ERROR, "is_watched": IS_WATCHED, "is_asked": IS_ASKED, "is_dead": IS_DEAD}
    return SQL[name].format(where=wanted.where(), conditions=wanted.conditions(), **names, **more)


async def _rows(
    reading: Reading, name: str, wanted: Filter, zone: ZoneInfo, days: Sequence[date] | None = None
) -> list[Row]:
    starts = bounds(days, zone) if days else []
    values = wanted.values(zone) | {
        "before": wanted.before().values(zone)["start"],
        "days": starts[:-1],
        "starts": starts[:-1],
        "stops": starts[1:],
    }
    return await reading.rows(query(name, wanted), values)
