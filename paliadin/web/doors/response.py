"""The response that streams what an encoder makes of a turn's events, or a page's."""

from __future__ import annotations

from collections.abc import AsyncIterator

from sse_starlette import EventSourceResponse

from paliadin.web.doors.encoder import Encoder

PING_EVERY = 15  # seconds


def streaming(blocks: AsyncIterator[bytes], encoder: Encoder) -> EventSourceResponse:
    """Make the response that sends these blocks, and a ping where there is nothing else to say."""
    return EventSourceResponse(
        blocks,
        media_type=encoder.media_type,
        ping=PING_EVERY,
        ping_message_factory=lambda: encoder.ping,  # type: ignore[arg-type,return-value]  # it takes bytes as well
    )
