"""Decide which statements follow from others that were found: by counting, adding, or how far dates are apart. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property

from paliadin.evidence import derive, durations
from paliadin.evidence.derive import Rows
from paliadin.evidence.markdown import Line
from paliadin.evidence.model import Rule, Source
from paliadin.evidence.notation import Date, find_dates, find_number_words, find_numbers
from paliadin.evidence.results import NO_DATA, Call, plain_name
from paliadin.evidence.sentences import list_below, numbered, paragraph_of, sentence_of
from paliadin.evidence.sources import REPEATS, Evidenced
from paliadin.evidence.spellings import spell
from paliadin.evidence.statements import Statement, content_words
from paliadin.evidence.vocabulary import RELATIVE_DAYS, WEEKDAYS

MAX_TABLES = 60  # of a conversation's results; the last ones count
MAX_DERIVED = 300  # statements of one answer for which it is tried
MAX_QUESTION_WORDS = 10
MAX_ROWS = 2_000  # of a table in which the rows are looked for that a sentence is about
_FROM_TODAY = re.compile(
    r"\b(?:noch|bis|in|heute|today|left|remaining|now|ago|vor|seit|since|overdue|überfällig|until|away|entfernt|by|past|late)\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\b(?:zwischen|between|erste\w*|first|letzte\w*|last|auseinander|apart|span\w*|verteil\w*)\b", re.IGNORECASE
)
_COMPARES = re.compile(
    r"\b(?:länger|kürzer|mehr|weniger|höher|niedriger|teurer|billiger|größer|kleiner|longer|shorter|more|less|fewer|higher|lower|cheaper|larger|smaller|"
    r"than|als|Differenz|Unterschied|difference|gap|rest\w*|remain\w*|übrig|left|verbleib\w*|noch|still|fehl\w*|missing|faster|slower|schneller|langsamer)\b",
    re.IGNORECASE,
)
_REST = re.compile(r"\b(?:übrigen?|restlichen?|anderen?|remaining|rest|others?)\b", re.IGNORECASE)
_NOW = re.compile(
    r"\b(?:überfällig\w*|overdue|anstehend\w*|upcoming|künftig\w*|future|past|vergangen\w*|abgelaufen\w*|expired|heute|today|kommend\w*|fällig\w*|due|"
    r"bevorsteh\w*|ahead|next|nächste\w*|verstrichen\w*|lapsed|so far|bisher|already|bereits|schon)\b",
    re.IGNORECASE,
)
_AGE = re.compile(r"\b(?:alt|old|ago|vor|seit|since|Alter|age|bestehen|in use)\b", re.IGNORECASE)
_IN_ALL = re.compile(
    r"\b(?:total\w*|zusammen|insgesamt|together|in all|altogether|so far|sum\w*|gesamt\w*|overall|combined|bisher|in Summe|all)\b",
    re.IGNORECASE,
)
_YEARLY = re.compile(r"\b(?:a year|per year|yearly|annually|im Jahr|pro Jahr|jährlich)\b", re.IGNORECASE)

_CALENDAR = frozenset({"day", "workday", "week", "month", "year"})

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
        question: str = "",
    ) -> None:
        self._question_words = content_words(question[-300:])[-MAX_QUESTION_WORDS:]
        self._calls = [call for call in calls if call.outcome == "ok" and plain_name(call.name) not in NO_DATA]
        self._lines, self._statements, self._evidenced, self._today = lines, statements, evidenced, today
        self._derived: dict[int, Derived | None] = {}

    def derive(self, number: int) -> Derived | None:
        """Return the rule and the sources by which a statement follows, or None."""
        if number not in self._derived and len(self._derived) < MAX_DERIVED:
            self._derived[number] = None  # while it is tried, it proves nothing
            self._derived[number] = self._derive(number, self._statements[number])
        return self._derived.get(number)

    def _derive(self, number: int, statement: Statement) -> Derived | None:
        match statement.kind:
            case "count":
                return (
                    self._count(statement)
                    or (self._column_sum(statement) if statement.numbers[0] > 9 else None)
                    or self._operands(number)
                    or self._listed(statement)
                    or self._said_before(number, statement)
                )
            case "number" if statement.unit == "%":
                return self._share(statement)
            case "number" | "amount":
                return (
                    self._duration(number) or self._sum(statement) or self._operands(number) or self._rounded(statement)
                )
            case "date":
                return self._date(statement)
        return None

    @cached_property
    def _rows(self) -> list[Rows]:
        rows = [Rows(n, table) for n, call in enumerate(self._calls) for table in call.tables if table.rows]
        return rows[-MAX_TABLES:]

    def _source(self, rows: Rows) -> list[Source]:
        call = self._calls[rows.call]
        return [Source("call", call.id, call.turn_id)]

    def _sentence(self, statement: Statement) -> str:
        return sentence_of(self._lines[statement.line], statement.start)

    def _context(self, statement: Statement) -> tuple[list[str], list[Date]]:
        """The words and dates by which a sentence may say which rows it means; what leads a list or table counts, too."""
        text = self._sentence(statement)
        if self._lines[statement.line].block in {"item", "row"}:
            lead = paragraph_of(self._lines, statement.line)[0]
            text += "\n" + self._lines[lead].text if self._lines[lead].block != "item" else ""
        words = [word for word in content_words(text) if word.casefold() != statement.noun.casefold()]
        dates = [value for dated in find_dates(text, strict=False) for value in dated.values]
        if self._today and _NOW.search(self._sentence(statement)):
            dates.append(Date(self._today.year, self._today.month, self._today.day))
        return list(dict.fromkeys([*words, statement.noun, *self._question_words])), dates

    def _count(self, statement: Statement) -> Derived | None:
        if statement.numbers[0] % 1 or statement.noun.casefold() in REPEATS:
            return None
        wanted = int(statement.numbers[0])
        for call in self._calls:
            if call.rows == wanted:
                return "count", [Source("call", call.id, call.turn_id)]
        words, dates = self._context(statement)
        for rows in self._rows:
            if wanted in derive.counts(rows, words, dates) or wanted in derive.distinct(rows):
                return "count", self._source(rows)
            if (
                _REST.search(self._sentence(statement))
                and len(rows.texts) - len(self._named_rows(statement, rows)) == wanted
            ):
                return "count", self._source(rows)
        return None

    def _listed(self, statement: Statement) -> Derived | None:
        """A count of what the answer itself lists below, each with something that was found."""
        items = list_below(self._lines, statement.line)
        if not items or len(items) != statement.numbers[0]:
            return None
        sources = []
        for item in items:
            found = [self._evidenced.found[n] for n in numbered(self._statements, [item]) if n in self._evidenced.found]
            if not found and not self._stands_in_result(self._lines[item].text):
                return None
            sources += found[:1]
        return "count", sources

    def _said_before(self, number: int, statement: Statement) -> Derived | None:
        """A count that the answer repeats: `Two of the three`."""
        for n, other in enumerate(self._statements[:number]):
            if other.kind == "count" and other.numbers[0] == statement.numbers[0] and self._is_sure(n):
                return "count", [self._source_of(n)]
        return None

    def _stands_in_result(self, text: str) -> bool:
        words = [word for word in content_words(text) if word[0].isupper() or any(map(str.isdigit, word))]
        return bool(words) and any(all(word in call.searched for word in words[:3]) for call in self._calls)

    def _sum(self, statement: Statement) -> Derived | None:
        words, dates = self._context(statement)
        target, compares = statement.numbers[0], _COMPARES.search(self._sentence(statement))
        for rows in self._rows:
            if any(abs(total - target) < Decimal("0.005") for total in derive.column_sums(rows, words, dates)):
                return "sum", self._source(rows)
            if any(abs(mean - target) <= statement.step / 2 for mean in derive.averages(rows)):
                return "share", self._source(rows)
            if any(
                abs(total - target) < Decimal("0.005")
                for total in derive.sums_of(rows, self._named_rows(statement, rows))
            ):
                return "sum", self._source(rows)
            if compares and statement.unit not in _CALENDAR and target in derive.column_differences(rows):
                return "difference", self._source(rows)
        return None

    def _column_sum(self, statement: Statement) -> Derived | None:
        """A count that a table has in parts: the sum of a named column."""
        words, dates = self._context(statement)
        for rows in self._rows:
            if rows.table.columns and statement.numbers[0] in derive.column_sums(rows, words, dates):
                return "sum", self._source(rows)
        return None

    def _named_rows(self, statement: Statement, rows: Rows) -> set[int]:
        """The rows of which the text around names an id, or a name that few rows hold."""
        around = self._around(self._statements.index(statement))
        ids = {
            text.casefold() for n in around if self._statements[n].kind == "id" for text in spell(self._statements[n])
        }
        texts = rows.texts[:MAX_ROWS]
        named = {i for i, text in enumerate(texts) if any(each in text for each in ids)} if ids else set[int]()
        if named or len(texts) > 200:
            return named
        text = self._lines[statement.line].text
        until = text.find(self._sentence(statement)) + len(self._sentence(statement))
        names = {word.casefold() for word in content_words(text[:until]) if word[0].isupper()}
        for name in names:
            holding = [i for i, text in enumerate(texts) if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
            named |= set(holding) if len(holding) == 1 else set()
        return named

    def _operands(self, number: int) -> Derived | None:
        """A sum, difference or product of numbers that the text around names, and that were found."""
        statement = self._statements[number]
        compares = _COMPARES.search(self._sentence(statement)) is not None
        groups = (self._in_sentence(number), numbered(self._statements, [statement.line]), self._around(number))
        for level, group in enumerate(groups):
            numeric = [n for n in group if n != number and self._statements[n].numbers and self._is_sure(n)]
            alike = [n for n in numeric if self._statements[n].unit == statement.unit or statement.kind == "count"]
            values = [self._statements[n].numbers[0] for n in alike]
            differences = level < 2 or compares
            if rule := derive.of_operands(statement.numbers[0], values, differences=differences):
                return rule, [self._source_of(n) for n in alike]
            factors = [self._statements[n].numbers[0] for n in numeric]
            if _YEARLY.search(self._sentence(statement)):
                factors.append(Decimal(12))
            if statement.kind != "count" and level < 2 and derive.is_product(statement.numbers[0], factors):
                return "sum", [self._source_of(n) for n in numeric]
        if statement.unit not in _CALENDAR and self._of_a_row(statement):
            return "difference", []
        if statement.numbers[0] >= 10 and _IN_ALL.search(self._sentence(statement)):
            for text in self._related_texts(number):
                values = [each.values[0] for each in find_numbers(text)][:8]
                if derive.of_operands(statement.numbers[0], values, differences=compares):
                    return "sum", []
        return None

    def _of_a_row(self, statement: Statement) -> bool:
        """True for the difference, the product or the quotient of two numbers of the row that the sentence is about."""
        return any(
            derive.is_of_two(
                abs(statement.numbers[0]), statement.step, [v for cell in row if (v := derive.cell_number(cell))]
            )
            for row in self._related_rows(statement)[:6]
        )

    def _is_sure(self, number: int) -> bool:
        return self._evidenced.is_known(number) or self.derive(number) is not None

    def _source_of(self, number: int) -> Source:
        known = self._evidenced.found.get(number) or self._evidenced.given.get(number)
        derived = self._derived.get(number)
        return known or (derived[1][0] if derived and derived[1] else Source("context"))

    def _in_sentence(self, number: int) -> list[int]:
        statement = self._statements[number]
        sentence = self._sentence(statement)
        same_line = numbered(self._statements, [statement.line])
        return [n for n in same_line if self._sentence(self._statements[n]) == sentence]

    def _around(self, number: int) -> list[int]:
        """The statements of the text around one, of the list below it, and of what stands right before."""
        line = self._statements[number].line
        around = paragraph_of(self._lines, line)
        before = paragraph_of(self._lines, around[0] - 1) if around[0] > 0 else []
        return numbered(self._statements, sorted({*around, *list_below(self._lines, line), *before}))

    def _share(self, statement: Statement) -> Derived | None:
        """A percentage: of numbers that the sentence names, of those in its rows, of counts or sums of rows."""
        sentence = self._sentence(statement)
        groups = [[n.values[0] for n in [*find_numbers(sentence), *find_number_words(sentence)]]]
        related = self._related_texts(self._statements.index(statement))
        groups += [[n.values[0] for n in find_numbers(text)] for text in related]
        growth = _COMPARES.search(sentence) is not None
        words, dates = self._context(statement)
        for rows in self._rows:
            groups.append([Decimal(count) for count in derive.counts(rows, words, dates)])
            sums = list(derive.column_sums(rows, words, dates))
            groups.append([*sums, *groups[0]])
        target, step = statement.numbers[0], statement.step
        if any(derive.share_of(target, step, group, growth=growth and n == 0) for n, group in enumerate(groups)):
            return "share", []
        return None

    def _rounded(self, statement: Statement) -> Derived | None:
        """A number that is said to be about another one, is written with a word such as `Mio.`, or in another unit."""
        target = statement.numbers[0]
        if statement.about or statement.is_scaled:
            sums = [total for rows in self._rows for total in derive.column_sums(rows, *self._context(statement))]
            for call in self._calls:
                values = [each.values[0] for each in find_numbers(call.searched[:200_000])]
                values += [value for rows in self._rows for column in rows.numeric_columns for _, value in column]
                if derive.is_rounded(target, statement.step, [*values, *sums], about=statement.about):
                    return "rounded", [Source("call", call.id, call.turn_id)]
        same_text = [self._statements[n] for n in numbered(self._statements, [statement.line])]
        base = durations.in_base_unit(target, statement.unit)
        if base and any(
            other is not statement and other.numbers and durations.in_base_unit(other.numbers[0], other.unit) == base
            for other in same_text
        ):
            return "rounded", []
        for call in self._calls:
            held = {value for each in find_numbers(call.searched[:200_000]) for value in each.values}
            if any(value in held and value >= 60 for value in durations.in_other_units(target, statement.unit)):
                return "rounded", [Source("call", call.id, call.turn_id)]
        return None

    def _related_rows(self, statement: Statement) -> list[tuple[str, ...]]:
        """The rows that hold something which the sentence says, too."""
        same = [self._statements[n] for n in self._in_sentence(self._statements.index(statement))]
        wanted: set[str] = set()
        for other in same:
            if other is not statement and (other.kind in {"id", "date"} or (other.numbers and other.numbers[0] >= 100)):
                wanted |= {text.casefold() for text in spell(other)}
            elif other.kind in {"name", "quotation"}:
                wanted.add(other.words.casefold())
        return self._rows_with(wanted)

    def _rows_with(self, wanted: Collection[str]) -> list[tuple[str, ...]]:
        return [
            rows.table.rows[i]
            for rows in self._rows
            if len(rows.table.rows) <= MAX_ROWS
            for i, text in enumerate(rows.texts)
            if any(each in text for each in wanted)
        ]

    def _related_texts(self, number: int) -> list[str]:
        """Where what the sentence says was found: those lines, and the rows that hold it."""
        found = [self._evidenced.found[n].text for n in self._in_sentence(number) if n in self._evidenced.found]
        rows = (" | ".join(row) for row in self._related_rows(self._statements[number])[:8])
        return list(dict.fromkeys([*found, *rows]))

    def _dates(self, numbers: Sequence[int], statement: Statement) -> list[date]:
        """The days that these statements name and that were found or given."""
        return [
            day
            for n in numbers
            if (other := self._statements[n]).dates and other is not statement and self._is_sure(n)
            for day in [durations.as_date(other.dates[0], self._today)]
            if day
        ]

    def _duration(self, number: int) -> Derived | None:
        statement = self._statements[number]
        if statement.unit in {"h", "min"}:
            return self._time_span(statement)
        if statement.unit not in _CALENDAR or statement.numbers[0] % 1:
            return None
        target, unit, sentence = int(statement.numbers[0]), statement.unit, self._sentence(statement)
        for dates in self._date_groups(number, sentence):
            if durations.days_between(target, unit, dates, about=statement.about):
                return "days", []
        return None

    def _date_groups(self, number: int, sentence: str) -> Iterator[list[date]]:
        """The sets of dates between which a period of a sentence may lie, the nearest first."""
        statement = self._statements[number]
        here = self._dates(self._in_sentence(number), statement)
        around = self._dates(self._around(number), statement)
        related = [
            day
            for text in self._related_texts(number)
            for dated in find_dates(text, strict=False)
            if (day := durations.as_date(dated.values[0], self._today))
        ]
        yield here
        yield [*here, *related]
        yield [*here[:1], *around]
        line = self._lines[statement.line].text
        if self._today and _FROM_TODAY.search(line, max(statement.start - 30, 0), statement.end + 30):
            earlier = [n for n, other in enumerate(self._statements) if other.line <= statement.line]
            for day in dict.fromkeys([*here, *around, *related, *self._dates(earlier, statement)]):
                yield [self._today, day]
        if statement.unit == "year" and self._today and _AGE.search(sentence):
            yield from self._years_ago(number)
        if _BETWEEN.search(sentence):
            for rows in self._rows:
                days = sorted(
                    day for row in rows.dates for each in row if (day := durations.as_date(each, self._today))
                )
                yield days if len(days) < 4 else [days[0], days[-1]]

    def _years_ago(self, number: int) -> Iterator[list[date]]:
        """Today with the first day of each year that the results name: `of 2019` is seven years ago in 2026."""
        today = self._today or date.min
        texts = [*self._related_texts(number), *(call.searched[:20_000] for call in self._calls)]
        years = {int(year) for text in texts for year in re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", text)}
        for year in sorted(years):
            yield [date(year, today.month, min(today.day, 28)), date(today.year, today.month, min(today.day, 28))]

    def _day_word(self, statement: Statement) -> Derived | None:
        """A weekday that a date of the text or of the results has; `yesterday`, if the results have that date."""
        number = self._statements.index(statement)
        texts = [*self._related_texts(number), *(call.searched[:100_000] for call in self._calls)]
        days = {
            day
            for text in [self._lines[statement.line].text, *texts]
            for dated in find_dates(text, strict=False)
            if (day := durations.as_date(dated.values[0], self._today))
        }
        if statement.words in WEEKDAYS:
            named = self._named_day(statement)
            wanted = WEEKDAYS[statement.words]
            if named:
                return ("days", []) if named.weekday() == wanted else None
            return ("days", []) if not days or any(day.weekday() == wanted for day in days) else None
        shift = RELATIVE_DAYS.get(statement.words)
        if self._today and shift is not None and self._today + timedelta(days=shift) in days:
            return "days", [Source("context")]
        return None

    def _named_day(self, statement: Statement) -> date | None:
        """The date right behind a weekday: `Thursday, March 5`."""
        for other in self._statements:
            if other.line == statement.line and other.dates and 0 < other.start - statement.end < 12:
                return durations.as_date(other.dates[0], self._today)
        return None

    def _time_span(self, statement: Statement) -> Derived | None:
        texts = [self._sentence(statement), *self._related_texts(self._statements.index(statement))]
        texts.append("\n".join(self._lines[n].text for n in paragraph_of(self._lines, statement.line)))
        if _COMPARES.search(texts[0]) or _BETWEEN.search(texts[0]):
            texts += [
                rows_text
                for rows in self._rows
                if len(rows.texts) < 40
                for rows_text in ["\n".join(map(" ".join, rows.table.rows))]
            ]
        for text in texts:
            moments = durations.moments_of(text, self._today)
            if durations.minutes_between(statement.numbers[0], str(statement.unit), moments, about=statement.about):
                return "days", []
        return None

    def _date(self, statement: Statement) -> Derived | None:
        """Today; or a date that lies a period away from another one, where the text around names both."""
        today = self._today
        if statement.words:
            return self._day_word(statement)
        if today and any(
            each.day and each.matches(Date(today.year, today.month, today.day)) for each in statement.dates
        ):
            return "days", [Source("context")]
        around = self._around(self._statements.index(statement))
        dates = [*self._dates(around, statement)[:20], *([today] if today else [])]
        periods = [
            (int(abs(period.numbers[0])), str(period.unit))
            for n in around
            if (period := self._statements[n]).kind == "number" and period.numbers and period.line == statement.line
        ]
        periods += durations.periods_in_words(self._lines[statement.line].text)
        for amount, unit in periods:
            for day in durations.shifted(dates, amount, unit):
                if any(each.day and each.matches(Date(day.year, day.month, day.day)) for each in statement.dates):
                    return "days", []
        return None
