"""The dashboard's templates, and their helpers: texts and numbers in the reader's language, and links."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from paliadin.base.visible_text import keep_ends, show_strings
from paliadin.events.timeline import CalledTool, Waited
from paliadin.reports.figures import share
from paliadin.reports.filters import Filter
from paliadin.reports.verdict import DAYS, Verdict
from paliadin.web.dashboard.texts import text

MAX_LINE = 20_000  # characters shown of a line of the log
MINUS = "\N{MINUS SIGN}"
ROOT = "/admin/paliadin"
TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


@dataclass(frozen=True, slots=True)
class Locale:
    """The reader's language and time zone, and how texts, numbers and times are written in them.

    A missing value is written as a dash.
    """

    lang: str
    zone: ZoneInfo

    def t(self, key: str, *values: object) -> str:
        """Look up a text of the dashboard."""
        return text(self.lang, key, *values)

    def number(self, value: float | None, digits: int = 0) -> str:
        """Write a number with `digits` decimal places, and with separators between thousands."""
        if value is None:
            return "–"
        english = f"{value:,.{digits}f}"
        return english.translate(str.maketrans(",.", ".,")) if self.lang == "de" else english

    def percent(self, value: float | None) -> str:
        """Write a share between 0 and 1 in percent."""
        if value is None:
            return "–"
        return self.number(100 * value) + ("\u00a0%" if self.lang == "de" else "%")

    def log_line(self, line: Mapping[str, object]) -> str:
        """Write a line of a turn's log as JSON in which nothing is hidden: what Claude asked for may be in it."""

        def folded(kind: str, count: int) -> str:
            return self.t(f"folded.{kind}", self.number(count))

        shown = json.dumps(show_strings(line, folded), ensure_ascii=False)
        return keep_ends(shown, MAX_LINE, self.t("left_out", "{}"))

    def ratio(self, part: int, whole: int) -> str:
        """Write `part` in percent of `whole`."""
        return self.percent(share(part, whole))

    def time(self, milliseconds: float | None) -> str:
        """Write a duration in ms, s, min or h."""
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

    def lasting(self, seconds: float | None) -> str:
        """Write a longer duration with its two largest units, as people say it: 2 h 10 min."""
        if seconds is None:
            return "–"
        if round(seconds) < 60:
            return f"{round(seconds)}\u00a0s"
        minutes = round(seconds / 60)
        if minutes < 24 * 60:
            units = ((minutes // 60, "h"), (minutes % 60, "min"))
            return " ".join(f"{count}\u00a0{unit}" for count, unit in units if count)
        days, hours = divmod(round(seconds / 3600), 24)
        return self.t("days.one" if days == 1 else "days", self.number(days)) + (f" {hours}\u00a0h" if hours else "")

    def size(self, count: int | None) -> str:
        """Write a number of bytes, in kB from 1,000 on."""
        if count is None or count < 1000:
            return "–" if count is None else f"{count}\u00a0B"
        return f"{self.number(count / 1000, 1)}\u00a0kB"

    def moment_of(self, milliseconds: int) -> str:
        """Write a point in time that is given in milliseconds since 1970."""
        return self.moment(datetime.fromtimestamp(milliseconds / 1000, UTC))

    def dollars(self, value: float | None) -> str:
        return "–" if value is None else f"${self.number(value, 2)}"

    def short(self, value: float) -> str:
        """Abbreviate a large number: 1.2M."""
        for size, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
            if value >= size:
                return f"{self.number(value / size, 1)}{sign}"
        return self.number(value)

    def day(self, day: date) -> str:
        return f"{day:%d.%m.%Y}" if self.lang == "de" else f"{day:%d %b %Y}".lstrip("0")

    def moment(self, at: datetime) -> str:
        """Write a point in time in the reader's time zone."""
        local = at.astimezone(self.zone)
        return f"{self.day(local.date())}, {local:%H:%M:%S}"

    def change(self, now: float | None, before: float | None) -> str:
        """Write the relative change in percent; empty if either value is missing or the former is zero."""
        if not before or now is None:
            return ""
        relative = now / before - 1
        return f"{'+' if relative >= 0 else MINUS}{self.percent(abs(relative))}"

    def outcome(self, error_code: str | None, finished: object) -> str:
        """Write how a turn ended: its error code, or the word for answered, stopped or not ended."""
        if error_code and self.failed(error_code):
            return error_code
        return self.t("stopped" if error_code else "ok" if finished else "running")

    @staticmethod
    def failed(error_code: str | None) -> bool:
        """Return whether the turn failed; stopped by the user is not failed."""
        return error_code not in (None, "", "user_aborted")

    def criterion(self, name: str, value: float | None) -> str:
        """Write a value of the verdict's criterion, a rate in percent."""
        return self.percent(value) if name.endswith("_rate") else self.number(value, 1)

    def distance(self, name: str, distance: float) -> str:
        """Write how far the criterion's value is from a limit: rates are apart by percentage points."""
        if not name.endswith("_rate"):
            return self.number(distance, 1)
        points = self.number(100 * distance)
        return self.t("point" if points == "1" else "points", points)


@dataclass(frozen=True, slots=True)
class Links:
    """Builds the addresses of dashboard pages that keep the current filter.

    `root` is the path of the page's own address where that is a path (web/sign_in.py), else empty.
    """

    filter: Filter
    root: str = ""

    def turns(self, **more: str) -> str:
        """Link to the turns behind a figure: those of the filter that meet the conditions in `more` too."""
        return _address(f"{self.root}{ROOT}/turns", self.filter.query() | more)

    def day(self, day: date, **more: str) -> str:
        """Link to the turns of one day."""
        return _address(f"{self.root}{ROOT}/turns", self.filter.with_days(day).query() | more)

    def here(self, path: str, **more: str) -> str:
        """Link to a page with the same filter."""
        return _address(self.root + ROOT + path, self.filter.query() | more)

    def spanning(self, path: str, days: int) -> str:
        """Link to a page with the same filter over the last `days` days."""
        kept = {name: value for name, value in self.filter.query().items() if name not in {"span", "from", "to"}}
        return _address(self.root + ROOT + path, {"span": str(days)} | kept)

    def without(self, path: str, name: str) -> str:
        """Link to a page with the filter's condition `name` removed."""
        return _address(
            self.root + ROOT + path, {key: value for key, value in self.filter.query().items() if key != name}
        )


def criterion_link(verdict: Verdict, criterion: str, root: str = "") -> str:
    """Return the address of the list of turns that the criterion counted."""
    first = verdict.first + timedelta(days=DAYS // 2) if criterion == "turns_per_working_day" else verdict.first
    flags = {"tool_use_rate": "tool", "abandonment_rate": "abandoned", "death_rate": "died"}
    more = {"verdict": "unsupported"} if criterion == "unsupported_rate" else {}
    return Links(Filter(first, verdict.last, None), root).turns(flag=flags.get(criterion, "person"), **more)


def merge_steps(calls: Iterable[CalledTool], waits: Iterable[Waited], locale: Locale) -> list[dict[str, Any]]:
    """Merge tool calls and interrupts into the rows of the turn's table, in chronological order."""
    steps: list[dict[str, Any]] = []
    for call in calls:
        state = "refused" if call.refused else {True: "worked", False: "failed", None: "no_result"}[call.ok]
        row = {"name": call.name, "rows": call.rows, "at_ms": call.at_ms, "took_ms": call.duration_ms}
        steps.append(row | {"result": locale.t(state), "kind": "c0" if call.ok else "bad"})
    for wait in waits:
        row = {"name": f"{wait.kind}: {wait.tool}", "rows": None, "at_ms": wait.at_ms, "took_ms": wait.waited_ms}
        result = locale.t("by", wait.by) if wait.by else locale.t("no_result")
        steps.append(row | {"result": result, "kind": "wait"})
    return sorted(steps, key=lambda step: step["at_ms"] or 0)


def _address(path: str, query: Mapping[str, str]) -> str:
    parameters = {name: value for name, value in query.items() if value}
    return f"{path}?{urlencode(parameters)}" if parameters else path
