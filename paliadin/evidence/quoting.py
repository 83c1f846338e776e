"""Compare quotations and names with texts, whatever the quotes, dashes, blanks and emphasis in both. Pure."""

from __future__ import annotations

import re

_SAME = str.maketrans(
    {
        **dict.fromkeys('„“”«»‟"‚‘’‛`´', "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\u00a0\u202f\u2009\u2007", " "),
        **dict.fromkeys("*\u00ad\u200b", None),
        "…": "...",
    }
)
_GAP = re.compile(r"\s*(?:\[\s*\.\.\.\s*\]|\(\s*\.\.\.\s*\)|\.\.\.|\[[^\]]{1,30}\])\s*")
_MARKUP_BEFORE = re.compile(r"(?m)^[ \t]*(?:>[ \t]?|#{1,6}[ \t]|[-+][ \t])")
_DIVIDED = re.compile(r"(?<=[^\W\d_])-\n[ \t]*(?=[a-zäöüß])")  # a word at a line's end
_WORD = re.compile(r"\w+")
_EDGES = " .,;:!?'()-"


def normalise(text: str) -> str:
    """Return the text with one kind of quotes, dashes and blanks, in small letters, without emphasis."""
    return " ".join(text.translate(_SAME).casefold().split())


def normalise_source(text: str) -> str:
    """Return a result's text in the same form, without what begins the lines of Markdown."""
    return normalise(_DIVIDED.sub("", _MARKUP_BEFORE.sub("", text)) if "\n" in text else text)


def words_of(text: str) -> str:
    """Return the words of a text in small letters, with one blank before, between and behind them."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def pieces(quotation: str) -> list[str]:
    """The parts of a quotation between its `…` and `[…]`, normalised; each must stand in the source, in this order."""
    parts = (part.strip(_EDGES) for part in _GAP.split(normalise(quotation)))
    return [part for part in parts if part]


def place(parts: list[str], source: str) -> int | None:
    """Return where the parts begin in a normalised source that holds them in this order, as whole words; else None."""
    first, at = None, 0
    for part in parts:
        at = _find_words(source, part, at)
        if at < 0:
            return None
        first = at if first is None else first
        at += len(part)
    return first


def _find_words(source: str, part: str, at: int) -> int:
    while (at := source.find(part, at)) >= 0:
        before, behind = source[at - 1 : at], source[at + len(part) : at + len(part) + 1]
        if not (before.isalnum() and part[0].isalnum()) and not (behind.isalnum() and part[-1].isalnum()):
            return at
        at += 1
    return -1
