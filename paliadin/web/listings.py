"""The list of conversations of everybody whose page is open: made anew when something in it changes, once for all.

`Changes` reports what the daemon itself changes. What can only be looked up (which Claudes run, their figures, what
peers list) is looked up every few seconds, once for all callers or for all pages of one caller.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from paliadin.base.errors import PaliadinError
from paliadin.base.tasks import background, log_error
from paliadin.conversations.changes import Subscription
from paliadin.people.caller import Caller, Scope
from paliadin.turns.conversation_list import ConversationList
from paliadin.turns.history_items import Item
from paliadin.turns.lifecycle import Turns
from paliadin.web.peer_daemons import Peers

log = logging.getLogger(__name__)

# In seconds.
PEERS_EVERY = 3.0
MOST_RECENT = 16  # lists of one caller
SPACING = 0.25  # between two makings of the same list: many changes at once are one


@dataclass(frozen=True)
class ListSnapshot:
    """A list of conversations at one moment; equal ones have the same version."""

    items: Sequence[Item]
    hosts: Sequence[str]
    version: str

    @cached_property
    def ids(self) -> frozenset[str]:
        """The conversations' ids."""
        return frozenset(str(item["id"]) for item in self.items)

    def changes_since(self, before: ListSnapshot | None) -> dict[str, Any]:
        """Return the data of the event `list`, for a client that has `before`, or nothing that is known here."""
        known = {str(item["id"]): item for item in before.items} if before else {}
        changed = [item for item in self.items if known.get(str(item["id"])) != item]
        gone = known.keys() - self.ids
        since = before.version if before else None
        ids = {"conversations": changed, "gone": sorted(gone), "hosts": self.hosts}
        return {"version": self.version, "since": since, **ids}


@dataclass
class FollowedList:
    """One caller's list while pages follow it."""

    listed: ListSnapshot
    of_peers: Sequence[Item]
    pages: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)  # set and replaced at every change
    working: asyncio.Task[None] | None = None
    _recent: dict[str, ListSnapshot] = field(default_factory=dict)  # by version, the newest last

    def __post_init__(self) -> None:
        self.put(self.listed)

    def put(self, listed: ListSnapshot) -> None:
        """Take the present list, and wake those who follow it if it has changed."""
        if self._recent and listed.version == self.listed.version:
            return
        self.listed = listed
        self._recent.pop(listed.version, None)
        self._recent[listed.version] = listed
        while len(self._recent) > MOST_RECENT:
            del self._recent[next(iter(self._recent))]
        self.changed.set()
        self.changed = asyncio.Event()

    def recent(self, version: str) -> ListSnapshot | None:
        """Return the list that had this version a moment ago; None if that is not known."""
        return self._recent.get(version)


class Listings:
    """Makes lists of conversations, and tells those who follow one of its changes."""

    def __init__(self, turns: Turns, conversation_list: ConversationList, peers: Peers) -> None:
        self._turns, self._conversation_list, self._peers = turns, conversation_list, peers
        self._followed: dict[Caller, FollowedList] = {}

    async def make(self, caller: Caller, query: Mapping[str, str] | None = None) -> ListSnapshot:
        """List the caller's conversations, those of peers included; `query` is that of `GET /conversations`."""
        query = query or {}
        words, archived = query.get("q", "").strip(), query.get("archived") == "1"
        items = await self._conversation_list.listed(caller, words, archived=archived)
        listed = self._listed([*items, *await self._of_peers(caller, query)], caller)
        if not words and not archived and (followed := self._followed.get(caller)):
            followed.put(listed)  # whoever got this one must not get an older one after it
        return listed

    async def now(self, caller: Caller, known: str) -> dict[str, Any] | None:
        """Return the data of the event `list` for a client that has the version `known`; None if that is the newest."""
        followed = self._followed.get(caller)
        listed = followed.listed if followed else await self.make(caller)
        before = followed.recent(known) if followed else None
        return None if listed.version == known else listed.changes_since(before)

    @asynccontextmanager
    async def following(self, caller: Caller) -> AsyncIterator[FollowedList]:
        """Keep the caller's list up to date during a `with` block."""
        followed = self._followed.get(caller)
        if followed is None:
            of_peers = await self._of_peers(caller, {})
            newest = self._listed([*await self._conversation_list.listed(caller), *of_peers], caller)
            followed = self._followed.setdefault(caller, FollowedList(newest, of_peers))
        followed.pages += 1
        if followed.working is None:
            followed.working = asyncio.create_task(self._keep_up(caller, followed))
            followed.working.add_done_callback(log_error)
        try:
            yield followed
        finally:
            followed.pages -= 1
            if followed.pages == 0:
                self._followed.pop(caller, None)
                followed.working.cancel()

    async def _keep_up(self, caller: Caller, followed: FollowedList) -> None:
        with self._turns.changes.subscribed() as changes:
            async with background(self._look_at_peers(caller, followed, changes)):
                await self._remake(caller, followed)  # it may have changed since it was made
                while not changes.closed:
                    sessions = await changes.take()
                    if not sessions or any(self._is_about(session, caller, followed) for session in sessions):
                        await self._remake(caller, followed)
                        await asyncio.sleep(SPACING)

    async def _look_at_peers(self, caller: Caller, followed: FollowedList, changes: Subscription) -> None:
        while self._includes_peers(caller):
            await asyncio.sleep(PEERS_EVERY)
            before, followed.of_peers = followed.of_peers, await self._of_peers(caller, {})
            if before != followed.of_peers:
                changes.add(())

    async def _remake(self, caller: Caller, followed: FollowedList) -> None:
        try:
            items = await self._conversation_list.listed(caller)
        except (PaliadinError, OSError) as error:
            log.warning("the list of conversations is not made: %s", error)
            return
        followed.put(self._listed([*items, *followed.of_peers], caller))

    def _is_about(self, session: str, caller: Caller, followed: FollowedList) -> bool:
        is_listed = self._conversation_list.name_for(session, caller) in followed.listed.ids
        return is_listed or self._turns.conversations.may_list(caller, session)

    def _includes_peers(self, caller: Caller) -> bool:
        return caller.forwarded_by is None and caller.may_call(Scope.OWNER) and bool(self._turns.settings.peers)

    async def _of_peers(self, caller: Caller, query: Mapping[str, str]) -> Sequence[Item]:
        return await self._peers.list_conversations(caller, query) if self._includes_peers(caller) else []

    def _listed(self, items: Sequence[Item], caller: Caller) -> ListSnapshot:
        hosts = self._turns.conversations.hosts() if caller.may_call(Scope.OWNER) else []
        items = sorted(items, key=lambda item: item["last_at"] or item["created_at"] or 0, reverse=True)
        serialised = json.dumps([sorted(items, key=lambda item: str(item["id"])), hosts], sort_keys=True)
        return ListSnapshot(items, hosts, hashlib.sha256(serialised.encode()).hexdigest()[:16])
