from typing import Any

import pytest

from paliadin.events.model import Interrupt, InterruptResolved, ToolCall, ToolResult
from paliadin.events.timeline import MAX_ENTRIES, MAX_TEXT, CalledTool, Timeline, Waited, waited_ms


def call(ident: str, name: str = "Read") -> ToolCall:
    return ToolCall(ident, name, "", None)


def result(
    ident: str, *, ok: bool = True, rows: Any = None, duration_ms: Any = None, refused: bool = False
) -> ToolResult:
    return ToolResult(ident, "Read", ok, "", rows, duration_ms, "", refused)


def interrupt(kind: str, tool: str) -> Interrupt:
    return Interrupt("a", kind, "", [], False, [], tool, None)


def test_a_call_has_its_result_and_its_place_in_time() -> None:
    seen = Timeline()
    seen.add(call("a", "Read"), 10)
    seen.add(call("b", "Grep"), 20)
    seen.add(result("b", rows=3, duration_ms=7), 30)
    seen.add(result("unknown"), 40)
    assert seen.tool_calls == [
        CalledTool("Read", at_ms=10),
        CalledTool("Grep", ok=True, rows=3, at_ms=20, duration_ms=7),
    ]


def test_a_call_that_was_refused_is_no_failure_of_its_tool() -> None:
    seen = Timeline()
    seen.add(call("a", "Write"), 10)
    seen.add(result("a", ok=False, refused=True), 900)
    assert (seen.tool_calls[0].ok, seen.tool_calls[0].refused) == (None, True)


def test_an_interrupt_says_how_long_it_waited() -> None:
    seen = Timeline()
    seen.add(interrupt("permission", "Bash"), 100)
    seen.add(InterruptResolved("a", "page", "allow"), 2_600)
    assert seen.interrupts == [Waited("permission", "Bash", by="page", at_ms=100, waited_ms=2_500, answer="allow")]


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("Blue", "Blue"),
        (["A", "B"], "A, B"),
        ({"Which?": "B", "And?": ["A", "B"]}, "B, A, B"),
        (None, None),
        ([], None),
    ],
)
def test_an_answer_is_kept_in_one_line(value: object, kept: str | None) -> None:
    seen = Timeline()
    seen.add(interrupt("question", "AskUserQuestion"), 100)
    seen.add(InterruptResolved("a", "page", value), 200)
    assert seen.interrupts[0].answer == kept


def test_it_has_its_limits() -> None:
    seen = Timeline()
    for number in range(MAX_ENTRIES + 5):
        seen.add(call(str(number), "x" * 1_000), None)
    assert len(seen.tool_calls) == MAX_ENTRIES
    assert seen.tool_calls[0].name == "x" * MAX_TEXT


@pytest.mark.parametrize(
    ("waits", "total"),
    [
        ([], 0),
        ([(100, 50)], 50),
        ([(100, 50), (120, 10)], 50),  # one inside the other
        ([(120, 50), (100, 50)], 70),
        ([(100, 50), (150, 50), (500, 1)], 101),
        ([(100, None), (None, 5)], 0),
    ],
)
def test_waits_that_overlap_count_once(waits: list[tuple[int | None, int | None]], total: int) -> None:
    assert waited_ms(Waited("permission", "Write", at_ms=at, waited_ms=wait) for at, wait in waits) == total
