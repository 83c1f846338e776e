"""Follow a log: yield its present lines, then each new one as it is appended."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import watchfiles

from paliadin.turnlog.read import Line, LogReader, read_whole_lines

_watches: dict[Path, _Watch] = {}  # by the folder
LINES_AT_ONCE = 50  # of a log that has many: then others get their turn
_RECHECK_MS = 250  # the longest delay when the file watch misses a change, such as a folder moved away and back


async def follow(path: Path, *, is_ours: bool = False) -> AsyncIterator[Line]:
    """Yield every line of the log: the present ones, then each new one. Endless; the caller stops by closing it.

    `is_ours`: this process alone writes in the folder and calls `wake_followers`, so no file watch is needed.
    """
    async with contextlib.aclosing(_changes(path.parent, is_ours=is_ours)) as changes:
        with LogReader(path) as reader:
            async for _ in changes:
                for part in reader.parts():
                    for number, line in enumerate(part, 1):
                        yield line
                        if number % LINES_AT_ONCE == 0:
                            await asyncio.sleep(0)
                    await asyncio.sleep(0)  # it may hold no whole line


async def follow_bytes(path: Path, offset: int) -> AsyncIterator[tuple[int, bytes]]:
    """Yield (offset, bytes) from `offset` on, for a copy of the file elsewhere: unparsed whole lines. Endless."""
    async with contextlib.aclosing(_changes(path.parent)) as changes:
        async for _ in changes:
            while data := read_whole_lines(path, offset):
                yield offset, data
                offset += len(data)


async def _changes(folder: Path, *, is_ours: bool = False) -> AsyncGenerator[None, None]:
    """Yield once at the start, then after each change in the folder and each `wake_followers`."""
    watch = _watches.get(folder)
    if watch is None:
        watch = _watches[folder] = _Watch()
        # A watch takes a thread, and one of 128 that Linux gives to an account.
        watch.task = asyncio.create_task(watch.rest() if is_ours else watch.run(folder))
    wake = asyncio.Event()
    watch.followers.add(wake)
    await asyncio.sleep(0)  # the watch begins before the caller's first read, so that no change is missed between them
    try:
        while True:
            yield
            await wake.wait()
            wake.clear()
            if watch.task.done():
                watch.task.result()  # raises the error of a watch that failed
    finally:
        watch.followers.discard(wake)
        if not watch.followers:
            if _watches.get(folder) is watch:
                del _watches[folder]
            watch.task.cancel()
            await asyncio.gather(watch.task, return_exceptions=True)


@dataclass
class _Watch:
    """A watch of one folder, whose files may have several followers."""

    followers: set[asyncio.Event] = field(default_factory=set)
    task: asyncio.Task[None] = field(init=False)

    async def run(self, folder: Path) -> None:
        # `step` sets the delay of a report; the library's default would add 50 ms.
        changes = watchfiles.awatch(
            folder, step=1, debounce=1, rust_timeout=_RECHECK_MS, yield_on_timeout=True, recursive=False
        )
        try:
            async for _ in changes:
                self.wake()
        finally:
            self.wake()

    async def rest(self) -> None:
        """Stop watching: from now on only `wake_followers` wakes the followers."""
        await asyncio.Event().wait()

    def wake(self) -> None:
        for follower in self.followers:
            follower.set()


def wake_followers(path: Path) -> None:
    """Make this process's followers of the log read it now, 2 ms before the file watch would report the change."""
    if watch := _watches.get(path.parent):
        watch.wake()
