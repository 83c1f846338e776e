"""Sends each ended turn as an OpenTelemetry trace, by the conventions for generative AI. Built from the turn's row.

Needs the extra `otel`, and is imported only where a collector is configured. No text of a turn is in a trace.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import Span, Status, StatusCode, set_span_in_context

from paliadin import __version__
from paliadin.events.failures import CODES
from paliadin.events.reducer import Reducer
from paliadin.events.timeline import CalledTool
from paliadin.record.row import TurnRow, finished_row

AGENT = "Claude Code"
FLUSH_TIMEOUT = 1.0  # seconds to send the remaining traces when the daemon ends
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Attributes = dict[str, str | int | bool]


class Tracing:
    """Exports traces. `trace_turn` is called for each turn that ends; OpenTelemetry's own variables set the target."""

    def __init__(self, exporter: SpanExporter | None = None) -> None:
        self._ids = _TurnIds()
        service = Resource({"service.name": "paliadin", "service.version": __version__})
        self._provider = TracerProvider(
            resource=service.merge(OTELResourceDetector().detect()), id_generator=self._ids, shutdown_on_exit=False
        )
        self._provider.add_span_processor(BatchSpanProcessor(exporter or OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("paliadin", __version__)

    def trace_turn(self, turn_id: str, reducer: Reducer) -> None:
        """Send the trace of a turn that has ended; `reducer` has seen its whole log."""
        row = finished_row(reducer, watched=True, pane_lines=0)
        self._ids.turn_id = turn_id
        attributes = _turn_attributes(row)
        turn = self._tracer.start_span(
            f"invoke_agent {AGENT}", context=Context(), attributes=attributes, start_time=_at(row, 0)
        )
        _mark_failed(turn, attributes)
        if row.first_text_at:
            turn.add_event("paliadin.first_text", timestamp=_nanoseconds(row.first_text_at))
        for wait in row.interrupts:
            details = {f"paliadin.{name}": str(getattr(wait, name)) for name in ("kind", "tool", "by")}
            turn.add_event("paliadin.interrupt", details, timestamp=_at(row, wait.at_ms))
        parent = set_span_in_context(turn, Context())
        for call in row.tool_calls:
            self._trace_tool(row, call, parent)
        turn.end(_at(row, row.duration_ms))

    def _trace_tool(self, row: TurnRow, call: CalledTool, parent: Context) -> None:
        attributes: Attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": call.name,
            "gen_ai.tool.type": "function",
        }
        if call.refused or call.ok is False:
            attributes["error.type"] = "refused" if call.refused else "failed"
        started_ms = call.at_ms or 0
        # A call without a result was still running when the turn ended; a refused call never ran.
        cut_off = call.ok is None and not call.refused
        ended_ms = row.duration_ms if cut_off else started_ms + (call.duration_ms or 0)
        tool = self._tracer.start_span(
            f"execute_tool {call.name}", context=parent, attributes=attributes, start_time=_at(row, started_ms)
        )
        _mark_failed(tool, attributes)
        tool.end(_at(row, ended_ms))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Send traces during a `with` block. At its end, the rest is sent for at most FLUSH_TIMEOUT, then dropped."""
        try:
            yield
        finally:
            closing = threading.Thread(target=self._provider.shutdown, daemon=True)
            closing.start()
            await asyncio.to_thread(closing.join, FLUSH_TIMEOUT)


class _TurnIds(RandomIdGenerator):
    """Gives a trace its turn's id without the dashes; the right half of a UUIDv7 is as random as the standard asks."""

    turn_id = ""

    def generate_trace_id(self) -> int:
        return int(self.turn_id.replace("-", ""), 16)


def _turn_attributes(row: TurnRow) -> Attributes:
    inputs = (row.input_tokens, row.cache_read_tokens, row.cache_write_tokens)
    attributes: dict[str, str | int | bool | None] = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.agent.name": AGENT,
        "gen_ai.conversation.id": row.session_id,
        "gen_ai.request.model": row.model,
        # The convention counts cached tokens as input, Claude Code does not.
        "gen_ai.usage.input_tokens": None if row.input_tokens is None else sum(count or 0 for count in inputs),
        "gen_ai.usage.cache_read.input_tokens": row.cache_read_tokens,
        "gen_ai.usage.cache_creation.input_tokens": row.cache_write_tokens,
        "gen_ai.usage.output_tokens": row.output_tokens,
        "paliadin.turn_id": row.turn_id,
        "paliadin.origin": row.origin,
        "paliadin.host": row.host,
        "paliadin.classifier_tag": row.classifier_tag,
        "paliadin.aborted": row.error_code == "user_aborted",
        "error.type": _error_type(row.error_code),
    }
    return {name: value for name, value in attributes.items() if value is not None}


def _error_type(code: str | None) -> str | None:
    """Map a code to one of few values, as the convention asks; a turn that its user stopped has not failed."""
    if code is None or code == "user_aborted":
        return None
    return code if code in CODES else "_OTHER"


def _mark_failed(span: Span, attributes: Attributes) -> None:
    if "error.type" in attributes:
        span.set_status(Status(StatusCode.ERROR))


def _at(row: TurnRow, milliseconds: int | None) -> int:
    """Return the moment `milliseconds` after the turn's start, at most its end, in nanoseconds since 1970."""
    elapsed = min(milliseconds or 0, row.duration_ms or 0)
    return _nanoseconds(row.started_at + timedelta(milliseconds=elapsed))


def _nanoseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(microseconds=1) * 1000
