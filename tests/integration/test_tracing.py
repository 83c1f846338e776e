"""Traces as a collector gets them: OTLP over HTTP, received here, from a daemon with the real Claude Code."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from paliadin.turnlog.ids import started_at
from tests.worlds.world import World, last


class Collector(ThreadingHTTPServer):
    """Keeps what it is sent; with `answers` unset it takes the request and does not respond."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Receiver)
        self.bodies: list[bytes] = []
        self.answers = threading.Event()
        self.answers.set()
        self.asked = threading.Event()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def spans(self) -> list[Span]:
        requests = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        return [
            span
            for request in requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


class Receiver(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:  # http.server's name
        assert self.path == "/v1/traces"
        self.server.bodies.append(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.set()
        self.server.answers.wait()
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Silence."""


@pytest.fixture
def collector() -> Iterator[Collector]:
    server = Collector()
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield server
    server.answers.set()
    server.shutdown()
    server.server_close()


def attributes_of(span: Span) -> dict[str, Any]:
    return {each.key: getattr(each.value, str(each.value.WhichOneof("value"))) for each in span.attributes}


@pytest.mark.long
def test_a_collector_gets_each_turn_as_a_trace_and_no_word_of_it(world: World, collector: Collector) -> None:
    world.variables = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.endpoint,
        "OTEL_BSP_SCHEDULE_DELAY": "3600000",  # so that only the daemon's end sends
    }
    world.start()
    (world.workdir / "data.csv").write_text("id,what\nc47bd2,umbrella\n")
    first = world.ask(f"Where is my umbrella? scene:read in:{world.workdir}/")
    end = last(list(world.follow(first)), "end")
    second = world.ask("Is it raining? scene:failure")
    [*_, error] = world.follow(second)
    world.stop()
    by_trace = {span.trace_id.hex(): span for span in collector.spans if not span.parent_span_id}
    answered, failed = (by_trace[turn_id.replace("-", "")] for turn_id in (first, second))
    assert answered.name == "invoke_agent Claude Code"
    assert attributes_of(answered)["gen_ai.conversation.id"] == "main"
    assert attributes_of(answered)["gen_ai.usage.output_tokens"] == end.data["usage"]["output_tokens"]
    assert answered.end_time_unix_nano - answered.start_time_unix_nano == end.data["duration_ms"] * 1_000_000
    assert abs(answered.start_time_unix_nano / 1e9 - started_at(first).timestamp()) < 0.001
    [tool] = [span for span in collector.spans if span.parent_span_id == answered.span_id]
    assert (tool.name, attributes_of(tool)["gen_ai.operation.name"]) == ("execute_tool Read", "execute_tool")
    assert answered.start_time_unix_nano <= tool.start_time_unix_nano < tool.end_time_unix_nano
    assert tool.end_time_unix_nano <= answered.end_time_unix_nano
    assert (error.name, attributes_of(failed)["error.type"]) == ("error", error.data["code"])
    assert failed.status.code == Status.STATUS_CODE_ERROR
    assert all(
        word not in body
        for body in collector.bodies
        for word in (b"umbrella", b"raining", b"data.csv", b"Found it", b"the script says no")
    )


@pytest.mark.long
def test_a_collector_that_hangs_keeps_neither_an_answer_nor_the_end_waiting(world: World, collector: Collector) -> None:
    collector.answers.clear()
    world.variables = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.endpoint,
        "OTEL_BSP_SCHEDULE_DELAY": "10",
        "OTEL_EXPORTER_OTLP_TIMEOUT": "600",
    }
    world.start()
    assert world.turn("hello")[-1].name == "end"
    assert collector.asked.wait(30)
    assert world.turn("and again")[-1].name == "end"
    world.stop()  # raises after 20 s; the SDK itself would wait for 30
