"""Find files by a few letters of their path, in their order, as editors do. Pure.

A match is better the more of its letters begin a word, follow each other, and stand in the file's own name. All
paths are filtered with fast string methods, and only the most promising ones are scored.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from paliadin.files.attachable import Obstacle

LONGEST_QUERY = 200  # characters
SCORED = 200  # paths of each kind of match that are scored, the shortest ones
_SEPARATORS = frozenset("/-_. ")
_NAME, _FOLDER, _WORD, _RUN, _CASE = 6, 9, 8, 5, 1  # bonuses of a letter
_GAP = 1  # what is taken off for letters between two that match
_PREFIX, _EXACT = 20, 40  # bonuses of a path


@dataclass(frozen=True, slots=True)
class Entry:
    """A file, or a folder with a slash at its end, by its path in the working folder; `ignored`: ranked last.

    With an `obstacle` a question cannot name it, and `path` is its name in a visible form.
    """

    path: str
    ignored: bool = False
    obstacle: Obstacle | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """An entry that matches a query; `marks` are the indexes of its matching characters."""

    entry: Entry
    marks: tuple[int, ...]


class FileIndex:
    """Entries, prepared for many searches."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = sorted(entries, key=lambda entry: (entry.ignored, len(entry.path), entry.path))
        self._lower = [_lower(entry.path) for entry in self.entries]
        self._name_at = [path.rfind("/", 0, -1) + 1 for path in self._lower]
        self._names = [path[at:] for path, at in zip(self._lower, self._name_at, strict=True)]
        self._last: tuple[str, Sequence[int]] = ("", range(len(self._lower)))

    def search(self, query: str, most: int) -> list[Match]:
        """Return the best matches, the best first; without a query the entries at the top of the folder."""
        query = unicodedata.normalize("NFC", query[:LONGEST_QUERY])  # as the paths are
        if not query:
            return self._at_top(most)
        ranked = []
        for number in self._promising(_lower(query)):
            score, marks = score_path(query, self.entries[number].path, self._lower[number], self._name_at[number])
            ranked.append((self.entries[number].ignored, -score, number, marks))
        return [Match(self.entries[number], marks) for _, _, number, marks in sorted(ranked)[:most]]

    def _at_top(self, most: int) -> list[Match]:
        top = [entry for entry, at in zip(self.entries, self._name_at, strict=True) if at == 0]
        top.sort(key=lambda entry: (entry.ignored, not entry.path.endswith("/"), entry.path.lower()))
        rest = (entry for entry, at in zip(self.entries, self._name_at, strict=True) if at)
        return [Match(entry, ()) for entry in islice(chain(top, rest), most)]

    def _promising(self, query: str) -> list[int]:
        """Return the indexes of the entries worth scoring; those of the better kinds of match first."""
        lower, names = self._lower, self._names
        matching = self._matching(query)
        whole = [n for n in matching if query in lower[n]] if len(query) > 1 else matching
        in_name = [n for n in whole if query in names[n]]
        kinds: list[Iterable[int]] = [(n for n in in_name if names[n].startswith(query)), in_name, whole]
        if len(query) > 1 and "/" not in query:
            follows = _in_order(query)
            kinds.append(n for n in matching if follows(names[n]))
        return list(dict.fromkeys(chain.from_iterable(islice(kind, SCORED) for kind in (*kinds, matching))))

    def _matching(self, query: str) -> Sequence[int]:
        """Return the indexes of the entries with the letters in their order, faster if the last query is continued."""
        before, numbers = self._last
        lower = self._lower
        if not query.startswith(before):
            numbers = range(len(lower))
        if len(query) == 1:
            matching = [n for n in numbers if query in lower[n]]
        else:
            follows = _in_order(query)
            matching = [n for n in numbers if follows(lower[n])]
        self._last = (query, matching)
        return matching


def _in_order(query: str) -> Callable[..., object]:
    """Return a function that looks for the letters of the query, in their order, in a text from an index on."""
    return re.compile("".join(f"[^{re.escape(char)}]*+{re.escape(char)}" for char in query)).match


def score_path(query: str, path: str, lower: str, name_at: int) -> tuple[int, tuple[int, ...]]:
    """Score a path that holds the letters of the query in their order; returns the score and the best match's marks."""
    wanted = _lower(query)
    ways = [_run(wanted, path, lower, 0), _run(wanted, path, lower, name_at)]
    ways += [_letters(wanted, path, lower, at, words) for at in (0, name_at) for words in (True, False)]
    scored = [(_score(query, path, marks, name_at), marks) for marks in dict.fromkeys(ways) if marks]
    score, marks = max(scored, key=lambda each: each[0], default=(0, ()))
    exact = _EXACT if wanted in {lower, lower[name_at:].rstrip("/")} else 0
    return score + exact + (_PREFIX if lower.startswith(wanted) else 0) - len(path) // 16, marks


def _run(wanted: str, path: str, lower: str, start: int) -> tuple[int, ...]:
    """Match the letters right after each other, at a word's beginning if possible."""
    at = first = lower.find(wanted, start)
    while at >= 0 and not _begins_word(path, at):
        at = lower.find(wanted, at + 1)
    at = first if at < 0 else at
    return tuple(range(at, at + len(wanted))) if at >= 0 else ()


def _letters(wanted: str, path: str, lower: str, start: int, words: bool) -> tuple[int, ...]:
    """Match the letters one by one: with `words` at the next word's beginning, if there is one, else the next one."""
    marks: list[int] = []
    at = start
    for char in wanted:
        place = at if lower.startswith(char, at) else lower.find(char, at)
        if words and place > at:
            place = _at_next_word(char, path, lower, place)
        if place < 0:
            return ()
        marks.append(place)
        at = place + 1
    return tuple(marks)


def _at_next_word(char: str, path: str, lower: str, first: int) -> int:
    at = first
    while at >= 0 and not _begins_word(path, at):
        at = lower.find(char, at + 1)
    return first if at < 0 else at


def _score(query: str, path: str, marks: tuple[int, ...], name_at: int) -> int:
    score, before = 0, -2
    for char, at in zip(query, marks, strict=True):
        if at == before + 1:
            score += _RUN
        elif before >= 0:
            score -= min((at - before - 1) * _GAP, 6)
        if _begins_word(path, at):
            score += _FOLDER if at == 0 or path[at - 1] == "/" else _WORD
        score += (_NAME if at >= name_at else 0) + (_CASE if path[at] == char else 0)
        before = at
    return score


def _begins_word(path: str, at: int) -> bool:
    before = path[at - 1] if at else "/"
    return before in _SEPARATORS or (path[at].isupper() and before.islower())


def _lower(text: str) -> str:
    """Return the text in lower case, with as many characters as before."""
    lower = text.lower() if text.isascii() else text.casefold()
    if len(lower) != len(text):
        lower = "".join(char.casefold() if len(char.casefold()) == 1 else char for char in text)
    return text if lower == text else lower
