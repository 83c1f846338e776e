"""The HTTP routes of a session: its history, a search in it, a new conversation; the list of all sessions."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.base import errors
from paliadin.base.session_names import NAME
from paliadin.base.settings import Settings
from paliadin.people.caller import Scope
from paliadin.turns.conversation_export import as_json, as_markdown, file_name, turns_of
from paliadin.turns.history import History
from paliadin.turns.lifecycle import Turns
from paliadin.turns.session_states import session_states
from paliadin.web.body import parse_number, read_object
from paliadin.web.paths import API
from paliadin.web.peer_daemons import Peers
from paliadin.web.scoped_routes import Declared, ScopedRoute, add_to_audit, caller_of, leave_out_of_audit

MAX_TURNS = 200  # in one response of the history
MAX_SEARCH_LENGTH = 1000  # characters


@dataclass
class SessionRoutes:
    """The handlers of a session's routes. Requests for a peer's session are forwarded to it."""

    settings: Settings
    turns: Turns
    history: History
    peers: Peers

    def routes(self) -> list[Declared]:
        """The routes to mount."""
        return [
            ScopedRoute(f"{API}/history", self.list_history, scope=Scope.CONVERSATION),
            ScopedRoute(f"{API}/search", self.search, scope=Scope.CONVERSATION),
            ScopedRoute(f"{API}/export", self.export, scope=Scope.PAGE, methods=["GET"], audit="exported"),
            ScopedRoute(f"{API}/reset", self.reset, scope=Scope.CONVERSATION, methods=["POST"], audit="reset"),
            ScopedRoute(f"{API}/compact", self.compact, scope=Scope.CONVERSATION, methods=["POST"], audit="compacted"),
            ScopedRoute(f"{API}/sessions", self.list_sessions, scope=Scope.OWNER, methods=["GET"]),
            ScopedRoute(
                f"{API}/sessions", self.create_session, scope=Scope.OWNER, methods=["POST"], audit="session made"
            ),
        ]

    async def list_history(self, request: Request) -> Response:
        """A page of the session's turns."""
        query = request.query_params
        session = query.get("session_id", "main")
        if peer := await self.peers.find_by_session(request, session):
            with contextlib.suppress(errors.RelayUnreachable):  # the shared database has the peer's rows as well
                return await self.peers.forward(peer, request)
        else:
            session = self.turns.conversations.resolve(session, caller_of(request))
        limit = min(max(parse_number(query.get("limit", "50")), 1), MAX_TURNS)
        known = frozenset(query.get("known", "").split(",", MAX_TURNS))
        page = await self.history.page(session, query.get("before"), limit, known)
        return Response(page, media_type="application/json")

    async def search(self, request: Request) -> Response:
        """The session's turns that contain the words."""
        query = request.query_params
        session = query.get("session_id", "main")
        if not await self.peers.find_by_session(request, session):  # a peer's rows are in the shared database
            session = self.turns.conversations.resolve(session, caller_of(request))
        words = query.get("words", "").strip()
        if not 0 < len(words) <= MAX_SEARCH_LENGTH:
            raise errors.InvalidField(f"words must have 1 to {MAX_SEARCH_LENGTH} characters")
        return JSONResponse({"found": await self.history.search(session, words)})

    async def export(self, request: Request) -> Response:
        """The whole conversation as a file: `format` is json or md."""
        query = request.query_params
        name, suffix = query.get("session_id", "main"), query.get("format", "md")
        if suffix not in {"json", "md"}:
            raise errors.InvalidField("format must be json or md")
        if peer := await self.peers.find_by_session(request, name):
            return await self.peers.forward(peer, request)
        session = self.turns.conversations.resolve(name, caller_of(request))
        turns, title = await turns_of(self.history, session), self.turns.conversations.get(session).title
        text = await asyncio.to_thread(as_markdown if suffix == "md" else as_json, title, turns)
        add_to_audit(request, session=session, format=suffix)
        kind = "text/markdown" if suffix == "md" else "application/json"
        disposition = f"attachment; filename*=utf-8''{quote(file_name(title, suffix))}"
        return Response(text, media_type=kind, headers={"content-disposition": disposition})

    async def reset(self, request: Request) -> Response:
        """Begin a new conversation."""
        body = await read_object(request)
        session = body.get("session_id", "main")
        if peer := await self.peers.find_by_session(request, session):
            return await self.peers.forward(peer, request, json.dumps(body).encode())
        await self.turns.reset(session, caller_of(request))
        return JSONResponse({"reset": True})

    async def compact(self, request: Request) -> Response:
        """Have Claude replace what was said by a summary; the response comes when that is done, after minutes."""
        body = await read_object(request)
        session = body.get("session_id", "main")
        if peer := await self.peers.find_by_session(request, session):
            return await self.peers.forward(peer, request, json.dumps(body).encode())
        await self.turns.compact(session, caller_of(request))
        return JSONResponse({"compacted": True})

    async def list_sessions(self, request: Request) -> Response:
        """All sessions and their states. A page gets short names for those of this daemon, a peer the full ones."""
        from_peer = caller_of(request).forwarded_by is not None
        names = self.settings.names
        local = await session_states(self.turns, lambda name: name if from_peer else names.short(name) or name)
        return JSONResponse({"sessions": local if from_peer else [*local, *await self.peers.list_sessions()]})

    async def create_session(self, request: Request) -> Response:
        """Create the session's folder; Claude starts there with the first question."""
        name = (await read_object(request)).get("name")
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise errors.InvalidField("name must be 1 to 64 letters, digits, - or _")
        try:
            (self.settings.sessions_dir / name).mkdir(mode=0o700)
        except FileExistsError:
            leave_out_of_audit(request)
        return JSONResponse({"name": name}, 201)
