"""Which turn runs in each session, and in which sessions Claude is busy without a turn."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from paliadin.base.errors import TurnInFlight
from paliadin.conversations.changes import Changes
from paliadin.relays.turn import Turn
from paliadin.turns.broadcast import TurnStream


class RunningTurns:
    """Keeps track of the turns that run, at most one in each session; what agents ask beside it is not counted.

    `streams` has the stream of each turn by its id, until its row is being written. A turn is noted before it has a
    stream, so that no other one begins in its session meanwhile.
    """

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self.streams: dict[str, TurnStream] = {}
        self._of_session: dict[str, str] = {}  # session → turn_id
        self._reserved: set[str] = set()  # sessions
        self._changed = asyncio.Event()  # set and replaced when a turn begins, or does not
        self._closed = False

    def note(self, session: str, turn_id: str) -> None:
        """Note that this turn runs in the session, or is about to."""
        self._of_session[session] = turn_id
        self._changes.note(session)

    def drop(self, session: str) -> None:
        """Note that the session's turn did not begin."""
        del self._of_session[session]
        self._wake()
        self._changes.note(session)

    def end(self, turn: Turn) -> None:
        """Note that the turn runs no longer, unless another one runs there by now."""
        if self._of_session.get(turn.session) == turn.id:
            del self._of_session[turn.session]
            self._changes.note(turn.session)

    def begin(self, stream: TurnStream) -> None:
        """Let readers follow the turn's stream."""
        self.streams[stream.turn.id] = stream
        self._wake()
        self._changes.note(stream.turn.session, turn=stream.turn.id)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def wait_until_begun(self, turn_id: str) -> None:
        """Wait while the turn is about to begin; then it has a stream, or does not begin."""
        while turn_id not in self.streams and turn_id in self._of_session.values() and not self._closed:
            await self._changed.wait()

    def streams_of(self, session: str) -> list[TurnStream]:
        """Return the streams of the session's turns that are not finished; the last one may still run."""
        return [stream for stream in self.streams.values() if stream.turn.session == session]

    @contextmanager
    def reserved(self, session: str) -> Iterator[None]:
        """Let no turn begin in the session during a `with` block: Claude is reset there, say."""
        self._reserved.add(session)
        try:
            yield
        finally:
            self._reserved.discard(session)

    def is_reserved(self, session: str) -> bool:
        """Tell whether Claude is busy in the session without a turn."""
        return session in self._reserved

    def of(self, session: str) -> str | None:
        """Return the id of the turn that runs in the session; none once its answer is complete."""
        turn_id = self._of_session.get(session)
        stream = self.streams.get(turn_id) if turn_id else None
        # A client that has read the event may ask again at once.
        return None if stream and (stream.reducer.answered or stream.reducer.ended) else turn_id

    def sessions(self) -> list[str]:
        """Return the sessions in which Claude is at work."""
        return [*self._reserved, *(name for name in self._of_session if self.of(name))]

    def require_idle(self, session: str) -> None:
        """Raise TurnInFlight while a turn runs in the session, or it is reset."""
        if session in self._reserved:
            raise TurnInFlight("this session is being reset or shortened, or its Claude comes back", None)
        if turn_id := self.of(session):
            raise TurnInFlight("a turn is already running in this session", turn_id)

    def has_more_events(self, turn_id: str) -> bool:
        """Tell whether the turn's stream goes on: it runs, is about to, or only its last events are missing.

        One that is about to may be known for seconds already: its row is written first, and the database may hang.
        """
        stream = self.streams.get(turn_id)
        return not stream.reducer.ended if stream else turn_id in self._of_session.values()

    def is_waiting(self, session: str) -> bool:
        """Tell whether something waits for a reply there: the running turn, or an agent beside it."""
        turns = (stream.turn for stream in self.streams.values())
        return any(turn.progress.waits for turn in turns if turn.session == session)

    def requests(self, session: str) -> list[str]:
        """Return the ids of the turns in which agents ask for something there."""
        return [turn_id for turn_id, stream in self.streams.items() if _is_request(stream.turn, session)]

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


def _is_request(turn: Turn, session: str) -> bool:
    return turn.is_request and turn.session == session
