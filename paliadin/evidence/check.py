"""Check an answer: every statement beside what the conversation's tools returned, the question and the context. Pure.

`check` is the whole engine: statements → places that hold them → what follows from those → a status for each. Of the
rest, what follows from another statement of the rest is `derived` from that: each mark stands for one thing not found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import groupby

from paliadin.evidence.cells import Cells
from paliadin.evidence.days import Days
from paliadin.evidence.derivation import Derivation
from paliadin.evidence.generality import is_general
from paliadin.evidence.markdown import Line, read_lines
from paliadin.evidence.model import Calculation, Claim, Rule, Source, Status
from paliadin.evidence.quoting import words_of
from paliadin.evidence.reading import Reading
from paliadin.evidence.records import is_of_a_record
from paliadin.evidence.results import CONTEXT, NO_DATA, Call, plain_name, texts_of
from paliadin.evidence.search import holds_token
from paliadin.evidence.sources import find_sources, is_small
from paliadin.evidence.stated.operands import Material
from paliadin.evidence.stated.proofs import Proof, Proofs
from paliadin.evidence.stated.rows import Rows
from paliadin.evidence.statements import find_statements
from paliadin.evidence.vocabulary import DRAFTING

__all__ = ["Answer", "Call", "OutOfWork", "check", "holds_id"]

PIECE = 5  # words that make a line a quotation of what has them
MAX_SOURCES = 30  # of a derived claim


@dataclass(frozen=True)
class Answer:
    """What is checked, and what it is checked against.

    `messages` are (id, Markdown) of each; `calls` those of earlier turns first; `question` is all that the user wrote
    in the conversation, `context` what the page sent with it. `today`: the day of the answer. `is_incomplete`:
    something of the conversation's results is no longer kept. `claims_data`: the answer says that tools returned it.
    `calculated`: the calculations that it states, `fact = expression` each.
    """

    messages: Sequence[tuple[str, str]]
    calls: Sequence[Call] = ()
    question: str = ""
    context: Mapping[str, object] = field(default_factory=dict)
    today: date | None = None
    is_incomplete: bool = False
    claims_data: bool = False
    calculated: Sequence[str] = ()

    @property
    def returned(self) -> Iterator[Call]:
        """The calls whose results may hold something: those that succeeded."""
        return (call for call in self.calls if call.outcome == "ok")

    @property
    def has_data(self) -> bool:
        """True if a tool that returns data was called, whatever came of it."""
        return any(plain_name(call.name) not in NO_DATA for call in self.calls)


def check(answer: Answer, limit: AbstractContextManager[object] = nullcontext()) -> tuple[Claim, ...]:  # noqa: B008  # it has no state
    """Return the claims of an answer, in the order of its text.

    Within `limit` OutOfWork may be raised at any point, by a timer: what was not judged by then is `unknown`. It is
    raised here when the statements themselves are not known: an answer without them has not been checked.
    """
    checked = _Check(answer)
    try:
        with limit:
            checked.run()
    except OutOfWork:
        if not checked.is_read:
            raise
    return tuple(checked.claims())


class OutOfWork(Exception):
    """The budget of a check is spent. Whoever limits one raises it; `check` catches it."""


@dataclass(frozen=True, slots=True)
class _Judged:
    status: Status
    sources: tuple[Source, ...] = ()
    rule: Rule | None = None
    calculation: Calculation | None = None


_NOT_JUDGED = _Judged("unknown")


@dataclass
class _Check:
    answer: Answer
    owners: list[str] = field(default_factory=list)  # the message of each line
    reading: Reading = field(default_factory=lambda: Reading([], []))
    is_read: bool = False  # all statements are known
    judged: dict[int, _Judged] = field(default_factory=dict)
    more: list[Proof] = field(default_factory=list)  # of facts that are no statements by themselves

    def run(self) -> None:
        """Judge all statements: what is stated decides before what merely stands somewhere."""
        answer = self.answer
        lines: list[Line] = []
        for message_id, source in answer.messages:
            lines += self._read(source)
            self.owners += [message_id] * (len(lines) - len(self.owners))
        self.reading = Reading(lines, list(find_statements(lines)))
        self.is_read = True
        if not self.reading.statements and not answer.calculated:
            return
        find_sources(self.reading, answer.calls, answer.question, answer.context)
        material = Material(answer.calls, answer.question, answer.context, answer.today)
        self._take_stated(material)
        derivation = self._derivation(material)
        for number in range(len(self.reading.statements)):
            self.judged[number] = self.judged.get(number) or self._judge(number, derivation)
        self._judge_what_is_said_again()

    def _judge_what_is_said_again(self) -> None:
        """Judge a value that nothing holds as the same value elsewhere in the answer, if that one was calculated."""
        statements = self.reading.statements
        calculated = {
            statements[number].value: judged for number, judged in self.judged.items() if judged.status == "calculated"
        }
        for number, judged in self.judged.items():
            if judged.status == "unsupported" and not is_small(statements[number]):
                self.judged[number] = calculated.get(statements[number].value, judged)

    def _derivation(self, material: Material) -> Derivation:
        answer, context = self.answer, Call(CONTEXT, CONTEXT, {}, self.answer.context, "ok")
        calls = [call for call in answer.returned if plain_name(call.name) not in NO_DATA]
        calls += [context] if answer.context else []
        tables = [(Rows(table, answer.today), context) for table in context.tables]
        days = Days(self.reading, calls, answer.question, answer.today)
        return Derivation(self.reading, calls, Cells([*tables, *material.tables]), days, answer.question, answer.today)

    def _read(self, source: str) -> Iterator[Line]:
        """Read a message: a block quotation is the answer's own text, such as a draft, if no source has a line of it.

        One that was asked for may have some, and a single line is one only if it was asked for.
        """
        is_asked = not DRAFTING.isdisjoint(words_of(self.answer.question).split())
        for block, group in groupby(read_lines(source), lambda line: line.block):
            lines = list(group)
            if block == "quote":
                held = [self._is_held(line) for line in lines]
                is_draft = is_asked or (len(lines) > 1 and not any(held))
                lines = [
                    replace(line, block="text") if is_draft and not is_held else line
                    for line, is_held in zip(lines, held, strict=True)
                ]
            yield from lines

    def _is_held(self, line: Line) -> bool:
        words = words_of(line.text)
        if words.count(" ") <= PIECE:
            return False  # as a salutation
        return any(words in each for each in (words_of(self.answer.question), *(c.words for c in self.answer.returned)))

    def _take_stated(self, material: Material) -> None:
        """Judge what the answer states the calculation of."""
        proofs = Proofs.find(self.answer.calculated, self.reading, material)
        for number, proof in proofs.of.items():
            self.judged[number] = _judged_by(proof)
            if proof.comes_out and not self.reading.is_known(number):
                self.reading.found[number] = proof.sources[0] if proof.sources else Source("answer")
        self.more = list(proofs.more.values())

    def _judge(self, number: int, derivation: Derivation) -> _Judged:
        if known := self._known(number):
            return known
        if derived := derivation.derive(number):
            rule, sources = derived
            return _Judged("derived", tuple(sources[:MAX_SOURCES]), rule)
        if self._is_general(number):
            return _Judged("common")
        if self.answer.is_incomplete or any(call.is_incomplete for call in self.answer.returned):
            return _Judged("unknown")
        return _Judged("unsupported")

    def _known(self, number: int) -> _Judged | None:
        if source := self.reading.found.get(number):
            return _Judged("found", (source,))
        if source := self.reading.given.get(number):
            return _Judged("given", (source,))
        return None

    def _is_general(self, number: int) -> bool:
        answer = self.answer
        return is_general(number, self.reading, answer.calls, has_data=answer.has_data, claims_data=answer.claims_data)

    def claims(self) -> Iterator[Claim]:
        """Yield what was judged; the rest is known without a conclusion, or `unknown`."""
        judged = [
            (statement, self.judged.get(number) or self._known(number) or _NOT_JUDGED)
            for number, statement in enumerate(self.reading.statements)
        ]
        judged += [(proof.statement, _judged_by(proof)) for proof in self.more]
        texts = dict(self.answer.messages)
        for statement, each in sorted(judged, key=lambda pair: (pair[0].line, pair[0].start)):
            line, message_id = self.reading.lines[statement.line], self.owners[statement.line]
            start, end = line.places[statement.start], line.places[statement.end - 1] + 1
            text, kind = texts[message_id][start:end], statement.kind
            yield Claim(message_id, start, end, text, kind, each.status, each.sources, each.rule, each.calculation)


def _judged_by(proof: Proof) -> _Judged:
    status: Status = "differs" if not proof.comes_out else "calculated" if proof.calculation else "found"
    return _Judged(status, proof.sources, calculation=proof.calculation)


def holds_id(answer: Answer, chip_id: str) -> bool:
    """True if a successful result holds the id as a whole token, and not only because Claude had put it there."""
    known = any(holds_token(text, chip_id) for text in (answer.question, *texts_of(answer.context)))
    written: list[Call] = []
    for call in answer.calls:
        if call.outcome != "ok":
            written += [call] if call.may_write else []  # a command may fail after it has written
            continue
        is_own = not call.is_echo_free and chip_id in call.input_text
        is_own = is_own and not is_of_a_record(call, chip_id)
        read_back = not known and any(chip_id in earlier.input_text for earlier in written)
        # What the user named may be looked up by that name: then a record has it as a value, and `no X found` does not.
        if is_own and call.rows == 0:
            continue  # it found nothing, and says what it looked for
        if (known or not is_own) and not read_back and holds_token(call.searched, chip_id, as_value=is_own):
            return True
        if call.may_write:
            written.append(call)
    return False
