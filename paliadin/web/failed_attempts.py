"""Failed attempts to get in: each is answered late, and they are counted in the log instead of written one by one."""

from __future__ import annotations

import asyncio
import logging
import time

from starlette.requests import Request

from paliadin.base.errors import Forbidden

log = logging.getLogger(__name__)

DELAY = 1.0  # seconds until a failed attempt gets its response
MAX_WAITING = 20  # attempts that wait at once; a further one is refused at once
REPORT_INTERVAL = 60.0  # seconds between two lines in the log


class FailedAttempts:
    """Slows down whoever tries tickets, keys or cookies. Nobody who is let in ever waits."""

    def __init__(self, delay: float = DELAY) -> None:
        self.delay = delay
        self._waiting = 0
        self._unreported = 0
        self._reported_at: float | None = None

    async def attempt(self, request: Request) -> None:
        """Count a failed attempt, and wait; raises Forbidden `too_many_attempts` when too many wait already."""
        self._report(request.client.host if request.client else "a Unix socket")
        if self._waiting >= MAX_WAITING:
            raise Forbidden(
                "too many attempts to get in have failed just now",
                code="too_many_attempts",
                status=429,
                hint="Wait a moment. `paliadin open` makes a new address, `paliadin token list` shows the keys.",
            )
        self._waiting += 1
        try:
            await asyncio.sleep(self.delay)
        finally:
            self._waiting -= 1

    def _report(self, source: str) -> None:
        self._unreported += 1
        now = time.monotonic()
        if self._reported_at is None or now >= self._reported_at + REPORT_INTERVAL:
            log.warning("failed attempts to get in: %d, the last one from %s", self._unreported, source)
            self._unreported, self._reported_at = 0, now
