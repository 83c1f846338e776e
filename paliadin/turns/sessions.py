"""Tracks which turn runs in each session, and in which sessions the model is busy without a turn."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from paliadin.base.errors import TurnInFlight
from paliadin.conversations.changes import Changes
from paliadin.turns.broadcast import TurnStream


@dataclass(eq=False, slots=True)
class _Slot:
    turn_id: str | None  # None: the model is busy without a turn; it is being reset, say
    before: _Slot | None = None  # who has it again afterwards: a turn that ran already came in between
    is_given_back: bool = False


class Sessions:
    """Gives each session's one slot to a turn, or to what needs the session for itself.

    What agents ask beside the turns needs no slot. `streams` has the stream of each turn by its id, from when it has
    begun until its row is being written; a turn has the slot before, so that no other one begins meanwhile.
    """

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self.streams: dict[str, TurnStream] = {}
        self._slots: dict[str, _Slot] = {}  # by session
        self._changed = asyncio.Event()  # set and replaced when a turn begins, or does not
        self._closed = False

    @contextmanager
    def slot(self, session: str, turn_id: str | None = None, *, runs_already: bool = False) -> Iterator[None]:
        """Have the session's slot during a `with` block; raises TurnInFlight unless it is free.

        The slot of a turn is free again as soon as its answer is complete: a client that has read the event may ask at
        once, though the relay still tidies up. `runs_already`: the turn runs, whoever has the slot, and has it again
        afterwards.
        """
        if not runs_already:
            self.require_idle(session)
        mine = self._slots[session] = _Slot(turn_id, self._holder(session))
        self._changes.note(session)
        try:
            yield
        finally:
            mine.is_given_back = True
            if self._slots.get(session) is mine:
                if holder := self._holder(session):
                    self._slots[session] = holder
                else:
                    del self._slots[session]
                self._changes.note(session)
            self._wake()

    def _holder(self, session: str) -> _Slot | None:
        """Return the slot that keeps other turns from beginning in the session; None if one may begin."""
        slot = self._slots.get(session)
        while slot and (slot.is_given_back or self._is_answered(slot)):
            slot = slot.before
        return slot

    def of(self, session: str) -> str | None:
        """Return the id of the turn that runs in the session; none once its answer is complete."""
        holder = self._holder(session)
        return holder.turn_id if holder else None

    def is_free(self, session: str) -> bool:
        """Tell whether a turn may begin in the session."""
        return self._holder(session) is None

    def require_idle(self, session: str) -> None:
        """Raise TurnInFlight unless a turn may begin in the session."""
        holder = self._holder(session)
        if holder is None:
            return
        if holder.turn_id:
            raise TurnInFlight("a turn is already running in this session", holder.turn_id)
        raise TurnInFlight("this session is being reset or shortened, or its Claude comes back", None)

    def _is_answered(self, slot: _Slot) -> bool:
        stream = self.streams.get(slot.turn_id) if slot.turn_id else None
        return stream is not None and (stream.reducer.answered or stream.reducer.ended)

    def begin(self, stream: TurnStream) -> None:
        """Let readers follow the turn's stream."""
        self.streams[stream.turn.id] = stream
        self._wake()
        self._changes.note(stream.turn.session, turn=stream.turn.id)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _has_slot(self, turn_id: str) -> bool:
        tops = list(self._slots.values())  # a page of the history is made in a thread
        return any(slot.turn_id == turn_id for top in tops for slot in _taken(top))

    async def wait_until_begun(self, turn_id: str) -> None:
        """Wait while the turn is about to begin; then it has a stream, or does not begin."""
        while turn_id not in self.streams and self._has_slot(turn_id) and not self._closed:
            await self._changed.wait()

    def streams_of(self, session: str) -> list[TurnStream]:
        """Return the streams of the session's turns that are not finished; the last one may still run."""
        return [stream for stream in self.streams.values() if stream.turn.session == session]

    def has_more_events(self, turn_id: str) -> bool:
        """Tell whether the turn's stream goes on: it runs, is about to, or only its last events are missing.

        A turn that is about to run may be so for seconds: its row is written first, and the database may hang.
        """
        stream = self.streams.get(turn_id)
        return not stream.reducer.ended if stream else self._has_slot(turn_id)

    def is_waiting(self, session: str) -> bool:
        """Tell whether something waits for a reply there: the running turn, or an agent beside it."""
        return any(stream.turn.progress.waits for stream in self.streams_of(session))

    def requests(self, session: str) -> list[str]:
        """Return the ids of the turns in which agents ask for something there."""
        return [stream.turn.id for stream in self.streams_of(session) if stream.turn.is_request]

    @property
    def readers(self) -> int:
        """The number of readers that follow running turns."""
        return sum(stream.viewers for stream in self.streams.values())

    def close(self) -> None:
        """End every open stream; clients reconnect with the number of the last event they have."""
        self._closed = True
        self._wake()
        for stream in self.streams.values():
            stream.close()


def _taken(top: _Slot) -> Iterator[_Slot]:
    """Yield this slot and those before it that nobody has given back."""
    slot: _Slot | None = top
    while slot:
        if not slot.is_given_back:
            yield slot
        slot = slot.before
