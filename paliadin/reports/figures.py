"""The figures of the dashboard, computed by the queries of figures.sql."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from paliadin.record.snapshot import Row, Snapshot
from paliadin.record.store import parse_queries
from paliadin.reports.criteria import MonitorSettings
from paliadin.reports.days import bounds, days_from, local_day
from paliadin.reports.filters import (
    HAS_WORDS,
    IS_CHECKED,
    IS_DEAD,
    IS_ERROR,
    IS_FROM_PERSON,
    IS_INTERACTIVE,
    IS_UNSUPPORTED,
    Filter,
)
from paliadin.reports.verdict import DAYS as VERDICT_DAYS
from paliadin.reports.verdict import Verdict, judge

SQL = {
    name: query.decode()
    for name, query in parse_queries(Path(__file__).with_name("figures.sql").read_text("utf-8")).items()
}
DIMENSIONS = ("tag", "error", "page", "session", "origin", "person")


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures for the turns of one filter. Rows have the columns of the query of the same name in figures.sql.

    `now` and `before`: rows of `headline` for the filter's days, and for as many days before; their pairs of
    numbers are median and p90. `daily`: turns of each day of the chart. `tokens`: rows by day and model, with
    `cost` in US dollars (None: no price, or no count). `cost_by_person`: in US dollars, of what has a price.
    `parts`: one of DIMENSIONS → rows of `breakdown`. `checked`: of each day of the filter, the answers that had
    something to check, and those with claims that nothing holds. `worst`: the answers with most of such claims.
    """

    filter: Filter
    now: Mapping[str, Any]
    before: Mapping[str, Any]
    daily: list[tuple[date, int]]
    tokens: list[Row]
    cost_by_person: Mapping[str, float]
    checked: list[tuple[date, int, int]]
    worst: list[Row]
    parts: Mapping[str, list[Row]]
    prompts: list[Row]
    tools: list[Row]
    interrupts: Row
    verdict: Verdict


def share(part: int, whole: int) -> float | None:
    """Return the part as a share of one; None if there is nothing to divide by."""
    return part / whole if whole else None


@dataclass(frozen=True, slots=True)
class FilteredQueries:
    """Runs the queries of figures.sql on the turns of one filter.

    `matching`: ids of the turns that contain the filter's words, looked up once for all queries; None: no words.
    """

    snapshot: Snapshot
    turn_filter: Filter
    zone: ZoneInfo
    matching: list[UUID] | None = None

    async def rows(self, name: str, days: Sequence[date] | None = None) -> list[Row]:
        """Return the rows of a query; `days` for those that count by day."""
        starts = bounds(days, self.zone) if days else []
        values = self.turn_filter.values(self.zone) | {
            "before": self.turn_filter.previous().values(self.zone)["start"],
            "days": starts[:-1],
            "starts": starts[:-1],
            "stops": starts[1:],
            "matching": self.matching,
        }
        sql = build_query(name, self.turn_filter, ids_known=self.matching is not None)
        return await self.snapshot.rows(sql, values)


async def _matching_ids(
    snapshot: Snapshot, turn_filter: Filter, zone: ZoneInfo, chart: Sequence[date]
) -> list[UUID] | None:
    """Return the turns that contain the filter's words, on any day that the figures cover; None: it has no words."""
    if not turn_filter.q:
        return None
    whole = turn_filter.with_days(min(turn_filter.previous().first, chart[0]), max(turn_filter.last, chart[-1]))
    rows = await snapshot.rows(SQL["matching"].format(has_words=HAS_WORDS), whole.values(zone))
    return [row["turn_id"] for row in rows]


async def compute_figures(
    snapshot: Snapshot,
    turn_filter: Filter,
    settings: MonitorSettings,
    zone: ZoneInfo,
    today: date,
    *,
    chart_days: int = 90,
) -> Figures:
    """Compute all figures of the dashboard; `chart_days` end with `today`, whatever the filter's days are."""
    chart = days_from(today - timedelta(days=chart_days - 1), chart_days)
    matching = await _matching_ids(snapshot, turn_filter, zone, chart)
    queries = FilteredQueries(snapshot, turn_filter, zone, matching)
    headline = {row.pop("this_span"): row for row in await queries.rows("headline")}
    daily = await queries.rows("daily", chart)
    tokens, cost_by_person = await _tokens(queries, settings)
    breakdown = await queries.rows("breakdown")
    return Figures(
        filter=turn_filter,
        now=headline[True],
        before=headline[False],
        daily=[(day, row["turns"]) for day, row in zip(chart, daily, strict=True)],
        tokens=tokens,
        cost_by_person=cost_by_person,
        checked=_checked_by_day(turn_filter, tokens),
        worst=await queries.rows("worst"),
        parts={part: [row for row in breakdown if row["part"] == part] for part in DIMENSIONS},
        prompts=await queries.rows("prompts"),
        tools=await queries.rows("tools"),
        interrupts=(await queries.rows("interrupts"))[0],
        verdict=await compute_verdict(snapshot, settings, zone, today),
    )


async def _tokens(queries: FilteredQueries, settings: MonitorSettings) -> tuple[list[Row], Mapping[str, float]]:
    """(rows by day and model, US dollars by person)"""
    days = days_from(queries.turn_filter.first, queries.turn_filter.days)
    tokens, cost_by_person = list[Row](), defaultdict[str, float](float)
    for row in await queries.rows("tokens", days):
        cost = settings.prices.cost(row["model"], row)
        if row["day"] is None:
            cost_by_person[row["person"]] += cost or 0
        else:
            tokens.append(row | {"day": days[row["day"]], "cost": cost})
    return tokens, cost_by_person


def _checked_by_day(turn_filter: Filter, rows: Sequence[Row]) -> list[tuple[date, int, int]]:
    counts = {day: [0, 0] for day in days_from(turn_filter.first, turn_filter.days)}
    for row in rows:
        counts[row["day"]][0] += row["checked"]
        counts[row["day"]][1] += row["unsupported"]
    return [(day, checked, unsupported) for day, (checked, unsupported) in counts.items()]


async def compute_verdict(snapshot: Snapshot, settings: MonitorSettings, zone: ZoneInfo, today: date) -> Verdict:
    """Judge the last `VERDICT_DAYS` whole days, whatever the dashboard's filter is."""
    days = days_from(today - timedelta(days=VERDICT_DAYS), VERDICT_DAYS)
    queries = FilteredQueries(snapshot, Filter(days[0], days[-1], None), zone)
    counts = {row.pop("day"): row for row in await queries.rows("gate", days)}
    resets = (await queries.rows("resets"))[0]["resets"]
    first: datetime | None = (await queries.rows("first"))[0]["first"]
    return judge(days, counts, resets, local_day(first, zone) if first else None, settings.gate)


def build_query(name: str, turn_filter: Filter, *, ids_known: bool = False, **more: str) -> str:
    """Return a query of figures.sql, with the filter's conditions, named conditions and `more` filled in.

    `ids_known`: see `Filter.conditions`.
    """
    names = {
        "is_error": IS_ERROR,
        "is_interactive": IS_INTERACTIVE,
        "is_from_person": IS_FROM_PERSON,
        "is_dead": IS_DEAD,
        "is_checked": IS_CHECKED,
        "is_unsupported": IS_UNSUPPORTED,
    }
    where, conditions = turn_filter.where(ids_known=ids_known), turn_filter.conditions(ids_known=ids_known)
    return SQL[name].format(where=where, conditions=conditions, **names, **more)
