"""The HTTP route of the health report, with what the caller may do; the page's stream sends the same."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.base.settings import Settings
from paliadin.base.settings_values import RELAYS, TERMINAL
from paliadin.operations.health import without_the_machine
from paliadin.people.caller import Caller, Scope
from paliadin.people.directory import People
from paliadin.relays.protocol import DEFAULT_SESSION
from paliadin.turns.lifecycle import Turns
from paliadin.turns.question import may_allow
from paliadin.web.openapi.schema import BOOL, TEXT, array, nullable, one_of, record, reference
from paliadin.web.route_declaration import SESSION_IN_QUERY, Operation, route
from paliadin.web.scoped_routes import caller_of, named_session

Report = dict[str, Any]

CONSENT = record({"agreed": BOOL, "version": TEXT, "host": TEXT, "model": TEXT})
_WHO = record({"id": TEXT, "name": TEXT, "role": TEXT, "language": nullable(TEXT)})


class Terms(Protocol):
    """The terms on which somebody may ask in conversations of one relay."""

    def rights_of(self, caller: Caller) -> Mapping[str, Any]:
        """Return further fields of the report for the caller."""

    async def report_to(self, caller: Caller, report: Report) -> Report:
        """Return the report as it is for the caller."""


@dataclass
class HealthRoutes:
    """The handler of /health. `report` takes a session's name, or None for the default one."""

    settings: Settings
    turns: Turns
    people: People
    report: Callable[[str | None], Awaitable[Report]]
    terms: Mapping[str, Terms]  # by the name of the relay
    pages: Collection[str]  # the parts that have a piece of the page
    _being_made: dict[str, asyncio.Task[Report]] = field(default_factory=dict)  # by session

    @route("GET", "health", Scope.CONVERSATION, replace(SESSION_IN_QUERY, default=None))
    @Operation(
        record(
            {"ok": BOOL, "parts": array(reference("Part")), "scripted": BOOL, "version": TEXT, "may_allow": BOOL}
            | {"may_attach": BOOL, "person": _WHO, "relay": one_of(*RELAYS)},
            {"demo_questions": {"type": "object"}, "consent": CONSENT, "keeps_words": BOOL, "pieces": array(TEXT)},
        ),
        errors=(404, 422, 503),
    )
    async def get_health(self, request: Request) -> Response:
        """The state of each part."""
        session = named_session(request)
        return JSONResponse(await self._shown_to(caller_of(request), session, await self.report(session)))

    async def shared(self, caller: Caller, session: str) -> Report:
        """Return the session's report as the caller gets it. Pages that ask at the same time get the same one.

        No report is kept: a page that has just read of something new would get an outdated one.
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
        rights |= dict.fromkeys(self.pages, is_here)
        if self.pages and is_here:
            rights["pieces"] = [*self.pages]
        relay = self.turns.relays.traits(session or DEFAULT_SESSION).name
        rights |= {"relay": relay, "may_attach": not caller.is_member and relay == TERMINAL}
        if terms := self.terms.get(relay):
            rights |= terms.rights_of(caller)
            report = await terms.report_to(caller, report)
        shown_report = without_the_machine(report) if caller.is_member else report
        return {**shown_report, **rights, "person": self.people.described(caller)}
