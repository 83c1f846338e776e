"""Cards: sections of the dashboard that parts have."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Template
from markupsafe import Markup

from paliadin.reports.filters import Filter
from paliadin.web.dashboard.locale import Locale
from paliadin.web.dashboard.view import TEMPLATES


@dataclass(frozen=True, slots=True)
class Card:
    """A section: its template, which has `t`, `locale`, `turn_filter` and `chosen`.

    `read` returns the template's other values, for the days of a filter in the owner's time zone. `texts`, (English,
    German), are those that are not in the part's `words.toml`.
    """

    template: Path
    read: Callable[[Filter, ZoneInfo], Awaitable[Mapping[str, Any]]]
    texts: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    async def render(self, turn_filter: Filter, locale: Locale, chosen: object) -> Markup:
        """Return the section as HTML."""
        own = replace(locale, texts=self.texts)
        values = await self.read(turn_filter, locale.zone)
        html = _compiled(self.template).render(locale=own, t=own.t, turn_filter=turn_filter, chosen=chosen, **values)
        return Markup(html)  # noqa: S704  # the template escapes what it is given


@cache
def _compiled(template: Path) -> Template:
    return TEMPLATES.from_string(template.read_text("utf-8"))
