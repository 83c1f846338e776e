"""A turn counts as running from the moment at which it is noted: its row is written before its stream is there."""

from __future__ import annotations

import asyncio

from paliadin.conversations.changes import Changes
from paliadin.turns.running_turns import RunningTurns


def test_a_turn_that_is_about_to_begin_has_more_events() -> None:
    turns = RunningTurns(Changes())
    turns.note("main", "t1")
    assert turns.has_more_events("t1")
    assert not turns.has_more_events("t0")
    turns.drop("main")
    assert not turns.has_more_events("t1")


async def test_who_wants_a_turn_that_is_about_to_begin_waits_until_it_does_or_does_not() -> None:
    turns = RunningTurns(Changes())
    await turns.wait_until_begun("t1")  # it never was
    for session in ("one", "other"):
        turns.note(session, f"t-{session}")
    waiting = [asyncio.create_task(turns.wait_until_begun(f"t-{session}")) for session in ("one", "other")]
    await asyncio.sleep(0)
    turns.drop("one")
    await waiting[0]
    assert not waiting[1].done()
    turns.close()
    await waiting[1]
