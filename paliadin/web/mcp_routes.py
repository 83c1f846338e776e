"""The HTTP route of the practice's tools, for MCP clients: it is there when the practice is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

from paliadin.base import errors
from paliadin.people.caller import Scope
from paliadin.practice.mcp_server import PERSON
from paliadin.turns.lifecycle import Turns
from paliadin.web.paths import API
from paliadin.web.scoped_routes import Declared, ScopedRoute


@dataclass
class McpRoutes:
    """The handler of /mcp. `server` handles MCP over HTTP; `id_of` gives the id of a conversation's person."""

    turns: Turns
    server: ASGIApp
    id_of: Callable[[str], str]

    def routes(self) -> list[Declared]:
        """The routes to mount."""
        return [ScopedRoute(f"{API}/mcp", self.serve, scope=Scope.OWNER, methods=["POST"])]

    async def serve(self, request: Request) -> Response:
        """Handle one MCP request: as the person whose session the query names, or without one as the owner."""
        return _Served(self.server, self._person(request.query_params.get("session")))

    def _person(self, session: str | None) -> str:
        if session is None:
            return self.id_of("")
        name = self.turns.conversations.find(session)
        if name is None:
            raise errors.NotFound("there is no such session", code="unknown_session", hint="Leave `session` out.")
        return self.id_of(self.turns.conversations.get(name).person)


class _Served(Response):
    """The response of an application that gets the person with the connection."""

    def __init__(self, app: ASGIApp, person: str) -> None:
        super().__init__()
        self._app, self._person = app, person

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        await self._app({**scope, PERSON: self._person}, receive, send)
