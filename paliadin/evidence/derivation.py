"""The plain ways in which a statement follows from what was found, if Claude does not say how. Pure.

Rows counted, a period between two dates, figures of one row, the total of a column or of a group of rows, a share; and
a number that a result has with more digits or in another unit. A sentence must speak of the rows (cells.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import combinations

from paliadin.evidence.cells import Cells, Group
from paliadin.evidence.days import Days
from paliadin.evidence.model import Rule, Source
from paliadin.evidence.places import Hit, source_at
from paliadin.evidence.reading import Reading
from paliadin.evidence.results import Call
from paliadin.evidence.sentences import list_beside
from paliadin.evidence.stated.agreement import says
from paliadin.evidence.stated.calendar_days import months_between, workdays_between
from paliadin.evidence.stated.expressions import Impossible
from paliadin.evidence.stated.values import Moment, Quantity, Value, add, quantity
from paliadin.evidence.statements import Statement
from paliadin.evidence.units import in_base_unit
from paliadin.evidence.vocabulary import CENTS

MAX_FIGURES = 12  # of a row, or of a sentence, that are calculated with each other
MAX_DAYS = 12  # that are compared with each other
MAX_ROWS = 3  # in which the rows that a sentence speaks of are each taken alone
LARGE = 100  # a number that may be meant, whatever unit the head of its column has
CHANCE = Decimal("0.2")  # how likely one of the calculations that are tried gives a number by chance
PERIODS = frozenset({"day", "workday", "week", "month", "year", "h", "min", "s"})

Derived = tuple[Rule, list[Source]]


@dataclass
class Derivation:
    """Derives statements, each named by its number, from the tables and what else was found."""

    reading: Reading
    calls: Sequence[Call]
    cells: Cells
    days: Days
    question: str
    today: date | None

    def derive(self, number: int) -> Derived | None:
        """Return the rule and the sources by which a statement follows, or None."""
        statement = self.reading.statements[number]
        if statement.kind == "date":
            return ("days", [Source("context")]) if self.days.is_known(number) else None
        if statement.kind not in {"number", "amount", "count"} or not statement.numbers:
            return None
        return next((derived for way in self._ways(statement) if (derived := way(number))), None)

    def _ways(self, statement: Statement) -> Iterator[Callable[[int], Derived | None]]:
        if statement.unit == "%":
            yield from (self._rounded, self._share)
            return
        if statement.kind == "count" or statement.unit is None:
            yield self._counted
        if statement.unit in PERIODS or (statement.unit is None and self.reading.lines[statement.line].block == "row"):
            yield self._period
        yield from (self._rounded, self._total, self._of_a_row)

    def _groups(self, number: int) -> list[Group]:
        """The rows that a statement's sentence speaks of, or the lead of its list, or the question."""
        return self.cells.spoken_of(self._text(number))

    def _text(self, number: int) -> str:
        line, lead = self.reading.statements[number].line, ""
        if self.reading.lines[line].block in {"item", "row"}:
            lead = self.reading.lines[self.reading.paragraphs[line][0]].text
        return f"{self.reading.sentences[number]}\n{lead}\n{self.question[-200:]}"

    def _counted(self, number: int) -> Derived | None:
        """The rows of a call, of a table, of a group of its rows; or the items of the list beside the statement."""
        wanted = self.reading.statements[number].numbers[0]
        for call in self.calls:
            if call.outcome == "ok" and call.rows == wanted:
                return "count", [call.source]
        for group in (*self.cells.whole, *self._groups(number)):
            if len(group.picked) == wanted:
                return "count", [group.call.source]
        return self._listed(number)

    def _listed(self, number: int) -> Derived | None:
        items = list_beside(self.reading.lines, self.reading.statements[number].line)
        if not items or len(items) != self.reading.statements[number].numbers[0]:
            return None
        found = [source for item in items if (source := self._first_source(item))]
        return ("count", found) if len(found) == len(items) else None

    def _first_source(self, line: int) -> Source | None:
        on_line = self.reading.on_line.get(line, ())
        return next((source for each in on_line if (source := self.reading.found.get(each))), None)

    def _period(self, number: int) -> Derived | None:
        """A period between two dates or times that the sentence or one of its rows has, or between one and today."""
        statement = self.reading.statements[number]
        here = self.days.moments_around(number)
        rows = [group.days for group in self._groups(number) if len(group.picked) <= MAX_ROWS]
        known = [*here, *(moment for days in rows for moment in days)][:MAX_DAYS]
        today = [Moment(self.today)] if self.today else []
        for one, other in combinations([*today, *known], 2):
            if any(says(statement, each) for each in _apart(one, other)):
                return "days", []
        return None

    def _total(self, number: int) -> Derived | None:
        """The total of a column, over all rows or over those that the sentence speaks of."""
        for group in (*self.cells.whole, *self._groups(number)):
            if any(says(self.reading.statements[number], each) for each in group.totals):
                return "sum", [group.call.source]
        return None

    def _of_a_row(self, number: int) -> Derived | None:
        """A calculation with two figures of a row that the sentence speaks of, or with those of the sentence."""
        statement = self.reading.statements[number]
        for figures, sources in self._pools(number):
            tried = list(_calculated(figures[:MAX_FIGURES]))
            target, step = abs(statement.numbers[0]), min(statement.step, Decimal(1))
            if len(tried) * step > CHANCE * target:
                continue  # some of so many gives any number
            if rule := next((rule for rule, each in tried if says(statement, each)), None):
                return rule, sources
        return None

    def _pools(self, number: int) -> Iterator[tuple[list[Quantity], list[Source]]]:
        """The figures of each row that the sentence speaks of alone, then the found numbers of the statement's line."""
        for group in self._groups(number):
            if len(group.picked) == 1:
                yield [each for column in group.figures for each in column], [group.call.source]
        known = [self.reading.statements[each] for each in self.reading.beside(number) if self.reading.is_known(each)]
        yield [quantity(each.numbers[0], each.unit) for each in known if each.numbers], []

    def _share(self, number: int) -> Derived | None:
        """How much of all rows, or of a column's total, the rows are that a sentence speaks of; or of two figures."""
        statement = self.reading.statements[number]
        for group in self._groups(number):
            whole = next(each for each in self.cells.whole if each.rows is group.rows)
            parts = [(Decimal(len(group.picked)), Decimal(len(whole.picked)))]
            parts += [(one.amount, all_.amount) for one, all_ in zip(group.totals, whole.totals, strict=False)]
            if any(_is_share(statement, part, of) for part, of in parts):
                return "share", [group.call.source]
        for figures, sources in self._pools(number):
            for one, other in combinations(figures[:MAX_FIGURES], 2):
                if one.dimension == other.dimension and (
                    _is_share(statement, one.amount, other.amount)
                    or _is_share(statement, other.amount, one.amount)
                    or _is_share(statement, one.amount - other.amount, other.amount)
                    or _is_share(statement, one.amount - other.amount, one.amount)
                ):
                    return "share", sources
        return None

    def _rounded(self, number: int) -> Derived | None:
        """A quantity that a result has with more digits, or in another unit of its kind."""
        statement = self.reading.statements[number]
        value, step = abs(statement.numbers[0]), statement.step
        kind, size = in_base_unit(Decimal(1), statement.unit) or (statement.unit or "", Decimal(1))
        is_fine = step < 1 and value >= 30 * step and statement.unit is not None
        reach = step / 2 if statement.about or statement.is_scaled or is_fine else Decimal(0)
        for call in self.calls if statement.unit or reach else ():
            hit = call.outcome == "ok" and (
                call.quantity_near(kind, value * size, reach * size)
                or (call.quantity_near("", value, reach) if value >= LARGE else None)
            )
            if not hit and statement.kind == "amount" and (cents := call.quantity_near("", value * 100, Decimal(0))):
                field = call.layout.place_of(cents[0], call.searched).field.casefold()
                hit = cents if any(word in field for word in CENTS) else None
            if hit:
                return "rounded", [source_at(call, Hit(*hit))]
        return None


def _apart(one: Moment, other: Moment) -> Iterator[Value]:
    """How far two moments are apart: as a length of time, in whole months, in working days."""
    try:
        yield add(one, other, -1)
    except Impossible:
        return
    if one.day and other.day:
        months = months_between(one.day, other.day)
        yield Quantity(Decimal(months), "month", is_counted=True)
        yield Quantity(Decimal(months // 12 * 12), "month", is_counted=True)
        yield Quantity(Decimal(workdays_between(one.day, other.day)), "workday", is_counted=True)


def _calculated(figures: Sequence[Quantity]) -> Iterator[tuple[Rule, Quantity]]:
    """What two figures give if they are added, subtracted, multiplied or divided; and all of them together."""
    for one, other in combinations(figures, 2):
        if one.dimension == other.dimension:
            yield "difference", Quantity(abs(one.amount - other.amount), one.dimension)
            yield "sum", Quantity(one.amount + other.amount, one.dimension)
        if not one.dimension or not other.dimension:
            kind = one.dimension or other.dimension
            yield "sum", Quantity(one.amount * other.amount, kind)
            if one.amount and other.amount:
                yield "share", Quantity(max(one.amount, other.amount) / min(one.amount, other.amount), kind)
    if len(figures) > 2 and len({each.dimension for each in figures}) == 1:
        yield "sum", Quantity(sum((each.amount for each in figures), Decimal(0)), figures[0].dimension)


def _is_share(statement: Statement, part: Decimal, whole: Decimal) -> bool:
    return bool(whole) and any(
        abs(abs(part / whole) * 100 - abs(value)) <= min(statement.step, Decimal(1)) / 2 for value in statement.numbers
    )
