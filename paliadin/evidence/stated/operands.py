"""Find where the operands of stated calculations stand: in results, the question, the page, or among an answer's facts.

They are looked up like the facts of an answer, in one pass over the results; only the words around them do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import islice

from paliadin.evidence.markdown import Line
from paliadin.evidence.model import Source
from paliadin.evidence.notation import Date, find_dates, find_numbers, find_times, read_unit
from paliadin.evidence.places import Hit, source_at
from paliadin.evidence.quoting import words_of
from paliadin.evidence.reading import Reading
from paliadin.evidence.results import WRITES_FILES, Call, plain_name
from paliadin.evidence.search import Lookup
from paliadin.evidence.sources import find_sources, reads_what_was_written
from paliadin.evidence.stated.expressions import Operand
from paliadin.evidence.stated.rows import Rows
from paliadin.evidence.statements import Statement
from paliadin.evidence.tables import MAX_ROWS, Table

MAX_TABLES, MAX_CELLS = 200, 200_000  # of all results, that calculations may use
MAX_OPERANDS = 600  # of all calculations of an answer
MAX_PLACES = 20_000  # of small numbers in a result, at which others are looked for beside them
SMALL = 100
_QUOTED = re.compile(r"[\"„“«'‚‘]([^\"“”»'’]{1,300})[\"“”»'’]")
_OWN_WORDS = WRITES_FILES | {"todowrite"}
"""Tools whose results repeat what Claude gave them."""

Key = Decimal | Date | tuple[str, int] | str
"""A number, a date, `time` with minutes since midnight, or the words of a quotation."""


@dataclass(frozen=True)
class Material:
    """What calculations are worked out on: all calls of a conversation, what the user wrote, the page, and the day."""

    calls: Sequence[Call]
    question: str
    context: Mapping[str, object]
    today: date | None

    @cached_property
    def tables(self) -> list[tuple[Rows, Call]]:
        """The tables of all results, each with the call that returned it."""
        found: list[tuple[Rows, Call]] = []
        cells = 0
        for call in self._readable():
            for table in call.tables:
                cells += table.width * len(table.rows)
                if len(found) >= MAX_TABLES or cells > MAX_CELLS:
                    return found
                if len(table.rows) < MAX_ROWS:  # else it may have more
                    found.append((Rows(table, self.today), call))
        return found

    def _readable(self) -> Iterator[Call]:
        """The calls whose rows are no words of Claude's own."""
        written = [call for call in self.calls if plain_name(call.name) in _OWN_WORDS]
        for call in self.calls:
            is_own = call in written or any(reads_what_was_written(call, each) for each in written)
            if call.outcome == "ok" and not is_own:
                yield call


@dataclass
class Operands:
    """The operands of an answer's calculations with their places."""

    material: Material
    _sources: dict[Key, Source] = field(default_factory=dict)
    _small: Sequence[Decimal] = ()
    _facts: dict[Key, tuple[Source, ...]] = field(default_factory=dict)

    @classmethod
    def find(cls, material: Material, calculations: Iterable[str]) -> Operands:
        """Look up all that stands in these calculations, given as text."""
        wanted = dict(islice(((key, each) for text in calculations for key, each in _read(text)), MAX_OPERANDS))
        held = Reading([Line("text", "", ())], list(wanted.values()))
        find_sources(held, material.calls, material.question, material.context, is_anywhere=True)
        places = {key: held.source_of(n) for n, key in enumerate(wanted)}
        small = [key for key in wanted if isinstance(key, Decimal) and is_small(key)]
        return cls(material, {key: source for key, source in places.items() if source}, small)

    def add_fact(self, statement: Statement, sources: tuple[Source, ...]) -> None:
        """Let calculations use a fact of the answer that was found or proved."""
        for key in _keys_of(statement):
            self._facts.setdefault(key, sources)

    def number(self, value: Decimal) -> tuple[Source, ...] | None:
        """The places of a number; None if it stands nowhere. 1.19 is held by 19 %."""
        value = abs(value)
        shares = _as_shares(value) if value < 2 else ()
        return next((places for each in (value, *shares) if (places := self._places(each))), None)

    def date(self, value: Date) -> tuple[Source, ...] | None:
        """The places of a day."""
        if places := self._places(value):
            return places
        return next(
            (places for key, places in self._facts.items() if isinstance(key, Date) and key.matches(value)), None
        )

    def time(self, minutes: int) -> tuple[Source, ...] | None:
        """The places of a time of day."""
        return self._places(("time", minutes))

    def quotation(self, text: str) -> Source | None:
        """The place of a text in a result, the question or the page."""
        if source := self._sources.get(text):
            return source
        words = words_of(text)
        for call in self.material.calls if words.strip() else ():
            if call.outcome == "ok" and words in call.words:
                hit = _hit_of(text, call.searched)
                return source_at(call, hit) if hit else call.source
        return None

    def holds(self, operand: Operand) -> bool:
        """True if a number, date or time stands somewhere."""
        return (
            any(self.number(each) for each in operand.numbers)
            or any(self.date(each) for each in operand.dates)
            or (operand.seconds is not None and self.time(operand.seconds // 60) is not None)
        )

    def _places(self, key: Key) -> tuple[Source, ...] | None:
        source = self._sources.get(key)
        return (source,) if source else self._facts.get(key)

    def stand_together(self, one: Decimal, other: Decimal) -> bool:
        """True if one line of a result, or of the question, holds both numbers."""
        return not self._lines.get(abs(one), set()).isdisjoint(self._lines.get(abs(other), set()))

    @cached_property
    def _lines(self) -> dict[Decimal, set[tuple[int, int]]]:
        """The lines in which each small number stands: the number of the text, and where in it the line begins."""
        lookup = Lookup({n: _number(value, None) for n, value in enumerate(self._small)})
        texts = [self.material.question, *(call.searched for call in self.material.calls if call.outcome == "ok")]
        lines: dict[Decimal, set[tuple[int, int]]] = {value: set() for value in self._small}
        for text_number, text in enumerate(texts):
            for number, hit in islice(lookup.hits(text), MAX_PLACES):
                lines[self._small[number]].add((text_number, text.rfind("\n", 0, hit.start)))
        return lines

    def tables(self, number: int | None) -> Iterator[tuple[Rows, Call]]:
        """Yield the tables of results; `number`: only those of this call of the turn, from 1."""
        own = [call for call in self.material.calls if call.turn_id is None]
        chosen = own[number - 1 : number] if number else []
        return ((rows, call) for rows, call in self.material.tables if number is None or call in chosen)

    def pages(self, number: int | None) -> Iterator[tuple[Rows, Call]]:
        """Yield the rows that several calls of one tool returned, such as pages of a list, each as one table."""
        if number is None:
            yield from self._pages

    @cached_property
    def _pages(self) -> list[tuple[Rows, Call]]:
        alike: dict[tuple[str, str, tuple[str, ...]], list[tuple[Rows, Call]]] = {}
        for rows, call in self.material.tables:
            if rows.table.columns:
                alike.setdefault((call.name, rows.table.path, rows.table.columns), []).append((rows, call))
        return [
            (
                Rows(
                    Table(columns, tuple(dict.fromkeys(row for rows, _ in each for row in rows.table.rows))),
                    self.material.today,
                ),
                each[0][1],
            )
            for (_, _, columns), each in alike.items()
            if len({call.id for _, call in each}) > 1
        ]


def _read(text: str) -> Iterator[tuple[Key, Statement]]:
    """Yield all that may be an operand in a calculation."""
    for dated in find_dates(text, strict=False):
        yield from ((day, Statement(0, 0, 0, "date", dates=(day,))) for day in dated.values)
    for timed in find_times(text):
        yield ("time", timed.minutes), Statement(0, 0, 0, "time", minutes=timed.minutes)
    for number in find_numbers(text):
        unit = read_unit(text, number.start, number.end)
        for value in {abs(each * unit.factor) for each in number.values}:
            yield value, _number(value, unit.unit)
            yield from ((share, _number(share, "%")) for share in _as_shares(value))
    for match in _QUOTED.finditer(text):
        yield match[1], Statement(0, 0, 0, "quotation", words=match[1])


def _number(value: Decimal, unit: str | None) -> Statement:
    return Statement(0, 0, 0, "number", numbers=(value,), unit=unit)


def _as_shares(value: Decimal) -> tuple[Decimal, ...]:
    """The shares by which somebody may multiply with this factor: 19 for 1.19 and 0.19, and 81 for 0.19 too."""
    if not 0 < value < 2 or value == 1:
        return ()
    shares = (abs(value - 1), *([value] if value < 1 else []))
    return tuple((each * 100).normalize() for each in shares)


def _keys_of(statement: Statement) -> Iterator[Key]:
    yield from map(abs, statement.numbers)
    yield from statement.dates
    if statement.minutes is not None:
        yield "time", statement.minutes


def is_small(number: Decimal) -> bool:
    """True for a number of one or two digits: it follows from almost any two others."""
    return abs(number) < SMALL and len(number.normalize().as_tuple().digits) < 3


def _hit_of(text: str, source: str) -> Hit | None:
    """Where a line of JSON stands in what was searched, which has no punctuation: at its longest word."""
    for word in sorted(re.findall(r"\w+", text), key=len, reverse=True)[:3]:
        at = source.find(word)
        if at >= 0:
            return Hit(at, at + len(word))
    return None
