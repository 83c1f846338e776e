"""The named schemas of the OpenAPI document. Those of events follow from `paliadin.events.model`. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from paliadin.events.model import EventData, field_names
from paliadin.files.content import Kind
from paliadin.web.openapi.schema import (
    ANYTHING,
    ATTACHMENT_ID,
    BOOL,
    NUMBER,
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

_USAGE = record(
    {}, dict.fromkeys(("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"), nullable(WHOLE))
)
_ATTACHMENT = record(
    {
        "id": ATTACHMENT_ID,
        "name": TEXT,
        "bytes": WHOLE,
        "kind": one_of(*map(str, Kind)),
        "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    }
)
_EVENT = record({"event": TEXT, "data": {"type": "object"}})
_TURN = record(
    {
        "turn_id": TURN_ID,
        "session_id": TEXT,
        "origin": TEXT,
        "started_at": TIME,
        "finished_at": nullable(TIME),
        "user_message": TEXT,
        "attachments": array(reference("Attachment")),
        "asked_by": nullable(TEXT),
        "context": {"type": "object"},
        "feedback": one_of("up", "down", None),
        "feedback_word": nullable(TEXT),
        "is_redacted": BOOL,
        "running": BOOL,
        "response": TEXT,
        "joined": array(record({"text": TEXT, "at": WHOLE})),
        "error_code": nullable(TEXT),
        "error": ANYTHING,
        "aborted": BOOL,
        "events": array(reference("TurnEvent")),
        "chips": array({"type": "object"}),
        "evidence": nullable(reference("evidence")),
        "usage": nullable(reference("Usage")),
        "model": nullable(TEXT),
        "duration_ms": nullable(NUMBER),
        "first_text_ms": nullable(NUMBER),
        "interrupts": array({"type": "object"}),
    }
)
_PART = record({"name": TEXT, "ok": BOOL, "state": TEXT, "message": TEXT, "hint": TEXT})
_SESSION = record(
    {
        "name": TEXT,
        "host": TEXT,
        "state": TEXT,
        "ok": BOOL,
        "message": TEXT,
        "hint": TEXT,
        "screen": TEXT,
        "running_turn": nullable(TURN_ID),
        "background_tasks": WHOLE,
    }
)
_CONVERSATION = record(
    {
        "id": TEXT,
        "title": TEXT,
        "person": TEXT,
        "origin": nullable(TEXT),
        "host": TEXT,
        "state": one_of("parked", "ready", "busy", "waiting", "failed", "unreachable"),
        "pinned": BOOL,
        "archived": BOOL,
        **dict.fromkeys(("created_at", "last_at", "ended_at", "cleared_at"), nullable(WHOLE)),
        "first_turn": nullable(TURN_ID),
        "branch_of": nullable(record({"session_id": TEXT, "turn_id": TURN_ID})),
        "running_turn": nullable(TURN_ID),
        "queued": WHOLE,
        "background_tasks": WHOLE,
    },
    {
        "match": record({"turn_id": TURN_ID, "excerpt": TEXT}),
        **dict.fromkeys(("model", "model_name", "chosen_model", "permission_mode", "folder"), nullable(TEXT)),
        **dict.fromkeys(("context_used", "cost"), nullable(NUMBER)),
    },
)
_OFFERS = record(
    {
        "models": array(record({"id": TEXT, "name": TEXT, "description": TEXT})),
        "commands": array(record({"name": TEXT, "description": TEXT, "argument_hint": TEXT, "aliases": array(TEXT)})),
        "modes": array(TEXT),
    }
)
_PERSON = record(
    {"id": TEXT, "name": TEXT, "office": TEXT, "language": TEXT, "role": TEXT, "added_at": WHOLE}
    | {"browsers": WHOLE, "conversations": WHOLE, "last_at": nullable(WHOLE)}
)
_WHO = record({"id": TEXT, "name": TEXT})
_BROWSER = record(
    {
        "id": TEXT,
        "person": TEXT,
        "agent": TEXT,
        "signed_in": WHOLE,
        "last_used": WHOLE,
        "expires": WHOLE,
        "current": BOOL,
    }
)
_KEY = record({"name": TEXT, "purposes": array(TEXT), "made": WHOLE, "last_used": nullable(WHOLE)})
_ERROR = record({"error": record({"code": TEXT, "message": TEXT, "hint": TEXT}, {"turn_id": nullable(TURN_ID)})})


def components() -> dict[str, Schema]:
    """The schemas that others refer to; those of events have the event's name."""
    schemas = {"Error": _ERROR, "Attachment": _ATTACHMENT, "Turn": _TURN, "TurnEvent": _EVENT, "Usage": _USAGE}
    schemas |= {
        "Part": _PART,
        "Session": _SESSION,
        "Conversation": _CONVERSATION,
        "Offers": _OFFERS,
        "Browser": _BROWSER,
        "Person": _PERSON,
        "Key": _KEY,
    }
    return schemas | {kind.event: _of_dataclass(kind) for kind in get_args(EventData)}


def _of_dataclass(kind: type) -> Schema:
    hints = get_type_hints(kind)
    schema = record({name: of_type(hints[name]) for name in field_names(kind)})
    return schema | {"description": " ".join((kind.__doc__ or "").split())}


_SIMPLE: Mapping[object, Schema] = {str: TEXT, int: WHOLE, bool: BOOL, float: NUMBER, object: ANYTHING}


def of_type(hint: Any) -> Schema:
    """The schema of the values of a field with this type; raises TypeError for one that no event has so far."""
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    if is_dataclass(hint) and isinstance(hint, type):
        return _of_dataclass(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union) and NoneType in arguments and len(arguments) == 2:
        return nullable(of_type(next(each for each in arguments if each is not NoneType)))
    if origin is Literal:
        return one_of(*arguments)
    if origin is Mapping:
        return {"type": "object"}
    if origin in (Sequence, tuple):
        return array(of_type(arguments[0]))
    raise TypeError(f"no schema is known for {hint}")
