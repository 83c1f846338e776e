"""Find where statements stand: in successful results, in the question, in the page's context. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from paliadin.evidence.derive import cell_number
from paliadin.evidence.identifiers import is_file_name
from paliadin.evidence.model import Source
from paliadin.evidence.quoting import normalise_source, pieces, place
from paliadin.evidence.results import Call, plain_name, texts_of
from paliadin.evidence.search import Hit, Lookup, line_around
from paliadin.evidence.spellings import number_words
from paliadin.evidence.statements import Statement
from paliadin.evidence.vocabulary import CURRENCIES, PERIODS, UNITS

MAX_SOURCE_TEXT = 200  # characters
_SHIFT = 4_000  # characters by which a place in what is searched may be behind the same place in the result's text
_SEARCHED = frozenset({"date", "time", "number", "amount", "count", "id"})
_QUOTED = frozenset({"quotation", "name"})
_COUNTING_WORDS = re.compile(
    r"count|total|anzahl|gesamt|summe|insgesamt|number of|num_|rows|zeilen|found|gefunden|treffer|hits|matches|results|ergebnis|entries|einträge|more\b|remaining",
    re.IGNORECASE,
)
_WORD_BEHIND = re.compile(r"[ \u00a0\t]{1,3}([^\W\d_]{3,30})")
_WORD_BEFORE = re.compile(r"([^\W\d_]{3,30})[\"']?[ :=\u00a0\t]{1,3}\Z")
_OUT_OF = re.compile(r"\d[ ]?(?:of|von|/)[ ]?\Z")
_OUT_OF_BEHIND = re.compile(r"[ ]?(?:of|von)[ ]?\d")
_SETTING = re.compile(r"([A-Za-z][\w.-]{1,50})[\"']?[ \t]*[=:][ \t]*[\"']?\Z")
_NO_QUANTITY = re.compile(
    r"(?:\b|_)(?:id|nr|no|number|page|line|index|version|year|zip|port|code|lines|numlines|startline|totallines)\Z",
    re.IGNORECASE,
)
_SIZES = frozenset({"kb", "mb", "gb", "tb"})
REPEATS = frozenset({"times", "mal"})
_UNIT_WORDS: dict[str, tuple[str, ...]] = {}
for _word, _unit in UNITS.items():
    _UNIT_WORDS[_unit] = (*_UNIT_WORDS.get(_unit, ()), _word)


def is_quoted(statement: Statement) -> bool:
    """True for what is compared word by word: quotations, names, and what has no digit."""
    return statement.kind in _QUOTED or (
        statement.kind in {"id", "date"} and bool(statement.words) and not any(map(str.isdigit, statement.words))
    )


@dataclass
class Evidenced:
    """The statements, by number, that a result holds (`found`), or that the user or the page gave (`given`).

    `values` are the statements that results hold without being their source: small numbers that may be others.
    """

    found: dict[int, Source] = field(default_factory=dict)
    given: dict[int, Source] = field(default_factory=dict)

    def is_known(self, number: int) -> bool:
        """True if the statement was found or given."""
        return number in self.found or number in self.given


def find_sources(
    calls: Sequence[Call],
    question: str,
    context: Mapping[str, object],
    statements: Sequence[Statement],
    sentences: Sequence[str],
) -> Evidenced:
    """Look all statements up in the question, the context and the results."""
    return _Finder(calls, question, context, statements, sentences).find()


class _Finder:
    def __init__(
        self,
        calls: Sequence[Call],
        question: str,
        context: Mapping[str, object],
        statements: Sequence[Statement],
        sentences: Sequence[str],
    ) -> None:
        self._calls, self._statements = calls, statements
        self._question = question
        self._context = "\n".join(texts_of(context))
        self._lookup = Lookup({n: each for n, each in enumerate(statements) if each.kind in _SEARCHED})
        self._sentences = sentences
        self._evidenced = Evidenced()
        self._written: list[tuple[Call, set[int]]] = []  # calls that may write, and what they were the first to say

    def find(self) -> Evidenced:
        given = self._evidenced.given
        for text, source in ((self._question, Source("question")), (self._context, Source("context"))):
            for number in self._held_by(text):
                given.setdefault(number, source)
        for call in self._calls:
            if call.outcome == "ok":
                self._take(call)
            elif call.may_write:
                self._note_written(call, self._put_by(call))
        return self._evidenced

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
        for number, hit in self._lookup.hits(text, done=found):
            if (
                number in found
                or number in tainted
                or not stands_for(self._statements[number], text, hit, self._sentences[number])
            ):
                continue
            if number in put and self._is_echo(call, number, hit):
                continue
            found[number] = _source(call, text, hit)
        for number, hit in self._quoted_in(call):
            if number not in put and number not in tainted:
                found.setdefault(number, _source(call, text, hit))
        for number, statement in enumerate(self._statements):
            if number in found:
                continue
            if statement.kind == "name" and is_file_name(statement.words):
                if (held := file_of(call, statement.words.strip())) is not None:
                    found[number] = held
            elif statement.kind == "line":
                if (place_of_line := line_in_file(call, statement)) is not None:
                    found[number] = place_of_line
            elif statement.kind == "time" and (hit_of_cron := _find_cron(statement, text)):
                found[number] = _source(call, text, hit_of_cron)
            elif statement.kind in {"number", "count"} and is_in_column(call, statement):
                found[number] = Source("call", call.id, call.turn_id)
            elif statement.kind == "name" and (hit_of_name := _find_turned_name(statement, text)):
                found[number] = _source(call, text, hit_of_name)
            elif statement.kind in {"number", "count"} and (
                hit_of_word := _find_word(statement, text, self._sentences[number])
            ):
                found[number] = _source(call, text, hit_of_word)
        if call.may_write:
            self._note_written(call, put)

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
        if text[hit.start : hit.end] not in call.input_text:
            return False
        if statement.kind not in {"number", "count"} or abs(statement.numbers[0]) >= 1_000:
            return True
        start, end = line_around(text, hit.start, hit.end, 60)
        line = text[start:end].strip()
        return len(line) <= hit.end - hit.start + 3 or line in call.input_text

    def _note_written(self, call: Call, put: set[int]) -> None:
        if put:
            self._written.append((call, put))

    def _read_back(self, call: Call) -> set[int]:
        """The statements that an earlier call of Claude's wrote to where this one reads."""
        tainted: set[int] = set()
        for writer, put in self._written:
            if _reads_what_was_written(call, writer):
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
        source = normalise_source(call.searched)
        for number, parts in wanted:
            if parts and place(parts, source) is not None:
                yield number, _hit_of_words(self._statements[number].words, call.searched)


def _reads_what_was_written(call: Call, writer: Call) -> bool:
    """True if the call may read what the writer wrote: the same server's, or the same file."""
    if writer.name.startswith("mcp__"):
        return call.name.rsplit("__", 1)[0] == writer.name.rsplit("__", 1)[0]
    if plain_name(call.name) not in {"read", "grep", "bash", "glob"}:
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
            for name in re.findall(r">{1,2} ?([\w./~-]{1,200})|tee (?:-a )?([\w./~-]{1,200})", command)
            for name in name
            if name
        ]
    return []


def stands_for(statement: Statement, text: str, hit: Hit, sentence: str = "") -> bool:
    """True if the value at this place may be the statement's: of a small number, the words around it decide."""
    if statement.kind in {"date", "time", "id"}:
        return True
    value = abs(statement.numbers[0]) if statement.numbers else Decimal(0)
    if statement.kind == "amount":
        return not _has_another_currency(statement.unit, text, hit)
    if value >= 100 or value != value.to_integral_value():
        return (
            statement.unit not in PERIODS or _has_unit(statement.unit or "", *_around(text, hit)) or _is_set(text, hit)
        )
    start, end = line_around(text, hit.start, hit.end, 80)
    around = text[start:end].casefold()
    if statement.unit:
        return _has_unit(statement.unit, around, text[hit.end : hit.end + 6]) or _is_set(text, hit)
    if statement.kind == "count":
        near = text[max(start, hit.start - 40) : min(end, hit.end + 30)]
        return (
            statement.noun.casefold() in REPEATS
            or _has_stem(statement.noun, around)
            or _COUNTING_WORDS.search(near) is not None
            or _is_next_to(text, hit, sentence)
            or (value >= 10 and _is_set(text, hit))
        )
    return True


def _around(text: str, hit: Hit) -> tuple[str, str]:
    start, end = line_around(text, hit.start, hit.end, 80)
    return text[start:end].casefold(), text[hit.end : hit.end + 6]


def _is_next_to(text: str, hit: Hit, sentence: str) -> bool:
    """True if the word beside a number is one of the sentence's: `145 passed`; or if the number is all that a line says."""
    start, end = line_around(text, hit.start, hit.end, 40)
    if text[start:end].strip() == text[hit.start : hit.end]:
        return True
    behind, before = _WORD_BEHIND.match(text, hit.end), _WORD_BEFORE.search(text, start, hit.start)
    if _OUT_OF.search(text, start, hit.start) or _OUT_OF_BEHIND.match(text, hit.end):
        return True
    words = {match[1].casefold() for match in (behind, before) if match}
    return any(re.search(rf"\b{re.escape(word)}", sentence) for word in words if len(word) > 3)


def _is_set(text: str, hit: Hit) -> bool:
    """True if a setting has the number: `timeout = 45`; but for one that is no quantity."""
    setting = _SETTING.search(text, max(hit.start - 60, 0), hit.start)
    return setting is not None and not _NO_QUANTITY.search(setting[1])


def _has_another_currency(unit: str | None, text: str, hit: Hit) -> bool:
    around = (text[max(hit.start - 5, 0) : hit.start], text[hit.end : hit.end + 6])
    words = [word for piece in around for word in re.findall(r"[€$£¥]|\b(?:EUR|USD|GBP|CHF|JPY|Euro)\b", piece)]
    currencies = {UNITS[word.lower()] for word in words} & CURRENCIES
    return bool(currencies) and unit not in currencies


def _has_unit(unit: str, around: str, behind: str) -> bool:
    if unit in _SIZES and re.match(rf"[ \u00a0]?{unit[0]}(?:i?b)?\b", behind, re.IGNORECASE):
        return True
    words = _UNIT_WORDS[unit]
    return any(
        re.search(rf"(?<![^\W\d_]){re.escape(word)}(?![^\W\d_])" if len(word) < 4 else re.escape(word), around)
        for word in words
    )


def _has_stem(noun: str, around: str) -> bool:
    stem = noun.casefold()[:4].rstrip("s")
    return len(stem) > 2 and stem in around


def _find_word(statement: Statement, text: str, sentence: str) -> Hit | None:
    """A small number that the result has as a word: `zwei Monate`."""
    if not statement.numbers or not (words := number_words(statement.numbers[0])):
        return None
    for word in words:
        for match in re.finditer(rf"(?<!\w){word}(?!\w)", text, re.IGNORECASE) if word in text.casefold() else ():
            hit = Hit(*match.span())
            if (statement.unit or statement.noun) and stands_for(statement, text, hit, sentence):
                return hit
    return None


def is_in_column(call: Call, statement: Statement) -> bool:
    """True if a table has the number in a column whose head names its unit, or what it counts."""
    unit, noun = statement.unit, statement.noun.casefold()[:4]
    for table in call.tables if statement.numbers else ():
        for number, head in enumerate(table.columns):
            plain = head.casefold()
            is_named = _has_unit(unit, re.sub(r"[_.]", " ", plain), "") if unit else len(noun) > 2 and noun in plain
            if is_named and any(cell_number(cell) == statement.numbers[0] for cell in table.column(number)):
                return True
    return False


def _find_turned_name(statement: Statement, text: str) -> Hit | None:
    """A name of two words that the result has the other way round: `Sato, Kenji`."""
    words = statement.words.split()
    if len(words) != 2 or not all(word[:1].isupper() for word in words):
        return None
    match = re.search(rf"(?<!\w){re.escape(words[1])},? {re.escape(words[0])}(?!\w)", text)
    return Hit(*match.span()) if match else None


def _find_cron(statement: Statement, text: str) -> Hit | None:
    """A time of day in a crontab's fields: `15 2 * * *` is 2:15."""
    hour, minute = divmod(statement.minutes or 0, 60)
    match = re.search(rf"(?<![\d.:-])0?{minute} 0?{hour} (?=[*\d][\d*,/-]{{0,20}} )", text) if "*" in text else None
    return Hit(*match.span()) if match else None


def line_in_file(call: Call, statement: Statement) -> Source | None:
    """The place that shows that these lines of the file were read or found by the call."""
    name = statement.path.replace("\\", "/").removeprefix("./")
    first, last = statement.lines
    result, given = call.result, call.input if isinstance(call.input, Mapping) else {}
    if isinstance(result, Mapping) and isinstance(file := result.get("file"), Mapping):
        content, begin = file.get("content"), file.get("startLine", 1)
        path = str(file.get("filePath", ""))
        if isinstance(content, str) and isinstance(begin, int) and _is_path(path, name):
            lines = content.splitlines()
            if begin <= first <= last < begin + len(lines):
                return Source("call", call.id, call.turn_id, None, lines[first - begin].strip()[:MAX_SOURCE_TEXT])
        return None
    text = call.searched
    pattern = rf"(?<![\w.-]){re.escape(name)}(?::|\", line |, line |[(-]){first}(?!\d)"
    if match := re.search(pattern, text):
        return _source(call, text, Hit(*match.span()))
    command = str(given.get("command", "") or given.get("path", ""))
    if name.rsplit("/", 1)[-1] in command:
        if match := re.search(rf"(?m)^\s*{first}[:\t -]", text):
            return _source(call, text, Hit(*match.span()))
        span = re.search(r"sed -n ['\"]?(\d{1,7}),(\d{1,7})p", command)
        if span and int(span[1]) <= first <= last <= int(span[2]):
            return Source("call", call.id, call.turn_id)
        if re.match(r"\s*cat ", command) and "|" not in command and last <= len(text.splitlines()):
            return Source("call", call.id, call.turn_id, last)
    return None


def file_of(call: Call, name: str) -> Source | None:
    """The place that shows that there is a file of this name: a path in a result, or that a call with it succeeded."""
    text, plain = call.searched, name.replace("\\", "/").removeprefix("./")
    at = text.find(plain)
    while at >= 0:
        before, behind = text[at - 1 : at], text[at + len(plain) : at + len(plain) + 1]
        if not (before.isalnum() or before in {"_", "-"} and before) and not (
            behind.isalnum() or behind in {"_", "-"} and behind
        ):
            return _source(call, text, Hit(at, at + len(plain)))
        at = text.find(plain, at + 1)
    given = call.input if isinstance(call.input, Mapping) else {}
    path = given.get("file_path") or given.get("notebook_path")
    if isinstance(path, str) and _is_path(path, plain):
        return Source("call", call.id, call.turn_id, None, path[:MAX_SOURCE_TEXT])
    return None


def _is_path(path: str, name: str) -> bool:
    plain = path.replace("\\", "/")
    return plain == name or plain.endswith("/" + name.lstrip("/")) or name.endswith("/" + plain)


def _hit_of_words(words: str, text: str) -> Hit:
    """Where a quotation stands in the text as it is; its beginning, if only its first words are found there."""
    for part in (words, " ".join(words.split()[:3]), (words.split() or [""])[0]):
        at = text.find(part)
        if at >= 0 and part:
            return Hit(at, at + len(part))
    return Hit(0, 0)


def _source(call: Call, text: str, hit: Hit) -> Source:
    """The source at a place of what was searched: the line of the result's text that holds it, and that line's text."""
    start, end = line_around(text, hit.start, hit.end, MAX_SOURCE_TEXT // 2)
    shown = text[start:end].strip()[:MAX_SOURCE_TEXT]
    at = call.text.find(text[start:end], max(hit.start - _SHIFT, 0)) if end > start else -1
    if at >= 0:
        at += hit.start - start
    else:
        at = call.text.find(text[hit.start : hit.end])
    line = bisect_right(call.line_starts, at) if at >= 0 else None
    return Source("call", call.id, call.turn_id, line, shown)
