"""Tells open pages in which sessions something that they show has changed, so that nobody has to poll."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Set
from contextlib import contextmanager


class Subscription:
    """The changed sessions that one reader has not taken yet. `only`: the one that it waits for; None: any.

    With `turns` it keeps the turns that have begun, too: one may be over before its reader looks.
    """

    def __init__(self, *, turns: bool = False) -> None:
        self.only: str | None = None
        self._turns: list[tuple[str, str]] | None = [] if turns else None  # (session, id)
        self._sessions: set[str] = set()
        self._woken = asyncio.Event()
        self.closed = False

    def add(self, sessions: Collection[str], turn: str = "") -> None:
        """Add changed sessions, in which the turn of this id has begun, and wake the reader."""
        if self.only is not None and self.only not in sessions:
            return
        self._sessions.update(sessions)
        if turn and self._turns is not None:
            self._turns += [(session, turn) for session in sessions]
        self._woken.set()

    def close(self) -> None:
        """Wake the reader for the last time: the daemon ends."""
        self.closed = True
        self._woken.set()

    async def take(self) -> Set[str]:
        """Wait for a change, and return the sessions that have changed since the last call; empty once it is closed."""
        await self._woken.wait()
        if not self.closed:
            self._woken.clear()
        sessions, self._sessions = self._sessions, set()
        return sessions

    def begun_in(self, session: str | None) -> list[str]:
        """Return the ids of the turns that have begun in the session since the last call, and forget all others."""
        begun, self._turns = self._turns or [], []
        return [turn for each, turn in begun if each == session]


class Changes:
    """The changes of sessions, for all who subscribe."""

    def __init__(self) -> None:
        self._subscriptions: set[Subscription] = set()
        self._closed = False

    @property
    def have_readers(self) -> bool:
        """True while somebody subscribes: what has to be polled is polled only then."""
        return bool(self._subscriptions)

    def note(self, *sessions: str, turn: str = "") -> None:
        """Note that something has changed in these sessions; `turn`: the turn of this id has begun."""
        for subscription in self._subscriptions:
            subscription.add(sessions, turn)

    @contextmanager
    def subscribed(self, *, turns: bool = False) -> Iterator[Subscription]:
        """Subscribe to what changes during a `with` block; `turns`: to the turns that begin, too."""
        subscription = Subscription(turns=turns)
        self._subscriptions.add(subscription)
        if self._closed:
            subscription.close()
        try:
            yield subscription
        finally:
            self._subscriptions.discard(subscription)

    def close(self) -> None:
        """Close every subscription, those that come later as well."""
        self._closed = True
        for subscription in self._subscriptions:
            subscription.close()
