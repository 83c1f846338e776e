"""The SDK against servers that do not behave: what it is told to do, and what becomes of what they send."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import logging
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from paliadin.base import errors
from paliadin.parts.messages.api import MessagesApi
from paliadin.parts.messages.limits import MessageLimits
from paliadin.parts.messages.message import Message
from paliadin.parts.messages.retries import LONGEST_WAIT

KEY = "key-that-nobody-else-may-read"
TOKENS = 2000
BUFFERED = 8_000_000  # bytes, at most, in the sockets between a server and its client
MOST = 100_000_000  # bytes of what has no end
OK = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"


def event(name: str, **data: Any) -> str:
    return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n"


START = event(
    "message_start",
    message={
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "usage": {"input_tokens": 5},
    },
)
TEXT = event("content_block_start", index=0, content_block={"type": "text", "text": ""})
STOP = event("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 2}) + event("message_stop")


def delta(text: str, index: int = 0) -> str:
    return event("content_block_delta", index=index, delta={"type": "text_delta", "text": text})


class Server:
    """Answers each request with the next of these responses, the last one again and again.

    Behind each comes `again`, without end if there is any; `sent` is how much was taken of that.
    """

    def __init__(self, *responses: str | bytes, again: bytes = b"", pause: float = 0.0) -> None:
        self._responses = [each.encode() if isinstance(each, str) else each for each in responses]
        self._again, self._pause, self.sent = again, pause, 0
        self.requests: list[bytes] = []
        self.url = ""

    @asynccontextmanager
    async def running(self, context: ssl.SSLContext | None = None) -> AsyncIterator[Server]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=context)
        scheme, host = ("https", "localhost") if context else ("http", "127.0.0.1")
        self.url = f"{scheme}://{host}:{server.sockets[0].getsockname()[1]}"
        async with server:
            yield self

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line.split(b":")[1]) for line in head.splitlines() if line.lower().startswith(b"content-length")
        )
        self.requests.append(head + await reader.readexactly(length))
        try:
            writer.write(self._responses[min(len(self.requests), len(self._responses)) - 1])
            with contextlib.suppress(ConnectionError):  # the client has had enough
                await writer.drain()
                while self._again and self.sent < MOST:
                    writer.write(self._again)
                    self.sent += len(self._again)
                    await writer.drain()
                    await asyncio.sleep(self._pause)
        finally:
            writer.close()


async def said(server: Server, seconds: float = 5.0) -> tuple[str, Message]:
    """What one request gives: the text that came, and the message."""
    api, message = MessagesApi(KEY, server.url, seconds, MessageLimits(TOKENS)), Message()
    request: Mapping[str, Any] = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "x"}]}
    try:
        pieces = [piece async for piece in api.stream(request, message)]
    finally:
        await api.close()
    return "".join(piece.text for piece in pieces if piece), message


async def test_pieces_come_in_their_order_and_the_tokens_with_them() -> None:
    end = event("content_block_stop", index=0)
    async with Server(OK + "\r\n" + START + TEXT + delta("One") + delta(" two.") + end + STOP).running() as server:
        text, message = await said(server)
    assert (text, message.stop_reason, message.counts) == (
        "One two.",
        "end_turn",
        {"input_tokens": 5, "output_tokens": 2},
    )
    assert message.blocks == [{"type": "text", "text": "One two."}]
    assert f"authorization: bearer {KEY}" in server.requests[0].decode().lower()


@pytest.mark.parametrize("odd", ["true", "-1000000000000", str(2**63 - 1), "9" * 40, '"7"', "7.5", "null", "[7]"])
async def test_a_number_of_tokens_that_cannot_be_is_not_believed(odd: str) -> None:
    start = START.replace('"input_tokens": 5', '"input_tokens": 5, "output_tokens": 1')
    end = STOP.replace('"output_tokens": 2', f'"output_tokens": {odd}, "cache_read_input_tokens": {odd}')
    counted = f'{{"input_tokens": {odd}}}'
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(counted)}\r\n\r\n"
    async with Server(OK + "\r\n" + start + end, head + counted).running() as server:
        _, message = await said(server)
        api = MessagesApi(KEY, server.url, 5.0, MessageLimits(TOKENS))
        assert await api.count("m", [{"role": "user", "content": "x"}]) is None
        await api.close()
    assert message.counts == {"input_tokens": 5, **({"output_tokens": 1} if odd == "null" else {})}


async def test_a_redirect_is_not_followed_so_the_key_stays() -> None:
    async with Server(OK + "\r\n" + START + STOP).running() as elsewhere:
        for status in (301, 302, 307, 308):
            head = f"HTTP/1.1 {status} Moved\r\nlocation: {elsewhere.url}/v1/messages\r\ncontent-length: 0\r\n\r\n"
            async with Server(head).running() as server:
                with pytest.raises(errors.RelayError):
                    await said(server)
        assert elsewhere.requests == []


@pytest.mark.parametrize(
    "asked",
    [
        *(f"retry-after: {LONGEST_WAIT + 1}", "retry-after: Fri, 27 Nov 2099 10:00:00 GMT", "retry-after: soon"),
        *("retry-after-ms: 99999999", "retry-after: 1\r\nretry-after-ms: 99999999"),
    ],
)
@pytest.mark.parametrize("status", [429, 529])
async def test_nobody_waits_for_long_though_the_api_asks_for_it(status: int, asked: str) -> None:
    head = f"HTTP/1.1 {status} No\r\n{asked}\r\nx-should-retry: true\r\ncontent-length: 0\r\n\r\n"
    async with Server(head).running() as server:
        with pytest.raises(errors.RelayError):
            await said(server)
    assert len(server.requests) == 1


INTERIM = "HTTP/1.1 100 Continue\r\n\r\n"
ENDLESS: Mapping[str, tuple[str, str, str]] = {  # the head, what comes again and again, and the turn's code
    "the body of a 400": ("HTTP/1.1 400 No\r\n\r\n", "x" * 1000, "upstream_error"),
    "the body of a 401": ("HTTP/1.1 401 No\r\n\r\n", "x" * 1000, "api_key_refused"),
    "interim heads": ("", INTERIM, "api_unreachable"),
    "comments": (OK + "\r\n", ":\n", "upstream_error"),
    "pings": (OK + "\r\n" + START, event("ping"), "upstream_error"),
    "a line": (OK + "\r\n" + START + "data: ", "x" * 1000, "upstream_error"),
    "text": (OK + "\r\n" + START + TEXT, delta("word " * 100), "upstream_error"),
    "thoughts": (OK + "\r\n" + START, event("content_block_delta", index=0, delta={"type": "x"}), "upstream_error"),
}


@pytest.mark.parametrize("endless", ENDLESS)
async def test_what_has_no_end_is_read_to_a_limit(endless: str) -> None:
    """What was sent is more by what lies in between, in the sockets of both sides."""
    head, again, code = ENDLESS[endless]
    async with Server(head, again=again.encode()).running() as server:
        with pytest.raises(errors.RelayError) as failed:
            await said(server)
    assert failed.value.code == code
    assert server.sent < MessageLimits(TOKENS).response_bytes + BUFFERED


@pytest.mark.parametrize("proxy", ["", "to the server"])
async def test_the_environments_proxies_are_used_and_what_comes_by_them_is_limited(
    proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Server("", again=INTERIM.encode()).running() as server:
        monkeypatch.setenv("NO_PROXY", "localhost" if proxy else "127.0.0.1")
        monkeypatch.setenv("HTTP_PROXY", server.url if proxy else "http://127.0.0.1:9")
        with pytest.raises(errors.ApiUnreachable):
            await said(server)
    assert server.requests[0].startswith(f"POST {server.url if proxy else ''}/v1/messages".encode())
    assert server.sent < BUFFERED


@pytest.mark.parametrize(
    ("name", "value"),
    [("ALL_PROXY", "socks4://127.0.0.1:9"), ("HTTPS_PROXY", "http://127.0.0.1:x"), ("SSL_CERT_FILE", "/missing.pem")],
)
async def test_an_environment_that_allows_no_connection_is_named(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    async with Server("").running() as server:
        with pytest.raises(errors.ApiUnreachable) as raised:
            await said(server)
    assert name in str(raised.value.hint)


@pytest.fixture
def context(certificates: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates / "server.pem", certificates / "server.key")
    return context


@pytest.mark.parametrize("trusted", [True, False])
async def test_an_api_with_a_private_authority_gets_a_question_where_the_owner_trusts_it(
    trusted: bool, context: ssl.SSLContext, certificates: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificates / "ca.pem"))
    with contextlib.nullcontext() if trusted else pytest.raises(errors.ApiUnreachable):
        async with Server(OK + "\r\n" + START + TEXT + delta("One.") + STOP).running(context) as server:
            assert (await said(server))[0] == "One."
    assert len(server.requests) == trusted


async def test_interim_heads_over_tls_come_to_an_end_as_well(
    context: ssl.SSLContext, certificates: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates / "ca.pem"))
    async with Server("", again=INTERIM.encode()).running(context) as server:
        with pytest.raises(errors.ApiUnreachable):
            await said(server)
    assert server.sent < BUFFERED


async def test_some_interim_heads_are_no_fault() -> None:
    async with Server(10 * INTERIM + OK + "\r\n" + START + TEXT + delta("One.") + STOP).running() as server:
        assert (await said(server))[0] == "One."


async def test_a_response_that_nobody_asked_for_is_not_the_next_ones() -> None:
    """The connection is kept between two questions, maybe of two people."""
    body, writers = START + TEXT + delta("One.") + STOP, []

    def response(text: str) -> bytes:
        return f"{OK}content-length: {len(text)}\r\n\r\n{text}".encode()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError), contextlib.closing(writer):
            while head := await reader.readuntil(b"\r\n\r\n"):
                await reader.readexactly(int(head.lower().split(b"content-length:")[1].split()[0]))
                writer.write(response(body))

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        api = MessagesApi(KEY, url, 5.0, MessageLimits(TOKENS))
        request: Mapping[str, Any] = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "x"}]}
        answers = []
        for each in (api, api.with_key("another"), api):
            pieces = [piece async for piece in each.stream(request, Message())]
            answers.append("".join(piece.text for piece in pieces if piece))
            if len(answers) == 2:
                writers[0].write(response(body.replace("One.", "Of nobody.")))
                for _ in range(3):  # rounds of the event loop: it is there at once, and is read in the next
                    await asyncio.sleep(0)
        await api.close()
    assert answers == ["One."] * 3
    assert len(writers) == 2  # the second question went over the connection of the first


async def test_no_cookie_is_kept() -> None:
    """What was set for one person's key would go with another's, and a jar has no limit."""
    head = OK + "set-cookie: session=of-the-first; Path=/\r\n\r\n"
    async with Server(head + START + TEXT + delta("One.") + STOP).running() as server:
        api = MessagesApi(KEY, server.url.replace("127.0.0.1", "localhost"), 5.0, MessageLimits(TOKENS))
        request: Mapping[str, Any] = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "x"}]}
        for each in (api, api.with_key("another")):
            assert [piece async for piece in each.stream(request, Message())]
        await api.close()
    assert b"bearer another" in server.requests[1].lower()
    assert b"cookie" not in server.requests[1].lower()


async def test_a_count_that_never_comes_to_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte of it comes in time."""
    monkeypatch.setattr("paliadin.parts.messages.api.COUNT_TIMEOUT", 0.2)
    head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n"
    async with Server(head, again=b" ", pause=0.01).running() as server:
        api = MessagesApi(KEY, server.url, 5.0, MessageLimits(TOKENS))
        with pytest.raises(errors.ApiUnreachable):
            await api.count("m", [])
        await api.close()


async def test_a_short_wait_is_one_that_the_api_may_ask_for() -> None:
    head = "HTTP/1.1 529 No\r\nretry-after: 0.01\r\ncontent-length: 0\r\n\r\n"
    async with Server(head, OK + "\r\n" + START + TEXT + delta("At last.") + STOP).running() as server:
        assert (await said(server))[0] == "At last."


ODD: Mapping[str, str] = {
    "a part of a block that never began": delta("lost", 7) + TEXT + delta("kept"),
    "the end of a block that never began": event("content_block_stop", index=9) + TEXT + delta("kept"),
    "a block of a kind that is not known": event("content_block_start", index=3, content_block={"type": "new", "x": 1})
    + event("content_block_delta", index=3, delta={"type": "new_delta", "x": "lost"})
    + TEXT
    + delta("kept"),
    "thinking": event(
        "content_block_start", index=3, content_block={"type": "thinking", "thinking": "", "signature": ""}
    )
    + event("content_block_delta", index=3, delta={"type": "thinking_delta", "thinking": "lost"})
    + event("content_block_stop", index=3)
    + TEXT
    + delta("kept"),
    "an event that is not known": event("news", x=1) + TEXT + delta("kept"),
    "a comment and a ping": ": hello\n\n" + event("ping") + TEXT + delta("kept"),
    "the start twice": START + TEXT + delta("kept"),
}


@pytest.mark.parametrize("odd", ODD)
async def test_what_is_odd_is_passed_over(odd: str) -> None:
    async with Server(OK + "\r\n" + START + ODD[odd] + STOP).running() as server:
        assert (await said(server))[0] == "kept"


BROKEN: Mapping[str, str | bytes] = {
    "nothing at all": "",
    "no event": OK + "content-length: 5\r\n\r\nhello",
    "a page": "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<html>Sign in</html>",
    "no JSON": OK + "\r\n" + START + "event: content_block_delta\ndata: {oops\n\n",
    "an end in mid-text": OK + "\r\n" + START + TEXT + delta("Begun"),
    "a length that is not there": OK + "content-length: 99999\r\n\r\n" + START,
    "an error without a kind": OK + "\r\n" + START + 'event: error\ndata: {"error": "no"}\n\n',
    "an error of an odd kind": OK + "\r\n" + START + event("error", error={"type": [], "message": {}}),
    "an error that is no JSON": OK + "\r\n" + START + "event: error\ndata: boom\n\n",
    "a status without a body": "HTTP/1.1 418 Teapot\r\ncontent-length: 0\r\n\r\n",
    "a body that is not zipped": "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\nplain",
    "half a letter": (OK + "\r\n" + START + TEXT).encode() + b'event: content_block_delta\ndata: {"x": "\xc3"}\n\n',
    "nested without end": OK + "\r\n" + START + "event: message_delta\ndata: " + "[" * 200_000 + "\n\n",
    "a text that is none": OK + "\r\n" + START + TEXT + delta(None),  # type: ignore[arg-type]
    "a call without a name": OK
    + "\r\n"
    + START
    + event("content_block_start", index=0, content_block={"type": "tool_use", "id": "t", "name": None, "input": {}}),
    "data that is null": OK + "\r\n" + START + "event: message_delta\ndata: null\n\n",
    "a bomb": b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: gzip\r\n\r\n"
    + gzip.compress(b":" + b" " * 50_000_000),
    "JSON that is a list": "HTTP/1.1 400 No\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n[]",
}


@pytest.mark.parametrize("broken", BROKEN)
async def test_what_is_broken_is_an_error_of_ours(broken: str, caplog: pytest.LogCaptureFixture) -> None:
    async with Server(BROKEN[broken]).running() as server:
        with caplog.at_level(logging.INFO, "paliadin"), pytest.raises(errors.RelayError) as failed:
            await said(server)
    assert failed.value.hint
    assert KEY not in caplog.text


@pytest.mark.parametrize("text", ["{oops", "[]", '{"x": NaN}', '{"x": 1e999}', '{"x": "\\ud800"}', "[" * 50_000])
async def test_arguments_that_cannot_be_written_are_none(text: str) -> None:
    """The model is told, and calls again."""
    call = {"type": "tool_use", "id": "t1", "name": "look", "input": {}}
    part = event("content_block_delta", index=0, delta={"type": "input_json_delta", "partial_json": text})
    sent = event("content_block_start", index=0, content_block=call) + part + event("content_block_stop", index=0)
    async with Server(OK + "\r\n" + START + sent + STOP).running() as server:
        _, message = await said(server)
    assert [(each.id, each.name, each.arguments) for each in message.calls] == [("t1", "look", None)]
    assert message.blocks == [call]


async def test_an_error_that_quotes_the_key_is_told_without_it(caplog: pytest.LogCaptureFixture) -> None:
    body = json.dumps({"type": "error", "error": {"type": f"odd {KEY}", "message": KEY}, "request_id": KEY})
    head = f"HTTP/1.1 400 {KEY}\r\nrequest-id: {KEY}\r\ncontent-type: application/json\r\n"
    head += f"content-length: {len(body)}\r\n\r\n"
    async with Server(head + body).running() as server:
        with caplog.at_level(logging.INFO, "paliadin"), pytest.raises(errors.RelayError) as failed:
            await said(server)
    assert KEY not in f"{failed.value.message}{failed.value.hint}{caplog.text}"


async def test_a_server_that_says_nothing_is_not_waited_for() -> None:
    asked = asyncio.Event()

    async def silent(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asked.wait()
        writer.close()

    quiet = await asyncio.start_server(silent, "127.0.0.1", 0)
    server = Server()
    server.url = f"http://127.0.0.1:{quiet.sockets[0].getsockname()[1]}"
    async with quiet:
        with pytest.raises(errors.ApiUnreachable):
            await said(server, 0.2)
        asked.set()
        await asyncio.sleep(0)
