"""The practice's tools as an MCP server, by the official SDK. `grounding.stdio` is what clients start.

Each request stands for itself (stateless), so a daemon that was restarted goes on where the last one ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from paliadin.base.errors import PaliadinError
from paliadin.base.strict_json import JsonObject
from paliadin.base.tasks import background
from paliadin.practice.practice import TOOLS, Practice, in_words
from paliadin.practice.tools.model import Tool as OurTool

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams
    from starlette.types import Message, Scope

_PERSON, _TURN_OF_CALL = "paliadin.person", "paliadin.turn_of_call"  # keys in the ASGI connection scope
_CALL_ID = "claudecode/toolUseId"
"""Where a call of Claude Code's has its id, in `_meta`; the hooks call it `tool_use_id`."""

TurnOfCall = Callable[[object, str], str | None]
"""Takes a call's id and the tool's name, returns the id of the turn that made it, or None. It may block."""

SUGGESTING = frozenset(name for name, tool in TOOLS.items() if tool.suggests)
LOADING = 10.0  # seconds until the SDK must be there
INSTRUCTIONS = (
    "The reader's own practice: projects, deadlines, appointments, approvals, and reference data (courts, glossary, "
    "deadline rules, case law). Answer from what these tools return, and cite ids. What you suggest waits for a "
    "person's approval."
)


class McpServer:
    """Serves MCP requests while it runs. Loading the SDK takes most of a second and 55 MB; the daemon does not wait."""

    def __init__(self, practice: Practice) -> None:
        self._practice = practice
        self._manager: StreamableHTTPSessionManager | None = None
        self._ready = asyncio.Event()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve during a `with` block; requests that come before the SDK is loaded wait for it."""
        async with background(self._serve()):
            yield

    async def _serve(self) -> None:
        for module in ("mcp.server.lowlevel", "mcp.server.streamable_http_manager"):
            await asyncio.to_thread(importlib.import_module, module)
        self._manager = self._make_manager()
        async with self._manager.run():
            self._ready.set()
            await asyncio.Event().wait()

    async def reply(
        self, person: str, message: JsonObject, version: str | None = None, turn_of_call: TurnOfCall = lambda *_: None
    ) -> bytes | None:
        """Return the reply to a JSON-RPC message of this person's, as JSON; None for a notification.

        `version` is that of the protocol, as the client gives it in an HTTP header. `turn_of_call` is that of the
        session which the message comes from.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOADING):
                await self._ready.wait()
        if self._manager is None:
            raise PaliadinError("the MCP server does not run", hint="The daemon's log says why.")
        exchange = _Exchange(json.dumps(message).encode())
        await self._manager.handle_request(
            exchange.scope(person, version, turn_of_call), exchange.receive, exchange.send
        )
        return exchange.reply if "id" in message else None

    def _make_manager(self) -> StreamableHTTPSessionManager:
        from mcp.server.lowlevel import Server  # noqa: PLC0415  # an extra, and slow to load
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager  # noqa: PLC0415
        from mcp.server.transport_security import TransportSecuritySettings  # noqa: PLC0415

        server = Server(
            "paliad", instructions=INSTRUCTIONS, on_list_tools=self._list_tools, on_call_tool=self._call_tool
        )
        # Host and Origin are checked by Paliadin's own middleware, for all routes alike.
        security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        return StreamableHTTPSessionManager(server, json_response=True, stateless=True, security_settings=security)

    async def _list_tools(
        self, _context: ServerRequestContext[Any, Any], _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        from mcp_types import ListToolsResult, Tool, ToolAnnotations  # noqa: PLC0415

        def hints(tool: OurTool) -> ToolAnnotations:
            if tool.suggests:
                return ToolAnnotations(
                    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
                )
            return ToolAnnotations(read_only_hint=True, open_world_hint=False)

        return ListToolsResult(
            tools=[
                Tool(
                    name=tool.name,
                    title=tool.title,
                    description=tool.description,
                    input_schema=tool.schema,
                    annotations=hints(tool),
                )
                for tool in TOOLS.values()
            ]
        )

    async def _call_tool(
        self, context: ServerRequestContext[Any, Any], params: CallToolRequestParams
    ) -> CallToolResult:
        from mcp_types import CallToolResult, TextContent  # noqa: PLC0415

        scope = context.request.scope if context.request else {}
        is_error, turn = False, None
        try:
            if params.name in SUGGESTING:
                call_id = (context.meta or {}).get(_CALL_ID)
                turn = await asyncio.to_thread(scope[_TURN_OF_CALL], call_id, params.name)
            text = await self._practice.call(str(scope.get(_PERSON, "")), params.name, params.arguments or {}, turn)
        except PaliadinError as error:
            text, is_error = in_words(error), True
        return CallToolResult(content=[TextContent(type="text", text=text)], is_error=is_error)


class _Exchange:
    """One HTTP request and its response, as the SDK's ASGI application has them. The web's own routes are in front."""

    def __init__(self, body: bytes) -> None:
        self._body: bytes | None = body
        self.reply = b""

    def scope(self, person: str, version: str | None, turn_of_call: TurnOfCall) -> Scope:
        """The ASGI connection scope of the request."""
        headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        headers |= {"mcp-protocol-version": version} if version else {}
        return {
            "type": "http",
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": "/",
            "raw_path": b"/",
            "root_path": "",
            "query_string": b"",
            "headers": [(name.encode(), value.encode("latin-1", "replace")) for name, value in headers.items()],
            _PERSON: person,
            _TURN_OF_CALL: turn_of_call,
        }

    async def receive(self) -> Message:
        """Give the body once; then there is nothing more, for as long as the request takes."""
        if self._body is None:
            await asyncio.Event().wait()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(self, message: Message) -> None:
        """Take the response."""
        self.reply += message.get("body", b"")
