"""Find what a number counts: the noun behind it, or a word before it. Pure."""

from __future__ import annotations

import re

from paliadin.evidence.notation import unit_of
from paliadin.evidence.vocabulary import PATTERNS, PREDICATES, STOP

_WORDS_BEHIND = re.compile(r"[ \u00a0]{1,2}([^\W\d_][\w'’-]{0,40})")
_ADVERBS = frozenset({"noch", "still", "bereits", "already", "davon", "schon", "only", "nur"})
_ENDS_SENTENCE = re.compile(r"[.;:,)!](?:\s|\Z)|\Z| (?:in|im) ")
_OUT_OF = re.compile(r"[\d\0] (?:out )?(?:of|von|aus) \Z")
_ENDS_LABEL = re.compile(r"[:=]\W*\Z")
_BEGINS = re.compile(r"(?:\A|[.!?:] |\A\w{2,5}, )\Z")
_ENDS_AT_ONCE = re.compile(r"[.,:]|\Z| [–(-]")
_AND = frozenset({"und", "and", "or", "oder", "sowie", "bzw"})
_LABEL = re.compile(r"([^\W\d_][\w'’-]{1,40})[ .]?(?:\([^()]{0,30}\)[ ]?)?[:=–-]?[ \u00a0]*\Z")


def noun_of(text: str, start: int, end: int, *, is_row: bool, is_english: bool) -> str:
    """What a number counts: the noun behind it, or the word before its colon; "" if it counts nothing."""
    if is_row and _cell(text, start).strip(" \u00a0*_~") == text[start:end]:
        return _first_cell(text)
    if of := PATTERNS["of_them"].match(text, end):
        return of[1].split()[0]
    if _OUT_OF.search(text, max(start - 12, 0), start):
        return "of"
    noun, is_near = _noun_behind(text, end, is_english=is_english)
    if noun or is_near:
        return noun
    label = _LABEL.search(text, max(start - 60, 0), start)
    if label and _ENDS_LABEL.search(text, max(start - 4, 0), start):
        return label[1]
    if PATTERNS["named_alone"].search(text, max(start - 20, 0), start) and _ENDS_SENTENCE.match(text, end):
        return text[start:end]
    if _BEGINS.search(text, max(start - 8, 0), start) and _ENDS_AT_ONCE.match(text, end):
        return text[start:end]
    return ""


def _noun_behind(text: str, end: int, *, is_english: bool) -> tuple[str, bool]:
    """The noun that follows a number, perhaps after other words, and if there are such words."""
    at, words = end, list[str]()
    while len(words) < 6 and (match := _WORDS_BEHIND.match(text, at)):
        word = match[1]
        if not words and word.lower() in PREDICATES:
            return word, True
        if not words and word.lower() in _ADVERBS:
            at = match.end()
            continue
        if word.lower() in STOP and not (words and word.lower() in _AND):
            break
        words.append(word)
        if word[0].isupper() or (is_english and PATTERNS["plural"].fullmatch(word)):
            return "" if unit_of(word) else word, True
        at = match.end()
    plural = [word for word in words if PATTERNS["plural"].fullmatch(word)]
    return plural[0] if plural else "", bool(words)


def _cell(text: str, at: int) -> str:
    start, end = text.rfind("|", 0, at) + 1, text.find("|", at)
    return text[start : end if end >= 0 else len(text)]


def _first_cell(text: str) -> str:
    return text.strip().strip("|").split("|", 1)[0].strip() or "?"
