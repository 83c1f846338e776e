"""Tasks that end with a `with` block; waiting for one of several events, or for a limited time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Self, TypeVar

from paliadin.base.errors import PaliadinError

T = TypeVar("T")

log = logging.getLogger(__name__)


class Tasks:
    """Tasks that end with a `with` block: those that still run at its end are cancelled and waited for.

    An error ends its own task only, and is logged. In an asyncio.TaskGroup it would cancel all other tasks.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        while self._tasks:  # a task that is cancelled may spawn another
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def spawn(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Run `work` in a task of its own."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(log_error)
        return task


@asynccontextmanager
async def background(work: Coroutine[object, object, None]) -> AsyncIterator[None]:
    """Run `work` beside the block, and cancel it at the block's end.

    An error that ends it early is logged, and leaves the block alone: one part's fault must not end the daemon.
    """
    async with Tasks() as tasks:
        tasks.spawn(work)
        yield


async def endless(work: Callable[[], Awaitable[object]], trouble: str, pause: float = 1.0) -> None:
    """Do `work` again and again, `pause` seconds after it has ended. An error costs one time only.

    A moment without a free file must not end what nobody would start again. `trouble` begins the line that is logged.
    """
    while True:
        try:
            await work()
        except (PaliadinError, OSError) as error:
            log.warning("%s: %s", trouble, error)
        except Exception:
            log.exception("%s", trouble)
        await asyncio.sleep(pause)


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


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Await the work; raise TimeoutError when the seconds are over, also if it cannot be cancelled.

    `asyncio.timeout` waits: psycopg takes up to 10 s to cancel a query on a server that hangs.
    """
    task = asyncio.create_task(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        if not task.done():
            task.cancel()
            task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    if not task.done():
        raise TimeoutError
    return task.result()
