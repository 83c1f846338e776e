"""A chart as the page shows it: geometry, words and links; each is also a table. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from paliadin.reports.days import Period
from paliadin.web.dashboard import charts
from paliadin.web.dashboard.charts import Bar, Line
from paliadin.web.dashboard.locale import Locale

MOST_LARGE = 45  # points of a line that are drawn large

Link = Callable[[Period], str]


@dataclass(frozen=True, slots=True)
class Series:
    """One of the values that a chart shows of each period; None: there is none. `look` names a pattern: `solid`."""

    name: str
    values: Sequence[float | None]
    look: str
    link: Link | None = None  # to the turns that a value counts


@dataclass(frozen=True, slots=True)
class Plan:
    """The content of a chart. `link` leads to the turns of a period; `write` puts a value into words."""

    name: str
    series: Sequence[Series]
    write: Callable[[float | None], str]
    write_tick: Callable[[float], str]
    link: Link
    unit: float = 1
    least: float = 0
    stacked: bool = True
    total: str = ""  # the name of the sum, where that is worth telling


@dataclass(frozen=True, slots=True)
class Column:
    """One period of a chart. `shapes`: (look, bar) or (look, point); `cells`: (text, address or "") of the table."""

    label: str
    says: str
    href: str
    bars: list[tuple[str, Bar]]
    points: list[tuple[str, float]]
    cells: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart. `ticks`: (how far down, text); `labels`: (how far right, text, stays on a phone); `lines`: by look."""

    name: str
    summary: str
    columns: list[Column]
    ticks: list[tuple[float, str]]
    labels: list[tuple[float, str, bool]]
    lines: list[tuple[str, Line]]
    keys: list[tuple[str, str]]
    heads: list[str]
    stacked: bool
    middles: list[float]
    radius: float  # of points


def draw(plan: Plan, periods: Sequence[Period], locale: Locale) -> Chart | None:
    """Lay out a chart; None if all of its values are 0 or missing."""
    if not any(value for each in plan.series for value in each.values):
        return None
    tops = [_top(plan, number) for number in range(len(periods))]
    ticks = charts.nice_ticks(max(top for top in tops if top is not None), unit=plan.unit, least=plan.least)
    whole, count = ticks[-1], len(periods)
    return Chart(
        name=plan.name,
        summary=_summary(plan, periods, tops, locale),
        columns=[_column(plan, number, periods, whole, locale) for number in range(count)],
        ticks=[(charts.height_of(tick, whole), plan.write_tick(tick)) for tick in ticks],
        labels=[
            (
                charts.middle(number, count),
                locale.axis_day(periods[number].first, with_year=not by_day(periods)),
                stays,
            )
            for number, stays in charts.labelled(count)
        ],
        lines=[]
        if plan.stacked
        else [(each.look, line) for each in plan.series for line in charts.segments(each.values, whole)],
        keys=[(each.look, each.name) for each in plan.series],
        heads=_heads(plan),
        stacked=plan.stacked,
        middles=[charts.middle(number, count) for number in range(count)],
        radius=3 if count <= MOST_LARGE else 1.5,
    )


def by_day(periods: Sequence[Period]) -> bool:
    """Tell whether charts show each day by itself."""
    return all(period.is_day for period in periods)


def _top(plan: Plan, number: int) -> float | None:
    """Return the height of a chart at one period."""
    known_values = [value for each in plan.series if (value := each.values[number]) is not None]
    return (sum(known_values) if plan.stacked else max(known_values)) if known_values else None


def _summary(plan: Plan, periods: Sequence[Period], tops: Sequence[float | None], locale: Locale) -> str:
    """Name the extremes of a chart."""
    known_tops = [(top, number) for number, top in enumerate(tops) if top is not None]
    (high, at), (low, low_at) = max(known_tops, key=lambda each: each[0]), min(known_tops, key=lambda each: each[0])
    highest = locale.t("chart.highest", plan.write(high), locale.period(periods[at]))
    if high == low:
        return highest
    return f"{highest} {locale.t('chart.lowest', plan.write(low), locale.period(periods[low_at]))}"


def _column(plan: Plan, number: int, periods: Sequence[Period], whole: float, locale: Locale) -> Column:
    period, values = periods[number], [each.values[number] for each in plan.series]
    total = charts.known_sum(values)
    cells = [(plan.write(total), plan.link(period))] if plan.total else []
    for each, value in zip(plan.series, values, strict=True):
        cells.append((plan.write(value), each.link(period) if each.link and value else ""))
    headed_cells = [f"{name} {text}" for name, (text, _) in zip(_heads(plan), cells, strict=True)]
    bars = charts.stack([value or 0 for value in values], number, len(periods), whole) if plan.stacked else []
    return Column(
        label=locale.period(period),
        says=" · ".join(headed_cells),
        href=plan.link(period),
        bars=[(each.look, bar) for each, bar in zip(plan.series, bars, strict=True) if bar.height] if bars else [],
        points=[]
        if plan.stacked
        else [
            (each.look, charts.height_of(value, whole))
            for each, value in zip(plan.series, values, strict=True)
            if value is not None
        ],
        cells=cells,
    )


def _heads(plan: Plan) -> list[str]:
    return [*([plan.total] if plan.total else []), *(each.name for each in plan.series)]
