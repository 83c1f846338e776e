"""Track which of a question's attached files Claude has opened. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from paliadin.files.attachments import Attachment
from paliadin.steps.model import ToolEnded, ToolStarted, Usage


@dataclass
class OpenedFiles:
    """Follows the tool calls of a turn whose question has these `attachments`.

    A file is opened when a tool whose input names it has succeeded, or when its content was in the request. That is
    assumed of files that belong there, unless Claude Code's transcript denies it: it gives up reading after a second.
    """

    attachments: Sequence[Attachment]
    _calls: dict[str, list[str]] = field(default_factory=dict)  # call → the files that its input names
    _opened: set[str] = field(default_factory=set)  # ids of those that a tool has read
    _left_out: set[str] = field(default_factory=set)  # ids of those that should have been in the request

    def start(self, step: ToolStarted) -> None:
        """Take the beginning of a call."""
        if self.attachments:
            written = json.dumps(step.input)
            self._calls[step.id] = [each.id for each in self.attachments if each.id in written]

    def end(self, step: ToolEnded) -> None:
        """Take the end of a call."""
        opened = self._calls.pop(step.id, [])
        if step.outcome == "ok":
            self._opened.update(opened)

    def end_request(self, step: Usage) -> None:
        """Take the transcript's report on the request's files."""
        if step.files is not None:
            embedded = [each.id for each in self.attachments if each.is_embedded]
            self._left_out = {each for each in embedded if not any(each in path for path in step.files)}

    @property
    def unopened(self) -> tuple[str, ...]:
        """Return the ids of the files that were not opened so far."""
        expected = [each.id for each in self.attachments if not each.is_embedded or each.id in self._left_out]
        return tuple(each for each in expected if each not in self._opened)
