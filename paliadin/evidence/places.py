"""Places in what was searched, and the sources that they are. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from paliadin.evidence.model import Source
from paliadin.evidence.results import Call

MAX_SOURCE_TEXT = 200  # characters
_KEYS = re.compile(r'\A(?:"\w{1,40}" ?){1,4}')  # of a JSON value that the shown text does not have


@dataclass(frozen=True, slots=True)
class Hit:
    """A place in a text at which a statement's value stands."""

    start: int
    end: int


def line_around(text: str, start: int, end: int, margin: int) -> tuple[int, int]:
    """Return where the line around a place begins and ends, at most `margin` characters away from it."""
    first = max(text.rfind("\n", 0, start) + 1, start - margin)
    last = text.find("\n", end)
    return first, min(len(text) if last < 0 else last, end + margin)


def source_at(call: Call, hit: Hit) -> Source:
    """The source at a place of what was searched: the line that a person sees it on, and the field and record it is."""
    text = call.searched
    place = call.layout.place_of(hit.start, text)
    start, end = line_around(text, hit.start, hit.end, MAX_SOURCE_TEXT // 2)
    if place.line is None:
        shown = _KEYS.sub("", text[start:end].strip()[:MAX_SOURCE_TEXT])
        return Source("call", call.id, call.turn_id, None, shown, place.field, place.record)
    line = call.layout.shown[place.line]
    at = line.find(text[hit.start : hit.end])
    first, last = line_around(line, max(at, 0), max(at, 0) + hit.end - hit.start, MAX_SOURCE_TEXT // 2)
    shown = line[first:last].strip()[:MAX_SOURCE_TEXT]
    return Source("call", call.id, call.turn_id, place.line + call.first_line, shown, place.field, place.record)
