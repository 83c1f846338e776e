"""Find what names one thing in a text: ids, file numbers, lines of files; and legal sources, which name none. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from paliadin.evidence.vocabulary import PATTERNS

AT_SIGN = "@"  # of a mail address

_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3}){2,4}")
_IS_ID_NUMBER = re.compile(r"\d{1,7}/(?:(?:19|20)?\d\d)")


_NAMES_A_LINE = re.compile(r":\d|[Ll]ine|Zeile|#L|Z\.")
_FILE = re.compile(r"(?:[\w.~@+-]{0,80}[/\\]){0,20}[\w@+-][\w.@+-]{0,80}\.[A-Za-z][A-Za-z0-9]{0,5}")


def find_ids(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the ids and file numbers of a text."""
    for match in PATTERNS["id"].finditer(text):
        start, end = match.span()
        token = match[0].rstrip(".:/-")
        end -= len(match[0]) - len(token)
        labelled = PATTERNS["after_a_label"].search(text, max(start - 24, 0), start) is not None
        if PATTERNS["no_id"].fullmatch(token) and not labelled and not token.startswith("#"):
            continue
        if token.replace("/", "").isdigit() and not labelled and not _is_of_a_year(token):
            continue
        if _THOUSANDS.fullmatch(token) or text[start - 1 : start] == "…":
            continue  # of the end of a name nobody can say if it is whole
        if AT_SIGN in token or any(letter.isdigit() for letter in token):
            yield start, end


def _is_of_a_year(token: str) -> bool:
    return bool(_IS_ID_NUMBER.fullmatch(token)) and len(token.rsplit("/", 1)[1]) == 4


def find_legal_sources(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of references to laws and rules: their numbers are nobody's data."""
    for pattern in (PATTERNS["legal"], PATTERNS["law_of_a_year"]):
        for match in pattern.finditer(text):
            yield match.span()


def find_file_lines(text: str) -> Iterator[tuple[int, int, str, int, int]]:
    """Yield (start, end, path, first line, last line) of the places in files that a text names."""
    for pattern in (
        (PATTERNS["path_line"], PATTERNS["path_then_line"], PATTERNS["line_then_path"])
        if _NAMES_A_LINE.search(text)
        else ()
    ):
        for match in pattern.finditer(text):
            first = int(match["first"])
            yield match.start(), match.end(), match["path"], first, int(match["last"] or first)


def is_file_name(text: str) -> bool:
    """True if a text is a file's name or path, with an ending."""
    return _FILE.fullmatch(text.strip()) is not None
