"""Compute the end of a period by the calendars of the UPC, the EPO and German law. Pure.

`upc`: Rules 300 and 301 of the UPC's Rules of Procedure. `epo`: Rules 131 and 134 of the EPC's Implementing
Regulations. `bgb`: §§ 187 to 193 BGB with § 222 ZPO. All three begin to count on the day after the event, end a period
of weeks, months or years on the day of the same name or number, and move an end on a day off to the next working day.
They differ in their days off, which the caller gives.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import NamedTuple

DayOff = Callable[[date], str | None]
"""Returns why nobody works on a date: the holiday's name, or None. Saturdays and Sundays are off anyway."""

LONGEST_PERIOD = 50 * 366  # days; a longer one is no period of a rule
_SATURDAY = 5


class Unit(StrEnum):
    """The unit of a period."""

    DAYS = "days"
    WORKING_DAYS = "working_days"
    WEEKS = "weeks"
    MONTHS = "months"
    MONTH_ENDS = "month_ends"  # months from the last day of one to the last day of another (J 4/91 of the EPO)
    YEARS = "years"


class Period(NamedTuple):
    """A length of time, such as 3 months."""

    amount: int
    unit: Unit


class StepKind(StrEnum):
    """The kind of a step of a calculation."""

    COUNTED = "counted"  # the period was added to the event's date, or taken from it
    CHOSEN = "chosen"  # of two ends the later or the earlier one
    WEEKEND = "weekend"  # the end was on a Saturday or Sunday
    DAY_OFF = "day_off"  # the end was on a holiday, or while the office is closed


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a calculation and the date that it led to. `reason`: the holiday's name."""

    kind: StepKind
    date: date
    period: Period | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """A rule's way of counting: one period, or two of which `whichever` ends later (or earlier) holds.

    `backwards`: until the event, as in "at least one month before the hearing".
    """

    periods: Sequence[Period]
    whichever: str | None = None
    backwards: bool = False


def end_of(count: Count, event: date, day_off: DayOff) -> tuple[date, list[Step]]:
    """Return the day on which the period ends (its last day), and the steps by which it was found.

    Raises OverflowError when that is beyond the calendar.
    """
    sign = -1 if count.backwards else 1
    steps = [
        Step(StepKind.COUNTED, _counted(event, period, sign, day_off), period)
        for period in count.periods
        if abs(period.amount) <= LONGEST_PERIOD
    ]
    if len(steps) > 1:
        choose = max if count.whichever == "later" else min
        steps.append(Step(StepKind.CHOSEN, choose(step.date for step in steps)))
    end = steps[-1].date
    while reason := _why_off(end, day_off):
        kind = StepKind.WEEKEND if end.weekday() >= _SATURDAY else StepKind.DAY_OFF
        end += timedelta(days=sign)
        if kind is StepKind.WEEKEND and steps[-1].kind is StepKind.WEEKEND:
            steps.pop()  # Saturday and Sunday are one
        steps.append(Step(kind, end, reason=reason))
    return end, steps


def _counted(event: date, period: Period, sign: int, day_off: DayOff) -> date:
    amount = period.amount * sign
    match period.unit:
        case Unit.DAYS:
            return event + timedelta(days=amount)
        case Unit.WEEKS:
            return event + timedelta(weeks=amount)
        case Unit.WORKING_DAYS:
            return _working_days(event, period.amount, sign, day_off)
        case Unit.MONTHS:
            return _months(event, amount)
        case Unit.MONTH_ENDS:
            return _last_of_month(_months(_last_of_month(event), amount))
        case Unit.YEARS:
            return _months(event, 12 * amount)


def _working_days(event: date, amount: int, sign: int, day_off: DayOff) -> date:
    reached, left = event, amount
    while left:
        reached += timedelta(days=sign)
        left -= not _why_off(reached, day_off)
    return reached


def _months(event: date, months: int) -> date:
    """Return the day of the same number so many months later; the month's last day if it has no such day."""
    year, month = divmod(event.year * 12 + event.month - 1 + months, 12)
    if not date.min.year <= year <= date.max.year:
        raise OverflowError("the period ends beyond the calendar")
    return date(year, month + 1, min(event.day, calendar.monthrange(year, month + 1)[1]))


def _last_of_month(day: date) -> date:
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


def _why_off(day: date, day_off: DayOff) -> str | None:
    return day_off(day) or (f"{day:%A}" if day.weekday() >= _SATURDAY else None)
