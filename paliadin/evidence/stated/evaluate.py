"""Work a stated calculation out on the results, and say where each of its operands stands. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import islice, product

from paliadin.evidence.holidays import holidays_in
from paliadin.evidence.model import Source
from paliadin.evidence.notation import Date
from paliadin.evidence.stated import expressions, grammar
from paliadin.evidence.stated.aggregates import aggregate, named_things
from paliadin.evidence.stated.calendar_days import (
    last_of_month,
    months_between,
    nth_weekday,
    weekday_of,
    workdays_between,
    workdays_later,
)
from paliadin.evidence.stated.expressions import (
    Expression,
    Function,
    Impossible,
    Operand,
    Unfit,
    Ungrounded,
    Unreadable,
)
from paliadin.evidence.stated.operands import Operands, is_small
from paliadin.evidence.stated.values import (
    MONTHS,
    SHARE,
    TIME,
    Moment,
    Quantity,
    Value,
    add,
    divide,
    multiply,
    quantity,
)
from paliadin.evidence.units import as_date

_WEEK = (0, 6)  # the first and the last day of one
TAXES = frozenset(map(Decimal, (5, 7, 10, 19, 20, 21)))
"""Shares that are usual as a tax; it is said that they were assumed."""
MAX_WAYS = 16  # in which one expression may be read
FACTORS = frozenset(map(Decimal, (1, 2, 7, 12, 24, 52, 60, 100, 360, 365, 1000, 1024, 3600)))
"""Numbers that anybody may multiply by or divide by."""
CONVERSIONS = FACTORS - {Decimal(2), Decimal(360), Decimal(365)}
"""Those that lead from a unit to another one of its kind; the dimensions below have several units."""
UNITS = frozenset({TIME, MONTHS, "byte", "m", "g", "EUR"})
CONVENTIONS = frozenset(map(Decimal, (3, 4, 6, 8, 10, 14, 18, 28, 30, 31, 90, 1_000_000))) | {
    Decimal("1.96"), Decimal("0.5")
}  # fmt: skip
"""Numbers that may stand in a calculation as a factor or a length of time; it is said that they were assumed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an expression may come to, with where its operands stand, and what it assumes.

    `numbers`: the operands that are plain small numbers, if it has nothing else. `is_whole`: the rows that were
    counted are all there are.
    """

    value: Value
    sources: tuple[Source, ...] = ()
    assumed: tuple[str, ...] = ()
    numbers: tuple[Decimal, ...] | None = None
    is_whole: bool = True


@dataclass
class Evaluator:
    """Evaluates the calculations of one answer."""

    operands: Operands

    @property
    def _today(self) -> date | None:
        return self.operands.material.today

    def evaluate(self, expression: Expression) -> list[Outcome]:
        """Return all that it may come to; raises Impossible, Ungrounded, Unfit, Unreadable when it comes to nothing."""
        return list(islice(self._outcomes(expression), MAX_WAYS))

    def _outcomes(self, expression: Expression, *, is_factor: bool = False) -> Iterator[Outcome]:
        match expression:
            case Operand():
                yield from self._operand(expression, is_factor=is_factor)
            case expressions.Today() if self._today:
                yield Outcome(Moment(self._today))
            case expressions.Negated(operand):
                for each in self._outcomes(operand):
                    yield replace(each, value=multiply(each.value, Quantity(Decimal(-1))))
            case expressions.Share(operand):
                for each in self._outcomes(operand, is_factor=True):
                    yield replace(each, value=_share(each.value))
            case expressions.Operation(operator, left, right):
                yield from self._operation(operator, left, right)
            case Function():
                yield from self._over_rows(expression) if expression.is_over_rows else self._of_the_calendar(expression)
            case _:
                raise Unreadable(str(expression))

    def _operation(self, operator: str, left: Expression, right: Expression) -> Iterator[Outcome]:
        multiplies = operator in "*/"
        ones = list(islice(self._outcomes(left, is_factor=multiplies or _is_one(left)), MAX_WAYS))
        others = list(islice(self._outcomes(right, is_factor=multiplies or _is_one(right)), MAX_WAYS))
        error: Impossible | None = None
        worked = False
        for one, other in islice(product(ones, others), MAX_WAYS):
            try:
                value = _worked_out(operator, one.value, other.value)
            except Impossible as impossible:
                error = impossible
                continue
            worked = True
            yield _joined(value, [one, other])
            if operator in "*/" and _converts(one.value, other.value):
                yield one
        if error and not worked:
            raise error

    def _operand(self, operand: Operand, *, is_factor: bool) -> Iterator[Outcome]:
        days = [(self._day(each), self.operands.date(each)) for each in operand.dates]
        for day, places in days:
            if day and places:
                yield Outcome(Moment(day, operand.seconds), places)
        if not operand.dates and operand.seconds is not None and (places := self.operands.time(operand.seconds // 60)):
            yield Outcome(Moment(None, operand.seconds), places)
        for number in operand.numbers:
            if places := self.operands.number(number):
                yield Outcome(quantity(number, operand.unit), places, numbers=_plain(number, is_factor=is_factor))
        if not self.operands.holds(operand):
            yield self._assumed(operand, is_factor=is_factor)

    def _assumed(self, operand: Operand, *, is_factor: bool) -> Outcome:
        """A number or the beginning of a month that stands nowhere, but that anybody may use; raises Ungrounded."""
        if operand.dates and (day := self._day(operand.dates[0])) and _is_bound(day):
            return Outcome(Moment(day, operand.seconds), assumed=(operand.text,))
        if not operand.numbers:
            raise Ungrounded(operand.text)
        number = operand.numbers[0]
        value = quantity(number, operand.unit)
        if operand.unit == "%" and number in TAXES:
            return Outcome(value, assumed=(operand.text,))
        if is_factor and operand.unit is None and number in FACTORS:
            return Outcome(value, numbers=())
        if number in CONVENTIONS | FACTORS and (is_factor or value.dimension in {TIME, MONTHS}):
            return Outcome(value, assumed=(operand.text,))
        raise Ungrounded(operand.text)

    def _day(self, each: Date) -> date | None:
        return as_date(each if each.day else Date(each.year, each.month, 1), self._today)

    def _over_rows(self, function: Function) -> Iterator[Outcome]:
        listed = named_things(function)
        if listed:
            places = [self.operands.quotation(each) for each in listed]
            sources = tuple(each for each in places if each)
            if len(sources) == len(places):
                yield Outcome(Quantity(Decimal(len(listed)), is_counted=True), sources)
            if len(listed) > 1 and len(sources) < len(places):
                raise Ungrounded("a thing that is listed")
        found = self._fitting(function, function.call) or self._fitting(function, None)
        if listed and len(listed) > 1:  # each thing, or the rows that have all these words
            found = {value: each for value, each in found.items() if isinstance(value, Quantity) and value.amount}
        if not found and not listed:
            raise Unfit(function.name)
        yield from found.values()

    def _fitting(self, function: Function, call: int | None) -> dict[Value, Outcome]:
        """What a function comes to over each table that it fits."""
        found: dict[Value, Outcome] = {}
        for rows, owner in (*self.operands.tables(call), *self.operands.pages(call)):
            try:
                value = aggregate(function, rows, self._may_be_used)
            except (Unfit, Impossible):
                continue
            found.setdefault(value, Outcome(value, (owner.source,), is_whole=not owner.is_incomplete))
        return found

    def _may_be_used(self, text: str, value: Value) -> bool:
        """True if rows may be compared with a value or multiplied by it: it stands somewhere, or is a natural bound."""
        if isinstance(value, Quantity):
            return value.amount in FACTORS | {Decimal(0)} or self._stands(text)
        day = value.day
        return day is None or day == self._today or _is_bound(day) or day.weekday() in _WEEK or self._stands(text)

    def _stands(self, text: str) -> bool:
        try:
            parsed = grammar.parse_expression(text)
        except Unreadable:
            parsed = None
        is_held = isinstance(parsed, Operand) and self.operands.holds(parsed)
        return is_held or self.operands.quotation(text) is not None

    def _of_the_calendar(self, function: Function) -> Iterator[Outcome]:
        arguments = function.arguments
        if function.name == "holiday":
            yield self._holiday(arguments)
            return
        if function.name == "nth":
            yield self._nth(arguments)
            return
        if function.name == "weekday":
            yield self._weekday(arguments)
            return
        read = [self.evaluate(grammar.parse_expression(each)) for each in arguments]
        for outcomes in islice(product(*read), MAX_WAYS):
            yield _joined(_called(function.name, [each.value for each in outcomes]), outcomes)

    def _weekday(self, arguments: Sequence[str]) -> Outcome:
        """The weekday of any day: the calendar knows it, wherever the day comes from."""
        operand = grammar.parse_expression(arguments[0]) if len(arguments) == 1 else None
        if isinstance(operand, Operand) and operand.dates:
            day, places = self._day(operand.dates[0]), self.operands.date(operand.dates[0]) or ()
        else:
            outcome = self.evaluate(operand)[0] if operand else Outcome(Moment(None))
            day, places = (outcome.value.day if isinstance(outcome.value, Moment) else None), outcome.sources
        if day is None:
            raise Unreadable("weekday")
        return Outcome(Moment(day, is_weekday=True), places)

    def _holiday(self, arguments: Sequence[str]) -> Outcome:
        years = [int(each) for each in arguments if each.strip().isdecimal() and len(each.strip()) == 4]
        year = years[0] if years else (self._today or date.min).year
        days = [day for each in arguments for day in holidays_in(each, year)]
        if not days:
            raise Unreadable("no holiday")
        return Outcome(Moment(days[0]))

    def _nth(self, arguments: Sequence[str]) -> Outcome:
        if len(arguments) != 3 or not (number := arguments[0].strip().rstrip(".").removeprefix("-")).isdecimal():
            raise Unreadable("nth")
        weekday, month = weekday_of(arguments[1]), grammar.parse_expression(arguments[2])
        first = self._day(month.dates[0]) if isinstance(month, Operand) and month.dates else None
        if weekday is None or first is None:
            raise Unreadable("nth")
        place = -1 if arguments[0].strip().startswith("-") else int(number)
        return Outcome(Moment(nth_weekday(place, weekday, first)))


def _converts(value: Value, factor: Value) -> bool:
    """True if a factor may only lead to another unit: `90 minutes / 60`, `18 GB * 1024`."""
    if not isinstance(value, Quantity) or not isinstance(factor, Quantity):
        return False
    return value.dimension in UNITS and factor.amount in CONVERSIONS and not factor.dimension


def _share(value: Value) -> Quantity:
    if not isinstance(value, Quantity):
        raise Impossible("a share of a date")
    return Quantity(value.amount / 100, SHARE)


def _is_bound(day: date) -> bool:
    return day.day in {1, last_of_month(day.year, day.month)}


def _plain(number: Decimal, *, is_factor: bool) -> tuple[Decimal, ...] | None:
    """A number of one or two digits, which is no evidence where it stands alone; None for any other."""
    if is_factor and number in FACTORS:
        return ()
    return (number,) if is_small(number) else None


def _is_one(expression: Expression) -> bool:
    return isinstance(expression, Operand) and expression.numbers == (Decimal(1),) and expression.unit is None


def _joined(value: Value, parts: Sequence[Outcome]) -> Outcome:
    plain = [each.numbers for each in parts]
    return Outcome(
        value,
        tuple(source for each in parts for source in each.sources),
        tuple(text for each in parts for text in each.assumed),
        tuple(number for each in plain for number in each or ()) if None not in plain else None,
        all(each.is_whole for each in parts),
    )


def _worked_out(operator: str, one: Value, other: Value) -> Value:
    match operator:
        case "*":
            return multiply(one, other)
        case "/":
            return divide(one, other)
        case "+":
            return add(one, other, 1)
    return add(one, other, -1)


def _called(name: str, values: Sequence[Value]) -> Value:
    """What a function of the calendar comes to; raises Impossible."""
    if any(isinstance(each, Moment) and each.is_weekday for each in values):
        raise Impossible("a weekday says no day")
    match name, values:
        case "eom", [Moment(day=date() as day)]:
            return Moment(day.replace(day=last_of_month(day.year, day.month)))
        case "abs", [Quantity() as only]:
            return replace(only, amount=abs(only.amount))
        case "years" | "months", [Moment(day=date() as one), Moment(day=date() as other)]:
            months = months_between(one, other)
            return Quantity(Decimal(months // 12 * 12 if name == "years" else months), MONTHS, is_counted=True)
        case "workdays", [Moment(day=date() as one), Moment(day=date() as other)]:
            return Quantity(Decimal(workdays_between(one, other)), "workday", is_counted=True)
        case "workdays", [Moment(day=date() as one), Quantity() as many]:
            return Moment(workdays_later(one, int(many.amount)))
    raise Impossible(name)
