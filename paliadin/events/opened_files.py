"""Which of the files that a question took along Claude has opened. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from paliadin.base.errors import InvalidField
from paliadin.base.strict_json import JsonObject
from paliadin.files.attachments import Attachment
from paliadin.steps.model import ToolEnded, ToolStarted


@dataclass
class OpenedFiles:
    """Follows a turn's tool calls. `description` is its turn.json.

    A file is opened when a tool whose input names it has succeeded. One whose content was in the request always is.
    """

    description: JsonObject
    _calls: dict[str, list[str]] = field(default_factory=dict)  # call → the files that its input names

    def __post_init__(self) -> None:
        listed = self.description.get("attachments")
        self._unopened = [each.id for each in map(_parse, listed if isinstance(listed, list) else ()) if each]

    def start(self, step: ToolStarted) -> None:
        """Take the beginning of a call."""
        if self._unopened:
            written = json.dumps(step.input)
            self._calls[step.id] = [each for each in self._unopened if each in written]

    def end(self, step: ToolEnded) -> None:
        """Take the end of a call."""
        opened = self._calls.pop(step.id, [])
        if step.outcome == "ok":
            self._unopened = [each for each in self._unopened if each not in opened]

    @property
    def unopened(self) -> tuple[str, ...]:
        """The ids of the files that were not opened so far."""
        return tuple(self._unopened)


def _parse(value: object) -> Attachment | None:
    """The file of a description that a tool has to open; None for another one."""
    try:
        attachment = Attachment.parse(value) if isinstance(value, Mapping) else None
    except InvalidField:
        return None
    return None if attachment is None or attachment.is_embedded else attachment
