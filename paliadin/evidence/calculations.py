"""Decide which numbers follow by arithmetic from those that the text, a row or the question names. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations, islice

from paliadin.evidence import derive, durations, reckoning
from paliadin.evidence.calculation_words import COMPARES, IN_ALL, MEAN, REST_BEFORE, SHARE, TAX, YEARLY
from paliadin.evidence.notation import find_number_words, find_numbers, read_unit
from paliadin.evidence.spans import CALENDAR
from paliadin.evidence.statements import Statement
from paliadin.evidence.surroundings import Derived, Surroundings, source_of
from paliadin.evidence.tables import cell_number

MAX_COUNTS = 6  # before a rest
MAX_TEXT = 600  # characters of a line or a row


def numbers_of(row: Sequence[str]) -> list[Decimal]:
    """The numbers that a row's cells are; of a row that is one text, those that it holds."""
    if len(row) == 1:
        return [each.values[0] for each in find_numbers(row[0][:300])][:8]
    return [value for cell in row if (value := cell_number(cell)) is not None]


@dataclass
class Calculations:
    """Tries calculations; a statement is named by its number."""

    _around: Surroundings

    @property
    def _statements(self) -> Sequence[Statement]:
        return self._around.statements

    def equation(self, number: int) -> Derived | None:
        """The result of a calculation that the answer writes out, of numbers that are sure or that a result holds."""
        statement = self._statements[number]
        line = self._around.lines[statement.line].text
        written = reckoning.equation_before(line, statement.start)
        if not written or not any(abs(written[0] - value) * 2 <= statement.step for value in statement.numbers):
            return None
        known = {
            value
            for n in self._around.in_line(number)
            if self._around.is_quantity(n)
            for value in self._statements[n].numbers
        }
        for _, held in self._around.material.values if not known.issuperset(written[1]) else ():
            known |= held
        return ("sum", []) if known.issuperset(written[1]) else None

    def operands(self, number: int) -> Derived | None:
        """A sum, difference or product of numbers that the text around names, and that are sure."""
        statement, sentence = self._statements[number], self._around.sentence(number)
        target, compares = statement.numbers[0], COMPARES.search(sentence) is not None
        groups = (self._around.in_sentence(number), self._around.in_line(number), self._around.around(number))
        for level, group in enumerate(groups):
            numeric = [n for n in group if n != number and self._statements[n].numbers and self._around.is_sure(n)]
            alike = [n for n in numeric if self._statements[n].unit == statement.unit or statement.kind == "count"]
            values = [self._statements[n].numbers[0] for n in alike]
            if len(values) > 2 and abs(sum(values) - target) < reckoning.CENT:
                return "sum", [self._around.source_of(n) for n in alike]
            near = level < 2 or reckoning.are_few(len(values) ** 2, target, min(statement.step, Decimal(1)))
            if near and (rule := reckoning.of_operands(target, values, differences=level < 2 or compares)):
                return rule, [self._around.source_of(n) for n in alike]
            factors = [self._statements[n].numbers[0] for n in numeric] + [Decimal(12)] * bool(YEARLY.search(sentence))
            if statement.kind != "count" and level < 2 and reckoning.is_product(target, factors):
                return "sum", [self._around.source_of(n) for n in numeric]
        for text in self._around.related_texts(number) if target >= 10 and IN_ALL.search(sentence) else ():
            values = [each.values[0] for each in find_numbers(text)][:8]
            if reckoning.of_operands(target, values, differences=compares):
                return "sum", []
        return None

    def rest(self, number: int) -> Derived | None:
        """What is left of a count that the text before has, where it is said to be the rest: `the other 13`."""
        statement = self._statements[number]
        line = self._around.lines[statement.line].text
        if not REST_BEFORE.search(line, max(statement.start - 24, 0), statement.start):
            return None
        counts = list(islice((n for n in range(number - 1, -1, -1) if self._is_sure_count(n)), MAX_COUNTS))
        for whole, part in combinations(counts, 2):
            if abs(self._statements[whole].numbers[0] - self._statements[part].numbers[0]) == statement.numbers[0]:
                return "difference", [self._around.source_of(whole), self._around.source_of(part)]
        return None

    def _is_sure_count(self, number: int) -> bool:
        return self._statements[number].kind == "count" and self._around.is_sure(number)

    def of_a_row(self, number: int) -> Derived | None:
        """The difference, the product or the quotient of two numbers of a row that the sentence is about."""
        statement = self._statements[number]
        for row in self._around.related_rows(number)[:6] if statement.unit not in CALENDAR else ():
            cells = [value for cell in row if (value := cell_number(cell)) is not None]
            if reckoning.is_of_two(abs(statement.numbers[0]), statement.step, cells):
                return "difference", []
        return None

    def reckoned(self, number: int) -> Derived | None:
        """What a calculation gives with the numbers that the text around names, or a row of a result, or the question.

        So many ways lead to a small number that it is believed only where few are tried: see `reckoning.reckon`.
        """
        statement = self._statements[number]
        target, sure = abs(statement.numbers[0]), self._sure_numbers
        text = self._around.sentence(number)
        sentence = sure(number, self._around.in_sentence(number))
        sentence += [each.values[0] for each in find_number_words(text)]  # of how many: `for each of the five`
        if TAX.search(text):
            sentence += [1 + Decimal(share.replace(",", ".")) / 100 for share in SHARE.findall(text)]
        asked = [each.values[0] for each in find_numbers(self._around.question[-400:])]
        is_named = any(each.search(text) for each in (COMPARES, IN_ALL, MEAN))
        pools = [sentence, sentence + sure(number, self._around.in_line(number)), sentence + asked]
        rows = self._around.related_rows(number)[:6] or self._around.spoken_of(number)[:6]
        pools += [sentence + numbers_of(row) for row in rows]
        pools.append(sure(number, self._around.around(number)))
        pools.append([value for row in rows for value in numbers_of(row)])
        for one, other in combinations([numbers_of(row) for row in rows] if COMPARES.search(text) else [], 2):
            apart = [abs(a - b) for a, b in zip(one, other, strict=False)] if len(one) == len(other) else []
            if any(abs(each - target) < reckoning.CENT for each in apart):
                return "difference", []
        for pool in pools:
            if rule := reckoning.reckon(target, statement.step, pool, about=statement.about, is_named=is_named):
                return rule, []
        return None

    def _sure_numbers(self, number: int, others: Sequence[int]) -> list[Decimal]:
        """The values of the others that are sure, the nearest first; in the statement's unit, if they have one."""
        statement = self._statements[number]
        near = sorted(others, key=lambda n: abs(n - number))
        return [
            durations.in_unit_of(other.numbers[0], other.unit, statement.unit)
            for n in near
            if n != number and (other := self._statements[n]).numbers and self._around.is_sure(n)
        ]

    def points(self, number: int) -> Derived | None:
        """How far two shares are apart, which the text around or a row that it speaks of has."""
        statement, around = self._statements[number], self._around.around(number)
        shares = [self._statements[n] for n in around if n != number and self._around.is_sure(n)]
        values = [each.numbers[0] for each in shares if each.unit == "%"]
        values += [Decimal(digits.replace(",", ".")) for digits in SHARE.findall(self._around.question[-300:])]
        if reckoning.of_operands(abs(statement.numbers[0]), values, differences=True):
            return "difference", []
        return None

    def rounded(self, number: int) -> Derived | None:
        """A number that is said to be about another one, or is written with a word such as `Mio.`"""
        statement = self._statements[number]
        if nearby := self.rounded_nearby(number):
            return nearby
        is_fine = abs(statement.numbers[0]) >= 30 * statement.step and statement.step < 1 and statement.unit is not None
        if not statement.about and not statement.is_scaled and not is_fine:
            return None
        named = self._around.named(number)
        wanted, step, about = statement.numbers[0], statement.step, statement.about
        for rows in self._around.rows:
            near = reckoning.between(rows.sorted_numbers, wanted, step, lambda each: each)
            if reckoning.is_rounded(wanted, step, [*near, *derive.column_sums(rows, *named)], about=about):
                return "rounded", self._around.source(rows)
        for call, quantities in self._around.material.quantities:
            around = reckoning.between(quantities, wanted, step, lambda each: each.size)
            held = [each.size for each in around if each.may_have(statement.unit)]
            if reckoning.is_rounded(wanted, step, held, about=about):
                return "rounded", [source_of(call)]
        return None

    def rounded_nearby(self, number: int) -> Derived | None:
        """A quantity that a line or row which speaks of the same has with more digits."""
        statement = self._statements[number]
        if statement.unit is None or statement.unit in CALENDAR:
            return None
        texts = [*self._around.related_texts(number), *(" | ".join(row) for row in self._around.spoken_of(number)[:6])]
        is_held = any(
            found.step < statement.step
            and any(abs(value - abs(statement.numbers[0])) * 2 <= statement.step for value in found.values)
            and read_unit(text, found.start, found.end).unit == statement.unit
            for text in dict.fromkeys(texts)
            for found in find_numbers(text[:MAX_TEXT])
        )
        return ("rounded", []) if is_held else None

    def in_another_unit(self, number: int) -> Derived | None:
        """A number that the line or a result has in another unit: 72 hours are three days."""
        statement = self._statements[number]
        base = durations.in_base_unit(statement.numbers[0], statement.unit)
        for n in self._around.in_line(number) if base else ():
            other = self._statements[n]
            others = durations.in_base_unit(other.numbers[0], other.unit) if other.numbers else None
            size = durations.in_base_unit(statement.step / 2 if statement.about else Decimal(0), statement.unit)
            same = base and others and size and base[0] == others[0] and abs(base[1] - others[1]) <= size[1]
            if n != number and same and self._around.is_sure(n):
                return "rounded", []
        others_units = list(durations.in_other_units(statement.numbers[0], statement.step, statement.unit))
        wanted = [(value, step) for value, step in others_units if value >= 60 or value % 1]
        is_rounded = statement.about or statement.is_scaled or statement.unit not in {*CALENDAR, "quarter", "h"}
        for call, held in self._around.material.values if wanted else ():
            if any(reckoning.is_near(value, step if is_rounded else Decimal(0), held) for value, step in wanted):
                return "rounded", [source_of(call)]
        return None
