"""The cells of all tables of a conversation, by what they say: which rows a sentence speaks of. Pure.

A sentence speaks of the rows that have one of its words, names, ids or dates as a cell: `Mahnung`, `open`, `PO-7`. All
cells are read once, so that however many sentences there are, each one only looks its own words up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from itertools import combinations

from paliadin.evidence.notation import find_dates
from paliadin.evidence.quoting import words_of
from paliadin.evidence.results import Call
from paliadin.evidence.stated.rows import Rows
from paliadin.evidence.stated.values import Moment, Quantity
from paliadin.evidence.vocabulary import forms

MAX_CELLS = 60_000  # of all tables
MAX_CELL = 60  # characters of a cell that a sentence may say
MAX_WORDS = 6  # of such a cell
MAX_SENTENCE_WORDS = 120
MAX_GROUPS = 12  # that one sentence speaks of
MONTH = "month "  # before the number of a month, in what is looked up


@dataclass(frozen=True)
class Group:
    """Rows of one table that a sentence speaks of; all rows, if no sentence picked them."""

    rows: Rows
    call: Call
    picked: frozenset[int]

    @cached_property
    def figures(self) -> list[list[Quantity]]:
        """The quantities of these rows, a list for each column that has any."""
        width = range(min(self.rows.table.width, 40))
        columns = (self.rows.values(number) for number in width if not self.rows.is_a_name(number))
        found = ([value for row in sorted(self.picked) if isinstance(value := each[row], Quantity)] for each in columns)
        return [each for each in found if each]

    @cached_property
    def totals(self) -> list[Quantity]:
        """The sum of each of those columns that has more than one quantity."""
        columns = [each for each in self.figures if len(each) > 1]
        return [Quantity(sum((one.amount for one in each), Decimal(0)), each[0].dimension) for each in columns]

    @cached_property
    def days(self) -> list[Moment]:
        """The days and times in these rows."""
        columns = [self.rows.values(number) for number in range(min(self.rows.table.width, 40))]
        return [value for row in sorted(self.picked) for each in columns if isinstance(value := each[row], Moment)]


_Key = tuple[int, int]  # of a column: the number of its table, and its own


@dataclass
class Cells:
    """The cells of tables, each given with the call that returned it."""

    tables: Sequence[tuple[Rows, Call]]
    _spoken: dict[str, list[Group]] = field(default_factory=dict)

    @cached_property
    def whole(self) -> list[Group]:
        """Each table with all its rows."""
        return [Group(rows, call, frozenset(range(len(rows.table.rows)))) for rows, call in self.tables]

    @cached_property
    def _rows_of(self) -> dict[str, dict[_Key, set[int]]]:
        """What a cell says, as words or as a day → the columns that have it, each with its rows."""
        found: dict[str, dict[_Key, set[int]]] = {}
        left = MAX_CELLS
        for number, (rows, _) in enumerate(self.tables):
            left -= rows.table.width * len(rows.table.rows)
            if left < 0:
                break
            for column in range(rows.table.width):
                values = rows.values(column)
                for row, cell in enumerate(rows.cells(column)):
                    for said in _said_by(cell, values[row]):
                        found.setdefault(said, {}).setdefault((number, column), set()).add(row)
        return found

    def spoken_of(self, text: str) -> list[Group]:
        """The rows of which a text says what one of their cells says; and those of which it says two such things."""
        if text not in self._spoken:
            self._spoken[text] = self._find_groups(text)
        return self._spoken[text]

    def _find_groups(self, text: str) -> list[Group]:
        found: dict[_Key, set[int]] = {}
        single: list[tuple[int, frozenset[int]]] = []
        for said in _said_in(text):
            for key, picked in self._rows_of.get(said, {}).items():
                single.append((key[0], frozenset(picked)))
                found.setdefault(key, set()).update(picked)
        groups = dict.fromkeys([*single, *((key[0], frozenset(picked)) for key, picked in found.items())])
        smallest = sorted(groups, key=lambda each: len(each[1]))[:MAX_GROUPS]
        both = (
            (one[0], one[1] & two[1]) for one, two in combinations(smallest, 2) if one[0] == two[0] and one[1] & two[1]
        )
        return [Group(*self.tables[table], picked) for table, picked in dict.fromkeys([*smallest, *both])]


def _said_by(cell: str, value: object) -> Iterator[str]:
    """What a sentence may say to mean a cell: its words, or its day and month."""
    if isinstance(value, Moment) and value.day:
        yield value.day.isoformat()
        yield f"{MONTH}{value.day.month}"
        return
    words = words_of(cell.replace("_", " ")).strip() if 2 < len(cell) <= MAX_CELL else ""
    if words and words.count(" ") < MAX_WORDS and not (words.isdecimal() and len(words) < 3):
        yield words


def _said_in(text: str) -> Iterator[str]:
    """All that a text may mean cells by: runs of its words, in several forms if it is one word, and its dates."""
    words = words_of(text.replace("_", " ")).split()[:MAX_SENTENCE_WORDS]
    for at, word in enumerate(words):
        yield from forms(word)
        yield from (" ".join(words[at:end]) for end in range(at + 2, min(at + MAX_WORDS, len(words)) + 1))
    for dated in find_dates(text, strict=False):
        for each in dated.values:
            yield f"{each.year}-{each.month:02}-{each.day:02}" if each.day and each.year else f"{MONTH}{each.month}"
