"""The figures of the dashboard: what `figures.sql` says, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from paliadin.monitor import gate
from paliadin.monitor.days import bounds, days_from, local_day
from paliadin.monitor.filters import HAS_WORDS, IS_ASKED, IS_DEAD, IS_ERROR, IS_WATCHED, Filter
from paliadin.monitor.settings import MonitorSettings
from paliadin.store.reading import Reading
from paliadin.store.store import parse_queries

SQL = {
    name: query.decode()
    for name, query in parse_queries(Path(__file__).with_name("figures.sql").read_text("utf-8")).items()
}
PARTS = ("tag", "error", "page", "session", "origin", "person")

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Figures:
    """`now` and `before`: the filter's days, and as many before; the columns of `headline` (the pairs: median, p90).

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


@dataclass(frozen=True, slots=True)
class Look:
    """The turns of one filter. `found`: those that have the words it asks for, looked up once for all queries."""

    reading: Reading
    wanted: Filter
    zone: ZoneInfo
    found: list[UUID] | None = None

    async def rows(self, name: str, days: Sequence[date] | None = None) -> list[Row]:
        starts = bounds(days, self.zone) if days else []
        values = self.wanted.values(self.zone) | {
            "before": self.wanted.before().values(self.zone)["start"],
            "days": starts[:-1],
            "starts": starts[:-1],
            "stops": starts[1:],
            "found": self.found,
        }
        return await self.reading.rows(query(name, self.wanted, found=self.found is not None), values)


async def _found(reading: Reading, wanted: Filter, zone: ZoneInfo, chart: Sequence[date]) -> list[UUID] | None:
    """Among all the days that the figures look at."""
    if not wanted.q:
        return None
    whole = wanted.on(min(wanted.before().first, chart[0]), max(wanted.last, chart[-1]))
    rows = await reading.rows(SQL["found"].format(has_words=HAS_WORDS), whole.values(zone))
    return [row["turn_id"] for row in rows]


async def figures(
    reading: Reading, wanted: Filter, settings: MonitorSettings, zone: ZoneInfo, today: date, *, chart_days: int = 90
) -> Figures:
    """Everything the dashboard shows, from one look at the rows."""
    chart = days_from(today - timedelta(days=chart_days - 1), chart_days)
    look = Look(reading, wanted, zone, await _found(reading, wanted, zone, chart))
    headline = {row.pop("this_span"): row for row in await look.rows("headline")}
    daily = await look.rows("daily", chart)
    breakdown = await look.rows("breakdown")
    return Figures(
        filter=wanted,
        now=headline[True],
        before=headline[False],
        daily=[(day, row["turns"]) for day, row in zip(chart, daily, strict=True)],
        tokens=await _tokens(look, settings),
        parts={part: [row for row in breakdown if row["part"] == part] for part in PARTS},
        prompts=await look.rows("prompts"),
        tools=await look.rows("tools"),
        interrupts=(await look.rows("interrupts"))[0],
        verdict=await verdict(reading, settings, zone, today),
    )


async def _tokens(look: Look, settings: MonitorSettings) -> list[Row]:
    days = days_from(look.wanted.first, look.wanted.days)
    rows = await look.rows("tokens", days)
    return [row | {"day": days[row["day"]], "cost": settings.prices.cost(row["model"], row)} for row in rows]


async def verdict(reading: Reading, settings: MonitorSettings, zone: ZoneInfo, today: date) -> gate.Verdict:
    """Over the last whole days, whatever the dashboard's filter is."""
    days = days_from(today - timedelta(days=gate.DAYS), gate.DAYS)
    look = Look(reading, Filter(days[0], days[-1], None), zone)
    counts = {row.pop("day"): row for row in await look.rows("gate", days)}
    resets = (await look.rows("resets"))[0]["resets"]
    first: datetime | None = (await look.rows("first"))[0]["first"]
    return gate.judge(days, counts, resets, local_day(first, zone) if first else None, settings.gate)


def query(name: str, wanted: Filter, *, found: bool = False, **more: str) -> str:
    names = {"is_error": IS_ERROR, "is_watched": IS_WATCHED, "is_asked": IS_ASKED, "is_dead": IS_DEAD}
    return SQL[name].format(where=wanted.where(found=found), conditions=wanted.conditions(found=found), **names, **more)
