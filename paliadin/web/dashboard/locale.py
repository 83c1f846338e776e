"""The reader's language and time zone, and how the dashboard writes texts, numbers and times in them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from paliadin.base.strict_json import parse_json
from paliadin.base.visible_text import keep_ends, show, show_strings
from paliadin.reports.days import Period
from paliadin.reports.figures import share
from paliadin.web.dashboard.texts import error_text, text
from paliadin.words.catalogue import LANGS
from paliadin.words.tool_names import row_count, tool_name

MAX_LINE = 20_000  # characters shown of a line of the log
MINUS = "\N{MINUS SIGN}"
_UNITS: Mapping[float, str] = {1: "ms", 1000: "s", 60_000: "min", 3_600_000: "h"}


@dataclass(frozen=True, slots=True)
class Locale:
    """The reader's language and time zone, and how texts, numbers and times are written in them.

    A missing value is written as a dash. `texts`: key → (English, German).
    """

    lang: str
    zone: ZoneInfo
    texts: Mapping[str, tuple[str, str]] = field(default_factory=dict, repr=False)  # of a part, beside the catalogue's

    def t(self, key: str, *values: object) -> str:
        """Look up a text, with the values filled in."""
        own = self.texts.get(key)
        return own[LANGS.index(self.lang)].format(*values) if own else text(self.lang, key, *values)

    def error(self, code: str) -> str:
        """Say what an error code means; a code without words stays."""
        return error_text(self.lang, code)

    def tool(self, name: str) -> str:
        """Put a tool's name into words."""
        return tool_name(name, self.lang)

    @staticmethod
    def own_name(tool: str) -> str:
        """Return a tool's own name, with nothing hidden: two tools may have the same words."""
        return show(tool)

    def tools(self, names: Iterable[str]) -> str:
        """Put the names of tools into words, each once."""
        return ", ".join(dict.fromkeys(map(self.tool, names)))

    def rows(self, tool: str, count: int) -> str:
        """Write how many rows a tool returned, of a file how many lines."""
        return row_count(tool, count, self.lang, shown=self.number(count))

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

    def body(self, value: object, longest: int) -> str:
        """Write what a tool was given or returned, with nothing hidden: JSON one item a line, text as it is."""

        def folded(kind: str, count: int) -> str:
            return self.t(f"folded.{kind}", self.number(count))

        value = _parsed(value) if isinstance(value, str) else value
        shown = show_strings(value, folded)
        text = shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False, indent=2)
        return keep_ends(text, longest, self.t("left_out", "{}"))

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
        """Write US dollars; less than a cent is not written as nothing."""
        if value is None:
            return "–"
        return f"<${self.number(0.01, 2)}" if 0 < value < 0.005 else f"${self.number(value, 2)}"

    def tick_dollars(self, value: float) -> str:
        """Write US dollars beside a line of a chart's grid: as short as they can be."""
        return f"${self.shortest(value)}"

    def tick_time(self, milliseconds: float, unit: float) -> str:
        """Write a duration beside a line of a chart's grid, in a unit as `charts.time_unit` returns it."""
        return f"{self.shortest(milliseconds / unit)}\u00a0{_UNITS[unit]}" if milliseconds else "0"

    def shortest(self, value: float) -> str:
        """Write a number with as many decimal places as it has, four at most."""
        digits = next((digits for digits in range(4) if round(value, digits) == round(value, 4)), 4)
        return self.number(value, digits)

    def short(self, value: float) -> str:
        """Abbreviate a large number: 1.2M."""
        for size, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
            if value >= size:
                return f"{self.shortest(round(value / size, 1))}{sign}"
        return self.number(value)

    def day(self, day: date) -> str:
        return f"{day:%d.%m.%Y}" if self.lang == "de" else f"{day:%d %b %Y}".lstrip("0")

    def axis_day(self, day: date, *, with_year: bool) -> str:
        """Write a day below a chart, where there is little room."""
        if self.lang == "de":
            return f"{day:%d.%m.%y}" if with_year else f"{day:%d.%m.}"
        return f"{day:%d %b %y}".lstrip("0") if with_year else f"{day:%d %b}".lstrip("0")

    def period(self, period: Period) -> str:
        """Write a day, or the first and the last day of a week or of a part of one."""
        first, last = period.first, period.last
        if period.is_day:
            return self.day(first)
        if first.year != last.year:
            return f"{self.day(first)} – {self.day(last)}"
        if first.month != last.month:
            return f"{self.axis_day(first, with_year=False)} – {self.day(last)}"
        return f"{first.day:02d}.–{self.day(last)}" if self.lang == "de" else f"{first.day}–{self.day(last)}"

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


def _parsed(text: str) -> object:
    """Parse a text that is a JSON object or list; return any other text as it is."""
    try:
        value = parse_json(text) if text.lstrip()[:1] in {"{", "["} else text
    except ValueError:
        return text
    return value if isinstance(value, dict | list) else text
