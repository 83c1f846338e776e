"""Parse untrusted JSON strictly (RFC 8259), so that every value that passes can be written and read by any program."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import NoReturn

JsonObject = Mapping[str, object]
"""A JSON object that was read, or is going to be written."""

_HALF = re.compile(r"\\u[dD][89a-fA-F]")
MAX_DEPTH = 100  # levels of nesting; Claude Code's own payloads have about ten


def parse_json(text: str) -> object:
    """Parse one JSON value; raises ValueError, also for what `json.loads` accepts: NaN, 1e999, very deep nesting."""
    try:
        value = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if text.count("{") + text.count("[") > MAX_DEPTH and _is_deeper(value, MAX_DEPTH):  # most need no second look
        raise ValueError("nested too deeply")
    return value


def parse_storable_json(text: str) -> object:
    """Parse one JSON value as `parse_json` does, so that it can be sent or kept as UTF-8: see `without_halves`."""
    return without_halves(parse_json(text), text)


def without_halves(value: object, text: str) -> object:
    """Return the value that a text of JSON holds with a question mark for each half of an emoji.

    A program that cuts by UTF-16 units writes such halves; UTF-8 cannot hold them.
    """
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")) if _HALF.search(text) else value


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits} is out of range")
    return number


def _is_deeper(value: object, limit: int) -> bool:
    layer = [value]
    for _ in range(limit):
        layer = [child for item in layer for child in _children(item)]
        if not layer:
            return False
    return True


def has_more_values(data: bytes, most: int) -> bool:
    """Tell whether JSON has more values, without parsing it: a megabyte of empty arrays would take half a second."""
    plain = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    if plain.count(b'"') > 2 * most:
        return True
    outside_texts = b"".join(plain.split(b'"')[::2])
    return sum(map(outside_texts.count, (b"[", b"{", b","))) > most


def count_values(value: object) -> int:
    """Return how many JSON values there are in this one, itself included."""
    number, layer = 0, [value]
    while layer:
        number += len(layer)
        layer = [child for item in layer for child in _children(item)]
    return number


def _children(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
