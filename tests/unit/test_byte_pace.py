"""Who takes bytes without waiting for them gives way to others; who waits for them anyway is not held up."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from paliadin.base.read_pace import AT_ONCE, PAUSE, Pace


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were made. None of them takes time here."""
    made: list[float] = []
    sleep = asyncio.sleep

    async def pause(seconds: float) -> None:
        if seconds == PAUSE:  # others sleep in this process, too
            made.append(seconds)
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", pause)
    return made


@contextmanager
def counted_rounds() -> Iterator[list[int]]:
    """How many rounds of the event loop there were so far."""
    rounds = [0]

    async def count() -> None:
        while True:
            rounds[0] += 1
            await asyncio.sleep(0)

    counting = asyncio.get_running_loop().create_task(count())
    try:
        yield rounds
    finally:
        counting.cancel()


async def test_a_sender_who_never_stops_lets_others_have_a_turn_after_so_many_bytes(pauses: list[float]) -> None:
    pace, size = Pace(), 100
    with counted_rounds() as rounds:
        for _ in range(50 * AT_ONCE // size):
            await pace.take(size)
        assert rounds[0] >= 49
    assert len(pauses) >= 49


async def test_what_comes_a_little_at_a_time_is_not_held_up(pauses: list[float]) -> None:
    pace = Pace()
    for _ in range(1000):
        await pace.take(200)
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # the loop has gone round
    assert pauses == []


async def test_many_who_have_a_little_each_at_the_same_time_are_not_held_up(pauses: list[float]) -> None:
    line = asyncio.Lock()
    paces = [Pace(line) for _ in range(100)]
    for _ in range(10):
        await asyncio.gather(*(pace.take(200) for pace in paces))
        await asyncio.sleep(0)
    assert pauses == []


async def test_many_senders_take_no_more_at_a_time_than_one() -> None:
    """Between two rounds of the loop only one of them goes on."""
    line, taken = asyncio.Lock(), [0]

    async def flood() -> None:
        pace = Pace(line)
        while True:
            await pace.take(AT_ONCE)
            taken[0] += 1

    floods = [asyncio.create_task(flood()) for _ in range(20)]
    most = 0
    for _ in range(500):
        before = taken[0]
        await asyncio.sleep(0)
        most = max(most, taken[0] - before)
    for each in floods:
        each.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.gather(*floods)
    assert taken[0] > 20
    assert most == 1
