"""Decide whether a number follows from others by arithmetic: a sum, a product, a share, a rounded number. Pure.

The more ways are tried, the likelier one of them gives a number by chance: `reckon` says how many are allowed.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import combinations
from typing import TypeVar

from paliadin.evidence.model import Rule
from paliadin.evidence.notation import read_number

T = TypeVar("T")
MAX_OPERANDS = 12  # numbers of a sentence that are tried as a sum's
_SIGNS = r"[+×*x·−–-]"
_PLAIN_NUMBER = r"\d{1,12}(?:[.,'’]\d{1,3}){0,4}"
_TERM = rf"[€$£]?{_PLAIN_NUMBER}(?: ?[€$£%]| EUR)?"
_EQUATION = re.compile(rf"(?<![\d.,])({_TERM}(?: ?{_SIGNS} ?{_TERM}){{1,6}}) ?= ?[€$£]?\Z")
_OPERAND = re.compile(rf"({_SIGNS}|) ?[€$£]?({_PLAIN_NUMBER})")
CENT = Decimal("0.005")
NAMED = 4  # times as likely where a word names a calculation
CHANCE = Decimal("0.05")  # how likely a number may be the result of one of the calculations that are tried, by chance


def reckon(
    target: Decimal, step: Decimal, operands: Iterable[Decimal], *, about: bool = False, is_named: bool = False
) -> Rule | None:
    """The rule by which a number follows from a few others, which need not all be used; None if it may be by chance.

    `is_named`: the text has a word for a calculation, such as `together` or `each`. `step` is the worth of
    its last digit that counts. A number of five such digits is met by chance once in 90,000 calculations, one of two in
    90: so of the calculations, the simple ones first, only some are tried.
    """
    values = list(dict.fromkeys(abs(each) for each in operands if each))[:MAX_OPERANDS]
    allowed = int(CHANCE * (NAMED if is_named else 1) * abs(target) / (step if about else min(step, Decimal(1))))
    reach = step if about else min(step, Decimal(1)) / 2
    for (rule, value), _ in zip(_calculations(values), range(allowed), strict=False):
        if abs(value - target) <= (reach if rule == "share" or about or step < 1 else CENT):
            return rule
    return None


def are_few(tried: int, target: Decimal, step: Decimal, *, is_named: bool = False) -> bool:
    """True if so many values are unlikely to hold a number by chance: see `reckon`."""
    return tried <= CHANCE * (NAMED if is_named else 1) * abs(target) / step


def _calculations(values: Sequence[Decimal]) -> Iterator[tuple[Rule, Decimal]]:
    """Yield what a few numbers give, by simple calculations first; `share` if it has to be rounded."""
    for one, other in combinations(values, 2):
        if max(one, other) < 100 * min(one, other):  # else the sum is next to one of them
            yield "sum", one + other
            yield "difference", abs(one - other)
        yield "sum", one * other
        yield "share", max(one, other) / min(one, other)
    if len(values) > 2:
        yield "sum", sum(values, Decimal(0))
        yield "share", sum(values, Decimal(0)) / len(values)
    for three in combinations(values, 3):
        yield "sum", sum(three, Decimal(0))
        for last in range(3):
            one, other = (value for n, value in enumerate(three) if n != last)
            third = three[last]
            yield "sum", one * other + third
            yield "difference", abs(one + other - third)
            yield "difference", one * other - third
            yield "share", one * other / third
            yield "share", (one + other) / third
            yield "share", (one + other) * third
            yield "share", abs(one - other) * third
            yield "share", abs(one - other) / third
        yield "sum", three[0] * three[1] * three[2]
    for four in combinations(values, 4):
        yield "sum", sum(four, Decimal(0))
        yield from (("difference", abs(sum(four, Decimal(0)) - 2 * each)) for each in four)


def of_operands(target: Decimal, operands: Sequence[Decimal], *, differences: bool) -> Rule | None:
    """The rule by which a number follows from others that a text names: their sum, or the difference of two."""
    values = list(operands)[:MAX_OPERANDS]
    if len(values) > 1 and sum(values) == target:
        return "sum"
    least = abs(target) / 15 if abs(target) < 1_000 else 0  # what a much smaller one adds is there by chance
    parts = [value for value in values if abs(value) >= least]
    for count in range(2, min(len(parts), 4) + 1):
        if any(sum(each) == target for each in combinations(parts, count)):
            return "sum"
    if differences and any(abs(one - other) == target for one, other in combinations(values, 2)):
        return "difference"
    return None


def is_product(target: Decimal, operands: Sequence[Decimal]) -> bool:
    """True if a number is the product of two others: nights and their price."""
    return any(
        one * other == target and 1 not in {one, other} for one, other in combinations(operands[:MAX_OPERANDS], 2)
    )


def is_of_two(target: Decimal, step: Decimal, numbers: Sequence[Decimal]) -> bool:
    """True if a number is the difference, product or, rounded, the quotient of two others; small ones are by chance."""
    values = [abs(number) for number in numbers if number][:MAX_OPERANDS]
    if target < 20:
        return any(abs(one - other) == target for one, other in combinations(values, 2))
    return any(
        abs(one - other) == target
        or one * other == target
        or abs(max(one, other) / min(one, other) - target) < step / 2
        for one, other in combinations(values, 2)
    )


def equation_before(line: str, end: int) -> tuple[Decimal, list[Decimal]] | None:
    """Return the value of a calculation right before a place, such as `4 × €1,240 = `, and its operands; else None."""
    written = _EQUATION.search(line, max(end - 80, 0), end)
    if not written:
        return None
    parts = _OPERAND.findall(written[1])
    operands = [read_number(digits)[0] for _, digits in parts]
    value = operands[0]
    for (sign, _), operand in zip(parts[1:], operands[1:], strict=True):
        value = value * operand if sign in "×*x·" else value + operand if sign == "+" else value - operand
    return value, operands


def share_of(target: Decimal, step: Decimal, numbers: Iterable[Decimal], *, growth: bool) -> bool:
    """True if a percentage is the share of one of these numbers in another; `growth`: or how far they are apart."""
    values = sorted({number for number in numbers if number > 0})[:60]
    step = min(step, Decimal(1))
    reach = step / 2 + Decimal("0.001")
    return any(
        abs(small * 100 / big - target) <= reach
        or (growth and abs((big - small) * 100 / small - target) <= reach)
        or (growth and abs((big - small) * 100 / big - target) <= reach)
        or (growth and small * 2 < big and abs(small * 100 / (big - small) - target) <= reach)
        for small, big in combinations(values, 2)
    )


def is_growth(target: Decimal, step: Decimal, one: Decimal, other: Decimal) -> bool:
    """True if a percentage is by how much two numbers differ, as a share of one of them."""
    reach = min(step, Decimal(1)) / 2 + Decimal("0.001")
    return any(base > 0 and abs(abs(one - other) * 100 / base - abs(target)) <= reach for base in (one, other))


def is_part(target: Decimal, step: Decimal, part: Decimal, whole: Decimal) -> bool:
    """True if a percentage is the share of a part in a whole."""
    return whole > 0 and abs(part * 100 / whole - target) <= min(step, Decimal(1)) / 2 + Decimal("0.001")


def is_near(target: Decimal, step: Decimal, values: Collection[Decimal]) -> bool:
    """True if one of these values is the target, or is rounded to it where `step` is what its last digit is worth."""
    return target in values or (step >= 10 and any(abs(value - target) * 2 <= step for value in values))


def between(values: Sequence[T], target: Decimal, reach: Decimal, key: Callable[[T], Decimal]) -> Sequence[T]:
    """Those of sorted values that are at most `reach` away from a target; `key` says what of them is compared."""
    first = bisect_left(values, target - reach, key=key)
    return values[first : bisect_right(values, target + reach, lo=first, key=key)]


def is_rounded(target: Decimal, step: Decimal, values: Iterable[Decimal], *, about: bool) -> bool:
    """True if one of these values gives the target when it is rounded to its last digit; `about`: up or down."""
    reach = step if about else step / 2
    return any(
        value != target and abs(value - target) <= reach and abs(value - target) * 5 <= abs(value) for value in values
    )
