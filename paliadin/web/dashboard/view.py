"""The dashboard's templates, and the links of its pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from paliadin.reports.days import Period
from paliadin.reports.filters import Filter
from paliadin.reports.verdict import DAYS, Verdict

ROOT = "/admin/paliadin"
TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


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

    def days(self, period: Period, **more: str) -> str:
        """Link to the turns of these days."""
        return _address(f"{self.root}{ROOT}/turns", self.filter.with_days(period.first, period.last).query() | more)

    def turn(self, turn_id: object, *, alone: bool = False) -> str:
        """Link to a turn, among those of the filter; `alone`: among all on record."""
        return _address(f"{self.root}{ROOT}/turns/{turn_id}", {} if alone else self.filter.query())

    def conversation(self, session_id: str) -> str:
        """Link to all turns of a conversation."""
        return _address(f"{self.root}{ROOT}/turns", {"span": "all", "session": session_id})

    def here(self, path: str, **more: str) -> str:
        """Link to a page with the same filter."""
        return _address(self.root + ROOT + path, self.filter.query() | more)

    def spanning(self, path: str, span: str) -> str:
        """Link to a page with the same filter over the days of one of SPANS."""
        return _address(self.root + ROOT + path, {"span": span} | self.filter.query_without_days())

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


def _address(path: str, query: Mapping[str, str]) -> str:
    parameters = {name: value for name, value in query.items() if value}
    return f"{path}?{urlencode(parameters)}" if parameters else path
