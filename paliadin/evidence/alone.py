"""Recognise parts of dates that stand alone, and lines: `im Mai`, `since 2019`, `KW 9`, `line 120`. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal

from paliadin.evidence.model import Kind
from paliadin.evidence.vocabulary import MONTHS, PATTERNS

Fields = Mapping[str, object]
"""The fields of a statement, as in statements.py."""

_ORDINAL_UNIT = PATTERNS["ordinal_unit"]
_HOURS_AND_MINUTES = PATTERNS["hours_and_minutes"]
_MINUTES_AND_SECONDS = PATTERNS["minutes_and_seconds"]
_DAY_WORD = PATTERNS["day_word"]
_MONTH_NAME = "|".join(word.capitalize() for word in MONTHS if len(word) > 3 or word in {"mai", "may"})
_MONTH_ALONE = PATTERNS["month_alone"]
_YEAR_ALONE = PATTERNS["year_alone"]
_WEEK_ALONE = PATTERNS["week_alone"]
_LINE_ALONE = PATTERNS["line_alone"]
_DAY_ALONE = PATTERNS["day_alone"]


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
    (_HOURS_AND_MINUTES, "number", _minutes),
    (_MINUTES_AND_SECONDS, "number", _seconds),
    (_MONTH_ALONE, "date", _day),
    (_YEAR_ALONE, "number", _number),
    (_WEEK_ALONE, "date", _week),
    (_LINE_ALONE, "line", _line),
    (_DAY_ALONE, "date", _day),
    (_ORDINAL_UNIT, "number", _number),
    (_DAY_WORD, "date", _day),
)
"""What is looked for, in this order; the first group is the statement."""
