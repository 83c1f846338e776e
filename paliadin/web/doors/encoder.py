"""Doors: the wire formats in which clients read the events of turns. Pure."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Protocol

from paliadin.base.session_names import SessionNames
from paliadin.events.model import Event, Status, Unnumbered
from paliadin.people.caller import Caller, Door

Batch = Sequence[Event | Unnumbered]


class Encoder(Protocol):
    """A wire format. `ping` is sent while there is nothing else to say."""

    @property
    def media_type(self) -> str: ...
    @property
    def ping(self) -> bytes: ...

    def encode(self, batch: Batch) -> bytes:
        """Encode events of one turn, in their order; those of one batch are sent at once."""


async def encoded(
    batches: AsyncIterator[Batch], encoder: Encoder, caller: Caller, names: SessionNames
) -> AsyncIterator[bytes]:
    """Yield the batches as the caller may read them, encoded."""
    async for batch in batches:
        yield encoder.encode(as_shown(batch, caller, names))


def as_shown(batch: Batch, caller: Caller, names: SessionNames) -> Batch:
    """Name the sessions that a turn waits for as the caller's list of conversations does; in a drawer, none of them."""
    return [_event_for(event, caller, names) for event in batch]


def _event_for(event: Event | Unnumbered, caller: Caller, names: SessionNames) -> Event | Unnumbered:
    if isinstance(event, Event) and isinstance(event.data, Status) and event.data.held_by:
        return replace(event, data=replace(event.data, held_by=_holders(event.data.held_by, caller, names)))
    return event


def _holders(sessions: Sequence[str], caller: Caller, names: SessionNames) -> Sequence[str]:
    if caller.is_member or caller.door is Door.WIDGET:  # which others run is told to the owner's page only
        return ()
    return sessions if caller.forwarded_by else [names.short(session) or session for session in sessions]
