"""Checks numbers that come from outside: from an API, a hook, a tool, or the log of another host. Pure."""

from __future__ import annotations

MAX_COUNT = (
    9_999_999_999  # ten digits, in `migrations` as well: tokens of a turn, rows of a result; in milliseconds 115 days
)
MAX_TIME = 2**42 - 1  # milliseconds since 1970: the year 2109


def count_of(value: object, most: int = MAX_COUNT) -> int | None:
    """Return a whole number from 0 to `most`; None for anything else, such as True or 10^40."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most else None


def number_of(value: object, most: int = MAX_COUNT) -> float | None:
    """Return a number from 0 to `most`; None for anything else, such as NaN."""
    return value if isinstance(value, float) and 0 <= value <= most else count_of(value, most)


def time_of(value: object) -> int | None:
    """Return a time in milliseconds since 1970; None for anything else."""
    return count_of(value, MAX_TIME)
