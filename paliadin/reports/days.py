"""Days in the owner's time zone. Pure, except for `owner_zone`, which reads the machine's settings."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

MOST_DAYS = 92  # of which a chart shows each by itself: three months
_LOCALTIME = Path("/etc/localtime")


def owner_zone(named: str | None = None) -> ZoneInfo:
    """Return the first zone that exists: `named`, that of TZ, the machine's, UTC."""
    linked = str(_LOCALTIME.resolve()).partition("zoneinfo/")[2]
    for name in (named, os.environ.get("TZ", "").removeprefix(":"), linked):
        if name:
            try:
                return ZoneInfo(name)
            except (ZoneInfoNotFoundError, ValueError):
                continue
    return ZoneInfo("UTC")


def local_day(moment: datetime, zone: ZoneInfo) -> date:
    """Return the day on which a moment falls in a zone."""
    return moment.astimezone(zone).date()


def start_of(day: date, zone: ZoneInfo) -> datetime:
    """Return the day's first moment in UTC; where the clock skips midnight, the moment of the change."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


def days_from(first: date, count: int) -> list[date]:
    """Return `count` days in order, beginning with `first`."""
    return [first + timedelta(days=number) for number in range(count)]


@dataclass(frozen=True, slots=True)
class Period:
    """The days from `first` to `last` inclusive, which a chart shows as one: a day, or a week or a part of one."""

    first: date
    last: date

    @property
    def is_day(self) -> bool:
        """True if it is a single day."""
        return self.first == self.last


def days_as_periods(first: date, last: date) -> list[Period]:
    """Return each day from first to last inclusive."""
    return [Period(day, day) for day in days_from(first, (last - first).days + 1)]


def periods(first: date, last: date) -> list[Period]:
    """Divide the days from first to last inclusive: into days, or if they are too many into weeks from Monday on.

    The first and the last week may be parts of one.
    """
    if (last - first).days < MOST_DAYS:
        return days_as_periods(first, last)
    starts = [first, *(day for day in days_from(first, (last - first).days + 1)[1:] if day.weekday() == 0)]
    ends = [*(day - timedelta(days=1) for day in starts[1:]), last]
    return [Period(start, end) for start, end in zip(starts, ends, strict=True)]


def bounds(parts: Sequence[Period], zone: ZoneInfo) -> tuple[list[datetime], list[datetime]]:
    """Return the start of each period, and the end of each."""
    ends = [start_of(part.last + timedelta(days=1), zone) for part in parts]
    return [start_of(part.first, zone) for part in parts], ends


def is_working_day(day: date) -> bool:
    """Tell whether a day is one of Monday to Friday."""
    return day.weekday() < 5
