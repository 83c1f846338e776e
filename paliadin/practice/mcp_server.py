"""The practice's tools as an MCP server, by the official SDK, over HTTP. `grounding.stdio` is what clients start.

Each request stands for itself (stateless), so a daemon that was restarted goes on where the last one ended.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from paliadin.base.errors import PaliadinError
from paliadin.practice.practice import TOOLS, Practice, in_words

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams
    from starlette.types import Receive, Scope, Send

PERSON = "paliadin.person"
"""The key in the ASGI connection scope that names the person whose data a request shows."""

MAX_BODY = 100_000  # bytes of a request
INSTRUCTIONS = (
    "The reader's own practice: projects, deadlines, appointments, approvals, and reference data (courts, glossary, "
    "deadline rules, case law). Answer from what these tools return, and cite ids."
)


class McpServer:
    """Serves MCP requests while it runs; loading the SDK takes most of a second and 55 MB."""

    def __init__(self, practice: Practice) -> None:
        self._practice = practice
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve during a `with` block."""
        for module in ("mcp.server.lowlevel", "mcp.server.streamable_http_manager"):
            await asyncio.to_thread(importlib.import_module, module)
        self._manager = self._make_manager()
        async with self._manager.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one HTTP request, whose scope names the person (PERSON)."""
        if self._manager is None:
            raise PaliadinError("the MCP server does not run")
        await self._manager.handle_request(scope, receive, send)

    def _make_manager(self) -> StreamableHTTPSessionManager:
        from mcp.server.lowlevel import Server  # noqa: PLC0415  # an extra, and slow to load
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager  # noqa: PLC0415
        from mcp.server.transport_security import TransportSecuritySettings  # noqa: PLC0415

        server = Server(
            "paliad", instructions=INSTRUCTIONS, on_list_tools=self._list_tools, on_call_tool=self._call_tool
        )
        # Host and Origin are checked by Paliadin's own middleware, for all routes alike.
        security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        return StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, security_settings=security, max_request_body_size=MAX_BODY
        )

    async def _list_tools(
        self, _context: ServerRequestContext[Any, Any], _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        from mcp_types import ListToolsResult, Tool, ToolAnnotations  # noqa: PLC0415

        hints = ToolAnnotations(read_only_hint=True, open_world_hint=False)
        return ListToolsResult(
            tools=[
                Tool(
                    name=tool.name,
                    title=tool.title,
                    description=tool.description,
                    input_schema=tool.schema,
                    annotations=hints,
                )
                for tool in TOOLS.values()
            ]
        )

    async def _call_tool(
        self, context: ServerRequestContext[Any, Any], params: CallToolRequestParams
    ) -> CallToolResult:
        from mcp_types import CallToolResult, TextContent  # noqa: PLC0415

        person = str(context.request.scope[PERSON]) if context.request else ""
        is_error = False
        try:
            text = await self._practice.call(person, params.name, params.arguments or {})
        except PaliadinError as error:
            text, is_error = in_words(error), True
        return CallToolResult(content=[TextContent(type="text", text=text)], is_error=is_error)
