"""Decide whether a request that failed is sent again, and after how long: the only place that makes anybody wait."""

from __future__ import annotations

import email.utils
import random
import time
from collections.abc import Mapping

ATTEMPTS = 3
LONGEST_WAIT = 20.0  # seconds
_FIRST_WAIT = 0.5  # seconds, where the API asks for none; doubled each time, with jitter
_now = time.time
_TRANSIENT = {408, 409, 429}  # statuses; those from 500 on are as well


def wait_before_retry(attempt: int, status: int | None, headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait after the failed attempt (1, 2, …), or None if nothing is to be sent again.

    `status` is None where no response came. A wait longer than LONGEST_WAIT counts as none.
    """
    if attempt >= ATTEMPTS or not _may_succeed(status, headers.get("x-should-retry")):
        return None
    seconds = _asked_wait(headers)
    if seconds <= 0:
        return float(_FIRST_WAIT * 2 ** (attempt - 1) * random.uniform(0.75, 1.0))  # noqa: S311  # jitter
    return seconds if seconds <= LONGEST_WAIT else None


def _may_succeed(status: int | None, advice: str | None) -> bool:
    if advice in {"true", "false"}:
        return advice == "true"
    return status is None or status in _TRANSIENT or status >= 500


def _asked_wait(headers: Mapping[str, str]) -> float:
    """Return the seconds that the API asks to wait; 0 if it asks for nothing, endless for a value that is no time."""
    milliseconds, retry_after = headers.get("retry-after-ms"), headers.get("retry-after", "0")
    try:
        if milliseconds is not None:
            return float(milliseconds) / 1000
        date = email.utils.parsedate_tz(retry_after)
        return email.utils.mktime_tz(date) - _now() if date else float(retry_after)
    except (ValueError, OverflowError):
        return float("inf")
