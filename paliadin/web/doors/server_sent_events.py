"""Encodes the events of turns, and of a page, as server-sent events. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from sse_starlette import ServerSentEvent

from paliadin.events.model import Event, Unnumbered, as_json
from paliadin.web.doors.encoder import Batch


@dataclass(frozen=True)
class ServerSentEvents:
    """The format of /stream. The `id` of an event is its number; in a page's stream, `before_id` is `<turn_id>:`."""

    before_id: str = ""
    media_type: str = "text/event-stream"
    ping: bytes = b"event: ping\ndata: {}\n\n"

    def encode(self, batch: Batch) -> bytes:
        """Encode events of one turn."""
        return b"".join(map(self._encoded, batch))

    def _encoded(self, event: Event | Unnumbered) -> bytes:
        if isinstance(event, Event):
            return encode_notice(event.name, as_json(event.data), f"{self.before_id}{event.id}")
        return encode_notice(event.event, as_json(event), self.before_id or None)


def encode_notice(event: str, data: Mapping[str, object], event_id: str | None = None) -> bytes:
    """Encode an event that belongs to no turn."""
    return ServerSentEvent(id=event_id, event=event, data=json.dumps(data), sep="\n").encode()


def may_be_of(block: bytes, event: bytes) -> bool:
    """Tell whether a client may read this block as an event of that name."""
    return any(line.startswith(b"event:") and line[6:].strip() == event for line in block.split(b"\n"))
