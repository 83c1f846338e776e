"""Tasks that run beside a `with` block."""

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


def log_error(task: asyncio.Task[None]) -> None:
    """Log the error that ended a task; a done-callback."""
    if not task.cancelled() and (error := task.exception()):
        log.error("a task failed", exc_info=error)
