"""Look many values up in long texts in one pass, each as a whole. Pure.

Every spelling has a digit. The tokens of digits of a text (`2026-03-02`, `4.711,50`) are visited once, and only where a
spelling has the same token the text around it is compared: so the time does not grow with the number of values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping

from paliadin.evidence.notation import Date, find_dates
from paliadin.evidence.places import Hit, line_around
from paliadin.evidence.spellings import month_names, spell, spell_with_month
from paliadin.evidence.statements import Statement
from paliadin.evidence.vocabulary import UNITS

_DIGITS = re.compile(r"\d+")
_TOKEN_OF_DIGITS = re.compile(r"\d+(?:[.,:/'’-]\d+)*")
_PLAIN = re.compile(r"\d+(?:[.,]\d+)?")
MAX_RUNS = 4  # of digits, in a part of a token
_GREP_PREFIX = re.compile(r"(?<!\S)[^\s:]{0,200}[./][^\s:]{1,200}:(?:\d{1,7}[:-])?\Z")
_LINE_PREFIX = re.compile(r"\d{1,7}:")  # of a search in one file
_LETTERS = re.compile(r"[^\W\d_]{1,12}")
_FILE_NAME = re.compile(r"[^\s/\\]{1,100}\.[A-Za-z]\w{1,5}")
_FILE_ENDING = re.compile(r"\.[A-Za-z]{2,5}(?![\w./:@-])")
_RATED = re.compile(r"/(?:5|10|100)(?![\d/-]|[.,]\d)")  # 4.1/5
_SLASHED = re.compile(r"(?<![\w./])\d{1,6}\.\d{1,4}(?:/\d{1,6}\.\d{1,4}){2,5}(?![\w/])")
_LONG_NUMBER = re.compile(r"\d{4,}|\d{1,3}\.\d")  # no part of a number with a comma: a cell of its own
_MONTH_ONLY = re.compile(r"\d{4}-\d\d|\d\d?[./]\d{4}")
_YEAR_BEFORE = re.compile(r"/\d{4}:\Z")  # in a web server's log
_ADDRESS_BEFORE = re.compile(r"\d\.\d{1,3}:\Z")
_HIT = re.compile(r"(?<!\S)[^\s:]{0,200}[./][^\s:]{1,200}:\d{1,7}[:-]\Z")
_HIT_LINE = re.compile(r":\d{1,7}[:-]")
_HIT_PATH = re.compile(r"(?m)^[^\s:]{1,190}:\Z")
MAX_PLACES = 1_000  # at which an id is tried in one text
_DIVIDERS = frozenset("\"'|,;\t\n\r[](){}<>=") | {""}
_VERSION = re.compile(r"v?\d{1,4}(?:\.\d{1,6}){1,3}")
_PART_OF_VERSION = re.compile(r"\d\.?\Z")
_COMPACT_DATE = re.compile(r"\d{8}")  # of a calendar's file
_WHOLE_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d\d?\.\d\d?\.\d{4}")
_MORE_BEFORE = re.compile(r"\w\Z|\d[./-]\Z|-\Z")
_MORE_BEHIND = re.compile(r"\d|[./-]\d|-")
_COMMIT = re.compile(r"[0-9a-f]{7,40}")
_TOKEN = frozenset(".:/-@+#")  # besides letters, digits and `_`: what belongs to an id


def _length(match: re.Match[str]) -> int:
    return match.end() - match.start()


def _shape(text: str, end: int) -> str:
    """What follows a token, where more of a spelling does: the next character, and if a digit stands behind it."""
    behind = text[end : end + 2]
    return behind[:1] + "0" * behind[1:].isdigit()


def _parts(token: str) -> Iterator[tuple[int, int]]:
    """The places of the parts of a token that has several runs of digits, at most so many of them."""
    runs = [run.span() for run in _DIGITS.finditer(token)]
    for at, (start, _) in enumerate(runs):
        yield from ((start, end) for _, end in runs[at : at + MAX_RUNS] if end - start < len(token))


_Places = dict[tuple[int, int], dict[str, list[int]]]
"""Where a token stands in a spelling, and the spelling's length → the spellings, each with its statements."""

_Spellings = tuple[int, int, dict[str, _Places]]
"""Where a part of a token begins and ends, and the spellings that have it, by what follows it."""


class Lookup:
    """The spellings of many statements, ready to be found. A statement is known by its number in `statements`.

    Statements of the same value are looked up once. Dates with a month's name are spelled only for texts that have it.
    """

    def __init__(self, statements: Mapping[int, Statement]) -> None:
        self._same: dict[int, list[int]] = {}  # one of each value → all of that value
        self._values: dict[int, Statement] = {}
        self._months: dict[str, list[int]] = {}  # a month's name → the dates in it
        self._spelled_out: set[str] = set()  # the months whose dates are among the spellings
        self._by_token: dict[str, dict[str, _Places]] = {}  # a token → what follows it in a spelling
        first: dict[object, int] = {}
        for number, statement in statements.items():
            key = (statement.kind, statement.dates, statement.minutes, statement.numbers, statement.words)
            one = first.setdefault(key, number)
            self._same.setdefault(one, []).append(number)
        for number in self._same:
            self._values[number] = statements[number]
            self._add(number, spell(statements[number]))
            for month in month_names(statements[number]):
                self._months.setdefault(month, []).append(number)

    def _add(self, number: int, spellings: Iterable[str]) -> None:
        for spelling in spellings:
            token = _TOKEN_OF_DIGITS.match(spelling)
            if token is None or token.end() < len(spelling):  # the longest one is the rarest in a text
                token = max(_TOKEN_OF_DIGITS.finditer(spelling), key=_length, default=None)
            if token:
                places = self._by_token.setdefault(token[0], {}).setdefault(_shape(spelling, token.end()), {})
                places.setdefault((token.start(), len(spelling)), {}).setdefault(spelling, []).append(number)

    def _spell_out(self, text: str) -> None:
        """Add the spellings of the dates whose month the text names."""
        for month, numbers in self._months.items():
            if month not in self._spelled_out and month in text:
                self._spelled_out.add(month)
                for number in numbers:
                    self._add(number, spell_with_month(self._values[number], month))

    def hits(self, text: str, *, done: Container[int] = (), lenient: bool = False) -> Iterator[tuple[int, Hit]]:
        """Yield (statement, place) of each value in the text, but for those of `done`, which may grow meanwhile.

        `lenient`: also as a part of a longer id or number.
        """
        self._spell_out(text)
        spellings = self._spellings_in(text)
        for match in (each for each in _TOKEN_OF_DIGITS.finditer(text) if each[0] in spellings):
            for start, end, by_shape in spellings[match[0]]:
                if places := by_shape.get(""):
                    yield from self._hits_at(text, match.start() + start, places, done, lenient=lenient)
                if len(by_shape) > 1 or "" not in by_shape:
                    shape = _shape(text, match.start() + end)
                    if shape and (places := by_shape.get(shape)):
                        yield from self._hits_at(text, match.start() + start, places, done, lenient=lenient)

    def _spellings_in(self, text: str) -> dict[str, list[_Spellings]]:
        """The tokens of a text that spellings have, also as a part: the month of a date, a cell, an end of a range."""
        tokens = set(_TOKEN_OF_DIGITS.findall(text))
        known = {token: [(0, len(token), self._by_token[token])] for token in tokens & self._by_token.keys()}
        for token in tokens:
            parts = () if _PLAIN.fullmatch(token) else _parts(token)
            for start, end in parts:
                if token[start:end] in self._by_token:
                    known.setdefault(token, []).append((start, end, self._by_token[token[start:end]]))
        return known

    def _hits_at(
        self, text: str, at: int, places: _Places, done: Container[int], *, lenient: bool
    ) -> Iterator[tuple[int, Hit]]:
        for (offset, length), table in places.items():
            start = at - offset
            values = table.get(text[start : start + length]) if start >= 0 else None
            for value in values or ():
                waiting = [number for number in self._same[value] if number not in done]
                if waiting and (lenient or self._is_whole(value, text, start, start + length)):
                    hit = Hit(start, start + length)
                    yield from ((number, hit) for number in waiting)

    def _is_whole(self, value: int, text: str, start: int, end: int) -> bool:
        statement = self._values[value]
        if statement.kind == "date":
            return _is_date(text, start, end, statement.dates)
        if statement.kind == "id":
            return _is_id(statement.words, text, start, end)
        return _IS_WHOLE[statement.kind](text, start, end)


def holds_token(text: str, token: str, *, as_value: bool = False) -> bool:
    """True if the text holds an id as a whole token: `.`, `:`, `/`, `-` and `_` belong to it.

    `as_value`: as a value of its own, in quotes, in a cell or on a line, and not in a sentence.
    """
    at, places = text.find(token), 0
    while at >= 0 and places < MAX_PLACES:
        end = at + len(token)
        if _is_whole_id(text, at, end) and not (as_value and _is_in_words(text, at, end)):
            return True
        at, places = text.find(token, at + 1), places + 1
    return False


def _is_in_words(text: str, start: int, end: int) -> bool:
    """True if nothing divides a place from the words around it."""
    before, behind = text[:start][-2:].rstrip(" "), text[end : end + 2].lstrip(" ")
    return not (before[-1:] in _DIVIDERS and behind[:1] in _DIVIDERS)


def _is_id(words: str, text: str, start: int, end: int) -> bool:
    """True if an id stands here: a file may have its folder before it, a commit be the beginning of a longer one."""
    if words.startswith("#") and text[start] != "#":
        return _is_whole_number(text, start, end)
    if _FILE_NAME.fullmatch(words) and text[start - 1 : start] in {"/", "\\"}:
        return _HIT_LINE.match(text, end) is not None or _is_whole_id(text, start, end, at_path=True)
    if _VERSION.fullmatch(words):
        return not _PART_OF_VERSION.search(text, max(start - 2, 0), start) and not re.match(
            r"\.?\d", text[end : end + 2]
        )
    if _is_folder(text, start, end):
        return True
    if _COMMIT.fullmatch(words) and (longer := _COMMIT.match(text, start)):
        return _is_whole_id(text, start, longer.end())
    return _is_whole_id(text, start, end)


def _is_folder(text: str, start: int, end: int) -> bool:
    """True if a path has the id as one of its folders."""
    if text[start - 1 : start] != "/" or (text[end : end + 1] not in {"/", ""} and not text[end].isspace()):
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
    if before in {"/", "\\"} and (text[end : end + 1] == "_" or _FILE_ENDING.match(text, end)):
        return True  # a file's name without its ending, or the first part of it
    if text[max(start - 3, 0) : start] == "://":
        before = ""
    if not at_path and before and (before.isalnum() or before == "_" or before in _TOKEN):
        line = text.rfind("\n", max(start - 400, 0), start) + 1
        if not _GREP_PREFIX.search(text, max(line, start - 400), start) and not _LINE_PREFIX.fullmatch(
            text, line, start
        ):
            return False
    while end < len(text) and text[end] in ".:/-":
        end += 1
    behind = text[end : end + 1]
    return not behind or not (behind.isalnum() or behind in "_@")


def _is_whole_number(text: str, start: int, end: int) -> bool:
    if _is_cell(text, start, end):
        return True
    before, behind = text[max(start - 2, 0) : start], text[end : end + 2]
    if before[-1:] == ":" and behind[:1] in {":", "-"} and _HIT_PATH.search(text, max(start - 200, 0), start):
        return False  # the number of a line in a search's hit
    if end - start > 1 and _ADDRESS_BEFORE.search(text, max(start - 6, 0), start):
        return not behind[:1].isdigit()  # a port
    if (
        before[-1:].isalnum() or (before[-1:] in ".,:/-'" and before[:1].isdigit() and len(before) > 1)
    ) and not _begins_a_hit(text, start):
        return False
    if behind[:1] == "/" and _RATED.match(text, end):
        return True
    if _is_in_list(text, start, end):
        return True
    if behind[:1].isdigit() or (behind[:1] in ".,:/-'’" and behind[1:].isdigit()):
        return False
    if before[-1:] == "#":
        return False
    return not behind[:1].isalpha() or _unit_behind(text, end)


def _begins_a_hit(text: str, start: int) -> bool:
    """True where the text of a search's hit begins, behind its file and line: `a.md:26:5.2 The tenant`."""
    line = text.rfind("\n", max(start - 400, 0), start) + 1
    return text[start - 1 : start] in {":", "-"} and _HIT.search(text, max(line, start - 400), start) is not None


def _is_in_list(text: str, start: int, end: int) -> bool:
    """True for one of several decimals that slashes divide: `min/avg/max = 0.9/1.1/1.5`."""
    if "/" not in {text[start - 1 : start], text[end : end + 1]}:
        return False
    whole = _SLASHED.search(text, max(start - 60, 0), end + 60)
    return whole is not None and whole.start() <= start and end <= whole.end() and "." in text[start:end]


def _is_cell(text: str, start: int, end: int) -> bool:
    """True for a cell of a line of CSV: a comma on both sides there divides nothing of a number."""
    if text[start - 1 : start] == "," and _LONG_NUMBER.match(text, start):
        return end == len(text) or text[end] in ",; \r\n"
    if text[start - 1 : start] != "," or (end < len(text) and text[end] not in ",\r\n"):
        return False
    first, last = line_around(text, start, end, 300)
    return text.count(",", first, last) > 2 and ", " not in text[first:last]


def _unit_behind(text: str, end: int) -> bool:
    word = _LETTERS.match(text, end)
    return word is not None and word[0].lower() in UNITS and not text[word.end() : word.end() + 1].isdigit()  # `4m12s`


def _is_date(text: str, start: int, end: int, dates: tuple[Date, ...]) -> bool:
    """True if one of these dates stands at the place, whatever else of it (a year, a day) is around it."""
    if _COMPACT_DATE.fullmatch(text, start, end):
        return text[start - 1 : start] in {":", "=", "_", ""} and text[end : end + 1] in {"T", "\n", "\r", "", "_", "."}
    if _WHOLE_DATE.fullmatch(text, start, end):
        return not _MORE_BEFORE.search(text, max(start - 2, 0), start) and not _MORE_BEHIND.match(text, end)
    if _MONTH_ONLY.fullmatch(text, start, end) and not text[end : end + 2].lstrip("-").isdigit():
        return not text[max(start - 1, 0) : start].isalnum()
    first = max(start - 14, 0)
    return any(
        dated.start + first < end
        and dated.end + first > start
        and any(date.matches(each) for date in dates for each in dated.values)
        for dated in find_dates(text[first : end + 14], strict=False)
    )


def _is_whole_time(text: str, start: int, end: int) -> bool:
    before, behind = text[max(start - 2, 0) : start], text[end : end + 2]
    if before[-1:] == "," and behind[:1] in {",", "\n", "\r", ""}:
        return True  # a cell
    if before[-1:].isdigit() or (before[-1:] in ".,:/" and before[:1].isdigit() and len(before) > 1):
        return _YEAR_BEFORE.search(text, max(start - 6, 0), start) is not None
    if before[-1:].isalpha() and not (before[-1:] == "T" and before[:1].isdigit()):
        return False
    return not (behind[:1].isdigit() or (behind[:1].isalpha() and behind[:1] not in "Zh"))


_IS_WHOLE: Mapping[str, Callable[[str, int, int], bool]] = {
    "time": _is_whole_time,
    "number": _is_whole_number,
    "amount": _is_whole_number,
    "count": _is_whole_number,
}
