"""A Messages API on loopback that plays a script: the model's place in the demo and in the tests."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from paliadin.scripted.messages import Conversation, Failure, Reply, Text, stream, whole

Script = Callable[[Conversation], Reply | Failure]


@dataclass
class ScriptedApi:
    """The ASGI application is `app`; `requests` keeps (monotonic seconds, conversation) of each main request.

    `model`: what its answers give as their model, instead of the one that was asked for.
    """

    script: Script
    model: str | None = None
    requests: list[tuple[float, Conversation]] = field(default_factory=list)
    sent: list[tuple[float, bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._ids = itertools.count(1)
        self.app = Starlette(
            routes=[
                Route("/v1/messages", self._messages, methods=["POST"]),
                Route("/v1/messages/count_tokens", self._count_tokens, methods=["POST"]),
            ]
        )

    @contextlib.contextmanager
    def running(self) -> Iterator[str]:
        """Serve on a free port of loopback, in a thread, for as long as the block runs; yields the base URL."""
        config = uvicorn.Config(self.app, log_config=None, lifespan="off", timeout_graceful_shutdown=2)
        server = uvicorn.Server(config)
        # Named protocol: without it asyncio leaves out TCP_NODELAY, and a kept-alive line waits 44 ms.
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=server.run, args=([listening],), name="scripted-api", daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(5)
            listening.close()

    async def _messages(self, request: Request) -> Response:
        arrived = time.monotonic()
        body = await request.json()
        conversation = Conversation.parse(body)
        # Requests for a title have no tools, those of subagents carry an agent id: neither is the main conversation.
        if not conversation.tools:
            reply: Reply | Failure = Reply((Text(("Scripted conversation",)),))
        else:
            if "x-claude-code-agent-id" not in request.headers:
                self.requests.append((arrived, conversation))
            reply = self.script(conversation)
        model = self.model or conversation.model
        if isinstance(reply, Failure):
            error = {"type": reply.kind, "message": reply.message}
            return JSONResponse({"type": "error", "error": error}, status_code=reply.status)
        if not body.get("stream"):
            return JSONResponse(whole(reply, f"msg_scripted{next(self._ids)}", model))
        return StreamingResponse(self._play(reply, model), media_type="text/event-stream")

    async def _play(self, reply: Reply, model: str) -> AsyncIterator[bytes]:
        for delay, event in stream(reply, f"msg_scripted{next(self._ids)}", model):
            if delay:
                await asyncio.sleep(delay)
            if b"text_delta" in event:
                self.sent.append((time.monotonic(), event))
            yield event

    async def _count_tokens(self, _request: Request) -> Response:
        return JSONResponse({"input_tokens": 42})
