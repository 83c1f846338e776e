"""What each route takes and returns, by its method and path; a test compares this with the routes. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from paliadin.conversations.conversation import LONGEST_TITLE
from paliadin.files.attachments import MAX_FILES
from paliadin.files.matching import LONGEST_QUERY
from paliadin.files.shown_file import Kind
from paliadin.files.working_folder import MAX_PATH
from paliadin.people.access import Purpose
from paliadin.reports.filters import FLAGS, PARAMETERS, SORTS, SPANS, Filter
from paliadin.turns.queue import Held
from paliadin.web.file_routes import MOST_CHECKED
from paliadin.web.openapi.schemas import (
    ANYTHING,
    ATTACHMENT_ID,
    BOOL,
    CONTEXT,
    DIGITS,
    KEY_NAME,
    MESSAGE,
    NAME,
    PERSON,
    SESSION,
    TEXT,
    TIME,
    TURN_ID,
    WHOLE,
    Schema,
    array,
    nullable,
    one_of,
    record,
    reference,
)
from paliadin.web.paths import API, PAGE
from paliadin.web.session_routes import MAX_SEARCH_LENGTH
from paliadin.web.turn_routes import LONGEST_COMMENT

ADMIN = "/admin/paliadin"
JSON, HTML, STREAM = "application/json", "text/html", "text/event-stream"


@dataclass(frozen=True)
class Operation:
    """A route's method. `errors` are the statuses that only some routes have; `query` and `path` are parameters."""

    summary: str
    returns: Schema
    status: int = 200
    body: Schema | None = None
    query: Mapping[str, Schema] = field(default_factory=dict)
    path: Mapping[str, Schema] = field(default_factory=dict)
    headers: Mapping[str, Schema] = field(default_factory=dict)
    errors: tuple[int, ...] = ()
    media: tuple[str, ...] = (JSON,)
    errors_as_page: bool = False  # for a person at a browser


_OF_TURN = {"turn_id": TURN_ID}
_OF_SESSION = {"session_id": SESSION}
_OF_KEY = {"name": KEY_NAME}
_OF_ATTACHMENT = {"attachment_id": ATTACHMENT_ID}
_STORED = (503,)  # the database is unavailable
_LISTED: dict[str, Schema] = {
    "span": one_of(*map(str, SPANS)),
    "from": {"type": "string", "format": "date"},
    "to": {"type": "string", "format": "date"},
    **{PARAMETERS.get(each.name, each.name): TEXT for each in fields(Filter)[3:]},
    "flag": one_of(*FLAGS),
    "lang": one_of("de", "en"),
}
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
_REPLY = {"anyOf": [TEXT, array(TEXT), {"type": "object"}]}


def _page(summary: str, *errors: int, path: Mapping[str, Schema] | None = None, **query: Schema) -> Operation:
    """A page of the dashboard."""
    return Operation(
        summary,
        query=_LISTED | query,
        path=path or {},
        errors=(*_STORED, *errors),
        media=(HTML,),
        returns=TEXT,
        errors_as_page=True,
    )


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
            },
        ),
        errors=(404, 409, 422, 503, 507),
    ),
    f"GET {API}/stream/{{turn_id}}": Operation(
        "The turn's events after this number. Each has `id`, `event` and `data`, which has the schema of that name.",
        ANYTHING,
        query={"after": DIGITS},
        path=_OF_TURN,
        headers={"Last-Event-ID": DIGITS},
        errors=(404,),
        media=(STREAM,),
    ),
    f"POST {API}/stream/{{turn_id}}/abort": Operation(
        "Stop the turn; false if it was over already.", record({"aborted": BOOL}), path=_OF_TURN, errors=(404, 503)
    ),
    f"POST {API}/stream/{{turn_id}}/answer": Operation(
        "Reply to a permission or a question of the turn.",
        record({"accepted": one_of(True)}),
        body=record({"interrupt_id": TEXT}, {"value": _REPLY, "cancel": BOOL}),
        path=_OF_TURN,
        errors=(404, 409, 422, 503),
    ),
    f"POST {API}/attachments": Operation(
        "Take a file for a question: the field `file` of a multipart form.",
        reference("Attachment"),
        201,
        query=_OF_SESSION,
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
    f"POST {API}/turns/{{turn_id}}/feedback": Operation(
        "Keep the reader's verdict on the answer, and their comment.",
        record({"verdict": one_of("up", "down", None)}),
        body=record(
            {}, {"verdict": one_of("up", "down", None), "word": nullable({**TEXT, "maxLength": LONGEST_COMMENT})}
        ),
        path=_OF_TURN,
        errors=(404, 422, 503),
    ),
}

SESSIONS: Mapping[str, Operation] = {
    f"GET {API}/history": Operation(
        "A page of the session's turns, newest last: those before the turn `before`. Turns in `known` (ids with commas "
        "between) are only named.",
        record(
            {"turns": array(reference("Turn")), "known": array(TURN_ID), "running_turn": nullable(TURN_ID)}
            | {"has_more": BOOL, "since": WHOLE, "queue": _QUEUE}
        ),
        query=_OF_SESSION | {"before": TURN_ID, "limit": DIGITS, "known": TEXT},
        errors=(404, 422),
    ),
    f"GET {API}/search": Operation(
        "The session's turns that contain the words, newest first.",
        record(
            {"found": array(record({"turn_id": TURN_ID, "started_at": TIME, "user_message": TEXT, "excerpt": TEXT}))}
        ),
        query=_OF_SESSION | {"words": {**TEXT, "minLength": 1, "maxLength": MAX_SEARCH_LENGTH}},
        errors=(404, 422, 503),
    ),
    f"POST {API}/reset": Operation(
        "Begin a new conversation.",
        record({"reset": one_of(True)}),
        body=record({}, _OF_SESSION),
        errors=(404, 409, 422, 503),
    ),
    f"POST {API}/compact": Operation(
        "Have Claude replace what was said by a summary; the response comes when that is done.",
        record({"compacted": one_of(True)}),
        body=record({}, _OF_SESSION),
        errors=(404, 409, 422, 503),
    ),
    f"GET {API}/export": Operation(
        "The whole conversation as a file.",
        ANYTHING,
        query={**_OF_SESSION, "format": one_of("md", "json")},
        media=(JSON, "text/markdown"),
        errors=(404, 422, 503),
    ),
    f"GET {API}/sessions": Operation("All sessions.", record({"sessions": array(reference("Session"))}), errors=(503,)),
    f"POST {API}/sessions": Operation(
        "Create a session.", record({"name": NAME}), 201, record({"name": NAME}), errors=(422, 507)
    ),
    f"GET {API}/health": Operation(
        "The state of each part.",
        record(
            {"ok": BOOL, "parts": array(reference("Part")), "scripted": BOOL, "version": TEXT, "may_allow": BOOL},
            {"demo_questions": {"type": "object"}},
        ),
        query=_OF_SESSION,
        errors=(404, 422, 503),
    ),
}

CONVERSATIONS: Mapping[str, Operation] = {
    f"GET {API}/conversations": Operation(
        "The conversations, the one asked in last first: those that contain the words `q`, or (`archived=1`) the "
        "archived ones; and the hosts on which a new one can be made.",
        record({"conversations": array(reference("Conversation")), "hosts": array(TEXT)}),
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
        body=record({}, _OF_SESSION),
        errors=(404, 422, 503, 507),
    ),
    f"PATCH {API}/queue/{{turn_id}}": Operation(
        "Change a question that waits.",
        record({"turn_id": TURN_ID, "queued": WHOLE}),
        body=record({"user_message": MESSAGE}),
        path=_OF_TURN,
        errors=(404, 413, 422, 507),
    ),
    f"DELETE {API}/queue/{{turn_id}}": Operation(
        "Withdraw a question that waits.", record({"withdrawn": one_of(True)}), path=_OF_TURN, errors=(404, 507)
    ),
}

_PATH = {**TEXT, "minLength": 1, "maxLength": MAX_PATH}
_DESCRIBED = record({"path": TEXT, "kind": one_of(*map(str, Kind)), "version": TEXT}, {"width": WHOLE, "height": WHOLE})

FILES: Mapping[str, Operation] = {
    f"GET {API}/files": Operation(
        "The files and folders of Claude's folder that match the letters `q` best; `marks` are the numbers of the "
        "characters of `path` that match, `total` is how many there are.",
        record(
            {"files": array(record({"path": TEXT, "ignored": BOOL, "marks": array(WHOLE)})), "total": WHOLE},
        ),
        query=_OF_SESSION | {"q": {**TEXT, "maxLength": LONGEST_QUERY}},
        errors=(404, 422, 503),
    ),
    f"POST {API}/files/check": Operation(
        "What can be shown of each path; null for one that is not there, or not in Claude's folder.",
        record({"files": array(nullable(_DESCRIBED))}),
        body=record({"paths": {**array(TEXT), "maxItems": MOST_CHECKED}}, _OF_SESSION),
        errors=(404, 422, 503),
    ),
    f"GET {API}/files/text": Operation(
        "Lines of a text file, from `first` to `last`; of each, how many bytes are left out at its end. `total`: the "
        "number of all lines, null for a file that is too large to count them.",
        record(
            {"path": TEXT, "first": WHOLE, "lines": array(record({"text": TEXT, "left_out": WHOLE}))}
            | {"total": nullable(WHOLE)}
        ),
        query=_OF_SESSION | {"path": _PATH, "first": DIGITS, "last": DIGITS},
        errors=(404, 422, 503),
    ),
    f"GET {API}/files/content": Operation(
        "A picture.",
        ANYTHING,
        query=_OF_SESSION | {"path": _PATH},
        errors=(404, 413, 422, 503),
        media=("image/png", "image/jpeg", "image/gif", "image/webp"),
    ),
}

ACCESS: Mapping[str, Operation] = {
    f"POST {API}/embed-token": Operation(
        "A token with which the drawer on pages of `origin` asks as `person`.",
        record({"token": TEXT, "expires_in": WHOLE}),
        body=record({"origin": TEXT, "person": PERSON}),
        errors=(422,),
    ),
    f"GET {API}/access": Operation(
        "The browsers that are signed in, and the keys.",
        record({"browsers": array(reference("Browser")), "keys": array(reference("Key"))}),
    ),
    f"POST {API}/access/tickets": Operation(
        "An address that signs one browser in, once.",
        record({"id": TEXT, "address": TEXT, "path_address": TEXT, "expires_in": WHOLE}),
        201,
    ),
    f"GET {API}/access/tickets/{{id}}": Operation(
        "Whether the address can still be used.", record({"valid": BOOL}), path={"id": TEXT}
    ),
    f"POST {API}/access/sign-out": Operation(
        "Sign out the browser that asks, or all.",
        record({"signed_out": one_of(True)}),
        body=record({}, {"everywhere": BOOL}),
        errors=(422, 507),
    ),
    f"DELETE {API}/access/browsers/{{id}}": Operation(
        "Sign out one browser.", record({"signed_out": one_of(True)}), path={"id": TEXT}, errors=(404, 507)
    ),
    f"POST {API}/access/rotate": Operation(
        "Sign out all browsers and change the page's own address.", record({"rotated": one_of(True)}), errors=(507,)
    ),
    f"POST {API}/access/keys": Operation(
        "Make a key; only this response shows it.",
        record({"name": KEY_NAME, "key": TEXT}),
        201,
        record({"name": KEY_NAME, "purpose": one_of(*map(str, Purpose))}),
        errors=(422, 507),
    ),
    f"POST {API}/access/keys/{{name}}/rotate": Operation(
        "A new key in place of this one.", record({"name": TEXT, "key": TEXT}), path=_OF_KEY, errors=(404, 507)
    ),
    f"DELETE {API}/access/keys/{{name}}": Operation(
        "Make the key invalid.", record({"removed": one_of(True)}), path=_OF_KEY, errors=(404, 507)
    ),
}

PAGES: Mapping[str, Operation] = {
    f"GET {PAGE}": Operation("The chat page.", TEXT, query={"ticket": TEXT}, media=(HTML,), errors_as_page=True),
    "GET /widget.js": Operation("The drawer.", TEXT, media=("text/javascript",)),
    f"GET {ADMIN}": _page("The figures of these turns.", chart=one_of("30", "90")),
    f"GET {ADMIN}/turns": _page("These turns.", sort=one_of(*SORTS), offset=DIGITS),
    f"GET {ADMIN}/turns/{{turn_id}}": _page("A turn.", 404, path=_OF_TURN),
    f"GET {ADMIN}/turns/{{turn_id}}/captures/{{name}}": Operation(
        "One of the turn's requests to the API and its response, as they were (PALIADIN_CAPTURE).",
        TEXT,
        path={**_OF_TURN, "name": TEXT},
        errors=(404,),
        media=("text/plain",),
        errors_as_page=True,
    ),
    f"GET {ADMIN}/export.{{format}}": Operation(
        "These turns as a file.",
        ANYTHING,
        query=_LISTED,
        path={"format": one_of("jsonl", "csv", "parquet")},
        errors=(404, 503),
        media=("application/x-ndjson", "text/csv", "application/vnd.apache.parquet"),
        errors_as_page=True,
    ),
    "GET /livez": Operation("Is the daemon alive.", TEXT, media=("text/plain",)),
    "GET /metrics": Operation("Metrics in Prometheus' format.", TEXT, media=("text/plain",)),
    f"GET {API}/openapi.json": Operation("This description.", {"type": "object"}),
}

OPERATIONS: Mapping[str, Operation] = {
    **TURNS,
    **SESSIONS,
    **CONVERSATIONS,
    **FILES,
    **ACCESS,
    **PAGES,
}
"""By "METHOD path"."""
