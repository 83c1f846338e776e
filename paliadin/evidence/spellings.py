"""All the ways in which a statement's value may be written in a result. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from paliadin.evidence.notation import Date
from paliadin.evidence.statements import Statement
from paliadin.evidence.vocabulary import MONTHS

_MONTH_NAMES: dict[int, tuple[str, ...]] = {
    number: tuple(name.capitalize() for name, other in MONTHS.items() if other == number) for number in range(1, 13)
}


def spell(statement: Statement) -> frozenset[str]:
    """Return the spellings in digits of a date, a time, a number or an id."""
    match statement.kind:
        case "date":
            return frozenset(text for date in statement.dates for text in _spell_date(date))
        case "time":
            minutes = statement.minutes or 0
            halves = (minutes, (minutes + 720) % 1440) if statement.is_half else (minutes,)
            return frozenset(text for each in halves for text in _spell_time(each))
        case "number" | "amount" | "count":
            return frozenset(text for value in statement.numbers for text in _spell_number(value))
        case "id":
            return frozenset(_spell_id(statement.words))
    return frozenset()


def month_names(statement: Statement) -> frozenset[str]:
    """Return the names of the months of a date, in both languages, long and short."""
    return frozenset(name for date in statement.dates for name in _MONTH_NAMES[date.month])


def spell_with_month(statement: Statement, name: str) -> frozenset[str]:
    """Return the spellings of a date with this name for its month."""
    return frozenset(
        text for date in statement.dates if name in _MONTH_NAMES[date.month] for text in _spell_month(date, name)
    )


def _spell_date(date: Date) -> Iterator[str]:
    month, day, year = date.month, date.day, date.year
    if day is None:
        yield from (f"{year}-{month:02}", f"{month:02}.{year}", f"{month}.{year}", f"{month:02}/{year}")
        return
    months = {f"{month}", f"{month:02}"}
    if year:
        yield from (f"{year}-{month:02}-{day:02}", f"{year}/{month:02}/{day:02}", f"{year}{month:02}{day:02}")
    else:
        yield f"-{month:02}-{day:02}"
    yield f"{day:02}.{month:02}"
    for d in {f"{day}", f"{day:02}"}:
        for m in months:
            yield f"{d}.{m}."
            if year:
                yield from (f"{d}.{m}.{year}", f"{d}. {m}. {year}", f"{d}.{m}.{year % 100:02}")
                yield from (f"{d}/{m}/{year}", f"{m}/{d}/{year}")


def _spell_month(date: Date, name: str) -> Iterator[str]:
    day = date.day
    if day is None:
        yield from (f"{name}{dot} {date.year}" for dot in ("", "."))
        return
    ordinal = {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day not in {11, 12, 13} else 0, "th")
    for d in {f"{day}", f"{day:02}"}:
        yield from (f"{d}. {name}", f"{d} {name}", f"{d}-{name}", f"{name} {d}", f"{name}. {d}")
    yield from (f"{day}{ordinal} {name}", f"{day}{ordinal} of {name}", f"{name} {day}{ordinal}")


def _spell_time(minutes: int) -> Iterator[str]:
    hour, minute = divmod(minutes, 60)
    yield f"T{hour:02}{minute:02}00"  # of a calendar's file
    for h in {f"{hour}", f"{hour:02}"}:
        yield from (f"{h}:{minute:02}", f"{h}.{minute:02}", f"{h}.{minute:02} Uhr", f"{h} Uhr {minute:02}")
        if minute == 0:
            yield from (f"{h} Uhr", f"{h} uhr", f"{h}h", f"{h} o'clock")
    half, twelve = ("pm" if hour >= 12 else "am"), hour % 12 or 12
    for suffix in (half, half.upper(), f"{half[0]}.m."):
        yield from (f"{twelve}:{minute:02}{gap}{suffix}" for gap in ("", " "))
        if minute == 0:
            yield from (f"{twelve}{gap}{suffix}" for gap in ("", " "))


def _spell_number(value: Decimal) -> Iterator[str]:
    plain = f"{abs(value):f}"
    whole, _, decimals = plain.partition(".")
    decimals = decimals.rstrip("0")
    groups = _grouped(whole)
    for written, marks in [
        (whole, ".,"),
        *((separator.join(groups), "," if separator == "." else ".") for separator in ".,"),
    ]:
        yield from _with_decimals(written, decimals, marks)
    if len(groups) > 1:
        for separator in "'’ \u00a0\u202f\u2009_":
            yield from _with_decimals(separator.join(groups), decimals, ".,")


def _grouped(whole: str) -> list[str]:
    first = len(whole) % 3
    return ([whole[:first]] if first else []) + [whole[i : i + 3] for i in range(first, len(whole), 3)]


def _with_decimals(written: str, decimals: str, marks: str) -> Iterator[str]:
    if not decimals:
        yield written
        yield from (f"{written}{mark}{zeros}" for mark in marks for zeros in ("0", "00"))
        return
    for mark in marks:
        yield f"{written}{mark}{decimals}"
        if len(decimals) == 1:
            yield f"{written}{mark}{decimals}0"


def _spell_id(words: str) -> Iterator[str]:
    plain = re.sub(r"[ \u00a0]+", " ", words)
    yield plain
    if plain.startswith("#"):
        yield plain[1:]  # of a field such as `number`
    compact = plain.replace(" ", "")
    if compact != plain:
        yield compact
        patent = re.fullmatch(r"([A-Z]{2})(\d+)(?:([A-CTU])(\d?))?", compact)
        if patent:
            digits = patent[2]
            yield from (f"{patent[1]}{digits}", f"{patent[1]} {digits}", f"{patent[1]} " + " ".join(_grouped(digits)))
    elif patent := re.fullmatch(r"([A-Z]{2})(\d{6,12})(?:([A-CTU])(\d?))?", compact):
        digits, kind = patent[2], (patent[3] or "") + (patent[4] or "")
        spaced = f"{patent[1]} " + " ".join(_grouped(digits))
        yield from (f"{patent[1]} {digits}", spaced, f"{spaced} {kind}".strip(), f"{patent[1]}{digits}")
    if national := re.fullmatch(r"(?:DE|EP|WO|US|GB|FR) ?(\d[\d .,/]{5,20}?)(?: ?[A-CTU]\d?)?", plain):
        yield national[1]  # the office's own papers leave its country out
    if account := re.fullmatch(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", compact):
        yield " ".join(account[0][i : i + 4] for i in range(0, len(compact), 4))
    court = re.fullmatch(r"(\w+)( ?)([A-Z][A-Za-z]*) ?(\d+/\d+)", plain)
    if court:
        yield f"{court[1]} {court[3]} {court[4]}"
