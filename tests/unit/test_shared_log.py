"""A worker's steps become rows: in their order, once, however often writing fails, and some milliseconds together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import pytest

from paliadin.base.errors import NotFound, StorageFull, StoreUnavailable
from paliadin.parts.messages.workers import shared_log
from paliadin.parts.messages.workers.shared_log import SharedLog, StepsWriter
from paliadin.parts.messages.workers.shared_turns import MOST_AT_ONCE, Part
from paliadin.steps.model import Settled, Step, Text
from paliadin.steps.serialised import to_line
from paliadin.turnlog.append import record_bytes


@dataclass
class Rows:
    """In place of the database: what was written. A write named in `fails` (its number) fails, after it was done."""

    logs: dict[str, bytearray] = field(default_factory=dict)
    fails: set[int] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    writes: list[Sequence[Part]] = field(default_factory=list)

    async def write(self, parts: Sequence[Part]) -> set[str]:
        self.writes.append(parts)
        running = {part.turn_id for part in parts} - self.ended
        for part in parts:
            log = self.logs.setdefault(part.turn_id, bytearray())
            if part.turn_id in running and part.at_byte == len(log):
                log += part.lines
        if len(self.writes) in self.fails:
            raise StorageFull("full") if len(self.writes) % 2 else StoreUnavailable("away")
        self.ended |= {part.turn_id for part in parts if part.ends}
        return running


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_log, "RETRY_EVERY", 0.001)


@asynccontextmanager
async def writing(rows: Rows, lost: list[str] | None = None) -> AsyncIterator[StepsWriter]:
    writer = StepsWriter(rows, (lost if lost is not None else []).append)  # type: ignore[arg-type]
    task = asyncio.create_task(writer.run())
    yield writer
    assert not task.done()
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def text(number: int) -> Text:
    return Text(number, "m", f"Wörter {number}\x00\ud800 ")


def bytes_of(steps: Sequence[Step]) -> bytes:
    return b"".join(record_bytes(to_line(step)) for step in steps)


@pytest.mark.parametrize("fails", [set(), {1}, {1, 2}, {2}, {1, 3}])
async def test_every_step_is_there_once_and_in_its_order(fails: set[int]) -> None:
    rows = Rows(fails=fails)
    async with writing(rows) as writer:
        logs = [SharedLog(f"turn {number}", writer) for number in range(3)]
        steps: list[Step] = [text(number) for number in range(40)]
        for number, step in enumerate(steps):
            for log in logs:
                log.append(step)
            if number % 7 == 0:
                await asyncio.sleep(0.005)
        await asyncio.gather(*(log.end() for log in logs))
    for log in logs:
        assert bytes(rows.logs[log.turn_id]) == bytes_of(steps)
        assert [*log.read()] == steps
    assert rows.ended == {log.turn_id for log in logs}


async def test_what_comes_at_once_is_one_row() -> None:
    rows = Rows()
    async with writing(rows) as writer:
        log = SharedLog("turn", writer)
        for number in range(100):
            log.append(text(number))
        await log.end()
    assert len(rows.writes) == 1


async def test_many_turns_are_written_in_several_statements_and_all_of_them() -> None:
    rows = Rows()
    async with writing(rows) as writer:
        logs = [SharedLog(f"turn {number}", writer) for number in range(MOST_AT_ONCE + 50)]
        for log in logs:
            log.append(text(1))
        await asyncio.gather(*(log.end() for log in logs))
    assert max(len(parts) for parts in rows.writes) == MOST_AT_ONCE
    assert {bytes(log) for log in rows.logs.values()} == {bytes_of([text(1)])}
    assert len(rows.logs) == len(logs)


async def test_a_turn_that_somebody_else_has_ended_takes_no_more_and_is_told() -> None:
    rows, lost = Rows(ended={"gone"}), list[str]()
    async with writing(rows, lost) as writer:
        gone, here = SharedLog("gone", writer), SharedLog("here", writer)
        gone.append(text(1))
        here.append(text(1))
        await here.end()
        with pytest.raises(NotFound):
            gone.append(text(2))
        await gone.end()
    assert lost == ["gone"]


async def test_who_ends_a_turn_that_was_removed_a_moment_ago_is_not_told_that_it_is_lost() -> None:
    rows, lost = Rows(ended={"turn"}), list[str]()
    async with writing(rows, lost) as writer:
        log = SharedLog("turn", writer)
        await log.end()
    assert lost == []


async def test_a_follower_gets_what_was_there_and_what_comes() -> None:
    async with writing(Rows()) as writer:
        log, seen = SharedLog("turn", writer), list[Step]()
        log.append(text(1))

        async def follow() -> None:
            async for step in log.follow():
                seen.append(step)
                if isinstance(step, Settled):
                    return

        following = asyncio.create_task(follow())
        await asyncio.sleep(0)
        log.append(text(2))
        log.append(Settled(3))
        await following
    assert seen == [text(1), text(2), Settled(3)]
