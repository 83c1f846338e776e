"""Of several web processes one leads; the others pass on to it what comes, and one of them takes over."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from paliadin.web import standby as standby_module
from paliadin.web.standby import LOCK, leaders_socket_path, leading

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Says back all that it hears, in capitals."""
    while data := await reader.read(65_536):
        writer.write(data.upper())
        await writer.drain()
    writer.close()


@contextlib.asynccontextmanager
async def leader(home: Path, handler: Handler = echo) -> AsyncIterator[asyncio.Server]:
    """A process that leads and serves."""
    async with leading(home, [], 1, lambda: pytest.fail("nobody else leads")) as path:
        path.unlink(missing_ok=True)
        server = await asyncio.start_unix_server(handler, path)
        yield server
        server.close()


@contextlib.asynccontextmanager
async def standby(
    home: Path, listener: socket.socket, most: int = 10, lead: Callable[[Path], Awaitable[None]] | None = None
) -> AsyncIterator[asyncio.Task[None]]:
    """A process that stands by; its task ends when it leads, or with `lead`."""
    stands_by = asyncio.Event()

    async def take_over() -> None:
        async with leading(home, [listener], most, stands_by.set) as path:
            await (lead(path) if lead else asyncio.sleep(0))

    task = asyncio.create_task(take_over())
    await asyncio.wait_for(stands_by.wait(), 5)
    yield task
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def said(listener: socket.socket, text: bytes) -> bytes:
    reader, writer = await asyncio.open_connection(*listener.getsockname())
    writer.write(text)
    try:
        return await reader.read(100)
    finally:
        writer.close()


async def test_it_passes_on_both_ways(tmp_path: Path, listener: socket.socket) -> None:
    async with leader(tmp_path), standby(tmp_path, listener):
        assert await asyncio.wait_for(said(listener, b"hello"), 5) == b"HELLO"
        assert await asyncio.wait_for(said(listener, b"again"), 5) == b"AGAIN"


async def test_a_slow_reader_gets_all_of_it_and_holds_nobody_up(tmp_path: Path, listener: socket.socket) -> None:
    whole, took = b"0123456789" * 3_000_000, asyncio.Event()

    async def much(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(whole)
        await writer.drain()
        took.set()
        writer.close()

    async with leader(tmp_path, much), standby(tmp_path, listener):
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(took.wait(), 0.3)  # what nobody reads is kept by the leader, and not in between
        assert len(await said(listener, b"x")) > 0
        assert await asyncio.wait_for(reader.read(), 10) == whole
        writer.close()


@pytest.mark.parametrize("more", [b"", b"0123456789" * 3_000_000], ids=["the rest of it", "most of it"])
async def test_a_client_that_takes_nothing_is_given_up(
    tmp_path: Path, listener: socket.socket, monkeypatch: pytest.MonkeyPatch, more: bytes
) -> None:
    monkeypatch.setattr(standby_module, "TAKES_NOTHING", 0.3)

    async def much(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"0123456789" * 1_000_000 + more)
        writer.close()

    async with leader(tmp_path, much), standby(tmp_path, listener, most=1):
        with socket.create_connection(listener.getsockname()):
            await asyncio.sleep(0.1)
            second = asyncio.create_task(said(listener, b"x"))
            assert await asyncio.wait_for(second, 10) == b"0123456789" * 10  # there was room for one


async def test_a_client_that_breaks_off_ends_the_leaders_side(tmp_path: Path, listener: socket.socket) -> None:
    ended = asyncio.Event()

    async def note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            await reader.read()
        ended.set()
        writer.close()

    async with leader(tmp_path, note), standby(tmp_path, listener):
        _reader, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(b"half a reque")
        await writer.drain()
        writer.transport.abort()
        await asyncio.wait_for(ended.wait(), 5)


async def test_the_leader_ends_a_connection(tmp_path: Path, listener: socket.socket) -> None:
    async def refuse(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"no")
        writer.close()

    async with leader(tmp_path, refuse), standby(tmp_path, listener):
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        assert await asyncio.wait_for(reader.read(), 5) == b"no"
        writer.close()


async def test_clients_beyond_the_most_wait(tmp_path: Path, listener: socket.socket) -> None:
    async with leader(tmp_path), standby(tmp_path, listener, most=1):
        first = await asyncio.open_connection(*listener.getsockname())
        first[1].write(b"first")
        assert await asyncio.wait_for(first[0].read(100), 5) == b"FIRST"
        second = asyncio.create_task(said(listener, b"second"))
        await asyncio.sleep(0.2)
        assert not second.done()
        first[1].close()
        assert await asyncio.wait_for(second, 5) == b"SECOND"


async def test_a_client_between_two_leaders_waits_for_the_next(tmp_path: Path, listener: socket.socket) -> None:
    with (tmp_path / LOCK).open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # one leads, and does not serve yet
        async with standby(tmp_path, listener) as takes_over:
            asking = asyncio.create_task(said(listener, b"anybody?"))
            await asyncio.sleep(0.2)
            assert not asking.done()
            fcntl.flock(file, fcntl.LOCK_UN)
            await asyncio.wait_for(takes_over, 5)
            server = await asyncio.start_server(echo, sock=listener)
            assert await asyncio.wait_for(asking, 5) == b"ANYBODY?"
            server.close()


async def test_what_was_passed_on_ends_when_it_takes_over(tmp_path: Path, listener: socket.socket) -> None:
    with (tmp_path / LOCK).open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        served = await asyncio.start_unix_server(echo, leaders_socket_path(tmp_path))
        async with standby(tmp_path, listener) as takes_over:
            reader, writer = await asyncio.open_connection(*listener.getsockname())
            writer.write(b"hello")
            assert await asyncio.wait_for(reader.read(100), 5) == b"HELLO"
            fcntl.flock(file, fcntl.LOCK_UN)
            await asyncio.wait_for(takes_over, 5)
            assert await asyncio.wait_for(reader.read(100), 5) == b""
            writer.close()
        served.close()


async def test_one_takes_over_and_the_other_passes_on_to_it(tmp_path: Path, listener: socket.socket) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        async with contextlib.AsyncExitStack() as stack:
            leads = await stack.enter_async_context(contextlib.AsyncExitStack())
            await leads.enter_async_context(leader(tmp_path))
            led: list[Path] = []

            async def lead(path: Path) -> None:
                led.append(path)
                path.unlink(missing_ok=True)
                async with await asyncio.start_unix_server(echo, path) as server:
                    await server.serve_forever()

            for each in (listener, other):
                await stack.enter_async_context(standby(tmp_path, each, lead=lead))
            await leads.aclose()
            first, second = (asyncio.create_task(said(each, b"hello")) for each in (listener, other))
            done, waiting = await asyncio.wait({first, second}, timeout=20, return_when=asyncio.FIRST_COMPLETED)
            assert [each.result() for each in done] == [b"HELLO"]
            await asyncio.sleep(0.2)
            assert not [each for each in waiting if each.done()], "the one that leads here serves no clients itself"
            assert len(led) == 1
            for task in waiting:
                task.cancel()
