"""The HTTP routes of a turn: ask, follow, abort, reply to an interrupt, rate the answer; of questions that wait."""

from __future__ import annotations

import json
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.files.attachments import MAX_FILES
from paliadin.people.caller import Scope
from paliadin.prompt.client_history import MOST
from paliadin.prompt.context import MAX_VALUE
from paliadin.turns.history import History
from paliadin.turns.lifecycle import Turns
from paliadin.turns.question import Question
from paliadin.turns.queue import check_queue_flag
from paliadin.turns.slash_commands import check_flag
from paliadin.web.body import parse_number, read_object
from paliadin.web.doors.encoder import encoded
from paliadin.web.doors.response import streaming
from paliadin.web.doors.server_sent_events import ServerSentEvents
from paliadin.web.openapi.schema import (
    ANYTHING,
    ATTACHMENT_ID,
    BOOL,
    DIGITS,
    MESSAGE,
    SESSION,
    TEXT,
    TURN_ID,
    WHOLE,
    array,
    nullable,
    one_of,
    record,
)
from paliadin.web.paths import API
from paliadin.web.route_declaration import OF_SESSION, SESSION_IN_BODY, STREAM, TURN_IN_PATH, Operation, Whose, route
from paliadin.web.scoped_routes import add_to_audit, caller_of, leave_out_of_audit, session_of

LONGEST_COMMENT = 1000  # characters of the comment on an answer
LONGEST_REPLY = 400_000  # characters of a reply to an interrupt, as JSON

EVENT_STREAM = ServerSentEvents()

_CONTEXT = record(
    {},
    dict.fromkeys(
        ("route_name", "primary_entity_type", "primary_entity_id", "view_mode", "filter_summary", "page_origin"),
        nullable({"type": "string", "maxLength": MAX_VALUE}),
    )
    | {"user_selection_text": nullable(TEXT)},
)
_SAID = record({"question": TEXT, "answer": TEXT}, {"turn_id": TEXT})
_REPLY = {"anyOf": [TEXT, array(TEXT), {"type": "object"}]}


@dataclass
class TurnRoutes:
    """The handlers of /turn, /stream, /turns and /queue."""

    settings: Settings
    turns: Turns
    history: History

    @route("POST", "turn", Scope.CONVERSATION, SESSION_IN_BODY, audit="asked")
    @Operation(
        record({"turn_id": TURN_ID, "sse_url": TEXT, "queued": WHOLE}),
        202,
        record(
            {"user_message": MESSAGE},
            {
                "session_id": SESSION,
                "context": nullable(_CONTEXT),
                "queue": BOOL,
                "attachments": {**array(ATTACHMENT_ID), "maxItems": MAX_FILES},
                "as_text": BOOL,
                "history": nullable({**array(_SAID), "maxItems": MOST}),
            },
        ),
        errors=(404, 409, 422, 503, 507),
    )
    async def ask(self, request: Request) -> Response:
        """Begin a turn, or queue it behind the one that runs (`queue`); its events are at `sse_url`."""
        body = await read_object(request)
        question = Question(
            session_id=session_of(request),
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
        response = {
            "turn_id": turn_id,
            "sse_url": f"{API}/stream/{turn_id}",
            "queued": self.turns.queues.place(turn_id),
        }
        return JSONResponse(response, 202)

    @route("PATCH", "queue/{turn_id}", Scope.CONVERSATION, TURN_IN_PATH)
    @Operation(
        record({"turn_id": TURN_ID, "queued": WHOLE}),
        body=record({"user_message": MESSAGE}),
        errors=(404, 413, 422, 507),
    )
    async def change_queued(self, request: Request) -> Response:
        """Change a question that waits."""
        body = await read_object(request)
        turn_id = request.path_params["turn_id"]
        await self.turns.change_queued(turn_id, body.get("user_message", ""), caller_of(request))
        return JSONResponse({"turn_id": turn_id, "queued": self.turns.queues.place(turn_id)})

    @route("DELETE", "queue/{turn_id}", Scope.CONVERSATION, TURN_IN_PATH, audit="withdrawn")
    @Operation(record({"withdrawn": one_of(True)}), errors=(404, 507))
    async def withdraw(self, request: Request) -> Response:
        """Withdraw a question that waits."""
        await self.turns.change_queued(request.path_params["turn_id"], None, caller_of(request))
        return JSONResponse({"withdrawn": True})

    @route("POST", "queue", Scope.CONVERSATION, SESSION_IN_BODY, audit="queue went on")
    @Operation(record({"going_on": BOOL}), body=record({}, OF_SESSION), errors=(404, 422, 503, 507))
    async def go_on(self, request: Request) -> Response:
        """Let the questions that wait be asked, after a turn was stopped or has failed."""
        session = session_of(request)
        was_held = self.turns.queues.of(session).held
        going_on = await self.turns.go_on(session, caller_of(request))
        if not (was_held and going_on):
            leave_out_of_audit(request)
        return JSONResponse({"going_on": going_on})

    @route("GET", "stream/{turn_id}", Scope.CONVERSATION, TURN_IN_PATH)
    @Operation(ANYTHING, query={"after": DIGITS}, headers={"Last-Event-ID": DIGITS}, errors=(404,), media=(STREAM,))
    async def stream(self, request: Request) -> Response:
        """The turn's events after this number. Each has `id`, `event` and `data`, which has the schema of that name."""
        turn_id = request.path_params["turn_id"]
        after = parse_number(request.headers.get("last-event-id") or request.query_params.get("after") or "0")
        batches, names = self.turns.events(turn_id, after), self.settings.names
        return streaming(encoded(batches, EVENT_STREAM, caller_of(request), names), EVENT_STREAM)

    @route("POST", "stream/{turn_id}/abort", Scope.CONVERSATION, TURN_IN_PATH, audit="stopped")
    @Operation(record({"aborted": BOOL}), errors=(404, 503))
    async def abort(self, request: Request) -> Response:
        """Stop the turn; false if it was over already."""
        aborted = await self.turns.abort(request.path_params["turn_id"], caller_of(request))
        if not aborted:
            leave_out_of_audit(request)
        return JSONResponse({"aborted": aborted})

    @route("POST", "stream/{turn_id}/answer", Scope.CONVERSATION, TURN_IN_PATH, audit="replied")
    @Operation(
        record({"accepted": one_of(True)}),
        body=record({"interrupt_id": TEXT}, {"value": _REPLY, "cancel": BOOL}),
        errors=(404, 409, 422, 503),
    )
    async def reply(self, request: Request) -> Response:
        """Reply to a permission or a question of the turn."""
        body = await read_object(request)
        turn_id, cancel = request.path_params["turn_id"], body.get("cancel") is True
        interrupt_id, value = body.get("interrupt_id"), body.get("value")
        if len(json.dumps(value)) > LONGEST_REPLY:
            raise errors.InvalidField(f"value is longer than {LONGEST_REPLY:,} characters")
        add_to_audit(request, reply="cancel" if cancel else _audited_reply(value))
        await self.turns.reply(turn_id, interrupt_id, value, cancel=cancel, caller=caller_of(request))
        return JSONResponse({"accepted": True})

    @route("POST", "turns/{turn_id}/feedback", Scope.CONVERSATION, Whose.NAMED)
    @Operation(
        record({"verdict": one_of("up", "down", None)}),
        body=record(
            {}, {"verdict": one_of("up", "down", None), "word": nullable({**TEXT, "maxLength": LONGEST_COMMENT})}
        ),
        errors=(404, 422, 503),
    )
    async def rate(self, request: Request) -> Response:
        """Keep the reader's verdict on the answer, and their comment."""
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
