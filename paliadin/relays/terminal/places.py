"""The places for running Claudes, of which there are few: who has one, and who waits for one. It knows no tmux."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

LOOK_EVERY = 0.5  # seconds between looks for a place


class Places:
    """Lets at most `limit` Claudes run at once, first come, first served.

    `alive` returns the sessions whose Claude runs, `is_alive` tells it of one. `park_one` parks one of the sessions
    that it gets, if one can be parked, and returns whether it did.
    """

    def __init__(
        self,
        limit: int,
        alive: Callable[[], Awaitable[Collection[str]]],
        is_alive: Callable[[str], Awaitable[bool]],
        park_one: Callable[[Collection[str]], Awaitable[bool]],
    ) -> None:
        self._limit, self._alive, self._is_alive, self._park_one = limit, alive, is_alive, park_one
        self._users: Counter[str] = Counter()  # of sessions
        self._admitted: set[str] = set()  # sessions with users whose Claude may be started
        self._ending: set[str] = set()  # sessions that are being parked
        self._line: list[object] = []  # those who wait, the first first
        self._holders: Sequence[str] = ()  # the sessions that have the places, as whoever is first has seen them
        self._changed = asyncio.Event()  # set, and replaced, when there may be a place

    @contextmanager
    def used(self, session: str) -> Iterator[None]:
        """Keep the session's Claude from being parked during a `with` block, and its place from others."""
        self._users[session] += 1
        try:
            yield
        finally:
            self._users[session] -= 1
            if not self._users[session]:
                del self._users[session]
                self._admitted.discard(session)
                self._look_again()

    def is_used(self, session: str) -> bool:
        """Tell whether the session is used now, so that its Claude cannot be parked."""
        return session in self._users

    @contextmanager
    def ending(self, session: str) -> Iterator[bool]:
        """End the session's Claude during a `with` block; False: it must not be ended, since it is used."""
        if session in self._users or session in self._ending:
            yield False
            return
        self._ending.add(session)
        try:
            yield True
        finally:
            self._ending.discard(session)
            self._look_again()

    async def admit(
        self,
        session: str,
        tell: Callable[[Sequence[str]], None] = lambda _holders: None,
        is_given_up: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Wait until the Claude of a session that is `used` may run; False when that was given up.

        One that runs already need not wait. `tell` is called with the sessions that hold the places while none is
        free, again whenever these change, and with none of them once there is a place.
        """
        if await self._runs(session):
            return True
        ticket, told = object(), False
        self._line.append(ticket)
        try:
            holders: Sequence[str] = ()
            while not is_given_up():
                if await self._has_place(session, ticket):
                    if told:
                        tell(())
                    return True
                if self._holders and self._holders != holders:
                    holders, told = self._holders, True
                    tell(holders)
                await self._pause()
            return False
        finally:
            self._line.remove(ticket)
            self._look_again()

    async def admit_if_free(self, session: str) -> bool:
        """Let the Claude of a session that is `used` run if that needs no waiting, and no Claude to be parked."""
        if await self._runs(session):
            return True
        others = await self._others(session)
        if self._line or len(others) >= self._limit:
            return False
        self._admitted.add(session)
        return True

    async def _runs(self, session: str) -> bool:
        """Admit the session if its Claude runs, or may run already."""
        if session in self._admitted:
            return True
        alive = session not in self._ending and await self._is_alive(session)  # used: it is not parked meanwhile
        if alive:
            self._admitted.add(session)
        return alive

    async def _has_place(self, session: str, ticket: object) -> bool:
        """Admit the session if its user is the first in the line and there is a place, or one can be made."""
        if session in self._admitted:
            return True
        if self._line[0] is not ticket:
            return False
        others = await self._others(session)
        while len(others) >= self._limit and not others & self._ending and await self._park_one(others):
            others = await self._others(session)
        if len(others) >= self._limit:
            self._holders = self._holders if others & self._ending else sorted(others)
            return False
        self._admitted.add(session)
        return True

    async def _others(self, session: str) -> set[str]:
        """The sessions that have places, besides this one."""
        alive = await self._alive()
        return {*alive, *self._admitted} - {session}

    def _look_again(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def _pause(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK_EVERY):
                await self._changed.wait()
