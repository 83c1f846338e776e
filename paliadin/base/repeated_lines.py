"""Counts repeated log lines instead of writing them: whoever can cause a line could fill the daemon's disk."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

INTERVAL = 60.0  # seconds
MOST_KINDS = 1_000  # of lines; more at a time are no repetitions


@dataclass(slots=True)
class _Kind:
    written: float
    more: int = 0


class RepeatedLines(logging.Filter):
    """Lets the first line of each kind pass, and counts those that follow; `report` writes their number once a minute.

    Lines are of one kind if logger, level, the type of exception and the first line of the message's template agree.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._kinds: dict[tuple[str, int, str, object], _Kind] = {}
        self._reporting = False

    def filter(self, record: logging.LogRecord) -> bool:
        if self._reporting:
            return True
        error = record.exc_info[0] if record.exc_info else None
        key = (record.name, record.levelno, str(record.msg).partition("\n")[0], error)
        if kind := self._kinds.get(key):
            kind.more += 1
            return False
        if len(self._kinds) >= MOST_KINDS:
            self.report(0.0)
            self._kinds.clear()
        self._kinds[key] = _Kind(self._clock())
        return True

    def report(self, interval: float = INTERVAL) -> None:
        """Write how many more lines of each kind came in the `interval` since the last one; to be called often."""
        now = self._clock()
        for key, kind in list(self._kinds.items()):
            if now - kind.written < interval:
                continue
            if kind.more:
                self._write(key, kind.more)
                kind.written, kind.more = now, 0
            else:
                del self._kinds[key]

    def _write(self, key: tuple[str, int, str, object], more: int) -> None:
        name, level, message, _ = key
        self._reporting = True
        try:
            logging.getLogger(name).log(level, "%s (and %s more)", message.strip(), f"{more:,}")
        finally:
            self._reporting = False
