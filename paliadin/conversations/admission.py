"""Lets so many conversations of other people than the owner run at once, and no more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager

from paliadin.base import errors
from paliadin.conversations.directory import Conversations
from paliadin.people.caller import Caller
from paliadin.relays.protocol import Relays


class Admission:
    """Admits members' questions one after another; at most `limit` of their Claudes run."""

    def __init__(self, conversations: Conversations, relay: Relays, limit: int) -> None:
        self._conversations, self._relay, self._limit = conversations, relay, limit
        self._admitting = asyncio.Lock()

    @asynccontextmanager
    async def admitted(
        self, session: str, running: Callable[[], Collection[str]], caller: Caller | None = None
    ) -> AsyncIterator[None]:
        """Admit a question or a reset; in the `with` block no other member is admitted.

        `running` tells which sessions are at work. It is asked once it is this member's turn: whoever was admitted
        before has a turn by then, but maybe no Claude yet. A member's Claude that is idle is parked for another one;
        raises RelayError when too many work. `caller`: the first conversation of this person in a drawer is made if it
        is missing.
        """
        is_members = caller.is_member if caller else bool(self._conversations.get(session).person)
        if not is_members or not self._relay.runs_a_claude(session):
            self._ensure(session, caller)
            yield
            return
        async with self._admitting:
            await self._make_way(session, running)
            self._ensure(session, caller)
            yield

    def _ensure(self, session: str, caller: Caller | None) -> None:
        if caller:
            self._conversations.ensure(session, caller)

    async def _make_way(self, session: str, running: Callable[[], Collection[str]]) -> None:
        alive, at_work = await self._relay.alive(), running()
        members = filter(self._relay.runs_a_claude, self._conversations.members())
        others = [name for name in members if name != session]
        occupied = [name for name in others if name in at_work or name in alive]
        for name in sorted(occupied, key=lambda name: self._conversations.get(name).last_at or 0):
            if len(occupied) < self._limit:
                return
            if name not in at_work and await self._relay.park(name):
                occupied.remove(name)
        if len(occupied) >= self._limit:
            raise errors.RelayError(
                f"{len(occupied)} conversations of other people run already, and no more may run at once",
                code="too_many_conversations",
                hint="Ask again later. The owner can raise PALIADIN_MAX_EMBEDDED.",
            )
