"""The rows of a result as a calculation reads them: their columns by name, cells as values, conditions. Pure.

Columns are compared without case, `_` and blanks; of a path in JSON the last part is enough.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any

from paliadin.evidence.notation import Date, find_dates, read_number, unit_of
from paliadin.evidence.quoting import normalise
from paliadin.evidence.stated.expressions import Unfit
from paliadin.evidence.stated.values import TIME, Moment, Quantity, Value, quantity
from paliadin.evidence.tables import Table, cell_number
from paliadin.evidence.units import as_date
from paliadin.evidence.vocabulary import PATTERNS

MAX_CONDITIONS = 12
MAX_CELL = 60  # characters of a cell that may be a value
_CONDITION = re.compile(
    r"(?P<left>[^=!<>~≤≥≠]{1,80}?)\s*(?P<sign>>=|<=|!=|<>|==|=|<|>|~|≤|≥|≠)\s*(?P<right>.*)", re.DOTALL
)
_SIGNS = {"<>": "!=", "==": "=", "≤": "<=", "≥": ">=", "≠": "!="}
_QUOTED = re.compile(r"[\"„“«'](.{1,200})[\"“”»']", re.DOTALL)
_NOT = re.compile(r"(?:not|nicht)\s+", re.IGNORECASE)
_EMPTY = frozenset({"", "null", "none", "-", "–", "—", "n/a", "nan", "leer", "empty"})
_TODAY = frozenset({"today", "heute"})
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?.{0,12})?")
_CLOCK = re.compile(r"(\d{1,3}):([0-5]\d)(?::([0-5]\d))?")
_LENGTH_PARTS = re.compile(r"(\d{1,4}(?:[.,]\d{1,2})?)\s?([^\W\d_]{1,10})\.?")
_BETWEEN_PARTS = " ,undafog"
_UNIT_WORD = re.compile(r"[€$£%]|[^\W\d_]+")
_ORDER: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge
}  # fmt: skip

Grounds = Callable[[str, Value], bool]
"""Says if rows may be compared with a value, or multiplied by it: where it stands in the line, and what it is."""
Condition = Callable[[int], bool]


def name_of_column(text: str) -> str:
    """A column's name as it is compared."""
    return re.sub(r"[\s_.\"'`*-]+", "", text).casefold()


@dataclass(frozen=True, eq=False)
class Rows:
    """A table with what its columns are called."""

    table: Table
    today: date | None
    _cells: dict[int, list[str]] = field(default_factory=dict)
    _values: dict[int, list[Value | None]] = field(default_factory=dict)

    @cached_property
    def _columns(self) -> dict[str, int]:
        names: dict[str, int] = {}
        for number, column in enumerate(self.table.columns):
            for name in (column, column.rsplit(".", 1)[-1], re.sub(r"[(\[].*", "", column)):
                names.setdefault(name_of_column(name), number)
        return names

    def column(self, name: str) -> int | None:
        """The number of a column; None if there is none of this name."""
        return self._columns.get(name_of_column(name)) if name.strip() else None

    def is_a_name(self, column: int) -> bool:
        """True for a column whose numbers are none to calculate with: ids, years, lines."""
        names = self.table.columns
        return column < len(names) and PATTERNS["no_quantity"].search(names[column]) is not None

    @cached_property
    def texts(self) -> list[str]:
        """Each row as one text, to find words in."""
        return [normalise(" | ".join(row)) for row in self.table.rows]

    def cells(self, column: int) -> list[str]:
        """The texts of a column's cells; "" where a row is too short."""
        if column not in self._cells:
            rows = self.table.rows
            self._cells[column] = [row[column].strip() if column < len(row) else "" for row in rows]
        return self._cells[column]

    def values(self, column: int) -> list[Value | None]:
        """What a column's cells say: a number, a date, a time; None for a text."""
        if column not in self._values:
            self._values[column] = [value_of(cell, self.today) for cell in self.cells(column)]
        return self._values[column]


@lru_cache(maxsize=50_000)
def value_of(text: str, today: date | None) -> Value | None:
    """Read a cell, or what is compared with one; None if it is a text."""
    text = text.strip()
    if text.casefold() in _TODAY and today:
        return Moment(today)
    if not text or len(text) > MAX_CELL or not any(map(str.isdigit, text)):
        return None
    if (number := cell_number(text)) is not None:
        if text[-1].isdecimal() and text[0] in "-0123456789":
            return Quantity(number, is_bare=True)
        unit = next((known for word in _UNIT_WORD.findall(text) if (known := unit_of(word))), None)
        return quantity(number, unit)
    return _clock(text) or _moment(text, today) or _length(text)


def _clock(text: str) -> Quantity | None:
    clock = _CLOCK.fullmatch(text)
    return Quantity(Decimal(_seconds(*clock.groups("0"))), TIME) if clock else None


def _seconds(hours: str, minutes: str, seconds: str) -> int:
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds)


def _moment(text: str, today: date | None) -> Moment | None:
    if iso := _ISO.fullmatch(text):
        day = as_date(Date(int(iso[1]), int(iso[2]), int(iso[3])), today) if 0 < int(iso[2]) < 13 else None
        return Moment(day, _seconds(iso[4], iso[5], iso[6] or "0") if iso[4] else None) if day else None
    dated = next(iter(find_dates(text, strict=False)), None)
    if not dated or dated.start > 0 or not (day := as_date(dated.values[0], today)):
        return None
    behind = _CLOCK.search(text, dated.end)
    return Moment(day, _seconds(*behind.groups("0")) if behind else None)


def _length(text: str) -> Quantity | None:
    """A length of time with several units: `1 h 20 min`."""
    parts = _LENGTH_PARTS.findall(text)
    if not parts or _LENGTH_PARTS.sub("", text).strip(_BETWEEN_PARTS):
        return None
    read = [quantity(read_number(amount)[0], unit_of(unit)) for amount, unit in parts]
    if {each.dimension for each in read} != {TIME}:
        return None
    return Quantity(sum((each.amount for each in read), Decimal(0)), TIME)


@dataclass(frozen=True)
class Selection:
    """Reads a function's conditions for one table."""

    rows: Rows
    grounds: Grounds

    def matching(self, conditions: Sequence[str]) -> list[int]:
        """The rows for which all conditions hold; raises Unfit if the table lacks a column of theirs."""
        if len(conditions) > MAX_CONDITIONS:
            raise Unfit("too many conditions")
        picked = list(range(len(self.rows.table.rows)))
        for test in [self._condition(each.strip()) for each in conditions]:
            picked = [row for row in picked if test(row)]
        return picked

    def _condition(self, text: str) -> Condition:
        if negated := _NOT.match(text):
            test = self._condition(text[negated.end() :])
            return lambda row: not test(row)
        if quoted := _QUOTED.fullmatch(text):
            wanted = normalise(quoted[1])
            return lambda row: wanted in self.rows.texts[row]
        match = _CONDITION.fullmatch(text)
        if not match or (column := self.rows.column(match["left"])) is None:
            raise Unfit(text)
        sign = _SIGNS.get(match["sign"], match["sign"])
        other = self.rows.column(match["right"])
        if other is not None and other != column:
            return self._with_column(column, sign, other)
        return self._with_values(column, sign, match["right"])

    def _with_values(self, column: int, sign: str, texts: str) -> Condition:
        """A column beside one or several values: one of them is enough."""
        alternatives = [_Wanted(part.strip().strip("\"'„“”"), self.rows.today) for part in texts.split("|")]
        for each in alternatives:
            if each.value is not None and not self.grounds(each.text, each.value):
                raise Unfit(each.text)
        cells, values = self.rows.cells(column), self.rows.values(column)
        return lambda row: _compares(cells[row], values[row], sign, alternatives)

    def _with_column(self, column: int, sign: str, other: int) -> Condition:
        """A column beside another one of the same row."""
        cells, values, others = self.rows.cells(column), self.rows.values(column), self.rows.cells(other)
        return lambda row: _compares(cells[row], values[row], sign, [_Wanted(others[row], self.rows.today)])


def _compares(cell: str, value: Value | None, sign: str, alternatives: Sequence[_Wanted]) -> bool:
    """True if one of the alternatives is as the sign says; for `!=`, if none is the same."""
    if sign == "!=":
        return not any(each.is_in(cell, value) for each in alternatives)
    if sign == "=":
        return any(each.is_in(cell, value) for each in alternatives)
    if sign == "~":
        folded = normalise(cell)
        return any(each.folded in folded for each in alternatives)
    return any(value and each.value and _in_order(value, each.value, sign) for each in alternatives)


class _Wanted:
    """What a cell is compared with."""

    def __init__(self, text: str, today: date | None) -> None:
        self.text, self._today = text, today
        self.folded = normalise(text)
        self.value = value_of(text, today)
        self._dates = [each for dated in find_dates(text, strict=False) for each in dated.values]

    def is_in(self, cell: str, value: Value | None) -> bool:
        """True if a cell says the same, in whatever notation."""
        if self.folded in _EMPTY:
            return normalise(cell) in _EMPTY
        if cell == self.text:
            return True
        if isinstance(self.value, Quantity):
            if not isinstance(value, Quantity) or value.amount != self.value.amount:
                return False
            return value.dimension == self.value.dimension or "" in {value.dimension, self.value.dimension}
        if normalise(cell) == self.folded:
            return True
        found = next(iter(find_dates(cell[:MAX_CELL], strict=False)), None) if self._dates else None
        return bool(found and any(a.matches(b) for a in self._dates for b in found.values))


def _in_order(one: Value, two: Value, sign: str) -> bool:
    if isinstance(one, Quantity) and isinstance(two, Quantity):
        return _ORDER[sign](one.amount, two.amount)
    if isinstance(one, Moment) and isinstance(two, Moment) and one.day and two.day:
        if one.seconds is not None and two.seconds is not None:
            return _ORDER[sign]((one.day, one.seconds), (two.day, two.seconds))
        return _ORDER[sign](one.day, two.day)
    return False
