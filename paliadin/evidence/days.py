"""Days that need not stand anywhere: today, `tomorrow`, the weekday or the month of a known date. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from itertools import islice

from paliadin.evidence.holidays import holidays_in
from paliadin.evidence.notation import Date, find_dates
from paliadin.evidence.reading import Reading
from paliadin.evidence.results import Call
from paliadin.evidence.stated.calendar_days import last_of_month, months_later
from paliadin.evidence.stated.expressions import Impossible
from paliadin.evidence.stated.values import Moment
from paliadin.evidence.statements import Statement
from paliadin.evidence.units import as_date
from paliadin.evidence.vocabulary import MONTHS, PATTERNS, RELATIVE_DAYS, WEEK_WORDS, WEEKDAYS

MAX_SEARCHED = 200_000  # characters of a result in which days are looked for
MAX_AROUND = 20  # moments around a statement
MAX_WEEKS = 6  # whose first and last days a text about weeks may name
MAX_GAP = 6  # characters between a weekday and its date
MIN_YEAR = 1600  # from which on the calendar is that of today
_WORD = re.compile(r"[^\W\d_]{2,20}")
_DIGITS = re.compile(r"\d{1,2}")


@dataclass
class Days:
    """What is known of days in an answer and the results beside it."""

    reading: Reading
    calls: Sequence[Call]
    question: str
    today: date | None

    def is_known(self, number: int) -> bool:
        """True for a date, a month or the name of a day that follows from the calendar, today and known dates."""
        statement, today = self.reading.statements[number], self.today
        if statement.words:
            return self._is_name_of_a_day(number)
        if any(each.day is None and self._has_month(each) for each in statement.dates):
            return True
        candidates = [*([today] if today else []), *self._days_named(number), *self._days_shifted(number)]
        candidates += self._ends_of_months
        return any(each.day and each.matches(as_value(day)) for each in statement.dates for day in candidates)

    def moments_around(self, number: int) -> list[Moment]:
        """The days and times that were found in the line of a statement, then those in the text around it."""
        known = (each for each in self.reading.around(number) if self.reading.is_known(each))
        moments = (self._moment(self.reading.statements[each]) for each in known)
        return list(islice((each for each in moments if each), MAX_AROUND))

    def _moment(self, statement: Statement) -> Moment | None:
        if statement.minutes is not None:
            return Moment(None, statement.minutes * 60)
        day = self._day(statement.dates[0]) if statement.dates else None
        return Moment(day) if day else None

    def _day(self, each: Date) -> date | None:
        """The day that a date means; without a year, that of the results nearest to today, if they have it."""
        years = self._years.get((each.month, each.day)) if each.year is None and self.today else None
        if years and self.today:
            this_year = self.today.year
            each = Date(min(years, key=lambda year: abs(year - this_year)), each.month, each.day)
        return as_date(each, self.today)

    @cached_property
    def _years(self) -> dict[tuple[int, int | None], set[int]]:
        years: dict[tuple[int, int | None], set[int]] = {}
        for each in self._dates_of_results:
            if each.year:
                years.setdefault((each.month, each.day), set()).add(each.year)
        return years

    def _is_name_of_a_day(self, number: int) -> bool:
        words = self.reading.statements[number].words
        near = self._days_next_to(number)
        known = near if near and words in WEEKDAYS else [*self._days_of_answer, *self._days_of_results]
        if words in MONTHS:
            return self._has_month(Date(None, MONTHS[words], None))
        if words in WEEKDAYS:
            is_named = not near and WEEKDAYS[words] in self._weekdays_of_results
            return is_named or any(day.weekday() == WEEKDAYS[words] for day in known)
        if words in RELATIVE_DAYS:
            return self.today is not None and self.today + timedelta(days=RELATIVE_DAYS[words]) in known
        digits = _DIGITS.search(words)
        if words.startswith("kw ") and digits:
            return any(day.isocalendar().week == int(digits[0]) for day in (*known, *self._weeks_around_today()))
        return digits is not None and any(day.day == int(digits[0]) for day in known)

    def _days_next_to(self, number: int) -> list[date]:
        """The day that a weekday stands next to: `Thursday, March 5`."""
        statements, this = self.reading.statements, self.reading.statements[number]
        beside = [statements[each] for each in self.reading.beside(number) if statements[each].dates]
        near = [each for each in beside if 0 < each.start - this.end < MAX_GAP or 0 < this.start - each.end < MAX_GAP]
        return [day for each in near if (day := self._day(each.dates[0]))]

    def _weeks_around_today(self) -> Iterator[date]:
        return (self.today + timedelta(days=shift) for shift in (-7, 0, 7)) if self.today else iter(())

    def _has_month(self, month: Date) -> bool:
        """True for the month of a date of the results, or of today."""
        days = {*self._dates_of_results, *map(as_value, self._days_of_answer)}
        days |= {as_value(self.today)} if self.today else set()
        if any(month.month == each.month and month.year in {None, each.year} for each in days):
            return True
        return month.year is None and month.month in self._months_of_results

    def _days_named(self, number: int) -> Iterator[date]:
        """The days that the line or the question names as a holiday, as `tomorrow` or as a weekday near today."""
        line = self.reading.line_of(number).text[:2_000]
        if not self.today:
            return
        for year in {each.year or self.today.year for each in self.reading.statements[number].dates}:
            yield from holidays_in(line, year) if year > MIN_YEAR else ()
        asked = {*_WORD.findall(self.question[-300:].casefold())}
        for word in (asked | {*_WORD.findall(line.casefold())}) & RELATIVE_DAYS.keys():
            yield self.today + timedelta(days=RELATIVE_DAYS[word])
        week = (self.today + timedelta(days=shift) for shift in range(-7, 8))
        if WEEK_WORDS & (asked | {*_WORD.findall(line.casefold())}):
            monday = self.today - timedelta(days=self.today.weekday())
            yield from (monday + timedelta(weeks=weeks, days=day) for weeks in range(-1, MAX_WEEKS) for day in (0, 6))
        for match in PATTERNS["week_alone"].finditer(line):
            yield from self._days_of_week(int(match[2]))
        wanted = {WEEKDAYS[word] for word in asked & WEEKDAYS.keys()}
        yield from (day for day in week if day.weekday() in wanted)

    def _days_of_week(self, week: int) -> Iterator[date]:
        """The days of a week of this year, by its number."""
        year = self.today.year if self.today else MIN_YEAR
        yield from (date.fromisocalendar(year, week, day) for day in range(1, 8) if week < 53)

    def _days_shifted(self, number: int) -> Iterator[date]:
        """What lies as long before and behind the known days as a period of the line that a result has."""
        known = [moment.day for moment in self.moments_around(number) if moment.day]
        known += [self.today] if self.today else []
        for each in self.reading.beside(number):
            period = self.reading.statements[each]
            if period.numbers and self.reading.is_known(each):
                amount = min(int(abs(period.numbers[0])), 5_000)
                yield from (day for one in known for sign in (1, -1) for day in _later(one, sign * amount, period.unit))

    @cached_property
    def _days_of_answer(self) -> list[date]:
        """The days of the answer that were found or calculated."""
        known = (each for number, each in enumerate(self.reading.statements) if self.reading.is_known(number))
        return [moment.day for each in known if (moment := self._moment(each)) and moment.day]

    @cached_property
    def _dates_of_results(self) -> set[Date]:
        texts = (call.searched[:MAX_SEARCHED] for call in self.calls if call.outcome == "ok")
        return {each for text in texts for dated in find_dates(text, strict=False) for each in dated.values}

    @cached_property
    def _months_of_results(self) -> set[int]:
        """The months that the results name alone."""
        texts = (call.folded[:MAX_SEARCHED] for call in self.calls if call.outcome == "ok")
        return {MONTHS[word] for text in texts for word in _WORD.findall(text) if word in MONTHS}

    @cached_property
    def _weekdays_of_results(self) -> set[int]:
        """The weekdays that the results name, also by the first letters: `Thu`, `Do.`"""
        texts = (call.searched[:MAX_SEARCHED] for call in self.calls if call.outcome == "ok")
        named = {word.casefold() for text in texts for word in PATTERNS["weekday_named"].findall(text)}
        return {number for name, number in WEEKDAYS.items() if any(name.startswith(each) for each in named)}

    @cached_property
    def _ends_of_months(self) -> list[date]:
        """The last days of the months that the results have without a day: `12/2026` on a packet."""
        months = [each for each in self._dates_of_results if each.day is None and each.year]
        return [date(each.year, each.month, last_of_month(each.year, each.month)) for each in months if each.year]

    @cached_property
    def _days_of_results(self) -> list[date]:
        return [day for each in self._dates_of_results if (day := as_date(each, self.today))]


def _later(day: date, amount: int, unit: str | None) -> Iterator[date]:
    """The day that lies so many units later; none if there is no such day."""
    try:
        if unit in {"day", "week"}:
            yield day + timedelta(days=amount * (7 if unit == "week" else 1))
        elif unit in {"month", "year"}:
            yield months_later(day, amount * (12 if unit == "year" else 1))
    except (Impossible, OverflowError):
        return


def as_value(day: date) -> Date:
    """A day as the date that a text has."""
    return Date(day.year, day.month, day.day)
