"""Encodes the events of turns, and of a page, as server-sent events."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace

from sse_starlette import EventSourceResponse, ServerSentEvent

from paliadin.base.session_names import SessionNames
from paliadin.events.model import Event, Status, Unnumbered, as_json
from paliadin.people.caller import Caller, Door

PING_EVERY = 15  # seconds


def streaming(blocks: AsyncIterator[bytes]) -> EventSourceResponse:
    """Make the response that sends these blocks, and a ping where there is nothing else to say."""
    return EventSourceResponse(
        blocks,
        ping=PING_EVERY,
        ping_message_factory=lambda: ServerSentEvent(event="ping", data="{}", sep="\n"),
    )


def encode_events(batch: Sequence[Event | Unnumbered], caller: Caller, names: SessionNames, turn_id: str = "") -> bytes:
    """Encode a turn's events. The `id` of each is its number, with `turn_id` also the turn's: `<turn_id>:<number>`."""
    return b"".join(_encoded(event, caller, names, f"{turn_id}:" if turn_id else "") for event in batch)


def encode_notice(event: str, data: Mapping[str, object], event_id: str | None = None) -> bytes:
    """Encode an event that belongs to no turn."""
    return ServerSentEvent(id=event_id, event=event, data=json.dumps(data), sep="\n").encode()


def _encoded(event: Event | Unnumbered, caller: Caller, names: SessionNames, before_id: str) -> bytes:
    if isinstance(event, Event):
        shown = event.data
        if isinstance(shown, Status) and shown.held_by:
            shown = replace(shown, held_by=_holders(shown.held_by, caller, names))
        data = json.dumps(as_json(shown))
        return ServerSentEvent(id=f"{before_id}{event.id}", event=event.name, data=data, sep="\n").encode()
    data = json.dumps(as_json(event))
    return ServerSentEvent(id=before_id or None, event=event.event, data=data, sep="\n").encode()


def _holders(sessions: Sequence[str], caller: Caller, names: SessionNames) -> Sequence[str]:
    """Name the sessions that a turn waits for as the caller's list of conversations does; in a drawer none."""
    if caller.is_member or caller.door is Door.WIDGET:  # which others run is told to the owner's page only
        return ()
    return sessions if caller.forwarded_by else [names.short(session) or session for session in sessions]
