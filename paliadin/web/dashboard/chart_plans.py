"""The dashboard's charts, and the figures that each of them shows. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paliadin.reports.days import Period
from paliadin.reports.figures import Figures
from paliadin.web.dashboard import charts
from paliadin.web.dashboard.chart_views import Chart, Link, Plan, Series, draw
from paliadin.web.dashboard.charts import KINDS
from paliadin.web.dashboard.locale import Locale
from paliadin.web.dashboard.view import Links

COST_MODELS = 3  # that have a look of their own in the chart of costs; all others share one


def all_charts(figures: Figures, locale: Locale, links: Links) -> dict[str, Chart | None]:
    """Return the charts by name, in their order; None for one that has nothing to show."""
    plans = (
        _turns(figures, locale, links),
        _cost(figures, locale, links),
        _latency(figures, locale, links),
        _tokens(figures, locale, links),
        _facts(figures, locale, links),
    )
    return {plan.name: draw(plan, figures.periods, locale) for plan in plans}


def _link_to(links: Links, **more: str) -> Link:
    return lambda period: links.days(period, **more)


def _turns(figures: Figures, locale: Locale, links: Links) -> Plan:
    failed = [row["errors"] for row in figures.series]
    fine = [row["turns"] - row["errors"] for row in figures.series]
    return Plan(
        "turns",
        [
            Series(locale.t("chart.fine"), fine, "solid"),
            Series(locale.t("chart.failed"), failed, "failed", _link_to(links, errors="1")),
        ],
        locale.number,
        locale.number,
        _link_to(links),
        least=1,
        total=locale.t("turns"),
    )


def _cost(figures: Figures, locale: Locale, links: Links) -> Plan:
    costs = {period: dict[str, float]() for period in figures.periods}
    for row in figures.tokens:
        if row["cost"] is not None:
            costs[row["period"]][row["model"]] = row["cost"]
    names = [each["model"] for each in charts.sum_by_model(figures.tokens) if each["cost"] is not None]
    shown, others = names[:COST_MODELS], names[COST_MODELS:]
    series = [
        Series(name, [costs[period].get(name) for period in figures.periods], look)
        for name, look in zip(shown, ("solid", "striped", "dotted"), strict=False)
    ]
    if others:
        costs_of_others = [charts.known_sum([costs[period].get(name) for name in others]) for period in figures.periods]
        series.append(Series(locale.t("chart.other_models"), costs_of_others, "grey"))
    total = locale.t("chart.total") if len(series) > 1 else ""
    return Plan("cost", series, locale.dollars, locale.tick_dollars, _link_to(links, sort="tokens"), total=total)


def _latency(figures: Figures, locale: Locale, links: Links) -> Plan:
    half, most = ([row["duration_ms"][place] for row in figures.series] for place in (0, 1))
    unit = charts.time_unit(max((value for value in most if value is not None), default=0))
    return Plan(
        "latency",
        [Series(locale.t("chart.half"), half, "solid"), Series(locale.t("chart.nine"), most, "dashed")],
        locale.time,
        lambda tick: locale.tick_time(tick, unit),
        _link_to(links, sort="slowest"),
        unit=unit,
        stacked=False,
    )


def _tokens(figures: Figures, locale: Locale, links: Links) -> Plan:
    sums: Mapping[Period, dict[str, Any]] = {period: dict.fromkeys(KINDS) for period in figures.periods}
    for row in figures.tokens:
        of_period = sums[row["period"]]
        of_period.update({kind: charts.known_sum([of_period[kind], row[kind]]) for kind in KINDS})
    looks = {
        "cache_read_tokens": "grey",
        "cache_write_tokens": "dotted",
        "input_tokens": "striped",
        "output_tokens": "solid",
    }
    series = [
        Series(locale.t(kind), [sums[period][kind] for period in figures.periods], look) for kind, look in looks.items()
    ]
    return Plan(
        "tokens",
        series,
        locale.number,
        locale.short,
        _link_to(links, sort="tokens"),
        least=1,
        total=locale.t("tokens"),
    )


def _facts(figures: Figures, locale: Locale, links: Links) -> Plan:
    unsupported = [row["unsupported"] for row in figures.series]
    supported = [row["checked"] - row["unsupported"] for row in figures.series]
    return Plan(
        "facts",
        [
            Series(
                locale.t("unsupported.legend"),
                unsupported,
                "striped",
                _link_to(links, verdict="unsupported", sort="unsupported"),
            ),
            Series(locale.t("unsupported.found"), supported, "grey"),
        ],
        locale.number,
        locale.number,
        _link_to(links, flag="checked"),
        least=1,
        total=locale.t("checked"),
    )
