"""The places for running Claudes, of which there are few: which sessions have one, and which wait. Knows no tmux."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

LOOK_EVERY = 0.5  # seconds between looks for a place
ENOUGH_LOOKS = 2  # of whoever is first in the line: one of them has begun and ended since


@dataclass(eq=False, slots=True)
class _Ticket:
    """A user who waits in the line for a place."""

    member: str | None  # who waits; None for the owner
    rank: int = 0  # how many of this member's had a place or waited before
    members_full: bool = False  # at the last look, as many members' Claudes had places as may; others may pass
    holders: Sequence[str] = ()  # the sessions that have the places, as this one has seen them


class Places:
    """Lets at most `limit` Claudes run at once, first come, first served; of members at most `members_limit`.

    Whoever waits for a member's place holds up nobody who needs none, and a member's second question nobody's first.
    `member_of` returns the member whose session it is, None for the owner's. `alive` returns the sessions whose Claude
    runs, `is_alive` tells it of one. `park_one` parks one of the sessions that it gets, if one can be parked, and
    returns whether it did.
    """

    def __init__(
        self,
        limit: int,
        *,
        members_limit: int,
        member_of: Callable[[str], str | None],
        alive: Callable[[], Awaitable[Collection[str]]],
        is_alive: Callable[[str], Awaitable[bool]],
        park_one: Callable[[Collection[str]], Awaitable[bool]],
    ) -> None:
        self._limit, self._members_limit, self._member_of = limit, members_limit, member_of
        self._alive, self._is_alive, self._park_one = alive, is_alive, park_one
        self._users: Counter[str] = Counter()  # of sessions
        self._admitted: set[str] = set()  # sessions with users whose Claude may be started
        self._ending: set[str] = set()  # sessions that are being parked
        self._line: list[_Ticket] = []  # those who wait, the first first
        self._looking = asyncio.Lock()  # two who look at once would both take the last place
        self._looks = 0  # how often whoever was first has found no place
        self._seen_alive: Collection[str] = ()  # at the last look: not each of those who wait asks tmux
        self._changed = asyncio.Event()  # set, and replaced, when there may be a place

    @contextmanager
    def used(self, session: str) -> Iterator[None]:
        """Keep the session's Claude from being parked, and its place from others, during a `with` block."""
        self._users[session] += 1
        try:
            yield
        finally:
            self._let_go(session)

    @contextmanager
    def _waiting(self, session: str) -> Iterator[None]:
        """Allow the session's Claude to be parked during a `with` block, in which this user waits behind others."""
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
        """Let a `with` block end the session's Claude; yields False if it must not be ended, since it is used."""
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
        report: Callable[[Sequence[str]], None] = lambda _holders: None,
        is_given_up: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Wait until the Claude of a session that is `used` may run; False when the user has given up.

        A Claude that runs already waits only while it could be parked for somebody before it in the line. `report` is
        called with the sessions that hold the places while none is free, again whenever these change, and with none
        once there is a place.
        """
        if not self._line and await self._runs(session):
            return True
        ticket = self._queue(self._member_of(session))
        try:
            with self._waiting(session):
                return await self._wait_in_line(session, ticket, report, is_given_up)
        finally:
            self._line.remove(ticket)
            self._look_again()

    def _queue(self, member: str | None) -> _Ticket:
        """Let somebody wait: behind all others, but a member before those of whom more have a place or wait."""
        if member is None:
            ticket = _Ticket(None)
            self._line.append(ticket)
            return ticket
        waiting = sum(each.member == member for each in self._line)
        ticket = _Ticket(member, waiting + sum(self._member_of(each) == member for each in self._admitted))
        behind = (at for at, each in enumerate(self._line) if each.member is not None and each.rank > ticket.rank)
        self._line.insert(next(behind, len(self._line)), ticket)
        return ticket

    async def _wait_in_line(
        self, session: str, ticket: _Ticket, report: Callable[[Sequence[str]], None], is_given_up: Callable[[], bool]
    ) -> bool:
        reported: Sequence[str] = ()
        since = self._looks
        while not is_given_up():
            if self._users[session]:  # of another user, who ends soon: it cannot be parked until then
                since = self._looks
            if await self._has_place(session, ticket) or await self._is_left_running(session, since):
                if reported:
                    report(())
                return True
            others = [name for name in self._seen_by(ticket).holders if name != session]
            if others and others != reported:
                reported = others
                report(reported)
            await self._pause()
        return False

    async def _is_left_running(self, session: str, since: int) -> bool:
        """Admit a session whose Claude was not parked for the first in the line: perhaps it cannot be."""
        may_run = session in self._admitted or session in self._seen_alive
        return self._looks >= since + ENOUGH_LOOKS and may_run and await self._runs(session)

    async def admit_if_free(self, session: str) -> bool:
        """Admit a session that is `used` if nobody waits and no Claude has to be parked for it."""
        if await self._runs(session):
            return True
        async with self._looking:
            if self._line or await self._full_of(session) is not None:
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

    async def _has_place(self, session: str, ticket: _Ticket) -> bool:
        """Admit the session if its user is next in the line and there is a place, or one can be made."""
        if not self._is_next(ticket):
            return False
        async with self._looking:
            if not self._is_next(ticket) or session in self._ending:
                return False
            if await self._runs(session):
                return True
            while (others := await self._full_of(session)) is not None:
                if others & self._ending or not await self._park_one(others):
                    break
            members_full = others is not None and all(self._member_of(each) is not None for each in others)
            ticket.members_full = ticket.member is not None and members_full
            if others is not None:
                ticket.holders = ticket.holders if others & self._ending else sorted(others)
                self._looks += 1
                return False
            self._admitted.add(session)
            return True

    def _is_next(self, ticket: _Ticket) -> bool:
        before = self._line[: self._line.index(ticket)]
        if ticket.member is not None or not before:
            return not before
        return before[0].members_full and all(each.member is not None for each in before)

    def _seen_by(self, ticket: _Ticket) -> _Ticket:
        """Return the first ticket in the line for the same kind of place, whose last look holds for this one, too."""
        before = self._line[: self._line.index(ticket) + 1]
        return next(
            each for each in before if (each.member is None) == (ticket.member is None) or not each.members_full
        )

    async def _full_of(self, session: str) -> set[str] | None:
        """Return the sessions of which one has to be parked for this one; None where there is a place."""
        self._seen_alive = alive = await self._alive()
        others = {*alive, *self._admitted} - {session}
        members = {each for each in others if self._member_of(each) is not None}
        members = members if self._member_of(session) is not None else set()
        if len(members) >= self._members_limit and members:
            return members
        return others if len(others) >= self._limit else None

    def _look_again(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def _pause(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK_EVERY):
                await self._changed.wait()
