"""Decide which periods of an answer follow from dates and times that were found. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from paliadin.evidence import durations
from paliadin.evidence.derive import selections
from paliadin.evidence.notation import Date
from paliadin.evidence.rows import Rows
from paliadin.evidence.sentences import paragraph_of
from paliadin.evidence.surroundings import MAX_ROWS, Surroundings
from paliadin.evidence.vocabulary import UNITS

MAX_RELATED = 3  # dates of rows that are each compared with today
CALENDAR = frozenset({"day", "workday", "week", "month", "year"})
"""The units in which dates are apart."""

_FROM_TODAY = re.compile(
    r"\b(?:noch|bis|in|heute|today|left|remaining|now|ago|vor|seit|since|overdue|überfällig|until|away|entfernt|"
    r"by|past|alt|old|her|läuft|abläuft|expires?|"
    r"late)\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\b(?:zwischen|between|erste\w*|first|letzte\w*|last|auseinander|apart|span\w*|verteil\w*|gap|difference|longer|"
    r"shorter|länger|kürzer)\b",
    re.IGNORECASE,
)
_AGE = re.compile(r"\b(?:alt|old|ago|vor|seit|since|Alter|age|bestehen|in use)\b", re.IGNORECASE)
_INCLUSIVE = re.compile(r"\b(?:einschließlich|inklusive|inclusive|including|mitgezählt|counting)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{3,20}")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass
class Spans:
    """Tries periods; a statement is named by its number."""

    around: Surroundings

    def is_period(self, number: int) -> bool:
        """True if a number of days, hours and so on is how far two dates or times are apart."""
        statement = self.around.statements[number]
        if statement.unit in {"h", "min", "s"}:
            return self._is_time_span(number)
        if statement.unit not in CALENDAR or statement.numbers[0] % 1:
            return False
        target, unit = int(statement.numbers[0]), statement.unit
        groups = self._date_groups(number)
        targets = (
            [target, target - 1] if _INCLUSIVE.search(self.around.sentence(number)) and unit == "day" else [target]
        )
        return any(
            durations.days_between(each, unit, dates, about=statement.about) for dates in groups for each in targets
        )

    def is_in_a_column_of_periods(self, number: int) -> bool:
        """True if a number's column is headed `Days`, and a date of its row is as many away: from another, or today."""
        surroundings, statement = self.around, self.around.statements[number]
        line, head = surroundings.lines[statement.line], surroundings.head_of(number)
        units = [unit for word in _WORD.findall(head) if (unit := UNITS.get(word.lower())) in CALENDAR]
        if line.block != "row" or not units or statement.numbers[0] % 1:
            return False
        days = surroundings.dates(surroundings.in_line(number), number)
        groups = [days, *([surroundings.today, day] for day in days if surroundings.today)]
        return any(durations.days_between(int(statement.numbers[0]), str(units[0]), each) for each in groups)

    def _date_groups(self, number: int) -> Iterator[list[date]]:
        """Yield the sets of dates between which a period of a sentence may lie, the nearest first."""
        surroundings, statement = self.around, self.around.statements[number]
        today, sentence = surroundings.today, surroundings.sentence(number)
        here = surroundings.dates(surroundings.in_sentence(number), number)
        around = surroundings.dates(surroundings.around(number), number)
        related = self.around.days_in(surroundings.related_texts(number))
        yield here
        yield [*here, *related]
        yield self.around.days_in([text for n in surroundings.in_line(number) for text in surroundings.found_texts(n)])
        yield [*here[:1], *around]
        line = surroundings.lines[statement.line].text
        if today and _FROM_TODAY.search(line, max(statement.start - 30, 0), statement.end + 30):
            earlier = [n for n, other in enumerate(surroundings.statements) if other.line <= statement.line]
            known = dict.fromkeys([*here, *around, *related, *surroundings.dates(earlier, number)])
            yield from ([today, day] for day in known)
        elif today and len(set(related)) <= MAX_RELATED:
            yield from ([today, day] for day in related)  # of a row's date: `PAY-818 hasn't moved for 12 days`
        if statement.unit == "year" and today and _AGE.search(sentence):
            yield from self._years_ago(number, today)
        if _BETWEEN.search(sentence):
            words, named = surroundings.named(number)
            for rows in surroundings.rows:
                yield from self._ends_of(rows, words, named)
                days = sorted(day for row in rows.dates for each in row if (day := durations.as_date(each, today)))
                yield days if len(days) < 4 else [days[0], days[-1]]

    def _ends_of(self, rows: Rows, words: list[str], named: list[Date]) -> Iterator[list[date]]:
        """Yield the first and the last date of a column, among the rows that a sentence may mean."""
        for picked in selections(rows, words, named) if len(rows.texts) <= MAX_ROWS else ():
            for column in rows.date_columns:
                cells = (each for i in picked for each in column[i])
                days = sorted(day for each in cells if (day := durations.as_date(each, self.around.today)))
                yield days[:1] + days[-1:]

    def _years_ago(self, number: int, today: date) -> Iterator[list[date]]:
        """Yield today with each year that the results name: `of 2019` is seven years ago in 2026."""
        texts = [*self.around.related_texts(number), *(call.searched[:20_000] for call in self.around.calls)]
        this_day = today.replace(day=min(today.day, 28))
        for year in sorted({int(year) for text in texts for year in _YEAR.findall(text)}):
            yield [this_day.replace(year=year), this_day]

    def _is_time_span(self, number: int) -> bool:
        surroundings, statement = self.around, self.around.statements[number]
        sentence = surroundings.sentence(number)
        texts = [sentence, *surroundings.related_texts(number)]
        texts.append("\n".join(surroundings.lines[n].text for n in surroundings.lines_around(number)))
        texts.append("\n".join(surroundings.lines[n].text for n in paragraph_of(surroundings.lines, statement.line)))
        if _BETWEEN.search(sentence):
            texts += ["\n".join(map(" ".join, rows.table.rows)) for rows in surroundings.rows if len(rows.texts) < 40]
        if statement.unit == "s":
            return any(durations.seconds_between(statement.numbers[0], text, about=statement.about) for text in texts)
        return any(
            durations.minutes_between(statement.numbers[0], str(statement.unit), moments, about=statement.about)
            for moments in (durations.moments_of(text, surroundings.today) for text in texts)
        )
