"""The text of an answer is the same wherever its event stream is cut."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.live.answer_stream import MAX_EVENT, AnswerStream, Line


def event(kind: str, newline: str = "\n", **fields: object) -> bytes:
    data = json.dumps({"type": kind, **fields}, ensure_ascii=False)
    return f"event: {kind}{newline}data: {data}{newline}{newline}".encode("utf-8", "surrogatepass")


def delta(text: str, newline: str = "\n") -> bytes:
    return event("content_block_delta", newline, index=0, delta={"type": "text_delta", "text": text})


def begin(newline: str = "\n", **block: object) -> bytes:
    return event("content_block_start", newline, index=0, content_block=block)


def fed(data: bytes, cuts: Sequence[int] = ()) -> list[Line]:
    stream, lines = AnswerStream(), []
    at = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    for start, end in itertools.pairwise(at):
        lines += stream.feed(data[start:end])
    return lines


def joined(lines: list[Line]) -> list[Line]:
    """Texts that stand together as one."""
    whole: list[Line] = []
    for line in lines:
        if "text" in line and whole and "text" in whole[-1]:
            whole[-1] = {"text": whole[-1]["text"] + line["text"]}
        else:
            whole.append(line)
    return whole


ANSWER = [
    event("message_start", message={"id": "msg_1"}),
    begin(type="thinking", thinking=""),
    event("content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": "Hm"}),
    begin(type="text", text=""),
    event("ping"),
    delta("Grüße, "),
    delta("Ω\n\n😀"),
    begin(type="tool_use", id="t", name="Bash", input={}),
    event("content_block_delta", index=2, delta={"type": "input_json_delta", "partial_json": '{"text":'}),
    begin(type="text", text="Then: "),
    delta("done"),
    event("message_delta", delta={"stop_reason": "end_turn"}),
    event("message_stop"),
]
LINES = [
    {"block": "thinking"},
    {"block": "text"},
    {"text": "Grüße, Ω\n\n😀"},
    {"block": "tool_use", "name": "Bash"},
    {"block": "text"},
    {"text": "Then: done"},
    {"end": "complete"},
]


@given(cuts=st.lists(st.integers(0, 5000), max_size=40))
def test_an_answer_cut_anywhere_gives_the_same_lines(cuts: list[int]) -> None:
    assert joined(fed(b"".join(ANSWER), cuts)) == LINES


@given(st.lists(st.text(max_size=20), max_size=6), st.sampled_from(["\n", "\r\n"]), st.lists(st.integers(0, 2000)))
def test_any_text_arrives_as_it_was_with_both_ends_of_lines(texts: list[str], newline: str, cuts: list[int]) -> None:
    data = b"".join(delta(text, newline) for text in texts)
    assert "".join(line["text"] for line in fed(data, cuts)) == "".join(texts)


def test_every_byte_on_its_own_gives_the_same_lines() -> None:
    data = b"".join(ANSWER).replace(b"\n", b"\r\n")
    assert joined(fed(data, range(len(data)))) == LINES


def test_comments_data_in_several_lines_and_empty_events_are_read_as_the_format_says() -> None:
    split = b'data: {"type":"content_block_delta",\ndata: "delta":{"text":"a"}}\n\n'
    assert fed(b": content_block_delta\n\n\n\n" + split + b"data:\n\n" + b"id: message_stop\n\n") == [{"text": "a"}]


@pytest.mark.parametrize("size", [16_384, MAX_EVENT, 10 * MAX_EVENT])
def test_an_event_that_is_too_long_is_skipped_and_the_next_ones_are_read(size: int) -> None:
    data = delta("before") + delta("x" * (MAX_EVENT + 1)) + delta("after")
    assert joined(fed(data, range(0, len(data), size))) == [{"text": "beforeafter"}]


def test_the_blank_line_behind_an_event_that_is_too_long_may_be_cut() -> None:
    long = delta("x" * MAX_EVENT)
    for back in range(5):
        assert fed(long + delta("after"), [len(long) - back]) == [{"text": "after"}]


def test_a_long_event_in_small_pieces_takes_time_in_proportion() -> None:
    data = delta("x" * (MAX_EVENT - 1000))
    began = time.process_time()
    lines = fed(data, range(0, len(data), 1400))
    took = time.process_time() - began
    print(f"an event of {len(data)} bytes in pieces of 1400: {took * 1000:.0f} ms")  # noqa: T201  # a measurement
    assert len(lines[0]["text"]) == MAX_EVENT - 1000
    assert took < 3, "each piece made it read the whole event again"


@pytest.mark.parametrize(
    "data",
    [
        b'data: {"type":"content_block_delta","delta":\n\n',
        b"data: content_block_delta\n\n",
        b'data: "content_block_delta\xff"\n\n',
    ],
)
def test_what_is_no_json_raises_value_error(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # json's and that of the encoding
        fed(data)


@pytest.mark.parametrize(
    "value",
    [
        ["content_block_delta"],
        "content_block_delta",
        None,
        {"type": ["content_block_delta"]},
        {"type": "content_block_delta", "delta": ["text"]},
        {"type": "content_block_delta", "delta": {"text": 7}},
        {"type": "content_block_start", "content_block": None},
        {"type": "content_block_start", "content_block": {"type": "text", "name": 3, "text": ["a"]}},
    ],
)
def test_json_of_another_shape_gives_no_text(value: Any) -> None:
    data = b"data: " + json.dumps({"note": "content_block_delta"} if value is None else value).encode() + b"\n\n"
    assert not [line for line in fed(data) if "text" in line]


def test_an_error_in_the_stream_is_no_end_of_the_message() -> None:
    stream = AnswerStream()
    list(stream.feed(delta("Half") + event("error", error={"type": "overloaded_error", "message": "Overloaded"})))
    assert not stream.complete


def test_what_came_before_something_that_is_no_json_is_shown() -> None:
    lines: list[Line] = []
    with pytest.raises(ValueError, match="Expecting"):
        lines.extend(AnswerStream().feed(delta("a") + delta("b") + b"data: {content_block_delta\n\n" + delta("c")))
    assert lines == [{"text": "ab"}]
