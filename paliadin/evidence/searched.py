"""Decide which days of an answer only say how far a search went: `until 6 December there are seven`. Pure.

Such a day need not be in a result. What the answer says of it is a number of rows, or that there are none; a day that
it gives to one thing is no such day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from paliadin.evidence.notation import Date, find_number_words
from paliadin.evidence.records import only_reads
from paliadin.evidence.results import Call
from paliadin.evidence.statements import Statement
from paliadin.evidence.surroundings import Derived, Surroundings, source_of
from paliadin.evidence.vocabulary import NEGATIONS, WEEKDAYS

MAX_DAYS = 400  # of a period in which a day of the week is looked for
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_WORD = re.compile(r"[^\W\d_]{2,20}")
_NOTHING = NEGATIONS | {"nichts", "nothing", "keines", "keinerlei", "frei", "free"}
_CLAUSE = re.compile(r"[,;:.!?(] |\n")
_ENDS_A_PERIOD = re.compile(
    r"(?:\b(?:bis|until|till|through|to|from|between|and|zwischen|und|ab|since|seit|vom|von|before|vor|after|nach|beyond)"
    r"(?: (?:zum|dem|den|einschließlich|and including|the))?(?: (?:" + "|".join(WEEKDAYS) + r"),?)?|"
    r"[\d\w]\.? ?[–-])\s*\Z",
    re.IGNORECASE,
)
_BEHIND_A_DAY = re.compile(
    r"\d\.? ?(?:[–-]|bis|to|until|through) ?\Z|\b(?:between|zwischen)\b.{1,24} (?:and|und) (?:the |dem )?\Z",
    re.IGNORECASE,
)
_BEFORE_A_DAY = re.compile(r" ?(?:[–-]|bis|to|until|through) ?\d")
_BEGINS_A_PERIOD = re.compile(r"\s?(?:[–-]|bis|to|until|through)\s?(?=\w)")


@dataclass(frozen=True, slots=True)
class Period:
    """The days that a call was asked for: all that its input has, the first and the last one of them."""

    call: Call
    days: frozenset[date]

    def covers(self, day: date) -> bool:
        """True if a day lies in the period, whose two ends the call was given."""
        return len(self.days) > 1 and min(self.days) <= day <= max(self.days)


@dataclass
class Searched:
    """Tries days; a statement is named by its number."""

    around: Surroundings

    def derive(self, number: int) -> Derived | None:
        """Return the call that was asked for this period of time, if the day is an end of it or nothing is in it."""
        statement = self.around.statements[number]
        is_end, is_empty = self._is_end(number), self._says_nothing(number)
        for period in self._periods if is_end or is_empty else ():
            is_given = any(_is_day(statement, day) for day in period.days)
            is_inside = is_empty or (is_end and self._is_in_a_range(number))
            if (is_end and is_given) or (is_inside and any(map(period.covers, self._days_of(statement, period)))):
                return "searched", [source_of(period.call)]
        return None

    @cached_property
    def _periods(self) -> list[Period]:
        return list(self._find_periods())

    def _find_periods(self) -> Iterator[Period]:
        for call in self.around.calls:
            if call.rows is None or not isinstance(call.input, Mapping) or not only_reads(call):
                continue
            values = [value for value in call.input.values() if isinstance(value, str) and _DAY.fullmatch(value)]
            days = frozenset(self.around.days_in(values))
            if days:
                yield Period(call, days)

    def _days_of(self, statement: Statement, period: Period) -> Iterator[date]:
        """The days that a statement may mean: of a weekday, those of the period."""
        for each in statement.dates:
            if day := self.around.day(each):
                yield day
                yield from (day.replace(year=other.year) for other in period.days if each.year is None and day.day < 29)
        if statement.words in WEEKDAYS:
            first = min(period.days)
            week = (
                first + timedelta(days=shift) for shift in range(min((max(period.days) - first).days, MAX_DAYS) + 1)
            )
            yield from (day for day in week if day.weekday() == WEEKDAYS[statement.words])

    def _is_end(self, number: int) -> bool:
        """True for an end of a period of which the sentence says how many there are, or that there are none."""
        statement, sentence = self.around.statements[number], self.around.sentence(number)
        line = self.around.lines[statement.line].text
        before, behind = line[max(statement.start - 40, 0) : statement.start], line[statement.end :]
        if not _ENDS_A_PERIOD.search(before) and not _BEGINS_A_PERIOD.match(behind):
            return False
        others = [self.around.statements[n] for n in self.around.in_sentence(number) if n != number]
        return (
            any(each.kind == "count" or (each.numbers and not each.unit) for each in others)
            or next(find_number_words(sentence), None) is not None
            or _denies(sentence)
            or self.around.lines[statement.line].block == "row"
        )

    def _is_in_a_range(self, number: int) -> bool:
        """True for one of two days that a range is named by: `vom 14. bis 20. Dezember`."""
        statement = self.around.statements[number]
        line = self.around.lines[statement.line].text
        before, behind = line[max(statement.start - 40, 0) : statement.start], line[statement.end :]
        return _BEHIND_A_DAY.search(before) is not None or _BEFORE_A_DAY.match(behind) is not None

    def _says_nothing(self, number: int) -> bool:
        """True if the clause of a day says that there is nothing."""
        statement = self.around.statements[number]
        line = self.around.lines[statement.line].text
        before = _CLAUSE.split(line[max(statement.start - 200, 0) : statement.start])[-1]
        behind = _CLAUSE.split(line[statement.end : statement.end + 200])[0]
        return _denies(f"{before} {behind}")


def _denies(text: str) -> bool:
    return not _NOTHING.isdisjoint(map(str.casefold, _WORD.findall(text)))


def _is_day(statement: Statement, day: date) -> bool:
    return any(each.day and each.matches(Date(day.year, day.month, day.day)) for each in statement.dates)
