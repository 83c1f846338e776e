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


def of(messages: Messages, last_text: str) -> list[Text | Retracted]:
    return list(messages.complete(9, last_text))


def test_what_stop_has_and_no_hook_reported_completes_the_last_message() -> None:
    messages = Messages()
    show(messages, piece(0, "One "), piece(2, "never in time "))
    messages.stop()
    assert of(messages, "One two.") == [Text(9, "a1", "two.", final=True)]
    assert messages.has_all_of("One two.")
    assert list(messages.finish(9)) == []


def test_blanks_around_a_text_make_no_difference() -> None:
    messages = Messages()
    show(messages, piece(0, "\n\n One \n"))
    messages.stop()
    assert of(messages, "  One two. \n") == [Text(9, "a1", " two.", final=True)]


def test_nothing_is_added_to_what_has_all_of_stops_text() -> None:
    messages = Messages()
    show(messages, piece(0, "First.\n\nOne two.\n"))
    assert of(messages, " One two. ") == []
    assert of(messages, " \n") == []


def test_a_text_that_begins_otherwise_replaces_a_message_that_only_looked_finished() -> None:
    messages = Messages()
    show(messages, piece(0, "Broken off"))
    messages.stop()
    assert of(messages, "Said again.") == [Retracted(9, "a1"), Text(9, "stop", "Said again.", final=True)]
    assert of(messages, "Said again.") == []
    assert show(messages, piece(1, "late piece of the first")) == []


def test_a_message_that_has_ended_is_not_completed_but_replaced() -> None:
    messages = Messages()
    show(messages, piece(0, "One ", final=True))
    messages.stop()
    assert of(messages, "One two.") == [Retracted(9, "a1"), Text(9, "stop", "One two.", final=True)]


def test_after_a_tool_the_text_of_stop_is_a_message_of_its_own() -> None:
    messages = Messages()
    show(messages, piece(0, "Before."))
    messages.keep_last()
    messages.stop()
    assert of(messages, "Before. After.") == [Text(9, "stop", "Before. After.", final=True)]
    assert list(messages.finish(9)) == [Text(9, "a1", "", final=True)]


def test_a_text_that_may_stand_before_the_tool_is_completed_but_never_retracted() -> None:
    for text, completed in [
        ("One two.", [Text(9, "a1", "two.", final=True)]),
        ("Other.", [Text(9, "stop", "Other.", final=True)]),
    ]:
        messages = Messages()
        messages.keep_last(100)
        list(messages.display(7, piece(0, "One "), started=110))
        messages.stop()
        assert of(messages, text) == completed


def test_without_any_message_stops_text_is_the_answer() -> None:
    assert of(Messages(), "All of it.") == [Text(9, "stop", "All of it.", final=True)]


@pytest.mark.parametrize(("started", "replaced"), [(100, False), (110, False), (111, True), (None, True)])
def test_a_text_up_to_a_tenth_of_a_second_after_a_tool_may_stand_before_it(started: int | None, replaced: bool) -> None:
    messages = Messages()
    messages.keep_last(100)
    list(messages.display(7, piece(0, "One"), started=started))
    steps = list(messages.display(7, piece(0, "Two", message="a2"), started=200))
    assert (Retracted(7, "a1") in steps) is replaced


@pytest.mark.parametrize(("started", "replaced"), [(99, True), (100, True), (101, False), (None, False)])
def test_a_text_from_before_stop_replaces_the_one_that_stop_protects(started: int | None, replaced: bool) -> None:
    messages = Messages()
    show(messages, piece(0, "Broken off"))
    messages.stop(100)
    steps = list(messages.display(7, piece(0, "Again", message="a2"), started=started))
    assert (Retracted(7, "a1") in steps) is replaced


def test_a_message_is_retracted_once() -> None:
    messages = Messages()
    show(messages, piece(0, "One"))
    steps = [*show(messages, piece(0, "Two", message="a2")), *show(messages, piece(0, "Three", message="a3"))]
    assert [step.message for step in steps if isinstance(step, Retracted)] == ["a1", "a2"]


def test_a_subagents_text_is_no_part_of_the_answer() -> None:
    assert show(Messages(), piece(0, "x") | {"agent_id": "sub"}) == []


@pytest.mark.parametrize("odd", [{"index": "0"}, {"index": None}, {"delta": None}, {"delta": 5}])
def test_a_piece_without_a_number_or_a_text_is_passed_over(odd: dict[str, Any]) -> None:
    assert show(Messages(), piece(0, "x") | odd) == []
