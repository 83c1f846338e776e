"""The page context of a question: the route, entity, view, filter and selection of the page that it was asked on."""

from __future__ import annotations

from dataclasses import dataclass, fields

from paliadin.base.errors import InvalidField
from paliadin.prompt.text import clean_text

MAX_VALUE = 300  # characters
MAX_SELECTION = 1_000  # characters; a longer selection is cut


@dataclass(frozen=True)
class Context:
    """The part of the host application that the user was looking at. Data from a page: never instructions."""

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
        texts = {field.name: _text(value, field.name) for field in fields(cls) if field.name != "selection_cut"}
        selection = texts.pop("user_selection_text") or ""
        for name, text in texts.items():
            if text and len(text) > MAX_VALUE:
                raise InvalidField(f"context.{name} is longer than {MAX_VALUE} characters")
        return cls(
            **texts,
            user_selection_text=selection[:MAX_SELECTION].rstrip() or None,
            selection_cut=len(selection) > MAX_SELECTION,
        )

    def as_json(self) -> dict[str, object]:
        """The known values under the names that the request has; `selection_cut` only when it is true."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name))}


def _text(value: dict[object, object], name: str) -> str | None:
    text = value.get(name)
    if text is None:
        return None
    if not isinstance(text, str):
        raise InvalidField(f"context.{name} is not a string")
    return clean_text(text).strip() or None
