"""The geometry of the dashboard's charts, what they say, and the days or weeks that they show."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.reports.days import MOST_DAYS, Period, days_as_periods, periods
from paliadin.reports.figures import chart_periods
from paliadin.reports.filters import SPANS, Filter
from paliadin.web.dashboard import charts
from paliadin.web.dashboard.chart_views import Plan, Series, draw
from paliadin.web.dashboard.charts import HEIGHT, labelled, nice_ticks, segments, stack
from paliadin.web.dashboard.locale import Locale

MONDAY = date(2026, 11, 16)
EN = Locale("en", ZoneInfo("Europe/Berlin"))
THREE = days_as_periods(MONDAY, MONDAY + timedelta(days=2))


@given(st.dates(date(2020, 1, 1), date(2030, 1, 1)), st.integers(0, 400))
def test_the_periods_are_all_days_of_the_range_each_once(first: date, more: int) -> None:
    last = first + timedelta(days=more)
    parts = periods(first, last)
    assert (parts[0].first, parts[-1].last) == (first, last)
    assert all(after.first - before.last == timedelta(days=1) for before, after in pairwise(parts))
    assert all(part.is_day for part in parts) == (more < MOST_DAYS)
    if more >= MOST_DAYS:
        assert all(part.first.weekday() == 0 for part in parts[1:])
        assert all((part.last - part.first).days == 6 for part in parts[1:-1])


def test_all_turns_are_shown_from_the_first_one_on_record() -> None:
    whole = Filter.parse({"span": "all"}, MONDAY)
    assert (whole.is_all, whole.query(), whole.days) == (True, {"span": "all"}, SPANS["all"])
    assert chart_periods(whole, MONDAY - timedelta(days=1)) == days_as_periods(MONDAY - timedelta(days=1), MONDAY)
    assert chart_periods(whole, None) == chart_periods(whole, MONDAY + timedelta(days=3)) == [Period(MONDAY, MONDAY)]
    assert len(chart_periods(Filter.parse({}, MONDAY), MONDAY)) == 7


@pytest.mark.parametrize(
    ("top", "options", "ticks"),
    [
        (0, {}, [0, 1]),
        (0, {"unit": 1000}, [0, 1000]),
        (1, {"least": 1}, [0, 1]),
        (3, {"least": 1}, [0, 1, 2, 3]),
        (26, {}, [0, 10, 20, 30]),
        (40, {}, [0, 10, 20, 30, 40]),
        (1.42, {}, [0, 0.5, 1, 1.5]),
        (0.0021, {}, [0, 0.001, 0.002, 0.003]),
        (90_000, {"unit": 1000}, [0, 50_000, 100_000]),
        (200_000, {"unit": 60_000}, [0, 60_000, 120_000, 180_000, 240_000]),
    ],
)
def test_a_grids_lines_stand_for_nice_numbers(top: float, options: dict[str, float], ticks: list[float]) -> None:
    assert nice_ticks(top, **options) == ticks


@given(st.floats(1e-6, 1e15))
def test_a_grid_has_few_lines_and_holds_the_highest_value(top: float) -> None:
    ticks = nice_ticks(top)
    assert 2 <= len(ticks) <= charts.MOST_STEPS + 2
    assert ticks[0] == 0
    assert ticks[-1] >= top * (1 - 1e-6) - 1e-9


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=4), st.integers(1, 400))
def test_a_column_stands_on_the_ground_and_its_parts_on_each_other(values: list[int], count: int) -> None:
    top = max(sum(values), 1)
    for number in (0, count - 1):
        bars = stack(values, number, count, top)
        foot = float(HEIGHT)
        for bar in bars:
            assert abs(bar.y + bar.height - foot) < 0.05
            assert 0 <= bar.x < bar.x + bar.width <= 100.01
            foot = bar.y
        assert abs(HEIGHT - foot - HEIGHT * sum(values) / top) < 0.05


def test_a_line_has_gaps_where_there_is_no_value() -> None:
    lines = segments([10, 20, None, 0, 20], 20)
    assert [(line.x1, line.y1, line.x2, line.y2) for line in lines] == [(10, 75, 30, 0), (70, 150, 90, 0)]


@pytest.mark.parametrize("count", [1, 7, 8, 30, 92, 529])
def test_labels_are_not_crowded(count: int) -> None:
    places = labelled(count)
    assert places[0] == (0, True)
    assert len(places) <= charts.MOST_LABELS
    assert sum(stays for _, stays in places) <= 4


def plan(*series: Series, stacked: bool = True) -> Plan:
    return Plan("x", series, EN.number, EN.number, lambda part: f"/{part.first}", stacked=stacked)


def test_a_chart_says_each_value_and_its_extremes() -> None:
    failed = Series("failed", [0, 3, 0], "failed", lambda part: f"/failed/{part.first}")
    chart = draw(plan(Series("fine", [1, 4, 0], "solid"), failed), THREE, EN)
    assert chart is not None
    assert chart.summary == "Highest: 7 (17 Nov 2026). Lowest: 0 (18 Nov 2026)."
    assert [column.says for column in chart.columns] == ["fine 1 · failed 0", "fine 4 · failed 3", "fine 0 · failed 0"]
    assert [column.label for column in chart.columns] == ["16 Nov 2026", "17 Nov 2026", "18 Nov 2026"]
    assert chart.columns[1].cells == [("4", ""), ("3", "/failed/2026-11-17")]
    assert chart.columns[0].cells[1] == ("0", "")  # nothing to show
    assert [len(column.bars) for column in chart.columns] == [1, 2, 0]


def test_a_chart_of_lines_has_points_only_where_there_are_values() -> None:
    chart = draw(plan(Series("p50", [5, None, 5], "solid"), stacked=False), THREE, EN)
    assert chart is not None
    assert chart.summary == "Highest: 5 (16 Nov 2026)."
    assert [len(column.points) for column in chart.columns] == [1, 0, 1]
    assert chart.columns[1].says == "p50 –"


def test_a_chart_without_anything_to_show_is_none() -> None:
    assert draw(plan(Series("fine", [0, None, 0], "solid")), THREE, EN) is None
    assert draw(plan(), THREE, EN) is None
