from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.events.trailer import (
    MAX_CALCULATED,
    MAX_READ,
    TAGS,
    Trailer,
    fallback_tag,
    is_cut_off_mark,
    may_be_meta_mark,
    parse_meta_mark,
    parse_trailer,
)

MARKS = [
    ("[paliadin-meta]", "open"),
    ("[/paliadin-meta]", "close"),
    ("[Paliadin_Meta]", "open"),
    ("[ PALIADIN meta ]", "open"),
    ("[paliadin\u2011meta]", "open"),
    ("[paliadinmeta]", "open"),
    ("[paliadin-meta:]", "open"),
    ("[paliadin-meta\\]", "open"),
    ("[**paliadin-meta**]", "open"),
    ("[ / paliadin - meta ]", "close"),
    ("[\\/paliadin\u2013meta]", "close"),
]


@pytest.mark.parametrize(("marker", "kind"), MARKS)
def test_marks_are_read_leniently(marker: str, kind: str) -> None:
    assert parse_meta_mark(marker) == kind
    assert all(may_be_meta_mark(marker[:end]) for end in range(1, len(marker)))


@pytest.mark.parametrize("marker", ["[paliadin]", "[meta]", "[paliadin-meta-x]", "[x paliadin-meta]", "[]", "[ ]"])
def test_other_brackets_are_no_marks(marker: str) -> None:
    assert parse_meta_mark(marker) is None


@given(st.text("[]/ -_.paliadnmetPALx", max_size=12))
def test_what_cannot_become_a_mark_never_does(text: str) -> None:
    part = "[" + text
    if parse_meta_mark(part):
        assert all(may_be_meta_mark(part[:end]) for end in range(1, len(part)))


@pytest.mark.parametrize(
    ("part", "cut"),
    [("[pal", True), ("[ / Pal", True), ("[paliadin-met", True), ("[pa", False), ("[", False), ("[palace", False)],
)
def test_a_cut_off_mark_begins_with_pal(part: str, cut: bool) -> None:
    assert is_cut_off_mark(part) is cut


def full(body: str) -> str:
    return f"[paliadin-meta]{body}[/paliadin-meta]"


@pytest.mark.parametrize(
    ("body", "tools", "rows", "tag"),
    [
        ("\nused_tools: a, b_c\nrows_seen: 3, 1\nclassifier_tag: data\n", ("a", "b_c"), (3, 1), "data"),
        ("\n- Used Tools = `a`\n* rows-seen=3\n**classifier_tag**: **Data**\n", ("a",), (3,), "data"),
        ('\nused_tools: ["a", \'b\']\nrows_seen: [3, 1]\nclassifier_tag: "concept"\n', ("a", "b"), (3, 1), "concept"),
        ("\nused_tools: none\nrows_seen: -\nclassifier_tag:\n", (), (), None),
        ("\nused_tools: N/A\nrows_seen: none\nclassifier_tag: nonsense\n", (), (), None),
        (" used_tools: a rows_seen: 2 classifier_tag: meta ", ("a",), (2,), "meta"),
        ("used_tools=a; rows_seen=2; classifier_tag=other", ("a",), (2,), "other"),
        ("\nused_tools:\n  - a\n  - b\nrows_seen:\n  - 3\nclassifier_tag: data", ("a", "b"), (3,), "data"),
        ('{"used_tools": ["a"], "rows_seen": [3], "classifier_tag": "data"}', ("a",), (3,), "data"),
        ("\nused_tools: mcp__x__get, srv:tool\nnote: rows b\nconfidence: 7\n", ("mcp__x__get", "srv:tool"), (), None),
        ("\nused_tools: Bash (2x), Read (notes.md)\n", ("Bash", "Read"), (), None),
        ("\nused_tools: Read., mcp__x__y-, a/, b:\n", ("Read", "mcp__x__y", "a", "b"), (), None),
        ("\nrows_seen: about 12, v2, 3.5, many, 99999999999, 4 rows.\n", (), (12, 4), None),
        ("\nclassifier_tag: navigation (see menu)\n", (), (), "navigation"),
        ("\r\nused_tools: a\r\nrows_seen: 1\r\nclassifier_tag: data\r\n", ("a",), (1,), "data"),
        ("\nused_tools: a\nused_tools: b\n", ("b",), (), None),
        ("", (), (), None),
    ],
)
def test_fields_are_read_leniently(body: str, tools: tuple[str, ...], rows: tuple[int, ...], tag: str | None) -> None:
    raw = full(body)
    trailer = parse_trailer(raw)
    assert trailer == Trailer(raw, True, tools, rows, tag, rows_unreadable="many" in body)


@pytest.mark.parametrize(
    ("body", "calculated"),
    [
        (
            "calculated:\n- 17 open = count(status = open)\n- 87 % = 13 / 15\n",
            ("17 open = count(status = open)", "87 % = 13 / 15"),
        ),
        ('calculated:\neight = count(runs > 0)\nFN-12 = "FN 12"\n', ("eight = count(runs > 0)", 'FN-12 = "FN 12"')),
        ('calculated: ["a = 1", "b = 2"]', ("a = 1", "b = 2")),
        ('calculated: [\n  "a = 1",\n  "b = 2"\n]', ("a = 1", "b = 2")),
        ("calculated: 2 = 1 + 1\nused_tools: x\nrows_seen: 3", ("2 = 1 + 1",)),
        ("**calculated**:\n1. `2 = 1 + 1`\n* 3 = 2 + 1\n", ("2 = 1 + 1", "3 = 2 + 1")),
        ("calculated: none\n", ()),
        ("", ()),
    ],
)
def test_calculations_are_read_line_by_line_and_are_no_keys(body: str, calculated: tuple[str, ...]) -> None:
    account = "\nused_tools: a\nrows_seen: 3\nclassifier_tag: data\n"
    trailer = parse_trailer(full(account + body))
    assert trailer.calculated == calculated
    assert (trailer.used_tools, trailer.classifier_tag) == (("x",) if "used_tools" in body else ("a",), "data")


def test_of_a_block_that_was_cut_off_the_last_calculation_may_be_cut_too() -> None:
    whole = "[paliadin-meta]\ncalculated:\n- 2 = 1 + 1\n- 38 = 32 * 1.19\n"
    for end in range(len(whole)):
        trailer = parse_trailer(whole[:end], complete=False)
        assert trailer.calculated in {(), ("2 = 1 + 1",)}
    assert parse_trailer(whole + "[/paliadin-meta]").calculated == ("2 = 1 + 1", "38 = 32 * 1.19")


def test_calculations_alone_are_no_account_of_the_tools() -> None:
    assert not parse_trailer(full("\ncalculated:\n- 2 = 1 + 1\n")).is_account
    assert parse_trailer(full("\ncalculated:\nused_tools: none\n")).is_account
    assert parse_trailer(full("")).is_account


def test_so_many_calculations_are_read_and_no_more() -> None:
    lines = "\n".join(f"- {n} = {n}" for n in range(100))
    assert len(parse_trailer(full(f"\ncalculated:\n{lines}\n")).calculated) == MAX_CALCULATED


@pytest.mark.parametrize(
    ("value", "rows", "unreadable"),
    [
        ("1.200", (1200,), False),
        ("12, 1'500", (12, 1500), False),
        ("twelve, drei", (12, 3), False),
        ("12 lines, none", (12,), False),
        ("a lot", (), True),
        ("12, some", (12,), True),
        ("3.5", (), True),
        ("", (), False),
    ],
)
def test_rows_are_numbers_in_any_notation_or_unreadable(value: str, rows: tuple[int, ...], unreadable: bool) -> None:
    trailer = parse_trailer(full(f"\nused_tools: a\nrows_seen: {value}\n"))
    assert (trailer.rows_seen, trailer.rows_unreadable) == (rows, unreadable)


@pytest.mark.parametrize("tail", ["", "\n", "\n[/pali", "\n[/", "\n["])
def test_a_block_without_its_end_is_read_as_well(tail: str) -> None:
    raw = "[paliadin-meta]\nclassifier_tag: data\nused_tools: a, b" + tail
    assert parse_trailer(raw, complete=False) == Trailer(raw, False, ("a", "b"), (), "data")


def test_of_a_block_without_end_only_the_beginning_is_searched() -> None:
    long = "[paliadin-meta]\nused_tools: Read\n" + "-" * MAX_READ + "\nclassifier_tag: data"
    trailer = parse_trailer(long, complete=False)
    assert (trailer.used_tools, trailer.classifier_tag, trailer.raw) == (("Read",), None, long)


def test_at_the_end_of_a_block_without_its_end_only_a_mark_is_no_value() -> None:
    block = "[paliadin-meta]\nused_tools: Read, Grep"
    assert parse_trailer(f"{block}\nrows_seen: [1, 2]", complete=False).rows_seen == (1, 2)
    assert parse_trailer(f"{block} [/palia", complete=False).used_tools == ("Read", "Grep")
    assert parse_trailer(f"{block} [/paliadin-meta]").used_tools == ("Read", "Grep")


@given(st.text(), st.booleans())
def test_any_block_can_be_read(body: str, complete: bool) -> None:
    trailer = parse_trailer(full(body), complete=complete)
    assert trailer.raw == full(body)
    assert trailer.classifier_tag in {None, *TAGS}
    assert all(0 <= rows < 2**31 for rows in trailer.rows_seen)


@pytest.mark.parametrize(
    ("message", "tag"),
    [
        ("Hello!", "meta"),
        ("Guten Morgen", "meta"),
        ("Danke dir", "meta"),
        ("Who are you?", "meta"),
        ("Was kannst du?", "meta"),
        ("Hallo, wo finde ich die Fristen?", "navigation"),
        ("Where do I find the deadlines?", "navigation"),
        ("Wie komme ich zur Übersicht?", "navigation"),
        ("What is a deadline?", "concept"),
        ("What\u2019s a docket", "concept"),
        ("Explain the appeal", "concept"),
        ("Was ist eine Frist?", "concept"),
        ("Erkläre mir die Berufung", "concept"),
        ("Draft a letter", "other"),
        ("Schreibe einen Brief", "other"),
        ("", "other"),
    ],
)
def test_without_a_trailer_the_question_decides(message: str, tag: str) -> None:
    assert fallback_tag(message, ()) == tag
    assert fallback_tag(message, ["search"]) == "data"
