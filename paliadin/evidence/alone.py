"""Recognise parts of dates that stand alone, and lines: `im Mai`, `since 2019`, `KW 9`, `line 120`. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal

from paliadin.evidence.model import Kind
from paliadin.evidence.vocabulary import PATTERNS

Fields = Mapping[str, object]
"""The fields of a statement, as in statements.py."""


def _day(match: re.Match[str]) -> Fields:
    return {"words": match[1].lower()}


def _week(match: re.Match[str]) -> Fields:
    return {"words": f"kw {int(match[2])}"}


def _number(match: re.Match[str]) -> Fields:
    return {"numbers": (Decimal(match[1]),)}


def _minutes(match: re.Match[str]) -> Fields:
    return {"numbers": (Decimal(int(match[2]) * 60 + int(match[3])),), "unit": "min"}


def _seconds(match: re.Match[str]) -> Fields:
    return {"numbers": (Decimal(int(match[2]) * 60 + int(match[3])),), "unit": "s", "about": True}


def _line(match: re.Match[str]) -> Fields:
    return {"lines": (int(match[2]), int(match[2]))}


PARTS: tuple[tuple[re.Pattern[str], Kind, Callable[[re.Match[str]], Fields]], ...] = (
    (PATTERNS["hours_and_minutes"], "number", _minutes),
    (PATTERNS["minutes_and_seconds"], "number", _seconds),
    (PATTERNS["month_alone"], "date", _day),
    (PATTERNS["year_alone"], "number", _number),
    (PATTERNS["week_alone"], "date", _week),
    (PATTERNS["line_alone"], "line", _line),
    (PATTERNS["day_alone"], "date", _day),
    (PATTERNS["ordinal_unit"], "number", _number),
    (PATTERNS["day_word"], "date", _day),
)
"""What is looked for, in this order; the first group is the statement."""
