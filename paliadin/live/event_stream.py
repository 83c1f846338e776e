"""Cut a stream of server-sent events into its events. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_MARGIN = 3  # bytes of a blank line that was cut


class EventStream:
    """Takes a stream in pieces, cut anywhere, and yields its events. An event of more than `most` bytes is skipped.

    It never holds more of the stream than one event.
    """

    def __init__(self, most: int) -> None:
        self.has_skipped = False  # an event was too long, or the one that is being read is
        self._most = most
        self._buffer = bytearray()
        self._skipping = False  # the event that is being read is too long

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take the next piece; yield the events that it completes, without their blank lines."""
        start = max(0, len(self._buffer) - _MARGIN)  # what was there before is not read again
        self._buffer += data
        while end := _BLANK_LINE.search(self._buffer, start):
            if end.start() > self._most:
                self._skip()
            event = b"" if self._skipping else bytes(self._buffer[: end.start()])
            self._skipping = False
            del self._buffer[: end.end()]
            start = 0
            yield event
        if len(self._buffer) > self._most + _MARGIN:
            self._skip()
        if self._skipping:
            del self._buffer[:-_MARGIN]

    def _skip(self) -> None:
        self.has_skipped = self._skipping = True


def data_of(event: bytes) -> bytes:
    """Join the data of an event's lines."""
    return b"\n".join(line[5:] for line in event.splitlines() if line.startswith(b"data:"))
