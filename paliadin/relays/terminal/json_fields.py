"""Read a JSON object from a line, with the position of each field's value in it. Pure."""

from __future__ import annotations

import json
import re
from typing import NamedTuple, NoReturn

_SPACE = re.compile(r"[ \t\n\r]*")


class Field(NamedTuple):
    """A field's value, and its text in the line: from `start` up to `end`."""

    value: object
    start: int
    end: int


def read_fields(text: str) -> dict[str, Field]:
    """Read the fields of an object; of equal names the last counts, as in JavaScript. Its numbers are floats.

    Raises ValueError for anything else than one object, and RecursionError for one that is nested too deeply.
    """
    fields: dict[str, Field] = {}
    at = _expect(text, _skip_space(text, 0), "{")
    while text[at : at + 1] != "}":
        if fields:
            at = _expect(text, at, ",")
        if not text.startswith('"', at):
            raise ValueError(f"no name at {at}")
        name, at = _DECODER.raw_decode(text, at)
        start = _expect(text, _skip_space(text, at), ":")
        value, end = _DECODER.raw_decode(text, start)
        fields[name] = Field(value, start, end)
        at = _skip_space(text, end)
    if _skip_space(text, at + 1) != len(text):
        raise ValueError("something follows the object")
    return fields


def _expect(text: str, at: int, character: str) -> int:
    """Return the position after the character and the space that follows it; raises ValueError without it."""
    if not text.startswith(character, at):
        raise ValueError(f"no {character} at {at}")
    return _skip_space(text, at + 1)


def _skip_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_int=float)
