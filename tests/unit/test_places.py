"""Who may run a Claude, and who waits: without any Claude."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

import pytest

from paliadin.relays.terminal import concurrency_limit as places
from paliadin.relays.terminal.concurrency_limit import Places


@pytest.fixture(autouse=True)
def _look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "LOOK_EVERY", 0.01)


@dataclass
class House:
    """Claudes that run, some of which may be parked."""

    limit: int = 2
    members_limit: int = 2  # of those whose name begins with "m"; so "m1" and "m1b" are one member's
    running: set[str] = field(default_factory=set)
    idle: set[str] = field(default_factory=set)
    parked: list[str] = field(default_factory=list)
    most: int = 0  # that ran at once

    def __post_init__(self) -> None:
        self.places = Places(
            self.limit,
            members_limit=self.members_limit,
            member_of=lambda session: session[:2] if session.startswith("m") else None,
            alive=self.alive,
            is_alive=self.is_alive,
            park_one=self.park_one,
        )

    async def alive(self) -> set[str]:
        await asyncio.sleep(0)
        return set(self.running)

    async def is_alive(self, session: str) -> bool:
        return session in await self.alive()

    async def park_one(self, sessions: Collection[str]) -> bool:
        for session in sorted(self.idle & {*sessions} & self.running):
            with self.places.ending(session) as may_end:
                if may_end:
                    await asyncio.sleep(0.002)
                    self.running.discard(session)
                    self.parked.append(session)
                    return True
        return False

    async def work(self, session: str, done: asyncio.Event, told: list[Sequence[str]] | None = None) -> bool:
        """A turn: wait for a place, start Claude, go on until `done`; the Claude is idle then."""
        with self.places.used(session):
            if not await self.places.admit(session, (told if told is not None else []).append):
                return False
            await asyncio.sleep(0)  # it takes a while to start
            self.running.add(session)
            self.idle.discard(session)
            self.most = max(self.most, len(self.running))
            await done.wait()
            self.idle.add(session)
        return True


async def becomes(condition: Callable[[], bool]) -> None:
    """Wait until it is so: on a busy machine no fixed time is long enough."""
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.01)


async def settled() -> None:
    """Whoever could go on has: their steps take rounds of the loop, in which due pauses end, and not a time."""
    for _ in range(30):
        await asyncio.sleep(0.002)


async def test_the_least_used_gives_its_place_to_the_next_and_nobody_is_told_that_he_waits() -> None:
    house, done = House(running={"a", "b"}, idle={"a", "b"}), asyncio.Event()
    told: list[Sequence[str]] = []
    done.set()
    assert await house.work("c", done, told)
    assert (house.parked, house.running, told) == (["a"], {"b", "c"}, [])


async def test_who_waits_is_told_for_whom_again_when_that_changes_and_when_there_is_a_place() -> None:
    house, told = House(), list[Sequence[str]]()
    done = {name: asyncio.Event() for name in "abcd"}
    tasks = {name: asyncio.create_task(house.work(name, done[name])) for name in "ab"}
    await settled()
    tasks["c"] = asyncio.create_task(house.work("c", done["c"]))
    await settled()
    tasks["d"] = asyncio.create_task(house.work("d", done["d"], told))
    await settled()
    assert told == [["a", "b"]]
    done["a"].set()
    await becomes(lambda: (house.running, told) == ({"b", "c"}, [["a", "b"], ["b", "c"]]))  # c came before d
    done["c"].set()
    await becomes(lambda: (house.running, told[2:]) == ({"b", "d"}, [()]))
    for event in done.values():
        event.set()
    await asyncio.gather(*tasks.values())
    assert house.most == 2


async def test_one_that_runs_waits_for_nobody() -> None:
    house, done = House(limit=1, running={"a"}), asyncio.Event()
    waiting = asyncio.create_task(house.work("b", done))
    await settled()
    done.set()
    told: list[Sequence[str]] = []
    assert await house.work("a", done, told)
    assert told == []
    assert await waiting  # a is idle now, and gives way
    assert house.parked == ["a"]


async def test_who_gives_up_waits_no_longer_and_leaves_the_line_to_the_next() -> None:
    house, done, given_up = House(limit=1, running={"a"}), asyncio.Event(), list[bool]()
    with house.places.used("b"):
        giving_up = asyncio.create_task(house.places.admit("b", is_given_up=lambda: bool(given_up)))
        await settled()
        cancelled = asyncio.create_task(house.work("c", done))
        next_one = asyncio.create_task(house.work("d", done))
        await settled()
        given_up.append(True)
        cancelled.cancel()
        assert await giving_up is False
        house.running.discard("a")
        done.set()
        assert await next_one
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    assert house.most == 1


async def test_many_that_come_at_the_same_moment_never_run_in_greater_number_than_may() -> None:
    house = House(limit=3, running={"a", "b"}, idle={"a", "b"})
    done = [asyncio.Event() for _ in range(12)]
    tasks = [asyncio.create_task(house.work(f"s{number % 8}", event)) for number, event in enumerate(done)]
    for event in done:
        await asyncio.sleep(0.003)
        event.set()
    async with asyncio.timeout(20):
        assert all(await asyncio.gather(*tasks))
    assert house.most == 3


async def test_a_claude_that_is_used_is_not_ended_and_one_that_ends_is_not_used_before_it_has_ended() -> None:
    house = House(running={"a"}, idle={"a"})
    with house.places.used("a"), house.places.ending("a") as may_end:
        assert not may_end
    with house.places.ending("a") as may_end, house.places.ending("a") as again:
        assert (may_end, again) == (True, False)
        with house.places.used("a"):
            assert await house.places._runs("a") is False


async def test_what_is_started_in_advance_takes_a_free_place_and_parks_nobody() -> None:
    house = House(limit=1, running={"a"}, idle={"a"})
    with house.places.used("b"):
        assert not await house.places.admit_if_free("b")
    with house.places.used("a"):
        assert await house.places.admit_if_free("a")
    house.running.clear()
    with house.places.used("b"):
        assert await house.places.admit_if_free("b")
        with house.places.used("c"):
            assert not await house.places.admit_if_free("c")
    assert house.parked == []


async def test_one_that_runs_gives_way_to_whoever_came_before_its_next_question() -> None:
    house, order, done = House(limit=1), list[str](), asyncio.Event()
    done.set()

    async def ask(session: str, name: str) -> None:
        await house.work(session, done)
        order.append(name)

    with house.places.used("a"):  # its turn still runs when the next one is asked
        assert await house.places.admit("a")
        house.running.add("a")
        others = asyncio.create_task(ask("b", "b"))
        await settled()
        queued = [asyncio.create_task(ask("a", f"a{number}")) for number in range(2)]
        await settled()
        house.idle.add("a")
    async with asyncio.timeout(10):
        await asyncio.gather(others, *queued)
    assert (order, house.most) == (["b", "a0", "a1"], 1)


async def test_who_waits_for_a_members_place_holds_up_no_owner_and_the_members_keep_their_order() -> None:
    house = House(limit=4, members_limit=1)
    done = {name: asyncio.Event() for name in ("m1", "m2", "m3", "a", "b")}
    told: list[Sequence[str]] = []
    tasks = [asyncio.create_task(house.work("m1", done["m1"]))]
    await becomes(lambda: house.running == {"m1"})
    tasks += [
        asyncio.create_task(house.work("m2", done["m2"], told)),
        asyncio.create_task(house.work("m3", done["m3"])),
    ]
    await becomes(lambda: told == [["m1"]])
    tasks += [asyncio.create_task(house.work(name, done[name])) for name in "ab"]
    await becomes(lambda: house.running == {"m1", "a", "b"})
    done["m1"].set()
    await becomes(lambda: house.running == {"m2", "a", "b"})  # the idle one of the members gave way
    assert (house.parked, told) == (["m1"], [["m1"], ()])
    for each in done.values():
        each.set()
    assert all(await asyncio.gather(*tasks))


async def test_a_member_also_needs_one_of_all_places_and_is_next_once_one_is_free() -> None:
    house = House(limit=2, members_limit=2)
    done = {name: asyncio.Event() for name in ("a", "b", "m1", "c")}
    tasks = [asyncio.create_task(house.work(name, done[name])) for name in "ab"]
    await becomes(lambda: house.running == {"a", "b"})
    tasks.append(asyncio.create_task(house.work("m1", done["m1"])))
    await settled()
    tasks.append(asyncio.create_task(house.work("c", done["c"])))
    await settled()
    done["a"].set()
    await becomes(lambda: house.running == {"b", "m1"})
    for each in done.values():
        each.set()
    assert all(await asyncio.gather(*tasks))
    assert house.most == 2


async def test_each_is_told_once_for_whom_they_wait_though_others_wait_for_another_kind_of_place() -> None:
    house = House(limit=2, members_limit=1)

    async def is_alive(session: str) -> bool:
        await asyncio.sleep(0.004)  # so long tmux takes
        return session in house.running

    house.places._is_alive = is_alive
    done = {name: asyncio.Event() for name in ("a", "m1", "m2", "b", "m3")}
    told: dict[str, list[Sequence[str]]] = {name: [] for name in done}
    tasks = []
    for name, over in done.items():
        tasks.append(asyncio.create_task(house.work(name, over, told[name])))
        await settled()
    assert (told["m2"], told["b"], told["m3"]) == ([["m1"]], [["a", "m1"]], [["m1"]])
    for over in done.values():
        over.set()
    for name in ("a", "m1"):
        house.idle.add(name)
    await asyncio.gather(*tasks)


async def test_tmux_is_asked_as_often_however_many_wait() -> None:
    house, done = House(limit=1, members_limit=1), asyncio.Event()
    asked = 0

    async def is_alive(session: str) -> bool:
        nonlocal asked
        asked += 1
        return session in house.running

    house.places._is_alive = is_alive
    names = ["m", *(f"m{number}" for number in range(30))]
    tasks = [asyncio.create_task(house.work(name, done)) for name in names]
    await becomes(lambda: house.places._looks > 3)
    asked, looks = 0, house.places._looks
    await becomes(lambda: house.places._looks > looks + 10)
    assert asked < 3 * (house.places._looks - looks)
    done.set()
    await asyncio.gather(*tasks)


async def test_of_members_who_wait_nobodys_second_question_comes_before_anothers_first() -> None:
    house = House(limit=9, members_limit=1)
    names = ["m1", "m1b", "m1c", "m2"]
    done = {name: asyncio.Event() for name in names}
    tasks, order = [], []
    for name in names:
        tasks.append(asyncio.create_task(house.work(name, done[name])))
        await settled()
    for _ in names:
        [now] = house.running
        order.append(now)
        done[now].set()
        await becomes(lambda last=now: house.running != {last} or len(order) == len(names))  # type: ignore[misc]
    assert order == ["m1", "m2", "m1b", "m1c"]
    assert all(await asyncio.gather(*tasks))
