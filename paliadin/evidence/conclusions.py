"""Decide which statements follow from others that were found: by counting, adding, or how far dates are apart. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice

from paliadin.evidence import derive
from paliadin.evidence.calculations import Calculations
from paliadin.evidence.columns import Columns
from paliadin.evidence.days import Days
from paliadin.evidence.markdown import Line
from paliadin.evidence.matching import REPEATS
from paliadin.evidence.model import Rule, Source
from paliadin.evidence.patterns import follow_alike
from paliadin.evidence.results import NO_DATA, Call, plain_name
from paliadin.evidence.searched import Searched
from paliadin.evidence.sentences import enumerated_behind, list_above, list_below, numbered
from paliadin.evidence.sources import Evidenced
from paliadin.evidence.spans import Spans
from paliadin.evidence.statements import Statement, content_words
from paliadin.evidence.surroundings import CONTEXT, Derived, Surroundings, source_of

MAX_CHAIN = 3  # statements that each follow from the next one
MAX_ASSUMED = 100  # tries in one answer with what is not supported itself
MAX_RETOLD = 12  # items of a list, and words of each, that a result may have in other words
MAX_NEAR = 6  # statements that are not supported, near another one
_CALCULATED = frozenset({"number", "amount", "count"})
_REST = re.compile(r"\b(?:übrigen?|restlichen?|anderen?|remaining|rest|others?)\b", re.IGNORECASE)


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
        self._around = Surroundings(
            returning, lines, statements, evidenced, today, question, self._is_sure, self._source_of
        )
        self._spans, self._days, self._searched = Spans(self._around), Days(self._around), Searched(self._around)
        self._calculations, self._columns = Calculations(self._around), Columns(self._around)
        self._statements, self._evidenced = statements, evidenced
        self._derived: dict[int, Derived | None] = {}
        self._trying: set[int] = set()
        self._tried: set[int] = set()
        self._assumed: set[int] = set()
        self._alike = follow_alike(self._around, lambda number: not evidenced.is_known(number))
        self._is_cut = False  # something that was asked for is being tried itself

    def derive(self, number: int) -> Derived | None:
        """Return the rule and the sources by which a statement follows, or None."""
        if number in self._trying:
            self._is_cut = True  # while it is tried, it proves nothing
        elif self._may_try(number):
            was_cut, self._is_cut = self._is_cut, False
            self._trying.add(number)
            self._tried.add(number)
            derived = self._derive(number)
            self._trying.remove(number)
            if derived or not self._is_cut or not self._trying:  # else it may follow from what is being tried
                self._derived[number] = derived
            self._is_cut = was_cut or (self._is_cut and bool(self._trying))
        return self._derived.get(number)

    def _may_try(self, number: int) -> bool:
        """True for what was not tried yet; for what others need, once: that each tries all others would never end."""
        if number in self._derived or self._assumed or len(self._trying) >= MAX_CHAIN:
            return False
        return not self._trying or number not in self._tried

    def derive_from_unsupported(self, unsupported: Sequence[int]) -> Iterator[tuple[int, Derived]]:
        """Of statements that nothing supports, yield those that follow from others of them, with these as sources.

        What is yielded does not serve as such a source itself, so that at least one of them stays unsupported.
        """
        waiting = set(unsupported)
        tries = ((number, assumed) for number in unsupported for assumed in self._ways_to_assume(number, waiting))
        for number, assumed in islice(tries, MAX_ASSUMED):
            rule = self._rule_assuming(number, assumed) if number in waiting else None
            if rule and (rule == "sum" or max(assumed) < number):  # a part is not what is left of a total
                waiting.remove(number)
                yield number, (rule, [Source("answer", text=self._words(n)) for n in assumed])

    def _ways_to_assume(self, number: int, waiting: Collection[int]) -> Iterator[list[int]]:
        """Yield the statements near a number from which it may follow: one alone, and all together."""
        if self._statements[number].kind in _CALCULATED:
            near = [n for n in self._operands_near(number) if n in waiting][:MAX_NEAR]
            yield from ([n] for n in near)
            if near:
                yield near

    def _operands_near(self, number: int) -> list[int]:
        """The other statements of the sentence, and those of the text around that have the same unit."""
        here, unit = self._around.in_sentence(number), self._statements[number].unit
        around = self._around.around(number)
        return [n for n in around if n != number and (n in here or self._statements[n].unit == unit)]

    def _rule_assuming(self, number: int, assumed: Sequence[int]) -> Rule | None:
        """The rule by which a statement follows if these were sure; no other statement is tried once more."""
        self._assumed = set(assumed)
        derived = self._derive(number)
        self._assumed = set()
        return derived[0] if derived and derived[0] != "count" else None  # saying a number twice supports none

    def _words(self, number: int) -> str:
        statement = self._statements[number]
        return self._around.lines[statement.line].text[statement.start : statement.end]

    def _derive(self, number: int) -> Derived | None:
        statement = self._statements[number]
        if alike := self._alike.get(number):
            return alike
        ways: list[Callable[[int], Derived | None]] = []
        if statement.kind == "count":
            ways = [
                self._calculations.equation,
                self._of_a_column,
                self._count,
                self._columns.column_sum,
                self._calculations.rest,
                self._calculations.operands,
                self._calculations.of_a_row,
                self._listed,
                self._said_before,
                self._calculations.rounded,
                self._columns.mean,
                self._calculations.reckoned,
            ]
        elif statement.kind == "number" and statement.unit == "%":
            ways = [
                self._columns.share,
                self._calculations.rounded_nearby,
                self._calculations.in_another_unit,
                self._calculations.points,
            ]
        elif statement.kind in {"number", "amount"}:
            ways = [
                self._calculations.equation,
                self._period,
                self._columns.total,
                self._calculations.operands,
                self._calculations.of_a_row,
                self._calculations.rounded,
                self._calculations.in_another_unit,
                self._calculations.reckoned,
            ]
        elif statement.kind in {"date", "time"}:
            return ("days", [Source("context")]) if self._days.is_date(number) else self._searched.derive(number)
        for way in ways:
            if derived := way(number):
                return derived
        return None

    def _is_sure(self, number: int) -> bool:
        return number in self._assumed or self._evidenced.is_known(number) or self.derive(number) is not None

    def _source_of(self, number: int) -> Source:
        known = self._evidenced.found.get(number) or self._evidenced.given.get(number)
        derived = self._derived.get(number)
        return known or (derived[1][0] if derived and derived[1] else Source("context"))

    def _period(self, number: int) -> Derived | None:
        return ("days", []) if self._spans.is_period(number) else None

    def _of_a_column(self, number: int) -> Derived | None:
        return ("days", []) if self._spans.is_in_a_column_of_periods(number) else None

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
        sentence = self._around.sentence(number)
        is_rest = _REST.search(sentence) is not None
        for rows in self._around.rows:
            if wanted in derive.counts(rows, words, dates) or wanted in rows.distinct:
                return "count", self._around.source(rows)
            if wanted in derive.counts_of_values(rows, sentence):
                return "count", self._around.source(rows)
            if is_rest and len(rows.texts) - len(self._around.named_rows(number, rows, 1)) == wanted:
                return "count", self._around.source(rows)
        return None

    def _listed(self, number: int) -> Derived | None:
        """A count of what the answer itself lists below, or right above, each with something that was found."""
        statement, lines = self._statements[number], self._around.lines
        items = list_below(lines, statement.line) or list_above(lines, statement.line)
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
            is_retold = len(items) <= MAX_RETOLD and self._is_retold(lines[item].text)
            if not found and not self._stands_in_result(lines[item].text) and not is_retold:
                return None
            sources += found[:1]
        return "count", sources

    def _stands_in_result(self, text: str) -> bool:
        words = [word for word in content_words(text) if word[0].isupper() or any(map(str.isdigit, word))]
        words = words or content_words(text)[:1]
        return bool(words) and any(all(word in call.searched for word in words[:3]) for call in self._around.calls)

    def _is_retold(self, text: str) -> bool:
        """True if a result has most of a text's words, in whatever order."""
        words = list(dict.fromkeys(word.casefold() for word in content_words(text) if len(word) > 3))[:MAX_RETOLD]
        return len(words) > 1 and any(
            2 * sum(each in call.folded for each in words) > len(words) for call in self._around.calls
        )

    def _said_before(self, number: int) -> Derived | None:
        """A count that the answer repeats: `Two of the three`."""
        wanted = self._statements[number].numbers[0]
        for n, other in enumerate(self._statements[:number]):
            if other.kind == "count" and other.numbers[0] == wanted and self._is_sure(n):
                return "count", [self._source_of(n)]
        return None
