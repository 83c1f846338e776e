"""Provisional text: what is shown early is what the hooks confirm, or it is taken back."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paliadin.events.model import Activity, Answered, ContentDelta, ContentReset, Event, EventData, Preview, as_json
from paliadin.events.preview import PreviewState
from paliadin.events.preview_reader import PreviewReader
from paliadin.steps.model import Text
from tests.unit.test_answer_filter import BLOCK, FRAGMENTS
from tests.worlds.logs import reduced, sent
from tests.worlds.provisional import Client

BEGIN: dict[str, Any] = {"at": 1, "begin": "0"}
COMPLETE: dict[str, Any] = {"at": 9, "end": "complete"}
BROKEN: dict[str, Any] = {"at": 9, "end": "broken"}


class Turn:
    """A running turn with one client that has been there from its beginning."""

    def __init__(self) -> None:
        self.state, self.reader, self.client = PreviewState(), PreviewReader(), Client()
        self.heard: list[Preview | Activity] = []
        self.events: list[Event] = []

    def generate(self, *texts: str) -> Turn:
        for text in texts:
            self.live({"at": 2, "text": text})
        return self

    def live(self, *lines: dict[str, Any]) -> Turn:
        for line in lines:
            self.state.take(line)
            self.update()
        return self

    def hooks(self, *data: EventData) -> Turn:
        for one in data:
            event = Event(len(self.events) + 1, one)
            self.events.append(event)
            self.state.confirm([event])
            self.client.take(event.name, as_json(one))
            self.update()
        return self

    def update(self) -> None:
        for told in self.reader.update(self.state):
            self.heard.append(told)
            self.client.take(told.event, as_json(told))

    @property
    def shown(self) -> list[str]:
        return self.client.shown


def confirm(text: str, message: str = "m1") -> ContentDelta:
    return ContentDelta(text, message)


def test_words_are_shown_as_they_are_generated_and_confirmed_without_a_change() -> None:
    turn = Turn().live(BEGIN).generate("Hel", "lo", " wor")
    assert turn.shown == ["Hello wor"]
    turn.generate("ld.\nNext")
    heard = len(turn.heard)
    turn.hooks(confirm("Hello world.\n"))
    assert (turn.shown, turn.client.provisional) == (["Hello world.\nNext"], "Next")
    assert len(turn.heard) == heard  # nothing needs to be said


def test_a_client_that_joins_gets_the_whole_unconfirmed_rest_first() -> None:
    turn = Turn().live(BEGIN).generate("One.\nTwo. ", "Thr")
    turn.hooks(confirm("One.\n"))
    assert PreviewReader().update(turn.state) == [Preview(0, 5, "Two. Thr")]
    assert PreviewReader().update(PreviewState()) == []  # there is no preview log


def test_a_client_that_comes_back_is_told_that_there_is_nothing_any_more() -> None:
    turn = Turn().live(BEGIN).generate("One.\nTwo").live(BROKEN)
    turn.hooks(confirm("One.\n"))
    assert PreviewReader().update(turn.state) == [Preview(0, 5, "")]


def test_what_the_hooks_do_not_bear_out_is_taken_back_at_once() -> None:
    turn = Turn().live(BEGIN).generate("Hello world")
    turn.hooks(confirm("Something else.\n"))
    assert (turn.shown, turn.client.provisional) == (["Something else.\n"], "")
    turn.generate(" more")
    assert turn.shown == ["Something else.\n"]
    turn.live(COMPLETE, BEGIN).generate("Next")
    assert turn.shown == ["Something else.\n", "Next"]


def test_a_message_that_turns_out_different_later_is_taken_back_too() -> None:
    turn = Turn().live(BEGIN).generate("One.\nTwo. Three")
    turn.hooks(confirm("One.\n"))
    assert turn.client.provisional == "Two. Three"
    turn.hooks(confirm("Zwei.\n"))
    assert turn.shown == ["One.\nZwei.\n"]


def test_a_message_after_a_tool_is_the_next_one_also_if_the_hooks_are_late() -> None:
    """What was shown of the first stays until it is confirmed; only then can the next one have a number."""
    turn = Turn().live(BEGIN).generate("Let me look.\nAnd then").live(COMPLETE)
    turn.hooks(confirm("Let me look.\n", "m1"))
    turn.live(BEGIN).generate("Found")
    assert turn.shown == ["Let me look.\nAnd then"]
    turn.hooks(confirm("And then", "m1"))
    assert turn.shown == ["Let me look.\nAnd then", "Found"]
    turn.generate(" it.").hooks(confirm("Found it.", "m2"))
    assert (turn.shown, turn.client.provisional) == (["Let me look.\nAnd then", "Found it."], "")


def test_no_message_is_shown_before_the_one_in_front_of_it_is_there() -> None:
    turn = Turn().live(BEGIN).generate("One.").live(COMPLETE, BEGIN).generate("Two.").live(COMPLETE, BEGIN)
    assert turn.shown == ["One."]
    turn.generate("Three.")
    turn.hooks(confirm("One.", "m1"))
    assert turn.shown == ["One.", "Two."]
    turn.hooks(confirm("Two.", "m2"))
    assert turn.shown == ["One.", "Two.", "Three."]


def test_a_response_that_the_hooks_never_tell_of_does_not_stand_in_the_way() -> None:
    turn = Turn().live(BEGIN).generate("Lost.").live(COMPLETE, BEGIN).generate("Found it, and mo")
    turn.hooks(confirm("Found", "m1"))
    assert turn.shown == ["Found it, and mo"]


def test_a_response_without_text_is_no_message() -> None:
    turn = Turn().live(BEGIN, {"at": 3, "block": "tool_use", "name": "Read"}, COMPLETE, BEGIN).generate("Found")
    assert (turn.client.number, turn.shown) == (0, ["Found"])


def test_a_response_that_breaks_off_unseen_by_the_hooks_is_replaced_by_the_next() -> None:
    turn = Turn().live(BEGIN).generate("A paragraph that br").live(BROKEN)
    assert turn.shown == []
    turn.live(BEGIN).generate("A para")
    assert (turn.client.number, turn.shown) == (0, ["A para"])


def test_a_response_that_is_asked_for_again_is_never_shown_twice() -> None:
    turn = Turn().live(BEGIN).generate("One.\nTwo. And th")
    turn.hooks(confirm("One.\n", "m1")).live(BROKEN)
    assert turn.shown == ["One.\n"]
    turn.live(BEGIN).generate("One.\nTwo")
    assert turn.shown == ["One.\n"]  # the old one still stands there
    turn.hooks(ContentReset("m1", "again"), confirm("One.\n", "m2"))
    assert (turn.shown, turn.client.number) == (["One.\nTwo"], 1)


def test_when_the_answer_is_complete_nothing_is_provisional() -> None:
    turn = Turn().live(BEGIN).generate("One.\nTwo")
    turn.hooks(confirm("One.\n"), Answered(5))
    turn.generate(" late")
    assert (turn.shown, turn.client.provisional) == (["One.\n"], "")


def test_a_log_that_is_read_again_from_its_beginning_gives_the_same() -> None:
    """A daemon that was started anew has all events before it reads the first line of the preview log."""
    lines = [BEGIN, {"at": 2, "text": "I look.\n"}, COMPLETE, BEGIN, {"at": 2, "text": "I found.\nAnd"}]
    state = PreviewState()
    events = [Event(1, confirm("I look.\n", "m1")), Event(2, confirm("I found.\n", "m2"))]
    state.confirm(events)
    reader, client = PreviewReader(), Client()
    for event in events:
        client.take(event.name, as_json(event.data))
    for line in lines:
        state.take(line)
        for told in reader.update(state):
            client.take(told.event, as_json(told))
    assert client.shown == ["I look.\n", "I found.\nAnd"]


def test_what_is_generated_is_told_by_its_kind() -> None:
    turn = Turn().live(BEGIN, {"at": 5, "block": "thinking"})
    assert turn.heard[-1] == Activity("thinking", None, 5)
    turn.live({"at": 7, "block": "text"})
    assert turn.heard[-1] == Activity("writing", None, 7)
    turn.live({"at": 8, "block": "tool_use", "name": "Bash"})
    assert turn.heard[-1] == Activity("tool", "Bash", 8)
    turn.live(COMPLETE)
    assert turn.heard[-1].event == "activity"
    assert turn.client.phase == ""


@pytest.mark.parametrize(
    "line", [{}, {"text": 5}, {"block": None}, {"begin": []}, {"end": 7}, {"at": "x", "text": "a"}, {"name": "b"}]
)
def test_odd_lines_break_nothing(line: dict[str, Any]) -> None:
    state, reader = PreviewState(), PreviewReader()
    for one in [line, BEGIN, line, {"at": 1, "text": "x"}, line]:
        state.take(one)
        reader.update(state)


def pieces_of(text: str, chance: random.Random) -> list[str]:
    cuts = sorted(chance.choices(range(len(text) + 1), k=chance.randint(0, 8)))
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True) if start < end]


def interleaved(messages: Sequence[str], chance: random.Random) -> tuple[list[str], list[Any]]:
    """What a client shows over time while hooks are behind what is generated; and all events."""
    turn = Turn()
    reducer = reduced({}, [{"at": 0, "relay": {"kind": "accepted"}}])
    seen: list[str] = []

    def hooks(message: int, delta: str, *, final: bool) -> None:
        turn.hooks(*[event.data for event in reducer.feed(Text(1, f"m{message}", delta, final=final))])

    for message, text in enumerate(messages):
        turn.live(BEGIN)
        waiting: list[str] = []
        for piece in pieces_of(text, chance):
            turn.generate(piece)
            seen += turn.shown[-1:]
            waiting.append(piece)
            if chance.random() < 0.3:
                hooks(message, "".join(waiting), final=False)
                waiting.clear()
                seen += turn.shown[-1:]
        turn.live(COMPLETE)
        seen += turn.shown[-1:]
        hooks(message, "".join(waiting), final=True)
        assert turn.client.provisional == ""
    return seen, sent(reducer.events)


written = st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join)


@given(written, st.randoms(use_true_random=False))
@example(f"Text.\n\n---\n{BLOCK}\n", random.Random(1))  # noqa: S311
@example("See [#deadline-OPEN:c47bd2] and [chip:nav:/x].", random.Random(2))  # noqa: S311
def test_nothing_is_ever_shown_that_the_answer_will_not_have(text: str, chance: random.Random) -> None:
    """However the tokens are cut: no trailer, no chip's marker, and no half of either."""
    seen, events = interleaved([text], chance)
    whole = "".join(event.data["text"] for event in events if event.name == "content_delta")
    assert all(whole.startswith(shown) for shown in seen), (seen, whole)


@given(st.lists(written, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_each_message_is_confirmed_as_it_was_shown(texts: list[str], chance: random.Random) -> None:
    seen, events = interleaved(texts, chance)
    wholes: dict[str, str] = {}
    for event in events:
        if event.name == "content_delta":
            wholes[event.data["message_id"]] = wholes.get(event.data["message_id"], "") + event.data["text"]
    assert all(any(whole.startswith(shown) for whole in wholes.values()) for shown in seen)
