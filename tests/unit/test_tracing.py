from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from paliadin.base.checked_numbers import MAX_COUNT
from paliadin.base.settings import Settings
from paliadin.parts.loading import House, Part
from paliadin.parts.tracing import settings as tracing
from paliadin.parts.tracing.part import load
from paliadin.parts.tracing.tracing import Tracing
from paliadin.people.directory import People
from paliadin.people.person_key import PersonKey
from paliadin.record.store import Store
from paliadin.turnlog.ids import new_turn_id, started_at
from tests.worlds.logs import reduced

TURN = {"session_id": "main", "origin": "page", "host": "here", "person": "ada", "user_message": "a secret question"}
BEGAN = 1_000_000


def accepted(model: str | None = None) -> dict[str, Any]:
    return {"at": BEGAN, "relay": {"kind": "accepted", "model": model}}


def hook(at_ms: int, name: str, **fields: Any) -> dict[str, Any]:
    return {"at": BEGAN + at_ms, "hook": {"hook_event_name": name, **fields}}


def tool(at_ms: int, ident: str, name: str, took: int | None, *, ok: bool = True) -> list[dict[str, Any]]:
    call = {"tool_use_id": ident, "tool_name": name, "tool_input": {"command": "a secret input"}}
    lines = [hook(at_ms, "PreToolUse", **call)]
    if took is not None:
        outcome = {"tool_response": "a secret result"} if ok else {"error": "a secret failure"}
        after = "PostToolUse" if ok else "PostToolUseFailure"
        lines.append(hook(at_ms + took, after, **call, **outcome, duration_ms=took))
    return lines


async def traces(turn_id: str, lines: Sequence[dict[str, Any]]) -> list[ReadableSpan]:
    """The turn's own span first, then its tools'."""
    seen = reduced({**TURN, "turn_id": turn_id}, lines)
    assert seen.ended
    exporter = InMemorySpanExporter()
    tracing = Tracing(exporter)
    async with tracing.running():
        tracing.trace_turn(turn_id, seen)
    *tools, turn = exporter.get_finished_spans()
    return [turn, *tools]


def milliseconds(turn_id: str, nanoseconds: int | None) -> float:
    """After the turn's beginning."""
    return ((nanoseconds or 0) / 1e9 - started_at(turn_id).timestamp()) * 1000


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


async def test_a_turn_is_one_trace_with_its_tools_inside() -> None:
    turn_id = new_turn_id()
    counts = {"input_tokens": 100, "output_tokens": 20, "cache_read_tokens": 1000, "cache_write_tokens": 10}
    turn, bash, deadlines = await traces(
        turn_id,
        [
            accepted(),
            *tool(500, "t1", "Bash", 200),
            *tool(800, "t2", "mcp__office__deadlines", 50, ok=False),
            hook(900, "MessageDisplay", message_id="m", index=0, delta="a secret answer", final=True),
            hook(1500, "Stop", last_assistant_message="a secret answer"),
            {"at": BEGAN + 1600, "usage": counts, "model": "claude-opus-5"},
        ],
    )
    assert turn.name == "invoke_agent Claude Code"
    assert turn.parent is None
    assert f"{turn.context.trace_id:032x}" == turn_id.replace("-", "")
    assert attributes(turn) == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.agent.name": "Claude Code",
        "gen_ai.conversation.id": "main",
        "gen_ai.request.model": "claude-opus-5",
        "gen_ai.usage.input_tokens": 1110,
        "gen_ai.usage.cache_read.input_tokens": 1000,
        "gen_ai.usage.cache_creation.input_tokens": 10,
        "gen_ai.usage.output_tokens": 20,
        "paliadin.turn_id": turn_id,
        "paliadin.origin": "page",
        "paliadin.host": "here",
        "paliadin.classifier_tag": "data",
        "paliadin.aborted": False,
    }
    assert turn.resource.attributes["service.name"] == "paliadin"
    assert (bash.name, deadlines.name) == ("execute_tool Bash", "execute_tool mcp__office__deadlines")
    assert attributes(bash) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "Bash",
        "gen_ai.tool.type": "function",
    }
    for span in (bash, deadlines):
        assert span.parent is not None
        assert (span.parent.span_id, span.context.trace_id) == (turn.context.span_id, turn.context.trace_id)
    assert attributes(deadlines)["error.type"] == "failed"
    assert [span.status.status_code for span in (turn, bash, deadlines)] == [
        StatusCode.UNSET,
        StatusCode.UNSET,
        StatusCode.ERROR,
    ]
    times = [
        (milliseconds(turn_id, span.start_time), milliseconds(turn_id, span.end_time))
        for span in (turn, bash, deadlines)
    ]
    assert times == [pytest.approx(pair, abs=0.01) for pair in ((0, 1500), (500, 700), (800, 850))]
    [text] = turn.events
    assert (text.name, milliseconds(turn_id, text.timestamp)) == ("paliadin.first_text", pytest.approx(900, abs=0.01))
    assert "secret" not in "".join(span.to_json() for span in (turn, bash, deadlines))


async def test_a_turn_that_failed_says_why_and_a_tool_without_a_result_lasts_to_its_end() -> None:
    turn_id = new_turn_id()
    failed = {"at": BEGAN + 3000, "relay": {"kind": "failed", "code": "timeout", "message": "a secret"}}
    turn, bash = await traces(turn_id, [accepted(), *tool(1000, "t1", "Bash", None), failed])
    assert attributes(turn)["error.type"] == "timeout"
    assert turn.status.status_code is StatusCode.ERROR
    assert "error.type" not in attributes(bash)
    assert milliseconds(turn_id, bash.end_time) == pytest.approx(3000, abs=0.01)
    assert "gen_ai.usage.input_tokens" not in attributes(turn)


async def test_a_tool_that_says_it_took_for_ages_stays_within_its_turn() -> None:
    turn_id = new_turn_id()
    stopped = {"at": BEGAN + 90, "relay": {"kind": "aborted"}}
    result = hook(10, "PostToolUse", tool_use_id="t1", tool_name="Bash", tool_response="", duration_ms=MAX_COUNT)
    turn, bash = await traces(turn_id, [accepted(), *tool(5, "t1", "Bash", None), result, stopped])
    assert bash.end_time == turn.end_time


async def test_an_unknown_code_is_no_kind_of_error_of_its_own() -> None:
    failed = {"at": BEGAN, "relay": {"kind": "failed", "code": "what a user wrote"}}
    [turn] = await traces(new_turn_id(), [accepted(), failed])
    assert attributes(turn)["error.type"] == "_OTHER"


async def test_a_turn_that_its_user_stopped_has_not_failed() -> None:
    aborted = {"at": BEGAN + 70, "relay": {"kind": "aborted"}}
    [turn] = await traces(new_turn_id(), [accepted(), aborted])
    assert attributes(turn)["paliadin.aborted"] is True
    assert "error.type" not in attributes(turn)
    assert turn.status.status_code is StatusCode.UNSET
    assert (turn.end_time or 0) - (turn.start_time or 0) == 70_000_000


def nobody(_person: PersonKey) -> str:
    return ""


HOUSE = House(Settings(), People(Path("no-such-folder")), nobody, Store())
ENDPOINT = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}


@pytest.mark.parametrize("environ", [{}, ENDPOINT | {"OTEL_TRACES_EXPORTER": "none"}])
def test_nothing_is_traced_that_was_not_asked_for(environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert not tracing.is_on(Settings())


def test_what_a_script_plays_is_not_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENDPOINT.items():
        monkeypatch.setenv(name, value)
    assert tracing.is_on(Settings())
    assert load(replace(HOUSE, is_scripted=True)) == Part()


def test_a_worker_sends_no_traces(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENDPOINT.items():
        monkeypatch.setenv(name, value)
    assert load(replace(HOUSE, people=None)) == Part()


def test_another_protocol_than_ours_is_reported_in_the_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
    with caplog.at_level(logging.WARNING):
        assert load(HOUSE) == Part()
    assert "http/protobuf" in caplog.text


def test_without_the_extra_the_daemon_goes_on_and_says_what_to_install(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "paliadin.parts.tracing.tracing")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk", None)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.resources", None)
    with caplog.at_level(logging.WARNING):
        assert load(HOUSE) == Part()
    assert "pip install '.[otel]'" in caplog.text


def test_the_daemon_does_not_even_load_it() -> None:
    code = "import paliadin.daemon, sys; print([name for name in sys.modules if name.startswith('opentelemetry')])"
    completed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert completed.stdout.strip() == "[]"
