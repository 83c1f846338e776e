"""Decide which statements follow from others that were found: what is counted, added, or how far dates are apart. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property

from paliadin.evidence import derive
from paliadin.evidence.derive import Rows
from paliadin.evidence.markdown import Line
from paliadin.evidence.model import Rule, Source
from paliadin.evidence.notation import Date, find_dates, find_number_words, find_numbers
from paliadin.evidence.results import NO_DATA, Call, plain_name
from paliadin.evidence.sentences import list_below, numbered, paragraph_of, sentence_of
from paliadin.evidence.sources import Evidenced
from paliadin.evidence.statements import Statement, content_words

MAX_TABLES = 60  # of a conversation's results; the last ones count
MAX_DERIVED = 300  # statements of one answer for which it is tried

Derived = tuple[Rule, list[Source]]


class Conclusions:
    """Tries to derive the statements of one answer that nothing holds."""

    def __init__(
        self,
        calls: Sequence[Call],
        lines: Sequence[Line],
        statements: Sequence[Statement],
        evidenced: Evidenced,
        today: date | None,
    ) -> None:
        self._calls = [call for call in calls if call.outcome == "ok" and plain_name(call.name) not in NO_DATA]
        self._lines, self._statements, self._evidenced, self._today = lines, statements, evidenced, today
        self._tried = 0
        self._derived: dict[int, Derived | None] = {}

    def derive(self, number: int, statement: Statement) -> Derived | None:
        """Return the rule and the sources by which a statement follows, or None."""
        if number not in self._derived:
            self._derived[number] = None  # while it is tried, it proves nothing
            self._tried += 1
            if self._tried <= MAX_DERIVED:
                self._derived[number] = self._derive(number, statement)
        return self._derived[number]

    def _derive(self, number: int, statement: Statement) -> Derived | None:
        match statement.kind:
            case "count":
                return (
                    self._count(number, statement)
                    or self._operands(number, statement)
                    or self._listed(number, statement)
                )
            case "number" if statement.unit == "%":
                return self._share(number, statement)
            case "number" | "amount":
                return (
                    self._period(number, statement)
                    or self._sum(number, statement)
                    or self._operands(number, statement)
                    or self._rounded(statement)
                )
            case "date":
                return self._date(number, statement)
        return None

    @cached_property
    def _rows(self) -> list[Rows]:
        rows = [Rows(n, table) for n, call in enumerate(self._calls) for table in call.tables if table.rows]
        return rows[-MAX_TABLES:]

    def _source(self, rows: Rows) -> list[Source]:
        call = self._calls[rows.call]
        return [Source("call", call.id, call.turn_id)]

    def _context(self, statement: Statement) -> tuple[list[str], list[Date]]:
        """The words and dates by which a sentence may say which rows it means; a row's or item's lead counts, too."""
        line = self._lines[statement.line]
        text = sentence_of(line, statement.start)
        if line.block in {"item", "row"}:
            text = "\n".join([text, *(self._lines[n].text for n in self._lead(statement.line))])
        words = [word for word in content_words(text) if word.casefold() != statement.noun.casefold()]
        dates = [value for dated in find_dates(text, strict=False) for value in dated.values]
        if self._today:
            dates.append(Date(self._today.year, self._today.month, self._today.day))
        return list(dict.fromkeys([*words, statement.noun])), dates

    def _lead(self, line: int) -> list[int]:
        first = paragraph_of(self._lines, line)[0]
        head = [first] if self._lines[first].block != "item" else []
        return [n for n in head if n != line]

    def _count(self, number: int, statement: Statement) -> Derived | None:
        wanted = int(statement.numbers[0]) if statement.numbers[0] == int(statement.numbers[0]) else -1
        for call in self._calls:
            if call.rows == wanted:
                return "count", [Source("call", call.id, call.turn_id)]
        words, dates = self._context(statement)
        for rows in self._rows:
            for count, _ in derive.counts(rows, words, dates):
                if count == wanted:
                    return "count", self._source(rows)
            if wanted in derive.distinct(rows):
                return "count", self._source(rows)
        totals = [len(rows.table.rows) for rows in self._rows]
        if wanted > 3 and sum(totals) == wanted:
            return "sum", [source for rows in self._rows for source in self._source(rows)]
        return None

    def _listed(self, number: int, statement: Statement) -> Derived | None:
        """A count of what the answer itself lists below, each with something that was found."""
        items = list_below(self._lines, statement.line)
        if not items or len(items) != statement.numbers[0]:
            return None
        sources = []
        for item in items:
            inside = numbered(self._statements, [item])
            found = [self._evidenced.found[n] for n in inside if n in self._evidenced.found]
            if not found and not self._stands_in_result(self._lines[item].text):
                return None
            sources += found[:1]
        return "count", sources

    def _stands_in_result(self, text: str) -> bool:
        words = [word for word in content_words(text) if word[0].isupper() or any(map(str.isdigit, word))]
        return bool(words) and any(all(word in call.searched for word in words[:3]) for call in self._calls)

    def _sum(self, number: int, statement: Statement) -> Derived | None:
        words, dates = self._context(statement)
        for rows in self._rows:
            for total in derive.column_sums(rows, words, dates):
                if any(abs(total - value) < Decimal("0.005") for value in statement.numbers):
                    return "sum", self._source(rows)
            for mean in derive.averages(rows):
                if any(abs(mean - value) <= statement.step / 2 for value in statement.numbers):
                    return "sum", self._source(rows)
        return None

    def _operands(self, number: int, statement: Statement) -> Derived | None:
        """A sum or difference of numbers that the sentence names, or the list around it, and that were found."""
        for around in (self._sentence_numbers(number), self._paragraph_numbers(number)):
            others = [
                n for n in around if n != number and self._statements[n].kind == statement.kind and self._is_sure(n)
            ]
            values = [self._statements[n].numbers[0] for n in others]
            for target in statement.numbers:
                if rule := derive.of_operands(target, values):
                    return rule, [self._source_of(n) for n in others]
        return None

    def _is_sure(self, number: int) -> bool:
        return self._evidenced.is_known(number) or self.derive(number, self._statements[number]) is not None

    def _source_of(self, number: int) -> Source:
        if number in self._evidenced.found:
            return self._evidenced.found[number]
        if number in self._evidenced.given:
            return self._evidenced.given[number]
        derived = self._derived.get(number)
        return derived[1][0] if derived and derived[1] else Source("context")

    def _sentence_numbers(self, number: int) -> list[int]:
        statement = self._statements[number]
        sentence = sentence_of(self._lines[statement.line], statement.start)
        return [
            n
            for n in numbered(self._statements, [statement.line])
            if sentence_of(self._lines[statement.line], self._statements[n].start) == sentence
        ]

    def _paragraph_numbers(self, number: int) -> list[int]:
        line = self._statements[number].line
        around = paragraph_of(self._lines, line)
        below = list_below(self._lines, line)
        before = paragraph_of(self._lines, around[0] - 1) if around[0] > 0 else []
        return numbered(self._statements, sorted({*around, *below, *before}))

    def _share(self, number: int, statement: Statement) -> Derived | None:
        line = self._lines[statement.line]
        sentence = sentence_of(line, statement.start)
        named = [n.values[0] for n in [*find_numbers(sentence), *find_number_words(sentence)]]
        words, dates = self._context(statement)
        groups = [named]
        groups += [[Decimal(count) for count, _ in derive.counts(rows, words, dates)] for rows in self._rows]
        groups += [list(derive.column_sums(rows, words, dates)) for rows in self._rows]
        for group in groups:
            if any(derive.share_of(value, statement.step, group) for value in statement.numbers):
                return "share", []
        return None

    def _rounded(self, statement: Statement) -> Derived | None:
        """A number that is said to be about another one, or is written with a word such as `Mio.`"""
        if not statement.about and statement.step < 1_000:
            return None
        for rows_call in self._calls:
            values = [value for each in find_numbers(rows_call.searched[:200_000]) for value in each.values]
            sums = [total for rows in self._rows for total in derive.column_sums(rows, (), ())]
            if any(derive.is_rounded(value, statement.step, [*values, *sums]) for value in statement.numbers):
                return "rounded", [Source("call", rows_call.id, rows_call.turn_id)]
        return None

    def _known_dates(self, statement: Statement) -> Iterator[date]:
        """The dates of the sentence and the text around it that were found or given, and today's."""
        around = {*paragraph_of(self._lines, statement.line)}
        if min(around) > 0:
            around.add(min(around) - 1)
        for n in numbered(self._statements, sorted(around)):
            other = self._statements[n]
            if other.kind == "date" and other is not statement and self._evidenced.is_known(n):
                yield from filter(None, (_as_date(each, self._today) for each in other.dates))
        if self._today:
            yield self._today

    def _period(self, number: int, statement: Statement) -> Derived | None:
        if statement.unit not in {"day", "workday", "week", "month", "year"}:
            return None
        dates = list(dict.fromkeys(self._known_dates(statement)))[:40]
        if any(derive.days_between(int(value), statement.unit, dates) for value in statement.numbers):
            return "days", []
        return None

    def _date(self, number: int, statement: Statement) -> Derived | None:
        """Today; or a date that lies a period away from another one, where the text around names both."""
        today = self._today
        if today and any(
            each.day and each.matches(Date(today.year, today.month, today.day)) for each in statement.dates
        ):
            return "days", [Source("context")]
        dates = list(dict.fromkeys(self._known_dates(statement)))[:20]
        around = paragraph_of(self._lines, statement.line)
        for n in numbered(self._statements, around):
            period = self._statements[n]
            if period.kind == "number" and period.unit in {"day", "week", "month", "year"} and period.numbers:
                for shifted in derive.shifted(dates, int(abs(period.numbers[0])), str(period.unit)):
                    if any(
                        each.matches(Date(shifted.year, shifted.month, shifted.day)) and each.day
                        for each in statement.dates
                    ):
                        return "days", []
        return None


def _as_date(each: Date, today: date | None) -> date | None:
    year = each.year or (today.year if today else None)
    if year is None or each.day is None:
        return None
    try:
        return date(year, each.month, each.day)
    except ValueError:
        return None
