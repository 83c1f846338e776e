"""What stands around a statement: in the answer, and in the rows of results that speak of the same. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property

from paliadin.evidence import durations
from paliadin.evidence.markdown import Line
from paliadin.evidence.material import Material
from paliadin.evidence.model import Rule, Source
from paliadin.evidence.notation import Date, find_dates
from paliadin.evidence.results import Call
from paliadin.evidence.rows import Rows
from paliadin.evidence.sentences import list_below, paragraph_of, sentence_of
from paliadin.evidence.sources import Evidenced
from paliadin.evidence.spellings import spell
from paliadin.evidence.statements import Statement, content_words

_CODE_NAME = re.compile(r"(?<![\w/.])[\w./-]{0,60}[/_][\w./-]{1,60}\w")
MAX_TABLES = 60  # of a conversation's results; the last ones count
MAX_QUESTION_WORDS = 10
MAX_NAMED = 200  # rows of a table in which names are looked for
MAX_ROW = 1_000  # characters of a row; a longer one is a whole text
MAX_ROWS = 2_000  # of a table in which the rows are looked for that a sentence is about
_YEAR = re.compile(r"(?<![\w.,-])(?:19|20)\d\d(?![\w-])")
_NOW = re.compile(
    r"\b(?:überfällig\w*|overdue|anstehend\w*|upcoming|künftig\w*|future|past|vergangen\w*|abgelaufen\w*|expired|"
    r"heute|"
    r"today|kommend\w*|fällig\w*|due|bevorsteh\w*|ahead|next|nächste\w*|verstrichen\w*|lapsed|so far|bisher|already|"
    r"bereits|schon)\b",
    re.IGNORECASE,
)


Derived = tuple[Rule, list[Source]]
CONTEXT = "context"  # the id of what the page sent, as if a call had returned it


def source_of(call: Call) -> Source:
    """The source that a call's whole result is."""
    return Source("context") if call.id == CONTEXT else Source("call", call.id, call.turn_id)


@dataclass
class Surroundings:
    """The text of an answer and the results beside it. Statements are named by their numbers in `statements`.

    `is_sure`: whether a statement was found or given, or follows; `source_of`: where it stands, or what
    it follows from.
    """

    calls: Sequence[Call]  # those that succeeded and return data
    lines: Sequence[Line]
    statements: Sequence[Statement]
    evidenced: Evidenced
    today: date | None
    question: str
    is_sure: Callable[[int], bool]
    source_of: Callable[[int], Source]

    @cached_property
    def material(self) -> Material:
        """The numbers, dates and times of all results."""
        return Material(self.calls, self.today)

    @cached_property
    def rows(self) -> list[Rows]:
        """The tables of all results."""
        rows = [Rows(n, table) for n, call in enumerate(self.calls) for table in call.tables if table.rows]
        single = len(rows) > MAX_TABLES  # then those of one row are left out first
        return [each for each in rows if len(each.table.rows) > 1 or not single][-MAX_TABLES:]

    @cached_property
    def _question_words(self) -> list[str]:
        return content_words(self.question[-300:])[-MAX_QUESTION_WORDS:]

    def source(self, rows: Rows) -> list[Source]:
        """The call that returned a table."""
        return [source_of(self.calls[rows.call])]

    def sentence(self, number: int) -> str:
        """The sentence of a statement; in a table, its row."""
        statement = self.statements[number]
        return sentence_of(self.lines[statement.line], statement.start)

    @cached_property
    def named(self) -> Callable[[int], tuple[list[str], list[Date]]]:
        """The cached `_named`: each statement asks again and again."""
        return cache(self._named)

    def _named(self, number: int) -> tuple[list[str], list[Date]]:
        """The words and dates by which a sentence may say which rows it means; a list's lead and the question count."""
        statement, text = self.statements[number], self.sentence(number)
        if self.lines[statement.line].block in {"item", "row"}:
            lead = self.lines[paragraph_of(self.lines, statement.line)[0]]
            text += f"\n{lead.text}" if lead.block != "item" else ""
        words = [word for word in content_words(text) if word.casefold() != statement.noun.casefold()]
        words += _YEAR.findall(text)
        dates = [value for dated in find_dates(text, strict=False) for value in dated.values]
        if self.today and _NOW.search(self.sentence(number)):
            dates.append(Date(self.today.year, self.today.month, self.today.day))
        return list(dict.fromkeys([*words, statement.noun, *self._question_words])), dates

    @cached_property
    def _by_line(self) -> dict[int, list[int]]:
        by_line: dict[int, list[int]] = {}
        for number, statement in enumerate(self.statements):
            by_line.setdefault(statement.line, []).append(number)
        return by_line

    @cached_property
    def _by_sentence(self) -> dict[tuple[int, str], list[int]]:
        by_sentence: dict[tuple[int, str], list[int]] = {}
        for number, statement in enumerate(self.statements):
            by_sentence.setdefault((statement.line, self.sentence(number)), []).append(number)
        return by_sentence

    def in_sentence(self, number: int) -> list[int]:
        """The statements of the same sentence."""
        return self._by_sentence[self.statements[number].line, self.sentence(number)]

    def in_line(self, number: int) -> list[int]:
        """The statements of the same line."""
        return self._by_line[self.statements[number].line]

    def around(self, number: int) -> list[int]:
        """The statements of the text around one, of the list below it, and of what stands right before."""
        return [n for each in self.lines_around(number) for n in self._by_line.get(each, ())]

    def listed_below(self, number: int) -> list[int]:
        """The first quantity with a unit of each item that is listed below a statement's line."""
        items = [self._by_line.get(line, []) for line in list_below(self.lines, self.statements[number].line)]
        return [first for item in items for first in [n for n in item if self.statements[n].unit][:1]]

    @cached_property
    def lines_around(self) -> Callable[[int], list[int]]:
        """The cached `_lines_around`: each statement asks again and again."""
        return cache(self._lines_around)

    def _lines_around(self, number: int) -> list[int]:
        """The numbers of the lines around a statement, of the list below it, and of what stands right before."""
        line = self.statements[number].line
        around = paragraph_of(self.lines, line)
        before = paragraph_of(self.lines, around[0] - 1) if around[0] > 0 else []
        return sorted({*around, *list_below(self.lines, line), *before})

    @cached_property
    def _heads(self) -> dict[int, int]:
        """For each line of a table the number of its head's line."""
        heads: dict[int, int] = {}
        for number, line in enumerate(self.lines):
            if line.block == "row" and number not in heads:
                rows = [n for n in paragraph_of(self.lines, number) if self.lines[n].block == "row"]
                heads |= dict.fromkeys(rows, rows[0])
        return heads

    def head_of(self, number: int) -> str:
        """The head of the column in which a statement stands; "" outside of a table."""
        statement = self.statements[number]
        head = self._heads.get(statement.line)
        if head is None:
            return ""
        cells = self.lines[head].text.split("|")
        place = self.lines[statement.line].text.count("|", 0, statement.start)
        return cells[place] if place < len(cells) else ""

    def found_texts(self, number: int) -> list[str]:
        """The line in which a statement was found, if it was."""
        found = self.evidenced.found.get(number)
        return [found.text] if found else []

    @cached_property
    def related_rows(self) -> Callable[[int], list[tuple[str, ...]]]:
        """The cached `_related_rows`: each statement asks again and again."""
        return cache(self._related_rows)

    def _related_rows(self, number: int) -> list[tuple[str, ...]]:
        """The rows that hold something which the sentence says, too."""
        wanted: set[str] = set()
        for n in self.in_sentence(number):
            other = self.statements[n]
            if n != number and (other.kind in {"id", "date"} or (other.numbers and other.numbers[0] >= 100)):
                wanted |= {text.casefold() for text in spell(other)}
            elif other.kind in {"name", "quotation"}:
                wanted.add(other.words.casefold())
        return [
            rows.table.rows[i]
            for rows in (self.rows if wanted else ())
            if len(rows.table.rows) <= MAX_ROWS
            for i, text in enumerate(rows.texts)
            if len(text) <= MAX_ROW and any(each in text for each in wanted)
        ]

    @cached_property
    def spoken_of(self) -> Callable[[int], list[tuple[str, ...]]]:
        """The cached `_spoken_of`: each statement asks again and again."""
        return cache(self._spoken_of)

    def _spoken_of(self, number: int) -> list[tuple[str, ...]]:
        """The rows that alone hold a name which the sentence has, or an id of the text around."""
        return [rows.table.rows[i] for rows in self.rows for i in sorted(self.named_rows(number, rows, 3))[:3]]

    def related_texts(self, number: int) -> list[str]:
        """Where what the sentence says was found: those lines, and the rows that hold it."""
        found = [self.evidenced.found[n].text for n in self.in_sentence(number) if n in self.evidenced.found]
        rows = (" | ".join(row) for row in self.related_rows(number)[:8])
        return list(dict.fromkeys([*found, *rows]))

    @cached_property
    def rows_named_before(self) -> Callable[[int, Rows], set[int]]:
        """The cached `_rows_named_before`: each statement asks again and again."""
        return cache(self._rows_named_before)

    def _rows_named_before(self, number: int, rows: Rows) -> set[int]:
        """The rows of which the list or the text right before a statement names an id."""
        line = self.statements[number].line
        before = [self.statements[n] for n in self.around(number) if self.statements[n].line < line]
        ids = {text.casefold() for each in before if each.kind == "id" for text in spell(each)}
        return (
            {i for i, text in enumerate(rows.texts[:MAX_ROWS]) if any(each in text for each in ids)} if ids else set()
        )

    @cached_property
    def named_rows(self) -> Callable[[int, Rows, int], set[int]]:
        """The cached `_named_rows`."""
        return cache(self._named_rows)

    def _named_rows(self, number: int, rows: Rows, most: int) -> set[int]:
        """The rows of which a statement's line names an id or a name that at most so many rows hold, else the text."""
        texts = [text if len(text) <= MAX_ROW else "" for text in rows.texts[:MAX_ROWS]]
        named = self._holding_ids(texts, self.in_line(number))
        if len(texts) <= MAX_NAMED:
            named |= self._holding_names(number, rows, texts, most)
        return named or self._holding_ids(texts, self.around(number))

    def _holding_ids(self, texts: Sequence[str], numbers: Sequence[int]) -> set[int]:
        """The rows that hold an id of these statements."""
        named = [self.statements[n] for n in numbers if self.statements[n].kind == "id"]
        ids = {text.casefold() for each in named for text in spell(each)}
        return {i for i, text in enumerate(texts) if any(each in text for each in ids)} if ids else set()

    def _holding_names(self, number: int, rows: Rows, texts: Sequence[str], most: int) -> set[int]:
        """The rows that hold a name of a statement's sentence, or whose first cell it says."""
        named: set[int] = set()
        line, sentence = self.lines[self.statements[number].line].text, self.sentence(number)
        until = line.find(sentence) + len(sentence)
        names = {word.casefold() for word in content_words(line[:until]) if word[0].isupper()}
        for name in names | {each.casefold() for each in _CODE_NAME.findall(sentence)}:
            holding = [i for i, text in enumerate(texts) if re.search(rf"(?<![\w/.]){re.escape(name)}(?!\w)", text)]
            named |= set(holding) if len(holding) <= most else set()
        small = f" {sentence.casefold()} "
        for i, row in enumerate(rows.table.rows if rows.table.width > 1 else ()):
            first = row[0].casefold() if row else ""
            if 3 < len(first) < 40 and first in small and re.search(rf"(?<![\w-]){re.escape(first)}(?![\w-])", small):
                named.add(i)
        return named

    def names(self, number: int) -> list[str]:
        """The names in a statement's sentence, in small letters; in a table, the row's first cell."""
        line, sentence = self.lines[self.statements[number].line], self.sentence(number)
        if line.block == "row":
            first = line.text.strip().strip("|").split("|", 1)[0].strip().casefold()
            return [first] if 1 < len(first) < 40 else []
        return [word.casefold() for word in content_words(sentence) if word[0].isupper()][:8]

    def is_quantity(self, number: int) -> bool:
        """True for a sure number that is no share itself."""
        statement = self.statements[number]
        return bool(statement.numbers) and statement.unit != "%" and self.is_sure(number)

    def day(self, each: Date) -> date | None:
        """The day that a date means; without a year, that of the results nearest to today, if they have it."""
        years = self.material.years.get((each.month, each.day)) if each.year is None else None
        if years and self.today:
            this_year = self.today.year
            each = Date(min(years, key=lambda year: abs(year - this_year)), each.month, each.day)
        return durations.as_date(each, self.today)

    def days_in(self, texts: Sequence[str]) -> list[date]:
        """The days that texts name."""
        found = (dated for text in texts for dated in find_dates(text, strict=False))
        return [day for dated in found if (day := self.day(dated.values[0]))]

    def dates(self, numbers: Sequence[int], but: int) -> list[date]:
        """The days that these statements name and that are sure, without that of the statement `but`."""
        return [
            day
            for n in numbers
            if n != but and (other := self.statements[n]).dates and self.is_sure(n)
            for day in [self.day(other.dates[0])]
            if day
        ]
