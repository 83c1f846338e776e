"""The order of a message's pieces, as MessageDisplay hooks report them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.steps.messages import Messages
from paliadin.steps.model import Retracted, Text


def piece(index: int, delta: str, *, final: bool = False, message: str = "a1") -> dict[str, Any]:
    return {"message_id": message, "index": index, "delta": delta, "final": final}


def show(messages: Messages, *pieces: dict[str, Any]) -> list[Text | Retracted]:
    return [step for hook in pieces for step in messages.display(7, hook) if not isinstance(step, Text) or step.text]


def texts(steps: list[Text | Retracted]) -> list[str]:
    return [step.text for step in steps if isinstance(step, Text)]


def test_pieces_wait_for_those_before_them() -> None:
    messages = Messages()
    assert texts(show(messages, piece(2, "three "), piece(1, "two "))) == []
    assert texts(show(messages, piece(0, "one "))) == ["one ", "two ", "three "]
    assert texts(show(messages, piece(3, "four"))) == ["four"]


def test_a_message_gets_its_place_when_its_first_piece_comes_whichever_that_is() -> None:
    messages = Messages()
    assert list(messages.display(7, piece(1, "two"))) == [Text(7, "a1", "")]


def test_the_last_text_of_a_message_is_marked_wherever_the_final_piece_came() -> None:
    messages = Messages()
    assert show(messages, piece(2, "three", final=True)) == []
    assert show(messages, piece(1, "two "), piece(0, "one ")) == [
        Text(7, "a1", "one "),
        Text(7, "a1", "two "),
        Text(7, "a1", "three", final=True),
    ]
    assert list(messages.finish(8)) == []


def test_a_negative_or_a_past_piece_says_nothing() -> None:
    messages = Messages()
    show(messages, piece(0, "one"))
    assert show(messages, piece(-1, "x"), piece(0, "x")) == []


@given(st.permutations(list(enumerate(["One ", "[#a-OPEN", ":1] ", "two.", "\n\n", "---\n", "[paliadin-", "meta]"]))))
def test_every_order_gives_the_same_text(pieces: list[tuple[int, str]]) -> None:
    messages = Messages()
    steps = show(messages, *(piece(index, text, final=index == 7) for index, text in pieces))
    assert "".join(texts(steps)) == "One [#a-OPEN:1] two.\n\n---\n[paliadin-meta]"
    assert [step.final for step in steps if isinstance(step, Text)] == [False] * 7 + [True]


@pytest.mark.parametrize("missing", range(4))
def test_a_missing_piece_is_left_out_at_the_end(missing: int) -> None:
    messages = Messages()
    pieces = [piece(index, text, final=index == 3) for index, text in enumerate("abcd") if index != missing]
    steps = [*show(messages, *pieces), *messages.finish(8)]
    assert "".join(texts(steps)) == "abcd".replace("abcd"[missing], "")
    assert isinstance(steps[-1], Text)
    assert steps[-1].final


def test_a_message_right_after_another_takes_its_place() -> None:
    messages = Messages()
    steps = show(messages, piece(0, "one"), piece(0, "two", message="a2"))
    assert steps == [Text(7, "a1", "one"), Retracted(7, "a1"), Text(7, "a2", "two")]
