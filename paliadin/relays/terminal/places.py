"""The places for running Claudes, of which there are few: who has one, and who waits for one. It knows no tmux."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

LOOK_EVERY = 0.5  # seconds between looks for a place
ENOUGH_LOOKS = 2  # of whoever is first in the line: one of them has begun and ended since


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
        self._looks = 0  # how often whoever was first has found no place
        self._changed = asyncio.Event()  # set, and replaced, when there may be a place

    @contextmanager
    def used(self, session: str) -> Iterator[None]:
        """Keep the session's Claude from being parked during a `with` block, and its place from others."""
        self._users[session] += 1
        try:
            yield
        finally:
            self._let_go(session)

    @contextmanager
    def _waiting(self, session: str) -> Iterator[None]:
        """Let the session's Claude be parked during a `with` block, for somebody who waits before this user."""
        self._let_go(session)
        try:
            yield
        finally:
            self._users[session] += 1

    def _let_go(self, session: str) -> None:
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

        One that runs already waits only while somebody else does for whom it could be parked. `tell` is called with the
        sessions that hold the places while none is free, again whenever these change, and with none of them once there
        is a place.
        """
        if not self._line and await self._runs(session):
            return True
        ticket = object()
        self._line.append(ticket)
        try:
            with self._waiting(session):
                return await self._wait_in_line(session, ticket, tell, is_given_up)
        finally:
            self._line.remove(ticket)
            self._look_again()

    async def _wait_in_line(
        self, session: str, ticket: object, tell: Callable[[Sequence[str]], None], is_given_up: Callable[[], bool]
    ) -> bool:
        holders_told: Sequence[str] = ()
        since = self._looks
        while not is_given_up():
            if self._users[session]:  # of another user, who ends soon: it cannot be parked until then
                since = self._looks
            if await self._has_place(session, ticket) or await self._is_kept(session, since):
                if holders_told:
                    tell(())
                return True
            others = [name for name in self._holders if name != session]
            if others and others != holders_told:
                holders_told = others
                tell(holders_told)
            await self._pause()
        return False

    async def _is_kept(self, session: str, since: int) -> bool:
        """Admit a session whose Claude runs and was not parked for whoever is first: perhaps it cannot be parked."""
        return self._looks >= since + ENOUGH_LOOKS and await self._runs(session)

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
        alive = session not in self._ending and await self._is_alive(session)
        if not alive or session in self._ending:  # it may be parked now, if its user waits in the line
            return False
        self._admitted.add(session)
        return True

    async def _has_place(self, session: str, ticket: object) -> bool:
        """Admit the session if its user is the first in the line and there is a place, or one can be made."""
        if self._line[0] is not ticket or session in self._ending:
            return False
        if await self._runs(session):
            return True
        others = await self._others(session)
        while len(others) >= self._limit and not others & self._ending and await self._park_one(others):
            others = await self._others(session)
        if len(others) >= self._limit:
            self._holders = self._holders if others & self._ending else sorted(others)
            self._looks += 1
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
