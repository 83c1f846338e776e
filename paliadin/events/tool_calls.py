"""The tool calls of a turn: their events, the tools that ran, and their results. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from paliadin.events.model import ToolCall, ToolResult
from paliadin.events.tool_summaries import call_summary, result_summary, shorten
from paliadin.evidence.results import CUT_MARK, Call, pictures_of
from paliadin.steps.model import ToolEnded, ToolStarted


@dataclass
class ToolCallTracker:
    """Collects a turn's tool calls, and makes the events of them."""

    observed: list[str] = field(default_factory=list)  # names of the tools that ran, each once
    calls: list[Call] = field(default_factory=list)  # those that are over
    _inputs: dict[str, object] = field(default_factory=dict)  # of the calls that have started, by id

    def start(self, step: ToolStarted) -> ToolCall:
        """Return the event of a call."""
        self._inputs[step.id] = step.input
        return ToolCall(step.id, step.name, call_summary(step.input), shorten(step.input))

    def is_unseen(self, step: ToolEnded) -> bool:
        """True for the end of a call that never ran and whose start was not reported."""
        return not step.ran and step.id not in self._inputs

    def end(self, step: ToolEnded) -> ToolResult:
        """Return the event of a call's end."""
        call = Call(step.id, step.name, self._inputs.get(step.id), step.result, step.outcome)
        if step.cut and CUT_MARK in call.text:
            call = Call(call.id, call.name, call.input, call.result, call.outcome, cut=True)
        self.calls.append(call)
        if step.ran and step.name not in self.observed:
            self.observed.append(step.name)
        return ToolResult(
            id=step.id,
            name=step.name,
            ok=step.outcome == "ok",
            summary=result_summary(step.result),
            rows=call.rows,
            duration_ms=step.duration_ms,
            output=shorten(call.text),
            refused=step.outcome == "refused",
            pictures=tuple(pictures_of(step.result)),
        )
