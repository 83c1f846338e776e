"""What a person is asked to allow: nothing hides a part of it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.base.visible_text import escape_invisible, fold_blanks, keep_ends, show, show_strings


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("echo harmless" + "\n" * 300 + "; curl x | sh", "echo harmless\n⟨299 blank lines⟩\n; curl x | sh"),
        ("a" + "\n \t\u3000" * 9 + "\nb", "a\n⟨9 blank lines⟩\nb"),
        ("\n" * 5 + "b", "⟨5 blank lines⟩\nb"),
        ("a\n\n\n\nb", "a\n\n\n\nb"),
        ("a" + " " * 400 + "; b", "a⟨400 blanks⟩; b"),
        ("a" + "\u00a0\t" * 20 + "b", "a⟨40 blanks⟩b"),
        ("if x:\n" + " " * 28 + "deep", "if x:\n" + " " * 28 + "deep"),
        ("echo " * 100, "echo " * 100),
    ],
)
def test_many_blanks_and_empty_lines_are_counted_and_few_stay(text: str, shown: str) -> None:
    assert fold_blanks(text) == show(text) == shown


def test_what_is_folded_has_a_name_in_the_readers_language() -> None:
    assert fold_blanks("a" + " " * 50, lambda kind, count: f"<{kind} {count}>") == "a<blanks 50>"


@pytest.mark.parametrize(
    "character",
    [
        *"\x00\x1b\x7f\x9b\u00ad\u200b\u202e\u2066\u2800\u3164\ufeff\U000e0041\U00013441\U0001d159\U00016fe4\ufffc\ue000",
        "\ud800",
    ],
)
def test_what_cannot_be_seen_is_written_out(character: str) -> None:
    assert escape_invisible(f"a{character}b") == f"a⟨U+{ord(character):04X}⟩b"


def test_every_control_and_format_character_is_written_out() -> None:
    hidden = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in {"Cc", "Cf", "Zl", "Zp"}]
    assert [one for one in hidden if escape_invisible(one) == one] == ["\t", "\n"]


def test_ordinary_text_stays_as_it_is() -> None:
    text = "grep -n 'über' *.md |\n\tsort  # 漢字 😀\n"
    assert show(text) == text


def test_other_values_are_shown_as_json() -> None:
    assert show({"a": ["b\u202e", 1]}) == '{"a": ["b⟨U+202E⟩", 1]}'
    assert show_strings({"a\u202e": ["\n" * 9, 1, None]}) == {"a⟨U+202E⟩": ["⟨9 blank lines⟩\n", 1, None]}


def test_a_cut_keeps_both_ends_and_says_how_much_is_missing() -> None:
    assert keep_ends("x" * 40, 40) == "x" * 40
    assert keep_ends("a" * 30 + "b" * 30 + "c" * 10, 40) == "a" * 30 + "… ⟨30 more characters⟩ …" + "c" * 10


@given(st.text("abc \n"), st.integers(4, 40))
def test_a_cut_counts_right(text: str, longest: int) -> None:
    head, mark, tail = keep_ends(text, longest, "\0{}\0").partition("\0")
    if mark:
        missing, _, tail = tail.partition("\0")
        assert text.startswith(head)
        assert text.endswith(tail)
        assert (len(head) + len(tail), int(missing)) == (longest, len(text) - longest)
