from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.events.answer_text import AnswerMessage
from paliadin.events.chips import Chip


def add(message: AnswerMessage, *pieces: tuple[int, str]) -> list[str | Chip]:
    return [shown for index, text in pieces for shown in message.add(index, text, final=False)]


def test_pieces_wait_for_those_before_them() -> None:
    message = AnswerMessage("a1")
    assert add(message, (2, "three "), (1, "two ")) == []
    assert "".join(map(str, add(message, (0, "one ")))) == "one two three"
    assert add(message, (3, "four")) == [" four"]


def test_the_source_is_kept_and_what_is_shown_is_without_markers() -> None:
    message = AnswerMessage("a1")
    text = "See [chip:nav:/a].\n\n---\n[paliadin-meta]\nused_tools: none\n[/paliadin-meta]\n"
    shown = [*message.add(0, text, final=True)]
    assert message.source == text
    assert message.visible_text == "See."
    assert [piece for piece in shown if isinstance(piece, Chip)] == [Chip("nav", "nav", value="/a")]
    assert message.trailer
    assert message.finished


def test_the_final_piece_may_come_before_the_others() -> None:
    message = AnswerMessage("a1")
    assert list(message.add(2, "", final=True)) == []
    assert not message.finished
    assert "".join(map(str, add(message, (1, "two `"), (0, "one ")))) == "one two `"
    assert message.finished


def test_finishing_twice_shows_nothing_twice() -> None:
    message = AnswerMessage("a1")
    add(message, (0, "one [#dead"))
    assert list(message.finish()) == [" [#dead"]
    assert list(message.finish()) == []


def test_a_negative_or_a_past_piece_says_nothing() -> None:
    message = AnswerMessage("a1")
    add(message, (0, "one"))
    assert add(message, (-1, "x"), (0, "x")) == []
    assert message.source == "one"


def test_a_message_has_started_once_something_of_it_was_seen() -> None:
    for text, started in (("[#dead", False), ("\n\n---", False), ("x", True), ("[chip:nav:/a] x", True)):
        message = AnswerMessage("a1")
        add(message, (0, text))
        assert message.started is started


@given(st.permutations(list(enumerate(["One ", "[#a-OPEN", ":1] ", "two.", "\n\n", "---\n", "[paliadin-", "meta]"]))))
def test_every_order_shows_the_same(pieces: list[tuple[int, str]]) -> None:
    message = AnswerMessage("a1")
    for index, text in pieces:
        list(message.add(index, text, final=index == 7))
    assert (message.visible_text, message.finished) == ("One two.", True)


@pytest.mark.parametrize("missing", range(4))
def test_a_missing_piece_is_left_out_at_the_end(missing: int) -> None:
    message = AnswerMessage("a1")
    for index, text in enumerate(["a", "b", "c", "d"]):
        if index != missing:
            list(message.add(index, text, final=index == 3))
    list(message.finish())
    assert message.visible_text == "abcd".replace("abcd"[missing], "")
