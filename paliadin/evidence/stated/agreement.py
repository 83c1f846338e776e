"""Decide whether a statement of an answer says what a calculation comes to. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import ROUND_FLOOR, Decimal

from paliadin.evidence.notation import Date, find_dates, find_numbers, find_times, read_unit
from paliadin.evidence.stated.calendar_days import weekday_of
from paliadin.evidence.stated.values import MIXED, MONTHS, SHARE, TIME, Moment, Quantity, Value
from paliadin.evidence.statements import Statement
from paliadin.evidence.units import in_base_unit
from paliadin.evidence.vocabulary import PERIODS, RELATIVE_DAYS, SCALES, WEEKDAYS

_NATURAL = {TIME: (1, 60, 3600, 86_400, 604_800), MONTHS: (1, 12)}
ROUNDED = Decimal("0.05")  # of a number behind "about"
_DIGITS = re.compile(r"\d(?:[\d.,'’\u00a0\u202f\u2009]*\d)?")
_GERMAN_DECIMALS = re.compile(r"\d,\d{1,2}(?!\d)|\d\.\d{3}(?!\d)")
_DECIMALS = re.compile(r"\d[.,](\d{1,2}|\d{4,9})(?!\d|[.,]\d)")
CENT = Decimal("0.01")
_DOTTED_DATE = re.compile(r"\d\.\d\d?\.")


def says(statement: Statement, value: Value, *, is_share: bool = False, today: date | None = None) -> bool | None:
    """True if the statement says this value, False if it says another one; None if they are of different kinds.

    `today`: the day of the answer. `is_share`: the head of the statement's column, or its line, has a percent sign.
    """
    if isinstance(value, Moment):
        return _says_moment(statement, value, today)
    if statement.kind == "time" and value.dimension == TIME and statement.minutes is not None:
        return abs(value.amount / 60 - statement.minutes) < 1
    if not statement.numbers or statement.kind not in {"number", "amount", "count"}:
        return None
    shown = list(_shown(statement, value, is_share=is_share))
    if not shown:
        return None
    targets = list(statement.numbers)
    if statement.is_scaled:  # a column may count in thousands
        targets += [number / scale for scale in SCALES.values() for number in statement.numbers if number >= scale]
    return any(_is_near(statement, target, each, value) for each in shown for target in targets)


def _says_moment(statement: Statement, value: Moment, today: date | None) -> bool | None:
    if value.is_weekday:
        weekday = weekday_of(statement.words) if statement.kind == "date" else None
        return None if weekday is None or value.day is None else weekday == value.day.weekday()
    if statement.kind == "number" and value.seconds is not None and statement.step == CENT:
        hours = statement.numbers[0] // 1  # `12.00`
        return hours * 60 + (statement.numbers[0] - hours) * 100 == value.seconds // 60
    if statement.kind == "time" and value.seconds is not None and statement.minutes is not None:
        minutes = value.seconds // 60
        return minutes == statement.minutes or (statement.is_half and (minutes - statement.minutes) % 720 == 0)
    if statement.kind != "date" or value.day is None:
        return None
    if statement.dates:
        day = Date(value.day.year, value.day.month, value.day.day)
        return any(each.matches(day) for each in statement.dates)
    if statement.words in RELATIVE_DAYS and today:
        return value.day == today + timedelta(days=RELATIVE_DAYS[statement.words])
    weekday = weekday_of(statement.words)
    return None if weekday is None else weekday == value.day.weekday()


def _shown(statement: Statement, value: Quantity, *, is_share: bool) -> Iterator[Decimal]:
    """What the value is in the statement's unit; nothing if it cannot be shown in it."""
    unit, amount, is_plain = statement.unit, value.amount, value.dimension in {"", MIXED}
    base = in_base_unit(Decimal(1), unit)
    if unit == "%":
        if value.dimension == SHARE or (value.is_ratio and is_plain):
            yield amount * 100
        if value.is_ratio and is_plain:
            yield amount  # it was multiplied by 100 already
    elif base:
        if value.dimension == base[0]:
            yield amount / base[1]
        elif is_plain:
            yield amount
    elif unit:
        if is_plain or value.dimension == unit or (unit, value.dimension) == ("day", "workday"):
            yield amount
    else:
        yield from _shown_without_unit(value, is_share=is_share)


def _shown_without_unit(value: Quantity, *, is_share: bool) -> Iterator[Decimal]:
    if value.dimension == SHARE or (value.is_ratio and is_share):
        yield value.amount * 100
    if value.dimension in _NATURAL:
        yield from (value.amount / size for size in _NATURAL[value.dimension])
    elif value.dimension != SHARE:
        yield value.amount


def _is_near(statement: Statement, target: Decimal, value: Decimal, whole: Quantity) -> bool:
    """True if the number is the value, rounded to half of the last digit that it shows."""
    digit = statement.step if statement.about else min(statement.step, Decimal(1))
    apart = abs(abs(value) - abs(target))
    if statement.about:
        return apart <= max(digit, ROUNDED * abs(target))
    if statement.kind == "count" and not whole.is_ratio and not value % 1:
        return apart == 0
    if apart <= digit / 2:
        return True
    is_length = whole.dimension == TIME and statement.unit in PERIODS - {"day"}
    return is_length and digit == 1 and abs(value).to_integral_value(ROUND_FLOOR) == abs(target)


def says_quoted(statement: Statement, text: str) -> bool | None:
    """True if a line of a result says the statement; False if it says another value of its kind, None if none."""
    match statement.kind:
        case "date" if statement.dates:
            found = [each for dated in find_dates(text, strict=False) for each in dated.values]
            found += [Date(int(y), int(m), int(d)) for y, m, d in re.findall(r"(?<!\d)(\d{4})(\d\d)(\d\d)(?!\d)", text)]
            return any(one.matches(other) for one in statement.dates for other in found) if found else None
        case "time":
            times = [each.minutes for each in find_times(text)]
            return statement.minutes in times if times else None
        case "amount" | "number" | "count":
            return _says_quoted_number(statement, text)
        case "id" | "name":
            wanted, held = _letters(statement.words), _letters(text)
            return True if wanted and wanted in held else None
    return None


def _says_quoted_number(statement: Statement, text: str) -> bool | None:
    numbers = list(find_numbers(text)) if len(text) < 1_000 else []
    if any(_is_same_number(statement, value) for each in numbers for value in each.values):
        return True
    units = [read_unit(text, each.start, each.end).unit for each in numbers]
    return False if statement.unit and units == [statement.unit] else None


def _is_same_number(statement: Statement, value: Decimal) -> bool:
    return any(abs(abs(value) - abs(each)) <= min(statement.step, Decimal(1)) / 2 for each in statement.numbers)


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def shown_as(statement: Statement, text: str, value: Value, *, is_share: bool = False) -> str:
    """Write a value as `text`, a statement of an answer, writes its own: `87 %` beside `78 %`."""
    if isinstance(value, Moment):
        day = value.day
        if value.is_weekday and day:
            names = [word for word, number in WEEKDAYS.items() if number == day.weekday()]
            return names[-1 if statement.words.endswith("day") else 0].capitalize()
        written = "" if day is None else f"{day:%d.%m.%Y}" if _DOTTED_DATE.search(text) else day.isoformat()
        clock = f"{value.seconds // 3600:02}:{value.seconds // 60 % 60:02}" if value.seconds is not None else ""
        return " ".join(each for each in (written, clock) if each)
    shown = next(_shown(statement, value, is_share=is_share), value.amount)
    digits = _DECIMALS.search(text)
    decimals = len(digits[1]) if digits else 0
    if statement.kind == "count" and shown != shown.to_integral_value():
        decimals = 2
    plain = f"{shown:,.{decimals}f}"
    if _GERMAN_DECIMALS.search(text):
        plain = plain.translate(str.maketrans(",.", ".,"))
    return _DIGITS.sub(plain.replace("\\", ""), text, count=1) if _DIGITS.search(text) else plain
