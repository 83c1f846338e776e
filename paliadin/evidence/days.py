"""Decide which dates, times and days of an answer follow from others that were found. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from paliadin.evidence import durations
from paliadin.evidence.holidays import holidays_in
from paliadin.evidence.notation import Date
from paliadin.evidence.statements import Statement
from paliadin.evidence.surroundings import Surroundings
from paliadin.evidence.vocabulary import MONTHS, RELATIVE_DAYS, WEEKDAYS

_SHORT_NAMES = (
    "Mon|Mo[.–-]",
    "Tue|Di[.–-]|[–-]Di",
    "Wed|Mi[.–-]|[–-]Mi",
    "Thu|Do[.–-]|[–-]Do",
    "Fri|Fr[.–-]|[–-]Fr",
    "Sat|Sa[.–-]|[–-]Sa",
    "Sun|So[.–-]|[–-]So",
)
_WEEKDAY_NAMES = tuple(
    re.compile(
        r"(?<!\w)(?:"
        + "|".join([*(word.capitalize() for word, day in WEEKDAYS.items() if day == number), short])
        + r")(?![a-z])"
    )
    for number, short in enumerate(_SHORT_NAMES)
)
_BEFORE_OR_AFTER = re.compile(
    r"\b(?:before|after|prior|ahead|later|earlier|vor|nach|vorher|danach|später|früher)\b", re.IGNORECASE
)
_ZONE = re.compile(
    r"\b(?:Ortszeit|hiesig\w*|lokal\w*|local|(?:our|your|unserer?|deutscher?|german|london|berlin|"
    r"munich) (?:time|zeit))\b",
    re.IGNORECASE,
)
_LENGTH_BEHIND = re.compile(r"[ \u00a0](min|mins|minutes?|Minuten?|h|hours?|Std|Stunden?)\b", re.IGNORECASE)
_ARTICLE = re.compile(r"\ban? ", re.IGNORECASE)
_FROM = re.compile(r"\bfrom \Z", re.IGNORECASE)
_THE_DAY = re.compile(r"the (\d{1,2})(?:st|nd|rd|th)")
MIN_YEAR = 1600  # from which on the calendar is that of today
MAX_MOMENTS = 12  # times in all results; if there are more, only those count that stand where the same is spoken of
_WORD = re.compile(r"[^\W\d_]{2,20}")


@dataclass
class Days:
    """Tries dates, times and names of days; a statement is named by its number."""

    around: Surroundings

    def is_date(self, number: int) -> bool:
        """True for today, and for a date that lies a period away from another one, where the text names both."""
        statement, today = self.around.statements[number], self.around.today
        if self._is_shifted(number):
            return True
        if statement.kind == "time":
            return self._is_elsewhere(number) or self._is_length(number)
        if statement.words:
            return self._is_day_word(number)
        if today and any(each.day and each.matches(_as_value(today)) for each in statement.dates):
            return True
        if today and self._is_holiday(number, today):
            return True
        if self._is_month_of_results(statement) or (today and self._is_relative(number, today)):
            return True
        around = self.around.around(number)
        dates = [*self.around.dates(around, number)[:20], *([today] if today else [])]
        periods = durations.periods_in_words(self.around.lines[statement.line].text)
        for n in around:
            near = self.around.statements[n].line == statement.line
            period = self.around.statements[n]
            if period.kind == "number" and period.numbers and (near or self.around.evidenced.is_known(n)):
                periods.append((min(int(abs(period.numbers[0])), 10**6), str(period.unit)))
        return any(
            each.day and each.matches(_as_value(day))
            for amount, unit in periods
            for day in durations.shifted(dates, amount, unit)
            for each in statement.dates
        )

    def _moments(self, number: int) -> list[durations.Moment]:
        """The times, with their days, of the rows that speak of the same; of all results, if these are few."""
        surroundings = self.around
        texts = [surroundings.sentence(number), *surroundings.related_texts(number)]
        texts += [" | ".join(row) for row in surroundings.spoken_of(number)[:6]]
        near = [moment for text in texts for moment in durations.moments_of(text, surroundings.today)]
        everywhere = surroundings.material.moments
        return near + (everywhere if len(everywhere) <= MAX_MOMENTS else [])

    def _is_shifted(self, number: int) -> bool:
        """True for a time, or its day, that lies some hours or minutes before or behind another one."""
        statement = self.around.statements[number]
        line = self.around.lines[statement.line].text
        lengths = [length for length in durations.lengths_in(line) if length] if _BEFORE_OR_AFTER.search(line) else []
        if statement.kind == "time" and not lengths:
            rows = [" | ".join(row) for row in self.around.spoken_of(number)[:3]]
            return any(self._ends_in(text, statement.minutes) for text in rows)
        shifted = [
            moment
            for day, minutes in (self._moments(number) if lengths else ())
            for length in dict.fromkeys(lengths[:4])
            for moment in durations.moment_shifted(day, minutes, int(length))
        ]
        if statement.kind == "time":
            return any(minutes == statement.minutes for _, minutes in shifted)
        days = [day for day, _ in shifted if day]
        return any(each.day and each.matches(_as_value(day)) for each in statement.dates for day in days)

    def _ends_in(self, text: str, minutes: int | None) -> bool:
        """True if a row has a beginning and a length, and this is its end: `starts 01:00, 2 h 20 min`."""
        moments, lengths = durations.moments_of(text, self.around.today), durations.lengths_in(text)
        return len(moments) == 1 and len(lengths) == 1 and (moments[0][1] + int(lengths[0])) % 1440 == minutes

    def _is_elsewhere(self, number: int) -> bool:
        """True for a time that another one is in another time zone, where the sentence speaks of one."""
        statement, sentence = self.around.statements[number], self.around.sentence(number)
        if not _ZONE.search(sentence):
            return False
        apart = {abs((statement.minutes or 0) - minutes) for _, minutes in self._moments(number)}
        return any(0 < each <= 720 and each % 60 == 0 for each in apart)

    def _is_holiday(self, number: int, today: date) -> bool:
        """True for the day of a holiday that the line names."""
        dates, line = self.around.statements[number].dates, self.around.lines[self.around.statements[number].line].text
        years = {each.year or today.year for each in dates}
        days = [day for year in years if year > MIN_YEAR for day in holidays_in(line[:2_000], year)]
        return any(each.day and each.matches(_as_value(day)) for each in dates for day in days)

    def _is_length(self, number: int) -> bool:
        """True for a length of time, such as `1:34 minutes`, that a result has otherwise: 94 s."""
        statement = self.around.statements[number]
        unit = _LENGTH_BEHIND.match(self.around.lines[statement.line].text, statement.end)
        if not unit:
            return False
        seconds = Decimal(statement.minutes or 0) * (1 if unit[1].lower().startswith("m") else 60)
        held = (value for _, by_kind in self.around.material.by_kind for value in by_kind["s"])
        return any(abs(value - seconds) < 1 for value in held) or any(
            quantity.unit == "s" and abs(quantity.size - seconds) < 1
            for _, quantities in self.around.material.quantities
            for quantity in quantities
        )

    def _is_month_of_results(self, statement: Statement) -> bool:
        """True for a month in which a date of the results lies."""
        months = [each for each in statement.dates if each.day is None]
        if any(each.year is None and each.month in self.around.material.months for each in months):
            return True
        return any(month.matches(each) for month in months for each in self.around.material.dates)

    def _is_relative(self, number: int, today: date) -> bool:
        """True for the day that the question or the line names as tomorrow, yesterday or a weekday."""
        statement = self.around.statements[number]
        words = {*_WORD.findall(self.around.question[-300:].casefold())}
        words |= {*_WORD.findall(self.around.lines[statement.line].text.casefold())}
        days = [today + timedelta(days=RELATIVE_DAYS[word]) for word in words & RELATIVE_DAYS.keys()]
        asked = {WEEKDAYS[word] for word in {*_WORD.findall(self.around.question[-300:].casefold())} & WEEKDAYS.keys()}
        week = (today + timedelta(days=shift) for shift in range(-7, 8))
        days += [day for day in week if day.weekday() in asked]
        return any(each.day and each.matches(_as_value(day)) for each in statement.dates for day in days)

    def _is_day_word(self, number: int) -> bool:
        """True for a weekday that a date of the text or results has, and `yesterday` if the results have its date."""
        statement, today, material = self.around.statements[number], self.around.today, self.around.material
        line = self.around.lines[statement.line].text
        days = [*self.around.days_in([line, *self.around.related_texts(number)]), *material.days]
        if month := MONTHS.get(statement.words):
            return (today is not None and today.month == month) or month in material.months
        if statement.words.startswith("kw "):
            return self._is_week(int(statement.words[3:]), days)
        if number_of_day := _THE_DAY.fullmatch(statement.words):
            return any(day.day == int(number_of_day[1]) for day in days)
        if statement.words not in WEEKDAYS:
            shift = RELATIVE_DAYS.get(statement.words)
            day = today + timedelta(days=shift) if today is not None and shift is not None else None
            if day is None:
                return False
            later = [day + timedelta(days=length) for length in self._lengths_from(number)]
            return any(each in days for each in (day, *later)) or self._is_named(_WEEKDAY_NAMES[day.weekday()])
        wanted, named = WEEKDAYS[statement.words], self._named_day(number)
        if named:
            return named.weekday() == wanted
        return not days or any(day.weekday() == wanted for day in days) or self._is_named(_WEEKDAY_NAMES[wanted])

    def _lengths_from(self, number: int) -> list[int]:
        """The days that a period right before a word such as `tomorrow` has: `two weeks from tomorrow`."""
        statement = self.around.statements[number]
        before = self.around.lines[statement.line].text[max(statement.start - 24, 0) : statement.start]
        if not _FROM.search(before):
            return []
        periods = durations.periods_in_words(_ARTICLE.sub("one ", before))
        return [amount * (7 if unit == "week" else 1) for amount, unit in periods if unit in {"day", "week"}]

    def _is_named(self, name: re.Pattern[str]) -> bool:
        """True if a result has a day by its name."""
        return any(name.search(text) for _, text in self.around.material.texts)

    def _is_week(self, week: int, days: list[date]) -> bool:
        """True for the week of a date of the results or of today, or one beside it, or if a result names it."""
        today = self.around.today
        near = [today + timedelta(days=shift) for shift in (-7, 0, 7)] if today else []
        named = re.compile(rf"\b(?:KW|W|week|woche)[ _-]?0?{week}(?!\d)", re.IGNORECASE)
        return any(day.isocalendar().week == week for day in [*days, *near]) or self._is_named(named)

    def _named_day(self, number: int) -> date | None:
        """The date right behind a weekday: `Thursday, March 5`."""
        statement = self.around.statements[number]
        for n in self.around.in_line(number):
            other = self.around.statements[n]
            if other.dates and 0 < other.start - statement.end < 12:
                return self.around.day(other.dates[0])
        return None


def _as_value(day: date) -> Date:
    return Date(day.year, day.month, day.day)
