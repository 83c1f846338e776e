"""The protocol between the daemon and `paliadin-shim` on a remote host: one JSON object a line, in both directions.

    → {"id": 1, "verb": "submit", "turn": {…}}            request, numbered by the daemon
    ← {"id": 1, "result": {…}}                            its response, or
    ← {"id": 1, "error": {"code", "message", "hint"}}
    ← {"log": "<turn_id>", "at": 0, "data": "…\\n"}        whole lines of a log that is followed, from byte `at` on
    ← {"log": "<turn_id>.live", "at": 0, "data": "…\\n"}   the same of its preview log, if that was asked for
    ← {"log": "<turn_id>", "failed": "…"}                  this log cannot be followed any more

docs/remote.md lists the verbs and their fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from paliadin.base.strict_json import without_halves

PROTOCOL = 2  # the version; `hello` refuses any other
MAX_TURN_IDS = 500  # in one `forget` request
PREVIEW = ".live"  # the end of a preview log's name, behind the turn's id
CHUNK = 192 * 1024  # bytes of a file in one message; a slow line has half a minute for it
LONGEST_LINE = 4 * 1024 * 1024  # bytes; the longest question has 100,000 characters

Message = Mapping[str, Any]
"""One parsed line: a request, a response, or a piece of a log."""


def encode(message: Message) -> bytes:
    """Serialise one message to its line."""
    return json.dumps(message).encode("ascii") + b"\n"


def parse_request(raw: bytes) -> tuple[int | None, Message]:
    """Parse a line that the shim received into (number, request); (None, {}) for a line that is no JSON object."""
    try:
        request = json.loads(raw)
    except (ValueError, RecursionError):
        return None, {}
    if not isinstance(request, dict):
        return None, {}
    number = request.get("id")
    return number if isinstance(number, int) else None, request


def parse_message(raw: bytes) -> Message | None:
    """Parse a line that the daemon received; None for other lines, such as the greeting of a login shell."""
    try:
        message = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict):
        return None
    if isinstance(message.get("log"), str):
        has_lines = isinstance(message.get("at"), int) and isinstance(message.get("data"), str)
        return message if has_lines or isinstance(message.get("failed"), str) else None
    if not isinstance(message.get("id"), int) or "failed" in message:
        return None
    response = without_halves(message, raw.decode("utf-8", "replace"))  # who asked checks the rest, such as NaN
    return response if isinstance(response, dict) else None


def log_message(log_name: str, offset: int, data: bytes) -> Message:
    """Wrap bytes of a log. Bytes that are not UTF-8 become lone surrogates, so that none is lost."""
    return {"log": log_name, "at": offset, "data": data.decode("utf-8", "surrogateescape")}


def log_bytes(message: Message) -> bytes:
    """Unwrap the bytes of a log; raises ValueError for a text that cannot be bytes."""
    return bytes(message["data"].encode("utf-8", "surrogateescape"))
