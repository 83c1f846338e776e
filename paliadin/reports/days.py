"""Days in the owner's time zone. Pure, except for `owner_zone`, which reads the machine's settings."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

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


def bounds(days: Sequence[date], zone: ZoneInfo) -> list[datetime]:
    """Return the start of each day, then the end of the last one."""
    return [start_of(day, zone) for day in (*days, days[-1] + timedelta(days=1))]


def is_working_day(day: date) -> bool:
    """Tell whether a day is one of Monday to Friday."""
    return day.weekday() < 5
