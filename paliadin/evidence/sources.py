"""Find where statements stand: in successful results, in the question, in the page's context. Pure.

Where several places hold a value, the one counts whose line has most else of the sentence: that is the record which the
sentence speaks of. A small number stands anywhere, so it counts only where its line says more of the sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from paliadin.evidence.elsewhere import find_elsewhere, names_unit
from paliadin.evidence.model import Source
from paliadin.evidence.notation import find_dates, read_unit
from paliadin.evidence.places import Hit, line_around, source_at
from paliadin.evidence.quoting import normalise_source, pieces, place, words_of
from paliadin.evidence.reading import Reading
from paliadin.evidence.records import is_of_a_record
from paliadin.evidence.results import WRITES_FILES, Call, plain_name, texts_of
from paliadin.evidence.search import Lookup
from paliadin.evidence.statements import Statement
from paliadin.evidence.vocabulary import COUNTING, CURRENCIES, UNITS, stems

_SEARCHED = frozenset({"date", "time", "number", "amount", "count", "id"})
_QUOTED = frozenset({"quotation", "name"})
MAX_AROUND = 100  # characters before and behind a value that are looked at with it
MAX_HITS = 300  # of a statement in one result
MAX_COMPARED = 12  # of these whose words are compared with the sentence's
_VALUE = re.compile(r"[\w.:/-]{2,60}")
_DAY_AROUND = re.compile(r"\d{4}-\d\d-\d\d")  # what ends where a day and month without the year do
_CURRENCY = re.compile(r"[€$£¥]|\b(?:EUR|USD|GBP|CHF|JPY|Euro)\b")

_Score = tuple[int, int]
"""How well a place fits: how much else of the sentence was found on its line, and how many words both have."""


def is_quoted(statement: Statement) -> bool:
    """True for what is compared word by word: quotations, names, and what has no digit."""
    return statement.kind in _QUOTED or (
        statement.kind in {"id", "date"} and bool(statement.words) and not any(map(str.isdigit, statement.words))
    )


def is_small(statement: Statement) -> bool:
    """True for a number below 100 without decimals, or of a count: it stands somewhere in any long result."""
    if statement.kind not in {"number", "count"} or not statement.numbers:
        return False
    return abs(statement.numbers[0]) < 100 and statement.numbers[0] % 1 == 0


def find_sources(
    reading: Reading,
    calls: Sequence[Call],
    question: str,
    context: Mapping[str, object],
    *,
    is_anywhere: bool = False,
) -> None:
    """Look all statements up in the question, the context and the results, and enter what these hold into `reading`.

    `is_anywhere`: small numbers, too, whatever stands around them.
    """
    _Finder(reading, calls, question, "\n".join(texts_of(context)), is_anywhere=is_anywhere).find()


class _Finder:
    def __init__(
        self, reading: Reading, calls: Sequence[Call], question: str, context: str, *, is_anywhere: bool
    ) -> None:
        self._reading, self._statements = reading, reading.statements
        self._calls, self._question, self._context = calls, question, context
        self._is_anywhere = is_anywhere
        self._lookup = Lookup({n: each for n, each in enumerate(self._statements) if each.kind in _SEARCHED})
        self._quoted = [
            (n, pieces(each.words)) for n, each in enumerate(self._statements) if is_quoted(each) and each.words.strip()
        ]
        self._scores: dict[int, _Score] = {}
        self._of_records: dict[tuple[str, str], bool] = {}  # (call, value) → if a record of its result has it
        self._written: list[tuple[Call, set[int]]] = []  # calls that may write, and what they were the first to say

    def find(self) -> None:
        for text, source in ((self._question, Source("question")), (self._context, Source("context"))):
            for number in self._held_by(text):
                self._reading.given.setdefault(number, source)
        for call in self._calls:
            put = set() if call.is_echo_free else self._put_by(call)
            if call.outcome == "ok":
                self._take(call, put)
                self._take_own_draft(call)
            else:
                self._take_report(call, put)
            if call.may_write and put:
                self._written.append((call, put))

    def _held_by(self, text: str) -> Iterator[int]:
        """The statements that a text of the user's holds."""
        yield from (number for number, _ in self._lookup.hits(text))
        source = normalise_source(text)
        yield from (number for number, parts in self._quoted if place(parts, source) is not None)
        for number, statement in enumerate(self._statements):
            if statement.kind == "line" and f"{statement.path}:{statement.lines[0]}" in text:
                yield number

    def _take(self, call: Call, put: set[int]) -> None:
        """Enter what a result holds, each statement at its best place."""
        tainted = self._read_back(call)
        hits = [
            (number, hit)
            for number, hit in self._hits(call)
            if number not in tainted and not (number in put and self._is_echo(call, number, hit))
        ]
        hits += [(n, hit) for n, hit in self._quoted_in(call) if n not in put and n not in tainted]
        places = _Places(self._reading, call, hits)
        for number, candidates in places.of.items():
            best = places.best(number, candidates)
            score = places.score(number, best)
            if self._is_anywhere or self._fits(number, call, best, score):
                self._enter(number, source_at(call, best), score)
        missing = [] if self._is_anywhere else [n for n in range(len(self._statements)) if n not in self._reading.found]
        for number in (each for each in missing if each not in tainted):
            if source := find_elsewhere(call, self._statements[number], self._reading.sentences[number]):
                self._enter(number, source, (0, 0))

    def _enter(self, number: int, source: Source, score: _Score) -> None:
        if number not in self._reading.found or score > self._scores.get(number, (0, 0)):
            self._reading.found[number] = source
            self._scores[number] = score

    def _hits(self, call: Call) -> Iterator[tuple[int, Hit]]:
        """The places of all values in a result, so many of each."""
        count = Counter[int]()
        full = {number for number, score in self._scores.items() if score[0] or self._is_anywhere}
        for number, hit in self._lookup.hits(call.searched, done=full):
            count[number] += 1
            if count[number] >= MAX_HITS:
                full.add(number)
            yield number, hit

    def _fits(self, number: int, call: Call, hit: Hit, score: _Score) -> bool:
        """True if the value at a place may be the statement's: a date or an id is what it is."""
        statement = self._statements[number]
        if statement.numbers and _has_another_unit(statement, call.searched, hit):
            return False
        if not is_small(statement):
            return True
        if _is_in_a_date(call.searched, hit):
            return False
        return score[0] > 0 or score[1] > 0 or _names_what(statement, call.searched, hit)

    def _take_report(self, call: Call, put: set[int]) -> None:
        """Believe sentences that repeat what a call reported when it failed or was refused: three words of it."""
        if self._is_anywhere:
            return
        for number, hit in [*self._lookup.hits(call.searched, done=self._reading.found), *self._quoted_in(call)]:
            if number not in put and _repeats(self._reading.sentences[number], call.searched, hit):
                self._reading.found.setdefault(number, source_at(call, hit))

    def _take_own_draft(self, call: Call) -> None:
        """Take what an answer quotes from a file that Claude wrote: that it stands there is so, whatever it says."""
        if plain_name(call.name) not in WRITES_FILES or self._is_anywhere:
            return
        source = normalise_source(call.input_text)
        for number, parts in self._quoted:
            if len(" ".join(parts).split()) > 1 and place(parts, source) is not None:
                self._reading.found.setdefault(number, call.source)

    def _put_by(self, call: Call) -> set[int]:
        """The statements that the call's own input says, and that nobody had said before."""
        put = set[int]()
        put.update(number for number, _ in self._lookup.hits(call.input_text, lenient=True, done=put))
        source = normalise_source(call.input_text)
        put |= {number for number, parts in self._quoted if place(parts, source) is not None}
        return {number for number in put if not self._reading.is_known(number)}

    def _is_echo(self, call: Call, number: int, hit: Hit) -> bool:
        """True if the input says this value in the same way, and so may have put it into the result.

        A small number is no echo where its line in the result is none of the input's: `head -n 12` put no 12 there.
        """
        text, statement = call.searched, self._statements[number]
        value = text[hit.start : hit.end]
        if statement.kind == "id" and self._is_of_a_record(call, statement.words, is_asked_for=True):
            return False
        if value not in call.input_text or (call.name == "Bash" and statement.kind != "id" and _has_more(call, hit)):
            return False
        if statement.kind == "date" and (day := _DAY_AROUND.match(text, max(hit.end - 10, 0))):
            return not self._is_of_a_record(call, day[0], is_asked_for=False)
        if statement.kind not in {"number", "count"} or abs(statement.numbers[0]) >= 1_000:
            return True
        return self._is_line_of_input(call, hit)

    @staticmethod
    def _is_line_of_input(call: Call, hit: Hit) -> bool:
        start, end = line_around(call.searched, hit.start, hit.end, 60)
        line = call.searched[start:end].strip()
        return len(line) <= hit.end - hit.start + 3 or line in call.input_text

    def _is_of_a_record(self, call: Call, value: str, *, is_asked_for: bool) -> bool:
        if (call.id, value) not in self._of_records:
            self._of_records[call.id, value] = is_of_a_record(call, value, is_asked_for=is_asked_for)
        return self._of_records[call.id, value]

    def _read_back(self, call: Call) -> set[int]:
        """The statements that an earlier call of Claude's wrote to where this one reads."""
        tainted: set[int] = set()
        for writer, put in self._written:
            if reads_what_was_written(call, writer):
                tainted |= {number for number in put if not self._reading.is_known(number)}
        return tainted

    def _quoted_in(self, call: Call) -> Iterator[tuple[int, Hit]]:
        wanted = [(number, parts) for number, parts in self._quoted if number not in self._reading.found]
        lower = call.searched.lower() if wanted else ""
        spellings = [call.searched, lower if len(lower) == len(call.searched) else ""]  # else no place would be right
        for number, parts in wanted:
            words = self._statements[number].words
            if parts and (place(parts, call.normalised) is not None or _has_words(call, words)):
                yield number, _hit_of_words(self._statements[number].words, spellings)


class _Places:
    """The places of values in one result, and what else of a sentence stands on their lines."""

    def __init__(self, reading: Reading, call: Call, hits: Iterable[tuple[int, Hit]]) -> None:
        self._reading, self._text = reading, call.searched
        self.of: dict[int, list[Hit]] = {}
        self._on_lines: dict[int, set[int]] = {}  # where a line begins → the statements whose values it has
        self._stems_of: dict[int, set[str]] = {}
        for number, hit in hits:
            self.of.setdefault(number, []).append(hit)
            if not is_small(reading.statements[number]):
                self._on_lines.setdefault(self._line(hit), set()).add(number)

    def _line(self, hit: Hit) -> int:
        return self._text.rfind("\n", 0, hit.start)

    def best(self, number: int, candidates: Sequence[Hit]) -> Hit:
        """The place that fits best; the first of those that fit equally well."""
        if len(candidates) == 1:
            return candidates[0]
        beside = [self._beside(number, each) for each in candidates]
        most = max(beside)
        best = [each for each, count in zip(candidates, beside, strict=True) if count == most][:MAX_COMPARED]
        return max(best, key=lambda each: self._words_in_common(number, each))

    def score(self, number: int, hit: Hit) -> _Score:
        return self._beside(number, hit), self._words_in_common(number, hit)

    def _beside(self, number: int, hit: Hit) -> int:
        """How many other statements of the sentence stand on the line of a place."""
        here = self._on_lines.get(self._line(hit), set())
        return len(here & self._reading.in_sentence[number]) - (number in here)

    def _words_in_common(self, number: int, hit: Hit) -> int:
        start, end = line_around(self._text, hit.start, hit.end, MAX_AROUND)
        if start not in self._stems_of:
            self._stems_of[start] = stems(self._text[start:end])
        return len(self._stems_of[start] & self._reading.stems(number))


def _has_another_unit(statement: Statement, text: str, hit: Hit) -> bool:
    """True if a value stands beside another unit, or another currency, than the statement has."""
    unit = read_unit(text, hit.start, hit.end).unit
    if statement.kind == "amount":
        around = text[max(hit.start - 5, 0) : hit.start], text[hit.end : hit.end + 6]
        units = {UNITS[word.lower()] for piece in around for word in _CURRENCY.findall(piece)}
        return bool(units & CURRENCIES) and statement.unit not in units
    return bool(unit and statement.unit) and unit not in {statement.unit, "m"}  # `m` may be minutes


def _is_in_a_date(text: str, hit: Hit) -> bool:
    """True if a number is the day, the month or the year of a date."""
    first = max(hit.start - 14, 0)
    around = find_dates(text[first : hit.end + 14], strict=False)
    return any(each.start + first <= hit.start and hit.end <= each.end + first for each in around)


def _names_what(statement: Statement, text: str, hit: Hit) -> bool:
    """True if the words around a small number name its unit, or what it counts."""
    start, end = line_around(text, hit.start, hit.end, MAX_AROUND)
    around = text[start:end].casefold()
    if statement.unit:
        return names_unit(statement.unit, around)
    stem = statement.noun.casefold()[:4].rstrip("s")
    near = text[max(start, hit.start - 40) : min(end, hit.end + 30)].casefold()
    return (len(stem) > 2 and stem in around) or any(word in near for word in COUNTING)


def _has_words(call: Call, words: str) -> bool:
    """True if a result has these words, several of them, whatever stands between two: `extendable: true`."""
    plain = words_of(words)
    return plain.count(" ") > 2 and plain in call.words


def _has_more(call: Call, hit: Hit) -> bool:
    """True if the line of a place has two more values that the call was not given: a record, and no echo."""
    start, end = line_around(call.searched, hit.start, hit.end, MAX_AROUND)
    values = {value for value in _VALUE.findall(call.searched[start:end]) if any(map(str.isdigit, value))}
    return sum(value not in call.input_text for value in values) > 1


def _repeats(sentence: str, text: str, hit: Hit) -> bool:
    """True if a sentence has what stands here with two words beside it; a quotation of three words is enough itself."""
    before = words_of(text[max(hit.start - 60, 0) : hit.start]).split()[-2:]
    here = words_of(text[hit.start : hit.end]).split()
    behind = words_of(text[hit.end : hit.end + 60]).split()[:2]
    if len(here) > 2 and not text[hit.start : hit.start + 1].isdigit():
        return True
    runs = ([*before[len(before) - (2 - n) :], *here, *behind[:n]] for n in range(3))
    return any(len(run) == len(here) + 2 and f" {' '.join(run)} " in words_of(sentence) for run in runs)


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
