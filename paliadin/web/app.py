"""The routes of docs/http.md. Each is thin: read the request, call `Turns`, answer."""

from __future__ import annotations

import contextlib
import json
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from paliadin import errors
from paliadin.config import Settings
from paliadin.history import History
from paliadin.metrics import CONTENT_TYPE, Metrics
from paliadin.reduce import Event
from paliadin.turns import Question, Turns
from paliadin.web.admin import Admin
from paliadin.web.auth import Gate
from paliadin.web.body import read_bytes, read_object
from paliadin.web.embed import LIFETIME, EmbedTokens
from paliadin.web.pages import LIVEZ, pages
from paliadin.web.peers import Peers, passed_on

log = logging.getLogger(__name__)

Handler = Callable[[Request], Awaitable[Response]]

PING_EVERY = 15  # seconds
MOST_TURNS = 200  # in one answer of the history
LONGEST_PERSON = 200  # characters of the name for which a token is made
LONGEST_WORDS = 1000  # characters of a search, or of a word on an answer
ORIGINS = frozenset({"page", "widget", "cli", "api"})


@dataclass
class Api:
    settings: Settings
    turns: Turns
    history: History
    health: Callable[[str | None], Awaitable[dict[str, Any]]]
    admin: Admin
    metrics: Metrics
    peers: Peers
    embed_tokens: EmbedTokens = field(init=False)

    def routes(self) -> list[BaseRoute]:
        if not self.settings.enabled:
            return [LIVEZ]
        api = "/api/paliadin"
        return [
            Route("/metrics", self.tell_metrics),
            *pages(),
            *self.admin.routes(),
            Route(f"{api}/turn", self.ask, methods=["POST"]),
            Route(f"{api}/stream/{{turn_id}}", self._where_the_turn_is(self.stream)),
            Route(f"{api}/stream/{{turn_id}}/abort", self._where_the_turn_is(self.abort), methods=["POST"]),
            Route(f"{api}/stream/{{turn_id}}/answer", self._where_the_turn_is(self.answer), methods=["POST"]),
            Route(f"{api}/history", self.list_history),
            Route(f"{api}/search", self.search),
            Route(f"{api}/turns/{{turn_id}}/feedback", self.rate, methods=["POST"]),
            Route(f"{api}/reset", self.reset, methods=["POST"]),
            Route(f"{api}/sessions", self.sessions, methods=["GET"]),
            Route(f"{api}/sessions", self.make_session, methods=["POST"]),
            Route(f"{api}/health", self.tell_health),
            Route(f"{api}/embed-token", self.embed, methods=["POST"]),
        ]

    async def ask(self, request: Request) -> Response:
        body = await read_object(request)
        origin = body.get("origin", "api" if "authorization" in request.headers else "page")
        if not isinstance(origin, str) or origin not in ORIGINS:
            raise errors.InvalidField(f"origin must be one of {', '.join(sorted(ORIGINS))}")
        session = body.get("session_id", "main")
        if peer := await self.peers.of_session(request, session):
            return await self.peers.forward(peer, request, json.dumps(body | {"origin": origin}).encode())
        said = passed_on(request)
        question = Question(
            session_id=session,
            user_message=body.get("user_message"),
            context=body.get("context"),
            origin=origin,
            page_origin=request.headers.get("origin") or said.get("page_origin"),
            person=getattr(request.state, "person", None) or said.get("person"),
        )
        turn_id = await self.turns.ask(question)
        return JSONResponse({"turn_id": turn_id, "sse_url": f"/api/paliadin/stream/{turn_id}"}, 202)

    def _where_the_turn_is(self, handler: Handler) -> Handler:
        """A turn without a folder here may be another daemon's."""
        if not self.settings.peers:
            return handler

        async def route(request: Request) -> Response:
            turn_id = request.path_params["turn_id"]
            try:
                self.turns.describe(turn_id)
            except errors.NotFound:
                peer = await self.peers.of_turn(request, turn_id)
                if peer is None:
                    raise
                return await self.peers.forward(peer, request, await read_bytes(request))
            return await handler(request)

        return route

    async def stream(self, request: Request) -> Response:
        turn_id = request.path_params["turn_id"]
        after = _number(request.headers.get("last-event-id") or request.query_params.get("after") or "0")
        self.turns.describe(turn_id)  # an unknown turn is a 404, not an empty stream
        return EventSourceResponse(
            _encoded(self.turns.events(turn_id, after)),
            ping=PING_EVERY,
            ping_message_factory=lambda: ServerSentEvent(event="ping", data="{}", sep="\n"),
            headers={"cache-control": "no-store"},
        )

    async def abort(self, request: Request) -> Response:
        aborted = await self.turns.abort(request.path_params["turn_id"])
        return JSONResponse({"aborted": aborted})

    async def answer(self, request: Request) -> Response:
        body = await read_object(request)
        turn_id, cancel = request.path_params["turn_id"], body.get("cancel") is True
        await self.turns.answer(turn_id, body.get("interrupt_id"), body.get("value"), cancel=cancel)
        return JSONResponse({"accepted": True})

    async def list_history(self, request: Request) -> Response:
        query = request.query_params
        session = query.get("session_id", "main")
        if peer := await self.peers.of_session(request, session):
            with contextlib.suppress(errors.RelayUnreachable):  # the rows are here, too
                return await self.peers.forward(peer, request)
        else:
            session = self.turns.known_session(session)
        limit = min(max(_number(query.get("limit", "50")), 1), MOST_TURNS)
        return JSONResponse(await self.history.page(session, query.get("before"), limit))

    async def search(self, request: Request) -> Response:
        query = request.query_params
        session = query.get("session_id", "main")
        if not await self.peers.of_session(request, session):  # all rows are here
            session = self.turns.known_session(session)
        words = query.get("words", "").strip()
        if not 0 < len(words) <= LONGEST_WORDS:
            raise errors.InvalidField(f"words must have 1 to {LONGEST_WORDS} characters")
        return JSONResponse({"found": await self.history.search(session, words)})

    async def rate(self, request: Request) -> Response:
        body = await read_object(request)
        verdict, word = body.get("verdict"), body.get("word")
        if verdict not in {"up", "down", None}:
            raise errors.InvalidField('verdict must be "up", "down" or null')
        if not isinstance(word, str | None) or len(word or "") > LONGEST_WORDS:
            raise errors.InvalidField(f"word must be a text of at most {LONGEST_WORDS} characters")
        await self.history.rate(request.path_params["turn_id"], verdict, (word or "").strip() or None)
        return JSONResponse({"verdict": verdict})

    async def make_session(self, request: Request) -> Response:
        name = (await read_object(request)).get("name")
        if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
            raise errors.InvalidField("name must be 1 to 64 letters, digits, - or _")
        (self.settings.sessions_dir / name).mkdir(mode=0o700, exist_ok=True)
        return JSONResponse({"name": name}, 201)

    async def reset(self, request: Request) -> Response:
        body = await read_object(request)
        session = body.get("session_id", "main")
        if peer := await self.peers.of_session(request, session):
            return await self.peers.forward(peer, request, json.dumps(body).encode())
        await self.turns.reset(session)
        return JSONResponse({"reset": True})

    async def sessions(self, request: Request) -> Response:
        """For a page our own sessions have their short names, for a peer their whole ones."""
        peer = passed_on(request)
        own = [
            {
                "name": state.name if peer else self.settings.local_name(state.name) or state.name,
                "host": state.host,
                "state": state.state,
                "ok": state.ok,
                "message": state.message,
                "hint": state.hint,
                "screen": state.screen,
                "running_turn": self.turns.running(state.name),
            }
            for state in await self.turns.sessions()
        ]
        return JSONResponse({"sessions": own if peer else [*own, *await self.peers.sessions()]})

    async def embed(self, request: Request) -> Response:
        body = await read_object(request)
        origin, person = body.get("origin"), body.get("person")
        if origin not in self.settings.allowed_origins:
            raise errors.Forbidden(
                "this origin is not allowed",
                code="foreign_origin",
                status=403,
                hint="Add it to PALIADIN_ALLOWED_ORIGINS if that application is yours.",
            )
        if not isinstance(person, str) or not 0 < len(person) <= LONGEST_PERSON:
            raise errors.InvalidField(f"person must be a text of 1 to {LONGEST_PERSON} characters")
        token = self.embed_tokens.make(origin, person)
        return JSONResponse({"token": token, "expires_in": LIFETIME}, headers={"cache-control": "no-store"})

    async def tell_health(self, request: Request) -> Response:
        session = request.query_params.get("session_id")
        if peer := await self.peers.of_session(request, session):
            return await self.peers.forward(peer, request)
        return JSONResponse(await self.health(session and self.turns.known_session(session)))

    async def tell_metrics(self, _request: Request) -> Response:
        return Response(await self.metrics.render(self.turns), media_type=CONTENT_TYPE)

    async def http_error(self, request: Request, error: Exception) -> Response:
        """Also for a chip's path that was opened from the chat page: it is one of the application."""
        assert isinstance(error, HTTPException)  # noqa: S101  # registered for this type
        path = request.url.path
        if error.status_code == 404 and self.settings.application and not path.startswith(("/api/", "/paliadin/")):
            query = f"?{request.url.query}" if request.url.query else ""
            return RedirectResponse(f"{self.settings.application}{path}{query}")
        code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "bad_request")
        body = {"error": {"code": code, "message": str(error.detail), "hint": "docs/http.md lists the routes."}}
        return JSONResponse(body, error.status_code, headers=error.headers)


def create_app(api: Api, token: str) -> Starlette:
    api.embed_tokens = EmbedTokens(token)
    return Starlette(
        routes=api.routes(),
        middleware=[Middleware(Gate, settings=api.settings, token=token)],
        exception_handlers={
            errors.PaliadinError: _paliadin_error,
            HTTPException: api.http_error,
            Exception: _unexpected_error,
        },
    )


async def _encoded(events: AsyncIterator[Event]) -> AsyncIterator[ServerSentEvent]:
    async for event in events:
        yield ServerSentEvent(id=str(event.id), event=event.name, data=json.dumps(event.data), sep="\n")


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise errors.InvalidField(f"{text[:40]!r} is not a number of an event", status=400)
    return int(text)


async def _paliadin_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, errors.PaliadinError)  # noqa: S101  # registered for this type
    return JSONResponse(error.body(), error.http_status)


async def _unexpected_error(request: Request, error: Exception) -> Response:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    body = errors.PaliadinError("something went wrong inside Paliadin", hint="The daemon's log has the details.").body()
    return JSONResponse(body, 500)
