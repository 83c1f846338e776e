"""The days of a made-up practice: working days, and deadlines spread over them. Pure."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

DAY = timedelta(days=1)
PAST, FUTURE = 90 * DAY, 180 * DAY
"""The practice's reach before and after today."""

TODAY_SHARE, WEEK_SHARE = 3 / 400, 10 / 400
"""The shares of the deadlines that are due today, and in this calendar week including today."""


def due_days(chance: random.Random, today: date, count: int) -> list[date]:
    """Return the days on which deadlines are due, in order; all are working days.

    This week's are spread over its working days. If today is none, nothing is due today.
    """
    monday = today - today.weekday() * DAY
    week = [day for day in working_days(monday, monday + 6 * DAY) if day != today]
    before, after = working_days(today - PAST, monday - DAY), working_days(monday + 7 * DAY, today + FUTURE)
    due_today = round(count * TODAY_SHARE) if is_working_day(today) else 0
    due_this_week = round(count * WEEK_SHARE) - due_today if week else 0
    rest = count - due_today - due_this_week
    past = round(rest * 0.35)
    days = [today] * due_today + chance.choices(week or [today], k=due_this_week) + chance.choices(before, k=past)
    # More is known of the near future than of the far one.
    days += [after[int(len(after) * chance.random() ** 1.5)] for _ in range(rest - past)]
    return sorted(days)


def working_days(first: date, last: date) -> list[date]:
    """Return the working days from `first` to `last`, both included."""
    days = (first + number * DAY for number in range((last - first).days + 1))
    return [day for day in days if is_working_day(day)]


def is_working_day(day: date) -> bool:
    """Tell whether it is neither a weekend nor a holiday in all of Germany."""
    return day.weekday() < 5 and day not in _holidays(day.year)


def is_epo_closed(day: date) -> bool:
    """Tell whether the EPO is closed over the turn of the year: no period ends then."""
    return (day.month, day.day) >= (12, 24) or (day.month, day.day) == (1, 1)


def working_time(chance: random.Random, first: date, last: date) -> datetime:
    """Return a moment in working hours, from `first`, or the last working day before it, to `last`."""
    day = first + chance.randrange((last - first).days + 1) * DAY if last > first else first
    while not is_working_day(day):
        day -= DAY
    return at(day, chance.randrange(8, 17), chance.randrange(60))


def at(day: date, hour: int, minute: int = 0) -> datetime:
    """Return the moment at which clocks in Munich, Paris and The Hague show this time."""
    # Not zoneinfo, which needs a data base of time zones that not every machine has.
    summer = _last_sunday(day.year, 3) <= day < _last_sunday(day.year, 10)
    return datetime.combine(day, time(hour, minute), UTC) - timedelta(hours=2 if summer else 1)


def _last_sunday(year: int, month: int) -> date:
    last = date(year, month, 31)
    return last - (last.weekday() + 1) % 7 * DAY


@functools.cache
def _holidays(year: int) -> frozenset[date]:
    return frozenset(_fixed_holidays(year)) | {_easter(year) + number * DAY for number in (-2, 1, 39, 50)}


def _fixed_holidays(year: int) -> Iterator[date]:
    return (date(year, month, day) for month, day in ((1, 1), (5, 1), (10, 3), (12, 25), (12, 26)))


def _easter(year: int) -> date:
    """Compute Easter Sunday, by the algorithm of Butcher and Meeus for the Gregorian calendar."""
    cycle, century, rest = year % 19, year // 100, year % 100
    epact = (19 * cycle + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    shift = (cycle + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)
