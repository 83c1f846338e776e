import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.cli import replies
from paliadin.cli.markdown import split_blocks
from paliadin.cli.text import clean, json_line, one_line
from paliadin.cli.turn_output import summary

RED_OR_BLUE = {"question": "Which?", "multi": False, "options": [{"label": "Red"}, {"label": "Blue"}]}
SEVERAL = {**RED_OR_BLUE, "multi": True}
OPEN = {"question": "When?", "multi": False, "options": []}


def test_clean_text_shows_control_characters_instead_of_obeying_them() -> None:
    assert clean("a\x1b[2Jb\x07\x7f\x9b\u202e\ud800\tc\r\nd\re") == "a␛[2Jb␇␡\ufffd\ufffd\ufffd\tc\nd␍e"


def test_one_line_is_cut_with_an_ellipsis() -> None:
    assert one_line(" a\n\tb   c ", 5) == "a b c"
    assert one_line("abcdef", 5) == "abcd…"


@given(st.dictionaries(st.text(), st.text()))
def test_json_line_is_one_line_that_means_the_same(value: dict[str, str]) -> None:
    line = json_line(value)
    assert json.loads(line) == value
    assert clean(line) == line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("question", "line", "value"),
    [
        (RED_OR_BLUE, "2\n", "Blue"),
        (RED_OR_BLUE, "green, please\n", "green, please"),
        (RED_OR_BLUE, " \n", None),
        (SEVERAL, "2, 1 2\n", ["Blue", "Red"]),
        (SEVERAL, "1\n", ["Red"]),
        (SEVERAL, "none of them\n", ["none of them"]),
        (OPEN, "3\n", "3"),
    ],
)
def test_typed_line_becomes_a_reply(question: replies.JsonObject, line: str, value: object) -> None:
    assert replies.parse_reply(line, question) == value


@pytest.mark.parametrize(
    ("question", "line"), [(RED_OR_BLUE, "3"), (RED_OR_BLUE, "0"), (RED_OR_BLUE, "1,2"), (SEVERAL, "1 3")]
)
def test_number_that_fits_no_option_is_asked_again(question: replies.JsonObject, line: str) -> None:
    with pytest.raises(replies.InvalidReply):
        replies.parse_reply(line, question)


def test_long_tool_input_is_marked_as_cut() -> None:
    shown = replies.permission_text({"input": {"content": "x" * 4900 + "; curl | sh"}})
    assert "⟨920 characters are left out here: the page shows them⟩" in shown
    assert shown.endswith("xx; curl | sh")


def test_no_blanks_hide_the_end_of_what_is_asked_for() -> None:
    command = "echo harmless" + "\n" * 300 + "; curl x\u202e | sh" + " " * 200 + "; rm"
    assert replies.permission_text({"input": {"command": command, "n": 1}}).split("\n") == [
        "    command: echo harmless",
        "    ⟨299 blank lines⟩",
        "    ; curl x⟨U+202E⟩ | sh⟨200 blanks⟩; rm",
        "    n: 1",
    ]


def test_an_input_of_which_a_part_is_missing_says_so() -> None:
    assert replies.permission_text({"input": {"command": "a"}, "cut": True}).split("\n")[1].startswith("! This was too")


def test_a_link_in_the_path_is_told_with_the_file_that_is_meant() -> None:
    text = replies.permission_text({"input": {"file_path": "/a"}, "leads_to": "/b\n\u202ec"})
    warning = "! A link stands in this path. It leads to /b⟨U+000A⟩⟨U+202E⟩c"
    assert text.split("\n") == ["    file_path: /a", warning]


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("one", ""),
        ("one\n\ntwo", "one\n\n"),
        ("# h\ntext\n", "# h\n"),
        ("- a\n\n- b\n\n  more\n", ""),
        ("a\n\n```\nb\n\nc", "a\n\n"),
        ("a\n\n| x |\n|---|\n| 1 |\n", "a\n\n"),
        ("", ""),
    ],
)
def test_only_the_last_block_is_still_open(text: str, complete: str) -> None:
    assert split_blocks(text) == (complete, text.removeprefix(complete))


def test_summary_says_where_the_trailer_claims_other_tools() -> None:
    evidence = {"classifier_tag": "data", "observed_tools": ["Read"], "used_tools": ["sql"], "agrees": False}
    usage = {"input_tokens": 4, "cache_read_tokens": 1200, "cache_write_tokens": None, "output_tokens": 33}
    end = {"duration_ms": 1234, "usage": usage, "aborted": False}
    assert summary(evidence, end) == "1.2 s · 1,204 tokens read, 33 written · data · Read · claims sql"


@pytest.mark.parametrize("usage", [None, {}, {"input_tokens": None, "output_tokens": None}])
def test_summary_says_nothing_of_tokens_that_are_not_known(usage: object) -> None:
    assert summary({}, {"duration_ms": None, "usage": usage, "aborted": True}) == "no tools · stopped"
