"""A Messages API that means harm: `python -m tests.load.hostile_server`, which prints its port.

A question that has `hostile:<kind>` in it is answered in that way, for as long as whoever asks reads on.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import re
import sys
from collections.abc import Iterator
from typing import Any

MEGABYTE = 1_000_000
STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
REFUSED = b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
USAGE = {"input_tokens": 5, "output_tokens": 1}
MARK = re.compile(rb"hostile:(\w+)")
DRIP = 0.5  # seconds between two bytes


def event(name: str, **data: Any) -> bytes:
    return f"event: {name}\ndata: {json.dumps({'type': name, **data}, separators=(',', ':'))}\n\n".encode()


def started(message_id: str = "msg_1") -> bytes:
    return STREAM + event("message_start", message={"id": message_id, "model": "m", "usage": USAGE})


def begun(index: int, kind: str = "text", **fields: Any) -> bytes:
    return event("content_block_start", index=index, content_block={"type": kind, **fields})


def text(value: str, index: int = 0) -> bytes:
    return event("content_block_delta", index=index, delta={"type": "text_delta", "text": value})


def ended(index: int) -> bytes:
    return event("content_block_stop", index=index)


def called(call_id: str, name: str, arguments: str, index: int = 0) -> bytes:
    part = event("content_block_delta", index=index, delta={"type": "input_json_delta", "partial_json": arguments})
    return begun(index, "tool_use", id=call_id, name=name, input={}) + part + ended(index)


def stopped(reason: str = "end_turn") -> bytes:
    return event("message_delta", delta={"stop_reason": reason}, usage=USAGE) + event("message_stop")


def endless(beginning: bytes, piece: bytes) -> Iterator[bytes]:
    """The beginning, and the piece without end, 64 kB at a time."""
    yield beginning
    many = piece * (64_000 // len(piece) + 1)
    while True:
        yield many


# Made once: to make them for each request would take the time of those who are measured.
BLOCKS = b"".join(begun(index, text="") + text("a", index) + ended(index) for index in range(1000))
CALLS = b"".join(called(f"toolu_{index}", "Read", "{}", index) for index in range(1000))
HUGE = "i" * MEGABYTE
HUGE_CALL = called(HUGE, HUGE, "{}")
# As much text as a message may have, and a call for another round of tools.
ROUND = started() + begun(0, text="") + text("a ") * 6_000 + ended(0)
ROUND += called("toolu_1", "Read", "{}", 1) + stopped("tool_use")


def again(number: int, beginning: bytes, piece: bytes, end: bytes) -> Iterator[bytes]:
    """The beginning, the piece so many times, and the end."""
    yield beginning
    yield from itertools.repeat(piece, number)
    yield end


CALL = begun(0, "tool_use", id="toolu_1", name="Read", input={})
ARGUMENTS = event("content_block_delta", index=0, delta={"type": "input_json_delta", "partial_json": "[" * MEGABYTE})


def short() -> Iterator[bytes]:
    """An answer as it should be."""
    yield started() + begun(0, text="") + text("Hello.") + ended(0) + stopped()


def drip() -> Iterator[bytes]:
    yield started()
    yield from (bytes([each]) for each in itertools.cycle(text("a")))


THINKING = event("content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": "hm"})
KINDS = {
    "none": short,
    "error_body": lambda: endless(REFUSED, b"x" * 1000),
    "error_stream": lambda: endless(started() + b"event: error\ndata: ", b"x" * 1000),
    "comments": lambda: endless(STREAM, b":\n"),
    "comment_events": lambda: endless(STREAM, b": hello\n\n"),
    "deltas": lambda: endless(started() + begun(0, text=""), text("a")),
    "long_deltas": lambda: endless(started() + begun(0, text=""), text("word " * 10_000)),
    "line": lambda: endless(started() + b"event: content_block_delta\ndata: ", b"x" * 1000),
    "data_lines": lambda: endless(started() + b"event: content_block_delta\n", b"data:\n"),
    "blank_lines": lambda: endless(started(), b"\n"),
    "ids": lambda: again(200, started(), HUGE_CALL, stopped("tool_use")),
    "first_id": lambda: again(1, started(HUGE), b"", stopped()),
    "arguments": lambda: again(20, started() + CALL, ARGUMENTS, ended(0) + stopped("tool_use")),
    "thinking": lambda: endless(started() + begun(0, "thinking", thinking=""), THINKING),
    "pings": lambda: endless(started(), event("ping")),
    "blocks": lambda: again(100, started(), BLOCKS, stopped()),
    "calls": lambda: again(100, started(), CALLS, stopped("tool_use")),
    "rounds": lambda: iter([ROUND]),
    "drip": drip,
    "small_chunks": lambda: endless(CHUNKED, b"1\r\n:\r\n"),
    "interim_heads": lambda: endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "head": lambda: endless(b"HTTP/1.1 200 OK\r\n", b"x-a: b\r\n"),
}


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one request; the connection is closed behind it."""
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
        head = await reader.readuntil(b"\r\n\r\n")
        size = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        body = await reader.readexactly(int(size[1]) if size else 0)
        kind = MARK.findall(body)[-1].decode()
        for piece in KINDS[kind]():
            writer.write(piece)
            await writer.drain()
            if kind == "drip" and len(piece) == 1:
                await asyncio.sleep(DRIP)
    writer.close()


async def main() -> None:
    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=4 * MEGABYTE)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
