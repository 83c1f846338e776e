"""The tool calls of a turn: the events that show them, the tools that ran, and what they returned. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from paliadin.events.model import ToolCall, ToolResult
from paliadin.events.tool_summaries import call_summary, result_rows, result_summary, result_text, shorten
from paliadin.steps.model import ToolEnded, ToolStarted


@dataclass
class ToolCallTracker:
    """Collects a turn's tool calls, and makes the events of them."""

    observed: list[str] = field(default_factory=list)  # names of the tools that ran, each once
    results: list[str] = field(default_factory=list)  # the text of every result
    _started: set[str] = field(default_factory=set)  # ids

    def start(self, step: ToolStarted) -> ToolCall:
        """Return the event of a call."""
        self._started.add(step.id)
        return ToolCall(step.id, step.name, call_summary(step.input), shorten(step.input))

    def is_unseen(self, step: ToolEnded) -> bool:
        """True for the end of a call that never ran, and of which no start was reported."""
        return not step.ran and step.id not in self._started

    def end(self, step: ToolEnded) -> ToolResult:
        """Return the event of a call's end."""
        text = result_text(step.result)
        if step.ran:
            self.results.append(text)
            if step.name not in self.observed:
                self.observed.append(step.name)
        return ToolResult(
            id=step.id,
            name=step.name,
            ok=step.outcome == "ok",
            summary=result_summary(step.result),
            rows=result_rows(step.name, step.result) if step.outcome == "ok" else None,
            duration_ms=step.duration_ms,
            output=shorten(text),
            refused=step.outcome == "refused",
        )
