"""The open connections: what each is doing, and which of them is closed next. Pure: the caller has the clock.

The daemon answers requests of anybody, if only with a refusal, so anybody may open connections. Whoever opens too many,
or keeps them without asking anything, is closed before anybody who waits for a response.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum, auto
from itertools import chain
from typing import Generic, TypeVar

HEAD_TIMEOUT = 5.0  # seconds, from the connection's first moment, or the head's first byte, to the head's end
IDLE_TIMEOUT = 30.0  # seconds between a response and the next request
STUCK_TIMEOUT = 30.0  # seconds in which a client takes nothing of what is sent to it

C = TypeVar("C", bound=Hashable)


class Activity(Enum):
    """The activity of a connection."""

    HEAD = auto()  # a head is expected, or on its way
    IDLE = auto()  # it is kept alive after a response
    REQUEST = auto()  # a request is under way, or its response


@dataclass(slots=True)
class _State:
    doing: Activity
    since: float
    unsent: int = 0  # bytes that its client has not taken yet
    moved: float = 0.0  # when that number changed last


class Connections(Generic[C]):
    """The open connections: at most `most`, if whoever opens one first closes `next_to_go` while `full`.

    A connection is *silent* while it has no request under way.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._states: dict[C, _State] = {}
        # Those that do the same, in the order in which they began to.
        self._doing: dict[Activity, dict[C, None]] = {doing: {} for doing in Activity}

    def __len__(self) -> int:
        return len(self._states)

    @property
    def full(self) -> bool:
        """True if one has to go before another one comes."""
        return len(self) >= self.most

    @property
    def busy(self) -> list[C]:
        """The connections with a request under way."""
        return list(self._doing[Activity.REQUEST])

    def open(self, connection: C, now: float) -> None:
        """Take a new connection: it is silent."""
        self._states[connection] = _State(Activity.HEAD, now)
        self._doing[Activity.HEAD][connection] = None

    def close(self, connection: C) -> None:
        """Forget a connection; one that is unknown is forgotten already."""
        if state := self._states.pop(connection, None):
            del self._doing[state.doing][connection]

    def note(self, connection: C, doing: Activity, now: float) -> None:
        """Note what a connection does now. More of the same head changes nothing: its time runs from its beginning."""
        state = self._states.get(connection)
        if state and state.doing is not doing:
            del self._doing[state.doing][connection]
            self._states[connection] = _State(doing, now, moved=now)
            self._doing[doing][connection] = None

    def note_unsent(self, connection: C, size: int, now: float) -> None:
        """Note how many bytes its client has not taken yet."""
        if (state := self._states.get(connection)) and state.unsent != size:
            state.unsent, state.moved = size, now

    def overdue(self, now: float) -> list[C]:
        """Return the connections whose time is up: silent for too long, or with a client that takes nothing."""
        return [connection for connection, state in self._states.items() if _is_overdue(state, now)]

    def oldest_silent(self) -> C | None:
        """Return the connection that has been silent for longest, one that had its response before all others."""
        return next(chain(self._doing[Activity.IDLE], self._doing[Activity.HEAD]), None)

    def next_to_go(self) -> C | None:
        """Return the oldest silent connection; without any, one whose client takes nothing; without any, the oldest."""
        if len(self._doing[Activity.REQUEST]) < len(self):
            return self.oldest_silent()
        stuck = [one for one in self.busy if self._states[one].unsent]
        return min(stuck, key=lambda one: self._states[one].moved) if stuck else next(iter(self.busy), None)


def _is_overdue(state: _State, now: float) -> bool:
    match state.doing:
        case Activity.HEAD:
            return now - state.since > HEAD_TIMEOUT
        case Activity.IDLE:
            return now - state.since > IDLE_TIMEOUT
        case Activity.REQUEST:
            return state.unsent > 0 and now - state.moved > STUCK_TIMEOUT
