"""The one serialised form of a step: `{"at": …, "step": "tool_started", …}`, a field for each of the step's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import MISSING, fields
from functools import cache
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
    """Parse the step in a line; None if its kind is unknown, or a field is missing or of a wrong type.

    `at` is the step's time, which the line itself may lack. Unknown fields are skipped.
    """
    kind = line.get("step")
    values: dict[str, object] = {}
    for name, expected, required in _FIELDS.get(kind, ()) if isinstance(kind, str) else ():
        value = at if name == "at" else line.get(name, MISSING)
        if value is MISSING and not required:
            continue
        if not _check_of(expected)(value):
            return None
        values[name] = value
    return _TYPES[str(kind)](**values) if values else None  # type: ignore[arg-type]  # each value was checked above


@cache
def _check_of(expected: object) -> Callable[[object], bool]:
    """Return a function that tells whether a value has the type of a step's field. Cached: each line needs several."""
    if expected is object:
        return lambda value: value is not MISSING
    origin = get_origin(expected)
    if origin is UnionType:
        options = [_check_of(option) for option in get_args(expected)]
        return lambda value: any(fits(value) for fits in options)
    if origin is Literal:
        words = get_args(expected)
        return lambda value: isinstance(value, str) and value in words
    if expected in {int, float}:
        numbers = int if expected is int else int | float
        return lambda value: isinstance(value, numbers) and not isinstance(value, bool)
    if expected is type(None):
        return lambda value: value is None
    plain = origin or expected
    if not isinstance(plain, type):
        return lambda _: False
    # A text is a sequence, too.
    return lambda value: isinstance(value, plain) and (plain is str or not isinstance(value, str))
