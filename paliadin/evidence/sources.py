"""Find where statements stand: in successful results, in the question, in the page's context. Pure."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from paliadin.evidence.file_places import file_of, line_in_file
from paliadin.evidence.identifiers import is_file_name
from paliadin.evidence.matching import find_otherwise, source_at, stands_for
from paliadin.evidence.model import Source
from paliadin.evidence.quoting import normalise_source, pieces, place, words_of
from paliadin.evidence.records import is_of_a_record
from paliadin.evidence.results import WRITES_FILES, Call, plain_name, texts_of
from paliadin.evidence.search import Hit, Lookup, line_around
from paliadin.evidence.statements import Statement

_SEARCHED = frozenset({"date", "time", "number", "amount", "count", "id"})
MAX_AROUND = 100  # characters before and behind a value that are looked at with it
MAX_DOUBTFUL = 2_000  # places of small numbers in a result that are looked at again
_ELSEWHERE = frozenset({"line", "name", "time", "number", "count", "amount"})
_LONG_WORD = re.compile(r"[^\W\d_]{4,40}")
_DAY_AROUND = re.compile(r"\d{4}-\d\d-\d\d")  # what ends where a day and month without the year do
_QUOTED = frozenset({"quotation", "name"})


def is_quoted(statement: Statement) -> bool:
    """True for what is compared word by word: quotations, names, and what has no digit."""
    return statement.kind in _QUOTED or (
        statement.kind in {"id", "date"} and bool(statement.words) and not any(map(str.isdigit, statement.words))
    )


@dataclass
class Evidenced:
    """The statements, by number, that a result holds (`found`), or that the user or the page gave (`given`)."""

    found: dict[int, Source] = field(default_factory=dict)
    given: dict[int, Source] = field(default_factory=dict)

    def is_known(self, number: int) -> bool:
        """True if the statement was found or given."""
        return number in self.found or number in self.given


def find_sources(
    calls: Sequence[Call],
    statements: Sequence[Statement],
    sentences: Sequence[str],
    *,
    question: str,
    context: Mapping[str, object],
    into: Evidenced,
    is_anywhere: bool = False,
) -> None:
    """Look all statements up in the question, the context and the results, and enter `into` it what these hold.

    `is_anywhere`: small numbers, too, whatever stands around them.
    """
    finder = _Finder(calls, statements, sentences, question=question, context=context, into=into)
    finder.is_anywhere = is_anywhere
    finder.find()


class _Finder:
    def __init__(
        self,
        calls: Sequence[Call],
        statements: Sequence[Statement],
        sentences: Sequence[str],
        *,
        question: str,
        context: Mapping[str, object],
        into: Evidenced,
    ) -> None:
        self._calls, self._statements = calls, statements
        self._question = question
        self._context = "\n".join(texts_of(context))
        self._lookup = Lookup({n: each for n, each in enumerate(statements) if each.kind in _SEARCHED})
        self._sentences = sentences
        self._evidenced = into
        self.is_anywhere = False
        self._lines: dict[tuple[str, str], set[str]] = {}  # (call, sentence) → the lines that have something of it
        self._of_records: dict[tuple[str, str], bool] = {}  # (call, value) → if a record of its result has it
        self._written: list[tuple[Call, set[int]]] = []  # calls that may write, and what they were the first to say

    def find(self) -> None:
        given = self._evidenced.given
        for text, source in ((self._question, Source("question")), (self._context, Source("context"))):
            for number in self._held_by(text):
                given.setdefault(number, source)
        for call in self._calls:
            if call.outcome == "ok":
                self._take(call)
                self._take_own_draft(call)
                continue
            self._take_report(call)
            if call.may_write:
                self._note_written(call, self._put_by(call))

    def _take_report(self, call: Call) -> None:
        """Believe sentences that repeat what a call reported when it failed or was refused: three words of it."""
        if self.is_anywhere:
            return
        put = self._put_by(call)
        hits = [*self._lookup.hits(call.searched, done=self._evidenced.found), *self._quoted_in(call)]
        for number, hit in hits:
            if number not in put and _repeats(self._sentences[number], call.searched, hit):
                self._evidenced.found.setdefault(number, source_at(call, call.searched, hit))

    def _take_own_draft(self, call: Call) -> None:
        """Take what an answer quotes from a file that Claude wrote: that it stands there is so, whatever it says."""
        if plain_name(call.name) not in WRITES_FILES or self.is_anywhere:
            return
        source = normalise_source(call.input_text)
        for number, statement in enumerate(self._statements):
            parts = pieces(statement.words) if statement.kind in _QUOTED else []
            if len(" ".join(parts).split()) > 1 and place(parts, source) is not None:
                self._evidenced.found.setdefault(number, call.source)

    def _held_by(self, text: str) -> Iterator[int]:
        """The statements that a text of the user's holds."""
        yield from (number for number, _ in self._lookup.hits(text))
        source = normalise_source(text)
        for number, statement in enumerate(self._statements):
            if (is_quoted(statement) and place(pieces(statement.words), source) is not None) or (
                statement.kind == "line" and f"{statement.path}:{statement.lines[0]}" in text
            ):
                yield number

    def _take(self, call: Call) -> None:
        put = set() if call.is_echo_free else self._put_by(call)
        tainted = self._read_back(call)
        found = self._evidenced.found
        text = call.searched
        doubtful: list[tuple[int, Hit]] = []
        for number, hit in self._lookup.hits(text, done=found):
            if number in found or number in tainted or (number in put and self._is_echo(call, number, hit)):
                continue
            statement, sentence = self._statements[number], self._sentences[number]
            if self.is_anywhere or stands_for(statement, text, hit, sentence):
                found[number] = source_at(call, text, hit)
                self._lines.setdefault((call.id, self._sentences[number]), set()).add(_line_of(text, hit))
            elif len(doubtful) < MAX_DOUBTFUL:
                doubtful.append((number, hit))
        for number, hit in self._quoted_in(call):
            if number not in put and number not in tainted:
                found.setdefault(number, source_at(call, text, hit))
        if not self.is_anywhere:
            self._take_doubtful(call, doubtful)
            self._take_elsewhere(call, tainted)
        if call.may_write:
            self._note_written(call, put)

    def _take_elsewhere(self, call: Call, tainted: Container[int]) -> None:
        """Look for what is not found as it is spelled; each of these statements takes a look at the whole result."""
        found = self._evidenced.found
        for number, statement in enumerate(self._statements):
            if statement.kind not in _ELSEWHERE or number in found or number in tainted:
                continue
            if source := self._find_elsewhere(call, number, statement):
                found[number] = source

    def _take_doubtful(self, call: Call, doubtful: Sequence[tuple[int, Hit]]) -> None:
        """Believe a small number that stands in one line with something else of its sentence that was found."""
        found, text = self._evidenced.found, call.searched
        for number, hit in doubtful:
            if number not in found:
                line = _line_of(text, hit)
                is_near = line in self._lines.get((call.id, self._sentences[number]), ())
                if is_near or self._speaks_of(number, line) or self._shares(number, line):
                    found[number] = source_at(call, text, hit)

    def _shares(self, number: int, line: str) -> bool:
        """True if a line of a result holds a date or an id of the same sentence."""
        sentence = self._sentences[number]
        return any(
            self._statements[n].kind in {"date", "id"} and self._sentences[n] == sentence and n != number
            for n, _ in self._lookup.hits(line)
        )

    def _speaks_of(self, number: int, line: str) -> bool:
        """True if a line of a result has a word that the sentence has."""
        words = {word[:5] for word in _LONG_WORD.findall(self._sentences[number])}
        return any(word[:5] in words for word in _LONG_WORD.findall(line.casefold()))

    def _find_elsewhere(self, call: Call, number: int, statement: Statement) -> Source | None:
        """What is not found as it is spelled: lines of files, files, and what is written otherwise."""
        if statement.kind == "line":
            return line_in_file(call, statement)
        if statement.kind == "name" and is_file_name(statement.words):
            return file_of(call, statement.words.strip())
        return find_otherwise(call, statement, self._sentences[number])

    def _put_by(self, call: Call) -> set[int]:
        """The statements that the call's own input says, and that nobody had said before."""
        put = set[int]()
        put.update(number for number, _ in self._lookup.hits(call.input_text, lenient=True, done=put))
        source = normalise_source(call.input_text)
        put |= {
            number
            for number, statement in enumerate(self._statements)
            if is_quoted(statement) and place(pieces(statement.words), source) is not None
        }
        return {number for number in put if not self._evidenced.is_known(number)}

    def _is_echo(self, call: Call, number: int, hit: Hit) -> bool:
        """True if the input says this value in the same way, and so may have put it into the result.

        A small number is no echo where its line in the result is none of the input's: `head -n 12` put no 12 there.
        """
        text, statement = call.searched, self._statements[number]
        value = text[hit.start : hit.end]
        if statement.kind == "id" and is_of_a_record(call, statement.words):
            return False
        if value not in call.input_text:
            return False
        if statement.kind == "date" and (day := _DAY_AROUND.match(text, max(hit.end - 10, 0))):
            return not self._is_in_a_record(call, day[0])
        if statement.kind not in {"number", "count"} or abs(statement.numbers[0]) >= 1_000:
            return True
        start, end = line_around(text, hit.start, hit.end, 60)
        line = text[start:end].strip()
        return len(line) <= hit.end - hit.start + 3 or line in call.input_text

    def _is_in_a_record(self, call: Call, value: str) -> bool:
        """True if a date that a call was given, as the end of a period, is the value of a record that it returned."""
        if (call.id, value) not in self._of_records:
            self._of_records[call.id, value] = is_of_a_record(call, value, is_asked_for=False)
        return self._of_records[call.id, value]

    def _note_written(self, call: Call, put: set[int]) -> None:
        if put:
            self._written.append((call, put))

    def _read_back(self, call: Call) -> set[int]:
        """The statements that an earlier call of Claude's wrote to where this one reads."""
        tainted: set[int] = set()
        for writer, put in self._written:
            if reads_what_was_written(call, writer):
                tainted |= {number for number in put if not self._evidenced.is_known(number)}
        return tainted

    def _quoted_in(self, call: Call) -> Iterator[tuple[int, Hit]]:
        wanted = [
            (number, pieces(statement.words))
            for number, statement in enumerate(self._statements)
            if is_quoted(statement) and number not in self._evidenced.found
        ]
        if not wanted:
            return
        source, lower = call.normalised, call.searched.lower()
        spellings = [call.searched, lower if len(lower) == len(call.searched) else ""]  # else no place would be right
        for number, parts in wanted:
            if parts and place(parts, source) is not None:
                yield number, _hit_of_words(self._statements[number].words, spellings)


def _repeats(sentence: str, text: str, hit: Hit) -> bool:
    """True if a sentence has what stands here with two words beside it; a quotation of three words is enough itself."""
    before = words_of(text[max(hit.start - 60, 0) : hit.start]).split()[-2:]
    here = words_of(text[hit.start : hit.end]).split()
    behind = words_of(text[hit.end : hit.end + 60]).split()[:2]
    if len(here) > 2 and not text[hit.start : hit.start + 1].isdigit():
        return True
    runs = ([*before[len(before) - (2 - n) :], *here, *behind[:n]] for n in range(3))
    return any(len(run) == len(here) + 2 and f" {' '.join(run)} " in words_of(sentence) for run in runs)


def _line_of(text: str, hit: Hit) -> str:
    """What stands around a place on its line."""
    start, end = line_around(text, hit.start, hit.end, MAX_AROUND)
    return text[start:end].strip()


def reads_what_was_written(call: Call, writer: Call) -> bool:
    """True if the call may read what the writer wrote: the same server's, or the same file."""
    if writer.name.startswith("mcp__"):
        return call.name.rsplit("__", 1)[0] == writer.name.rsplit("__", 1)[0]
    if plain_name(call.name) not in {"read", "grep", "bash", "glob", "ls"}:
        return False
    paths = _paths(writer)
    return not paths or any(path in call.input_text or path in call.text for path in paths)


def _paths(writer: Call) -> list[str]:
    """The names of the files that a call wrote, without their folders; none if they are not known."""
    if not isinstance(writer.input, Mapping):
        return []
    path = writer.input.get("file_path") or writer.input.get("notebook_path")
    if isinstance(path, str) and path:
        return [path.replace("\\", "/").rsplit("/", 1)[-1]]
    command = writer.input.get("command")
    if isinstance(command, str):
        return [
            name.rsplit("/", 1)[-1]
            for names in re.findall(r">{1,2} ?([\w./~-]{1,200})|tee (?:-a )?([\w./~-]{1,200})", command)
            for name in names
            if name
        ]
    return []


def _hit_of_words(words: str, spellings: Sequence[str]) -> Hit:
    """Where a quotation stands in a text, as it is and in small letters; its beginning, if only that is found there."""
    for part in (words, " ".join(words.split()[:3]), (words.split() or [""])[0]):
        for text, wanted in zip(spellings, (part, part.lower()), strict=True):
            at = text.find(wanted)
            if at >= 0 and wanted:
                return Hit(at, at + len(wanted))
    return Hit(0, 0)
