"""Days of the calendar: so many months or working days later, the nth weekday of a month, a holiday. Pure."""

from __future__ import annotations

from calendar import monthrange
from datetime import MAXYEAR, MINYEAR, date, timedelta

from paliadin.evidence.stated.expressions import Impossible
from paliadin.evidence.vocabulary import WEEKDAYS

MAX_WORKDAYS = 5_000


def months_later(day: date, months: int) -> date:
    """The same day so many months later, or that month's last one; raises Impossible."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not MINYEAR <= year <= MAXYEAR - 1:
        raise Impossible("no such year")
    return date(year, month + 1, min(day.day, last_of_month(year, month + 1)))


def last_of_month(year: int, month: int) -> int:
    """The number of days of a month."""
    return monthrange(year, month)[1]


def workdays_later(day: date, days: int) -> date:
    """The day so many days from Monday to Friday later; raises Impossible."""
    if abs(days) > MAX_WORKDAYS or not MINYEAR + 50 < day.year < MAXYEAR - 50:
        raise Impossible("too far")
    step = timedelta(days=1 if days > 0 else -1)
    for _ in range(abs(days)):
        day += step
        while day.weekday() > 4:
            day += step
    return day


def workdays_between(one: date, other: date) -> int:
    """How many days from Monday to Friday lie after the earlier day, up to the later one."""
    first, last = sorted((one, other))
    weeks, rest = divmod((last - first).days, 7)
    return weeks * 5 + sum((first.weekday() + each) % 7 < 5 for each in range(1, rest + 1))


def months_between(one: date, other: date) -> int:
    """How many whole months lie between two days; the last day of a shorter month ends one."""
    first, last = sorted((one, other))
    months = (last.year - first.year) * 12 + last.month - first.month
    is_short = last.day < first.day and last.day != last_of_month(last.year, last.month)
    return months - is_short


def nth_weekday(place: int, weekday: int, month: date) -> date:
    """The day of a month that is its first (1), second, ... or last (-1) such weekday; raises Impossible."""
    days = [
        day
        for each in range(1, last_of_month(month.year, month.month) + 1)
        if (day := date(month.year, month.month, each)).weekday() == weekday
    ]
    if place != -1 and not 1 <= place <= len(days):
        raise Impossible("no such day")
    return days[place if place < 0 else place - 1]


def weekday_of(word: str) -> int | None:
    """The number of a weekday by its name or the first letters of it, 0 for Monday."""
    small = word.strip().strip(".").casefold()
    found = {number for name, number in WEEKDAYS.items() if len(small) > 1 and name.startswith(small)}
    return found.pop() if len(found) == 1 else None
