"""Connections of the pass-through: streams that lose nothing when the other end breaks off, and connections to the API,
through a proxy and with TLS where needed, which are kept for the next request.
"""

from __future__ import annotations

import asyncio
import base64
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import SplitResult, unquote

from paliadin.live.upstream import NotPossible, Upstream

PIECE = 64 * 1024  # bytes that are read at once
CONNECT_TIMEOUT = 30.0  # seconds
FIRST_CONNECT_TIMEOUT = 5.0  # seconds; the start of Claude waits for it
MAX_PROXY_HEAD = 16 * 1024  # bytes
MAX_IDLE = 8  # connections to the API that are kept for the next request
MAX_IDLE_TIME = 120.0  # seconds; after a longer time, as of sleep, one may be dead and look alive


class Reader(asyncio.StreamReader):
    """A reader that returns the bytes that came before the connection broke; asyncio's own only raises the error.

    `ended`: nothing more comes. `broken`: because of an error. `unread`: the number of bytes that wait to be read.
    """

    def __init__(self, *, limit: int, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(limit, loop)
        self.ended = self.broken = False
        self.unread = 0

    def feed_data(self, data: Any) -> None:
        """Take bytes that have arrived."""
        self.unread += len(data)
        super().feed_data(data)

    async def read(self, n: int = -1) -> bytes:
        """Take up to `n` bytes; none at the end."""
        data = await super().read(n)
        self.unread -= len(data)
        return data

    async def readuntil(self, separator: bytes = b"\n") -> bytes:  # type: ignore[override]  # newer ones take a tuple
        """Read up to and with the separator; raises IncompleteReadError and LimitOverrunError."""
        data = await super().readuntil(separator)
        self.unread -= len(data)
        return data

    def feed_eof(self) -> None:
        """Take the end."""
        self.ended = True
        super().feed_eof()

    def set_exception(self, exc: Exception) -> None:  # noqa: ARG002  # its name is asyncio's
        """Take the end, with the error that caused it."""
        self.broken = True
        self.feed_eof()


Accept = Callable[[Reader, asyncio.StreamWriter], None]


def accepting(accept: Accept) -> Callable[[], asyncio.StreamReaderProtocol]:
    """Return a protocol factory by which a server accepts its connections with a Reader."""

    def protocol() -> asyncio.StreamReaderProtocol:
        loop = asyncio.get_running_loop()
        return asyncio.StreamReaderProtocol(Reader(limit=PIECE, loop=loop), accept, loop)  # type: ignore[arg-type]

    return protocol


@dataclass
class Connection:
    """A connection to the API."""

    reader: Reader
    writer: asyncio.StreamWriter
    is_reused: bool = False
    kept_at: float = field(default_factory=time.time)

    @property
    def is_usable(self) -> bool:
        """True if it seems open, and no unrequested bytes have come."""
        is_young = abs(time.time() - self.kept_at) < MAX_IDLE_TIME
        is_silent = not self.reader.ended and not self.reader.unread
        return is_young and is_silent and not self.writer.transport.is_closing()


class Connections:
    """The connections to the API."""

    def __init__(self, upstream: Upstream, context: ssl.SSLContext | None) -> None:
        self._upstream, self._context = upstream, context
        self._idle: list[Connection] = []

    async def warm_up(self) -> None:
        """Open the first connection; raises NotPossible."""
        try:
            async with asyncio.timeout(FIRST_CONNECT_TIMEOUT):
                self._idle.append(await self._connect())
        except (OSError, TimeoutError) as error:
            reason = str(error) or f"no answer within {FIRST_CONNECT_TIMEOUT:.0f} s"
            raise NotPossible(f"{self._upstream.host} cannot be reached: {reason}") from error

    async def take(self, *, new: bool = False) -> Connection:
        """Return a kept connection, or a new one; raises OSError, also for a proxy that refuses, and TimeoutError."""
        while self._idle and not new:
            connection = self._idle.pop()
            if connection.is_usable:
                connection.is_reused = True
                return connection
            connection.writer.transport.abort()
        return await self._connect()

    def keep(self, connection: Connection) -> None:
        """Keep a connection, on which nothing is under way, for the next request."""
        connection.kept_at = time.time()
        self._idle.append(connection)
        if len(self._idle) > MAX_IDLE:
            self._idle.pop(0).writer.transport.abort()

    async def _connect(self) -> Connection:
        proxy = self._upstream.proxy
        async with asyncio.timeout(CONNECT_TIMEOUT):
            if proxy is None:
                return await _open(self._upstream.host, self._upstream.port, self._context)
            connection = await _open(str(proxy.hostname), proxy.port or 80, None)
            if self._context is None:
                return connection
            try:
                await _open_tunnel(self._upstream, connection)
                await connection.writer.start_tls(self._context, server_hostname=self._upstream.host)
            except BaseException:
                connection.writer.transport.abort()
                raise
            return connection


async def _open(host: str, port: int, context: ssl.SSLContext | None) -> Connection:
    loop = asyncio.get_running_loop()
    reader = Reader(limit=PIECE, loop=loop)
    protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
    transport, _ = await loop.create_connection(lambda: protocol, host, port, ssl=context)
    return Connection(reader, asyncio.StreamWriter(transport, protocol, reader, loop))


async def _open_tunnel(upstream: Upstream, connection: Connection) -> None:
    host = f"[{upstream.host}]" if ":" in upstream.host else upstream.host
    target = f"{host}:{upstream.port}"
    lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}", *proxy_authorization(upstream.proxy)]
    connection.writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
    try:
        head = await connection.reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        raise ConnectionError("the proxy gave no answer to CONNECT") from error
    status = head.split(b"\r\n", 1)[0].decode("ascii", "replace").split(" ")
    if len(head) > MAX_PROXY_HEAD or len(status) < 2 or status[1] != "200":
        reason = "".join(char for char in " ".join(status[1:])[:80] if char.isprintable())
        raise ConnectionError(f"the proxy refused CONNECT: {reason}")


def proxy_authorization(proxy: SplitResult | None) -> list[str]:
    """Return the header line with the name and password of the proxy's address, if it has them."""
    if proxy is None or proxy.username is None:
        return []
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return [f"Proxy-Authorization: Basic {base64.b64encode(pair.encode()).decode('ascii')}"]
