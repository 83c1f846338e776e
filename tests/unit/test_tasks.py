from __future__ import annotations

import asyncio
import logging

import pytest

from paliadin.base.errors import NotFound
from paliadin.base.tasks import Tasks, background, endless


async def test_work_runs_beside_the_block_and_ends_with_it() -> None:
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with background(work()):
        await asyncio.sleep(0)
        assert not ended.is_set()
    assert ended.is_set()


async def test_an_error_of_the_work_is_logged_and_leaves_the_block_alone(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        raise RuntimeError("broken part")

    with caplog.at_level(logging.ERROR):
        async with background(work()):
            await asyncio.sleep(0.01)
    assert "broken part" in caplog.text


@pytest.mark.parametrize("error", [OSError("no file"), NotFound("no turn"), RuntimeError("a fault of ours")])
async def test_what_is_endless_outlives_an_error_which_is_logged(
    caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    done, enough = 0, asyncio.Event()

    async def work() -> None:
        nonlocal done
        done += 1
        if done == 2:
            raise error
        if done == 4:
            enough.set()

    async with background(endless(work, "it is not done yet", 0)), asyncio.timeout(10):
        await enough.wait()
    assert "it is not done yet" in caplog.text
    assert str(error) in caplog.text
    assert ("Traceback" in caplog.text) == isinstance(error, RuntimeError)


async def test_an_error_of_the_block_ends_the_work_and_goes_on_up() -> None:
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def block() -> None:
        async with background(work()):
            await asyncio.sleep(0)
            raise RuntimeError("of the block")

    with pytest.raises(RuntimeError, match="of the block"):
        await block()
    assert ended.is_set()


async def forever(ended: list[str], name: str) -> None:
    try:
        await asyncio.Event().wait()
    finally:
        await asyncio.sleep(0)  # an end that takes its time
        ended.append(name)


async def test_all_tasks_that_still_run_at_the_end_are_cancelled_and_waited_for() -> None:
    ended: list[str] = []
    async with Tasks() as tasks:
        for name in ("a", "b"):
            tasks.spawn(forever(ended, name))
        await asyncio.sleep(0)
        assert ended == []
    assert sorted(ended) == ["a", "b"]


async def test_an_error_of_one_task_is_logged_and_leaves_the_others_alone(caplog: pytest.LogCaptureFixture) -> None:
    ended: list[str] = []

    async def fail() -> None:
        raise RuntimeError("broken part")

    async with Tasks() as tasks:
        tasks.spawn(forever(ended, "other"))
        failed = tasks.spawn(fail())
        await asyncio.wait({failed})
        await asyncio.sleep(0)
        assert ended == []
    assert ended == ["other"]
    assert "broken part" in caplog.text


async def test_a_task_that_ended_is_not_kept() -> None:
    async with Tasks() as tasks:
        await tasks.spawn(asyncio.sleep(0))
        await asyncio.sleep(0)
        assert not tasks._tasks


async def test_a_task_that_is_spawned_by_one_that_is_cancelled_ends_with_the_block_too() -> None:
    ended: list[str] = []
    tasks = Tasks()

    async def last_word() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            tasks.spawn(forever(ended, "spawned at the end"))
            await asyncio.sleep(0)

    async with tasks:
        tasks.spawn(last_word())
        await asyncio.sleep(0)
    assert ended == ["spawned at the end"]


async def test_an_end_that_is_cancelled_still_waits_for_the_tasks() -> None:
    ended, leaving = [], asyncio.Event()

    async def slow_end() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            leaving.set()
            try:
                await asyncio.sleep(10)
            finally:
                await asyncio.sleep(0.01)
                ended.append("slow")

    async def block() -> None:
        async with Tasks() as tasks:
            tasks.spawn(slow_end())
            await asyncio.sleep(0)

    block_task = asyncio.create_task(block())
    await leaving.wait()
    block_task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await block_task
    assert ended == ["slow"]
