"""Ends a response that still streams when its caller is signed out, or when the key that it came with is taken back."""

from __future__ import annotations

from collections.abc import Callable

from starlette.types import Message, Send

from paliadin.people.access import Access


def until_revoked(send: Send, access: Access, is_known: Callable[[], bool]) -> Send:
    """Wrap an ASGI `send`: at its next part, a ping at the latest, a stream ends if `is_known` no longer holds.

    It is asked only after something was revoked. A response with a Content-Length is whole already, and is sent.
    """
    seen_revocations, streams, ended = 0, False, False

    async def send_until_revoked(message: Message) -> None:
        nonlocal seen_revocations, streams, ended
        if message["type"] == "http.response.start":
            streams = not any(name.lower() == b"content-length" for name, _ in message["headers"])
            seen_revocations = access.revocations
        elif ended:
            return  # whoever makes the response notices that it is over as with a client that has gone
        elif streams and seen_revocations != access.revocations:
            seen_revocations, ended = access.revocations, not is_known()
            message = {"type": "http.response.body"} if ended else message
        await send(message)

    return send_until_revoked
