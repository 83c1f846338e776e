"""Turns as OpenTelemetry traces, in the conventions for generative AI: made from a turn's row when it has ended.

Needs the extra `otel`, and is imported only where a collector is configured. No text of a turn is in a trace.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import Span, Status, StatusCode, set_span_in_context

from paliadin import __version__
from paliadin.failures import CODES
from paliadin.record import TurnRow, finished_row
from paliadin.reduce import Reducer

AGENT = "Claude Code"
LAST_CHANCE = 1.0  # seconds for what is not sent yet when the daemon ends
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Attributes = dict[str, str | int | bool]


class Tracing:
    """`ended` takes each turn at its end. Where traces go, and how, is said by OpenTelemetry's own variables."""

    def __init__(self, exporter: SpanExporter | None = None) -> None:
        self._ids = _TurnIds()
        own = Resource({"service.name": "paliadin", "service.version": __version__})
        self._provider = TracerProvider(
            resource=own.merge(OTELResourceDetector().detect()), id_generator=self._ids, shutdown_on_exit=False
        )
        self._provider.add_span_processor(BatchSpanProcessor(exporter or OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("paliadin", __version__)

    def ended(self, turn_id: str, seen: Reducer) -> None:
        row = finished_row({**seen.turn, "turn_id": turn_id}, seen, watched=True, pane_lines=0)
        self._ids.turn_id = turn_id
        attributes = _of_turn(row)
        turn = self._tracer.start_span(
            f"invoke_agent {AGENT}", context=Context(), attributes=attributes, start_time=_at(row, 0)
        )
        _failed(turn, attributes)
        if row.first_text_at:
            turn.add_event("paliadin.first_text", timestamp=_nanoseconds(row.first_text_at))
        for asked in row.interrupts:
            told = {f"paliadin.{name}": str(asked[name]) for name in ("kind", "tool", "by")}
            turn.add_event("paliadin.interrupt", told, timestamp=_at(row, asked["at_ms"]))
        inside = set_span_in_context(turn, Context())
        for call in row.tool_calls:
            self._tool(row, call, inside)
        turn.end(_at(row, row.duration_ms))

    def _tool(self, row: TurnRow, call: Mapping[str, object], inside: Context) -> None:
        attributes: Attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": str(call["name"]),
            "gen_ai.tool.type": "function",
        }
        if call["refused"] or call["ok"] is False:
            attributes["error.type"] = "refused" if call["refused"] else "failed"
        began, took = _whole(call["at_ms"]), call["duration_ms"]
        # What has no result was still running when the turn ended; what was refused never ran.
        cut_off = call["ok"] is None and not call["refused"]
        ended = row.duration_ms if cut_off else began + _whole(took)
        tool = self._tracer.start_span(
            f"execute_tool {call['name']}", context=inside, attributes=attributes, start_time=_at(row, began)
        )
        _failed(tool, attributes)
        tool.end(_at(row, ended))

    async def close(self) -> None:
        """A collector that does not answer keeps nobody waiting: what it has not taken by then is lost."""
        closing = threading.Thread(target=self._provider.shutdown, daemon=True)
        closing.start()
        await asyncio.to_thread(closing.join, LAST_CHANCE)


class _TurnIds(RandomIdGenerator):
    """A trace has its turn's id, without the dashes; the right half of a UUIDv7 is as random as a trace's should be."""

    turn_id = ""

    def generate_trace_id(self) -> int:
        return int(self.turn_id.replace("-", ""), 16)


def _of_turn(row: TurnRow) -> Attributes:
    inputs = (row.input_tokens, row.cache_read_tokens, row.cache_write_tokens)
    known: dict[str, str | int | bool | None] = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.agent.name": AGENT,
        "gen_ai.conversation.id": row.session_id,
        "gen_ai.request.model": row.model,
        # The convention counts what came from a cache among the input, Claude Code does not.
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
    return {name: value for name, value in known.items() if value is not None}


def _error_type(code: str | None) -> str | None:
    """Few different ones, as the convention wants; a turn that its user stopped has not failed."""
    if code is None or code == "user_aborted":
        return None
    return code if code in CODES else "_OTHER"


def _failed(span: Span, attributes: Attributes) -> None:
    if "error.type" in attributes:
        span.set_status(Status(StatusCode.ERROR))


def _at(row: TurnRow, milliseconds: object) -> int:
    """Within the turn, whatever a tool says how long it took."""
    inside = min(_whole(milliseconds), row.duration_ms or 0)
    return _nanoseconds(row.started_at + timedelta(milliseconds=inside))


def _nanoseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(microseconds=1) * 1000


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
