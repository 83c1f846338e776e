"""A session has one slot: for a turn from before it has a stream until its answer is complete, or for a reset."""

from __future__ import annotations

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from paliadin.base.errors import TurnInFlight
from paliadin.conversations.changes import Changes
from paliadin.turns.sessions import Sessions


@pytest.fixture
def sessions() -> Sessions:
    return Sessions(Changes())


def test_a_turn_that_is_about_to_begin_has_more_events(sessions: Sessions) -> None:
    with sessions.slot("main", "t1"):
        assert sessions.has_more_events("t1")
        assert not sessions.has_more_events("t0")
        assert sessions.of("main") == "t1"
    assert not sessions.has_more_events("t1")
    assert sessions.of("main") is None


@pytest.mark.parametrize("holder", ["t1", None])
def test_a_slot_is_given_once_and_is_free_again_whatever_happens(sessions: Sessions, holder: str | None) -> None:
    with pytest.raises(KeyError), sessions.slot("main", holder):  # noqa: PT012  # the slot is what is looked at
        with pytest.raises(TurnInFlight) as refused, sessions.slot("main", "t2"):
            pass
        assert refused.value.turn_id == holder
        assert (sessions.of("main"), sessions.is_free("main"), sessions.is_free("other")) == (holder, False, True)
        raise KeyError
    assert sessions.is_free("main")


def test_a_turn_that_runs_has_the_slot_and_whoever_had_it_before_does_not_give_it_back(sessions: Sessions) -> None:
    with ExitStack() as earlier:
        earlier.enter_context(sessions.slot("main", "t1"))
        with sessions.slot("main", "t2", runs_already=True):
            earlier.close()
            assert sessions.of("main") == "t2"
    assert sessions.is_free("main")


@pytest.mark.parametrize("holder", ["t1", None])
async def test_who_had_the_slot_when_a_turn_that_ran_already_came_has_it_again_afterwards(
    sessions: Sessions, holder: str | None
) -> None:
    with sessions.slot("main", holder):
        with sessions.slot("main", "t2", runs_already=True):
            assert sessions.of("main") == "t2"
            assert sessions.has_more_events("t1") is (holder == "t1")
        with pytest.raises(TurnInFlight) as refused, sessions.slot("main", "t3"):
            pass
        assert (refused.value.turn_id, sessions.of("main"), sessions.is_free("main")) == (holder, holder, False)
    assert sessions.is_free("main")
    assert not sessions.has_more_events("t1")


def test_a_thread_may_look_while_turns_begin(sessions: Sessions) -> None:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(1) as thread, ExitStack() as others:
            for number in range(200):
                others.enter_context(sessions.slot(f"other-{number}"))
            looking = thread.submit(lambda: [sessions.has_more_events("none") for _ in range(10_000)])
            while not looking.done():
                with sessions.slot("main", "t1"):
                    [sessions.of("main") for _ in range(30)]
            looking.result()
    finally:
        sys.setswitchinterval(before)


async def test_who_wants_a_turn_that_is_about_to_begin_waits_until_it_does_or_does_not(sessions: Sessions) -> None:
    await sessions.wait_until_begun("t1")  # it never was
    with ExitStack() as one, sessions.slot("other", "t-other"):
        one.enter_context(sessions.slot("one", "t-one"))
        waiting = [asyncio.create_task(sessions.wait_until_begun(f"t-{session}")) for session in ("one", "other")]
        await asyncio.sleep(0)
        one.close()
        await waiting[0]
        assert not waiting[1].done()
        sessions.close()
        await waiting[1]
