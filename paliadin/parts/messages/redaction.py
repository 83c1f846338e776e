"""Takes the words out of a turn's row: question, answer and arguments of tools, with AUDIT=redacted. Pure.

In their place stand their lengths, and hashes with a key of this installation's (HMAC-SHA256): the same question has
the same hash, and nobody without the key finds out by trying which one it was.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from paliadin.events.reducer import Reducer
from paliadin.record.row import TurnRow

OTHER = "other"
"""A tool of a name that nobody offers: the model made the name up, and it may be anything."""


@dataclass(frozen=True, slots=True)
class Redaction:
    """Redacts rows. `tools`: the names of all tools that there are."""

    key: bytes
    tools: Collection[str]

    def row(self, row: TurnRow, reducer: Reducer | None = None) -> TurnRow:
        """Return the row without words; `reducer` has seen the turn's log, None while the turn begins."""
        calls = reducer.tools.calls if reducer else ()
        redacted: dict[str, object] = {
            "question": self._hash(row.user_message),
            "context": self._hash(_canonical(row.context)) if row.context else None,
            "answer": self._hash(row.response) if row.response else None,
            "joined": [self._hash(words.text) for words in row.joined],
            "tools": [
                {"name": self._tool(call.name), "arguments": self._hash(_canonical(call.input))} for call in calls
            ],
        }
        return replace(
            row,
            user_message="",
            context={},
            response=None if row.response is None else "",
            joined=(),
            used_tools=tuple(map(self._tool, row.used_tools)),
            observed_tools=tuple(map(self._tool, row.observed_tools)),
            tool_calls=tuple(replace(call, name=self._tool(call.name)) for call in row.tool_calls),
            interrupts=tuple(replace(each, tool=self._tool(each.tool), answer=None) for each in row.interrupts),
            redacted={name: value for name, value in redacted.items() if value},
        )

    def _tool(self, name: str) -> str:
        return name if name in self.tools else OTHER

    def _hash(self, text: str) -> Mapping[str, object]:
        data = text.encode("utf-8", "replace")
        return {"hmac": hmac.new(self.key, data, hashlib.sha256).hexdigest(), "characters": len(text)}


def _canonical(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
