"""Several web processes of one state folder: one leads, the others pass their connections on to it, and one takes over.

The leader holds the lock of the file `web.lock`, which the kernel frees with the process, however that ends. The
leader's memory is not shared: the next leader reads the state folder, as a restarted daemon does.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import IO

from paliadin.base.command_socket import command_socket_path

log = logging.getLogger(__name__)

LOCK = "web.lock"
LOOK_EVERY = 0.1  # seconds between attempts to take the lead
RETRY = 0.05  # seconds between attempts to reach a leader that does not serve yet
TAKES_NOTHING = 30.0  # seconds until a client that takes nothing of what is sent to it is given up
AT_ONCE = 65_536  # bytes that are read and passed on at a time


def leaders_socket_path(home: Path) -> Path:
    """Return the path of the Unix socket at which the leader serves the others; using it gives no additional rights."""
    return command_socket_path(home).with_name("web.sock")


@contextlib.asynccontextmanager
async def leading(
    home: Path, listeners: Sequence[socket.socket], most: int, stands_by: Callable[[], object]
) -> AsyncIterator[Path]:
    """Lead during an `async with` block, which gets the path of the Unix socket at which it has to serve the others.

    Before that, connections to the listeners are passed on to the process that leads: `most` at once, others wait.
    `stands_by` is called once if another one leads. Between two leaders, and while the block makes itself ready,
    clients wait in the listeners' backlog.
    """
    path = leaders_socket_path(home)
    with (home / LOCK).open("a") as lock:
        if not _taken(lock):
            stands_by()
            await _stand_by(lock, path, listeners, most)
            log.warning("the web process that led has ended: this one takes over")
        yield path


def _taken(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


async def _stand_by(lock: IO[str], path: Path, listeners: Sequence[socket.socket], most: int) -> None:
    """Pass connections on until this process leads."""
    passing = _Passing(str(path), most)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(passing.serve(listener, group)) for listener in listeners]
        while not _taken(lock):
            await asyncio.sleep(LOOK_EVERY)
        for task in (*tasks, *passing.connections):
            task.cancel()


class _Passing:
    """Passes connections on to the Unix socket at `path`, byte by byte, and leaves all judgement to the leader."""

    def __init__(self, path: str, most: int) -> None:
        self._path, self._room = path, asyncio.Semaphore(most)
        self.connections: set[asyncio.Task[None]] = set()

    async def serve(self, listener: socket.socket, group: asyncio.TaskGroup) -> None:
        """Pass on every connection of this listener; endless.

        A client is accepted only when a leader is there for it.
        """
        listener.setblocking(False)
        while True:
            await self._room.acquire()
            try:
                client, leader = await self._both(listener)
            except BaseException:
                self._room.release()
                raise
            task = group.create_task(self._pass_on(client, leader))
            self.connections.add(task)
            task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        self.connections.discard(task)
        self._room.release()

    async def _both(self, listener: socket.socket) -> tuple[socket.socket, socket.socket]:
        """Wait for a client and for a leader."""
        while True:
            await _readable(listener)
            leader = await self._leader()
            try:
                client, _address = listener.accept()
            except (BlockingIOError, ConnectionAbortedError):  # it is gone
                leader.close()
            except OSError as error:
                leader.close()
                log.warning("the system refuses a connection: %s", error.strerror)
                await asyncio.sleep(RETRY)
            else:
                client.setblocking(False)
                return client, leader

    async def _leader(self) -> socket.socket:
        """Connect to the leader; waits until one serves."""
        while True:
            with contextlib.ExitStack() as unless_connected:
                leader = unless_connected.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
                leader.setblocking(False)
                with contextlib.suppress(OSError):  # it begins, or ends, just now
                    await asyncio.get_running_loop().sock_connect(leader, self._path)
                    unless_connected.pop_all()
                    return leader
            await asyncio.sleep(RETRY)

    async def _pass_on(self, client: socket.socket, leader: socket.socket) -> None:
        """Pass bytes on in both directions until the leader's side ends."""
        from_client, to_client = await asyncio.open_connection(sock=client, limit=AT_ONCE)
        from_leader, to_leader = await asyncio.open_connection(sock=leader, limit=AT_ONCE)
        asking = asyncio.create_task(_copy(from_client, to_leader))
        try:
            # The leader gives such a client up as well; but its end is not seen behind what the client does not take.
            await _copy(from_leader, to_client, TAKES_NOTHING)
            to_client.close()
            with contextlib.suppress(OSError):
                async with asyncio.timeout(TAKES_NOTHING):
                    await to_client.wait_closed()
        finally:
            asking.cancel()
            for writer in (to_client, to_leader):
                writer.transport.abort()


async def _readable(listener: socket.socket) -> None:
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(listener, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(listener)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, takes_nothing: float | None = None) -> None:
    """Copy to the end of the reader, then end the writer, too. A side that breaks off ends both.

    So does a writer that takes nothing for `takes_nothing` seconds.
    """
    try:
        while data := await reader.read(AT_ONCE):
            writer.write(data)
            async with asyncio.timeout(takes_nothing):
                await writer.drain()
        writer.write_eof()
    except OSError:  # or TimeoutError, which is one
        writer.transport.abort()
