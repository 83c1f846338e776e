"""What goes wrong in the pass-through itself is reported, not printed: it could hold what passed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from paliadin.live.connections import MAX_IDLE_TIME, Connection, Connections, Reader, accepting
from paliadin.live.framing import Head
from paliadin.live.observer import Observer, Watching
from paliadin.live.server import PassThrough
from paliadin.live.upstream import Upstream


async def gone(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()
    with contextlib.suppress(OSError):
        await writer.wait_closed()


@contextlib.asynccontextmanager
async def serving(accept: Callable[[Reader, asyncio.StreamWriter], None] | None = None) -> AsyncIterator[int]:
    """A server on loopback; yields its port."""
    accepted = []

    def keep(reader: Reader, writer: asyncio.StreamWriter) -> None:
        accepted.append(writer)
        if accept:
            accept(reader, writer)

    server = await asyncio.get_running_loop().create_server(accepting(keep), "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]
    for writer in accepted:
        await gone(writer)


async def asked(port: int) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /secret/a HTTP/1.1\r\n\r\n")
    try:
        return await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()


async def test_an_error_that_nobody_expected_ends_its_connection_and_is_reported(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_head: Head) -> Observer:
        raise LookupError("swordfish")

    reported: list[Exception] = []
    upstream = Upstream("http", "127.0.0.1", 1, "")
    server = PassThrough(upstream, Connections(upstream, None), "secret", fail, reported.append)
    async with serving(server.accept) as port:
        assert await asked(port) == b""
    assert [type(error) for error in reported] == [LookupError]
    assert capfd.readouterr() == ("", "")
    assert not caplog.records


async def test_a_connection_that_was_kept_too_long_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as port:
        connections = Connections(Upstream("http", "127.0.0.1", port, ""), None)
        first = await connections.take()
        assert not first.is_reused
        connections.keep(first)
        assert await connections.take() is first
        assert first.is_reused
        connections.keep(first)
        first.kept_at -= MAX_IDLE_TIME + 1
        second = await connections.take()
        assert second is not first
        assert first.writer.transport.is_closing()
        connections.keep(second)
        second.kept_at += MAX_IDLE_TIME + 1  # the clock was set back
        third = await connections.take()
        assert third is not second
        for connection in (first, second, third):
            await gone(connection.writer)


async def test_no_more_than_a_few_connections_are_kept() -> None:
    async with serving() as port:
        connections = Connections(Upstream("http", "127.0.0.1", port, ""), None)
        taken: list[Connection] = [await connections.take() for _ in range(20)]
        for connection in taken:
            connections.keep(connection)
        assert [connection.writer.transport.is_closing() for connection in taken] == [True] * 12 + [False] * 8
        for connection in taken:
            await gone(connection.writer)


async def test_what_has_come_before_a_break_is_read() -> None:
    reader = Reader(limit=100, loop=asyncio.get_running_loop())
    reader.feed_data(b"abc")
    reader.set_exception(ConnectionResetError())
    assert (await reader.read(10), await reader.read(10)) == (b"abc", b"")
    assert (reader.ended, reader.broken, reader.unread) == (True, True, 0)


class Looking(Observer):
    """Counts how often it is given something to look at."""

    looks = 0

    def __init__(self, head: Head) -> None:
        super().__init__(head, Watching(Path(), Path(), preview=False, captures=None))

    def response_content(self, content: bytes) -> None:
        type(self).looks += 1
        super().response_content(content)


@contextlib.asynccontextmanager
async def passing_from(
    api: Callable[[asyncio.StreamWriter], Awaitable[None]], accepted: list[asyncio.StreamWriter]
) -> AsyncIterator[int]:
    """A pass-through to an API that answers so; yields its port."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            await api(writer)
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as listening:
        upstream = Upstream("http", "127.0.0.1", listening.sockets[0].getsockname()[1], "")
        server = PassThrough(upstream, Connections(upstream, None), "secret", Looking, lambda _: None)

        def accept(reader: Reader, writer: asyncio.StreamWriter) -> None:
            accepted.append(writer)
            server.accept(reader, writer)

        async with serving(accept) as port:
            yield port


async def test_many_small_chunks_pass_as_they_are_and_are_looked_at_together() -> None:
    sent = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + b"1\r\nx\r\n" * 20_000
    sent += b"0\r\n\r\n"

    async def api(writer: asyncio.StreamWriter) -> None:
        writer.write(sent)
        await writer.drain()

    async with passing_from(api, []) as port:
        assert await asked(port) == sent
    assert 0 < Looking.looks < 1000


async def test_heads_without_end_are_not_kept_for_a_client_that_does_not_read() -> None:
    accepted: list[asyncio.StreamWriter] = []
    sent = held = unchanged = 0

    async def api(writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        while True:
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000)
            await writer.drain()
            sent += 25_000

    async with passing_from(api, accepted) as port:
        _, client = await asyncio.open_connection("127.0.0.1", port, limit=1000)
        client.write(b"GET /secret/a HTTP/1.1\r\n\r\n")
        while sent < 50_000_000 and unchanged < 2000:  # until nobody takes any more
            before = sent
            await asyncio.sleep(0)
            unchanged = unchanged + 1 if sent == before and sent else 0
            held = max([held, *(writer.transport.get_write_buffer_size() for writer in accepted)])
        await gone(client)
    assert sent
    assert held < 1_000_000
