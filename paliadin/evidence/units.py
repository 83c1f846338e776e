"""Units in which the same can be said, and lengths of time in a text. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from paliadin.evidence.notation import Date
from paliadin.evidence.vocabulary import PATTERNS

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


def find_lengths(text: str) -> Iterator[tuple[re.Match[str], Decimal]]:
    """Yield the places of the lengths of time with several units in a text, and the lengths in seconds."""
    for match in PATTERNS["length"].finditer(text):
        hours, minutes, seconds = (Decimal((match[n] or "0").replace(",", ".")) for n in (1, 2, 3))
        if any(match.groups()):
            yield match, hours * 3600 + minutes * 60 + seconds
