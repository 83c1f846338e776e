"""Recognise parts of dates that stand alone, and lines: `im Mai`, `since 2019`, `KW 9`, `line 120`. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal

from paliadin.evidence.model import Kind
from paliadin.evidence.vocabulary import MONTHS, RELATIVE_DAYS, WEEKDAYS

Fields = Mapping[str, object]
"""The fields of a statement, as in statements.py."""

_ORDINAL_UNIT = re.compile(
    r"(?<![\w.,/-])(\d{1,3})\.[ \u00a0](?=(?:Jahr|Jahres|Jahresgebühr|Monat|Stunde|Tag|Woche|Auflage)\b)"
)
_HOURS_AND_MINUTES = re.compile(
    r"(?<![\w.,:/-])((\d{1,3}) ?(?:h|Std\.?|Stunden?|hours?)(?: and| und)? "
    r"(\d{1,2}) ?(?:m|min\.?|Minuten?|minutes?))(?!\w)"
)
_MINUTES_AND_SECONDS = re.compile(r"(?<![\d:.,])((\d{1,3}):([0-5]\d))(?= ?(?:min|minutes?|Minuten?)\b)")
_DAY_WORD = re.compile(r"(?<![\w-])(" + "|".join([*WEEKDAYS, *RELATIVE_DAYS]) + r")(?!\w)", re.IGNORECASE)
_MONTH_NAME = "|".join(word.capitalize() for word in MONTHS if len(word) > 3 or word in {"mai", "may"})
_MONTH_ALONE = re.compile(
    r"(?:\b(?:[Ii]m|[Aa]b|[Ss]eit|[Bb]is|[Aa]nfang|[Mm]itte|[Ee]nde|[Vv]om|[Ii]n|[Ss]ince|[Uu]ntil|[Bb]y|[Ff]rom|"
    rf"[Oo]f|early|mid|late|[Mm]onat)[ -])({_MONTH_NAME})(?![\w-]|\.? ?\d)"
)
_YEAR_ALONE = re.compile(
    r"\b(?:[Ss]eit|[Ss]ince|Ende|Anfang|[Ee]nd of|[Uu]ntil|early|late) ((?:19|20)\d\d)(?![\w/.-]\w)"
)
_WEEK_ALONE = re.compile(r"\b((?:KW|Kalenderwoche|calendar week) ?([1-9]|[1-4]\d|5[0-3]))(?!\d|[.,]\d)")
_LINE_ALONE = re.compile(r"\b((?:Zeile|[Ll]ine) (\d{2,6}))\b(?! (?:of|in|von|der) )")
_DAY_ALONE = re.compile(
    r"\b(?:on|by|until|till|from|since|before|after|to) (the \d{1,2}(?:st|nd|rd|th))"
    r"(?=[.,;:)]|\Z| (?:and|at|because|if|with|already)\b)"
)


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
