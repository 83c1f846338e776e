"""Find the facts that stated calculations are about in the lines of an answer. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import islice

from paliadin.evidence.markdown import Line
from paliadin.evidence.notation import find_dates, find_number_words, find_numbers, read_unit
from paliadin.evidence.quoting import words_of
from paliadin.evidence.statements import Statement
from paliadin.evidence.vocabulary import FRACTIONS, ONES

MAX_PLACES = 40  # at which one fact stands in an answer
_MARKUP = re.compile(r"[*`]|\\(?=[\W_])")
_PUNCTUATION = re.compile(r"[,;:=()](?=\s|\Z)|(?<=\s)[(=]")
_ONE = re.compile(r"(?<!\w)(?:" + "|".join(sorted(ONES)) + r")(?!\w)", re.IGNORECASE)
_SAME = str.maketrans(
    {
        **dict.fromkeys('„“”«»‟"‚‘’‛`´', "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("|\u00a0\u202f\u2009\u2007\t", " "),
    }
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a fact stands: the number of a line, and from where to where in its text."""

    line: int
    start: int
    end: int

    def has(self, statement: Statement) -> bool:
        """True if the statement stands here, at least a part of it."""
        return statement.line == self.line and statement.start < self.end and statement.end > self.start


class Text:
    """The lines of an answer, ready to find facts in, whatever their blanks, quotes and dashes."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._folded = [_fold(line.text) for line in lines]

    @cached_property
    def _loose(self) -> list[tuple[str, list[int]]]:
        return [_fold(_PUNCTUATION.sub(" ", line.text)) for line in self._lines]

    def places(self, fact: str) -> list[Place]:
        """Where a fact stands, as whole words."""
        wanted = _fold(_MARKUP.sub("", fact))[0].strip()
        found = list(islice(self._find(wanted, self._folded), MAX_PLACES)) if wanted else []
        if not found and len(loose := _fold(_PUNCTUATION.sub(" ", _MARKUP.sub("", fact)))[0].strip()) > 1:
            found = list(islice(self._find(loose, self._loose), MAX_PLACES))  # `Fri, 25` is the row `| Fri | 25 |`
        return found

    @staticmethod
    def _find(wanted: str, folded: Sequence[tuple[str, list[int]]]) -> Iterator[Place]:
        for number, (text, places) in enumerate(folded):
            at = -1
            while (at := text.find(wanted, at + 1)) >= 0:
                end = at + len(wanted)
                before, behind = text[at - 1 : at] if at else "", text[end : end + 1]
                if not (before.isalnum() and wanted[0].isalnum()) and not (behind.isalnum() and wanted[-1].isalnum()):
                    yield Place(number, places[at], places[end - 1] + 1)


def _fold(text: str) -> tuple[str, list[int]]:
    """A text in small letters with single blanks, and the place of each letter in the text as it was."""
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text.translate(_SAME)):
        if letter == " " and (not letters or letters[-1] == " "):
            continue
        small = letter.lower()
        letters.append(small if len(small) == 1 else letter)
        places.append(place)
    return "".join(letters), places


def statements_at(place: Place, line: Line) -> Iterator[Statement]:
    """The numbers, in digits or as a word, of a fact in which no statement stands: `fünf davon`, `ein Fall`."""
    text = line.text[place.start : place.end]
    days = [(each.start, each.end) for each in find_dates(text, strict=False)]
    numbers = (*find_numbers(text), *find_number_words(text))
    found = [
        (each.start, each.end, each.values, each.step)
        for each in numbers
        if not any(start <= each.start < end for start, end in days)
    ]
    one = _ONE.search(text) if not found and FRACTIONS.isdisjoint(words_of(text).split()) else None
    if one:
        found = [(one.start(), one.end(), (Decimal(1),), Decimal(1))]
    for at, end, values, step in found:
        unit = read_unit(line.text, place.start + at, place.start + end)
        said = tuple(value * unit.factor for value in values)
        yield Statement(
            place.line, place.start + at, unit.end, "number", numbers=said, unit=unit.unit, step=step * unit.factor
        )


def has_percent_sign(lines: Sequence[Line], statement: Statement) -> bool:
    """True if a share may stand here without its sign: its line has one, or the head of its table."""
    number = statement.line
    if "%" in lines[number].text:
        return True
    while lines[number].block == "row" and number > 0 and lines[number - 1].block == "row":
        number -= 1
    return lines[statement.line].block == "row" and "%" in lines[number].text
