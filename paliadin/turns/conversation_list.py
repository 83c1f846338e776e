"""The list of conversations as a person sees it: each with its title, its state and what has happened in it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from paliadin.base.errors import PaliadinError
from paliadin.base.tasks import background, endless
from paliadin.conversations.conversation import Conversation
from paliadin.people.account import account_name
from paliadin.people.caller import Caller, Scope
from paliadin.record.row import TurnRow
from paliadin.relays.protocol import DEFAULT_SESSION, State
from paliadin.turns.history import History
from paliadin.turns.history_items import Item, excerpt, text_with
from paliadin.turns.lifecycle import Turns
from paliadin.turns.model_and_mode import described

# In seconds.
LOOK_TIMEOUT = 0.5
LOOK_EVERY = 2.0

MATCH_MARGIN = 20  # characters of an excerpt before the match, of which a narrow list has two lines


class ConversationListStore(Protocol):
    """The store's methods that `ConversationList` uses."""

    async def search_sessions(self, session_ids: Sequence[str], phrase: str) -> list[TurnRow]: ...


class ConversationList:
    """Lists conversations; docs/http.md has the fields of an item."""

    def __init__(self, turns: Turns, history: History, store: ConversationListStore) -> None:
        self._turns, self._history, self._store = turns, history, store
        self._conversations = turns.conversations
        self._alive: Collection[str] = ()
        self._seen: Mapping[str, object] = {}  # of each session, when it was looked up last
        self._owner = account_name()

    def running(self) -> AbstractAsyncContextManager[None]:
        """Look for changes that nothing reports, in the background of a `with` block."""
        return background(endless(self._watch, "changes of the list are not seen", LOOK_EVERY))

    async def _watch(self) -> None:
        if self._turns.changes.have_readers:
            before, self._seen = self._seen, await self._look_up()
            self._turns.changes.note(*(name for name in self._seen if self._seen[name] != before.get(name)))

    async def _look_up(self) -> Mapping[str, object]:
        """Look up the state of each session that a list shows and whose changes nothing reports to the daemon."""
        alive, names = await self._look_alive(), self._conversations.names()
        figures: Mapping[str, object] = {}
        with contextlib.suppress(PaliadinError, OSError):
            figures = await self._turns.relays.figures(names)
        is_reachable, cleared_at, tasks = (
            self._turns.relays.is_reachable,
            self._history.cleared_at,
            self._turns.background_tasks,
        )
        return {
            name: (name in alive, is_reachable(name), figures.get(name), cleared_at(name), tasks(name))
            for name in names
        }

    async def listed(self, caller: Caller, words: str = "", *, archived: bool = False) -> list[Item]:
        """Return the items of the caller's conversations, the one asked in last first.

        `words`: only those whose title, questions or answers contain them. Raises StoreUnavailable for a search
        without a database.
        """
        alive = await self._look_alive()
        conversations = dict(self._conversations.listed(caller, archived=archived))
        items = {session: self._item(session, each, alive, caller) for session, each in conversations.items()}
        await self._add_figures(items, caller)
        if words:
            items = await self._matching(items, words)
        return sorted(items.values(), key=lambda item: item["last_at"] or item["created_at"] or 0, reverse=True)

    async def item(self, session: str, caller: Caller) -> Item:
        """Return the item of one conversation."""
        item = self._item(session, self._conversations.get(session), await self._look_alive(), caller)
        await self._add_figures({session: item}, caller)
        return item

    async def _add_figures(self, items: Mapping[str, Item], caller: Caller) -> None:
        """Add the figures of each session's Claude, where there is a status line: the owner's affair alone."""
        if not caller.may_call(Scope.OWNER):
            return
        for session, figures in (await self._turns.relays.figures(items)).items():
            items[session].update(described(figures))

    async def _look_alive(self) -> Collection[str]:
        """Return the sessions whose Claude runs; while tmux hangs, those that ran last: the list waits for nobody."""
        with contextlib.suppress(PaliadinError, TimeoutError):
            async with asyncio.timeout(LOOK_TIMEOUT):
                self._alive = await self._turns.relays.alive()
        return self._alive

    def _item(self, session: str, conversation: Conversation, alive: Collection[str], caller: Caller) -> Item:
        values = conversation.as_json()
        shown = {name: values[name] for name in _SHOWN}
        point = conversation.branch_of
        return {
            "id": self.name_for(session, caller),
            **shown,
            "person": conversation.person or self._owner,
            "host": self._turns.relays.host(session),
            "state": self._state(session, conversation, alive),
            "cleared_at": self._history.cleared_at(session) or None,
            "branch_of": point and {"session_id": self.name_for(point.session_id, caller), "turn_id": point.turn_id},
            "running_turn": self._turns.sessions.of(session),
            "queued": len(self._turns.queues.of(session).turns),
            "background_tasks": self._turns.background_tasks(session) if session in alive else 0,
        }

    def name_for(self, session: str, caller: Caller) -> str:
        """The session's name for the caller: the short one for a page, the full one for another daemon.

        A member's first conversation at the page is called `main` there, as the owner's is.
        """
        if caller.is_member and not caller.in_drawer and session == self._conversations.first(caller):
            return DEFAULT_SESSION
        return session if caller.forwarded_by else self._turns.settings.names.short(session) or session

    def _state(self, session: str, conversation: Conversation, alive: Collection[str]) -> str:
        if self._turns.sessions.is_waiting(session):
            return "waiting"
        if self._turns.sessions.of(session):
            return State.BUSY
        if not self._turns.relays.is_reachable(session):
            return State.UNREACHABLE
        if conversation.failed:
            return "failed"
        return State.READY if session in alive else State.PARKED

    async def _matching(self, items: dict[str, Item], words: str) -> dict[str, Item]:
        rows = [
            row  # the newest one: where that is not shown, none is
            for row in await self._store.search_sessions(list(items), words)
            if row.turn_id >= self._conversations.get(row.session_id).first_shown()
        ]
        matches = await asyncio.to_thread(lambda: {row.session_id: _match(row, words) for row in rows})
        for session, match in matches.items():
            items[session]["match"] = match
        folded = words.casefold()
        return {
            session: item for session, item in items.items() if session in matches or folded in item["title"].casefold()
        }


_SHOWN = ("title", "origin", "pinned", "archived", "created_at", "last_at", "ended_at", "first_turn")


def _match(row: TurnRow, words: str) -> Item:
    text = text_with(words, row, row.user_message)
    return {"turn_id": row.turn_id, "excerpt": excerpt(text, words, MATCH_MARGIN)}
