"""The timeline of a turn, for its row: when it called which tool, and how long it waited for the user. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Json = Mapping[str, object]

MAX_ENTRIES = 1_000  # calls or interrupts of one turn that are kept
MAX_TEXT = 200  # characters
MAX_COUNT = 2**53


@dataclass
class Timeline:
    """The tool calls and interrupts of a turn, collected from its events.

    `tool_calls` has {"name", "ok", "refused", "rows", "at_ms", "duration_ms"}, `interrupts` {"kind", "tool", "by",
    "at_ms", "waited_ms", "answer"} (the user's reply). `at_ms` counts milliseconds from the turn's start; None is
    unknown. `ok` is None until there is a result, `by` until there is a reply. The `ok` of a call that was refused
    stays None: it never ran, and so the tool did not fail.
    """

    tool_calls: list[dict[str, object]] = field(default_factory=list)
    interrupts: list[dict[str, object]] = field(default_factory=list)
    _open: dict[str, dict[str, object]] = field(default_factory=dict)  # entries without result or reply, by kind and id

    def add(self, event: str, data: Json, at_ms: int | None) -> None:
        """Take one event of the turn: its name, its data, and the time in milliseconds since the turn's start."""
        key = data.get("id")
        if event == "tool_call" and len(self.tool_calls) < MAX_ENTRIES:
            call: dict[str, object] = {"name": _text(data.get("name")), "ok": None, "refused": False, "rows": None}
            self.tool_calls.append(call | {"at_ms": at_ms, "duration_ms": None})
            self._open[f"tool {key}"] = self.tool_calls[-1]
        elif event == "tool_result" and (call := self._open.pop(f"tool {key}", {})):
            refused = data.get("refused") is True
            call |= {"ok": None if refused else data.get("ok") is True, "refused": refused}
            call |= {"rows": _count(data.get("rows")), "duration_ms": _count(data.get("duration_ms"))}
        elif event == "interrupt" and len(self.interrupts) < MAX_ENTRIES:
            interrupt: dict[str, object] = {"kind": _text(data.get("kind")), "tool": _text(data.get("tool"))}
            self.interrupts.append(interrupt | {"by": None, "at_ms": at_ms, "waited_ms": None, "answer": None})
            self._open[f"interrupt {key}"] = self.interrupts[-1]
        elif event == "interrupt_resolved" and (interrupt := self._open.pop(f"interrupt {key}", {})):
            began = interrupt["at_ms"]
            waited = at_ms - began if at_ms is not None and isinstance(began, int) else None
            interrupt |= {"by": _text(data.get("by")), "waited_ms": waited, "answer": _reply(data.get("value"))}


def _reply(value: object) -> str | None:
    """The user's reply in one line: an option, free text, or the replies to several questions with commas between."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        value = ", ".join(_reply(item) or "" for item in value[:MAX_ENTRIES])
    return _text(value) if value else None


def _text(value: object) -> str:
    return str(value)[:MAX_TEXT]


def _count(value: object) -> int | None:
    """A whole number; None for everything else, since the value comes from a tool and may be anything."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -MAX_COUNT < value < MAX_COUNT:
        return None
    return round(value)
