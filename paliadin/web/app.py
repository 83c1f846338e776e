"""The daemon's HTTP application: docs/http.md's routes behind the access middleware, and errors as JSON bodies."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from paliadin.base import errors
from paliadin.base.audit import AuditLog
from paliadin.base.retained import Retained
from paliadin.base.settings import Settings
from paliadin.operations.metrics import CONTENT_TYPE, Metrics
from paliadin.people.access import Access
from paliadin.people.caller import Scope
from paliadin.turns.conversation_list import ConversationList
from paliadin.turns.conversation_removal import ConversationRemoval
from paliadin.turns.history import History
from paliadin.turns.lifecycle import Turns
from paliadin.turns.people_leaving import Leaving
from paliadin.web.access_routes import AccessRoutes
from paliadin.web.attachment_routes import AttachmentRoutes
from paliadin.web.auth import AccessMiddleware
from paliadin.web.conversation_routes import ConversationRoutes
from paliadin.web.dashboard.routes import Dashboard
from paliadin.web.file_routes import FileRoutes
from paliadin.web.health_routes import HealthRoutes, Terms
from paliadin.web.listings import Listings
from paliadin.web.lookup import Lookup
from paliadin.web.openapi.schema import TEXT
from paliadin.web.page_stream_routes import PageStreamRoutes
from paliadin.web.pages import STATIC, Liveness, Pages, static_files
from paliadin.web.peer_daemons import Peers
from paliadin.web.people_routes import PeopleRoutes
from paliadin.web.picture_routes import PictureRoutes
from paliadin.web.route_declaration import Operation, Whose, route
from paliadin.web.scoped_routes import Declared, routes_of
from paliadin.web.session_routes import SessionRoutes
from paliadin.web.static_files import StaticFilesByVersion
from paliadin.web.turn_routes import TurnRoutes
from paliadin.web.unknown_path import HINT, answer_unknown_path

log = logging.getLogger(__name__)


@dataclass
class Api:
    """The parts of the daemon that the routes call. `health` takes a session's name, or None for the default one."""

    settings: Settings
    turns: Turns
    history: History
    health: Callable[[str | None], Awaitable[dict[str, Any]]]
    dashboard: Dashboard
    metrics: Metrics
    peers: Peers
    access: Access
    conversation_list: ConversationList
    removal: ConversationRemoval
    leaving: Leaving
    retained: Sequence[Retained] = ()
    pages: Mapping[str, Path] = field(default_factory=dict)  # the parts' pieces of the page: name → folder
    terms: Mapping[str, Terms] = field(default_factory=dict)  # of relays, by their names
    more_routes: Sequence[Declared] = ()  # of the parts

    def routes(self) -> list[Declared]:
        """All routes; only /livez while PALIADIN_ENABLED is false."""
        if not self.settings.enabled:
            return routes_of(Liveness())
        settings, turns, history = self.settings, self.turns, self.history
        listings = Listings(turns, self.conversation_list, self.peers)
        health = HealthRoutes(settings, turns, self.access.people, self.health, self.terms, self.pages)
        files = StaticFilesByVersion(STATIC, self.pages)
        groups = [
            Liveness(),
            Pages(self.access.people, files),
            TurnRoutes(settings, turns, history),
            AttachmentRoutes(turns),
            PictureRoutes(settings, turns),
            AccessRoutes(settings, self.access, [each.key for each in self.more_routes if each.key]),
            PeopleRoutes(settings, self.access, self.leaving, self.retained),
            SessionRoutes(settings, turns, history, self.peers),
            ConversationRoutes(settings, turns, self.conversation_list, listings, self.removal),
            health,
            PageStreamRoutes(turns, history, listings, health, self.peers),
            FileRoutes(settings, turns),
            self,
        ]
        declared = [each for group in groups for each in routes_of(group)]
        return [*declared, static_files(files), *self.dashboard.routes(), *self.more_routes]

    @route("GET", "openapi.json", Scope.OWNER, Whose.OWNERS)
    @Operation({"type": "object"})
    async def get_description(self, _request: Request) -> Response:
        """This description."""
        from paliadin.web.openapi.document import describe  # noqa: PLC0415  # few ask for it

        return JSONResponse(describe(self.routes()))

    @route("GET", "/metrics", Scope.METRICS, Whose.OWNERS)
    @Operation(TEXT, media=("text/plain",))
    async def get_metrics(self, _request: Request) -> Response:
        """Metrics in Prometheus' format."""
        return Response(await self.metrics.render(self.turns), media_type=CONTENT_TYPE)

    async def http_error(self, request: Request, error: Exception) -> Response:
        """The JSON body of an HTTP error."""
        assert isinstance(error, HTTPException)  # noqa: S101  # registered for this type
        if error.status_code == 404:
            return answer_unknown_path(request, self.settings.application)
        code = {405: "method_not_allowed"}.get(error.status_code, "bad_request")
        body = {"error": {"code": code, "message": str(error.detail), "hint": HINT}}
        return JSONResponse(body, error.status_code, headers=error.headers)


def create_app(api: Api) -> Starlette:
    """Build the ASGI application."""
    routes, audit = api.routes(), AuditLog(api.settings.home)
    gate = Middleware(AccessMiddleware, settings=api.settings, access=api.access, audit=audit, routes=routes)
    app = Starlette(
        routes=routes,
        middleware=[gate],
        exception_handlers={
            errors.PaliadinError: _paliadin_error,
            HTTPException: api.http_error,
            ClientDisconnect: _client_gone,
            Exception: _unexpected_error,
        },
    )
    app.state.audit, app.state.lookup = audit, Lookup(api.turns, api.peers)
    return app


async def _paliadin_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, errors.PaliadinError)  # noqa: S101  # registered for this type
    headers = {"Retry-After": str(error.retry_after)} if isinstance(error, errors.RateLimited) else None
    return JSONResponse(error.body(), error.status, headers)


async def _client_gone(_request: Request, _error: Exception) -> Response:
    """Respond to a client that left in the middle of its body: nobody reads it, and the daemon is not at fault."""
    return Response(status_code=400)


async def _unexpected_error(request: Request, error: Exception) -> Response:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    body = errors.PaliadinError("something went wrong inside Paliadin", hint="The daemon's log has the details.").body()
    return JSONResponse(body, 500)
