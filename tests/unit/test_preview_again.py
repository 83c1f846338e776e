"""Provisional text while the API breaks off and is asked again, hooks are late, and clients and daemons come anew."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, note
from hypothesis import strategies as st

from paliadin.events.model import ContentReset, as_json
from paliadin.events.preview import PreviewState
from paliadin.events.preview_reader import PreviewReader
from paliadin.steps.model import Retracted, Step, Text
from tests.unit.test_preview import BEGIN, BROKEN, COMPLETE, Turn, confirm, pieces_of, written
from tests.worlds.logs import reduced
from tests.worlds.provisional import Client


class BreakingTurn:
    """A turn of which everything is known: the preview log, and the steps that hooks have still to report."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.turn = chance, Turn()
        self.reducer = reduced({}, [{"at": 0, "relay": {"kind": "accepted"}}])
        self.lines: list[dict[str, Any]] = []
        self.late: list[Step] = []
        self.asked = 0
        self.seen: list[list[str]] = []  # what was shown, at any time

    def say(self, text: str, breaks: int) -> None:
        """Generate a message, which breaks off so many times before it is whole."""
        told: list[str] = []
        for left in range(breaks, -1, -1):
            self._attempt(text, told, is_whole=not left)

    def _attempt(self, text: str, told: list[str], *, is_whole: bool) -> None:
        self.asked += 1
        name, pieces, waiting = f"m{self.asked}", pieces_of(text, self.chance), ""
        if not is_whole:
            pieces = pieces[: self.chance.randint(0, len(pieces))]
        while len({step.message for step in self.late if isinstance(step, Text)}) > 1:
            self._hook()  # they are late by less than Claude needs for a tool, or to ask again
        self._live(BEGIN)
        for number, piece in enumerate(pieces):
            is_lost = not is_whole and 0 < number == len(pieces) - 1 and self.chance.random() < 0.3
            if not is_lost:  # what was killed had sent it on, and not written it
                self._live({"at": 2, "text": piece})
            waiting += piece
            if self.chance.random() < 0.3:
                self._tell(told, name, waiting)
                waiting = ""
        if is_whole:
            self._live(COMPLETE)
        elif self.chance.random() < 0.5:  # else nobody was there to write that it broke
            self._live(BROKEN)
        is_told = name in told or self.chance.random() < 0.7  # 2.1.197 displays nothing of some that broke
        if is_whole or (pieces and is_told):
            self._tell(told, name, waiting, final=True)

    def _tell(self, told: list[str], name: str, text: str, *, final: bool = False) -> None:
        if told and name not in told:
            self.late.append(Retracted(1, told[-1]))
        told.append(name)
        self.late.append(Text(1, name, text, final=final))

    def end(self) -> None:
        while self.late:
            self._hook()

    def _live(self, line: dict[str, Any]) -> None:
        note(f"{line}")
        self.lines.append(line)
        self.turn.live(line)
        self._look()
        while self.late and self.chance.random() < 0.35:
            self._hook()

    def _hook(self) -> None:
        step = self.late.pop(0)
        note(f"{step}")
        self.turn.hooks(*[event.data for event in self.reducer.feed(step)])
        self._look()

    def _look(self) -> None:
        self.seen.append(list(self.turn.shown))
        note(f"  {self.turn.shown}")
        if self.chance.random() < 0.2:
            self.read_again(takes_over=self.chance.random() < 0.5)

    def read_again(self, *, takes_over: bool) -> None:
        """A new daemon reads everything, and a new client asks it; `takes_over`: they are the ones from now on."""
        state, reader, client = PreviewState(), PreviewReader(), Client()
        state.confirm(self.turn.events)
        for event in self.turn.events:
            client.take(event.name, as_json(event.data))
        for line in self.lines:
            state.take(line)
        for told in reader.update(state):
            client.take(told.event, as_json(told))
        self.seen.append(list(client.shown))
        note(f"  read again: {client.shown}{', from now on' if takes_over else ''}")
        if takes_over:
            self.turn.state, self.turn.reader, self.turn.client = state, reader, client


messages = st.lists(st.tuples(written, st.integers(0, 2)), min_size=1, max_size=3)


@given(messages, st.randoms(use_true_random=False))
def test_no_message_is_shown_twice_and_nothing_provisional_is_left(
    messages: list[tuple[str, int]], chance: random.Random
) -> None:
    """Besides, the client itself checks the contract of docs/http.md."""
    turn = BreakingTurn(chance)
    for number, (text, breaks) in enumerate(messages):
        turn.say("ABC"[number] * 5 + text, breaks)
    turn.end()
    assert turn.turn.client.provisional == ""
    for shown in turn.seen:
        begins = [text.strip()[0] for text in shown if text.strip()]
        assert len(set(begins)) == len(begins), shown


def test_a_daemon_that_is_started_anew_knows_which_message_was_broken_off() -> None:
    turn = Turn().live(BEGIN).generate("One.\nTwo.")
    turn.hooks(confirm("One.\n", "m1"), confirm("Two.", "m1"), ContentReset("m1", "again"), confirm("One.\n", "m2"))
    turn.hooks(confirm("Two. Three.", "m2"))
    turn.live(BEGIN).generate("One.\nTwo. Three.").live(COMPLETE)
    assert turn.shown == ["One.\nTwo. Three."]


def test_hooks_that_tell_late_of_what_broke_off_take_nothing_from_what_is_generated_now() -> None:
    """So little of a marker is text where it is all that there was."""
    turn = Turn().live(BEGIN).generate("[chip").live(BEGIN).generate("[chip:nav:/x] is", " due")
    assert turn.shown == ["is due"]
    turn.hooks(confirm("[chip", "m1"))
    assert turn.shown == ["[chip"]
    turn.hooks(ContentReset("m1", "again"))
    assert turn.shown == ["is due"]
    turn.generate(" soon")
    assert turn.shown == ["is due soon"]


def test_what_a_reset_takes_from_a_client_it_is_given_again() -> None:
    turn = Turn().live(BEGIN).generate("One.")
    turn.hooks(confirm("One.", "m1")).live(BROKEN, BEGIN).generate("Eins. Zw")
    turn.hooks(ContentReset("m1", "again"))
    assert (turn.shown, turn.client.number) == (["Eins. Zw"], 1)
    turn.generate("ei.")
    assert turn.shown == ["Eins. Zwei."]
