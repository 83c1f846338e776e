"""Follow a log: yield the lines that it has, then each new one as it is appended."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path

import watchfiles

from paliadin.turnlog.read import Line, LogReader, read_whole_lines

_wake_events: dict[Path, set[asyncio.Event]] = {}  # by the folder that is watched, one for each follower
LINES_AT_ONCE = 50  # of a log that has many: then others get their turn
_RECHECK_MS = 250  # the longest delay when the file watch misses a change, such as a folder moved away and back


async def follow(path: Path) -> AsyncIterator[Line]:
    """Yield every line of the log: those it has, then each new one. Endless; the caller stops by closing it."""
    reader = LogReader(path)
    async with contextlib.aclosing(_changes(path.parent)) as changes:
        async for _ in changes:
            for number, line in enumerate(reader.read(), 1):
                yield line
                if number % LINES_AT_ONCE == 0:
                    await asyncio.sleep(0)


async def follow_bytes(path: Path, offset: int) -> AsyncIterator[tuple[int, bytes]]:
    """Yield (offset, bytes) from `offset` on, for a copy of the file elsewhere: unparsed whole lines. Endless."""
    async with contextlib.aclosing(_changes(path.parent)) as changes:
        async for _ in changes:
            while data := read_whole_lines(path, offset):
                yield offset, data
                offset += len(data)


async def _changes(folder: Path) -> AsyncGenerator[None, None]:
    """Yield once at the start, then after each change in the folder and each `wake_followers`."""
    # `step` sets the delay of a report; the library's default would add 50 ms.
    changes = watchfiles.awatch(
        folder, step=1, debounce=1, rust_timeout=_RECHECK_MS, yield_on_timeout=True, recursive=False
    )
    changed = asyncio.ensure_future(anext(changes))
    wake = asyncio.Event()
    _wake_events.setdefault(folder, set()).add(wake)
    await asyncio.sleep(0)  # the watch begins before the caller's first read, so that no change is missed between them
    try:
        while True:
            yield
            woken = asyncio.ensure_future(wake.wait())
            await asyncio.wait({changed, woken}, return_when=asyncio.FIRST_COMPLETED)
            woken.cancel()
            wake.clear()
            if changed.done():
                changed.result()  # raises the error of a watch that failed
                changed = asyncio.ensure_future(anext(changes))
    finally:
        _wake_events[folder].discard(wake)
        if not _wake_events[folder]:
            del _wake_events[folder]
        changed.cancel()
        await asyncio.gather(changed, return_exceptions=True)
        await changes.aclose()


def wake_followers(path: Path) -> None:
    """Make this process's followers of the log read it now, 2 ms before the file watch would report the change."""
    for event in _wake_events.get(path.parent, ()):
        event.set()
