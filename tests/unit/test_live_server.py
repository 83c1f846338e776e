"""What goes wrong in the pass-through itself is reported, not printed: it could hold what passed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

import pytest

from paliadin.live.connections import MAX_IDLE_TIME, Connection, Connections, Reader, accepting
from paliadin.live.framing import Head
from paliadin.live.observer import Observer
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
