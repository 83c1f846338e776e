"""Limit how much of a response's body is read. The SDK reads through these bodies, so nothing reaches it uncounted."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2

from paliadin.base.read_pace import AT_ONCE, Pace
from paliadin.parts.messages.limits import ERROR_BODY, too_much


class LimitedBody(httpx2.AsyncByteStream):
    """Passes on a body of at most `most` bytes in small parts, and yields between them as `pace` says."""

    def __init__(self, body: httpx2.AsyncByteStream, most: int, pace: Pace) -> None:
        self._body, self._most, self._pace = body, most, pace

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._body:
            for start in range(0, len(chunk), AT_ONCE):
                part = chunk[start : start + AT_ONCE]
                await self._pace.take(len(part))
                size += len(part)
                if size > self._most:
                    self._end()
                    return
                yield part

    def _end(self) -> None:
        """Leave the rest of the body unread; raises RelayError."""
        raise too_much(f"more than {self._most:,} bytes in one response")

    async def aclose(self) -> None:
        """Close the connection, unless the body was read to its end."""
        await self._body.aclose()


class ErrorBody(LimitedBody):
    """Passes on the beginning of an error's body; the rest adds nothing to its status."""

    def __init__(self, body: httpx2.AsyncByteStream, pace: Pace) -> None:
        super().__init__(body, ERROR_BODY, pace)

    def _end(self) -> None:
        """Leave the rest of the body unread."""
