"""Divide an answer's lines into sentences, and tell what stands around a statement. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from paliadin.evidence.markdown import Line
from paliadin.evidence.vocabulary import PATTERNS

MAX_SENTENCE = 2_000  # characters; a longer one is read as several
MAX_MARKUP, MAX_RULE = 12, 300  # characters between two lines


def sentence_of(line: Line, start: int) -> str:
    """The sentence of a line in which a place stands; of a table's row, the whole row. A long one is cut."""
    ends, sentences = _divide(line.text, is_row=line.block == "row")
    return sentences[min(bisect_right(ends, start), len(sentences) - 1)]


@lru_cache(maxsize=256)
def _divide(text: str, *, is_row: bool) -> tuple[list[int], list[str]]:
    """The ends of a line's sentences, and the sentences."""
    ends: list[int] = []
    for end in [*([] if is_row else [match.end() for match in PATTERNS["end"].finditer(text)]), len(text)]:
        begin = ends[-1] if ends else 0
        ends += [*range(begin + MAX_SENTENCE, end, MAX_SENTENCE), end]
    return ends, [text[begin:end] for begin, end in pairwise([0, *ends])]


def paragraphs(lines: Sequence[Line]) -> list[range]:
    """For each line the numbers of those that belong together with it: its list, its table, or the text around it.

    They are neighbours in the source, of the same kind; an item's lead (`Of these:`) and a table's belong to it.
    """
    found: list[range] = []
    first = 0
    for number in range(1, len(lines) + 1):
        if number == len(lines) or not _belong_together(lines[number - 1], lines[number]):
            has_lead = lines[first].block in {"item", "row"} and first and lines[first - 1].block in {"text", "heading"}
            found += [range(first - bool(has_lead), number)] * (number - first)
            first = number
    return found


def _belong_together(before: Line, behind: Line) -> bool:
    """True if no blank line stands between two lines: at most markup does, such as the rule below a table's head."""
    if before.block != behind.block or not before.places or not behind.places:
        return False
    between = MAX_RULE if before.block == behind.block == "row" else MAX_MARKUP
    return behind.places[0] - before.places[-1] < between


def list_beside(lines: Sequence[Line], number: int) -> list[int]:
    """The numbers of the list items, or of the table rows without their head, right below a line or right above it."""
    if lines[number].block in {"item", "row"}:
        return []
    at = number + 1
    if at < len(lines) and lines[at].block == "text" and lines[at].text.rstrip().endswith(":"):
        at += 1
    below = _run(lines, at, 1) if at < len(lines) else []
    return below or (_run(lines, number - 1, -1) if number else [])


def _run(lines: Sequence[Line], at: int, step: int) -> list[int]:
    """The list items or rows that begin at a line, in their order."""
    block, found = lines[at].block, list[int]()
    while block in {"item", "row"} and 0 <= at < len(lines) and lines[at].block == block:
        found.append(at)
        at += step
    found.sort()
    return found[1:] if block == "row" else found
