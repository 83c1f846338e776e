"""What the dashboard shows of Claude's suggestions in a practice, and of what people decided on them.

Nothing of the practice is imported here: without one, the dashboard has no `ReadFigures`, and shows none of it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from paliadin.base.errors import PaliadinError
from paliadin.people.directory import People
from paliadin.reports.days import start_of
from paliadin.reports.filters import Filter

if TYPE_CHECKING:
    from paliadin.practice.practice import Practice

FEWEST_DECIDED = 5  # suggestions: a share of fewer tells nothing

ReadFigures = Callable[[datetime, datetime], Awaitable[Mapping[str, Any]]]
"""Takes a beginning and an end; returns the counts of the suggestions made from the one until before the other.

Raises PaliadinError, such as StoreUnavailable.
"""


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Counts of the suggestions that were made in some days, as they stand now.

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
        """Make them of a row of the practice's query `suggestion_figures`."""
        return cls(**{name: row[name] for name in cls.__slots__})

    @property
    def decided(self) -> int:
        """The number of suggestions that somebody approved or rejected."""
        return self.approved + self.rejected

    @property
    def approved_share(self) -> float | None:
        """The share approved of those decided; None if too few were decided to tell."""
        return self.approved / self.decided if self.decided >= FEWEST_DECIDED else None


def owners_figures(practice: Practice, people: People) -> ReadFigures:
    """Make what reads the figures as the owner, who sees all projects, whoever the owner is at that time."""

    async def read(since: datetime, until: datetime) -> Mapping[str, Any]:
        return await practice.suggestion_figures(people.id_of(""), since, until)

    return read


async def read_suggestions(
    read: ReadFigures | None, turn_filter: Filter, zone: ZoneInfo
) -> tuple[Suggestions | None, PaliadinError | None]:
    """Return the suggestions made on the filter's days, or why they cannot be read; neither without a practice."""
    if read is None:
        return None, None
    since, until = start_of(turn_filter.first, zone), start_of(turn_filter.last + timedelta(days=1), zone)
    try:
        return Suggestions.of(await read(since, until)), None
    except PaliadinError as error:
        return None, error
