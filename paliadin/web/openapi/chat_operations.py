"""Describes the requests and responses of the routes for questions, sessions and conversations. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from paliadin.base.settings_values import RELAYS
from paliadin.conversations.conversation import LONGEST_TITLE
from paliadin.files.attachments import MAX_FILES
from paliadin.prompt.said import MOST
from paliadin.turns.queue import Held
from paliadin.web.openapi.operation import JSON, OF_SESSION, OF_TURN, STREAM, Operation
from paliadin.web.openapi.schemas import (
    ANYTHING,
    ATTACHMENT_ID,
    BOOL,
    CONTEXT,
    DIGITS,
    MESSAGE,
    NAME,
    SESSION,
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
from paliadin.web.paths import API
from paliadin.web.session_routes import MAX_SEARCH_LENGTH
from paliadin.web.turn_routes import LONGEST_COMMENT

_OF_ATTACHMENT = {"attachment_id": ATTACHMENT_ID}
_QUEUE = record(
    {
        "held": one_of(*map(str, Held), None),
        "turns": array(
            record(
                {
                    "turn_id": TURN_ID,
                    "user_message": TEXT,
                    "queued_at": WHOLE,
                    "attachments": array(reference("Attachment")),
                }
            )
        ),
    }
)
_OF_CONVERSATION = {"session_id": TEXT}
_TITLE = {**TEXT, "minLength": 1, "maxLength": LONGEST_TITLE}
_CHOSEN = dict.fromkeys(("model", "permission_mode"), nullable(TEXT))
_CONSENT = record({"agreed": BOOL, "version": TEXT, "host": TEXT, "model": TEXT})
_SAID = record({"question": TEXT, "answer": TEXT}, {"turn_id": TEXT})
_OWN_KEY = record({"saved_at": nullable(TEXT)})
_REPLY = {"anyOf": [TEXT, array(TEXT), {"type": "object"}]}

TURNS: Mapping[str, Operation] = {
    f"POST {API}/turn": Operation(
        "Begin a turn, or queue it behind the one that runs (`queue`); its events are at `sse_url`.",
        record({"turn_id": TURN_ID, "sse_url": TEXT, "queued": WHOLE}),
        202,
        record(
            {"user_message": MESSAGE},
            {
                "session_id": SESSION,
                "context": nullable(CONTEXT),
                "queue": BOOL,
                "attachments": {**array(ATTACHMENT_ID), "maxItems": MAX_FILES},
                "as_text": BOOL,
                "history": nullable({**array(_SAID), "maxItems": MOST}),
            },
        ),
        errors=(404, 409, 422, 503, 507),
    ),
    f"GET {API}/stream/{{turn_id}}": Operation(
        "The turn's events after this number. Each has `id`, `event` and `data`, which has the schema of that name.",
        ANYTHING,
        query={"after": DIGITS},
        path=OF_TURN,
        headers={"Last-Event-ID": DIGITS},
        errors=(404,),
        media=(STREAM,),
    ),
    f"POST {API}/stream/{{turn_id}}/abort": Operation(
        "Stop the turn; false if it was over already.", record({"aborted": BOOL}), path=OF_TURN, errors=(404, 503)
    ),
    f"POST {API}/stream/{{turn_id}}/answer": Operation(
        "Reply to a permission or a question of the turn.",
        record({"accepted": one_of(True)}),
        body=record({"interrupt_id": TEXT}, {"value": _REPLY, "cancel": BOOL}),
        path=OF_TURN,
        errors=(404, 409, 422, 503),
    ),
    f"POST {API}/attachments": Operation(
        "Take a file for a question: the field `file` of a multipart form.",
        reference("Attachment"),
        201,
        query=OF_SESSION,
        errors=(400, 408, 409, 413, 422, 507),
    ),
    f"GET {API}/attachments/{{attachment_id}}": Operation(
        "An attached file: a picture as such, any other one to be saved.",
        ANYTHING,
        path=_OF_ATTACHMENT,
        media=("application/octet-stream", "image/png", "image/jpeg", "image/gif", "image/webp"),
        errors=(404,),
    ),
    f"DELETE {API}/attachments/{{attachment_id}}": Operation(
        "Remove a file that no question has yet.",
        record({"withdrawn": one_of(True)}),
        path=_OF_ATTACHMENT,
        errors=(404,),
    ),
    f"GET {API}/turns/{{turn_id}}/pictures/{{picture}}": Operation(
        "A picture that a tool of the turn has returned.",
        ANYTHING,
        path=OF_TURN | {"picture": {"type": "string", "pattern": "^[0-9a-f]{32}$"}},
        media=("image/png", "image/jpeg", "image/gif", "image/webp"),
        errors=(404, 503),
    ),
    f"POST {API}/turns/{{turn_id}}/feedback": Operation(
        "Keep the reader's verdict on the answer, and their comment.",
        record({"verdict": one_of("up", "down", None)}),
        body=record(
            {}, {"verdict": one_of("up", "down", None), "word": nullable({**TEXT, "maxLength": LONGEST_COMMENT})}
        ),
        path=OF_TURN,
        errors=(404, 422, 503),
    ),
}

_WHO = record({"id": TEXT, "name": TEXT, "role": TEXT, "language": nullable(TEXT)})

SESSIONS: Mapping[str, Operation] = {
    f"GET {API}/history": Operation(
        "A page of the session's turns, newest last: those before the turn `before`. Turns in `known` (ids with commas "
        "between) are only named.",
        record(
            {"turns": array(reference("Turn")), "known": array(TURN_ID), "running_turn": nullable(TURN_ID)}
            | {"has_more": BOOL, "since": WHOLE, "queue": _QUEUE, "version": TEXT}
        ),
        query=OF_SESSION | {"before": TURN_ID, "limit": DIGITS, "known": TEXT},
        errors=(404, 422),
    ),
    f"GET {API}/events": Operation(
        "What a page does not know yet of a conversation and of the list, as server-sent events: what there is, "
        "and with `follow=1` what comes. `after` names turns that it has, as <turn_id>:<number> with commas between; "
        "`list`, `state` and `health` are versions that it has, or `off` for what it does not want.",
        ANYTHING,
        query=OF_SESSION | {"after": TEXT, "list": TEXT, "state": TEXT, "health": TEXT, "follow": one_of("0", "1")},
        errors=(422,),
        media=(STREAM,),
    ),
    f"GET {API}/search": Operation(
        "The session's turns that contain the words, newest first.",
        record(
            {"found": array(record({"turn_id": TURN_ID, "started_at": TIME, "user_message": TEXT, "excerpt": TEXT}))}
        ),
        query=OF_SESSION | {"words": {**TEXT, "minLength": 1, "maxLength": MAX_SEARCH_LENGTH}},
        errors=(404, 422, 503),
    ),
    f"POST {API}/reset": Operation(
        "Begin a new conversation.",
        record({"reset": one_of(True)}),
        body=record({}, OF_SESSION),
        errors=(404, 409, 422, 503),
    ),
    f"POST {API}/compact": Operation(
        "Have Claude replace what was said by a summary; the response comes when that is done.",
        record({"compacted": one_of(True)}),
        body=record({}, OF_SESSION),
        errors=(404, 409, 422, 503),
    ),
    f"GET {API}/export": Operation(
        "The whole conversation as a file.",
        ANYTHING,
        query={**OF_SESSION, "format": one_of("md", "json")},
        media=(JSON, "text/markdown"),
        errors=(404, 422, 503),
    ),
    f"GET {API}/sessions": Operation("All sessions.", record({"sessions": array(reference("Session"))}), errors=(503,)),
    f"POST {API}/sessions": Operation(
        "Create a session.", record({"name": NAME}), 201, record({"name": NAME}), errors=(422, 507)
    ),
    f"GET {API}/limits": Operation(
        "How many questions the caller has asked over the Messages API in this hour, and how many they may.",
        record({"asked": WHOLE, "limit": nullable(WHOLE), "left": WHOLE, "resets_at": TEXT}),
        errors=(503,),
    ),
    f"POST {API}/consent": Operation(
        "Agree to what is sent where over the Messages API, as `version` says it.",
        _CONSENT,
        body=record({"version": TEXT}),
        errors=(409,),
    ),
    f"GET {API}/own-key": Operation(
        "Whether the caller has a key of their own for the Messages API, and since when.", _OWN_KEY, errors=(503,)
    ),
    f"POST {API}/own-key": Operation(
        "Check a key of the caller's own at the Messages API, and keep it encrypted in place of an earlier one.",
        _OWN_KEY,
        body=record({"key": {**TEXT, "minLength": 8, "maxLength": 400}}),
        errors=(422, 429, 503, 507),
    ),
    f"DELETE {API}/own-key": Operation("Remove the caller's own key.", _OWN_KEY, errors=(503,)),
    f"GET {API}/health": Operation(
        "The state of each part.",
        record(
            {"ok": BOOL, "parts": array(reference("Part")), "scripted": BOOL, "version": TEXT, "may_allow": BOOL}
            | {"may_attach": BOOL, "person": _WHO, "relay": one_of(*RELAYS)},
            {"demo_questions": {"type": "object"}, "consent": _CONSENT, "keeps_words": BOOL},
        ),
        query=OF_SESSION,
        errors=(404, 422, 503),
    ),
}

CONVERSATIONS: Mapping[str, Operation] = {
    f"GET {API}/conversations": Operation(
        "The conversations, the one asked in last first: those that contain the words `q`, or (`archived=1`) the "
        "archived ones; and the hosts on which a new one can be made.",
        record({"conversations": array(reference("Conversation")), "hosts": array(TEXT), "version": TEXT}),
        query={"q": {**TEXT, "maxLength": MAX_SEARCH_LENGTH}, "archived": one_of("0", "1")},
        errors=(422, 503),
    ),
    f"POST {API}/conversations": Operation(
        "Make a conversation, on a host, or a branch that knows everything before the turn `branch_of`.",
        reference("Conversation"),
        201,
        record({}, {"title": nullable(_TITLE), "host": nullable(TEXT), "branch_of": nullable(TURN_ID)}),
        errors=(404, 409, 422, 503, 507),
    ),
    f"GET {API}/conversations/{{session_id}}": Operation(
        "A conversation, and the state of its Claude.",
        {"allOf": [reference("Conversation"), record({"ok": BOOL, "message": TEXT, "hint": TEXT, "screen": TEXT})]},
        path=_OF_CONVERSATION,
        errors=(404, 503),
    ),
    f"GET {API}/conversations/{{session_id}}/offers": Operation(
        "What the conversation's Claude offers: models, permission modes, commands and skills.",
        reference("Offers"),
        path=_OF_CONVERSATION,
        errors=(404, 503),
    ),
    f"PATCH {API}/conversations/{{session_id}}": Operation(
        "Change the title, the place in the list, the model or the permission mode, or take a deletion back.",
        reference("Conversation"),
        body=record({}, {"title": _TITLE, "pinned": BOOL, "archived": BOOL, "deleted": one_of(False)} | _CHOSEN),
        path=_OF_CONVERSATION,
        errors=(403, 404, 409, 422, 503, 507),
    ),
    f"DELETE {API}/conversations/{{session_id}}": Operation(
        "Hide a conversation; it is removed once `undo_until` (milliseconds since 1970) is over.",
        record({"undo_until": WHOLE}),
        path=_OF_CONVERSATION,
        errors=(404, 409, 503, 507),
    ),
    f"POST {API}/queue": Operation(
        "Let the questions that wait be asked, after a turn was stopped or has failed.",
        record({"going_on": BOOL}),
        body=record({}, OF_SESSION),
        errors=(404, 422, 503, 507),
    ),
    f"PATCH {API}/queue/{{turn_id}}": Operation(
        "Change a question that waits.",
        record({"turn_id": TURN_ID, "queued": WHOLE}),
        body=record({"user_message": MESSAGE}),
        path=OF_TURN,
        errors=(404, 413, 422, 507),
    ),
    f"DELETE {API}/queue/{{turn_id}}": Operation(
        "Withdraw a question that waits.", record({"withdrawn": one_of(True)}), path=OF_TURN, errors=(404, 507)
    ),
}
