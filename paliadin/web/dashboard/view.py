"""What the dashboard's templates are given: numbers in the reader's language, links, and where the bars stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from paliadin.monitor.figures import share
from paliadin.monitor.filters import Filter
from paliadin.web.admintexts import text

MINUS = "\N{MINUS SIGN}"
ROOT = "/admin/paliadin"
CHART_HEIGHT = 120
CHART_WIDTH = 900
COLOURS = 4  # of models in the tokens' chart; the last is for all others

TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


@dataclass(frozen=True, slots=True)
class View:
    """One reader: language and time zone."""

    lang: str
    zone: ZoneInfo

    def t(self, key: str, *values: object) -> str:
        return text(self.lang, key, *values)

    def number(self, value: float | None, digits: int = 0) -> str:
        if value is None:
            return "–"
        said = f"{value:,.{digits}f}"
        return said.translate(str.maketrans(",.", ".,")) if self.lang == "de" else said

    def percent(self, value: float | None) -> str:
        if value is None:
            return "–"
        return self.number(100 * value) + ("\u00a0%" if self.lang == "de" else "%")

    def ratio(self, part: int, whole: int) -> str:
        return self.percent(share(part, whole))

    def time(self, milliseconds: float | None) -> str:
        if milliseconds is None:
            return "–"
        seconds = milliseconds / 1000
        if seconds < 1:
            return f"{self.number(milliseconds)}\u00a0ms"
        if seconds < 120:
            return f"{self.number(seconds, 1)}\u00a0s"
        return (
            f"{self.number(seconds / 60, 1)}\u00a0min" if seconds < 7200 else f"{self.number(seconds / 3600, 1)}\u00a0h"
        )

    def dollars(self, value: float | None) -> str:
        return "–" if value is None else f"${self.number(value, 2)}"

    def short(self, value: float) -> str:
        """Of a large number its first digits."""
        for size, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
            if value >= size:
                return f"{self.number(value / size, 1)}{sign}"
        return self.number(value)

    def day(self, day: date) -> str:
        return f"{day:%d.%m.%Y}" if self.lang == "de" else f"{day:%d %b %Y}".lstrip("0")

    def moment(self, at: datetime) -> str:
        local = at.astimezone(self.zone)
        return f"{self.day(local.date())}, {local:%H:%M:%S}"

    def change(self, now: float | None, before: float | None) -> str:
        """Against the days before; empty where there is nothing to compare."""
        if not before or now is None:
            return ""
        relative = now / before - 1
        return f"{'+' if relative >= 0 else MINUS}{self.percent(abs(relative))}"

    def outcome(self, error_code: str | None, finished: object) -> str:
        if error_code and self.failed(error_code):
            return error_code
        return self.t("stopped" if error_code else "ok" if finished else "running")

    @staticmethod
    def failed(error_code: str | None) -> bool:
        """The user's own stop is no failure."""
        return error_code not in (None, "", "user_aborted")

    def criterion(self, name: str, value: float | None) -> str:
        return self.percent(value) if name.endswith("_rate") else self.number(value, 1)


@dataclass(frozen=True, slots=True)
class Links:
    """Addresses that keep the filter."""

    filter: Filter

    def turns(self, **more: str) -> str:
        """The turns behind a figure: those of the filter that are also `more`."""
        return _address(f"{ROOT}/turns", self.filter.query() | more)

    def day(self, day: date, **more: str) -> str:
        return _address(f"{ROOT}/turns", self.filter.on(day).query() | more)

    def before(self) -> str:
        return _address(f"{ROOT}/turns", self.filter.before().query())

    def here(self, path: str, **more: str) -> str:
        return _address(ROOT + path, self.filter.query() | more)

    def spanning(self, path: str, days: int) -> str:
        kept = {name: value for name, value in self.filter.query().items() if name not in {"span", "from", "to"}}
        return _address(ROOT + path, {"span": str(days)} | kept)

    def without(self, path: str, name: str) -> str:
        return _address(ROOT + path, {key: value for key, value in self.filter.query().items() if key != name})


def _address(path: str, query: Mapping[str, str]) -> str:
    given = {name: value for name, value in query.items() if value}
    return f"{path}?{urlencode(given)}" if given else path


@dataclass(frozen=True, slots=True)
class Bar:
    """In units of the chart; `colour` is a number of a class."""

    x: float
    y: float
    width: float
    height: float
    colour: int = 0


def columns(values: Sequence[int]) -> list[Bar]:
    """One column a value, over the chart's width, the largest as high as the chart."""
    step, top = CHART_WIDTH / max(len(values), 1), max([*values, 1])
    heights = [CHART_HEIGHT * value / top for value in values]
    return [
        Bar(round(number * step, 2), round(CHART_HEIGHT - height, 2), round(step * 0.78, 2), round(height, 2))
        for number, height in enumerate(heights)
    ]


@dataclass(frozen=True, slots=True)
class TokenChart:
    days: list[tuple[date, int]]  # the sum of each day
    bars: list[list[Bar]]  # of each day, from the ground up
    models: list[tuple[str, int]]  # name, colour


def token_chart(days: Sequence[date], rows: Sequence[Mapping[str, Any]]) -> TokenChart:
    by_day: dict[date, dict[str, int]] = {day: {} for day in days}
    whole: dict[str, int] = {}
    for row in rows:
        count = tokens_of(row)
        by_day[row["day"]][row["model"]] = count
        whole[row["model"]] = whole.get(row["model"], 0) + count
    order = sorted(whole, key=lambda name: -whole[name])
    colours = {name: min(number, COLOURS - 1) for number, name in enumerate(order)}
    sums = [(day, sum(counts.values())) for day, counts in by_day.items()]
    top, grounds = max([count for _, count in sums] + [1]), columns([count for _, count in sums])
    bars = []
    for ground, counts in zip(grounds, by_day.values(), strict=True):
        stack, y = [], float(CHART_HEIGHT)
        for name in order:
            height = CHART_HEIGHT * counts.get(name, 0) / top
            y -= height
            stack.append(Bar(ground.x, round(y, 2), ground.width, round(height, 2), colours[name]))
        bars.append(stack)
    return TokenChart(sums, bars, [(name, colours[name]) for name in order])


def tokens_of(row: Mapping[str, Any]) -> int:
    return sum(row[kind] or 0 for kind in ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"))


def by_model(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The days' rows added up, most tokens first; `cost` is None for a model without a price."""
    found: dict[str, dict[str, Any]] = {}
    kinds = ("turns", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
    for row in rows:
        whole = found.setdefault(row["model"], {"model": row["model"], "cost": None} | dict.fromkeys(kinds, 0))
        for kind in kinds:
            whole[kind] += row[kind]
        if row["cost"] is not None:
            whole["cost"] = (whole["cost"] or 0.0) + row["cost"]
    return sorted(found.values(), key=lambda whole: -tokens_of(whole))


def time_line(steps: Sequence[Mapping[str, Any]], duration_ms: int | None) -> list[Bar]:
    """Where each step stands between a turn's start (0) and end (100)."""
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
