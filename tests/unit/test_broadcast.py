from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from paliadin.events.reducer import Event
from paliadin.turnlog.read import Line
from paliadin.turns.broadcast import TurnStream

TURN = {"turn_id": "019a2b3c-4d5e-7f60-8123-456789abcdef", "session_id": "main"}


def piece(index: int) -> Line:
    return {"hook": {"hook_event_name": "MessageDisplay", "delta": f"{index} ", "index": index, "message_id": "a1"}}


class Log:
    """Lines that the test hands out; None ends them."""

    def __init__(self) -> None:
        self.lines: asyncio.Queue[Line | None] = asyncio.Queue()

    def write(self, *lines: Line | None) -> None:
        for line in lines:
            self.lines.put_nowait(line)

    async def __aiter__(self) -> AsyncIterator[Line]:
        while (line := await self.lines.get()) is not None:
            yield line


async def collect(live: TurnStream, after: int = 0) -> list[Event]:
    return [event async for event in live.events_after(after)]


START: Line = {"at": 1, "relay": {"kind": "accepted"}}
END: Line = {"at": 2, "relay": {"kind": "aborted"}}


async def test_many_followers_get_the_same_events_whenever_they_come() -> None:
    live, log = TurnStream(TURN, {}), Log()
    taking = asyncio.create_task(live.follow(aiter(log)))
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
    assert all(seen == live.events for seen in everybody)
    assert [event.id for event in live.events] == list(range(1, len(live.events) + 1))
    assert live.events[-1].name == "end"


async def test_a_follower_goes_on_behind_the_number_it_has() -> None:
    live, log = TurnStream(TURN, {}), Log()
    log.write(START, piece(0), piece(1), END)
    await live.follow(aiter(log))
    for number in range(len(live.events) + 3):
        assert await collect(live, number) == live.events[number:]


async def test_a_follower_with_a_number_yet_to_come_waits_for_what_is_behind_it() -> None:
    live, log = TurnStream(TURN, {}), Log()
    taking = asyncio.create_task(live.follow(aiter(log)))
    ahead = asyncio.create_task(collect(live, 4))
    log.write(START, piece(0), piece(1), END)
    async with asyncio.timeout(10):
        await taking
        assert await ahead == live.events[4:]


async def test_lines_behind_the_end_are_not_asked_for() -> None:
    live, log = TurnStream(TURN, {}), Log()
    log.write(START, END, piece(0))
    async with asyncio.timeout(10):
        await live.follow(aiter(log))
    assert log.lines.qsize() == 1
    assert live.closed


async def test_closing_lets_everybody_go_without_an_end() -> None:
    live, log = TurnStream(TURN, {}), Log()
    taking = asyncio.create_task(live.follow(aiter(log)))
    waiting = [asyncio.create_task(collect(live)) for _ in range(5)]
    log.write(START)
    while not live.events:
        await asyncio.sleep(0)
    live.close()
    async with asyncio.timeout(10):
        seen = await asyncio.gather(*waiting)
    assert all([event.name for event in events] == ["meta", "status"] for events in seen)
    taking.cancel()
    await asyncio.gather(taking, return_exceptions=True)


async def test_followers_are_counted_until_they_leave() -> None:
    live, log = TurnStream(TURN, {}), Log()
    taking = asyncio.create_task(live.follow(aiter(log)))
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
    async def broken() -> AsyncIterator[Line]:
        yield START
        raise OSError("the disk is gone")

    live = TurnStream(TURN, {})
    waiting = asyncio.create_task(collect(live))
    taken = await asyncio.gather(live.follow(broken()), return_exceptions=True)
    assert isinstance(taken[0], OSError)
    async with asyncio.timeout(10):
        assert [event.name for event in await waiting] == ["meta", "status"]
