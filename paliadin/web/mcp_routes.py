"""The HTTP route of the toolboxes, for MCP clients: Claude Code's, and those of other programs."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.people.caller import Scope
from paliadin.people.person_key import OWNER, PersonKey
from paliadin.toolboxes.mcp_server import ALL, McpServer, TurnOfCall
from paliadin.turnlog.calls import turn_of_call
from paliadin.turns.lifecycle import Turns
from paliadin.web.body import read_object
from paliadin.web.openapi.schema import ANYTHING, TEXT, one_of, record
from paliadin.web.route_declaration import Operation, Whose, route
from paliadin.web.scoped_routes import Declared, routes_of


@dataclass
class McpRoutes:
    """The handler of /mcp."""

    settings: Settings
    turns: Turns
    server: McpServer

    def routes(self) -> list[Declared]:
        """The routes to mount."""
        return routes_of(self)

    @route("POST", "mcp", Scope.OWNER, Whose.OWNERS)
    @Operation(
        ANYTHING,
        body=record({"jsonrpc": one_of("2.0"), "method": TEXT}, {"id": ANYTHING, "params": ANYTHING}),
        query={"session": TEXT, "toolbox": TEXT},
        headers={"mcp-protocol-version": TEXT},
        empty=(202,),
        errors=(404,),
    )
    async def serve_mcp(self, request: Request) -> Response:
        """One request of the Model Context Protocol (JSON-RPC, stateless): the tools that run here.

        They are called as the person whose session the query names, or without one as the owner.
        """
        session = request.query_params.get("session")
        person = self._person_of(session)
        message = await read_object(request)
        is_request = message.get("jsonrpc") == "2.0" and isinstance(message.get("method"), str)
        if not is_request or type(message.get("id", 0)) not in (int, str):
            raise errors.MalformedBody("the body is no JSON-RPC request", hint="An MCP client sends one.")
        version, toolbox = request.headers.get("mcp-protocol-version"), request.query_params.get("toolbox", ALL)
        reply = await self.server.reply(person, message, version, self._turn_of_call(session), toolbox=toolbox)
        return Response(status_code=202) if reply is None else Response(reply, media_type="application/json")

    def _turn_of_call(self, session: str | None) -> TurnOfCall:
        """Return the function that finds the turn of a call from this session; without a session, there is no turn."""
        name = session and self.turns.conversations.find(session)
        if not name:
            return lambda *_: None
        folder = self.settings.sessions_dir / name
        return lambda call_id, tool: turn_of_call(folder, call_id, tool)

    def _person_of(self, session: str | None) -> PersonKey:
        if session is None:
            return OWNER
        name = self.turns.conversations.find(session)
        if name is None:
            raise errors.NotFound("there is no such session", code="unknown_session", hint="Leave `session` out.")
        return self.turns.conversations.person_key(name)
