"""Handles the conversations of a person who leaves: what runs is stopped; the rest stays, or is deleted."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace

from paliadin.base.errors import PaliadinError, StoreUnavailable
from paliadin.people.caller import Caller
from paliadin.people.person_key import PersonKey
from paliadin.record.store import Store
from paliadin.turnlog.ids import now_ms
from paliadin.turns.lifecycle import Turns
from paliadin.turns.queue import HoldReason

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PersonCounts:
    """The numbers of a person's conversations and turns. `turns` is None where the database could not be asked."""

    conversations: int
    turns: int | None
    last_at: int | None  # their last question, milliseconds since 1970


class Leaving:
    """Counts, stops and deletes what people have: members by their ids, the owner by the empty one (`OWNERS`)."""

    def __init__(self, turns: Turns, store: Store) -> None:
        self._turns, self._store = turns, store
        self._conversations = turns.conversations

    def conversations(self, person: str) -> PersonCounts:
        """Count a person's conversations, without their turns."""
        begun = [each for session in self._sessions(person) if (each := self._conversations.get(session)).is_begun]
        return PersonCounts(len(begun), None, max((each.last_at for each in begun if each.last_at), default=None))

    async def count(self, person: str) -> PersonCounts:
        """Count a person's conversations and turns."""
        sessions = self._sessions(person)
        try:
            turns = sum([len(await self._store.turn_ids(session)) for session in sessions])
        except StoreUnavailable:
            return self.conversations(person)
        return replace(self.conversations(person), turns=turns)

    async def stop(self, person: str, caller: Caller) -> None:
        """Stop what runs in a member's conversations, for the owner who asks; questions that wait there stay there."""
        sessions = self._sessions(person)
        for session in sessions:
            self._turns.queues.hold(session, HoldReason.STOPPED)
        running = [turn_id for session in sessions if (turn_id := self._turns.sessions.of(session))]
        running += [turn_id for session in sessions for turn_id in self._turns.sessions.requests(session)]
        await asyncio.gather(*(self._abort(turn_id, caller) for turn_id in running))

    async def _abort(self, turn_id: str, caller: Caller) -> None:
        try:
            await self._turns.abort(turn_id, caller)
        except PaliadinError as error:  # its Claude does not respond, and is ended when the conversation is parked
            log.warning("turn %s of somebody who was removed is not stopped: %s", turn_id, error)

    def delete(self, person: str) -> None:
        """Hide a member's conversations; they are removed once this can no longer be taken back."""
        for session in self._sessions(person):
            self._conversations.put(session, replace(self._conversations.get(session), deleted_at=now_ms()))

    def _sessions(self, person: str) -> list[str]:
        whose = PersonKey(person)
        return [name for name in self._conversations.names() if self._conversations.person_key(name) == whose]
