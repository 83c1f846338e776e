"""A turn counts as running from the moment at which it is noted: its row is written before its stream is there."""

from __future__ import annotations

from paliadin.conversations.changes import Changes
from paliadin.turns.running_turns import RunningTurns


def test_a_turn_that_is_about_to_begin_has_more_events() -> None:
    turns = RunningTurns(Changes())
    turns.note("main", "t1")
    assert turns.has_more_events("t1")
    assert not turns.has_more_events("t0")
    turns.drop("main")
    assert not turns.has_more_events("t1")
