"""The dashboard's card on Claude's suggestions in the practice and people's decisions on them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from paliadin.base.errors import PaliadinError
from paliadin.parts.practice.practice import Practice
from paliadin.people.person_key import OWNER, PersonKey
from paliadin.reports.days import start_of
from paliadin.reports.filters import Filter
from paliadin.web.dashboard.cards import Card

FEWEST_DECIDED = 5  # suggestions: a share of fewer tells nothing

ReadFigures = Callable[[datetime, datetime], Awaitable[Mapping[str, Any]]]
"""Takes a start and an end; returns the counts of the suggestions made from the start until before the end.

Raises PaliadinError, such as StoreUnavailable.
"""


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Counts of the suggestions that were made on some days, by their present state.

    `turns`: in how many turns they were made; `median_seconds`: until a decision, None without any; `overridden`:
    decided by an owner for others.
    """

    made: int
    approved: int
    rejected: int
    pending: int
    turns: int
    median_seconds: float | None
    overridden: int

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Suggestions:
        """Build the counts from a row of the practice's query `suggestion_figures`."""
        return cls(**{name: row[name] for name in cls.__slots__})

    @property
    def decided(self) -> int:
        """The number of suggestions that somebody approved or rejected."""
        return self.approved + self.rejected

    @property
    def approved_share(self) -> float | None:
        """The approved share of the decided suggestions; None if too few are decided."""
        return self.approved / self.decided if self.decided >= FEWEST_DECIDED else None


def make(practice: Practice, id_of: Callable[[PersonKey], str]) -> Card:
    """Make the card, which shows all projects: its reader is the owner of that time."""

    async def read(since: datetime, until: datetime) -> Mapping[str, Any]:
        return await practice.suggestion_figures(id_of(OWNER), since, until)

    return Card(Path(__file__).with_name("suggestions.html"), partial(read_values, read))


async def read_values(read: ReadFigures, turn_filter: Filter, zone: ZoneInfo) -> Mapping[str, Any]:
    """Count the suggestions made on the filter's days; or return why they cannot be read."""
    since, until = start_of(turn_filter.first, zone), start_of(turn_filter.last + timedelta(days=1), zone)
    values: dict[str, Any] = {"suggestions": None, "suggestions_error": None, "fewest_decided": FEWEST_DECIDED}
    try:
        return values | {"suggestions": Suggestions.of(await read(since, until))}
    except PaliadinError as error:
        return values | {"suggestions_error": error}
