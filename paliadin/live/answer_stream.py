"""Read the text of an answer from the API's event stream, as it passes. Pure."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from paliadin.live.event_stream import EventStream, data_of

MAX_EVENT = 1024 * 1024  # bytes; a longer event is skipped
_KINDS = re.compile(rb"content_block_start|content_block_delta|message_stop")

Line = dict[str, Any]
"""A line of the preview log, without its time: {"text"}, {"block", "name"} or {"end"} (docs/live.md)."""


class AnswerStream:
    """Takes the content of one response in pieces, cut anywhere; yields the lines of the preview log."""

    def __init__(self) -> None:
        self.complete = False  # the API has said that the message is over
        self._events = EventStream(MAX_EVENT)

    def feed(self, data: bytes) -> Iterator[Line]:
        """Take the next piece. Consecutive texts are one line.

        Raises ValueError for an event that is no JSON, after it has yielded everything before.
        """
        last: Line | None = None
        try:
            for line in itertools.chain.from_iterable(map(self._read, self._events.feed(data))):
                if last and "text" in line and "text" in last:
                    last["text"] += line["text"]
                    continue
                if last:
                    yield last
                last = line
        except ValueError:
            if last:
                yield last
            raise
        if last:
            yield last

    def _read(self, event: bytes) -> Iterator[Line]:
        if not _KINDS.search(event):
            return
        data = data_of(event)
        if not data:
            return
        value = _object(json.loads(data))
        match value.get("type"):
            case "content_block_start":
                block = _object(value.get("content_block"))
                name = block.get("name")
                yield {"block": str(block.get("type"))} | ({"name": name} if isinstance(name, str) else {})
                yield from _text(block.get("text"))
            case "content_block_delta":
                yield from _text(_object(value.get("delta")).get("text"))
            case "message_stop":
                self.complete = True
                yield {"end": "complete"}


def _text(value: object) -> Iterator[Line]:
    if isinstance(value, str) and value:
        yield {"text": value}


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
