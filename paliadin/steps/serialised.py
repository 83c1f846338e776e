"""The one serialised form of a step: `{"at": …, "step": "tool_started", …}`, a field for each of the step's own."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from types import UnionType
from typing import Literal, get_args, get_origin, get_type_hints

from paliadin.base.strict_json import JsonObject
from paliadin.steps.model import Step


def _kind(step_type: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", step_type.__name__).lower()


_TYPES: dict[str, type[Step]] = {_kind(step_type): step_type for step_type in get_args(Step)}
_KINDS = {step_type: kind for kind, step_type in _TYPES.items()}
_FIELDS = {
    kind: [(field.name, hints[field.name], field.default is field.default_factory is MISSING) for field in fields(step)]
    for kind, step in _TYPES.items()
    for hints in [get_type_hints(step)]
}
"""Kind → its fields: name, type, and if it must be there."""


def to_line(step: Step) -> dict[str, object]:
    """Return the step as a line of the turn log, a JSON object."""
    kind = _KINDS[type(step)]
    values = {name: getattr(step, name) for name, _, _ in _FIELDS[kind]}
    return {"at": values.pop("at"), "step": kind, **values}


def from_line(line: JsonObject, at: int) -> Step | None:
    """Return the step of a line that has one; None if its kind is unknown or a field is missing or of a wrong type.

    `at` is its time, which the line itself may lack. Unknown fields are skipped.
    """
    kind = line.get("step")
    values: dict[str, object] = {}
    for name, expected, required in _FIELDS.get(kind, ()) if isinstance(kind, str) else ():
        value = at if name == "at" else line.get(name, MISSING)
        if value is MISSING and not required:
            continue
        if not _fits(value, expected):
            return None
        values[name] = value
    return _TYPES[str(kind)](**values) if values else None  # type: ignore[arg-type]  # each value was checked above


def _fits(value: object, expected: object) -> bool:
    if expected is object:
        return value is not MISSING
    origin = get_origin(expected)
    if origin is UnionType:
        return any(_fits(value, option) for option in get_args(expected))
    if origin is Literal:
        return value in get_args(expected) if isinstance(value, str) else False
    if expected in {int, float}:
        return isinstance(value, int if expected is int else int | float) and not isinstance(value, bool)
    if expected is type(None):
        return value is None
    plain = origin or expected
    if plain is not str and isinstance(value, str):  # a text is a sequence, too
        return False
    return isinstance(value, plain) if isinstance(plain, type) else False
