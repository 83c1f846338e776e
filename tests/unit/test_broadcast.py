from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace

from paliadin.base.errors import StorageFull
from paliadin.events.model import Event
from paliadin.events.reducer import Reducer
from paliadin.evidence.model import Evidence
from paliadin.relays.turn import Turn
from paliadin.steps.model import Aborted, Accepted, Checked, Step, Text
from paliadin.turnlog.description import Description
from paliadin.turns.broadcast import TurnStream

TURN = Description("019a2b3c-4d5e-7f60-8123-456789abcdef", "main")


def piece(index: int) -> Text:
    return Text(1, "a1", f"{index} ")


class Log:
    """A turn log whose steps the test hands out."""

    def __init__(self) -> None:
        self.steps: asyncio.Queue[Step] = asyncio.Queue()

    def append(self, step: Step) -> None:
        self.steps.put_nowait(step)

    def write(self, *steps: Step) -> None:
        for step in steps:
            self.append(step)

    def read(self) -> Iterator[Step]:
        raise NotImplementedError

    async def follow(self) -> AsyncIterator[Step]:
        while True:
            yield await self.steps.get()


def stream() -> tuple[TurnStream, Log]:
    log = Log()
    return TurnStream(Turn(TURN, "main", log), Reducer(TURN)), log


async def collect(live: TurnStream, after: int = 0) -> list[Event]:
    return [event async for batch in live.events_after(after) for event in batch]


START, END = Accepted(1), Aborted(2)


async def test_a_turn_without_a_preview_has_the_same_events_and_nothing_provisional() -> None:
    log = Log()
    live = TurnStream(Turn(TURN, "main", log), Reducer(TURN), has_preview=False)
    log.write(START, piece(0), END)
    await live.follow()
    seen = await collect(live)
    assert [event.name for event in seen] == [event.name for event in live.reducer.events]
    assert "content_delta" in {event.name for event in seen}


async def test_many_followers_get_the_same_events_whenever_they_come() -> None:
    live, log = stream()
    taking = asyncio.create_task(live.follow())
    early = [asyncio.create_task(collect(live)) for _ in range(20)]
    middle = []
    for index in range(30):
        log.write(*([START] if index == 0 else []), piece(index))
        await asyncio.sleep(0)
        if index % 10 == 5:
            middle.append(asyncio.create_task(collect(live)))
    log.write(END)
    async with asyncio.timeout(10):
        await taking
        everybody = await asyncio.gather(*early, *middle, collect(live))
    assert all(seen == live.reducer.events for seen in everybody)
    assert [event.id for event in live.reducer.events] == list(range(1, len(live.reducer.events) + 1))
    assert live.reducer.events[-1].name == "end"


async def test_a_follower_goes_on_behind_the_number_it_has() -> None:
    live, log = stream()
    log.write(START, piece(0), piece(1), END)
    await live.follow()
    for number in range(len(live.reducer.events) + 3):
        assert await collect(live, number) == live.reducer.events[number:]


async def test_a_follower_with_a_number_yet_to_come_waits_for_what_is_behind_it() -> None:
    live, log = stream()
    taking = asyncio.create_task(live.follow())
    ahead = asyncio.create_task(collect(live, 4))
    log.write(START, piece(0), piece(1), END)
    async with asyncio.timeout(10):
        await taking
        assert await ahead == live.reducer.events[4:]


async def test_lines_behind_the_end_are_not_asked_for() -> None:
    live, log = stream()
    log.write(START, END, piece(0))
    async with asyncio.timeout(10):
        await live.follow()
    assert log.steps.qsize() == 1
    assert live.closed


async def test_closing_lets_everybody_go_without_an_end() -> None:
    live, log = stream()
    taking = asyncio.create_task(live.follow())
    waiting = [asyncio.create_task(collect(live)) for _ in range(5)]
    log.write(START)
    while not live.reducer.events:
        await asyncio.sleep(0)
    live.close()
    async with asyncio.timeout(10):
        seen = await asyncio.gather(*waiting)
    assert all([event.name for event in events] == ["meta", "status"] for events in seen)
    taking.cancel()
    await asyncio.gather(taking, return_exceptions=True)


async def test_followers_are_counted_until_they_leave() -> None:
    live, log = stream()
    taking = asyncio.create_task(live.follow())
    log.write(START)
    first, second = live.events_after(0), live.events_after(0)
    await anext(first)
    await anext(second)
    assert live.viewers == 2
    await first.aclose()  # type: ignore[attr-defined]
    assert live.viewers == 1
    waiting = asyncio.create_task(collect(live))
    while live.viewers < 2:
        await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert live.viewers == 1
    await second.aclose()  # type: ignore[attr-defined]
    taking.cancel()
    await asyncio.gather(taking, return_exceptions=True)
    assert live.viewers == 0


async def test_a_log_that_cannot_be_read_lets_its_followers_go() -> None:
    class Broken(Log):
        async def follow(self) -> AsyncIterator[Step]:
            yield START
            raise OSError("the disk is gone")

    live = TurnStream(Turn(TURN, "main", Broken()), Reducer(TURN))
    waiting = asyncio.create_task(collect(live))
    taken = await asyncio.gather(live.follow(), return_exceptions=True)
    assert isinstance(taken[0], OSError)
    async with asyncio.timeout(10):
        assert [event.name for event in await waiting] == ["meta", "status"]


def checking(append: Callable[[Step], None]) -> tuple[TurnStream, Log]:
    """A stream of a turn whose answer is checked at its end; `append` keeps what was found out."""
    log = Log()
    description = replace(TURN, checked_at_end=True)

    async def check(_reducer: Reducer, _session: str) -> Checked:
        return Checked(3, [])

    log.append = append  # type: ignore[method-assign]
    return TurnStream(Turn(description, "main", log), Reducer(description), check=check), log


async def test_a_turn_ends_once_its_answer_was_checked_and_that_is_kept() -> None:
    kept: list[Step] = []
    live, log = checking(kept.append)
    for step in (START, piece(0), END):
        log.steps.put_nowait(step)
    await live.follow()
    assert kept == [Checked(3, [])]
    evidence = next(event.data for event in live.reducer.events if isinstance(event.data, Evidence))
    assert (evidence.claims, evidence.verdict) == ((), "nothing_to_check")
    assert live.reducer.events[-1].name == "end"


async def test_a_full_disk_costs_what_was_found_out_and_not_the_turns_end() -> None:
    def full(_step: Step) -> None:
        raise StorageFull("the disk is full")

    live, log = checking(full)
    for step in (START, END):
        log.steps.put_nowait(step)
    await live.follow()
    assert live.reducer.ended


async def test_who_reads_the_end_before_the_turn_is_put_away_has_watched_it() -> None:
    """A page that comes back after a restart of the daemon, in which the answer was completed."""
    live, log = stream()
    log.write(START, piece(0), END)
    await live.follow()
    assert not live.watched
    await collect(live, 2)
    assert live.watched


async def test_who_comes_to_a_turn_that_is_cut_short_has_not_watched_its_end() -> None:
    live, log = stream()
    taking = asyncio.create_task(live.follow())
    log.write(START)
    while not live.reducer.events:
        await asyncio.sleep(0)
    live.close()
    await collect(live)
    assert not live.watched
    taking.cancel()
    await asyncio.gather(taking, return_exceptions=True)
