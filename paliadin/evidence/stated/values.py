"""What a calculation comes to: quantities with their dimension, days and times; and how they are combined. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation

from paliadin.evidence.stated.calendar_days import months_later, workdays_later
from paliadin.evidence.stated.expressions import Impossible
from paliadin.evidence.units import in_base_unit

DAY = 86_400  # seconds
MAX_SHIFT = 400_000  # days
LARGEST = Decimal(10) ** 18
SHARE, TIME, MONTHS, MIXED = "%", "s", "month", "?"
"""Dimensions: of a share as a fraction, of lengths of time in seconds and in months, of a product that has no name."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount in the base unit of its dimension: "" for a plain number, `s`, `month`, `%`, a currency, a unit.

    `is_ratio`: it was divided, so it may be shown as a share. `is_counted`: it comes from rows or a calendar, and no
    number may be added to it that only fits. `is_bare`: it is a literal number.
    """

    amount: Decimal
    dimension: str = ""
    is_ratio: bool = False
    is_counted: bool = False
    is_bare: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """A day, a time of day in seconds since midnight, or both. `is_weekday`: only what the day is called is meant."""

    day: date | None
    seconds: int | None = None
    is_weekday: bool = False


Value = Quantity | Moment


def quantity(number: Decimal, unit: str | None) -> Quantity:
    """Return a number of a text with its unit in base units: 3 weeks are 1,814,400 s."""
    if unit == "%":
        return Quantity(number / 100, SHARE)
    base = in_base_unit(number, unit)
    return Quantity(base[1], base[0]) if base else Quantity(number, unit or "", is_bare=unit is None)


def add(left: Value, right: Value, sign: int) -> Value:
    """Add two values, or subtract for the sign -1; raises Impossible."""
    if any(isinstance(each, Moment) and each.is_weekday for each in (left, right)):
        raise Impossible("a weekday says no day")
    if isinstance(left, Moment):
        return _apart(left, right) if isinstance(right, Moment) else _shifted(left, right, sign)
    if isinstance(right, Moment):
        if sign > 0:
            return _shifted(right, left, 1)
        raise Impossible("a date is taken from a number")
    _check_bare(left, right)
    dimension = left.dimension or right.dimension
    if right.dimension not in {"", dimension}:
        if SHARE not in {left.dimension, right.dimension}:
            raise Impossible(f"{left.dimension} and {right.dimension}")
        dimension = left.dimension if right.dimension == SHARE else right.dimension
    if SHARE in {left.dimension, right.dimension} and left.dimension != right.dimension:
        dimension = "" if not left.dimension.strip("%") and not right.dimension.strip("%") else dimension
    one, other = (_in_days(each, beside) for each, beside in ((left, right), (right, left)))
    is_ratio = (left.is_ratio or _is_one(left)) and (right.is_ratio or _is_one(right))
    return _checked(Quantity(one + sign * other, dimension, is_ratio, left.is_counted or right.is_counted))


def _is_one(value: Quantity) -> bool:
    return value.is_bare and value.amount == 1


def _in_days(value: Quantity, beside: Quantity) -> Decimal:
    """An amount; of a bare number beside whole days, the seconds of so many days: `date - date + 1`."""
    is_of_days = value.is_bare and beside.is_counted and beside.dimension == TIME and not beside.amount % DAY
    return value.amount * DAY if is_of_days else value.amount


def _check_bare(left: Quantity, right: Quantity) -> None:
    """Refuse a bare number that would make a count, a sum or a length of time fit; 1 is what counting leaves out."""
    for one, other in ((left, right), (right, left)):
        is_small = one.amount % 1 == 0 and abs(one.amount) < 100
        if one.is_bare and one.amount != 1 and is_small and (other.is_counted or other.dimension == TIME):
            raise Impossible("a number is added to a count")


def _apart(left: Moment, right: Moment) -> Quantity:
    """How far two moments are apart: whole days for days, seconds where times are known. `left` may be the earlier."""
    if left.seconds is not None and right.seconds is not None:
        days = (left.day - right.day).days if left.day and right.day else 0
        seconds = days * DAY + left.seconds - right.seconds
        if not (left.day and right.day) and seconds < 0:
            seconds += DAY  # over midnight
        return Quantity(Decimal(seconds), TIME)
    if left.day and right.day:
        return Quantity(Decimal(abs((left.day - right.day).days) * DAY), TIME, is_counted=True)
    raise Impossible("a day and a time")


def _shifted(moment: Moment, by: Quantity, sign: int) -> Moment:
    if by.dimension == MONTHS and moment.day and by.amount == by.amount.to_integral_value():
        return replace(moment, day=months_later(moment.day, sign * int(by.amount)))
    if by.dimension == "workday" and moment.day:
        return replace(moment, day=workdays_later(moment.day, sign * int(by.amount)))
    seconds = by.amount * sign
    if by.is_bare and moment.seconds is None:
        seconds *= DAY  # `date + 14`
    elif by.dimension != TIME:
        raise Impossible("a date and what is no length of time")
    if abs(seconds) > MAX_SHIFT * DAY or seconds != seconds.to_integral_value():
        raise Impossible("too far")
    if moment.seconds is None:
        if seconds % DAY:
            raise Impossible("hours are added to a day")
        return Moment(_days_later(moment.day, int(seconds) // DAY))
    days, rest = divmod(moment.seconds + int(seconds), DAY)
    return Moment(_days_later(moment.day, days), rest)


def _days_later(day: date | None, days: int) -> date | None:
    try:
        return day + timedelta(days=days) if day else None
    except OverflowError as error:
        raise Impossible("no such day") from error


def multiply(left: Value, right: Value) -> Quantity:
    """Multiply two quantities; raises Impossible."""
    one, other = _quantities(left, right)
    if not one.dimension and other.dimension == SHARE and other.amount == 1:
        return replace(one, dimension=SHARE, is_bare=False)  # `0.74 * 100 %`
    plain = {"", SHARE}
    dimension = one.dimension if other.dimension in plain else other.dimension if one.dimension in plain else MIXED
    if one.dimension == other.dimension == SHARE:
        dimension = SHARE
    elif dimension == SHARE:
        dimension = ""
    ratio = one.is_ratio or other.is_ratio
    return _checked(Quantity(one.amount * other.amount, dimension, ratio, one.is_counted or other.is_counted))


def divide(left: Value, right: Value) -> Quantity:
    """Divide two quantities; raises Impossible."""
    one, other = _quantities(left, right)
    if not other.amount:
        raise Impossible("divided by zero")
    if one.dimension == other.dimension or other.dimension in {"", SHARE}:
        dimension = "" if one.dimension == other.dimension else one.dimension
    else:
        dimension = MIXED
    return _checked(Quantity(one.amount / other.amount, dimension, True, one.is_counted or other.is_counted))


def _quantities(left: Value, right: Value) -> tuple[Quantity, Quantity]:
    if isinstance(left, Moment) or isinstance(right, Moment):
        raise Impossible("a date is multiplied")
    return left, right


def _checked(value: Quantity) -> Quantity:
    try:
        if abs(value.amount) > LARGEST:
            raise Impossible("too large")
    except InvalidOperation as error:
        raise Impossible("no number") from error
    return value
