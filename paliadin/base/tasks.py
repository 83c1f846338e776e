"""Tasks that run beside a `with` block, and waiting for one of several events."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager

log = logging.getLogger(__name__)


@asynccontextmanager
async def background(work: Coroutine[object, object, None]) -> AsyncIterator[None]:
    """Run `work` beside the block, and cancel it at the block's end.

    An error that ends it early is logged, and leaves the block alone: one part's fault must not end the daemon.
    """
    task = asyncio.create_task(work)
    task.add_done_callback(log_error)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def wait_for_any(*events: asyncio.Event) -> None:
    """Wait until one of the events is set."""
    waiting = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


def log_error(task: asyncio.Task[None]) -> None:
    """Log the error that ended a task; a done-callback."""
    if not task.cancelled() and (error := task.exception()):
        log.error("a task failed", exc_info=error)
