"""What goes into a request to the Messages API: of the conversation as much as fits, marked for the cache."""

from __future__ import annotations

import pytest

from paliadin.parts.messages.request import (
    Pair,
    Window,
    estimate,
    is_near,
    messages,
    newest,
    result_block,
    system_blocks,
    with_results,
)

LETTERS = "abc" * 100  # about 100 tokens
PAIRS = [Pair(f"q{number}", LETTERS) for number in range(5)]  # newest first


@pytest.mark.parametrize(
    ("limit", "rate", "kept", "left_out"),
    [
        (1000, 1.0, 5, False),
        (406, 1.0, 4, True),
        (405, 1.0, 3, True),
        (300, 0.5, 5, False),
        (411, 2.0, 2, True),
        (10, 1.0, 0, True),
        (0, 1.0, 0, True),
    ],
)
def test_the_newest_pairs_are_kept_as_far_as_they_fit(limit: int, rate: float, kept: int, left_out: bool) -> None:
    window = newest(PAIRS, "now", limit, rate)
    assert [pair.prompt for pair in window.pairs] == [f"q{number}" for number in reversed(range(kept))]
    assert window.left_out is left_out


def test_an_older_pair_that_would_fit_does_not_follow_one_that_does_not() -> None:
    """What goes along has no hole in it."""
    window = newest([Pair("a", "x"), Pair("b", LETTERS * 9), Pair("c", "x")], "now", 300)
    assert [pair.prompt for pair in window.pairs] == ["a"]
    assert window.left_out


def test_without_a_history_nothing_is_left_out() -> None:
    assert newest([], "x" * 100_000, 10) == Window([])


@pytest.mark.parametrize(
    ("size", "near"), [(100, False), (199, False), (202, True), (400, True), (504, True), (506, False), (9000, False)]
)
def test_an_estimate_is_enough_far_from_the_limit(size: int, near: bool) -> None:
    assert is_near(100, "x" * size) is near


def test_a_letter_beyond_ascii_counts_as_more() -> None:
    assert estimate("ä" * 300) == 201
    assert estimate("\ud800") == 1


def test_the_prompt_is_marked_and_what_was_before_is_sent_as_it_was() -> None:
    sent = messages(Window([Pair("q", "a")]), "now")
    assert [(each["role"], each["content"][0]["text"]) for each in sent] == [
        ("user", "q"),
        ("assistant", "a"),
        ("user", "now"),
    ]
    assert [["cache_control" in block for block in each["content"]] for each in sent] == [[False], [False], [True]]


def test_the_mark_moves_on_to_the_last_results() -> None:
    said = [{"type": "text", "text": "I look."}, {"type": "tool_use", "id": "t1", "name": "x", "input": {}}]
    results = [result_block("t1", "one", is_error=False), result_block("t2", "two", is_error=True)]
    once = with_results(messages(Window([]), "now"), said, results)
    twice = with_results(once, said, [result_block("t3", "three", is_error=False)])
    marked = [
        block.get("text") or block["tool_use_id"] for m in twice for block in m["content"] if "cache_control" in block
    ]
    assert marked == ["now", "t3"]
    assert twice[2]["content"] == results
    assert once[2]["content"][1]["is_error"]
    assert "is_error" not in once[2]["content"][0]


def test_what_is_the_same_for_everybody_stands_first() -> None:
    first, second = system_blocks("rules", "facts")
    assert (first["text"], "cache_control" in first) == ("rules", True)
    assert (second["text"], "cache_control" in second) == ("facts", False)
