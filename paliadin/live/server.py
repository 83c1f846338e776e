"""The pass-through: it sends on what Claude Code and its API say to each other, and looks on.

Bytes go first: what arrives is sent on before it is parsed, and no error of parsing or of the disk reaches the
stream. It invents no response. Where the API cannot be reached, or breaks off, Claude's connection breaks, too.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field

from paliadin.live.framing import MAX_HEAD, Body, Head, MalformedMessage, request_body, response_body
from paliadin.live.observer import Observer
from paliadin.live.state import PROBE
from paliadin.live.upstream import NotPossible, Upstream, connect, proxy_authorization

PIECE = 64 * 1024  # bytes that are read at once
HEAD_TIMEOUT = 10.0  # seconds for the first head of a connection
MAX_STRANGERS = 32  # connections that have not named the secret path yet
MAX_REPLAY = 1024 * 1024  # bytes of a request that are kept in case a kept-alive connection turns out closed
MAX_IDLE = 8  # connections to the API that are kept for the next request

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class _Closed(Exception):
    """A kept-alive connection to the API turned out closed, and nothing of a response had come."""


@dataclass
class PassThrough:
    """The server. `secret` is the first part of the path that a request must have; `observe` makes its observer."""

    upstream: Upstream
    context: ssl.SSLContext | None
    secret: str
    observe: Callable[[Head], Observer]
    _idle: list[Connection] = field(default_factory=list)
    _strangers: dict[asyncio.StreamWriter, None] = field(default_factory=dict)  # oldest first
    _finishing: bool = False
    _serving: dict[asyncio.Task[None], bool] = field(default_factory=dict)  # by connection: a request is under way

    async def warm_up(self) -> None:
        """Open the first connection to the API; raises NotPossible."""
        try:
            self._idle.append(await connect(self.upstream, self.context, PIECE))
        except (OSError, TimeoutError) as error:
            raise NotPossible(f"{self.upstream.host} cannot be reached: {error or 'no answer'}") from error

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a new connection in a task of its own."""
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._serving[task] = False
        task.add_done_callback(lambda done: self._serving.pop(done, None))

    async def finish(self) -> None:
        """Close the connections on which nothing is under way, and wait for the others to end."""
        for task, is_busy in list(self._serving.items()):
            if not is_busy:
                task.cancel()
        self._finishing = True
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection of Claude's, until it or the API's closes."""
        _send_at_once(writer)
        self._strangers[writer] = None
        while len(self._strangers) > MAX_STRANGERS:
            oldest = next(iter(self._strangers))
            del self._strangers[oldest]
            oldest.transport.abort()
        try:
            client = _Client(reader, writer)
            while await self._serve_request(client) and not self._finishing:
                pass
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError, MalformedMessage, TimeoutError):
            pass  # whoever is at the other end sees that the connection ends
        finally:
            self._strangers.pop(writer, None)
            writer.close()

    async def _serve_request(self, client: _Client) -> bool:
        """Serve the next request; returns whether another may follow."""
        is_stranger = client.writer in self._strangers
        async with asyncio.timeout(HEAD_TIMEOUT if is_stranger else None):
            head = await client.read_head()
        if head is None:
            return False
        _, target = head.request
        secret, _, rest = target.removeprefix("/").partition("/")
        if not hmac.compare_digest(secret.encode(), self.secret.encode()):
            client.refuse(404, "Not Found")
            return False
        self._strangers.pop(client.writer, None)
        if rest == PROBE:
            client.writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
            return head.keeps_alive
        observer, task = self.observe(head), asyncio.current_task()
        if task:
            self._serving[task] = True
        try:
            return await self._exchange(client, head, self._sent_on(head, rest), observer)
        finally:
            if task:
                self._serving[task] = False
            observer.end()

    def _sent_on(self, head: Head, rest: str) -> bytes:
        """The request's head as the API gets it: its own path and host, and no compression."""
        method, _ = head.request
        path = f"{self.upstream.path}/{rest}"
        extra: list[str] = []
        if self.upstream.proxy and self.upstream.scheme == "http":
            path, extra = f"http://{self.upstream.authority}{path}", proxy_authorization(self.upstream.proxy)
        changed = {"host": self.upstream.authority, "accept-encoding": "identity"}
        fields = [(name, changed.get(name.lower(), value)) for name, value in head.fields]
        fields += [(name, value) for name, _, value in (line.partition(": ") for line in extra)]
        return Head(f"{method} {path} HTTP/1.1", fields).encode()

    async def _exchange(self, client: _Client, head: Head, sent: bytes, observer: Observer) -> bool:
        body, replay = request_body(head), bytearray()
        while True:
            api, is_reused = await self._connection()
            exchange = _Exchange(client, api, observer, replay if is_reused else None)
            keep = client_keeps = False
            try:
                keep, client_keeps = await exchange.run(sent + bytes(replay), head.request[0], body)
            except _Closed:
                continue
            finally:
                if keep and len(self._idle) < MAX_IDLE:
                    self._idle.append(api)
                else:
                    api[1].transport.abort()
            return client_keeps and head.keeps_alive

    async def _connection(self) -> tuple[Connection, bool]:
        """A connection to the API, and whether it has been used before."""
        while self._idle:
            reader, writer = self._idle.pop()
            if not (reader.at_eof() or writer.transport.is_closing()):
                return (reader, writer), True
            writer.transport.abort()
        connection = await connect(self.upstream, self.context, PIECE)
        _send_at_once(connection[1])
        return connection, False


class _Nothing(Exception):
    """The API's connection ended before anything of a response had come."""


class _Client:
    """Claude's side of a connection. What comes early, behind a request, is kept for the next one."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.is_gone = False
        self._early = b""

    async def read_head(self) -> Head | None:
        """The next request's head; None when the connection has ended. Raises MalformedMessage."""
        raw = self._early
        while b"\r\n\r\n" not in raw:
            if len(raw) > MAX_HEAD:
                self.refuse(431, "Request Header Fields Too Large")
                return None
            more = await self.reader.read(PIECE)
            if not more:
                return None
            raw += more
        end = raw.index(b"\r\n\r\n") + 4
        if end > MAX_HEAD:
            self.refuse(431, "Request Header Fields Too Large")
            return None
        self._early = raw[end:]
        return Head.parse(raw[:end])

    async def read(self) -> bytes:
        """The next bytes; raises ConnectionError when the connection has ended."""
        data, self._early = self._early or await self.reader.read(PIECE), b""
        if not data:
            self.is_gone = True
            raise ConnectionError("Claude closed its connection")
        return data

    def put_back(self, data: bytes) -> None:
        """Keep bytes that belong to the next request."""
        self._early = data

    async def wait_for_more(self) -> None:
        """Return when more has come than this request; raises ConnectionError when the connection has ended."""
        self.put_back(await self.read())

    def refuse(self, status: int, reason: str) -> None:
        """Send an empty response to what is no request of Claude's."""
        self.writer.write(f"HTTP/1.1 {status} {reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())


class _Exchange:
    """One request and its response, passed from one side to the other.

    `replay` collects what was sent of the body, on a connection that may turn out closed; None: it is not to be sent
    again.
    """

    def __init__(self, client: _Client, api: Connection, observer: Observer, replay: bytearray | None) -> None:
        self._client, self._observer, self._replay = client, observer, replay
        self._reader, self._writer = api

    async def run(self, beginning: bytes, method: str, body: Body) -> tuple[bool, bool]:
        """Pass all of it, first the `beginning`; returns whether the API's connection and Claude's can be used again.

        `body` is the framing of the request's, as far as it has come. Raises OSError when a side breaks off,
        MalformedMessage, or _Closed.
        """
        self._writer.write(beginning)
        sending = asyncio.create_task(self._send_request(body))
        responding = asyncio.create_task(self._send_response(method))
        try:
            await asyncio.wait({sending, responding}, return_when=asyncio.FIRST_COMPLETED)
            if self._client.is_gone or isinstance(_error(sending), MalformedMessage):  # gone, as at Escape
                sending.result()
            head, keep = await responding
        except _Nothing as error:
            if self._replay is not None and len(self._replay) <= MAX_REPLAY and not self._client.is_gone:
                raise _Closed from error
            raise ConnectionError("the API closed the connection") from error
        finally:
            for task in (sending, responding):
                task.cancel()
            await asyncio.gather(sending, responding, return_exceptions=True)
        keep = keep and body.complete
        return keep, keep and head.keeps_alive

    async def _send_request(self, body: Body) -> None:
        """Send on the request's body, then wait for the end of Claude's connection: raises ConnectionError then."""
        client = self._client
        while not body.complete:
            data = await client.read()
            content = list(body.feed(data))
            passed = data[: len(data) - len(body.rest)]
            client.put_back(body.rest)
            self._writer.write(passed)
            if self._replay is not None and len(self._replay) <= MAX_REPLAY:
                self._replay += passed
            for piece in content:
                self._observer.request_content(piece)
            await self._writer.drain()
        await client.wait_for_more()

    async def _send_response(self, method: str) -> tuple[Head, bool]:
        """Send on the response; returns its head, and whether the API's connection can be used again."""
        write = self._client.writer.write
        while (head := Head.parse(raw := await self._read_head())).status < 200:
            write(raw)
        write(raw)
        self._observer.response_head(head)
        body = response_body(head, method)
        while not body.complete:
            data = await self._reader.read(PIECE)
            if not data:
                if body.until_close:
                    break
                raise ConnectionError("the API broke off in its response")
            write(data)
            for piece in body.feed(data):
                self._observer.response_content(piece)
            await self._client.writer.drain()
        self._observer.response_complete()
        await self._client.writer.drain()
        return head, body.complete and head.keeps_alive and not body.rest

    async def _read_head(self) -> bytes:
        try:
            return await self._reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError as error:
            if error.partial:
                raise ConnectionError("the API broke off in the head of its response") from error
            raise _Nothing from error
        except ConnectionError as error:
            raise _Nothing from error
        except asyncio.LimitOverrunError as error:
            raise MalformedMessage("the head of the response is too long") from error


def _error(task: asyncio.Task[None]) -> BaseException | None:
    return task.exception() if task.done() and not task.cancelled() else None


def _send_at_once(writer: asyncio.StreamWriter) -> None:
    connection = writer.get_extra_info("socket")
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
