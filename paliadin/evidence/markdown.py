"""Read an answer's Markdown as plain lines, with the place in the source of each character. Pure.

Not a full parser: it knows what decides whether a word is a statement (code, links, list markers, tables, quotes), and
takes one step through the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from paliadin.evidence.vocabulary import MONTHS

Block = Literal["text", "heading", "item", "row", "quote", "code"]
"""What a line belongs to: `item` begins a list's item, `row` is a line of a table, `quote` one of a block quotation.

Those of a callout are none of a quotation: they are the answer's own words, as the page shows them (callouts.js).
"""

_FENCE = re.compile(r" {0,3}(?:> ?)*(`{3,}|~{3,})[ \t]*([\w+.-]{0,40})")
_MARKER = re.compile(
    r"(?P<space>[ \t]{0,40})(?P<quote>(?:>[ \t]?){1,9})?[ \t]{0,8}"
    r"(?:(?P<heading>\#{1,6}[ \t]+)(?:\d{1,3}(?:\.\d{1,3}){0,4}[.)]?[ \t]+)?"
    r"|(?P<item>[-*+•–][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,4}[.)](?![^\s])(?![ \t]*(?:"
    + "|".join(MONTHS)
    + r")\b)[ \t]*))?",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[ \t]{0,40}>")
_CALLOUT = re.compile(r"[ \t]{0,40}>[ \t]?\[!(?:note|tip|important|warning|caution)\][ \t]*", re.IGNORECASE)
_RULE = re.compile(r"[ \t|:=_*+-]*\Z")
_INLINE = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<tick>`{1,5})"
    r"|(?P<url><?https?://[^\s<>()]{1,2000}(?:\([^\s<>()]{0,200}\))?[^\s<>()]{0,2000}>?)"
    r"|(?P<target>\]\([^()\s]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?(?:[ \t]+\"[^\"]{0,200}\")?\))"
    r"|(?P<tag></?[A-Za-z][^<>]{0,300}>)"
    r"|(?P<mark>\*{1,3}|~~|(?<![\w])_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w))"
)
MAX_LINE = 20_000  # characters of a line that are read
PLAIN_LANGUAGES = frozenset({"", "text", "txt", "csv", "tsv", "markdown", "md"})
"""Languages of a code block that holds no program: what it says is checked like the text around it."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an answer without its markup: `text`, and the place of each of its characters in the source.

    `links` are the places in `text` of links' texts, `codes` those of inline code, each as (start, end).
    """

    block: Block
    text: str
    places: tuple[int, ...]
    links: tuple[tuple[int, int], ...] = ()
    codes: tuple[tuple[int, int], ...] = ()


def read_lines(source: str) -> Iterator[Line]:
    """Yield the lines of a Markdown text that may hold statements; those of code in a language are left out."""
    fence, skipped, at, is_quoted, is_callout = "", False, 0, False, False
    for raw in source.splitlines(keepends=True):
        line = raw.rstrip("\r\n")
        if not (_QUOTED.match(line) and is_quoted):  # only its first line makes a quotation a callout
            is_quoted, is_callout = bool(_QUOTED.match(line)), bool(_CALLOUT.fullmatch(line))
        opening = _FENCE.match(line)
        if fence:
            if opening and opening[1].startswith(fence) and not opening[2]:
                fence = ""
            elif not skipped:
                yield Line("code", line[:MAX_LINE], tuple(range(at, at + len(line[:MAX_LINE]))))
        elif opening:
            fence, skipped = opening[1], opening[2].lower() not in PLAIN_LANGUAGES
        elif line.strip() and not _RULE.match(line):
            yield _read_line(line[:MAX_LINE], at, is_callout)
        at += len(raw)


def _read_line(line: str, at: int, is_callout: bool) -> Line:
    marker = _MARKER.match(line)
    start = marker.end() if marker else 0
    block: Block = "text"
    if line.lstrip(" >\t").startswith("|"):
        block, start = "row", 0
    elif marker and marker["heading"]:
        block = "heading"
    elif marker and marker["item"]:
        block = "item"
    elif marker and marker["quote"] and not is_callout:
        block = "quote"
    return _Inline(line, start, at).read(block)


class _Inline:
    """Removes the markup inside a line."""

    def __init__(self, line: str, start: int, at: int) -> None:
        self._line, self._start, self._at = line, start, at
        self._text: list[str] = []
        self._places: list[int] = []
        self._links: list[tuple[int, int]] = []
        self._codes: list[tuple[int, int]] = []
        self._brackets: list[int] = []  # the opening ones so far

    def read(self, block: Block) -> Line:
        at = self._start
        while at < len(self._line):
            match = _INLINE.search(self._line, at)
            self._keep(at, match.start() if match else len(self._line))
            if not match:
                break
            at = self._take(match)
        text = "".join(self._text)
        return Line(block, text, tuple(self._places), tuple(self._links), tuple(self._codes))

    def _take(self, match: re.Match[str]) -> int:
        """Take a piece of markup; returns where reading goes on."""
        if match["escaped"]:
            self._keep(match.end() - 1, match.end())
        elif match["tick"]:
            end = self._line.find(match["tick"], match.end())
            if end > 0:
                began = len(self._text)
                self._keep(match.end(), end)
                self._codes.append((began, len(self._text)))
                return end + len(match["tick"])
        elif match["target"]:
            if self._brackets:
                bracket = self._brackets.pop()
                self._text[bracket] = " "
                self._links.append((bracket + 1, len(self._text)))
        elif match["url"] or match["tag"]:
            self._put(" ", match.start())
        return match.end()

    def _keep(self, start: int, end: int) -> None:
        piece, length = self._line[start:end], len(self._text)
        self._brackets += [length + i for i, letter in enumerate(piece) if letter == "["] if "[" in piece else []
        self._text.extend(piece)
        self._places.extend(range(self._at + start, self._at + end))

    def _put(self, text: str, place: int) -> None:
        self._text.append(text)
        self._places.append(self._at + place)
