"""How far dates and times are apart, in a text's own units. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import combinations

from paliadin.evidence.notation import Date, find_dates, find_times
from paliadin.evidence.vocabulary import NUMBER_WORDS

MAX_DATES = 40  # that are compared with each other
_MIN_YEAR, _MAX_YEAR = 1300, 8700
_MINUTES = {"min": Decimal(1), "h": Decimal(60)}
_SAME: dict[str, tuple[str, Decimal]] = {  # a unit → what it is a multiple of, and how often
    "ms": ("s", Decimal("0.001")),
    "s": ("s", Decimal(1)),
    "min": ("s", Decimal(60)),
    "h": ("s", Decimal(3600)),
    "day": ("s", Decimal(86_400)),
    "week": ("s", Decimal(604_800)),
    "byte": ("byte", Decimal(1)),
    "kb": ("byte", Decimal(1024)),
    "mb": ("byte", Decimal(1024**2)),
    "gb": ("byte", Decimal(1024**3)),
    "month": ("month", Decimal(1)),
    "quarter": ("month", Decimal(3)),
    "year": ("month", Decimal(12)),
    "km": ("m", Decimal(1000)),
    "m": ("m", Decimal(1)),
    "cm": ("m", Decimal("0.01")),
    "mm": ("m", Decimal("0.001")),
    "t": ("g", Decimal(1_000_000)),
    "kg": ("g", Decimal(1000)),
    "g": ("g", Decimal(1)),
    "ct": ("EUR", Decimal("0.01")),
    "EUR": ("EUR", Decimal(1)),
}

_PERIOD_UNITS = {
    "monat": "month", "woche": "week", "wöch": "week", "tag": "day", "täg": "day", "jahr": "year", "jähr": "year",
    "month": "month", "week": "week", "day": "day", "year": "year",
}  # fmt: skip
_PERIOD_WORD = re.compile(
    r"(?<!\w)(\d{1,3}|ein|eine|one|"
    + "|".join(word for word, number in NUMBER_WORDS.items() if number < 32)
    + r")[ -]?"
    r"(" + "|".join(_PERIOD_UNITS) + r")",
    re.IGNORECASE,
)

_LENGTH = re.compile(
    r"(?<![\w.,])(?:PT)?(?=\d)(?:(\d{1,3}(?:[.,]\d{1,2})?) ?(?:h|Std\.?|Stunden?|hours?|hrs?)(?:,? (?:and |und )?)?)?"
    r"(?:(\d{1,4}) ?(?:m|min\.?|mins|Minuten?|minutes?)(?:,? (?:and |und )?)?)?"
    r"(?:(\d{1,4}) ?(?:s|sec|Sek\.?|seconds?|Sekunden?))?"
    r"(?!\w)",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?<![\d:])([01]\d|2[0-3]):([0-5]\d):([0-5]\d(?:[.,]\d{1,6})?)(?!\d)")
_THOUSANDS = {"kb": Decimal(1000), "mb": Decimal(10**6), "gb": Decimal(10**9)}  # beside those of 1,024

Moment = tuple[date | None, int]
"""A time in minutes since midnight, and its day, if that is named."""


def days_between(target: int, unit: str, dates: Iterable[date], *, about: bool = False) -> bool:
    """True if two of these dates are as far apart: `target` days, working days, weeks, months or years."""
    known = sorted(set(dates))[:MAX_DATES]
    return any(target in _apart(one, other, unit, about=about) for one, other in combinations(known, 2))


def _apart(one: date, other: date, unit: str, *, about: bool) -> set[int]:
    days = (other - one).days
    if unit == "day":
        return set(range(days - 2, days + 3)) if about else {days}
    if unit == "workday":
        worked = _workdays_until(other) - _workdays_until(one)
        return {worked, worked + 1}
    if unit == "week":
        return {days // 7, round(days / 7)}
    months = (other.year - one.year) * 12 + other.month - one.month
    whole = months - (other.day < one.day)
    return {whole, round(days / 30.44)} if unit == "month" else {whole // 12, round(months / 12)}


def _workdays_until(day: date) -> int:
    """How many days from Monday to Friday there were since the year 1, that day included; the first was a Monday."""
    weeks, rest = divmod(day.toordinal(), 7)
    return weeks * 5 + min(rest, 5)


def shifted(dates: Sequence[date], amount: int, unit: str) -> Iterator[date]:
    """Yield what lies that long before and after each of these dates."""
    for each in dates:
        for sign in (1, -1):
            if not _MIN_YEAR <= each.year <= _MAX_YEAR:  # the sum could be outside what `date` knows
                continue
            if unit in {"day", "week"} and amount < 40_000:
                yield each + timedelta(days=sign * amount * (7 if unit == "week" else 1))
            elif unit in {"month", "year"} and amount < 1200:
                yield _months_later(each, sign * amount * (12 if unit == "year" else 1))


def periods_in_words(text: str) -> list[tuple[int, str]]:
    """The periods in words such as `Viermonatsfrist`, `2-month`, `dreiwöchig`."""
    found = []
    for match in _PERIOD_WORD.finditer(text):
        amount = NUMBER_WORDS.get(match[1].lower()) or (int(match[1]) if match[1].isdigit() else 1)
        found.append((amount, _PERIOD_UNITS[match[2].lower()]))
    return found


def _months_later(start: date, months: int) -> date:
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    last = (date(year + (month == 11), (month + 1) % 12 + 1, 1) - timedelta(days=1)).day
    return date(year, month + 1, min(start.day, last))


def moments_of(text: str, today: date | None) -> list[Moment]:
    """The times in a text, each with the date before it."""
    dates = [(dated.start, as_date(dated.values[0], today)) for dated in find_dates(text, strict=False)]
    found = []
    for timed in sorted(find_times(text), key=lambda each: each.start)[:MAX_DATES]:
        before = [day for start, day in dates if start < timed.start and day]
        found.append((before[-1] if before else None, timed.minutes))
    return found


def moment_shifted(day: date | None, minutes: int, by: int) -> Iterator[Moment]:
    """Yield the moments that lie so many minutes before and behind one."""
    for total in (minutes + by, minutes - by):
        days, rest = divmod(total, 1440)
        yield day + timedelta(days=days) if day and abs(days) < 40_000 else None, rest


def minutes_between(target: Decimal, unit: str, moments: Sequence[Moment], *, about: bool) -> bool:
    """True if two of these moments are `target` minutes or hours apart."""
    size = _MINUTES[unit]
    for (one_day, one), (other_day, other) in combinations(moments[:MAX_DATES], 2):
        days = (other_day - one_day).days if one_day and other_day else 0
        minutes = abs(days * 1440 + other - one)
        around_midnight = () if days else (1440 - minutes,)
        for apart in (each / size for each in (minutes, *around_midnight)):
            if apart == target or (about and abs(apart - target) <= Decimal("0.6")):
                return True
    return False


def seconds_between(target: Decimal, text: str, *, about: bool) -> bool:
    """True if two of a text's times with seconds are as many seconds apart; `about`: give or take a tenth of these."""
    clocks = [
        3600 * int(h) + 60 * int(m) + Decimal(s.replace(",", ".")) for h, m, s in _CLOCK.findall(text)[:MAX_DATES]
    ]
    reach = target / 10 if about else Decimal("0.5") if target % 1 == 0 else Decimal("0.05")
    return any(abs(abs(one - other) - target) <= reach for one, other in combinations(clocks, 2) if one != other)


def lengths_in(text: str) -> list[Decimal]:
    """The lengths of time that a text gives, in minutes: `2 h 20 min`, `45 min`, `1,5 Stunden`, `PT1H5M`."""
    return [minutes for _, minutes in find_lengths(text)][:MAX_DATES]


def find_lengths(text: str) -> Iterator[tuple[re.Match[str], Decimal]]:
    """Yield the places of the lengths of time in a text, and the lengths in minutes."""
    for match in _LENGTH.finditer(text):
        hours, minutes, seconds = (Decimal((match[n] or "0").replace(",", ".")) for n in (1, 2, 3))
        if any(match.groups()):
            yield match, hours * 60 + minutes + seconds / 60


def as_date(each: Date, today: date | None) -> date | None:
    """The day that a date of a text means; without a year, it is of this one. None if it is no single day."""
    year = each.year or (today.year if today else None)
    if year is None or each.day is None:
        return None
    try:
        return date(year, each.month, each.day)
    except ValueError:
        return None


def in_base_unit(value: Decimal, unit: str | None) -> tuple[str, Decimal] | None:
    """Return a number in the unit that others are compared in: 3 days and 72 hours are both 259,200 s."""
    same = _SAME.get(unit or "")
    return (same[0], value * same[1]) if same else None


def by_kind(lengths: Iterable[Decimal], numbers: Iterable[tuple[Decimal, str | None]]) -> dict[str, list[Decimal]]:
    """Sort lengths of time (in minutes) and numbers with units by kind: `s`, `byte`, ...; each in its base unit."""
    found: dict[str, list[Decimal]] = {"s": [minutes * 60 for minutes in lengths]}
    for value, unit in numbers:
        base = in_base_unit(value, unit)
        if base and base[0] != "s":
            found.setdefault(base[0], []).append(base[1])
    return found


def in_unit_of(value: Decimal, unit: str | None, wanted: str | None) -> Decimal:
    """Return a number in another unit of its kind: 90 s are 1.5 min. A share is a factor; others stay as they are."""
    base, size = in_base_unit(value, unit), in_base_unit(Decimal(1), wanted)
    if base and size and base[0] == size[0]:
        return base[1] / size[1]
    return value / 100 if unit == "%" and wanted != "%" else value


def in_other_units(value: Decimal, step: Decimal, unit: str | None) -> Iterator[tuple[Decimal, Decimal]]:
    """Yield what a number, and its last digit's worth, are in other units of the same kind."""
    base = in_base_unit(value, unit)
    if unit == "%":
        yield value / 100, Decimal(0)
    if unit in {"USD", "GBP", "CHF"}:
        yield value * 100, Decimal(0)
    for other, (kind, size) in _SAME.items() if base else ():
        if base and kind == base[0] and other != unit:
            # One digit's own reach ("3 days": 60 to 84 hours) would be met by some number by chance.
            yield base[1] / size, min(step, value / 10) * _SAME[str(unit)][1] / size
    if unit in _THOUSANDS:
        yield value * _THOUSANDS[unit], step * _THOUSANDS[unit]
