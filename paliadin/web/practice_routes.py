"""The HTTP routes of a practice: its tools for MCP clients, and what the page shows of a project."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.base import errors
from paliadin.people.caller import Scope
from paliadin.people.directory import People
from paliadin.practice.mcp_server import McpServer
from paliadin.practice.practice import Practice
from paliadin.turns.lifecycle import Turns
from paliadin.web.body import read_object
from paliadin.web.paths import API
from paliadin.web.scoped_routes import Declared, ScopedRoute, caller_of


@dataclass
class PracticeRoutes:
    """The handlers of /mcp and /practice."""

    turns: Turns
    people: People
    practice: Practice
    server: McpServer

    def routes(self) -> list[Declared]:
        """The routes to mount."""
        project = f"{API}/practice/projects/{{project_id}}"
        return [
            ScopedRoute(f"{API}/mcp", self.serve_mcp, scope=Scope.OWNER, methods=["POST"]),
            ScopedRoute(project, self.show_project, scope=Scope.CONVERSATION),
        ]

    async def serve_mcp(self, request: Request) -> Response:
        """Handle one MCP message: as the person whose session the query names, or without one as the owner."""
        person = self._person_of(request.query_params.get("session"))
        message = await read_object(request)
        is_request = message.get("jsonrpc") == "2.0" and isinstance(message.get("method"), str)
        if not is_request or type(message.get("id", 0)) not in (int, str):
            raise errors.MalformedBody("the body is no JSON-RPC request", hint="An MCP client sends one.")
        version = request.headers.get("mcp-protocol-version")
        reply = await self.server.reply(person, message, version)
        return Response(status_code=202) if reply is None else Response(reply, media_type="application/json")

    async def show_project(self, request: Request) -> Response:
        """What is open in a project that the caller may see, for the chip of the page's context."""
        caller = caller_of(request)
        person = self.people.id_of(caller.person if caller.is_member else "")
        return JSONResponse(await self.practice.project_counts(person, request.path_params["project_id"]))

    def _person_of(self, session: str | None) -> str:
        if session is None:
            return self.people.id_of("")
        name = self.turns.conversations.find(session)
        if name is None:
            raise errors.NotFound("there is no such session", code="unknown_session", hint="Leave `session` out.")
        return self.people.id_of(self.turns.conversations.get(name).person)
