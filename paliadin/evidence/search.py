"""Look many values up in long texts in one pass, each as a whole. Pure.

Every spelling has a digit. The runs of digits of a text are visited once, and only where one of them begins a spelling
the text around it is compared: so the time does not grow with the number of values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from paliadin.evidence.notation import Date, find_dates
from paliadin.evidence.spellings import spell
from paliadin.evidence.statements import Statement
from paliadin.evidence.vocabulary import UNITS

_DIGITS = re.compile(r"\d+")
_GREP_PREFIX = re.compile(r"(?<!\S)[^\s:]{0,200}[./][^\s:]{1,200}:(?:\d{1,7}[:-])?\Z")
_LETTERS = re.compile(r"[^\W\d_]{1,12}")
_FILE_NAME = re.compile(r"[^\s/\\]{1,100}\.[A-Za-z]\w{1,5}")
_COMMIT = re.compile(r"[0-9a-f]{7,40}")
_TOKEN = frozenset(".:/-@+#")  # besides letters, digits and `_`: what belongs to an id


@dataclass(frozen=True, slots=True)
class Hit:
    """A place in a text at which a statement's value stands."""

    start: int
    end: int


class Lookup:
    """The spellings of many statements, ready to be found. A statement is known by its number in `statements`."""

    def __init__(self, statements: Mapping[int, Statement]) -> None:
        self._statements = statements
        self._by_run: dict[str, dict[tuple[int, int], dict[str, list[int]]]] = {}
        for number, statement in statements.items():
            for spelling in spell(statement):
                if run := _DIGITS.search(spelling):
                    places = self._by_run.setdefault(run[0], {})
                    table = places.setdefault((run.start(), len(spelling)), {})
                    table.setdefault(spelling, []).append(number)

    def hits(self, text: str, *, lenient: bool = False) -> Iterator[tuple[int, Hit]]:
        """Yield (statement, place) of each value in the text. `lenient`: also as a part of a longer id or number."""
        by_run = self._by_run
        for run in _DIGITS.finditer(text):
            places = by_run.get(run[0])
            if places is None:
                continue
            at = run.start()
            for (offset, length), table in places.items():
                start = at - offset
                numbers = table.get(text[start : start + length]) if start >= 0 else None
                for number in numbers or ():
                    if lenient or self._is_whole(number, text, start, start + length):
                        yield number, Hit(start, start + length)

    def _is_whole(self, number: int, text: str, start: int, end: int) -> bool:
        statement = self._statements[number]
        if statement.kind == "date":
            return _is_date(text, start, end, statement.dates)
        if statement.kind == "id":
            return _is_id(statement.words, text, start, end)
        return _IS_WHOLE[statement.kind](text, start, end)


def holds_token(text: str, token: str) -> bool:
    """True if the text holds an id as a whole token: `.`, `:`, `/`, `-` and `_` belong to it."""
    at = text.find(token)
    while at >= 0:
        if _is_whole_id(text, at, at + len(token)):
            return True
        at = text.find(token, at + 1)
    return False


def _is_id(words: str, text: str, start: int, end: int) -> bool:
    """True if an id stands here: a file's name may have its folder before it, a commit's be the beginning of a longer."""
    if words.startswith("#") and text[start] != "#":
        return _is_whole_number(text, start, end)
    if _FILE_NAME.fullmatch(words) and text[start - 1 : start] in {"/", "\\"}:
        return _is_whole_id(text, start, end, at_path=True)
    if _is_folder(text, start, end):
        return True
    if _COMMIT.fullmatch(words) and (longer := _COMMIT.match(text, start)):
        return _is_whole_id(text, start, longer.end())
    return _is_whole_id(text, start, end)


def _is_folder(text: str, start: int, end: int) -> bool:
    """True if a path has the id as one of its folders."""
    if text[start - 1 : start] != "/" or text[end : end + 1] not in {"/", ""} and not text[end].isspace():
        return False
    first, last = start, end
    while first > 0 and not text[first - 1].isspace() and start - first < 200:
        first -= 1
    while last < len(text) and not text[last].isspace() and last - end < 200:
        last += 1
    path = text[first:last]
    return path.count("/") > 1 or path.startswith("/")


def _is_whole_id(text: str, start: int, end: int, *, at_path: bool = False) -> bool:
    before = text[start - 1 : start]
    if not at_path and before and (before.isalnum() or before == "_" or before in _TOKEN):
        line = text.rfind("\n", max(start - 400, 0), start) + 1
        if not _GREP_PREFIX.search(text, max(line, start - 400), start):
            return False
    while end < len(text) and text[end] in ".:/-":
        end += 1
    behind = text[end : end + 1]
    return not behind or not (behind.isalnum() or behind in "_@")


def _is_whole_number(text: str, start: int, end: int) -> bool:
    if _is_cell(text, start, end):
        return True
    before, behind = text[max(start - 2, 0) : start], text[end : end + 2]
    if (
        before[-1:].isalnum()
        or before[-1:] == "_"
        or (before[-1:] in ".,:/-'" and before[:1].isdigit() and len(before) > 1)
    ):
        return False
    if behind[:1].isdigit() or (behind[:1] in ".,:/-'’" and behind[1:].isdigit()):
        return False
    if before[-1:] == "#" or (behind[:1] == "_"):
        return False
    return not behind[:1].isalpha() or _unit_behind(text, end)


def _is_cell(text: str, start: int, end: int) -> bool:
    """True for a cell of a line of CSV: a comma on both sides there divides nothing of a number."""
    if text[start - 1 : start] != "," or (end < len(text) and text[end] not in ",\r\n"):
        return False
    first, last = line_around(text, start, end, 300)
    return text.count(",", first, last) > 2 and ", " not in text[first:last]


def _unit_behind(text: str, end: int) -> bool:
    word = _LETTERS.match(text, end)
    return word is not None and word[0].lower() in UNITS


def _is_date(text: str, start: int, end: int, dates: tuple[Date, ...]) -> bool:
    """True if one of these dates stands at the place, whatever else of it (a year, a day) is around it."""
    first = max(start - 14, 0)
    return any(
        dated.start + first < end
        and dated.end + first > start
        and any(date.matches(each) for date in dates for each in dated.values)
        for dated in find_dates(text[first : end + 14], strict=False)
    )


def _is_whole_time(text: str, start: int, end: int) -> bool:
    before, behind = text[max(start - 2, 0) : start], text[end : end + 2]
    if before[-1:].isdigit() or (before[-1:] in ".,:/" and before[:1].isdigit() and len(before) > 1):
        return False
    if before[-1:].isalpha() and not (before[-1:] == "T" and before[:1].isdigit()):
        return False
    return not (behind[:1].isdigit() or (behind[:1].isalpha() and behind[:1] not in "Zh"))


_IS_WHOLE: Mapping[str, Callable[[str, int, int], bool]] = {
    "time": _is_whole_time,
    "number": _is_whole_number,
    "amount": _is_whole_number,
    "count": _is_whole_number,
}


def line_around(text: str, start: int, end: int, margin: int) -> tuple[int, int]:
    """Return where the line around a place begins and ends, at most `margin` characters away from it."""
    first = max(text.rfind("\n", 0, start) + 1, start - margin)
    last = text.find("\n", end)
    return first, min(len(text) if last < 0 else last, end + margin)
