"""The figures of the dashboard, computed by the queries of figures.sql."""

from __future__ import annotations

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
from paliadin.reports.days import Period, bounds, days_as_periods, days_from, local_day, periods
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
TOKENS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
DIMENSIONS = ("tag", "error", "page", "session", "origin", "person")


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures for the turns of one filter. Rows have the columns of the query of the same name in figures.sql.

    `now` and `before`: rows of `headline` for the filter's days, and for as many days before; their pairs of
    numbers are median and p90. `periods`: what the charts show, the days or weeks of the filter's days; of all turns,
    from the first one on record. `series`: a row for each. `tokens`: rows by period and model, with `cost` in US
    dollars (None: no price, or no count). `cost_by_person`: in US dollars, None if nothing has a price.
    `parts`: one of DIMENSIONS → rows of `breakdown`. `worst`: the answers with most claims that nothing holds.
    `slowest`: the turns that took longest, without the time in which they waited for a reply.
    """

    filter: Filter
    now: Mapping[str, Any]
    before: Mapping[str, Any]
    periods: list[Period]
    series: list[Row]
    tokens: list[Row]
    cost_by_person: Mapping[str, float | None]
    worst: list[Row]
    slowest: list[Row]
    parts: Mapping[str, list[Row]]
    prompts: list[Row]
    tools: list[Row]
    interrupts: Row
    verdict: Verdict


def share(part: int, whole: int) -> float | None:
    """Return the part as a share of the whole, from 0 to 1; None if there is nothing to divide by."""
    return part / whole if whole else None


def unpriced_models(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the models of these rows of `tokens` that used some and have no price; "" is one that is not known."""
    counted = [row for row in rows if any(row[kind] is not None for kind in TOKENS)]
    return sorted({row["model"] for row in counted if row["cost"] is None})


@dataclass(frozen=True, slots=True)
class FilteredQueries:
    """Runs the queries of figures.sql on the turns of one filter.

    `matching`: ids of the turns that contain the filter's words, looked up once for all queries; None: no words.
    """

    snapshot: Snapshot
    turn_filter: Filter
    zone: ZoneInfo
    matching: list[UUID] | None = None

    async def rows(self, name: str, parts: Sequence[Period] = ()) -> list[Row]:
        """Return the rows of a query; `parts` for those that count by periods."""
        starts, stops = bounds(parts, self.zone)
        values = self.turn_filter.values(self.zone) | {
            "before": self.turn_filter.previous().values(self.zone)["start"],
            "starts": starts,
            "stops": stops,
            "matching": self.matching,
        }
        sql = build_query(name, self.turn_filter, ids_known=self.matching is not None)
        return await self.snapshot.rows(sql, values)


async def _matching_ids(snapshot: Snapshot, turn_filter: Filter, zone: ZoneInfo) -> list[UUID] | None:
    """Return the turns that contain the filter's words, on any day that the figures cover; None: it has no words."""
    if not turn_filter.q:
        return None
    whole = turn_filter.with_days(turn_filter.previous().first, turn_filter.last)
    rows = await snapshot.rows(SQL["matching"].format(has_words=HAS_WORDS), whole.values(zone))
    return [row["turn_id"] for row in rows]


async def compute_figures(
    snapshot: Snapshot, turn_filter: Filter, settings: MonitorSettings, zone: ZoneInfo, today: date
) -> Figures:
    """Compute all figures of the dashboard."""
    verdict = await compute_verdict(snapshot, settings, zone, today)
    parts = chart_periods(turn_filter, verdict.since)
    matching = await _matching_ids(snapshot, turn_filter, zone)
    queries = FilteredQueries(snapshot, turn_filter, zone, matching)
    headline = {row.pop("this_span"): row for row in await queries.rows("headline")}
    tokens, cost_by_person = await _tokens(queries, settings, parts)
    breakdown = await queries.rows("breakdown")
    return Figures(
        filter=turn_filter,
        now=headline[True],
        before=headline[False],
        periods=parts,
        series=await queries.rows("series", parts),
        tokens=tokens,
        cost_by_person=cost_by_person,
        worst=await queries.rows("worst"),
        slowest=await queries.rows("slowest"),
        parts={part: [row for row in breakdown if row["part"] == part] for part in DIMENSIONS},
        prompts=await queries.rows("prompts"),
        tools=await queries.rows("tools"),
        interrupts=(await queries.rows("interrupts"))[0],
        verdict=verdict,
    )


def chart_periods(turn_filter: Filter, since: date | None) -> list[Period]:
    """Return the periods that charts show of a filter's days; `since` is the day of the first turn on record."""
    first = min(since or turn_filter.last, turn_filter.last) if turn_filter.is_all else turn_filter.first
    return periods(max(first, turn_filter.first), turn_filter.last)


async def _tokens(
    queries: FilteredQueries, settings: MonitorSettings, parts: Sequence[Period]
) -> tuple[list[Row], Mapping[str, float | None]]:
    """Return (rows by period and model, US dollars by person)."""
    tokens, cost_by_person = list[Row](), dict[str, float | None]()
    for row in await queries.rows("tokens", parts):
        cost, number, person = settings.prices.cost(row["model"], row), row.pop("period"), row.pop("person")
        if number is None:
            before = cost_by_person.get(person)
            cost_by_person[person] = before if cost is None else cost + (before or 0)
        else:
            tokens.append(row | {"period": parts[number], "cost": cost})
    return tokens, cost_by_person


async def compute_verdict(snapshot: Snapshot, settings: MonitorSettings, zone: ZoneInfo, today: date) -> Verdict:
    """Judge the last `VERDICT_DAYS` whole days, whatever the dashboard's filter is."""
    days = days_from(today - timedelta(days=VERDICT_DAYS), VERDICT_DAYS)
    queries = FilteredQueries(snapshot, Filter(days[0], days[-1], None), zone)
    counts = {row.pop("day"): row for row in await queries.rows("gate", days_as_periods(days[0], days[-1]))}
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
