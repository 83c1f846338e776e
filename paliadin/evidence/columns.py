"""Decide which numbers of an answer follow from the columns of results: sums, means, differences and shares. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from paliadin.evidence import derive, durations, reckoning
from paliadin.evidence.calculation_words import COMPARES, IN_ALL, MEAN, SHARE, TAX, TOP
from paliadin.evidence.calculations import numbers_of
from paliadin.evidence.model import Rule
from paliadin.evidence.notation import find_number_words, find_numbers
from paliadin.evidence.rows import Rows
from paliadin.evidence.spans import CALENDAR
from paliadin.evidence.statements import Statement
from paliadin.evidence.surroundings import Derived, Surroundings, source_of

MAX_SERIES = 60  # quantities of a result that are added
MAX_SHARED = 4  # numbers of a row of which two may be a share


class _Says:
    """What a sentence says of how its numbers were calculated."""

    def __init__(self, sentence: str) -> None:
        self.mean, self.whole, self.compares, self.top = (
            each.search(sentence) is not None for each in (MEAN, IN_ALL, COMPARES, TOP)
        )
        shares = SHARE.findall(sentence) if TAX.search(sentence) else ()
        self.taxes = [Decimal(share.replace(",", ".")) / 100 for share in shares]


@dataclass
class Columns:
    """Tries sums, means and shares of columns; a statement is named by its number."""

    _around: Surroundings

    @property
    def _statements(self) -> Sequence[Statement]:
        return self._around.statements

    def total(self, number: int) -> Derived | None:
        """The sum or mean of a column, of all its rows or of those that are meant, or the difference of two of them."""
        statement = self._statements[number]
        sentence, target = self._around.sentence(number), abs(statement.numbers[0])
        says = _Says(sentence)
        targets = [target, *(target / (1 + share) for share in says.taxes)]
        for rows in self._around.rows:
            for rule, values, is_believed in self._candidates(number, rows, says):
                reach = statement.step / 2 if rule == "share" or statement.about else reckoning.CENT
                if is_believed and any(abs(abs(value) - each) <= reach for value in values for each in targets):
                    return rule, self._around.source(rows)
            if says.mean and any(abs(abs(mean) - target) <= statement.step / 2 for mean in derive.averages(rows)):
                return "share", self._around.source(rows)
        return self._sum_of_series(number)

    def _candidates(self, number: int, rows: Rows, says: _Says) -> Iterator[tuple[Rule, list[Decimal], bool]]:
        """Yield what a table's columns may give, and if it is to be believed: a word names it, or it is little."""
        if not rows.numeric_columns:
            return
        around, statement = self._around, self._statements[number]
        words, dates = around.named(number)
        target, digit = (
            abs(statement.numbers[0]),
            statement.step if statement.about else min(statement.step, Decimal(1)),
        )

        def few(values: list[Decimal], *, is_named: bool = False) -> bool:
            return reckoning.are_few(len(values), target, digit, is_named=is_named)

        yield "sum", list(derive.sums_of_names(rows, around.names(number))), True
        totals = list(derive.column_sums(rows, words, dates))
        for named in (around.named_rows(number, rows, 1), around.rows_named_before(number, rows)):
            totals += derive.sums_of(rows, named)
        yield "sum", totals, says.whole or few(totals)
        yield "sum", rows.group_sums, few(rows.group_sums)
        yield "sum", rows.top_sums, few(rows.top_sums, is_named=says.top)
        if target >= 100:
            products = derive.sums_of_products(rows, words, dates)
            products += [product / 100 for product in products]  # of a percentage
            yield "sum", products, few(products)
            yield "sum", rows.group_products, few(rows.group_products)
        if statement.unit not in CALENDAR:
            yield "difference", rows.column_steps, few(rows.column_steps, is_named=says.compares)
            apart = rows.column_differences
            yield "difference", apart, says.compares or few(apart)
            yield "share", rows.computed, few(rows.computed, is_named=says.mean)

    def _sum_of_series(self, number: int) -> Derived | None:
        """The sum of all quantities of one kind that a result gives, in whatever units: sizes, lengths of time."""
        statement = self._statements[number]
        base = durations.in_base_unit(abs(statement.numbers[0]), statement.unit)
        digit = durations.in_base_unit(
            statement.step if statement.about else min(statement.step, Decimal(1)) / 2, statement.unit
        )
        for call, by_kind in self._around.material.by_kind if base and digit else ():
            values = by_kind.get(base[0] if base else "", [])
            if 1 < len(values) <= MAX_SERIES and base and digit and abs(sum(values) - base[1]) <= digit[1]:
                return "sum", [source_of(call)]
        return None

    def mean(self, number: int) -> Derived | None:
        """A count that is the mean of a column: `334 lines a file on average`."""
        statement = self._statements[number]
        for rows in self._around.rows if MEAN.search(self._around.sentence(number)) else ():
            if any(abs(mean - statement.numbers[0]) <= Decimal("0.5") for mean in derive.averages(rows)):
                return "share", self._around.source(rows)
        return None

    def column_sum(self, number: int) -> Derived | None:
        """A count that a table has in parts: the sum of a named column."""
        wanted = self._statements[number].numbers[0]
        words, dates = self._around.named(number)
        for rows in self._around.rows if wanted > 9 else ():
            named = derive.sums_of(rows, self._around.named_rows(number, rows, 1))
            if rows.table.width > 1 and wanted in [*named, *derive.column_sums(rows, words, dates)]:
                return "sum", self._around.source(rows)
        return None

    def share(self, number: int) -> Derived | None:
        """A percentage: of numbers that the sentence names, of those in its rows, of counts or sums of rows."""
        sentence, statement = self._around.sentence(number), self._statements[number]
        groups = [[n.values[0] for n in [*find_numbers(sentence), *find_number_words(sentence)]]]
        related = ([n.values[0] for n in find_numbers(text)] for text in self._around.related_texts(number))
        groups += [group for group in related if len(group) <= MAX_SHARED]
        spoken = [numbers_of(row) for row in self._around.spoken_of(number)[:6]]
        growing = len(groups)
        groups.append(
            [self._statements[n].numbers[0] for n in self._around.around(number) if self._around.is_quantity(n)]
        )
        words, dates = self._around.named(number)
        wholes: list[tuple[Decimal, Iterable[Decimal | int]]] = [
            (Decimal(len(rows.texts)), derive.counts(rows, words, dates)) for rows in self._around.rows
        ]
        wholes += [(sum(row, Decimal(0)), row) for row in spoken]
        for one, other in combinations(spoken, 2):
            if len(one) == len(other) and any(
                reckoning.is_growth(statement.numbers[0], statement.step, *pair)
                for pair in zip(one, other, strict=False)
            ):
                return "share", []
        wholes += [(sum(row, Decimal(0)), row) for row in self._series_and_parts(number)]
        for rows in self._around.rows:
            wholes += derive.column_parts(rows, words, dates)
        for whole, parts in wholes:
            if any(reckoning.is_part(statement.numbers[0], statement.step, Decimal(part), whole) for part in parts):
                return "share", []
        growth, target, step = COMPARES.search(sentence) is not None, statement.numbers[0], statement.step
        if any(
            reckoning.share_of(target, step, group, growth=growth and n < growing) for n, group in enumerate(groups)
        ):
            return "share", []
        return None

    def _series_and_parts(self, number: int) -> Iterator[list[Decimal]]:
        """Each quantity of the sentence, with what is left of all quantities of its kind in a result."""
        here, below = self._around.in_sentence(number), self._around.listed_below(number)
        parts = [base for n in here if (base := self._in_base_unit(n))]
        firsts = [base for n in below if (base := self._in_base_unit(n))]
        if firsts and len(firsts) == len(below) and len({kind for kind, _ in firsts}) == 1:
            parts.append((firsts[0][0], sum((value for _, value in firsts), Decimal(0))))
        for kind, part in parts:
            for _, by_kind in self._around.material.by_kind:
                values = by_kind.get(kind, [])
                if 1 < len(values) <= MAX_SERIES:
                    yield [part, sum(values) - part]

    def _in_base_unit(self, number: int) -> tuple[str, Decimal] | None:
        """A sure number in the unit that others of its kind are compared in."""
        statement = self._statements[number]
        is_sure = self._around.is_quantity(number)
        return durations.in_base_unit(abs(statement.numbers[0]), statement.unit) if is_sure else None
