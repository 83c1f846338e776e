"""Counts and sums over the rows of results: `sum(hours * rate; matter = M-7)`. Pure.

A table fits a function if it has all columns that this names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from paliadin.evidence.quoting import normalise
from paliadin.evidence.stated.expressions import Function, Impossible, Unfit, Unreadable
from paliadin.evidence.stated.rows import Grounds, Rows, Selection, value_of
from paliadin.evidence.stated.values import Quantity, Value, add, divide, multiply

MAX_DEPTH = 12  # of arithmetic of columns
_QUOTED = re.compile(r"[\"„“«'](.{1,200})[\"“”»']", re.DOTALL)


def aggregate(function: Function, rows: Rows, grounds: Grounds) -> Value:
    """Compute a function over one table; raises Unfit, Impossible, Unreadable."""
    selection = Selection(rows, grounds)
    if function.name == "count":
        return Quantity(Decimal(len(selection.matching(function.arguments))), is_counted=True)
    if not function.arguments:
        raise Unreadable(function.name)
    column, *conditions = function.arguments
    picked = selection.matching(conditions)
    if function.name == "distinct":
        return _distinct(rows, column, picked)
    read = _reader(rows, grounds, column)
    values = [value for row in picked if (value := read(row)) is not None]
    if not values:
        raise Unfit(column)
    return _AGGREGATES[function.name](values)


def named_things(function: Function) -> list[str] | None:
    """The texts of `count("a"; "b")`, which counts what it lists; None for any other function."""
    quoted = [_QUOTED.fullmatch(each) for each in function.arguments]
    if function.name != "count" or not quoted or not all(quoted):
        return None
    return list(dict.fromkeys(normalise(each[1]) for each in quoted if each))


def _distinct(rows: Rows, name: str, picked: Sequence[int]) -> Quantity:
    column = rows.column(name)
    if column is None:
        raise Unfit(name)
    cells = rows.cells(column)
    found = {cell for row in picked if (cell := normalise(cells[row]))}
    return Quantity(Decimal(len(found)), is_counted=True)


Reader = Callable[[int], Value | None]
"""Returns what a row says; None where a cell is empty or a text."""


def _reader(rows: Rows, grounds: Grounds, text: str, depth: int = 0) -> Reader:
    """Read a column, or arithmetic of columns and numbers; raises Unfit without such a column."""
    text = text.strip()
    if (column := rows.column(text)) is not None:
        values = rows.values(column)
        return lambda row: values[row]
    if depth > MAX_DEPTH:
        raise Unfit(text)
    if text.startswith("(") and _closes_at_end(text):
        return _reader(rows, grounds, text[1:-1], depth + 1)
    for signs in ("+-−–", "*/×·"):
        at = _last_sign(text, signs)
        if at > 0:
            left = _reader(rows, grounds, text[:at], depth + 1)
            right = _reader(rows, grounds, text[at + 1 :], depth + 1)
            return _both(text[at], left, right)
    number = value_of(text, None)
    if number is None or not grounds(text, number):
        raise Unfit(text)
    return lambda _: number


def _both(sign: str, left: Reader, right: Reader) -> Reader:
    def read(row: int) -> Value | None:
        one, other = left(row), right(row)
        return None if one is None or other is None else _combined(sign, one, other)

    return read


def _combined(sign: str, left: Value, right: Value) -> Value:
    if sign in "*×·":
        return multiply(left, right)
    if sign == "/":
        return divide(left, right)
    return add(left, right, 1 if sign == "+" else -1)


def _closes_at_end(text: str) -> bool:
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return at == len(text) - 1
    return False


def _last_sign(text: str, signs: str) -> int:
    """Where the last operator of these stands outside of parentheses; a minus needs a blank before it: `due-date`."""
    depth = 0
    for at in range(len(text) - 1, 0, -1):
        letter = text[at]
        depth += (letter == ")") - (letter == "(")
        if depth == 0 and letter in signs and (letter not in "-−–" or text[at - 1] == " "):
            return at
    return -1


def _counted(value: Value) -> Value:
    """The same as what comes from rows: no literal number may be added to it."""
    return replace(value, is_counted=True, is_bare=False) if isinstance(value, Quantity) else value


def _total(values: Sequence[Value]) -> Value:
    plain = [replace(each, is_bare=False) if isinstance(each, Quantity) else each for each in values]
    total = plain[0]
    for each in plain[1:]:
        total = add(total, each, 1)
    return _counted(total)


def _mean(values: Sequence[Value]) -> Value:
    total = _total(values)
    if not isinstance(total, Quantity):
        raise Impossible("the mean of days")
    return replace(total, amount=total.amount / len(values))


def _sort_key(value: Value) -> tuple[int, Decimal, int]:
    if isinstance(value, Quantity):
        return 0, value.amount, 0
    return 1, Decimal((value.day or date.min).toordinal()), value.seconds or 0


def _median(values: Sequence[Value]) -> Value:
    ordered = sorted(values, key=_sort_key)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return _counted(ordered[middle])
    return _mean(ordered[middle - 1 : middle + 1])


def _only(values: Sequence[Value]) -> Value:
    if len(set(values)) != 1:
        raise Unfit("more than one cell")
    return replace(values[0], is_bare=False) if isinstance(values[0], Quantity) else values[0]


_AGGREGATES: Mapping[str, Callable[[Sequence[Value]], Value]] = {
    "sum": _total,
    "avg": _mean,
    "median": _median,
    "min": lambda values: _counted(min(values, key=_sort_key)),
    "max": lambda values: _counted(max(values, key=_sort_key)),
    "cell": _only,
}
