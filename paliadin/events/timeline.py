"""When a turn called which tool, and how long it waited for its user: what the row keeps of a turn's steps. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Json = Mapping[str, object]

MOST = 1_000  # calls or interrupts of one turn that are kept
LONGEST_NAME = 200  # characters
LARGEST = 2**53


@dataclass
class Timeline:
    """Takes the events of a turn as they are made; times are milliseconds since the turn began, None is not known.

    `tool_calls`: {"name", "ok", "refused", "rows", "at_ms", "duration_ms"}, `interrupts`: {"kind", "tool", "by",
    "at_ms", "waited_ms", "answer"}. `ok` and `by` are None for as long as there is no result or answer. A call that
    was refused never ran, so that its `ok` stays None: it is no failure of the tool.
    """

    tool_calls: list[dict[str, object]] = field(default_factory=list)
    interrupts: list[dict[str, object]] = field(default_factory=list)
    _open: dict[str, dict[str, object]] = field(default_factory=dict)  # by the event's kind and id

    def take(self, event: str, data: Json, at_ms: int | None) -> None:
        ident = data.get("id")
        if event == "tool_call" and len(self.tool_calls) < MOST:
            call: dict[str, object] = {"name": _name(data.get("name")), "ok": None, "refused": False, "rows": None}
            self.tool_calls.append(call | {"at_ms": at_ms, "duration_ms": None})
            self._open[f"tool {ident}"] = self.tool_calls[-1]
        elif event == "tool_result" and (called := self._open.pop(f"tool {ident}", {})):
            refused = data.get("refused") is True
            called |= {"ok": None if refused else data.get("ok") is True, "refused": refused}
            called |= {"rows": _count(data.get("rows")), "duration_ms": _count(data.get("duration_ms"))}
        elif event == "interrupt" and len(self.interrupts) < MOST:
            asked: dict[str, object] = {"kind": _name(data.get("kind")), "tool": _name(data.get("tool")), "by": None}
            self.interrupts.append(asked | {"at_ms": at_ms, "waited_ms": None, "answer": None})
            self._open[f"interrupt {ident}"] = self.interrupts[-1]
        elif event == "interrupt_resolved" and (waits := self._open.pop(f"interrupt {ident}", {})):
            began = waits["at_ms"]
            waited = at_ms - began if at_ms is not None and isinstance(began, int) else None
            waits |= {"by": _name(data.get("by")), "waited_ms": waited, "answer": _answer(data.get("value"))}


def _answer(value: object) -> str | None:
    """In one line: the option, the words, or what was said to each of several questions."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        value = ", ".join(_answer(item) or "" for item in value[:MOST])
    return _name(value) if value else None


def _name(value: object) -> str:
    return str(value)[:LONGEST_NAME]


def _count(value: object) -> int | None:
    """A tool said it: it may be anything."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -LARGEST < value < LARGEST:
        return None
    return round(value)
