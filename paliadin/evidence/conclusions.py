"""Decide which statements follow from others that were found: by counting, adding, or how far dates are apart. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import combinations

from paliadin.evidence import derive, durations, reckoning
from paliadin.evidence.markdown import Line
from paliadin.evidence.matching import REPEATS
from paliadin.evidence.model import Rule, Source
from paliadin.evidence.notation import find_number_words, find_numbers, read_unit
from paliadin.evidence.results import NO_DATA, Call, plain_name
from paliadin.evidence.sentences import enumerated_behind, list_below, numbered
from paliadin.evidence.sources import Evidenced
from paliadin.evidence.spans import CALENDAR, Spans
from paliadin.evidence.statements import Statement, content_words
from paliadin.evidence.surroundings import CONTEXT, Surroundings, source_of

MAX_CHAIN = 10  # statements that each follow from the next one
MAX_DERIVED = 600  # tries in one answer
MAX_SEARCHED = 200_000  # characters of a result whose numbers are compared
MAX_SERIES = 60  # quantities of a result that are added
MAX_SHARED = 4  # numbers of a row of which two may be a share
_CENT = Decimal("0.005")
_COMPARES = re.compile(
    r"\b(?:länger|kürzer|gegenüber|versus|vs|compared|mehr|weniger|höher|niedriger|teurer|billiger|größer|kleiner|longer|shorter|more|less|"
    r"fewer|higher|"
    r"lower|cheaper|larger|smaller|than|als|Differenz|Unterschied|difference|gap|rest\w*|remain\w*|übrig|left|"
    r"verbleib\w*|"
    r"noch|still|fehl\w*|missing|faster|slower|schneller|langsamer|fell|fallen|rose|risen|"
    r"drop\w*|increase\w*|decrease\w*|grew|grown|saved?|stieg\w*|gestiegen|fiel\w*|gefallen|gesunken|gewachsen|spar\w*)\b",
    re.IGNORECASE,
)
_REST = re.compile(r"\b(?:übrigen?|restlichen?|anderen?|remaining|rest|others?)\b", re.IGNORECASE)
_IN_ALL = re.compile(
    r"\b(?:total\w*|zusammen|insgesamt|together|in all|altogether|so far|sum\w*|gesamt\w*|overall|combined|bisher|davon|of (?:it|them|which)|"
    r"in Summe|all)\b",
    re.IGNORECASE,
)
_SHARE = re.compile(r"(?<![\d.,])(\d{1,3}(?:[.,]\d{1,2})?) ?%")
_MEAN = re.compile(r"\b(?:durchschnitt\w*|\w*schnitt|average|mean|mittel\w*|je|pro|per|each|a)\b", re.IGNORECASE)
_YEARLY = re.compile(r"\b(?:a year|per year|yearly|annually|im Jahr|pro Jahr|jährlich)\b", re.IGNORECASE)

Derived = tuple[Rule, list[Source]]


def _numbers_of(row: Sequence[str]) -> list[Decimal]:
    """The numbers that a row's cells are; of a row that is one text, those that it holds."""
    if len(row) == 1:
        return [each.values[0] for each in find_numbers(row[0][:300])][:8]
    return [value for cell in row if (value := derive.cell_number(cell)) is not None]


def _quantities(text: str, unit: str | None) -> Iterator[Decimal]:
    """The numbers of a text that may have a unit: those that have it, and large ones that have none."""
    for number in find_numbers(text):
        behind = read_unit(text, number.start, number.end)
        if unit is None or behind.unit == unit or (behind.unit is None and abs(number.values[0]) >= 100):
            yield abs(number.values[0]) * (behind.factor if behind.unit else 1)


class Conclusions:
    """Tries to derive the statements of one answer that nothing holds. A statement is named by its number."""

    def __init__(
        self,
        calls: Sequence[Call],
        lines: Sequence[Line],
        statements: Sequence[Statement],
        evidenced: Evidenced,
        *,
        today: date | None,
        question: str,
        context: Mapping[str, object],
    ) -> None:
        returning = [call for call in calls if call.outcome == "ok" and plain_name(call.name) not in NO_DATA]
        if context:
            returning.insert(0, Call(CONTEXT, CONTEXT, {}, context, "ok"))
        self._around = Surroundings(returning, lines, statements, evidenced, today, question, self._is_sure)
        self._spans = Spans(self._around)
        self._statements, self._evidenced = statements, evidenced
        self._derived: dict[int, Derived | None] = {}
        self._trying: set[int] = set()
        self._tries = 0
        self._is_cut = False  # something that was asked for is being tried itself

    def derive(self, number: int) -> Derived | None:
        """Return the rule and the sources by which a statement follows, or None."""
        if number in self._trying:
            self._is_cut = True  # while it is tried, it proves nothing
        elif number not in self._derived and self._tries < MAX_DERIVED and len(self._trying) < MAX_CHAIN:
            was_cut, self._is_cut = self._is_cut, False
            self._trying.add(number)
            self._tries += 1
            derived = self._derive(number)
            self._trying.remove(number)
            if derived or not self._is_cut or not self._trying:  # else it may follow from what is being tried
                self._derived[number] = derived
            self._is_cut = was_cut or (self._is_cut and bool(self._trying))
        return self._derived.get(number)

    def _derive(self, number: int) -> Derived | None:
        statement = self._statements[number]
        ways: list[Callable[[int], Derived | None]] = []
        if statement.kind == "count":
            ways = [
                self._equation,
                self._count,
                self._column_sum,
                self._operands,
                self._of_a_row,
                self._listed,
                self._said_before,
                self._rounded,
                self._mean,
                self._reckoned,
            ]
        elif statement.kind == "number" and statement.unit == "%":
            ways = [self._share, self._in_another_unit, self._points]
        elif statement.kind in {"number", "amount"}:
            ways = [
                self._equation,
                self._period,
                self._sum,
                self._operands,
                self._of_a_row,
                self._rounded,
                self._in_another_unit,
                self._reckoned,
            ]
        elif statement.kind in {"date", "time"} and self._spans.is_date(number):
            return "days", [Source("context")]
        for way in ways:
            if derived := way(number):
                return derived
        return None

    def _equation(self, number: int) -> Derived | None:
        """The result of a calculation that the answer writes out, of numbers that are sure or that a result holds."""
        statement = self._statements[number]
        line = self._around.lines[statement.line].text
        written = reckoning.equation_before(line, statement.start)
        if not written or not any(abs(written[0] - value) * 2 <= statement.step for value in statement.numbers):
            return None
        known = {
            value for n in self._around.in_line(number) if self._is_a_number(n) for value in self._statements[n].numbers
        }
        for call in self._around.calls if not known.issuperset(written[1]) else ():
            known |= {value for each in find_numbers(call.searched[:MAX_SEARCHED]) for value in each.values}
        return ("sum", []) if known.issuperset(written[1]) else None

    def _is_sure(self, number: int) -> bool:
        return self._evidenced.is_known(number) or self.derive(number) is not None

    def _source_of(self, number: int) -> Source:
        known = self._evidenced.found.get(number) or self._evidenced.given.get(number)
        derived = self._derived.get(number)
        return known or (derived[1][0] if derived and derived[1] else Source("context"))

    def _period(self, number: int) -> Derived | None:
        return ("days", []) if self._spans.is_period(number) else None

    def _count(self, number: int) -> Derived | None:
        """The rows of a call or a table, of some of them, or the different values of a column."""
        statement = self._statements[number]
        if statement.numbers[0] % 1 or statement.noun.casefold() in REPEATS:
            return None
        wanted = int(statement.numbers[0])
        for call in self._around.calls:
            if call.rows == wanted:
                return "count", [source_of(call)]
        words, dates = self._around.named(number)
        is_rest = _REST.search(self._around.sentence(number)) is not None
        for rows in self._around.rows:
            if wanted in derive.counts(rows, words, dates) or wanted in derive.distinct(rows):
                return "count", self._around.source(rows)
            if is_rest and len(rows.texts) - len(self._around.named_rows(number, rows)) == wanted:
                return "count", self._around.source(rows)
        return None

    def _listed(self, number: int) -> Derived | None:
        """A count of what the answer itself lists below, each with something that was found."""
        statement, lines = self._statements[number], self._around.lines
        items = list_below(lines, statement.line)
        sentence = self._around.sentence(number)
        begin = lines[statement.line].text.find(sentence)
        parts = enumerated_behind(sentence, max(statement.end - begin, 0))
        if 1 < len(parts) == statement.numbers[0] and all(map(self._stands_in_result, parts)):
            return "count", []
        if not items or len(items) != statement.numbers[0]:
            return None
        sources = []
        for item in items:
            found = [self._evidenced.found[n] for n in numbered(self._statements, [item]) if n in self._evidenced.found]
            if not found and not self._stands_in_result(lines[item].text):
                return None
            sources += found[:1]
        return "count", sources

    def _stands_in_result(self, text: str) -> bool:
        words = [word for word in content_words(text) if word[0].isupper() or any(map(str.isdigit, word))]
        words = words or content_words(text)[:1]
        return bool(words) and any(all(word in call.searched for word in words[:3]) for call in self._around.calls)

    def _said_before(self, number: int) -> Derived | None:
        """A count that the answer repeats: `Two of the three`."""
        wanted = self._statements[number].numbers[0]
        for n, other in enumerate(self._statements[:number]):
            if other.kind == "count" and other.numbers[0] == wanted and self._is_sure(n):
                return "count", [self._source_of(n)]
        return None

    def _sum(self, number: int) -> Derived | None:
        """The sum or mean of a column, of all its rows or of those that are meant, or the difference of two of them."""
        statement = self._statements[number]
        words, dates = self._around.named(number)
        target, sentence = statement.numbers[0], self._around.sentence(number)
        compares, is_sum, is_mean = (each.search(sentence) for each in (_COMPARES, _IN_ALL, _MEAN))
        for rows in self._around.rows:
            sums = derive.column_sums(rows, words, dates)
            named = derive.sums_of(rows, self._around.named_rows(number, rows))
            named_before = self._around.rows_named_before(number, rows)
            totals = [*sums, *named, *derive.sums_of(rows, named_before)]
            is_total = is_sum or reckoning.are_few(len(totals), target, min(statement.step, Decimal(1)))
            if is_total and any(abs(abs(total) - abs(target)) < _CENT for total in totals):
                return "sum", self._around.source(rows)
            if is_mean and any(abs(mean - target) <= statement.step / 2 for mean in derive.averages(rows)):
                return "share", self._around.source(rows)
            differences = derive.column_differences(rows) if statement.unit not in CALENDAR else []
            few = compares or reckoning.are_few(len(differences), target, statement.step)
            if few and any(abs(each - abs(target)) < _CENT for each in differences):
                return "difference", self._around.source(rows)
        return self._sum_of_series(number)

    def _sum_of_series(self, number: int) -> Derived | None:
        """The sum of all quantities of one kind that a result gives, in whatever units: sizes, lengths of time."""
        statement = self._statements[number]
        base = durations.in_base_unit(abs(statement.numbers[0]), statement.unit)
        digit = durations.in_base_unit(
            statement.step if statement.about else min(statement.step, Decimal(1)) / 2, statement.unit
        )
        for call in self._around.calls if base and digit else ():
            values = durations.quantities_in(call.searched[:MAX_SEARCHED]).get(base[0] if base else "", [])
            if 1 < len(values) <= MAX_SERIES and base and digit and abs(sum(values) - base[1]) <= digit[1]:
                return "sum", [source_of(call)]
        return None

    def _mean(self, number: int) -> Derived | None:
        """A count that is the mean of a column: `334 lines a file on average`."""
        statement = self._statements[number]
        for rows in self._around.rows if _MEAN.search(self._around.sentence(number)) else ():
            if any(abs(mean - statement.numbers[0]) <= Decimal("0.5") for mean in derive.averages(rows)):
                return "share", self._around.source(rows)
        return None

    def _column_sum(self, number: int) -> Derived | None:
        """A count that a table has in parts: the sum of a named column."""
        wanted = self._statements[number].numbers[0]
        words, dates = self._around.named(number)
        for rows in self._around.rows if wanted > 9 else ():
            named = derive.sums_of(rows, self._around.named_rows(number, rows))
            if rows.table.width > 1 and wanted in [*named, *derive.column_sums(rows, words, dates)]:
                return "sum", self._around.source(rows)
        return None

    def _operands(self, number: int) -> Derived | None:
        """A sum, difference or product of numbers that the text around names, and that are sure."""
        statement, sentence = self._statements[number], self._around.sentence(number)
        target, compares = statement.numbers[0], _COMPARES.search(sentence) is not None
        groups = (self._around.in_sentence(number), self._around.in_line(number), self._around.around(number))
        for level, group in enumerate(groups):
            numeric = [n for n in group if n != number and self._statements[n].numbers and self._is_sure(n)]
            alike = [n for n in numeric if self._statements[n].unit == statement.unit or statement.kind == "count"]
            values = [self._statements[n].numbers[0] for n in alike]
            if len(values) > 2 and abs(sum(values) - target) < _CENT:
                return "sum", [self._source_of(n) for n in alike]
            near = level < 2 or reckoning.are_few(len(values) ** 2, target, min(statement.step, Decimal(1)))
            if near and (rule := reckoning.of_operands(target, values, differences=level < 2 or compares)):
                return rule, [self._source_of(n) for n in alike]
            factors = [self._statements[n].numbers[0] for n in numeric] + [Decimal(12)] * bool(_YEARLY.search(sentence))
            if statement.kind != "count" and level < 2 and reckoning.is_product(target, factors):
                return "sum", [self._source_of(n) for n in numeric]
        for text in self._around.related_texts(number) if target >= 10 and _IN_ALL.search(sentence) else ():
            values = [each.values[0] for each in find_numbers(text)][:8]
            if reckoning.of_operands(target, values, differences=compares):
                return "sum", []
        return None

    def _of_a_row(self, number: int) -> Derived | None:
        """The difference, the product or the quotient of two numbers of a row that the sentence is about."""
        statement = self._statements[number]
        for row in self._around.related_rows(number)[:6] if statement.unit not in CALENDAR else ():
            cells = [value for cell in row if (value := derive.cell_number(cell)) is not None]
            if reckoning.is_of_two(abs(statement.numbers[0]), statement.step, cells):
                return "difference", []
        return None

    def _reckoned(self, number: int) -> Derived | None:
        """What a calculation gives with the numbers that the text around names, or a row of a result, or the question.

        So many ways lead to a small number that it is believed only where few are tried: see `reckoning.reckon`.
        """
        statement = self._statements[number]
        target, sure = abs(statement.numbers[0]), self._sure_numbers
        text = self._around.sentence(number)
        sentence = sure(number, self._around.in_sentence(number))
        sentence += [each.values[0] for each in find_number_words(text)]  # of how many: `for each of the five`
        asked = [each.values[0] for each in find_numbers(self._around.question[-400:])]
        is_named = any(each.search(text) for each in (_COMPARES, _IN_ALL, _MEAN))
        pools = [sentence, sentence + sure(number, self._around.in_line(number)), sentence + asked]
        rows = self._around.related_rows(number)[:6] or self._around.spoken_of(number)[:6]
        pools += [sentence + _numbers_of(row) for row in rows]
        pools.append(sure(number, self._around.around(number)))
        pools.append([value for row in rows for value in _numbers_of(row)])
        for pool in pools:
            if rule := reckoning.reckon(target, statement.step, pool, about=statement.about, is_named=is_named):
                return rule, []
        return None

    def _sure_numbers(self, number: int, others: Sequence[int]) -> list[Decimal]:
        """The values of the other statements that are sure, the nearest first; in the statement's unit, if they have one."""
        statement = self._statements[number]
        near = sorted(others, key=lambda n: abs(n - number))
        return [
            durations.in_unit_of(other.numbers[0], other.unit, statement.unit)
            for n in near
            if n != number and (other := self._statements[n]).numbers and self._is_sure(n)
        ]

    def _share(self, number: int) -> Derived | None:
        """A percentage: of numbers that the sentence names, of those in its rows, of counts or sums of rows."""
        sentence, statement = self._around.sentence(number), self._statements[number]
        groups = [[n.values[0] for n in [*find_numbers(sentence), *find_number_words(sentence)]]]
        related = ([n.values[0] for n in find_numbers(text)] for text in self._around.related_texts(number))
        groups += [group for group in related if len(group) <= MAX_SHARED]
        spoken = [_numbers_of(row) for row in self._around.spoken_of(number)[:6]]
        growing = len(groups)
        groups.append([self._statements[n].numbers[0] for n in self._around.around(number) if self._is_a_number(n)])
        words, dates = self._around.named(number)
        wholes: list[tuple[Decimal, Iterable[Decimal | int]]] = [
            (Decimal(len(rows.texts)), derive.counts(rows, words, dates)) for rows in self._around.rows
        ]
        wholes += [(sum(row, Decimal(0)), row) for row in spoken]
        for one, other in combinations(spoken, 2) if len(spoken) < 4 else ():
            if any(
                reckoning.is_growth(statement.numbers[0], statement.step, *pair)
                for pair in zip(one, other, strict=False)
            ):
                return "share", []
        wholes += [(sum(row, Decimal(0)), row) for row in self._series_and_parts(number)]
        for rows in self._around.rows:
            wholes += derive.column_parts(rows, words, dates)
        for whole, parts in wholes:
            if any(reckoning.is_part(statement.numbers[0], statement.step, Decimal(part), whole) for part in parts):
                return "share", []
        growth, target, step = _COMPARES.search(sentence) is not None, statement.numbers[0], statement.step
        if any(
            reckoning.share_of(target, step, group, growth=growth and n < growing) for n, group in enumerate(groups)
        ):
            return "share", []
        return None

    def _series_and_parts(self, number: int) -> Iterator[list[Decimal]]:
        """The quantities of each result that are of one kind, if the sentence names one of that kind that may be a part."""
        parts = [self._statements[n] for n in self._around.in_sentence(number) if self._is_a_number(n)]
        for part in parts:
            base = durations.in_base_unit(abs(part.numbers[0]), part.unit)
            for call in self._around.calls if base else ():
                values = durations.quantities_in(call.searched[:MAX_SEARCHED]).get(base[0] if base else "", [])
                if base and 1 < len(values) <= MAX_SERIES:
                    whole = sum(values)
                    yield [base[1], whole - base[1]]

    def _points(self, number: int) -> Derived | None:
        """How far two shares are apart, which the text around or a row that it speaks of has."""
        statement, around = self._statements[number], self._around.around(number)
        shares = [self._statements[n] for n in around if n != number and self._is_sure(n)]
        values = [each.numbers[0] for each in shares if each.unit == "%"]
        values += [Decimal(digits.replace(",", ".")) for digits in _SHARE.findall(self._around.question[-300:])]
        if reckoning.of_operands(abs(statement.numbers[0]), values, differences=True):
            return "difference", []
        return None

    def _is_a_number(self, number: int) -> bool:
        """True for a sure number that is no share itself."""
        statement = self._statements[number]
        return bool(statement.numbers) and statement.unit != "%" and self._is_sure(number)

    def _rounded(self, number: int) -> Derived | None:
        """A number that is said to be about another one, or is written with a word such as `Mio.`"""
        statement = self._statements[number]
        if not statement.about and not statement.is_scaled:
            return None
        named = self._around.named(number)
        values = [total for rows in self._around.rows for total in derive.column_sums(rows, *named)]
        values += [value for rows in self._around.rows for column in rows.numeric_columns for _, value in column]
        for call in self._around.calls:
            held = _quantities(call.searched[:MAX_SEARCHED], statement.unit)
            if reckoning.is_rounded(statement.numbers[0], statement.step, [*values, *held], about=statement.about):
                return "rounded", [source_of(call)]
        return None

    def _in_another_unit(self, number: int) -> Derived | None:
        """A number that the line or a result has in another unit: 72 hours are three days."""
        statement = self._statements[number]
        base = durations.in_base_unit(statement.numbers[0], statement.unit)
        for n in self._around.in_line(number) if base else ():
            other = self._statements[n]
            others = durations.in_base_unit(other.numbers[0], other.unit) if other.numbers else None
            size = durations.in_base_unit(statement.step / 2 if statement.about else Decimal(0), statement.unit)
            same = base and others and size and base[0] == others[0] and abs(base[1] - others[1]) <= size[1]
            if n != number and same and self._is_sure(n):
                return "rounded", []
        others_units = list(durations.in_other_units(statement.numbers[0], statement.step, statement.unit))
        wanted = [(value, step) for value, step in others_units if value >= 60 or value % 1]
        is_rounded = statement.about or statement.is_scaled or statement.unit not in {*CALENDAR, "quarter", "h"}
        for call in self._around.calls if wanted else ():
            held = {value for each in find_numbers(call.searched[:MAX_SEARCHED]) for value in each.values}
            if any(reckoning.is_near(value, step if is_rounded else Decimal(0), held) for value, step in wanted):
                return "rounded", [source_of(call)]
        return None
