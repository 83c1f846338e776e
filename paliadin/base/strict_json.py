"""JSON as the standard has it, from somebody we do not trust. What passes can be written and read again by anybody."""

from __future__ import annotations

import json
import math
from typing import NoReturn

DEEPEST = 100  # levels of nesting; Claude Code's own payloads have about ten


def read_json(text: str) -> object:
    """The value; ValueError also for what Python alone takes: NaN, Infinity, 1e999, and any depth of nesting."""
    try:
        value = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if _depth_beyond(value, DEEPEST):
        raise ValueError("nested too deeply")
    return value


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits} is out of range")
    return number


def _depth_beyond(value: object, limit: int) -> bool:
    layer = [value]
    for _ in range(limit):
        layer = [child for item in layer for child in _children(item)]
        if not layer:
            return False
    return True


def _children(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
