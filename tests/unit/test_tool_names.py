"""What tools are called: the same as in the page's tool-names.js, which has the same examples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paliadin.words.tool_names import rows_of, tool_list, tool_words

EXAMPLES = json.loads((Path(__file__).parents[1] / "tool_names.json").read_text("utf-8"))


@pytest.mark.parametrize(("name", "english", "german"), EXAMPLES)
def test_tools_have_names_in_words_in_both_languages(name: str, english: str, german: str) -> None:
    assert (tool_words(name), tool_words(name, "de")) == (english, german)


def test_a_long_name_is_clipped() -> None:
    assert tool_words(f"get_{'x' * 500}") == f"X{'x' * 59} looked up"


def test_tools_are_listed_once_and_rows_are_those_of_what_was_read() -> None:
    assert tool_list(["Read", "Bash", "Read"]) == "File read, Command run"
    assert [rows_of("Read", 1), rows_of("Grep", 1_200)] == ["1 line", "1,200 rows"]
