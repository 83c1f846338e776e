"""The one stream of a page: its conversation's turns, what else changes in it, the list of conversations, the health.

A browser opens six connections to a host over HTTP/1.1, for all its tabs together. So a page has one stream for all
that it shows. The stream has no state here: the page says what it has, and gets what differs.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import AsyncIterator, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from paliadin.base.errors import NotFound, PaliadinError, RelayUnreachable
from paliadin.base.tasks import Tasks
from paliadin.conversations.changes import Subscription
from paliadin.events.model import Event, Unnumbered
from paliadin.people.caller import Caller
from paliadin.turns.history import History
from paliadin.turns.lifecycle import Turns
from paliadin.web.doors.encoder import as_shown
from paliadin.web.doors.server_sent_events import ServerSentEvents, encode_notice
from paliadin.web.health_routes import HealthRoutes
from paliadin.web.listings import Listings
from paliadin.web.page_state import OFF, PageState
from paliadin.web.peer_daemons import Peers
from paliadin.web.refusal_timing import STEP

log = logging.getLogger(__name__)

MISSING = "missing"  # in place of the version of a conversation that is not there
MOST_WAITING = 32  # batches for a page that reads slowly

# In seconds.
HEALTH_EVERY = 10.0
POOR_HEALTH_EVERY = 5.0  # also of a session on another host, whose connection may break at any time
PEER_AGAIN = 5.0


@dataclass
class PageStream:
    """Sends one page what it does not know yet. `peer` is the daemon that has its conversation; None for this one."""

    turns: Turns
    history: History
    listings: Listings
    health: HealthRoutes
    peers: Peers
    caller: Caller
    known: PageState
    peer: str | None
    _outbox: asyncio.Queue[bytes | None] = field(default_factory=lambda: asyncio.Queue(MOST_WAITING))

    def __post_init__(self) -> None:
        self._clock = asyncio.get_running_loop().time
        self._arrived = self._clock()

    async def blocks(self) -> AsyncIterator[bytes]:
        """Yield server-sent events until the daemon ends, or what the page follows cannot be followed any more."""
        with self.turns.changes.subscribed(turns=self.peer is None) as changes:
            async with Tasks() as tasks:
                for work in self._works(changes, tasks):
                    tasks.spawn(self._end_on_failure(work))
                while block := await self._outbox.get():
                    yield block

    async def so_far(self) -> bytes:
        """Return all that the page does not know at this moment, for one that has no stream."""
        blocks = []
        if self.known.list != OFF and (listed := await self.listings.now(self.caller, self.known.list)):
            blocks.append(encode_notice("list", listed))
        if self.peer:
            return b"".join([*blocks, await self._so_far_of(self.peer)])
        session, version = await self._look_up_conversation()
        if self.known.state not in {version, OFF}:
            blocks.append(encode_notice("conversation", {"version": version}))
        turns = dict.fromkeys([*self.known.after, *self._running_turns(session)])
        blocks += [await self._turn_so_far(turn_id) for turn_id in turns]
        report = await self._report(session) if self.known.health != OFF else None
        if report and report["version"] != self.known.health:
            blocks.append(encode_notice("health", report))
        return b"".join(blocks)

    async def _turn_so_far(self, turn_id: str) -> bytes:
        try:
            self.turns.describe(turn_id, self.caller)
        except NotFound:
            return await self._encode_gone(turn_id)
        return self._encoded(turn_id, await self.turns.events_so_far(turn_id, self.known.after.get(turn_id, 0)))

    async def _so_far_of(self, peer: str) -> bytes:
        query = {**self.known.as_query(), "follow": "0"}
        try:
            return await self.peers.events_so_far(peer, self.caller, query)
        except RelayUnreachable:
            return b""

    def _works(self, changes: Subscription, tasks: Tasks) -> list[Coroutine[object, object, None]]:
        works = [self._follow_list()] if self.known.list != OFF else []
        if self.peer:
            return [*works, self._follow_peer(self.peer), self._wait_for_the_end(changes)]
        works += [self._follow_health()] if self.known.health != OFF else []
        return [*works, self._follow_conversation(changes, tasks)]

    async def _end_on_failure(self, work: Coroutine[object, object, None]) -> None:
        """Do the work; where it fails the stream ends, and the page opens another one."""
        try:
            await work
        except BaseException:
            self._end()
            raise

    def _end(self) -> None:
        while not self._outbox.empty():  # the rest would come behind a gap
            self._outbox.get_nowait()
        self._outbox.put_nowait(None)

    async def _wait_for_the_end(self, changes: Subscription) -> None:
        while not changes.closed:
            await changes.take()
        self._end()

    async def _follow_list(self) -> None:
        async with self.listings.following(self.caller) as followed:
            sent, version = followed.recent(self.known.list), self.known.list
            while True:
                changed, now = followed.changed, followed.listed
                if now.version != version:
                    await self._outbox.put(encode_notice("list", now.changes_since(sent)))
                sent, version = now, now.version
                await changed.wait()

    async def _follow_conversation(self, changes: Subscription, tasks: Tasks) -> None:
        """Follow the conversation's turns, those that run and those that begin later; tell when its history changes."""
        known_version, begun = self.known.state, set[str]()
        for turn_id in self.known.after:
            self._begin(turn_id, begun, tasks)
        while not changes.closed:
            session, version = await self._look_up_conversation()
            if known_version not in {version, OFF}:
                await self._outbox.put(encode_notice("conversation", {"version": version}))
                known_version = version
            for turn_id in [*changes.begun_in(session), *self._running_turns(session)]:
                self._begin(turn_id, begun, tasks)
            if session != changes.only:
                changes.only = session
                continue  # what has changed in between
            await changes.take()
        self._end()

    def _begin(self, turn_id: str, begun: set[str], tasks: Tasks) -> None:
        if turn_id not in begun:
            begun.add(turn_id)
            tasks.spawn(self._end_on_failure(self._follow_turn(turn_id)))

    async def _follow_turn(self, turn_id: str) -> None:
        try:
            self.turns.describe(turn_id, self.caller)
        except NotFound:
            await self._outbox.put(await self._encode_gone(turn_id))
            return
        async for batch in self.turns.events(turn_id, self.known.after.get(turn_id, 0)):
            await self._outbox.put(self._encoded(turn_id, batch))

    async def _follow_health(self) -> None:
        known_version = self.known.health
        while True:
            session, _ = await self._look_up_conversation()
            report = await self._report(session)
            if report and report["version"] != known_version:
                await self._outbox.put(encode_notice("health", report))
                known_version = report["version"]
            is_here = session is not None and self.turns.settings.names.short(session) is not None
            is_well = is_here and report is not None and report["report"]["ok"]
            await asyncio.sleep(HEALTH_EVERY if is_well else POOR_HEALTH_EVERY)

    async def _report(self, session: str | None) -> dict[str, Any] | None:
        """Return the data of the event `health`; None where there is nothing to report on."""
        if session is None:
            return None
        try:
            report = await self.health.shared(self.caller, session)
        except PaliadinError:
            return None
        version = hashlib.sha256(json.dumps(report, sort_keys=True).encode()).hexdigest()[:16]
        return {"version": version, "report": report}

    async def _follow_peer(self, peer: str) -> None:
        """Pass on what the peer sends; once that has begun and breaks off, the stream ends: the page knows how far."""
        has_begun = False
        while not has_begun:
            try:
                async for blocks in self.peers.events(peer, self.caller, self.known.as_query()):
                    has_begun = True
                    await self._outbox.put(blocks)
            except RelayUnreachable as error:
                log.info("the stream of the daemon %s cannot be followed: %s", peer, error)
            await asyncio.sleep(0 if has_begun else PEER_AGAIN)
        self._end()

    async def _look_up_conversation(self) -> tuple[str | None, str]:
        """Return the conversation's session, None if it is not there, and the version of its history."""
        try:
            session = self.turns.conversations.resolve(self.known.session_id, self.caller)
        except NotFound:
            await self._keep_pace()
            return None, MISSING
        return session, self.history.version(session)

    def _running_turns(self, session: str | None) -> list[str]:
        return [stream.turn.id for stream in self.turns.sessions.streams_of(session)] if session else []

    def _encoded(self, turn_id: str, batch: Sequence[Event | Unnumbered]) -> bytes:
        shown = as_shown(batch, self.caller, self.turns.settings.names)
        return ServerSentEvents(f"{turn_id}:").encode(shown)

    async def _encode_gone(self, turn_id: str) -> bytes:
        await self._keep_pace()
        return encode_notice("gone", {}, f"{turn_id}:")

    async def _keep_pace(self) -> None:
        """Let a refusal tell a member nothing by the time that it takes, as `refusal_timing` does."""
        if self.caller.is_member:
            await asyncio.sleep((self._arrived - self._clock()) % STEP)
