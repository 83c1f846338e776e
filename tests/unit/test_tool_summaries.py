from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.events.tool_summaries import (
    MAX_ITEMS,
    MAX_SUMMARY,
    MAX_TEXT,
    call_summary,
    one_line,
    result_summary,
    shorten,
)
from paliadin.evidence.results import result_text, tool_rows

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text('[]{}",:a1\n', max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["file", "content", "type", "text", "count", "rows", "stdout", "error", "x"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("tool_input", "summary"),
    [
        ({"content": "long", "file_path": "/a.txt"}, "/a.txt"),
        ({"description": "List", "command": "ls\n  -l"}, "ls -l"),
        ({"pattern": "x", "path": "/a"}, "x"),
        ({"case_number": 17}, "17"),
        ({"deep": {"a": 1}}, ""),
        ({}, ""),
        (None, ""),
        ("text", ""),
        ({"file_path": 3, "other": "that"}, "3"),
        ({"file_path": "/deep" * 50 + "/C-114/notes.md"}, "…" + ("/deep" * 50 + "/C-114/notes.md")[-159:]),
        ({"command": "/deep" * 50}, ("/deep" * 50)[:159] + "…"),
    ],
)
def test_the_summary_of_a_call_is_the_value_that_tells_most(tool_input: object, summary: str) -> None:
    assert call_summary(tool_input) == summary


@pytest.mark.parametrize(
    ("name", "response", "rows"),
    [
        ("Read", {"type": "text", "file": {"content": "a\nb\n", "numLines": 2}}, 2),
        ("Grep", {"mode": "content", "numMatches": 3, "numLines": 9}, 3),
        ("Grep", {"numFiles": 0, "filenames": []}, 0),
        ("Glob", {"filenames": ["a", "b"], "numFiles": 2}, 2),
        ("Bash", {"stdout": "one\ntwo\nthree", "stderr": ""}, 3),
        ("Bash", {"stdout": ""}, 0),
        ("Other", {"stdout": "one"}, 1),
        ("mcp__x", [{"type": "text", "text": '[{"id": 1}, {"id": 2}]'}], 2),
        ("mcp__x", [{"type": "text", "text": '{"rows": [1, 2, 3]}'}], 3),
        ("mcp__x", [{"type": "text", "text": '{"total_count": 7, "items": [1]}'}], 7),
        ("mcp__x", {"content": [{"type": "text", "text": "one\ntwo"}]}, 2),
        ("mcp__x", [{"type": "image"}, {"type": "text", "text": "x"}], 1),
        ("mcp__x", [{"type": "image"}, {"type": "image"}], None),
        ("Read", {"type": "image", "file": {"base64": "", "type": "image/png", "originalSize": 3}}, None),
        ("mcp__x", '{"ok": true}', None),
        ("mcp__x", '{"count": true}', None),
        ("mcp__x", '{"broken', 1),
        ("mcp__x", "one\ntwo", 2),
        ("mcp__x", " \n", 0),
        ("mcp__x", [], 0),
        ("mcp__x", "[" * 100_000, 1),
        ("mcp__x", None, None),
        ("mcp__x", 3, None),
        ("mcp__x", {"numLines": 4}, 4),
        ("mcp__x", {"numFiles": 5, "filenames": ["a"]}, 5),
        ("mcp__x", {"count": 6}, 6),
        ("mcp__x", {"count": "6"}, None),
        ("mcp__x", {"items": [1, 2]}, 2),
        ("mcp__x", {"results": [1, 2]}, 2),
        ("mcp__x", {"data": [1, 2]}, 2),
        ("mcp__x", {"rows": "two"}, None),
        ("mcp__x", {"content": "one"}, None),
        ("mcp__x", " \n [1, 2, 3] ", 3),
        ("mcp__x", "no list]", 1),
        ("mcp__x", "[1, 2\n3", 2),
        ("mcp__x", "X\n[1]", 1),
        ("mcp__x", '{"stdout": "one"}', None),
        ("Bash", '{"stdout": "one"}', None),
        ("mcp__x", [{"type": "text", "text": "one\ntwo"}, {"type": "text", "text": "three"}], 2),
        ("mcp__x", [{"type": "image", "text": "one\ntwo"}], None),
        ("mcp__x", [{"type": "text"}], 1),
        ("Read", {"file": {"content": 5}, "count": 2}, 2),
        ("Read", {"file": "x", "count": 2}, 2),
    ],
)
def test_rows_are_counted_where_the_result_tells_them(name: str, response: object, rows: int | None) -> None:
    assert tool_rows(name, response) == rows


def test_the_places_of_pictures_that_claude_code_names_are_no_rows() -> None:
    picture, place = {"type": "image", "data": ""}, {"type": "text", "text": "[Image: source: /tmp/a b.png]"}
    words = {"type": "text", "text": "Two views"}
    assert tool_rows("mcp__x__look", [words, picture, place, picture, place]) == 1
    assert tool_rows("mcp__x__look", [picture, place]) is None
    assert tool_rows("mcp__x__look", [words, place]) == 2  # without a picture it is the tool's own


@pytest.mark.parametrize(
    ("response", "summary"),
    [
        ({"stdout": "first\nsecond", "stderr": "x"}, "first"),
        ({"type": "text", "file": {"filePath": "/a", "content": "id,what\n1,2"}}, "id,what"),
        ({"filenames": ["a", "b"]}, "a"),
        ({"error": "no such file"}, "no such file"),
        ([{"type": "text", "text": "hello\nthere"}], "hello"),
        ({"content": [{"type": "text", "text": "hello"}]}, "hello"),
        ([], ""),
        ("\n\n  one   line \nmore", "one line"),
        (None, ""),
        (True, ""),
        ({}, ""),
        ({"message": "sent"}, "sent"),
        ({"text": "said"}, "said"),
        ({"stdout": "", "error": "failed"}, "failed"),
        ({"other": "x", "stdout": "a"}, "a"),
        ({"other": "x", "filenames": ["a"]}, "a"),
        ({"other": "x", "error": "a"}, "a"),
        ({"other": "x", "message": "a"}, "a"),
        ("one\ntwo\nthree", "one"),
        ({"other": "value"}, "value"),
        (5, "5"),
    ],
)
def test_the_summary_of_a_result_is_its_first_line(response: object, summary: str) -> None:
    assert result_summary(response) == summary


def test_all_that_a_tool_returned_is_there_to_verify_chips_against() -> None:
    response = {"a": ["c47bd2", {"b": 17, "c": None, "d": True}], "e": 1.5}
    assert result_text(response).split() == ["c47bd2", "17", "1.5"]


@pytest.mark.parametrize(
    "response",
    [
        {"type": "image", "file": {"base64": "c47bd2==", "type": "image/png"}},
        [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "c47bd2=="}}],
    ],
)
def test_the_bytes_of_a_picture_are_no_text(response: object) -> None:
    assert "image/png" in result_text(response)
    assert "c47bd2" not in result_text(response)


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ("<tool_use_error>File c47bd2 does not exist.\nLook.</tool_use_error>", "File c47bd2 does not exist.\nLook."),
        (
            "\n<tool_use_error>File c47bd2 does not exist.\nLook.</tool_use_error>\n",
            "File c47bd2 does not exist.\nLook.",
        ),
        (
            "<tool_use_error>File c47bd2 does not exist.\nThe rest was cu",
            "File c47bd2 does not exist.\nThe rest was cu",
        ),
        ("<tool_use_error><b> < </tool_use_error> c</tool_use_error>", "<b> < </tool_use_error> c"),
        ("<tool_use_error></tool_use_error>", ""),
        ("grep: <tool_use_error> is no option", "grep: <tool_use_error> is no option"),
        ("x</tool_use_error>", "x</tool_use_error>"),
    ],
)
def test_the_tags_around_an_error_are_the_models_business(response: str, text: str) -> None:
    assert result_text(response) == text
    assert result_text([{"type": "text", "text": response}]).endswith(text)
    assert result_summary(response) == result_summary({"error": response}) == one_line(text.split("\n", maxsplit=1)[0])


def test_a_summary_is_one_line_of_at_most_160_characters() -> None:
    assert one_line(" a\n\tb  c ") == "a b c"
    assert one_line("x" * 160) == "x" * 160
    cut = one_line("x" * 161)
    assert (len(cut), cut[-1]) == (160, "…")


@given(json_values)
def test_nothing_that_a_tool_may_return_is_too_odd(response: object) -> None:
    assert tool_rows("Bash", response) is None or type(tool_rows("Bash", response)) is int
    assert "\n" not in result_summary(response)
    assert "\n" not in call_summary(response)
    assert isinstance(result_text(response), str)
    json.dumps(tool_rows("x", json.dumps(response)))


def test_of_what_the_page_shows_long_texts_and_long_lists_are_cut() -> None:
    assert shorten("x" * MAX_TEXT) == "x" * MAX_TEXT
    cut = "x" * (MAX_TEXT * 3 // 4) + "… ⟨1000 more characters⟩ …" + "y" * (MAX_TEXT // 4)
    assert shorten("x" * MAX_TEXT + "y" * 1000) == cut
    assert shorten(list(range(MAX_ITEMS + 1))) == list(range(MAX_ITEMS))
    assert shorten({str(number): number for number in range(MAX_ITEMS + 1)}) == {str(n): n for n in range(MAX_ITEMS)}
    assert shorten({"a": ["x" * MAX_TEXT + "y" * 1000, None, True, 1.5]}) == {"a": [cut, None, True, 1.5]}


def test_a_line_is_cut_at_its_limit_and_not_before() -> None:
    assert one_line("x" * MAX_SUMMARY) == "x" * MAX_SUMMARY
    assert one_line("x" * (MAX_SUMMARY + 1)) == "x" * (MAX_SUMMARY - 1) + "…"


@pytest.mark.parametrize(
    "key", ["file_path", "command", "pattern", "url", "query", "path", "description", "skill", "prompt"]
)
def test_a_call_is_summarized_by_each_of_these(key: str) -> None:
    assert call_summary({"a": "other", key: "that"}) == "that"
