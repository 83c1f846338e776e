from __future__ import annotations

import asyncio
import logging

import pytest

from paliadin.base.tasks import background


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
