"""The umask: what this process writes is for its owner alone; the owner's programs get the umask that they had."""

from __future__ import annotations

import os

PRIVATE = 0o077
_started_with: list[int] = []


def make_private() -> None:
    """Give every file and folder that this process makes from now on no bits for other accounts."""
    before = os.umask(PRIVATE)
    if not _started_with:
        _started_with.append(before)


def of_owner() -> int:
    """The umask for a program of the owner's, as subprocess takes it: the one that this process was started with."""
    return _started_with[0] if _started_with else -1  # -1: leave it
