"""Texts with more combining marks than any script needs: Unicode's order of marks takes quadratic time."""

from __future__ import annotations

import functools
import sys
import unicodedata
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.base.errors import InvalidField, MessageTooLong
from paliadin.prompt.context import MAX_SELECTION, MAX_VALUE, RAW, Context
from paliadin.prompt.text import MAX_MARKS, MAX_RAW_MESSAGE, check_message, clean_text

IDEOGRAPHS = 0x20000  # from here on no character is a mark
decompose = functools.partial(unicodedata.normalize, "NFD")
MARKS = [char for char in map(chr, range(IDEOGRAPHS)) if unicodedata.combining(decompose(char)[0])]
# What may stand between marks and be removed, or come apart into marks.
TRICKS = ["a", "\u1ec7", "\u0344", "\u200d", "\ufe0f", "\u034f", "\u200b", "\t", "\u05d0", "\U0001f600", "\r"]


DOUBLE = [char for char in MARKS if not unicodedata.combining(char)]  # they come apart into marks


def longest_row(text: str) -> int:
    rows = groupby("".join(map(decompose, text)), lambda char: unicodedata.combining(char) > 0)
    return max((len(list(row)) for is_mark, row in rows if is_mark), default=0)


@pytest.fixture(scope="module")
def normalized() -> Any:
    """What is given to `unicodedata.normalize` while the module's tests run."""
    given_texts: list[str] = []
    original = unicodedata.normalize

    def normalize(form: Any, text: str) -> str:
        given_texts.append(text)
        return original(form, text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unicodedata, "normalize", normalize)
        yield given_texts


@given(
    st.lists(
        st.tuples(
            st.lists(st.one_of(map(st.sampled_from, (MARKS, DOUBLE, TRICKS))), min_size=1, max_size=6),
            st.integers(1, 30),
        )
    )
)
def test_only_short_rows_of_marks_are_put_in_order_and_each_text_twice(
    normalized: list[str], parts: list[tuple[list[str], int]]
) -> None:
    text = "".join("".join(part) * times for part, times in parts)
    normalized.clear()
    clean = clean_text(text)
    work = list(normalized)
    assert len(work) <= 2
    assert all(longest_row(each) <= 3 * MAX_MARKS for each in work)  # a character has up to three
    assert all(len(each) <= 4 * len(text) for each in work)
    assert longest_row(clean) <= MAX_MARKS + 2  # a letter may have some of its own


def test_every_mark_counts_also_those_of_rare_planes() -> None:
    for mark in MARKS:
        assert longest_row(clean_text("_" + mark * 100)) <= MAX_MARKS


@pytest.mark.long
def test_composing_makes_no_character_that_is_removed() -> None:
    """So they are looked for once, in the text as it came."""
    for char in (chr(number) for number in range(sys.maxunicode + 1) if not 0xD800 <= number < 0xE000):
        if clean := clean_text(f"x{char}x")[1:-1]:
            assert clean_text(f"x{clean}x")[1:-1] == clean, hex(ord(char))


@pytest.mark.parametrize(
    "text",
    [
        "Tiếng Việt: nghệ thuật, Nguyễn, đường phố",
        "בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים אֵ֥ת הַשָּׁמַ֖יִם וְאֵ֥ת הָאָֽרֶץ",
        "ש\u05c1\u05bc\u05b8\u05bd\u0593\u05bf\u05af",
        "น้ำ ที่ กี๋ ผู้",
        "क्षत्रिय ज़्यादा हिन्दी त्र्यम्बकं",
        "བོད་སྐད་ ཧཱུྃ་ རྒྱ་ ཨོཾ",
        "بِسْمِ ٱللَّهِ ٱلرَّحْمَٰنِ ٱلرَّحِيمِ",
        "မြန်မာ ភាសាខ្មែរ ᬩᬮᬶ",
        "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ 🇩🇪 👍🏽 ❤️‍🔥",
        "a\u0301\u0302\u0303\u0304\u0316\u0317\u0318\u0319 (phonetics)",
    ],
    ids=[
        "Vietnamese",
        "Hebrew",
        "Hebrew at most",
        "Thai",
        "Devanagari",
        "Tibetan",
        "Arabic",
        "Burmese",
        "emoji",
        "IPA",
    ],
)
def test_no_script_loses_a_mark(text: str) -> None:
    for form in ("NFC", "NFD"):
        assert clean_text(unicodedata.normalize(form, text)) == unicodedata.normalize("NFC", text)


def test_lengths_are_checked_before_a_text_is_cleaned(normalized: list[str]) -> None:
    mark = "\u0301\u0316"
    normalized.clear()
    with pytest.raises(MessageTooLong):
        check_message(mark * MAX_RAW_MESSAGE)
    for name in (
        "route_name",
        "primary_entity_type",
        "primary_entity_id",
        "view_mode",
        "filter_summary",
        "page_origin",
    ):
        with pytest.raises(InvalidField):
            Context.parse({name: mark * MAX_VALUE * RAW})
    assert normalized == []
    context = Context.parse({"user_selection_text": "é\u0301" * MAX_SELECTION * 100})
    assert context.selection_cut
    assert all(len(each) <= RAW * MAX_SELECTION for each in normalized)


def test_blanks_behind_a_selection_are_no_part_of_it() -> None:
    assert not Context.parse({"user_selection_text": "x" + " " * 10_000}).selection_cut
    assert Context.parse({"user_selection_text": "x" + " " * 10_000 + "y"}).selection_cut
