import pytest

from paliadin.events.timeline import MAX_ENTRIES, MAX_TEXT, Timeline


def test_a_call_has_its_result_and_its_place_in_time() -> None:
    seen = Timeline()
    seen.add("tool_call", {"id": "a", "name": "Read"}, 10)
    seen.add("tool_call", {"id": "b", "name": "Grep"}, 20)
    seen.add("tool_result", {"id": "b", "ok": True, "rows": 3, "duration_ms": 7}, 30)
    seen.add("tool_result", {"id": "unknown", "ok": True}, 40)
    assert seen.tool_calls == [
        {"name": "Read", "ok": None, "refused": False, "rows": None, "at_ms": 10, "duration_ms": None},
        {"name": "Grep", "ok": True, "refused": False, "rows": 3, "at_ms": 20, "duration_ms": 7},
    ]


def test_a_call_that_was_refused_is_no_failure_of_its_tool() -> None:
    seen = Timeline()
    seen.add("tool_call", {"id": "a", "name": "Write"}, 10)
    seen.add("tool_result", {"id": "a", "ok": False, "refused": True, "duration_ms": None}, 900)
    assert (seen.tool_calls[0]["ok"], seen.tool_calls[0]["refused"]) == (None, True)


def test_an_interrupt_says_how_long_it_waited() -> None:
    seen = Timeline()
    seen.add("interrupt", {"id": "a", "kind": "permission", "tool": "Bash"}, 100)
    seen.add("interrupt_resolved", {"id": "a", "by": "page", "value": "allow"}, 2_600)
    expected = {"kind": "permission", "tool": "Bash", "by": "page", "at_ms": 100, "waited_ms": 2_500, "answer": "allow"}
    assert seen.interrupts == [expected]


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
    seen.add("interrupt", {"id": "a", "kind": "question", "tool": "AskUserQuestion"}, 100)
    seen.add("interrupt_resolved", {"id": "a", "by": "page", "value": value}, 200)
    assert seen.interrupts[0]["answer"] == kept


@pytest.mark.parametrize("value", ["7", None, True, [1], 2**60, float("inf"), float("nan")])
def test_what_is_no_count_is_not_known(value: object) -> None:
    seen = Timeline()
    seen.add("tool_call", {"id": "a", "name": "Read"}, 10)
    seen.add("tool_result", {"id": "a", "ok": "yes", "rows": value, "duration_ms": value}, 30)
    [call] = seen.tool_calls
    assert (call["ok"], call["rows"], call["duration_ms"]) == (False, None, None)


def test_it_has_its_limits() -> None:
    seen = Timeline()
    for number in range(MAX_ENTRIES + 5):
        seen.add("tool_call", {"id": number, "name": "x" * 1_000}, None)
    assert len(seen.tool_calls) == MAX_ENTRIES
    assert seen.tool_calls[0]["name"] == "x" * MAX_TEXT
