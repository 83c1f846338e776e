"""The HTTP routes of a turn: ask, follow, abort, reply to an interrupt, rate the answer; of questions that wait."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.base import errors
from paliadin.base.session_names import SessionNames
from paliadin.base.settings import Settings
from paliadin.events.model import Event, Unnumbered
from paliadin.people.caller import Caller, Scope
from paliadin.turns.commands import check_flag
from paliadin.turns.history import History
from paliadin.turns.lifecycle import Turns
from paliadin.turns.question import Question
from paliadin.turns.queue import check_queue_flag
from paliadin.web.body import parse_number, read_bytes, read_object
from paliadin.web.event_encoding import encode_events, streaming
from paliadin.web.paths import API
from paliadin.web.peer_daemons import Peers
from paliadin.web.scoped_routes import Declared, ScopedRoute, add_to_audit, caller_of, leave_out_of_audit

LONGEST_COMMENT = 1000  # characters of the comment on an answer
LONGEST_REPLY = 400_000  # characters of a reply to an interrupt, as JSON

Handler = Callable[[Request], Awaitable[Response]]


@dataclass
class TurnRoutes:
    """The handlers of /turn, /stream, /turns and /queue. What concerns a peer is forwarded to that peer."""

    settings: Settings
    turns: Turns
    history: History
    peers: Peers

    def routes(self) -> list[Declared]:
        """The routes to mount."""
        stream, queued = f"{API}/stream/{{turn_id}}", f"{API}/queue/{{turn_id}}"
        return [
            ScopedRoute(f"{API}/turn", self.ask, scope=Scope.CONVERSATION, methods=["POST"], audit="asked"),
            ScopedRoute(stream, self._forwarded(self.stream), scope=Scope.CONVERSATION),
            ScopedRoute(
                f"{stream}/abort",
                self._forwarded(self.abort),
                scope=Scope.CONVERSATION,
                methods=["POST"],
                audit="stopped",
            ),
            ScopedRoute(
                f"{stream}/answer",
                self._forwarded(self.reply),
                scope=Scope.CONVERSATION,
                methods=["POST"],
                audit="replied",
            ),
            ScopedRoute(f"{API}/turns/{{turn_id}}/feedback", self.rate, scope=Scope.CONVERSATION, methods=["POST"]),
            ScopedRoute(f"{API}/queue", self.go_on, scope=Scope.CONVERSATION, methods=["POST"], audit="queue went on"),
            ScopedRoute(queued, self._forwarded(self.change_queued), scope=Scope.CONVERSATION, methods=["PATCH"]),
            ScopedRoute(
                queued,
                self._forwarded(self.withdraw),
                scope=Scope.CONVERSATION,
                methods=["DELETE"],
                audit="withdrawn",
            ),
        ]

    def _forwarded(self, handler: Handler) -> Handler:
        """Wrap a handler so that a turn without a folder on this machine is looked for at the peers."""
        if not self.settings.peers:
            return handler

        async def route(request: Request) -> Response:
            turn_id = request.path_params["turn_id"]
            try:
                self.turns.describe(turn_id, caller_of(request))
            except errors.NotFound:
                peer = await self.peers.find_by_turn(request, turn_id)
                if peer is None:
                    raise
                return await self.peers.forward(peer, request, await read_bytes(request))
            return await handler(request)

        return route

    async def ask(self, request: Request) -> Response:
        """Begin a turn: 202 with its id and the address of its event stream."""
        body = await read_object(request)
        session = body.get("session_id", "main")
        if peer := await self.peers.find_by_session(request, session):
            return await self.peers.forward(peer, request, json.dumps(body).encode())
        question = Question(
            session_id=session,
            user_message=body.get("user_message"),
            caller=caller_of(request),
            context=body.get("context"),
            may_wait=check_queue_flag(body.get("queue", False)),
            attachments=body.get("attachments"),
            history=body.get("history"),
            as_text=check_flag(body.get("as_text", False)),
        )
        turn_id = await self.turns.ask(question)
        add_to_audit(request, turn_id=turn_id)
        asked = {"turn_id": turn_id, "sse_url": f"{API}/stream/{turn_id}", "queued": self.turns.queues.place(turn_id)}
        return JSONResponse(asked, 202)

    async def change_queued(self, request: Request) -> Response:
        """Change the text of a question that waits."""
        body = await read_object(request)
        turn_id = request.path_params["turn_id"]
        await self.turns.change_queued(turn_id, body.get("user_message", ""), caller_of(request))
        return JSONResponse({"turn_id": turn_id, "queued": self.turns.queues.place(turn_id)})

    async def withdraw(self, request: Request) -> Response:
        """Withdraw a question that waits."""
        await self.turns.change_queued(request.path_params["turn_id"], None, caller_of(request))
        return JSONResponse({"withdrawn": True})

    async def go_on(self, request: Request) -> Response:
        """Let the questions that wait in a session be asked, after a turn was stopped or has failed."""
        body = await read_object(request)
        session = body.get("session_id", "main")
        if peer := await self.peers.find_by_session(request, session):
            return await self.peers.forward(peer, request, json.dumps(body).encode())
        caller = caller_of(request)
        was_held = self.turns.queues.of(self.turns.conversations.resolve(session, caller)).held
        going_on = await self.turns.go_on(session, caller)
        if not (was_held and going_on):
            leave_out_of_audit(request)
        return JSONResponse({"going_on": going_on})

    async def stream(self, request: Request) -> Response:
        """Stream the turn's events from the number after `Last-Event-ID`, or after the query's `after`."""
        turn_id = request.path_params["turn_id"]
        after = parse_number(request.headers.get("last-event-id") or request.query_params.get("after") or "0")
        caller = caller_of(request)
        self.turns.describe(turn_id, caller)  # an unknown turn is a 404, not an empty stream
        return streaming(_encode(self.turns.events(turn_id, after), caller, self.settings.names))

    async def abort(self, request: Request) -> Response:
        """Stop the turn; `aborted` is false if it was over already."""
        aborted = await self.turns.abort(request.path_params["turn_id"], caller_of(request))
        if not aborted:
            leave_out_of_audit(request)
        return JSONResponse({"aborted": aborted})

    async def reply(self, request: Request) -> Response:
        """Take the user's reply to an interrupt, or its cancellation."""
        body = await read_object(request)
        turn_id, cancel = request.path_params["turn_id"], body.get("cancel") is True
        interrupt_id, value = body.get("interrupt_id"), body.get("value")
        if len(json.dumps(value)) > LONGEST_REPLY:
            raise errors.InvalidField(f"value is longer than {LONGEST_REPLY:,} characters")
        add_to_audit(request, reply="cancel" if cancel else _audited_reply(value))
        await self.turns.reply(turn_id, interrupt_id, value, cancel=cancel, caller=caller_of(request))
        return JSONResponse({"accepted": True})

    async def rate(self, request: Request) -> Response:
        """Record the reader's verdict on the answer, with a comment if there is one."""
        body = await read_object(request)
        verdict, comment = body.get("verdict"), body.get("word")
        if verdict not in ("up", "down", None):
            raise errors.InvalidField('verdict must be "up", "down" or null')
        if not isinstance(comment, str | None) or len(comment or "") > LONGEST_COMMENT:
            raise errors.InvalidField(f"word must be a text of at most {LONGEST_COMMENT} characters")
        turn_id = request.path_params["turn_id"]
        await self.history.rate(turn_id, verdict, (comment or "").strip() or None, caller_of(request))
        return JSONResponse({"verdict": verdict})


def _audited_reply(value: object) -> str:
    """The reply to a permission; of one to a question only that there was one, since it is the user's text."""
    if isinstance(value, dict) and "deny" in value:
        return "deny"
    return str(value) if value in ("allow", "allow_session", "deny") else "text"


async def _encode(
    batches: AsyncIterator[Sequence[Event | Unnumbered]], caller: Caller, names: SessionNames
) -> AsyncIterator[bytes]:
    async for batch in batches:
        yield encode_events(batch, caller, names)
