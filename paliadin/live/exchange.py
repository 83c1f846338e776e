"""Pass one request and its response on: bytes are sent first, and observed afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import re
import socket
import struct

from paliadin.live.connections import PIECE, Connection, Reader
from paliadin.live.framing import MAX_HEAD, Body, Head, MalformedMessage, response_body
from paliadin.live.observer import Observer

MAX_METHOD = 20  # bytes
_METHOD = re.compile(rb"[A-Z]{1,%d}" % MAX_METHOD)
MAX_REPLAY = 1024 * 1024  # bytes of a request that are kept in case a kept-alive connection turns out closed
LINGER = 5.0  # seconds in which the rest of a request is read that has its response already


class TurnedOutClosed(Exception):
    """A kept-alive connection to the API turned out to be closed, before anything of a response had come."""


class _ClosedUnused(Exception):
    """The API's connection ended before anything of a response had come."""


class Client:
    """Claude's side of a connection. Bytes that come early, behind a request, are kept for the next one."""

    def __init__(self, reader: Reader, writer: asyncio.StreamWriter, secret: str) -> None:
        self.writer = writer
        self._reader, self._prefix = reader, f"/{secret}".encode()
        self._early = b""

    @property
    def is_gone(self) -> bool:
        """True if the client has closed its connection."""
        return self._reader.ended

    async def read_head(self) -> Head | None:
        """Read the next request's head; None if the connection has ended or is refused. Raises MalformedMessage."""
        raw = self._early
        while not raw or (self._may_fit(raw) and b"\r\n\r\n" not in raw and len(raw) <= MAX_HEAD):
            more = await self._reader.read(PIECE)
            if not more:
                return None
            raw += more
        if not self._may_fit(raw):
            self.refuse(404, "Not Found")
            return None
        end = raw.find(b"\r\n\r\n") + 4
        if not 4 <= end <= MAX_HEAD:
            self.refuse(431, "Request Header Fields Too Large")
            return None
        self._early = raw[end:]
        return Head.parse(raw[:end])

    def _may_fit(self, raw: bytes) -> bool:
        """Tell whether the request may still have the secret path, as far as its first bytes show."""
        method, _, target = raw[: MAX_METHOD + 1 + len(self._prefix)].partition(b" ")
        if not _METHOD.fullmatch(method):
            return False
        size = len(self._prefix)
        return len(target) < size or hmac.compare_digest(target[:size], self._prefix)

    async def read(self) -> bytes:
        """Read the next bytes; raises ConnectionError when the connection has ended."""
        data, self._early = self._early or await self._reader.read(PIECE), b""
        if not data:
            raise ConnectionError("Claude closed its connection")
        return data

    def put_back(self, data: bytes) -> None:
        """Keep bytes that belong to the next request."""
        self._early = data

    async def wait_for_more(self) -> None:
        """Wait until bytes behind this request come; raises ConnectionError when the connection has ended."""
        self.put_back(await self.read())

    def refuse(self, status: int, reason: str) -> None:
        """Send an empty response to a request that is not Claude's."""
        self.writer.write(f"HTTP/1.1 {status} {reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())

    async def linger(self) -> None:
        """Read the rest of a request that has its response: if bytes stay unread, Claude could lose the response."""
        with contextlib.suppress(OSError, TimeoutError):
            self.writer.write_eof()
            async with asyncio.timeout(LINGER):
                while await self._reader.read(PIECE):
                    pass

    def break_off(self) -> None:
        """End the connection with an error, where a plain end would look like that of the response."""
        connection = self.writer.get_extra_info("socket")
        with contextlib.suppress(OSError):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class Exchange:
    """One request and its response, passed from one side to the other.

    `replay` collects the sent part of the body, on a connection that may turn out closed; None: it must not be sent
    again.
    """

    def __init__(self, client: Client, api: Connection, observer: Observer, replay: bytearray | None) -> None:
        self._client, self._observer, self._replay = client, observer, replay
        self._reader, self._writer = api.reader, api.writer

    async def run(self, beginning: bytes, method: str, body: Body) -> tuple[bool, bool]:
        """Pass all of it on, first the `beginning`; returns whether both connections can be used again.

        `body` is the framing of the request's body, as far as it has come. Raises OSError when a side breaks off,
        MalformedMessage, or TurnedOutClosed.
        """
        self._writer.write(beginning)
        sending = asyncio.create_task(self._send_request(body))
        responding = asyncio.create_task(self._send_response(method))
        try:
            await asyncio.wait({sending, responding}, return_when=asyncio.FIRST_COMPLETED)
            if self._client.is_gone or isinstance(_error(sending), MalformedMessage):  # gone, as at Escape
                raise ConnectionError("Claude closed its connection, or sent what is no request")
            head, keep = await responding
        except _ClosedUnused as error:
            if self._replay is not None and len(self._replay) <= MAX_REPLAY and not self._client.is_gone:
                raise TurnedOutClosed from error
            raise ConnectionError("the API closed the connection") from error
        finally:
            for task in (sending, responding):
                task.cancel()
            await asyncio.gather(sending, responding, return_exceptions=True)
        keep = keep and body.complete
        return keep, keep and head.keeps_alive

    async def _send_request(self, body: Body) -> None:
        """Send on the request's body, then wait for the end of Claude's connection, and raise ConnectionError."""
        client = self._client
        while not body.complete:
            data = await client.read()
            content = b"".join(body.feed(data))  # of many small chunks as one: each look takes its time
            passed = data[: len(data) - len(body.rest)]
            client.put_back(body.rest)
            self._writer.write(passed)
            if self._replay is not None and len(self._replay) <= MAX_REPLAY:
                self._replay += passed
            self._observer.request_content(content)
            await self._writer.drain()
        await client.wait_for_more()

    async def _send_response(self, method: str) -> tuple[Head, bool]:
        """Send on the response; returns its head, and whether the API's connection can be used again."""
        client = self._client
        head = await self._send_heads()
        self._observer.response_head(head)
        body = response_body(head, method)
        while not body.complete:
            data = await self._reader.read(PIECE)
            if not data:
                if body.until_close and not self._reader.broken:
                    break
                if body.until_close:
                    client.break_off()
                raise ConnectionError("the API broke off in its response")
            client.writer.write(data)
            self._observer.response_content(b"".join(body.feed(data)))
            await client.writer.drain()
        self._observer.response_complete()
        await client.writer.drain()
        return head, body.complete and head.keeps_alive and not body.rest

    async def _send_heads(self) -> Head:
        """Send on the heads up to the final one, which is returned."""
        is_first = True
        while True:
            raw = await self._read_head(is_first=is_first)
            head = Head.parse(raw)
            if head.status == 101:
                raise MalformedMessage("the API changes to another protocol, which nobody has asked for")
            self._client.writer.write(raw)
            if head.status >= 200:
                return head
            await self._client.writer.drain()
            is_first = False

    async def _read_head(self, *, is_first: bool) -> bytes:
        try:
            return await self._reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError as error:
            if is_first and not error.partial:
                raise _ClosedUnused from error
            raise ConnectionError("the API broke off in the head of its response") from error
        except asyncio.LimitOverrunError as error:
            raise MalformedMessage("the head of the response is too long") from error


def _error(task: asyncio.Task[None]) -> BaseException | None:
    return task.exception() if task.done() and not task.cancelled() else None
