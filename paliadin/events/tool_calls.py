"""The tool calls of a turn, from Claude Code's tool hooks: which have started, which have ended and how. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from paliadin.events.tool_summaries import (
    QUESTION_TOOL,
    call_summary,
    result_rows,
    result_summary,
    result_text,
    shorten,
)

Json = Mapping[str, object]


@dataclass
class ToolCallTracker:
    """Tracks a turn's tool calls: turns hook payloads into the data of `tool_call` and `tool_result` events.

    Hooks may report a call twice, and AskUserQuestion is an interrupt rather than a tool: neither gives an event.
    """

    observed: list[str] = field(default_factory=list)  # names of the tools that ran, each once
    results: list[str] = field(default_factory=list)  # the text of every result
    _inputs: dict[str, object] = field(default_factory=dict)  # tool_use_id of each call that has started → its input
    _ended: set[str] = field(default_factory=set)  # tool_use_ids
    _permission_requests: list[tuple[str, object]] = field(default_factory=list)  # (tool name, input)

    def record_permission_request(self, hook: Json) -> None:
        """Record a PermissionRequest. It has the tool's name and input, but not the id of the call."""
        self._permission_requests.append((str(hook.get("tool_name")), hook.get("tool_input")))

    def record_start(self, hook: Json) -> dict[str, object] | None:
        """Record a PreToolUse; return the data of a `tool_call` event, or None when there is nothing to show."""
        call_id, name = _id_and_name(hook)
        if name == QUESTION_TOOL or call_id in self._inputs:
            return None
        tool_input = hook.get("tool_input")
        self._inputs[call_id] = tool_input
        return {"id": call_id, "name": name, "summary": call_summary(tool_input), "input": shorten(tool_input)}

    def record_end(self, hook: Json, *, ok: bool) -> dict[str, object] | None:
        """Record a PostToolUse (`ok`) or PostToolUseFailure; return the data of a `tool_result` event, or None."""
        call_id, name = _id_and_name(hook)
        if name == QUESTION_TOOL or call_id in self._ended:
            return None
        self._ended.add(call_id)
        if name not in self.observed:
            self.observed.append(name)
        response = hook.get("tool_response") if ok else hook.get("error")
        text = result_text(response)
        self.results.append(text)
        return {
            "id": call_id,
            "name": name,
            "ok": ok,
            "summary": result_summary(response),
            "rows": result_rows(name, response) if ok else None,
            "duration_ms": hook.get("duration_ms"),
            "output": shorten(text),
            "refused": False,
        }

    def record_batch_end(self, hook: Json) -> Iterator[tuple[str, dict[str, object]]]:
        """Record a PostToolBatch: all calls of one message are over. Yield (event name, data).

        A call that was refused or malformed is reported by this hook alone.
        """
        calls = hook.get("tool_calls")
        for call in calls if isinstance(calls, list) else []:
            if not isinstance(call, Mapping):
                continue
            call_id, name = _id_and_name(call)
            if call_id in self._ended or name == QUESTION_TOOL:
                continue
            self._ended.add(call_id)
            if call_id not in self._inputs:
                yield "tool_call", {"id": call_id, "name": name, "summary": "", "input": None}
            response = call.get("tool_response")
            result = {"id": call_id, "name": name, "ok": False, "summary": result_summary(response), "rows": None}
            refused = (name, self._inputs.get(call_id)) in self._permission_requests
            result |= {"duration_ms": None, "output": shorten(result_text(response)), "refused": refused}
            yield "tool_result", result


def _id_and_name(hook: Json) -> tuple[str, str]:
    return str(hook.get("tool_use_id")), str(hook.get("tool_name"))
