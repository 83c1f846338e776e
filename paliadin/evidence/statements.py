"""Find the checkable statements of an answer: what is a claim, and of which kind. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from paliadin.evidence.identifiers import find_file_lines, find_ids, find_legal_sources, is_file_name
from paliadin.evidence.markdown import Line
from paliadin.evidence.model import Kind
from paliadin.evidence.notation import (
    Date,
    Number,
    find_dates,
    find_number_words,
    find_numbers,
    find_times,
    read_unit,
    unit_of,
)
from paliadin.evidence.vocabulary import (
    ABOUT,
    MONTHS,
    NUMBER_WORDS,
    CURRENCIES,
    FACTUAL_LABELS,
    LABELS,
    PARTS_OF_AN_ANSWER,
    PREDICATES,
    RELATIVE_DAYS,
    STOP,
    WEEKDAYS,
)

MAX_STATEMENTS = 5_000  # of one answer
MAX_PARTS = 12  # steps, points or questions that an answer may have itself; more are somebody's data
_QUOTES = re.compile(
    r"„(?P<a>[^„“”\"]{1,2000})[“”\"]|“(?P<b>[^“”]{1,2000})”|«(?P<c>[^«»]{1,2000})»|»(?P<d>[^«»]{1,2000})«"
    r"|(?<![\w\"])\"(?P<e>[^\"\s][^\"]{0,2000})\"(?![\w\"])|‚(?P<f>[^‚‘’]{1,2000})[‘’]|‘(?P<g>[^‘’]{1,300})’(?!\w)"
    r"|(?<![\w'])'(?P<h>[^'\s][^']{0,300})'(?![\w'])"
)
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_WORDS_BEHIND = re.compile(r"[ \u00a0]{1,2}([^\W\d_][\w'’-]{0,40})")
_PLURAL = re.compile(r"[a-z'’-]{2,40}(?:s|people|children|data)")
_ADVERBS = frozenset({"noch", "still", "bereits", "already", "davon", "schon", "only", "nur"})
_ENGLISH = re.compile(r"\b(?:the|is|are|of|and|in|to|for|was|were|with|you|there|not)\b", re.IGNORECASE)
_GERMAN = re.compile(
    r"\b(?:der|die|das|ist|sind|und|in|zu|für|war|waren|mit|Sie|es|nicht|im|am|von|den|dem)\b", re.IGNORECASE
)
_SMALL = "|".join(word for word, number in NUMBER_WORDS.items() if number <= 20)
_OF_THEM = re.compile(
    rf"[ \u00a0]((?:out )?of (?:them|these|those|which|the|its|their|our|your|my|his|her|\d{{1,9}}\b|(?:{_SMALL})\b)|davon|"
    rf"(?:von|aus) (?:\d{{1,9}}|{_SMALL})\b|von (?:ihnen|denen|diesen|den)\b|der (?:\d{{1,9}}|{_SMALL})\b)"
)
_NAMED_ALONE = re.compile(
    r"(?:\b(?:there (?:are|were)|makes?|es (?:gibt|sind|waren)|macht|total of|insgesamt(?: also)?|nur|only) )\Z",
    re.IGNORECASE,
)
_ENDS_SENTENCE = re.compile(r"[.;:,)!](?:\s|\Z)|\Z| (?:in|im) ")
_ORDINAL_UNIT = re.compile(
    r"(?<![\w.,/-])(\d{1,3})\.[ \u00a0](?=(?:Jahr|Jahres|Jahresgebühr|Monat|Stunde|Tag|Woche|Auflage)\b)"
)
_OUT_OF = re.compile(r"[\d\0] (?:out )?(?:of|von|aus) \Z")
_ENDS_LABEL = re.compile(r"[:=]\W*\Z")
_BEGINS = re.compile(r"(?:\A|[.!?:] |\A\w{2,5}, )\Z")
_ENDS_AT_ONCE = re.compile(r"[.,:]|\Z| [–(-]")
_OWN_NOTE = re.compile(
    r"\s*(?:\[!|[—–-] |(?:Hinweis|Note|Tipp|Tip|Achtung|Warning|Wichtig|Important|Vorsicht|Caution|Anmerkung|"
    r"Fazit|Summary|Quelle|Source)\b)",
    re.IGNORECASE,
)
_CODE_NAME = re.compile(r"(?=[^\s]{0,80}[\d@=])[A-Za-z][\w.@:=/+-]{2,80}")
_HOURS_AND_MINUTES = re.compile(
    r"(?<![\w.,:/-])(\d{1,3}) ?(?:h|Std\.?|Stunden?|hours?)(?: and| und)? "
    r"(\d{1,2}) ?(?:m|min\.?|Minuten?|minutes?)(?!\w)"
)
_DAY_WORD = re.compile(r"(?<![\w-])(?:" + "|".join([*WEEKDAYS, *RELATIVE_DAYS]) + r")(?!\w)", re.IGNORECASE)
_MONTH_NAME = "|".join(word.capitalize() for word in MONTHS if len(word) > 3 or word in {"mai", "may"})
_MONTH_ALONE = re.compile(
    r"(?:\b(?:[Ii]m|[Aa]b|[Ss]eit|[Bb]is|[Aa]nfang|[Mm]itte|[Ee]nde|[Vv]om|[Ii]n|[Ss]ince|[Uu]ntil|[Bb]y|[Ff]rom|[Oo]f|early|mid|late|"
    rf"[Mm]onat)[ -])({_MONTH_NAME})(?![\w-]|\.? ?\d)"
)
_YEAR_ALONE = re.compile(
    r"\b(?:[Ss]eit|[Ss]ince|Ende|Anfang|[Ee]nd of|[Uu]ntil|early|late) ((?:19|20)\d\d)(?![\w/.-]\w)"
)
_WEEK_ALONE = re.compile(r"\b(?:KW|Kalenderwoche|calendar week) ?([1-9]|[1-4]\d|5[0-3])(?![\d.,])")
_LINE_ALONE = re.compile(r"\b(?:Zeile|[Ll]ine) (\d{2,6})\b(?! (?:of|in|von|der) )")
_DAY_ALONE = re.compile(
    r"\b(?:on|by|until|till|from|since|before|after|to) (the \d{1,2}(?:st|nd|rd|th))(?=[.,;:)]|\Z| (?:and|at|because|if|with|already)\b)"
)
_AND = frozenset({"und", "and", "or", "oder", "sowie", "bzw"})
_LABEL = re.compile(r"([^\W\d_][\w'’-]{1,40})[ .]?(?:\([^()]{0,30}\)[ ]?)?[:=–-]?[ \u00a0]*\Z")
_WORD_BEFORE = re.compile(r"([^\W\d_§][\w'’-]{0,30}|§§?)\.?[ \u00a0]{0,2}[€$£]?\Z")
_ORDINAL = re.compile(
    r"\s*\d{1,2}[.)](?=[ \u00a0][^\W\d_]|[ \u00a0]\W)"
)  # in front of a paragraph, as in `**2. Tests**`
_GOES_ON = re.compile(r"[½¼¾]| and a | ?[–-] ?[\d\0]|\.(?:[ –,-]|\Z)| (?:vor|nach|past|to) [a-zß]|,? und \d{1,2}\.")
_MINUTES_BEFORE = re.compile(r"(?:\bUhr |\b(?:vor|nach|past|to) )\Z")
_MORE_OF_A_LABEL = re.compile(r"((?:(?:, | and | und | to | bis |[–-])\d{1,3}(?![\d.,]\d)){1,8})")
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


@dataclass
class _Finder:
    """Finds the statements of one line; what was recognised is blanked, so that nothing is found in it again."""

    number: int
    line: Line
    found: list[Statement] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._text = self.line.text
        self._is_english = len(_ENGLISH.findall(self._text)) >= len(_GERMAN.findall(self._text))

    def find(self) -> list[Statement]:
        if self.line.block == "quote" and len(self._text.split()) > 3 and not _OWN_NOTE.match(self._text):
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
        for match in list(_HOURS_AND_MINUTES.finditer(self._text)):
            minutes = int(match[1]) * 60 + int(match[2])
            self._add(match.start(), match.end(), "number", numbers=(Decimal(minutes),), unit="min")
        for match in list(_MONTH_ALONE.finditer(self._text)):
            self._add(*match.span(1), "date", words=match[1].lower())
        for match in list(_YEAR_ALONE.finditer(self._text)):
            self._add(*match.span(1), "number", numbers=(Decimal(match[1]),))
        for match in list(_WEEK_ALONE.finditer(self._text)):
            self._add(*match.span(), "date", words=f"kw {int(match[1])}")
        for match in list(_LINE_ALONE.finditer(self._text)):
            line = int(match[1])
            self._add(*match.span(), "line", lines=(line, line))
        for match in list(_DAY_ALONE.finditer(self._text)):
            self._add(*match.span(1), "date", words=match[1].lower())
        for match in list(_ORDINAL_UNIT.finditer(self._text)):
            self._add(*match.span(1), "number", numbers=(Decimal(match[1]),))
        for match in list(_DAY_WORD.finditer(self._text)):
            self._add(match.start(), match.end(), "date", words=match[0].lower())
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
        before = _WORD_BEFORE.search(text, max(start - 36, 0), start)
        word = before[1].lower() if before else ""
        unit = read_unit(text, start, end)
        common = {
            "numbers": tuple(value * unit.factor for value in number.values),
            "step": number.step * unit.factor,
            "about": word in ABOUT,
            "is_scaled": unit.factor != 1,
        }
        if not unit.unit and unit.factor == 1 and text[end : end + 1].isalpha():
            return  # a part of a word: `410X`
        if unit.unit in CURRENCIES:
            self._add(unit.start, unit.end, "amount", unit=unit.unit, **common)
        elif text[start] == "0" and end - start > 2 and text[start:end].isdigit():
            self._add(start, end, "id", words=text[start:end])
        elif word in FACTUAL_LABELS and not unit.unit:
            self._add(start, end, "number", **common)
        elif word in LABELS and number.values[0] < 1_000 and text[start].isdigit():
            self._blank(start, end)
            if more := _MORE_OF_A_LABEL.match(text, end):
                self._blank(*more.span(1))
        elif unit.unit:
            self._add(unit.start, unit.end, "number", unit=unit.unit, **common)
        elif number.values[0] % 1 == 0 and (noun := self._noun(start, end)):
            if noun.lower() in PARTS_OF_AN_ANSWER and number.values[0] <= MAX_PARTS:
                self._blank(start, end)
            else:
                self._add(start, unit.end, "count", noun=noun, **common)
        elif (
            unit.factor != 1 or number.values[0] >= 100 or number.step < 1 or self._is_quantity(number)
        ) and not _is_year(number):
            self._add(start, unit.end, "number", **common)

    def _is_quantity(self, number: Number) -> bool:
        """True if a number of two digits, without a unit or a noun, is no day, no end of a range, no command's option."""
        in_code = any(start <= number.start < end for start, end in self.line.codes)
        return (
            number.values[0] >= 10
            and not in_code
            and not _GOES_ON.match(self._text, number.end)
            and not _MINUTES_BEFORE.search(self._text, max(number.start - 8, 0), number.start)
        )

    def _noun(self, start: int, end: int) -> str:
        """What a number counts: the noun behind it, or the word before its colon; "" if it counts nothing."""
        text = self._text
        if self.line.block == "row" and _cell(text, start).strip(" \u00a0*_~") == text[start:end]:
            return _first_cell(text)
        if of := _OF_THEM.match(text, end):
            return of[1].split()[0]
        if _OUT_OF.search(text, max(start - 12, 0), start):
            return "of"
        noun, is_near = self._noun_behind(end)
        if noun or is_near:
            return noun
        label = _LABEL.search(text, max(start - 60, 0), start)
        if label and _ENDS_LABEL.search(text, max(start - 4, 0), start):
            return label[1]
        if _NAMED_ALONE.search(text, max(start - 20, 0), start) and _ENDS_SENTENCE.match(text, end):
            return text[start:end]
        if _BEGINS.search(text, max(start - 8, 0), start) and _ENDS_AT_ONCE.match(text, end):
            return text[start:end]
        return ""

    def _noun_behind(self, end: int) -> tuple[str, bool]:
        """The noun that follows a number, perhaps after other words, and if there are such words."""
        at, words = end, list[str]()
        while len(words) < 6 and (match := _WORDS_BEHIND.match(self._text, at)):
            word = match[1]
            if not words and word.lower() in PREDICATES:
                return word, True
            if not words and word.lower() in _ADVERBS:
                at = match.end()
                continue
            if word.lower() in STOP and not (words and word.lower() in _AND):
                break
            words.append(word)
            if word[0].isupper() or (self._is_english and _PLURAL.fullmatch(word)):
                return "" if unit_of(word) else word, True
            at = match.end()
        plural = [word for word in words if _PLURAL.fullmatch(word)]
        return plural[0] if plural else "", bool(words)


def _is_year(number: Number) -> bool:
    value = number.values[0]
    return number.end - number.start == 4 and 1800 <= value <= 2199 and value == value.to_integral_value()


def _cell(text: str, at: int) -> str:
    start, end = text.rfind("|", 0, at) + 1, text.find("|", at)
    return text[start : end if end >= 0 else len(text)]


def _first_cell(text: str) -> str:
    return text.strip().strip("|").split("|", 1)[0].strip() or "?"


def find_statements(lines: Sequence[Line]) -> Iterator[Statement]:
    """Yield the statements of an answer's lines in their order."""
    count = 0
    for number, line in enumerate(lines):
        for statement in sorted(_Finder(number, line).find(), key=lambda each: each.start):
            yield statement
            count += 1
            if count >= MAX_STATEMENTS:
                return


def content_words(text: str) -> list[str]:
    """The words of a sentence that may say which rows are meant: those of three letters and more, and names."""
    return [word for word in _WORD.findall(text) if len(word) > 2 or word[0].isupper()]
