"""The toolboxes as MCP servers, by the official SDK. `toolboxes.stdio` is what clients start.

Requests are stateless, so clients go on with a restarted daemon.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paliadin.base.errors import NotFound, PaliadinError
from paliadin.base.strict_json import JsonObject
from paliadin.base.tasks import background
from paliadin.people.person_key import PersonKey
from paliadin.toolboxes.toolbox import Returned, Toolbox, ToolSpec, full_name

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams
    from starlette.types import Message, Scope

_PERSON, _TURN_OF_CALL = "paliadin.person", "paliadin.turn_of_call"  # keys in the ASGI connection scope
_CALL_ID = "claudecode/toolUseId"
"""The key of a call's id in Claude Code's `_meta`; the hooks call it `tool_use_id`."""

TurnOfCall = Callable[[object, str], str | None]
"""Takes a call's id and the tool's full name, returns the id of the turn that made it, or None. It may block."""

ALL = ""  # the name of the server that has the tools of all toolboxes
LOADING = 10.0  # seconds until the SDK must be there


class McpServer:
    """Serves MCP requests while it runs, for each toolbox and for all of them together.

    Loading the SDK takes most of a second and 55 MB; the daemon does not wait.
    """

    def __init__(self, toolboxes: Sequence[Toolbox]) -> None:
        self._served = {ALL: _ToolboxServer("paliadin", toolboxes)} | {
            each.name: _ToolboxServer(each.name, [each]) for each in toolboxes
        }
        self._managers: Mapping[str, StreamableHTTPSessionManager] = {}
        self._ready = asyncio.Event()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve during a `with` block; requests wait until the SDK is loaded."""
        async with background(self._serve()):
            yield

    async def _serve(self) -> None:
        for module in ("mcp.server.lowlevel", "mcp.server.streamable_http_manager", "mcp.server.transport_security"):
            await asyncio.to_thread(importlib.import_module, module)
        self._managers = {name: served.make_manager() for name, served in self._served.items()}
        async with contextlib.AsyncExitStack() as stack:
            for manager in self._managers.values():
                await stack.enter_async_context(manager.run())
            self._ready.set()
            await asyncio.Event().wait()

    async def reply(
        self,
        person: PersonKey,
        message: JsonObject,
        version: str | None = None,
        turn_of_call: TurnOfCall = lambda *_: None,
        *,
        toolbox: str = ALL,
    ) -> bytes | None:
        """Return the reply to a JSON-RPC message of this person's, as JSON; None for a notification.

        `version` is that of the protocol, as the client gives it in an HTTP header. `turn_of_call` looks up a call's
        turn in the session that the message comes from. Raises NotFound for an unknown toolbox.
        """
        if toolbox not in self._served:
            raise NotFound(f"there is no toolbox {toolbox[:80]!r}", hint="Leave `toolbox` out for all tools.")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOADING):
                await self._ready.wait()
        if not self._managers:
            raise PaliadinError("the MCP server does not run", hint="The daemon's log says why.")
        exchange = _Exchange(json.dumps(message).encode())
        scope = exchange.scope(person, version, turn_of_call)
        await self._managers[toolbox].handle_request(scope, exchange.receive, exchange.send)
        return exchange.reply if "id" in message else None


@dataclass(frozen=True)
class _ToolboxServer:
    """An MCP server of some toolboxes."""

    name: str
    toolboxes: Sequence[Toolbox]

    def make_manager(self) -> StreamableHTTPSessionManager:
        """Make the SDK's session manager, which handles the server's requests."""
        from mcp.server.lowlevel import Server  # noqa: PLC0415  # an extra, and slow to load
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager  # noqa: PLC0415
        from mcp.server.transport_security import TransportSecuritySettings  # noqa: PLC0415

        instructions = "\n\n".join(each.words.instructions for each in self.toolboxes)
        server = Server(
            self.name, instructions=instructions, on_list_tools=self._list_tools, on_call_tool=self._call_tool
        )
        # Host and Origin are checked by Paliadin's own middleware, for all routes alike.
        security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        return StreamableHTTPSessionManager(server, json_response=True, stateless=True, security_settings=security)

    async def _list_tools(
        self, _context: ServerRequestContext[Any, Any], _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        from mcp_types import ListToolsResult, Tool, ToolAnnotations  # noqa: PLC0415

        def hints(tool: ToolSpec) -> ToolAnnotations:
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
                    input_schema=dict(tool.schema),
                    annotations=hints(tool),
                )
                for toolbox in self.toolboxes
                for tool in toolbox.specs()
            ]
        )

    async def _call_tool(
        self, context: ServerRequestContext[Any, Any], params: CallToolRequestParams
    ) -> CallToolResult:
        from mcp_types import CallToolResult, TextContent  # noqa: PLC0415

        assert context.request  # noqa: S101  # each call comes by HTTP
        returned = await self._call(context.request.scope, params, (context.meta or {}).get(_CALL_ID))
        content = TextContent(type="text", text=returned.text)
        return CallToolResult(content=[content], is_error=returned.is_error)

    async def _call(self, scope: Scope, params: CallToolRequestParams, call_id: object) -> Returned:
        """Call the tool in the toolbox that has it; the first toolbox refuses a tool that none has."""
        with_it = ((each, spec) for each in self.toolboxes for spec in each.specs() if spec.name == params.name)
        toolbox, spec = next(with_it, (self.toolboxes[0], None))
        turn = None
        if spec and spec.suggests:
            turn = await asyncio.to_thread(scope[_TURN_OF_CALL], call_id, full_name(toolbox.name, spec.name))
        return await toolbox.call(scope[_PERSON], params.name, params.arguments or {}, turn)


class _Exchange:
    """One HTTP request and its response for the SDK's ASGI application, behind the web's own routes."""

    def __init__(self, body: bytes) -> None:
        self._body: bytes | None = body
        self.reply = b""

    def scope(self, person: PersonKey, version: str | None, turn_of_call: TurnOfCall) -> Scope:
        """Build the ASGI connection scope of the request."""
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
        """Return the body once; a later call waits for as long as the request takes."""
        if self._body is None:
            await asyncio.Event().wait()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(self, message: Message) -> None:
        """Collect the response."""
        self.reply += message.get("body", b"")
