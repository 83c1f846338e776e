"""An answer as it was read: its lines, the statements in them, and what is known of these. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from paliadin.evidence.markdown import Line
from paliadin.evidence.model import Source
from paliadin.evidence.quoting import words_of
from paliadin.evidence.sentences import paragraphs, sentence_of
from paliadin.evidence.statements import Statement
from paliadin.evidence.vocabulary import forms, stems

MAX_AROUND = 30  # statements before and behind one that are looked at with it


@dataclass
class Reading:
    """A statement is known by its number. `found`: a result holds it; `given`: the user or the page said it."""

    lines: Sequence[Line]
    statements: Sequence[Statement]
    found: dict[int, Source] = field(default_factory=dict)
    given: dict[int, Source] = field(default_factory=dict)
    _stems: dict[str, set[str]] = field(default_factory=dict)

    def is_known(self, number: int) -> bool:
        """True if the statement was found or given."""
        return number in self.found or number in self.given

    def source_of(self, number: int) -> Source | None:
        """Where a statement was found, or who gave it."""
        return self.found.get(number) or self.given.get(number)

    def line_of(self, number: int) -> Line:
        """The line in which a statement stands."""
        return self.lines[self.statements[number].line]

    @cached_property
    def sentences(self) -> list[str]:
        """The sentence of each statement; in a table, its row."""
        return [sentence_of(self.lines[each.line], each.start) for each in self.statements]

    @cached_property
    def in_sentence(self) -> list[frozenset[int]]:
        """For each statement, all statements of its sentence."""
        keys = [(each.line, sentence) for each, sentence in zip(self.statements, self.sentences, strict=True)]
        found: dict[tuple[int, str], list[int]] = {}
        for number, key in enumerate(keys):
            found.setdefault(key, []).append(number)
        sets = {key: frozenset(numbers) for key, numbers in found.items()}
        return [sets[key] for key in keys]

    def stems(self, number: int) -> set[str]:
        """The stems of the words of a statement's sentence, and of those that say the same."""
        sentence = self.sentences[number]
        if sentence not in self._stems:
            words = {form for word in words_of(sentence).split() for form in forms(word)}
            self._stems[sentence] = stems(" ".join(words))
        return self._stems[sentence]

    @cached_property
    def on_line(self) -> dict[int, list[int]]:
        """The statements of each line that has any."""
        found: dict[int, list[int]] = {}
        for number, statement in enumerate(self.statements):
            found.setdefault(statement.line, []).append(number)
        return found

    @cached_property
    def paragraphs(self) -> list[range]:
        """For each line, the lines that belong together with it."""
        return paragraphs(self.lines)

    def beside(self, number: int) -> list[int]:
        """The other statements of a statement's line."""
        return [each for each in self.on_line[self.statements[number].line] if each != number]

    def around(self, number: int) -> list[int]:
        """The statements next to a statement in the text around it: first those of its line, the nearest first."""
        line = self.statements[number].line
        first, last = max(number - MAX_AROUND, 0), number + MAX_AROUND + 1
        near = [n for n in range(first, min(last, len(self.statements))) if n != number]
        near = [n for n in near if self.statements[n].line in self.paragraphs[line]]
        return sorted(near, key=lambda each: (self.statements[each].line != line, abs(each - number)))
