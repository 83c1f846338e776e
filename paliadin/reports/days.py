"""Days as the owner's calendar has them. Pure but for `owner_zone`, which asks the machine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_LOCALTIME = Path("/etc/localtime")


def owner_zone(named: str | None = None) -> ZoneInfo:
    """The zone that is named, else the machine's, else UTC."""
    linked = str(_LOCALTIME.resolve()).partition("zoneinfo/")[2]
    for name in (named, os.environ.get("TZ", "").removeprefix(":"), linked):
        if name:
            try:
                return ZoneInfo(name)
            except (ZoneInfoNotFoundError, ValueError):
                continue
    return ZoneInfo("UTC")


def local_day(moment: datetime, zone: ZoneInfo) -> date:
    return moment.astimezone(zone).date()


def start_of(day: date, zone: ZoneInfo) -> datetime:
    """The day's first moment; where the clock skips midnight, the moment at which it does."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


def days_from(first: date, count: int) -> list[date]:
    return [first + timedelta(days=number) for number in range(count)]


def bounds(days: Sequence[date], zone: ZoneInfo) -> list[datetime]:
    """The start of each day, and the end of the last: one more than days."""
    return [start_of(day, zone) for day in (*days, days[-1] + timedelta(days=1))]


def is_working_day(day: date) -> bool:
    return day.weekday() < 5
