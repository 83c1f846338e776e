"""Hours of the clock, in which questions are counted: a test begins in one and ends in the same."""

from __future__ import annotations

import time

ENOUGH = 30.0  # seconds for any test that counts


def in_one_hour() -> None:
    """Wait for the next hour, if this one is about to end."""
    left = 3600 - time.time() % 3600
    if left < ENOUGH:
        time.sleep(left + 0.1)
