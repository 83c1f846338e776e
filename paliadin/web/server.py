"""The HTTP server: uvicorn with its own way to accept connections, so that nobody can use them all up.

uvicorn waits for a request's head as long as the client likes, and asyncio logs a traceback for each connection that it
cannot accept. `connections` decides which connection is closed; here it is done.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import Callable, Iterator, Sequence

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from paliadin.web.connections import Activity, Connections

log = logging.getLogger(__name__)

TICK = 1.0  # seconds between looks for connections whose time is up, and updates of the Date header
AT_ONCE = 32  # connections that are accepted before others get their turn
RETRY = 0.1  # seconds until connections are accepted again after the system has refused one
RECEIVED_AT_ONCE = 16_384  # bytes; parsing them, in the smallest chunks, takes a few hundredths of a second


class Connection(H11Protocol):
    """A connection of uvicorn's that tells `connections` what it does. It knows HTTP only: no upgrade is heard of."""

    def __init__(self, config: uvicorn.Config, state: ServerState, connections: Connections[Connection]) -> None:
        super().__init__(config, state, {}, asyncio.get_running_loop())
        self._connections = connections
        self._dropped = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        transport.max_size = RECEIVED_AT_ONCE  # type: ignore[attr-defined]  # asyncio has no public way
        if self._dropped:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unset_keepalive_if_required()  # uvicorn keeps it, and with it this object, when the client resets
        self._connections.close(self)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self.note()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.note()

    def note(self) -> None:
        """Tell what the connection does now, and how much of its responses was not taken yet."""
        now = self.loop.time()
        self._connections.note(self, self._doing(), now)
        self._connections.note_unsent(self, self._unsent(), now)

    def drop(self) -> None:
        """Close the connection at once; unsent bytes are lost."""
        self._connections.close(self)
        self._dropped = True
        if self.transport is not None:
            self.transport.abort()

    def _doing(self) -> Activity:
        if self.cycle is None:
            return Activity.HEAD
        if not self.cycle.response_complete or self._unsent():
            return Activity.REQUEST
        # What follows a response may still be the body of its request: that is no head.
        begun = self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]
        return Activity.HEAD if begun else Activity.IDLE

    def _unsent(self) -> int:
        return self.transport.get_write_buffer_size()

    def _should_upgrade(self) -> bool:
        return False  # uvicorn's own logs two lines for each


class Acceptor:
    """Accepts connections of a listening socket. uvicorn closes it like one of asyncio's servers."""

    def __init__(
        self, listener: socket.socket, connect: Callable[[], Connection], connections: Connections[Connection]
    ) -> None:
        self._listener, self._connect, self._connections = listener, connect, connections
        self._loop = asyncio.get_running_loop()
        self._starting: set[asyncio.Task[None]] = set()
        self._retry: asyncio.TimerHandle | None = None
        listener.setblocking(False)
        self._listen()

    def close(self) -> None:
        """Accept no more connections; those that are open stay."""
        if self._retry:
            self._retry.cancel()
        self._loop.remove_reader(self._listener)

    async def wait_closed(self) -> None:
        """Wait until connections that were just accepted have begun."""
        await asyncio.gather(*self._starting)

    def _listen(self) -> None:
        self._loop.add_reader(self._listener, self._accept)

    def _accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                client, _address = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                self._rest(error)
                return
            self._begin(client)

    def _begin(self, client: socket.socket) -> None:
        while self._connections.full and (oldest := self._connections.next_to_go()):
            oldest.drop()
            log.warning(
                "more than %d connections: the one that was silent for longest is closed", self._connections.most
            )
        connection = self._connect()
        self._connections.open(connection, self._loop.time())
        client.setblocking(False)
        task = self._loop.create_task(self._start(connection, client))
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _start(self, connection: Connection, client: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(lambda: connection, client)
        except OSError:  # it is gone
            client.close()
            self._connections.close(connection)

    def _rest(self, error: OSError) -> None:
        """Wait a moment before accepting again: the system would refuse at once, and without an end."""
        log.warning("the system refuses a connection: %s", error.strerror)
        if error.errno in (errno.EMFILE, errno.ENFILE):
            for _ in range(AT_ONCE):
                if oldest := self._connections.oldest_silent():
                    oldest.drop()
        self._loop.remove_reader(self._listener)
        self._retry = self._loop.call_later(RETRY, self._listen)


class Server(uvicorn.Server):
    """A uvicorn server with at most `most` connections. It leaves signals to the caller, and is stopped by `stop`.

    uvicorn raises signals again once it has stopped, and the process would end before its parts are closed.
    `every_second` are called about once a second.
    """

    def __init__(self, app: ASGIApp, *, most: int, every_second: Sequence[Callable[[], None]]) -> None:
        # No access log: its lines would hold the token of the first visit.
        super().__init__(
            uvicorn.Config(
                app,
                http=H11Protocol,  # loaded only; `Connection` is used
                ws="none",
                access_log=False,
                log_config=None,
                lifespan="off",
                timeout_graceful_shutdown=1,
                server_header=False,
                proxy_headers=False,  # any program on this machine could send them
            )
        )
        self._connections: Connections[Connection] = Connections(most)
        self._every_second = every_second
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        """Stop serving; at the second call without waiting for anything."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self._stopped.set()

    async def startup(self, sockets: Sequence[socket.socket] | None = None) -> None:
        """Accept connections of the sockets, which listen."""

        def connect() -> Connection:
            return Connection(self.config, self.server_state, self._connections)

        self.servers = [Acceptor(each, connect, self._connections) for each in sockets or ()]  # type: ignore[misc]  # what uvicorn calls, it has
        self.started = True

    async def main_loop(self) -> None:
        """Wait until `stop`. uvicorn's own looks ten times a second, which is most of what an idle daemon costs."""
        while not await self.on_tick(0):
            self._close_overdue()
            for call in self._every_second:
                call()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK):
                    await self._stopped.wait()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def _close_overdue(self) -> None:
        for connection in self._connections.busy:
            connection.note()  # what it has not sent yet changes without its knowing
        for connection in self._connections.overdue(asyncio.get_running_loop().time()):
            connection.drop()
