"""Which of the files that a question took along Claude has opened. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from paliadin.base.errors import InvalidField
from paliadin.base.strict_json import JsonObject
from paliadin.files.attachments import Attachment
from paliadin.steps.model import ToolEnded, ToolStarted, Usage


@dataclass
class OpenedFiles:
    """Follows a turn's tool calls. `description` is its turn.json.

    A file is opened when a tool whose input names it has succeeded, or when its content was in the request. That is
    so where it should be, unless Claude Code's transcript says otherwise: it gives up reading after a second.
    """

    description: JsonObject
    _calls: dict[str, list[str]] = field(default_factory=dict)  # call → the files that its input names
    _opened: set[str] = field(default_factory=set)  # ids of those that a tool has read
    _left_out: set[str] = field(default_factory=set)  # ids of those that should have been in the request

    def __post_init__(self) -> None:
        listed = self.description.get("attachments")
        self._all = [each for each in map(_parse, listed if isinstance(listed, list) else ()) if each]

    def start(self, step: ToolStarted) -> None:
        """Take the beginning of a call."""
        if self._all:
            written = json.dumps(step.input)
            self._calls[step.id] = [each.id for each in self._all if each.id in written]

    def end(self, step: ToolEnded) -> None:
        """Take the end of a call."""
        opened = self._calls.pop(step.id, [])
        if step.outcome == "ok":
            self._opened.update(opened)

    def end_request(self, step: Usage) -> None:
        """Take what the transcript says of the request's files."""
        if step.files is not None:
            embedded = [each.id for each in self._all if each.is_embedded]
            self._left_out = {each for each in embedded if not any(each in path for path in step.files)}

    @property
    def unopened(self) -> tuple[str, ...]:
        """The ids of the files that were not opened so far."""
        wanted = [each.id for each in self._all if not each.is_embedded or each.id in self._left_out]
        return tuple(each for each in wanted if each not in self._opened)


def _parse(value: object) -> Attachment | None:
    try:
        return Attachment.parse(value) if isinstance(value, Mapping) else None
    except InvalidField:
        return None
