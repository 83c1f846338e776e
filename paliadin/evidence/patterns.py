"""Find one calculation by which many numbers of a list or table follow from the rows that they speak of. Pure.

That one number is the difference of two others may be chance. That each number of a list is the same calculation of its
own row is none: so here many calculations are tried, also such as are not believed of a single number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import combinations, product

from paliadin.evidence import reckoning
from paliadin.evidence.model import Rule
from paliadin.evidence.notation import find_numbers
from paliadin.evidence.rows import Rows
from paliadin.evidence.statements import content_words
from paliadin.evidence.surroundings import Derived, Surroundings

LEAST = 3  # numbers that follow in the same way from rows of their own
MAX_COLUMNS = 7  # of a table that are calculated with each other
MAX_TERMS = 4  # of a sum
MAX_ROWS = 200  # of a table, or lines of a text
MAX_SERIES = 20  # lists and columns of an answer
MAX_WORDS = 12  # of a line
MAX_LENGTH = 60  # of such a list
MAX_PAIRS = 300  # statements beside a row, of all lists and tables; each takes up to 1,000 calculations
_CALCULATED = frozenset({"number", "amount", "count"})

_Cells = Mapping[int, Decimal]  # the numbers of a row, by column


@dataclass(frozen=True, slots=True)
class _Pair:
    number: int  # of a statement
    value: Decimal
    step: Decimal
    row: int
    cells: _Cells

    def follows(self, result: Decimal) -> bool:
        """True if the statement says this result, rounded to its last digit."""
        return abs(result - self.value) <= _reach(self.step)

    @property
    def chance(self) -> Decimal:
        """How likely a number gives this statement by chance."""
        return min(min(self.step, Decimal(1)) / max(self.value, self.step), Decimal(1))


def follow_alike(around: Surroundings, wanted: Callable[[int], bool]) -> dict[int, Derived]:
    """Return the statements that follow from their rows in the way of their list; only of lists with one `wanted`."""
    found: dict[int, Derived] = {}
    left = MAX_PAIRS
    for series in list(_series(around))[:MAX_SERIES]:
        if not any(map(wanted, series)):
            continue
        for rows in around.rows:
            if 1 < len(rows.table.rows) <= MAX_ROWS and (pairs := _pairs(around, series, rows)) and left > 0:
                left -= len(pairs)
                for rule, number in _follow(pairs):
                    found.setdefault(number, (rule, around.source(rows)))
            for number in _of_groups(around, series, rows):
                found.setdefault(number, ("sum", around.source(rows)))
    return found


def _series(around: Surroundings) -> Iterator[list[int]]:
    """Yield the numbers that stand at the same place of each line of a list, or in the same column of a table."""
    columns: dict[tuple[int, int], list[int]] = {}
    block, last = 0, -2
    for number, statement in enumerate(around.statements):
        line = around.lines[statement.line]
        if line.block not in {"item", "row"} or statement.kind not in _CALCULATED or not statement.numbers:
            continue
        if statement.line > last + 1 or around.lines[max(last, 0)].block != line.block:
            block += 1
        last = statement.line
        before = [n for n in around.in_line(number) if n < number and around.statements[n].kind in _CALCULATED]
        place = line.text.count("|", 0, statement.start) if line.block == "row" else len(before)
        columns.setdefault((block, place), []).append(number)
    yield from (series[:MAX_LENGTH] for series in columns.values() if len(series) >= LEAST)


def _pairs(around: Surroundings, series: Sequence[int], rows: Rows) -> list[_Pair]:
    """The statements beside the one row that each speaks of; none if these are too few."""
    pairs: list[_Pair] = []
    for number in series:
        statement = around.statements[number]
        named = around.named_rows(number, rows, 1) or _holding_words(around, number, rows)
        if len(named) == 1 and (cells := _cells(rows, row := next(iter(named)))):
            pairs.append(_Pair(number, abs(statement.numbers[0]), statement.step, row, cells))
    return pairs if len({pair.row for pair in pairs}) >= LEAST else []


def _holding_words(around: Surroundings, number: int, rows: Rows) -> set[int]:
    """The rows that alone hold a word of a statement's line."""
    words = {word.casefold() for word in content_words(around.sentence(number)) if len(word) > 2}
    holding = ([i for i, text in enumerate(rows.texts) if word in text] for word in sorted(words)[:MAX_WORDS])
    return {found[0] for found in holding if len(found) == 1}


def _of_groups(around: Surroundings, series: Sequence[int], rows: Rows) -> Iterator[int]:
    """Yield the statements of a series that are one column added up over groups of rows: the hours of each person."""
    values = [(n, abs(around.statements[n].numbers[0]), around.statements[n].step) for n in series]
    for totals in rows.group_totals:
        matched = {n: total for n, value, step in values for total in totals if abs(total - value) <= _reach(step)}
        chance = Decimal(len(rows.group_totals))
        for n, value, step in values:
            chance *= min(len(totals) * min(step, Decimal(1)) / max(value, step), Decimal(1)) if n in matched else 1
        if len(set(matched.values())) >= LEAST and len(matched) * 5 >= len(series) * 3 and chance <= reckoning.CHANCE:
            yield from matched


def _reach(step: Decimal) -> Decimal:
    return step / 2 if step < 1 else reckoning.CENT


def _cells(rows: Rows, row: int) -> _Cells:
    if rows.table.width > 1:
        return {n: dict(column).get(row, Decimal(0)) for n, column in enumerate(rows.numeric_columns[:MAX_COLUMNS])}
    return {n: each.values[0] for n, each in enumerate(find_numbers(rows.table.rows[row][0][:300])) if n < MAX_COLUMNS}


def _follow(pairs: Sequence[_Pair]) -> Iterator[tuple[Rule, int]]:
    """Yield the statements that follow by one calculation, if so many do that it is no chance."""
    width = min(len(pair.cells) for pair in pairs)
    calculations = [*_scaled(pairs, width), *_sums(width), *_products(width)]
    for rule, free, calculate in calculations:
        matched = [pair for pair in pairs if (result := calculate(pair.cells)) is not None and pair.follows(result)]
        chance = Decimal(len(calculations))
        for pair in sorted(matched, key=lambda each: each.chance)[free:]:
            chance *= pair.chance
        rows = {pair.row for pair in matched}
        if len(rows) >= LEAST and len(matched) * 5 >= len(pairs) * 3 and chance <= reckoning.CHANCE:
            yield from ((rule, pair.number) for pair in matched)


_Calculation = tuple[Rule, int, Callable[[_Cells], Decimal | None]]
"""A rule, how many of the statements it was fitted to, and what it makes of a row; None if it makes nothing of it."""


def _scaled(pairs: Sequence[_Pair], width: int) -> Iterator[_Calculation]:
    """All times the same factor: a recipe for more people, prices with a tax."""
    for column in range(width):
        factors = {pair.value / pair.cells[column] for pair in pairs if pair.cells[column]}
        for factor in sorted(factors - {Decimal(1)})[:LEAST]:
            yield "share", 1, partial(_times, column, factor)


def _times(column: int, factor: Decimal, cells: _Cells) -> Decimal:
    return cells[column] * factor


def _sums(width: int) -> Iterator[_Calculation]:
    """What a row's numbers give if some are added and others are taken off: days of leave that are left."""
    for terms in range(2, min(width, MAX_TERMS) + 1):
        for columns in combinations(range(width), terms):
            for signs in product((1, -1), repeat=terms):
                if 1 in signs:
                    yield "sum", 0, partial(_added, tuple(zip(columns, signs, strict=True)))


def _added(signed: Sequence[tuple[int, int]], cells: _Cells) -> Decimal:
    return sum((cells[column] * sign for column, sign in signed), Decimal(0))


def _products(width: int) -> Iterator[_Calculation]:
    """Two of a row's numbers multiplied, or one divided by the other."""
    for one, other in combinations(range(width), 2):
        yield "sum", 0, partial(_multiplied, one, other)
        yield "share", 0, partial(_divided, one, other)
        yield "share", 0, partial(_divided, other, one)


def _multiplied(one: int, other: int, cells: _Cells) -> Decimal:
    return cells[one] * cells[other]


def _divided(over: int, under: int, cells: _Cells) -> Decimal | None:
    return cells[over] / cells[under] if cells[under] else None
