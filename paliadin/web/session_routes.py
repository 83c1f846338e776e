"""The HTTP routes of a session: its history, a search in it, its export, a new beginning; the list of all sessions."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.people.caller import Scope
from paliadin.turns.conversation_export import as_json, as_markdown, file_name, turns_of
from paliadin.turns.history import History
from paliadin.turns.lifecycle import Turns
from paliadin.turns.queue import HoldReason
from paliadin.turns.session_states import session_states
from paliadin.web.body import parse_number
from paliadin.web.openapi.schema import (
    ANYTHING,
    BOOL,
    DIGITS,
    TEXT,
    TIME,
    TURN_ID,
    WHOLE,
    array,
    nullable,
    one_of,
    record,
    reference,
)
from paliadin.web.peer_daemons import Peers
from paliadin.web.route_declaration import (
    JSON,
    OF_SESSION,
    SESSION_IN_BODY,
    SESSION_IN_QUERY,
    AtPeer,
    Operation,
    Whose,
    route,
)
from paliadin.web.scoped_routes import add_to_audit, caller_of, session_of

MAX_TURNS = 200  # in one response of the history
MAX_SEARCH_LENGTH = 1000  # characters

_QUESTION = {
    "turn_id": TURN_ID,
    "user_message": TEXT,
    "queued_at": WHOLE,
    "attachments": array(reference("Attachment")),
}
_QUEUE = record({"held": one_of(*map(str, HoldReason), None), "turns": array(record(_QUESTION))})
_FOUND = record({"turn_id": TURN_ID, "started_at": TIME, "user_message": TEXT, "excerpt": TEXT})


@dataclass
class SessionRoutes:
    """The handlers of a session's routes."""

    settings: Settings
    turns: Turns
    history: History
    peers: Peers

    @route("GET", "history", Scope.CONVERSATION, replace(SESSION_IN_QUERY, at_peer=AtPeer.FORWARD_IF_REACHABLE))
    @Operation(
        record(
            {"turns": array(reference("Turn")), "known": array(TURN_ID), "running_turn": nullable(TURN_ID)}
            | {"has_more": BOOL, "since": WHOLE, "queue": _QUEUE, "version": TEXT}
        ),
        query={"before": TURN_ID, "limit": DIGITS, "known": TEXT},
        errors=(404, 422),
    )
    async def list_history(self, request: Request) -> Response:
        """A page of the session's turns, newest last: those before the turn `before`. Turns in `known` (ids with
        commas between) are only named.
        """
        query = request.query_params
        limit = min(max(parse_number(query.get("limit", "50")), 1), MAX_TURNS)
        known = frozenset(query.get("known", "").split(",", MAX_TURNS))
        page = await self.history.page(session_of(request), query.get("before"), limit, known)
        return Response(page, media_type="application/json")

    @route("GET", "search", Scope.CONVERSATION, replace(SESSION_IN_QUERY, at_peer=AtPeer.HERE))
    @Operation(
        record({"found": array(_FOUND)}),
        query={"words": {**TEXT, "minLength": 1, "maxLength": MAX_SEARCH_LENGTH}},
        errors=(404, 422, 503),
    )
    async def search(self, request: Request) -> Response:
        """The session's turns that contain the words, newest first."""
        words = request.query_params.get("words", "").strip()
        if not 0 < len(words) <= MAX_SEARCH_LENGTH:
            raise errors.InvalidField(f"words must have 1 to {MAX_SEARCH_LENGTH} characters")
        return JSONResponse({"found": await self.history.search(session_of(request), words)})

    @route("GET", "export", Scope.PAGE, SESSION_IN_QUERY, audit="exported")
    @Operation(ANYTHING, query={"format": one_of("md", "json")}, media=(JSON, "text/markdown"), errors=(404, 422, 503))
    async def export(self, request: Request) -> Response:
        """The whole conversation as a file."""
        session, suffix = session_of(request), request.query_params.get("format", "md")
        if suffix not in {"json", "md"}:
            raise errors.InvalidField("format must be json or md")
        turns, title = await turns_of(self.history, session), self.turns.conversations.get(session).title
        text = await asyncio.to_thread(as_markdown if suffix == "md" else as_json, title, turns)
        add_to_audit(request, session=session, format=suffix)
        kind = "text/markdown" if suffix == "md" else "application/json"
        disposition = f"attachment; filename*=utf-8''{quote(file_name(title, suffix))}"
        return Response(text, media_type=kind, headers={"content-disposition": disposition})

    @route("POST", "reset", Scope.CONVERSATION, SESSION_IN_BODY, audit="reset")
    @Operation(record({"reset": one_of(True)}), body=record({}, OF_SESSION), errors=(404, 409, 422, 503))
    async def reset(self, request: Request) -> Response:
        """Begin a new conversation."""
        await self.turns.reset(session_of(request), caller_of(request))
        return JSONResponse({"reset": True})

    @route("POST", "compact", Scope.CONVERSATION, SESSION_IN_BODY, audit="compacted")
    @Operation(record({"compacted": one_of(True)}), body=record({}, OF_SESSION), errors=(404, 409, 422, 503))
    async def compact(self, request: Request) -> Response:
        """Have Claude replace what was said by a summary; the response comes when that is done."""
        await self.turns.compact(session_of(request), caller_of(request))
        return JSONResponse({"compacted": True})

    @route("GET", "sessions", Scope.OWNER, Whose.OWNERS)
    @Operation(record({"sessions": array(reference("Session"))}), errors=(503,))
    async def list_sessions(self, request: Request) -> Response:
        """All sessions."""
        from_peer = caller_of(request).forwarded_by is not None
        names = self.settings.names
        local = await session_states(self.turns, lambda name: name if from_peer else names.short(name) or name)
        return JSONResponse({"sessions": local if from_peer else [*local, *await self.peers.list_sessions()]})
