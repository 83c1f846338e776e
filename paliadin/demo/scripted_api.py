"""A Messages API on loopback that plays a script: it stands in for the model in the demo and in the tests."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import socket
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from paliadin.demo.api_messages import (
    ApiError,
    Conversation,
    JsonObject,
    Message,
    Text,
    count_tokens,
    message_body,
    stream,
)

Script = Callable[[Conversation], Message | ApiError]


@dataclass
class ScriptedApi:
    """The API; `app` is its ASGI application. Times are monotonic, in seconds."""

    script: Script
    model: str | None = None  # the model that messages name, instead of the requested one
    requests: list[tuple[float, Conversation]] = field(default_factory=list)  # (time, conversation) of main requests
    received: list[str] = field(default_factory=list)  # the path of each request, whatever it is for
    bodies: deque[JsonObject] = field(default_factory=lambda: deque(maxlen=50))  # of the last requests, as they came
    keys: deque[str] = field(default_factory=lambda: deque(maxlen=50))  # those of the last requests
    refused_keys: set[str] = field(default_factory=set)
    sent: list[tuple[float, bytes]] = field(default_factory=list)  # (time, event) of each piece of text

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
        """Serve on a free port of loopback in a thread, for the duration of the block; yields the base URL."""
        config = uvicorn.Config(self.app, log_config=None, lifespan="off", timeout_graceful_shutdown=2)
        server = uvicorn.Server(config)
        # asyncio sets TCP_NODELAY only where the protocol is named: without it a kept-alive connection waits 44 ms.
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=server.run, args=([listener],), name="scripted-api", daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(5)
            listener.close()

    async def _messages(self, request: Request) -> Response:
        arrived = time.monotonic()
        self.received.append(request.url.path)
        body = await request.json()
        self.bodies.append(body)
        if refused := self._refused(request):
            return refused
        conversation = Conversation.parse(body)
        # Neither requests for a title nor those of subagents (with an agent id) are main requests. One for a title has
        # no tools, and the question is a part of its text.
        if not conversation.tools and not conversation.user_text.startswith("[PALIADIN:"):
            message: Message | ApiError = Message((Text(("Scripted conversation",)),))
        else:
            if "x-claude-code-agent-id" not in request.headers:
                self.requests.append((arrived, conversation))
            message = self.script(conversation)
        model = self.model or conversation.model
        if isinstance(message, ApiError):
            error = {"type": message.kind, "message": message.message}
            headers = {"retry-after": message.retry_after} if message.retry_after else None
            return JSONResponse({"type": "error", "error": error}, message.status, headers)
        if not body.get("stream"):
            return JSONResponse(message_body(message, f"msg_scripted{next(self._ids)}", model))
        return StreamingResponse(self._play(message, model), media_type="text/event-stream")

    def _refused(self, request: Request) -> Response | None:
        key = request.headers.get("x-api-key") or request.headers.get("authorization", "").removeprefix("Bearer ")
        self.keys.append(key)
        if key not in self.refused_keys:
            return None
        error = {"type": "authentication_error", "message": f"invalid x-api-key: {key}"}
        return JSONResponse({"type": "error", "error": error}, 401)

    async def _play(self, message: Message, model: str) -> AsyncIterator[bytes]:
        for delay, event in stream(message, f"msg_scripted{next(self._ids)}", model):
            if delay:
                await asyncio.sleep(delay)
            if b"text_delta" in event:
                self.sent.append((time.monotonic(), event))
            yield event

    async def _count_tokens(self, request: Request) -> Response:
        self.received.append(request.url.path)
        if refused := self._refused(request):
            return refused
        return JSONResponse({"input_tokens": count_tokens(await request.json())})
