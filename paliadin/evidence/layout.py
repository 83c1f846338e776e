"""A tool's result as a person reads it and as it is searched, side by side: JSON is laid out, a line a field. Pure.

What is searched has a line for each object, so that what belongs together stands together. Each place in it leads
to the line that a person sees, to the field's name, and to the title of the record that it belongs to.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

from paliadin.evidence.tables import cell_text

WIDTH = 100  # characters of an object that stands on one line
LONG = 200  # characters from which on a value has a line of its own in what is searched
MAX_TITLE = 80  # characters
TITLES = ("title", "titel", "name", "label", "subject", "betreff", "summary", "id", "key")
"""The fields that name a record, the best first."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value is seen: the line, from 0 (None: nowhere), its field's name, and its record's title."""

    line: int | None
    field: str = ""
    record: str = ""


@dataclass
class Layout:
    """Both texts, line by line, and the places of what is searched."""

    shown: list[str] = field(default_factory=list)
    searched: list[str] = field(default_factory=list)
    _length: int = 0  # of what is searched
    _is_open: bool = False  # its last line goes on
    _starts: list[int] = field(default_factory=list)  # in it, of each place
    _places: list[Place] = field(default_factory=list)
    _newlines: list[int] | None = None  # in what is searched

    def place_of(self, at: int, searched: str) -> Place:
        """The place of what stands at `at` in what is searched."""
        number = bisect_right(self._starts, at) - 1
        if number < 0:
            return Place(None)
        place = self._places[number]
        if place.line is None:
            return place
        if self._newlines is None:
            self._newlines = [match.start() for match in re.finditer("\n", searched)]
        above = bisect_left(self._newlines, at) - bisect_left(self._newlines, self._starts[number])
        return Place(place.line + above, place.field, place.record)

    def add_text(self, text: str, *, is_shown: bool = True, is_searched: bool = True, line: int | None = None) -> None:
        """Add a text that is seen as it is; `line`: the one at which it is seen already, if it is not shown here."""
        if is_searched:
            self._mark(Place(len(self.shown) if is_shown else line))
            self._search(text)
        if is_shown:
            self.shown.extend(text.split("\n"))

    def add_labelled(self, label: str, text: str, *, is_shown: bool) -> None:
        """Add a short text, which is searched behind the key that it has in the result: it may be an id, or a unit."""
        self._mark(Place(len(self.shown) if is_shown else None, label))
        self._search(f'"{label}" {text}')
        if is_shown and text:
            self.shown.append(text)

    def add_json(self, value: object) -> None:
        """Add a decoded JSON value."""
        self._add(value, "", "", "", "")

    def _search(self, text: str, *, ends: bool = True) -> None:
        """Add to what is searched; `ends`: what follows stands on another line."""
        if self._is_open:
            self.searched[-1] += f" {text}"
        else:
            self.searched.append(text)
        self._length += len(text) + 1
        self._is_open = not ends

    def _mark(self, place: Place, ahead: int = 0) -> None:
        self._starts.append(self._length + ahead)
        self._places.append(place)

    def _add(self, value: object, indent: str, label: str, key: str, record: str) -> None:
        """Add a value behind its label (`"due": `), which is part of its line."""
        items = _items(value)
        if items is None:
            self._add_scalars([(key, value)], record, [len(self.shown)])
            self.shown.extend(f"{indent}{label}{_written(value)}".split("\n"))
            return
        title = (_title(value) or record) if isinstance(value, Mapping) else record
        opening, closing = "{}" if isinstance(value, Mapping) else "[]"
        plain = [(name or key, item) for name, item in items if _items(item) is None]
        first = len(self.shown)
        line = (
            f"{indent}{label}{opening}{', '.join(f'{_label(name)}{_written(item)}' for name, item in items)}{closing}"
        )
        if label:
            self._mark(Place(first, key, record))
            self._search(label.strip(), ends=False)
        if len(plain) == len(items) and len(line) <= WIDTH and "\n" not in line:
            self._add_scalars(plain, title, [first] * len(plain), ends=not (label and isinstance(value, Mapping)))
            self.shown.append(line)
            return
        self._add_lines(items, indent, label + opening, key, title)
        self.shown[-1] = self.shown[-1].removesuffix(",")
        self.shown.append(indent + closing)

    def _add_lines(self, items: list[tuple[str, object]], indent: str, opening: str, key: str, title: str) -> None:
        """Add an object or a list, an item a line: what is searched has those without more in them on one line."""
        self.shown.append(indent + opening)
        pending: list[tuple[str, object]] = []
        lines: list[int] = []
        for name, item in items:
            if _items(item) is None:
                pending.append((name or key, item))
                lines.append(len(self.shown))
                self.shown.extend(f"{indent}  {_label(name)}{_written(item)},".split("\n"))
                continue
            stays = bool(name) and isinstance(item, Mapping)
            self._add_scalars(pending, title, lines, ends=not stays)
            self._is_open = self._is_open and stays
            pending, lines = [], []
            self._add(item, indent + "  ", _label(name), name or key, title)
            self.shown[-1] += ","
        self._add_scalars(pending, title, lines)
        self._is_open = False

    def _add_scalars(
        self, fields: list[tuple[str, object]], record: str, lines: list[int], *, ends: bool = True
    ) -> None:
        """Add fields to what is searched, on one line; long ones on lines of their own.

        `ends`: the line does; else the fields of an object that is one of these stand on it, too.
        """
        pieces: list[str] = []
        length = 0
        for (key, value), line in zip(fields, lines, strict=True):
            text = f"{_label(key)}{_written(value)}"
            if len(text) >= LONG or "\n" in text:
                if pieces:
                    self._search(", ".join(pieces))
                self._mark(Place(line, key, record))
                self._search(text)
                pieces, length = [], 0
                continue
            self._mark(Place(line, key, record), length)
            pieces.append(text)
            length += len(text) + 2
        if pieces:
            self._search(", ".join(pieces), ends=ends)


def _items(value: object) -> list[tuple[str, object]] | None:
    """The fields of an object, or the items of a list without names; None for any other value."""
    if isinstance(value, Mapping):
        return [(str(key), item) for key, item in value.items()]
    return [("", item) for item in value] if isinstance(value, list) else None


def _label(key: str) -> str:
    return f'"{" ".join(key.split())}": ' if key else ""


def _written(value: object) -> str:
    """A value as it is shown: a string as it is, in quotes."""
    if isinstance(value, str):
        return f'"{value}"'
    return "null" if value is None else cell_text(value) or ("{}" if isinstance(value, Mapping) else "[]")


def _title(record: Mapping[str, object]) -> str:
    names = {str(key).casefold(): item for key, item in record.items() if isinstance(item, str | int) and item != ""}
    return next((str(names[each])[:MAX_TITLE] for each in TITLES if each in names), "")
