"""The tool steps of a turn: which calls were made, which are over, what came of them. Pure; part of reduce."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from paliadin.tools import ASKING, call_summary, result_rows, result_summary, result_text, shortened

Json = Mapping[str, object]


@dataclass
class ToolSteps:
    """Takes the payloads of Claude Code's tool hooks; gives the data of `tool_call` and `tool_result` events."""

    observed: list[str] = field(default_factory=list)  # names of the tools that ran, each once
    results: list[str] = field(default_factory=list)  # what they returned, as text
    _called: dict[str, object] = field(default_factory=dict)  # tool_use_id → input
    _finished: set[str] = field(default_factory=set)
    _asked: list[tuple[str, object]] = field(default_factory=list)  # tool and input of each permission asked for

    def ask(self, hook: Json) -> None:
        """A PermissionRequest: it does not say which call it is for."""
        self._asked.append((str(hook.get("tool_name")), hook.get("tool_input")))

    def call(self, hook: Json) -> dict[str, object] | None:
        """None for a question to the user, and for a call that is known."""
        ident, name = _call(hook)
        if name == ASKING or ident in self._called:
            return None
        tool_input = hook.get("tool_input")
        self._called[ident] = tool_input
        return {"id": ident, "name": name, "summary": call_summary(tool_input), "input": shortened(tool_input)}

    def result(self, hook: Json, *, ok: bool) -> dict[str, object] | None:
        ident, name = _call(hook)
        if name == ASKING or ident in self._finished:
            return None
        self._finished.add(ident)
        if name not in self.observed:
            self.observed.append(name)
        response = hook.get("tool_response") if ok else hook.get("error")
        text = result_text(response)
        self.results.append(text)
        return {
            "id": ident,
            "name": name,
            "ok": ok,
            "summary": result_summary(response),
            "rows": result_rows(name, response) if ok else None,
            "duration_ms": hook.get("duration_ms"),
            "output": shortened(text),
            "refused": False,
        }

    def batch(self, hook: Json) -> Iterator[tuple[str, dict[str, object]]]:
        """All calls of one message are over. One that was refused or malformed has no other result than here."""
        calls = hook.get("tool_calls")
        for call in calls if isinstance(calls, list) else []:
            if not isinstance(call, Mapping):
                continue
            ident, name = _call(call)
            if ident in self._finished or name == ASKING:
                continue
            self._finished.add(ident)
            if ident not in self._called:
                yield "tool_call", {"id": ident, "name": name, "summary": "", "input": None}
            response = call.get("tool_response")
            result = {"id": ident, "name": name, "ok": False, "summary": result_summary(response), "rows": None}
            refused = (name, self._called.get(ident)) in self._asked
            result |= {"duration_ms": None, "output": shortened(result_text(response)), "refused": refused}
            yield "tool_result", result


def _call(hook: Json) -> tuple[str, str]:
    return str(hook.get("tool_use_id")), str(hook.get("tool_name"))
