"""The page context of a question: the route, entity, view, filter and selection of the page that it was asked on."""

from __future__ import annotations

from dataclasses import dataclass, fields

from paliadin.base.errors import InvalidField
from paliadin.prompt.text import clean_text

MAX_VALUE = 300  # characters
MAX_SELECTION = 1_000  # characters; a longer selection is cut
RAW = 4  # times as long may a text be before it is cleaned


@dataclass(frozen=True)
class Context:
    """The part of the host application that the user was looking at. It is a page's data, and never instructions."""

    route_name: str | None = None
    primary_entity_type: str | None = None
    primary_entity_id: str | None = None
    view_mode: str | None = None
    filter_summary: str | None = None
    user_selection_text: str | None = None
    page_origin: str | None = None
    selection_cut: bool = False

    @classmethod
    def parse(cls, value: object) -> Context:
        """Read the request's `context`, an object or None. Unknown keys are ignored, a long selection is cut.

        Raises InvalidField for a value that is not a string, or is longer than MAX_VALUE.
        """
        if value is None:
            return cls()
        if not isinstance(value, dict):
            raise InvalidField("context is not an object")
        selection, is_cut = _selection(value.get("user_selection_text"))
        others = [field.name for field in fields(cls) if field.name not in ("user_selection_text", "selection_cut")]
        texts = {name: _text(value.get(name), name) for name in others}
        return cls(**texts, user_selection_text=selection, selection_cut=is_cut)

    def as_json(self) -> dict[str, object]:
        """Return the known values under the request's names; `selection_cut` only when it is true."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name))}


def _text(value: object, name: str) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidField(f"context.{name} is not a string")
    text = "" if len(value) > RAW * MAX_VALUE else clean_text(value).strip()
    if len(value) > RAW * MAX_VALUE or len(text) > MAX_VALUE:
        raise InvalidField(f"context.{name} is longer than {MAX_VALUE} characters")
    return text or None


def _selection(value: object) -> tuple[str | None, bool]:
    """Return the selected text, and whether it was cut."""
    if value is None:
        return None, False
    if not isinstance(value, str):
        raise InvalidField("context.user_selection_text is not a string")
    text = clean_text(value[: RAW * MAX_SELECTION]).strip()
    is_cut = len(text) > MAX_SELECTION or bool(value[RAW * MAX_SELECTION :].strip())
    return text[:MAX_SELECTION].rstrip() or None, is_cut
