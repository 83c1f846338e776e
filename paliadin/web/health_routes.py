"""The HTTP route of the health report, with what the caller may do; the page's stream sends the same."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.base.settings import Settings
from paliadin.operations.health import without_the_machine
from paliadin.people.caller import Caller, Scope
from paliadin.people.directory import People
from paliadin.turns.lifecycle import Turns
from paliadin.turns.question import may_allow
from paliadin.web.paths import API
from paliadin.web.peer_daemons import Peers
from paliadin.web.scoped_routes import Declared, ScopedRoute, caller_of

if TYPE_CHECKING:
    from paliadin.web.messages_routes import MessagesPart

Report = dict[str, Any]


@dataclass
class HealthRoutes:
    """The handler of /health. `report` takes a session's name, or None for the default one."""

    settings: Settings
    turns: Turns
    peers: Peers
    people: People
    report: Callable[[str | None], Awaitable[Report]]
    messages: MessagesPart | None
    rights: Mapping[str, bool]  # of the parts
    _being_made: dict[str, asyncio.Task[Report]] = field(default_factory=dict)  # by session

    def routes(self) -> list[Declared]:
        """The routes to mount."""
        return [ScopedRoute(f"{API}/health", self.get_health, scope=Scope.CONVERSATION)]

    async def get_health(self, request: Request) -> Response:
        """The health report of this daemon, or of the peer that has the session; a member's is of their own."""
        caller, session = caller_of(request), request.query_params.get("session_id")
        if session is None and caller.is_member:
            session = "main"  # theirs
        if peer := await self.peers.find_by_session(request, session):
            return await self.peers.forward(peer, request)
        named = self.turns.conversations.resolve(session, caller) if session else None
        return JSONResponse(await self._shown_to(caller, named, await self.report(named)))

    async def shared(self, caller: Caller, session: str) -> Report:
        """Return the session's report as the caller gets it. Pages that ask at the same time get the same one.

        None is kept: a page that has just read of something new would be told what was so before.
        """
        if session not in self._being_made:
            task = self._being_made[session] = asyncio.ensure_future(self._make(session))
            task.add_done_callback(lambda _: self._being_made.pop(session, None))
        return await self._shown_to(caller, session, await asyncio.shield(self._being_made[session]))

    async def _make(self, session: str) -> Report:
        return await self.report(session)

    async def _shown_to(self, caller: Caller, session: str | None, report: Report) -> Report:
        rights: Report = {"may_allow": may_allow(self.settings, caller)}
        # A Claude on another host has none of its tools: there is no database.
        is_here = session is None or self.settings.names.short(session) is not None
        rights |= {name: right and is_here for name, right in self.rights.items()}
        is_claude_code = self.turns.relay.runs_a_claude(session or "main")
        rights |= {"may_attach": not caller.is_member and is_claude_code}
        rights |= {"relay": "terminal" if is_claude_code else "messages"}
        if self.messages and not is_claude_code:
            rights["consent"] = self.messages.consent_of(caller)
            rights["keeps_words"] = self.settings.keeps_words
            report = await self.messages.report_to(caller, report)
        shown = without_the_machine(report) if caller.is_member else report
        return {**shown, **rights, "person": self.people.described(caller)}
