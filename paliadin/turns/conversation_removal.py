"""Removes conversations that a person has deleted, once there was time to take it back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

from paliadin.base import errors
from paliadin.base.retained import Retained
from paliadin.base.session_names import MADE_NAME, SessionName
from paliadin.base.settings import Settings
from paliadin.base.tasks import background, endless
from paliadin.people.caller import Caller
from paliadin.record.store import Store
from paliadin.relays.protocol import FarRelay
from paliadin.turnlog.ids import now_ms
from paliadin.turns.deletion import delete_turns
from paliadin.turns.lifecycle import Turns

log = logging.getLogger(__name__)

LOOK_EVERY = 1.0  # seconds
RETRY_EVERY = 60.0  # seconds, after it could not be removed
RETRY_SOON = 2.0  # seconds, while its host is unreachable or its Claude at work: that costs nothing
LOOK_FOR_UNBEGUN_EVERY = 3600.0  # seconds


class ConversationRemoval:
    """Hides conversations at once, and removes them with all that belongs to them a little later.

    Of one from which a branch leaves, the turns stay that the branch shows, and nothing else. One whose name comes back
    by itself, as `main`, begins anew. A conversation is hidden in its own file, so that another daemon goes on where
    this one was ended. One in which nothing was ever asked is removed, too.
    """

    def __init__(self, settings: Settings, turns: Turns, store: Store, retained: Sequence[Retained]) -> None:
        self._settings, self._turns, self._store, self._retained = settings, turns, store, retained
        self._conversations = turns.conversations
        self._done: dict[str, tuple[int | None, list[str]]] = {}  # session → what was the case at the last removal
        self._next_try: dict[str, float] = {}  # session → by the event loop's clock
        self._next_look = 0.0  # for conversations that were never begun

    def running(self) -> AbstractAsyncContextManager[None]:
        """Remove deleted conversations in the background of a `with` block."""
        return background(endless(self._work, "deleted conversations are not removed yet", LOOK_EVERY))

    def delete(self, session_id: str, caller: Caller) -> int:
        """Hide a conversation; returns until when this can be taken back. Raises NotFound, TurnInFlight."""
        session = self._conversations.claim(session_id, caller)
        self._turns.sessions.require_idle(session)
        deleted = replace(self._conversations.get(session), deleted_at=now_ms())
        self._conversations.put(session, deleted)
        return deleted.undo_until

    async def _work(self) -> None:
        clock = asyncio.get_running_loop().time
        if clock() >= self._next_look:
            self._next_look = clock() + LOOK_FOR_UNBEGUN_EVERY
            self._remove_unbegun()
        for session in self._conversations.with_leftovers():
            may_come_back = self._conversations.get(session).may_come_back(now_ms())
            if may_come_back or clock() < self._next_try.get(session, 0):
                continue
            try:
                await self._remove(session)
                self._next_try.pop(session, None)
            except (errors.PaliadinError, OSError) as error:
                if session not in self._next_try:  # once, not for each attempt
                    log.warning("the conversation %s is not removed yet: %s", session, error)
                is_soon = isinstance(error, errors.RelayUnreachable | errors.TurnInFlight)
                self._next_try[session] = clock() + (RETRY_SOON if is_soon else RETRY_EVERY)

    def _remove_unbegun(self) -> None:
        for session in self._conversations.unbegun():
            if not self._turns.queues.of(session).turns:
                self._conversations.put(session, replace(self._conversations.get(session), deleted_at=0))

    async def _remove(self, session: str) -> None:
        """Remove what no branch needs, if that has changed since the last time."""
        conversation = self._conversations.get(session)
        branches = sorted(point.turn_id for point in self._conversations.branches(session))
        now = (conversation.deleted_at, branches)
        if self._done.get(session) == now:
            return
        if conversation.deleted_at is not None:
            await self._turns.dismiss_requests(session)
            await self._turns.relays.discard(session)
        turn_ids = [each for each in await self._store.turn_ids(session) if not conversation.needs(each, branches)]
        relay, _ = self._turns.relays.at(session)
        if isinstance(relay, FarRelay):  # not over a connection of its own: that would break the daemon's
            await relay.forget(turn_ids)
        await delete_turns(self._settings, self._retained, dict.fromkeys(turn_ids, session), here_only=True)
        if conversation.deleted_at is not None:
            for each in self._retained:
                await each.of_conversation(session)
        self._done[session] = now
        if conversation.deleted_at is not None:
            self._remove_or_begin_anew(session, branches)
        elif not branches and (now_there := self._conversations.get(session)).deleted_at is None:
            self._conversations.put(session, replace(now_there, emptied=()))

    def _remove_or_begin_anew(self, session: str, branches: Sequence[str]) -> None:
        """Remove a conversation, or let a name that comes back begin anew; the turns that branches need stay."""
        self._turns.queues.forget(session)
        self._turns.relays.forget_place(session)
        if not branches:
            self._conversations.remove(session)
            self._done.pop(session, None)
        elif not MADE_NAME.fullmatch(SessionName.parse(session).session):
            self._conversations.begin_anew(session, branches[-1])
