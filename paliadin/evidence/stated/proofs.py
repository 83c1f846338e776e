"""Check the calculations that an answer states, `17 open = count(status = open)`, beside the answer's facts. Pure.

Each line names a fact and how it was calculated. It is *calculated* if the operands stand in what was looked up and it
comes out, and it *differs* if they do and it comes to one other value. Any other line says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from paliadin.evidence.model import Calculation, Source
from paliadin.evidence.reading import Reading
from paliadin.evidence.stated.agreement import says, says_quoted, shown_as
from paliadin.evidence.stated.evaluate import Evaluator, Outcome
from paliadin.evidence.stated.expressions import Expression, Function, Quotation
from paliadin.evidence.stated.facts import Place, Text, has_percent_sign, statements_at
from paliadin.evidence.stated.grammar import parse_line
from paliadin.evidence.stated.operands import Material, Operands, is_small
from paliadin.evidence.stated.values import Quantity
from paliadin.evidence.statements import Statement

MAX_ROUNDS = 4  # in which one fact may follow from another one
MAX_SOURCES = 30  # of one calculation


@dataclass(frozen=True, slots=True)
class Proof:
    """A statement beside its calculation; None: it stands in the line that is quoted for it.

    `comes_out`: it says what the calculation comes to.
    """

    statement: Statement
    calculation: Calculation | None
    sources: tuple[Source, ...]
    comes_out: bool


@dataclass(frozen=True, slots=True)
class _Stated:
    """A way to read a line: its fact's places in the answer, and the calculation."""

    text: str
    places: tuple[Place, ...]
    expression: Expression


@dataclass
class Proofs:
    """The proofs of an answer: `of` its statements, by number, and `more`, of what is no statement otherwise."""

    reading: Reading
    operands: Operands
    of: dict[int, Proof] = field(default_factory=dict)
    more: dict[Place, Proof] = field(default_factory=dict)
    _evaluator: Evaluator = field(init=False)
    _outcomes: dict[_Stated, list[Outcome]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._evaluator = Evaluator(self.operands)

    @classmethod
    def find(cls, stated: Sequence[str], reading: Reading, material: Material) -> Proofs:
        """Check all lines, again as long as one that came out gives another one an operand."""
        text = Text(reading.lines)
        waiting = [ways for line in stated if (ways := list(_ways(line, text)))]
        calculations = [way.text for ways in waiting for way in ways]
        proofs = cls(reading, Operands.find(material, calculations) if waiting else Operands(material))
        for number, statement in enumerate(reading.statements) if waiting else ():
            if source := reading.source_of(number):
                proofs.operands.add_fact(statement, (source,))
        for _ in range(MAX_ROUNDS):
            left = [ways for ways in waiting if not any(map(proofs._prove, ways))]
            if len(left) == len(waiting):
                break
            waiting = left
        for ways in waiting:
            proofs._doubt(ways)
        return proofs

    def _prove(self, way: _Stated) -> bool:
        """Enter the statements that a calculation comes to; False if there is none."""
        proofs = [proof for proof in self._proofs(way) if proof.comes_out]
        for proof in proofs:
            self._enter(proof)
            self.operands.add_fact(proof.statement, proof.sources)
        return bool(proofs)

    def _doubt(self, ways: Sequence[_Stated]) -> None:
        """Enter the statements that a calculation comes to another value for: if it is certain which fact is meant."""
        for way in ways:
            doubts = [proof for proof in self._proofs(way) if not self._is_proven(proof.statement)]
            if len(doubts) == len(way.places) == 1 and self._is_certain(doubts[0].statement, way.places[0]):
                self._enter(doubts[0])

    def _is_certain(self, statement: Statement, place: Place) -> bool:
        """True unless a fact has several numbers, or its number is a part of a date: then another one may be meant."""
        return not statement.numbers or len(list(statements_at(place, self.reading.lines[place.line]))) == 1

    def _enter(self, proof: Proof) -> None:
        numbers = [n for n in self._on_line(proof.statement.line) if self.reading.statements[n] is proof.statement]
        for number in numbers:
            self.of.setdefault(number, proof)
        if not numbers:
            self.more.setdefault(Place(proof.statement.line, proof.statement.start, proof.statement.end), proof)

    def _on_line(self, line: int) -> Sequence[int]:
        return self.reading.on_line.get(line, ())

    def _is_proven(self, statement: Statement) -> bool:
        return any(proof.statement is statement for proof in self.of.values())

    def _proofs(self, way: _Stated) -> Iterator[Proof]:
        if isinstance(way.expression, Quotation):
            yield from self._quoted(way, way.expression.text)
            return
        if way not in self._outcomes:
            try:
                self._outcomes[way] = self._evaluator.evaluate(way.expression)
            except ValueError:  # its operands stand nowhere, or it is none
                return
        for statement in self._statements_of(way):
            usable = [each for each in self._outcomes[way] if self._is_believed(each, way, statement)]
            yield from self._beside(statement, way, usable)

    def _beside(self, statement: Statement, way: _Stated, outcomes: Sequence[Outcome]) -> Iterator[Proof]:
        is_share = has_percent_sign(self.reading.lines, statement)
        said = [
            (says(statement, each.value, is_share=is_share, today=self.operands.material.today), each)
            for each in outcomes
        ]
        if fitting := next((each for is_said, each in said if is_said), None):
            yield self._proof(statement, way, fitting, is_share=is_share, comes_out=True)
        elif (others := {each.value: each for is_said, each in said if is_said is False and each.is_whole}) and len(
            others
        ) == len({each.value for each in outcomes}) == 1:
            yield self._proof(statement, way, *others.values(), is_share=is_share, comes_out=False)

    def _proof(self, statement: Statement, way: _Stated, outcome: Outcome, *, is_share: bool, comes_out: bool) -> Proof:
        text = self.reading.lines[statement.line].text[statement.start : statement.end]
        comes_to = shown_as(statement, text, outcome.value, is_share=is_share)
        sources = tuple(dict.fromkeys(outcome.sources))[:MAX_SOURCES]
        assumed = tuple(dict.fromkeys(outcome.assumed))
        return Proof(statement, Calculation(way.text, comes_to, assumed), sources, comes_out)

    def _quoted(self, way: _Stated, text: str) -> Iterator[Proof]:
        source = self.operands.quotation(text)
        if source is None:
            return
        for statement in self._statements_of(way):
            if (is_said := says_quoted(statement, text)) is not None:
                yield Proof(statement, None if is_said else Calculation(way.text, ""), (source,), is_said)

    def _statements_of(self, way: _Stated) -> Iterator[Statement]:
        for place in way.places:
            on_line = (self.reading.statements[number] for number in self._on_line(place.line))
            found = [each for each in on_line if place.has(each)]
            yield from found or statements_at(place, self.reading.lines[place.line])

    def _is_believed(self, outcome: Outcome, way: _Stated, statement: Statement) -> bool:
        """True unless a small number follows from two others that no line has both: from some two it always does."""
        value, numbers = outcome.value, outcome.numbers
        if not isinstance(value, Quantity) or isinstance(way.expression, Function) or len(numbers or ()) != 2:
            return True
        if not statement.numbers or not is_small(statement.numbers[0]):
            return True
        one, other = numbers or (Decimal(0), Decimal(0))
        beside = (self.reading.statements[number] for number in self._on_line(statement.line))
        near = {abs(number) for each in beside for number in each.numbers}
        return {one, other} <= near or self.operands.stand_together(one, other)


def _ways(line: str, text: Text) -> Iterator[_Stated]:
    """The ways to read a line whose fact stands in the answer."""
    for fact, calculation, expression in parse_line(line):
        if places := text.places(fact):
            yield _Stated(calculation, tuple(places), expression)
