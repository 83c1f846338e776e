"""The names of tools in words. The page has the same rule: tests/web/tool-names.test.mjs has the same examples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paliadin.words.catalogue import LANGS, words
from paliadin.words.tool_names import kinds, read_tools, row_count, tool_name

EXAMPLES = json.loads((Path(__file__).parents[1] / "tool_names.json").read_text("utf-8"))


@pytest.mark.parametrize(("name", "english", "german"), EXAMPLES)
def test_a_tools_name_is_put_into_words(name: str, english: str, german: str) -> None:
    assert [tool_name(name, lang) for lang in LANGS] == [english, german]


def test_each_kind_has_words_here_and_while_it_runs_and_no_verb_has_two_kinds() -> None:
    verbs = read_tools()["verbs"]
    for kind in verbs:
        assert f"tool.kind.{kind}" in words("shared")
        assert f"status.kind.{kind}" in words("page")
    assert len(kinds()) == sum(map(len, verbs.values()))


@pytest.mark.parametrize(
    ("tool", "count", "lang", "shown"),
    [
        ("Read", 12, "en", "12 lines"),
        ("Read", 1, "en", "1 line"),
        ("Read", 1, "de", "1 Zeile"),
        ("mcp__shop__list_orders", 1, "en", "1 row"),
        ("mcp__shop__list_orders", 0, "en", "0 rows"),
        ("Bash", 7, "de", "7 Zeilen"),
    ],
)
def test_rows_are_counted_in_words(tool: str, count: int, lang: str, shown: str) -> None:
    assert row_count(tool, count, lang) == shown
