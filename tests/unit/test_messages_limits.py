"""What the API sends for one message is bounded: bytes, events, names, texts, calls; and how long it makes us wait."""

from __future__ import annotations

import email.utils
import itertools
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpx2
import pytest

from paliadin.base.errors import RelayError
from paliadin.base.read_pace import AT_ONCE, Pace
from paliadin.parts.messages import retries
from paliadin.parts.messages.limited_body import ErrorBody, LimitedBody
from paliadin.parts.messages.limits import ERROR_BODY, MAX_BLOCKS, MAX_NAME, MessageLimits
from paliadin.parts.messages.message import ErrorEvent, Message, MessageReader, TextPiece
from paliadin.parts.messages.retries import ATTEMPTS, LONGEST_WAIT, wait_before_retry

LIMITS = MessageLimits(100)
MOST = 10_000_000  # events that a test goes through before it says that there is no limit


def event(name: str, **data: Any) -> bytes:
    return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode()


def start(**changed: str) -> bytes:
    return event("message_start", message={"id": "m1", "model": "m", **changed})


def begin(index: object = 0, kind: str = "text", **fields: object) -> bytes:
    return event("content_block_start", index=index, content_block={"type": kind, **fields})


def delta(text: str, index: int = 0) -> bytes:
    return event("content_block_delta", index=index, delta={"type": "text_delta", "text": text})


def call(**changed: object) -> bytes:
    return begin(0, "tool_use", **({"id": "t1", "name": "look", "input": {}} | changed))


def arguments(text: str) -> bytes:
    return event("content_block_delta", index=0, delta={"type": "input_json_delta", "partial_json": text})


END = event("content_block_stop", index=0)


def test_pieces_that_come_together_are_one() -> None:
    reader = MessageReader(Message(), LIMITS)
    come = start() + begin(text="") + delta("One ") + delta("two.") + END + begin(1, text="Three") + delta(".", 1)
    assert list(reader.feed(come)) == [TextPiece("m1.0", "One two.", final=True), TextPiece("m1.1", "Three.")]
    assert list(reader.feed(delta(" Four.", 1))) == [TextPiece("m1.1", " Four.")]


@pytest.mark.parametrize("broken", [event("error", error={"type": "x"}), b"data: {oops\n\n", b"data: 5\n\n"])
def test_what_came_before_something_broken_counts(broken: bytes) -> None:
    pieces = MessageReader(Message(), LIMITS).feed(start() + begin(text="") + delta("One.") + broken)
    assert next(pieces) == TextPiece("m1.0", "One.")
    with pytest.raises((ErrorEvent, ValueError, TypeError)):
        next(pieces)


ENDLESS: Mapping[str, tuple[bytes, bytes]] = {  # what comes first, and then again and again
    "comments": (b"", b":\n"),
    "a line": (start() + b"data: ", b"x" * 100),
    "lines of data": (start(), b"data:\n"),
    "an error": (start() + b"event: error\ndata: ", b"x" * 100),
    "text": (start() + begin(text=""), delta("word " * 20)),
    "arguments": (start() + call(), arguments("[" * 100)),
    "texts": (start(), begin(text="") + END),
    "calls": (start(), call() + END),
    "thoughts": (start(), begin(0, "thinking", thinking="") + END),
}


@pytest.mark.parametrize("endless", ENDLESS)
def test_what_has_no_end_is_cut_off_and_no_more_of_it_is_kept_than_may_be(endless: str) -> None:
    first, again = ENDLESS[endless]
    message, text, sent = Message(), "", 0
    reader = MessageReader(message, LIMITS)

    def read_on() -> None:
        nonlocal text, sent
        for part in itertools.chain([first], itertools.repeat(again, MOST // len(again))):
            sent += len(part)
            for piece in reader.feed(part):
                text += piece.text

    with pytest.raises(RelayError) as failed:
        read_on()
    assert failed.value.code == "upstream_error"
    assert failed.value.hint
    assert sent <= LIMITS.event_bytes + LIMITS.response_bytes
    assert len(text) <= LIMITS.characters
    assert len(message.blocks) <= MAX_BLOCKS


HUGE = "i" * (MAX_NAME + 1)


@pytest.mark.parametrize(
    "huge",
    [
        start(id=HUGE),
        start(model=HUGE),
        start() + call(id=HUGE),
        start() + call(name=HUGE),
        start() + event("message_delta", delta={"stop_reason": HUGE}),
    ],
)
def test_a_name_or_an_id_that_is_too_long_ends_the_message(huge: bytes) -> None:
    message = Message()
    with pytest.raises(RelayError, match=f"more than {MAX_NAME} characters"):
        list(MessageReader(message, LIMITS).feed(huge))
    assert not message.calls


@pytest.mark.parametrize("index", ["i" * 1000, 10**100, -1, [], None])
def test_a_place_that_is_none_becomes_no_part_of_an_id(index: object) -> None:
    with pytest.raises(TypeError):
        list(MessageReader(Message(), LIMITS).feed(start() + begin(index, text="a")))


def test_a_message_of_all_its_tokens_is_within_the_limits() -> None:
    """Each token in an event of its own, with a gateway's additions; and all of them in one event."""
    message, tokens = Message(), 2000
    padded = event("content_block_delta", index=0, delta={"type": "text_delta", "text": "Grüße, "}, padding="x" * 300)
    whole = start() + begin(text="") + padded * tokens + END
    limits = MessageLimits(tokens)
    assert len(whole) <= limits.response_bytes
    list(MessageReader(message, limits).feed(whole))
    list(MessageReader(message, limits).feed(start() + begin(text="Grüße, " * tokens) + END))
    assert [block["text"] for block in message.blocks] == ["Grüße, " * tokens] * 2


# The body of a response.


class Endless(httpx2.AsyncByteStream):
    """A body without end; `read` are the bytes of it that were read."""

    def __init__(self, chunk: bytes) -> None:
        self._chunk, self.read, self.closed = chunk, 0, False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while self.read < MOST:
            self.read += len(self._chunk)
            yield self._chunk

    async def aclose(self) -> None:
        self.closed = True


class CountedPace(Pace):
    """Counts what it is told of."""

    taken = 0

    async def take(self, size: int) -> None:
        assert size <= AT_ONCE
        self.taken += size


@pytest.mark.parametrize("size", [1, 100, 16_384, 1_000_000])
async def test_of_a_body_without_end_so_much_is_read_and_no_more(size: int) -> None:
    body, pace, passed = Endless(b"x" * size), CountedPace(), 0

    async def read_on() -> None:
        nonlocal passed
        async for part in LimitedBody(body, LIMITS.response_bytes, pace):
            passed += len(part)

    with pytest.raises(RelayError, match="bytes in one response"):
        await read_on()
    assert passed <= LIMITS.response_bytes < body.read <= LIMITS.response_bytes + size
    assert LIMITS.response_bytes < pace.taken <= LIMITS.response_bytes + AT_ONCE


async def test_of_an_error_the_beginning_is_read() -> None:
    body, pace = Endless(b"x" * 16_384), CountedPace()
    passed = [len(part) async for part in ErrorBody(body, pace)]
    assert sum(passed) == ERROR_BODY
    assert body.read <= ERROR_BODY + 16_384


# Retries.


@pytest.mark.parametrize(
    "asked",
    [
        {"retry-after-ms": "99999999"},
        {"retry-after-ms": "inf", "retry-after": "1"},
        {"retry-after": str(LONGEST_WAIT + 1)},
        {"retry-after": "nan"},
        {"retry-after": "soon"},
        {"retry-after": "Fri, 27 Nov 2099 10:00:00 GMT"},
        {"retry-after": "Fri, 31 Dec 99999999999 10:00:00 GMT"},
        {"retry-after": "1", "retry-after-ms": "1e308", "x-should-retry": "true"},
    ],
)
def test_nobody_waits_for_long_however_it_is_asked_for(asked: Mapping[str, str]) -> None:
    assert wait_before_retry(1, 429, asked) is None


@pytest.mark.parametrize("status", [None, 408, 409, 429, 500, 503, 529])
def test_what_may_succeed_is_tried_again_a_little_later_each_time(status: int | None) -> None:
    waits = [wait_before_retry(attempt, status, {}) for attempt in range(1, ATTEMPTS + 1)]
    assert waits.pop() is None
    assert all(wait is not None and 0 < wait <= 1 for wait in waits)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413])
def test_what_cannot_succeed_is_not_tried_again_unless_the_api_says_so(status: int) -> None:
    assert wait_before_retry(1, status, {}) is None
    assert wait_before_retry(1, status, {"x-should-retry": "true"}) is not None
    assert wait_before_retry(1, 529, {"x-should-retry": "false"}) is None


@pytest.mark.parametrize(
    ("asked", "least", "most"),
    [
        ({"retry-after": "7"}, 7, 7),
        ({"retry-after": "7", "retry-after-ms": "250"}, 0.25, 0.25),
        ({"retry-after": "0"}, 0.1, 1),
        ({"retry-after": "-5"}, 0.1, 1),
    ],
)
def test_a_short_wait_is_one_that_the_api_may_ask_for(asked: Mapping[str, str], least: float, most: float) -> None:
    wait = wait_before_retry(1, 529, asked)
    assert wait is not None
    assert least <= wait <= most


def test_a_date_is_a_time_that_the_api_may_ask_for_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "_now", lambda: 1_800_000_000.0)
    dates = [email.utils.formatdate(1_800_000_000 + seconds, usegmt=True) for seconds in (15, 21, -50)]
    soon, late, past = (wait_before_retry(1, 429, {"retry-after": date}) for date in dates)
    assert (soon, late) == (15, None)
    assert past is not None
    assert past <= 1
