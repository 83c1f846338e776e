"""Removes conversations that a person has deleted, once there was time to take it back."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.base.tasks import background
from paliadin.conversations.conversation import UNDO_MS
from paliadin.people.caller import Caller
from paliadin.record.store import Store
from paliadin.turnlog.ids import now_ms
from paliadin.turns.deletion import delete_turns
from paliadin.turns.lifecycle import Turns

log = logging.getLogger(__name__)

LOOK_EVERY = 1.0  # seconds
RETRY_EVERY = 60.0  # seconds, after it could not be removed
RETRY_UNREACHABLE = 2.0  # seconds, while its host is unreachable: that costs nothing


class ConversationRemoval:
    """Hides conversations at once, and removes them with all that belongs to them a little later.

    Of one from which a branch leaves, the turns stay that the branch shows, and nothing else. A conversation is hidden
    in its own file, so that another daemon goes on where this one was ended.
    """

    def __init__(self, settings: Settings, turns: Turns, store: Store) -> None:
        self._settings, self._turns, self._store = settings, turns, store
        self._conversations = turns.conversations
        self._kept: dict[str, str] = {}  # session → the turn before which its turns are kept for branches
        self._next_try: dict[str, float] = {}  # session → by the event loop's clock

    def running(self) -> AbstractAsyncContextManager[None]:
        """Remove them beside a `with` block."""
        return background(self._work())

    def delete(self, session_id: str, caller: Caller) -> int:
        """Hide a conversation; returns until when this can be taken back. Raises NotFound, TurnInFlight."""
        session = self._conversations.resolve(session_id, caller)
        self._turns.require_idle(session)
        now = now_ms()
        self._conversations.put(session, replace(self._conversations.get(session), deleted_at=now))
        return now + UNDO_MS

    async def _work(self) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            for session in self._conversations.deleted():
                may_come_back = self._conversations.get(session).may_come_back(now_ms())
                if may_come_back or clock() < self._next_try.get(session, 0):
                    continue
                try:
                    await self._remove(session)
                    self._next_try.pop(session, None)
                except (errors.PaliadinError, OSError) as error:
                    if session not in self._next_try:  # once, not for each attempt
                        log.warning("the conversation %s is not removed yet: %s", session, error)
                    is_away = isinstance(error, errors.RelayUnreachable)
                    self._next_try[session] = clock() + (RETRY_UNREACHABLE if is_away else RETRY_EVERY)
            await asyncio.sleep(LOOK_EVERY)

    async def _remove(self, session: str) -> None:
        points = [point.turn_id for point in self._conversations.branches(session)]
        end = max(points, default="")
        if end and self._kept.get(session) == end:
            return
        await self._turns.relay.discard(session)
        turn_ids = [each for each in await self._store.turn_ids(session) if each >= end]
        # Not over a connection of its own: that would break the daemon's.
        await self._turns.relay.forget(session, turn_ids)
        await delete_turns(self._settings, self._store, dict.fromkeys(turn_ids, session), here_only=True)
        if end:
            self._kept[session] = end
        else:
            self._conversations.remove(session)
