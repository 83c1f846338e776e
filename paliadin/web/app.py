"""The daemon's HTTP application: docs/http.md's routes behind the access middleware, and errors as JSON bodies."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from paliadin.base import errors
from paliadin.base.audit import AuditLog
from paliadin.base.settings import Settings
from paliadin.base.settings_values import LONGEST_PERSON, is_person
from paliadin.operations.metrics import CONTENT_TYPE, Metrics
from paliadin.people.access import Access
from paliadin.people.caller import Scope
from paliadin.people.data_keeper import DataKeeper
from paliadin.people.embed_tokens import LIFETIME
from paliadin.toolboxes.mcp_server import McpServer
from paliadin.turns.conversation_removal import ConversationRemoval
from paliadin.turns.history import History
from paliadin.turns.leaving import Leaving
from paliadin.turns.lifecycle import Turns
from paliadin.turns.overview import Overview
from paliadin.web.access_routes import AccessRoutes
from paliadin.web.attachment_routes import AttachmentRoutes
from paliadin.web.auth import AccessMiddleware
from paliadin.web.body import read_object
from paliadin.web.conversation_routes import ConversationRoutes
from paliadin.web.dashboard.routes import Dashboard
from paliadin.web.file_routes import FileRoutes
from paliadin.web.health_routes import HealthRoutes
from paliadin.web.hosts import quoted
from paliadin.web.listings import Listings
from paliadin.web.mcp_routes import McpRoutes
from paliadin.web.page_stream_routes import PageStreamRoutes
from paliadin.web.pages import LIVEZ, page_routes
from paliadin.web.paths import API
from paliadin.web.peer_daemons import Peers
from paliadin.web.people_routes import PeopleRoutes
from paliadin.web.picture_routes import PictureRoutes
from paliadin.web.scoped_routes import Declared, ScopedRoute, add_to_audit
from paliadin.web.session_routes import SessionRoutes
from paliadin.web.turn_routes import TurnRoutes
from paliadin.web.unknown_path import HINT, answer_unknown_path

if TYPE_CHECKING:
    from paliadin.web.messages_routes import MessagesPart

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
    overview: Overview
    removal: ConversationRemoval
    leaving: Leaving
    toolboxes: McpServer | None = None
    keepers: Sequence[DataKeeper] = ()  # of people's data
    rights: Mapping[str, bool] = field(default_factory=dict)  # of the parts, for /health
    more_routes: Callable[[], Sequence[Declared]] = tuple  # of the parts
    messages: MessagesPart | None = None

    def routes(self) -> list[Declared]:
        """All routes; only /livez while PALIADIN_ENABLED is false."""
        if not self.settings.enabled:
            return [LIVEZ]
        listings = Listings(self.turns, self.overview, self.peers)
        health = HealthRoutes(
            self.settings,
            self.turns,
            self.peers,
            self.access.people,
            self.health,
            self.messages,
            self.rights,
        )
        return [
            ScopedRoute("/metrics", self.get_metrics, scope=Scope.METRICS),
            *page_routes(self.access.people),
            *self.dashboard.routes(),
            *TurnRoutes(self.settings, self.turns, self.history, self.peers).routes(),
            *AttachmentRoutes(self.turns, self.peers).routes(),
            *PictureRoutes(self.settings, self.turns, self.peers).routes(),
            *AccessRoutes(self.settings, self.access).routes(),
            *PeopleRoutes(self.settings, self.access, self.leaving, self.keepers).routes(),
            *SessionRoutes(self.settings, self.turns, self.history, self.peers).routes(),
            *ConversationRoutes(self.settings, self.turns, self.overview, listings, self.removal, self.peers).routes(),
            *health.routes(),
            *PageStreamRoutes(self.turns, self.history, listings, health, self.peers).routes(),
            *FileRoutes(self.settings, self.turns, self.peers).routes(),
            *(McpRoutes(self.settings, self.turns, self.toolboxes).routes() if self.toolboxes else ()),
            *self.more_routes(),
            *(self.messages.routes() if self.messages else []),
            ScopedRoute(f"{API}/openapi.json", self.get_description, scope=Scope.OWNER),
            ScopedRoute(
                f"{API}/embed-token", self.issue_embed_token, scope=Scope.EMBED, methods=["POST"], audit="drawer opened"
            ),
        ]

    async def issue_embed_token(self, request: Request) -> Response:
        """Issue a token with which a page of `origin` asks as `person`."""
        body = await read_object(request)
        origin, person = body.get("origin"), body.get("person")
        if origin not in self.settings.allowed_origins:
            raise errors.Forbidden(
                f"{quoted(origin if isinstance(origin, str) else '')} is not in PALIADIN_ALLOWED_ORIGINS",
                code="foreign_origin",
                status=403,
                hint="If that application is yours, add its origin and restart the daemon.",
            )
        if not isinstance(person, str) or not is_person(person):
            raise errors.InvalidField(f"person must be a text of 1 to {LONGEST_PERSON} printable characters")
        add_to_audit(request, person=person, page_origin=origin)
        token = self.access.embed_tokens.issue(origin, person)
        return JSONResponse({"token": token, "expires_in": LIFETIME})

    async def get_description(self, _request: Request) -> Response:
        """The description of all routes, in OpenAPI 3.1."""
        from paliadin.web.openapi.document import describe  # noqa: PLC0415  # 3 ms, and few ask for it

        return JSONResponse(describe(self.routes()))

    async def get_metrics(self, _request: Request) -> Response:
        """The metrics in Prometheus' text format."""
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
    app.state.audit = audit
    return app


async def _paliadin_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, errors.PaliadinError)  # noqa: S101  # registered for this type
    headers = {"Retry-After": str(error.retry_after)} if isinstance(error, errors.RateLimited) else None
    return JSONResponse(error.body(), error.status, headers)


async def _client_gone(_request: Request, _error: Exception) -> Response:
    """The response to a client that left in the middle of its body: nobody reads it, and it is no fault of ours."""
    return Response(status_code=400)


async def _unexpected_error(request: Request, error: Exception) -> Response:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    body = errors.PaliadinError("something went wrong inside Paliadin", hint="The daemon's log has the details.").body()
    return JSONResponse(body, 500)
