"""Makes whoever reads a connection pause after a number of bytes, so that others are served."""

from __future__ import annotations

import asyncio

AT_ONCE = 4096  # bytes
PAUSE = 0.002  # seconds


class Pace:
    """Has whoever reads a connection pause after taking AT_ONCE bytes in one round of the event loop.

    Reading does not wait while bytes are there: with a sender who never stops nobody else would be served. Those who
    share a `line` pause one after the other, so that many of them take no more of the time than one.
    """

    def __init__(self, line: asyncio.Lock | None = None) -> None:
        self._taken, self._line = 0, line or asyncio.Lock()

    async def take(self, size: int) -> None:
        """Count bytes that were read; pause once this round has AT_ONCE."""
        if not self._taken:
            asyncio.get_running_loop().call_soon(self._begin_round)
        self._taken += size
        if self._taken >= AT_ONCE:
            async with self._line:
                await asyncio.sleep(PAUSE)

    def _begin_round(self) -> None:
        self._taken = 0
