"""Find the checkable statements of an answer: what is a claim, and of which kind. Pure."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from paliadin.evidence.alone import PARTS
from paliadin.evidence.identifiers import find_file_lines, find_ids, find_legal_sources, is_file_name
from paliadin.evidence.markdown import Line
from paliadin.evidence.model import Kind
from paliadin.evidence.notation import (
    Date,
    Number,
    Unit,
    find_dates,
    find_number_words,
    find_numbers,
    find_times,
    read_unit,
)
from paliadin.evidence.nouns import noun_of
from paliadin.evidence.vocabulary import (
    ABOUT,
    CURRENCIES,
    FACTUAL_LABELS,
    LABELS,
    PARTS_OF_AN_ANSWER,
    PATTERNS,
)

MAX_STATEMENTS = 5_000  # of one answer
MAX_PARTS = 12  # steps, points or questions that an answer may have itself; more are somebody's data
_QUOTES = re.compile(
    r"„(?P<a>[^„“”\"]{1,2000})[“”\"]|“(?P<b>[^“”]{1,2000})”|«(?P<c>[^«»]{1,2000})»|»(?P<d>[^«»]{1,2000})«"
    r"|(?<![\w\"])\"(?P<e>[^\"\s][^\"]{0,2000})\"(?![\w\"])|‚(?P<f>[^‚‘’]{1,2000})[‘’]|‘(?P<g>[^‘’]{1,300})’(?!\w)"
    r"|(?<![\w'])'(?P<h>[^'\s][^']{0,300})'(?![\w'])"
)
_CODE_NAME = re.compile(r"(?=[^\s]{0,80}[\d@=])[A-Za-z][\w.@:=/+-]{2,80}")
_WORD_BEFORE = re.compile(r"([^\W\d_§][\w'’-]{0,30}|§§?)\.?[ \u00a0]{0,2}[€$£]?\Z")
_ORDINAL = re.compile(
    r"\s*\d{1,2}[.)](?=[ \u00a0][^\W\d_]|[ \u00a0]\W)"
)  # in front of a paragraph, as in `**2. Tests**`
_GOES_ON = re.compile(r"[½¼¾]| and a | ?[–-] ?[\d\0]|\.(?:[ –,-]|\Z)| (?:vor|nach|past|to) [a-zß]|,? und \d{1,2}\.")
_MINUTES_BEFORE = re.compile(r"(?:\bUhr |\b(?:vor|nach|past|to) )\Z")
_MORE_OF_A_LABEL = re.compile(r"((?:(?:, | and | und | to | bis |[–-])\d{1,3}(?![\d.,]\d)){1,8})")
_MORE_OF_A_NAME = re.compile(r"[-_]\w")
_CODE_CALL = re.compile(r"[A-Za-z_][\w.]{0,60}\([^()]{0,200}\)")  # an example: `round(2.5)`


@dataclass(frozen=True, slots=True)
class Statement:
    """A checkable statement in a line: `start` to `end` in its text. Which of the fields are set depends on `kind`.

    `dates`; `minutes` (of a day); `numbers` with `unit`, `step`, `about` (it is a rounded one) and `is_scaled` (by
    `Mio.`); `noun` (what is counted); `words` (an id's, a quotation's, a name's); `path` with `lines`.
    """

    line: int
    start: int
    end: int
    kind: Kind
    dates: tuple[Date, ...] = ()
    minutes: int | None = None
    is_half: bool = False
    numbers: tuple[Decimal, ...] = ()
    unit: str | None = None
    step: Decimal = Decimal(1)
    about: bool = False
    is_scaled: bool = False
    noun: str = ""
    words: str = ""
    path: str = ""
    lines: tuple[int, int] = (0, 0)

    @property
    def value(self) -> Hashable:
        """What two statements have in common that say the same."""
        return self.kind, self.dates, self.minutes, self.numbers, self.unit, self.words


@dataclass
class _Finder:
    """Finds the statements of one line; what was recognised is blanked, so that nothing is found in it again."""

    number: int
    line: Line
    found: list[Statement] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._text = self.line.text
        self._is_english = len(PATTERNS["english"].findall(self._text)) >= len(PATTERNS["german"].findall(self._text))

    def find(self) -> list[Statement]:
        if self.line.block == "quote" and len(self._text.split()) > 3 and not PATTERNS["own_note"].match(self._text):
            start = len(self._text) - len(self._text.lstrip())
            self._add(start, len(self._text.rstrip()), "quotation", words=self._text)
            return self.found
        self._find_words()
        self._find_values()
        return self.found

    def _find_words(self) -> None:
        """Find what is compared word by word, and blank what names a law."""
        self._find_quotations()
        for start, end, path, first, last in find_file_lines(self._text):
            if "\0" not in self._text[start:end]:
                self._add(start, end, "line", path=path, lines=(first, last))
                self._add_more_lines(path, end)
        self._find_links()
        for start, end in self.line.codes:
            words = self._text[start:end]
            if "\0" not in words and (is_file_name(words) or _CODE_NAME.fullmatch(words)):
                self._add(start, end, "name", words=words)
        for start, end in list(find_legal_sources(self._text)):
            self._blank(start, end)
        for start, end in self.line.codes:
            if _CODE_CALL.fullmatch(self._text, start, end):
                self._blank(start, end)
        if self.line.block != "row" and (ordinal := _ORDINAL.match(self._text)):
            self._blank(*ordinal.span())

    def _add_more_lines(self, path: str, end: int) -> None:
        """The further lines of an enumeration: `lines 31 and 112`."""
        if more := _MORE_OF_A_LABEL.match(self._text, end):
            for match in re.finditer(r"\d{1,3}", more[0]):
                start, line = end + match.start(), int(match[0])
                self._add(start, start + len(match[0]), "line", path=path, lines=(line, line))

    def _find_values(self) -> None:
        """Find what is compared by its value."""
        for dated in list(find_dates(self._text)):
            self._add(dated.start, dated.end, "date", dates=dated.values)
        for start, end in list(find_ids(self._text)):
            self._add(start, end, "id", words=self._text[start:end])
        for timed in list(find_times(self._text)):
            self._add(timed.start, timed.end, "time", minutes=timed.minutes, is_half=timed.is_half)
        for pattern, kind, fields in PARTS:
            for match in list(pattern.finditer(self._text)):
                self._add(match.start(1), match.end(1), kind, **fields(match))
        for number in [*find_numbers(self._text), *find_number_words(self._text)]:
            self._take_number(number)

    def _add(self, start: int, end: int, kind: Kind, **values: object) -> None:
        self.found.append(Statement(self.number, start, end, kind, **values))  # type: ignore[arg-type]
        self._blank(start, end)

    def _blank(self, start: int, end: int) -> None:
        self._text = self._text[:start] + "\0" * (end - start) + self._text[end:]

    def _find_quotations(self) -> None:
        for match in list(_QUOTES.finditer(self._text)):
            if any(start <= match.start() < end for start, end in self.line.codes):
                continue
            words = match[match.lastgroup or 0]
            kind: Kind = "quotation" if len(words.split()) > 3 else "name"
            inner = match.start(match.lastgroup or 0)
            self._add(inner, inner + len(words), kind, words=words)

    def _find_links(self) -> None:
        for start, end in self.line.links:
            words = self._text[start:end]
            if "\0" not in words and words.strip() and not words.strip().isdigit():
                self._add(start, end, "name", words=words)

    def _take_number(self, number: Number) -> None:
        text, start, end = self._text, number.start, number.end
        if "\0" in text[start:end] or text[start - 1 : start] == "\0" or text[end : end + 1] == "\0":
            return
        unit = read_unit(text, start, end)
        if not unit.unit and unit.factor == 1 and text[end : end + 1].isalpha():
            return  # a part of a word: `410X`
        before = _WORD_BEFORE.search(text, max(start - 36, 0), start)
        word = before[1].lower() if before else ""
        is_name = word in LABELS and number.values[0] < 1_000 and text[start].isdigit()
        if unit.unit in CURRENCIES:
            self._add_number("amount", number, unit, word)
        elif text[start] == "0" and end - start > 2 and text[start:end].isdigit():
            if not _MORE_OF_A_NAME.match(text, end):
                self._add(start, end, "id", words=text[start:end])
        elif is_name and not (word in FACTUAL_LABELS and not unit.unit):
            self._blank_label(start, end)
        elif unit.unit and word not in FACTUAL_LABELS:
            self._add_number("number", number, unit, word)
        else:
            self._take_bare_number(number, unit, word)

    def _take_bare_number(self, number: Number, unit: Unit, word: str) -> None:
        """Take a number without a unit: it counts something, or it is a large one, or it stands behind a label."""
        start, end, value = number.start, number.end, number.values[0]
        is_row = self.line.block == "row"
        if word in FACTUAL_LABELS:
            self._add_number("number", number, unit, word)
        elif value % 1 == 0 and (noun := noun_of(self._text, start, end, is_row=is_row, is_english=self._is_english)):
            if noun.lower() in PARTS_OF_AN_ANSWER and value <= MAX_PARTS:
                self._blank(start, end)
            else:
                self._add_number("count", number, unit, word, noun)
        elif not _is_year(number) and (
            unit.factor != 1 or value >= 100 or number.step < 1 or self._is_quantity(number)
        ):
            self._add_number("number", number, unit, word)

    def _add_number(self, kind: Kind, number: Number, unit: Unit, word: str, noun: str = "") -> None:
        self._add(
            number.start if kind == "count" or not unit.unit else unit.start,
            unit.end,
            kind,
            numbers=tuple(value * unit.factor for value in number.values),
            step=number.step * unit.factor,
            about=word in ABOUT,
            is_scaled=unit.factor != 1,
            unit=None if kind == "count" else unit.unit,
            noun=noun,
        )

    def _blank_label(self, start: int, end: int) -> None:
        """Blank a number that is a name, and those of its enumeration: `points 3 and 4`."""
        self._blank(start, end)
        if more := _MORE_OF_A_LABEL.match(self._text, end):
            self._blank(*more.span(1))

    def _is_quantity(self, number: Number) -> bool:
        """True if a number of two digits, without unit and noun, is no day, no end of a range, no command's option."""
        in_code = any(start <= number.start < end for start, end in self.line.codes)
        return (
            number.values[0] >= 10
            and not in_code
            and not _GOES_ON.match(self._text, number.end)
            and not _MINUTES_BEFORE.search(self._text, max(number.start - 8, 0), number.start)
        )


def _is_year(number: Number) -> bool:
    value = number.values[0]
    return number.end - number.start == 4 and 1800 <= value <= 2199 and value == value.to_integral_value()


def find_statements(lines: Sequence[Line]) -> Iterator[Statement]:
    """Yield the statements of an answer's lines in their order."""
    count = 0
    for number, line in enumerate(lines):
        for statement in sorted(_Finder(number, line).find(), key=lambda each: each.start):
            yield statement
            count += 1
            if count >= MAX_STATEMENTS:
                return
