"""The pass-through: a server that passes on and observes the requests of Claude Code and the responses of its API.

Bytes are sent on before they are parsed, and no error of parsing or of the disk reaches the stream. The server
invents no response. Where the API cannot be reached, or breaks off, Claude's connection breaks, too.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable
from dataclasses import dataclass, field

from paliadin.live.connections import Connections, Reader, proxy_authorization
from paliadin.live.exchange import Client, Exchange, TurnedOutClosed
from paliadin.live.framing import Head, MalformedMessage, request_body
from paliadin.live.observer import Observer
from paliadin.live.state import PROBE
from paliadin.live.upstream import Upstream

HEAD_TIMEOUT = 10.0  # seconds for the first head of a connection
MAX_STRANGERS = 128  # connections that have not named the secret path yet


@dataclass
class PassThrough:
    """The server. `secret` is the first part of the path that a request must have; `observe` makes its observer.

    `report` is called with unexpected errors.
    """

    upstream: Upstream
    connections: Connections
    secret: str
    observe: Callable[[Head], Observer]
    report: Callable[[Exception], None]
    _strangers: dict[asyncio.StreamWriter, None] = field(default_factory=dict)  # oldest first
    _finishing: bool = False
    _serving: dict[asyncio.Task[None], bool] = field(default_factory=dict)  # by connection: a request is under way

    def accept(self, reader: Reader, writer: asyncio.StreamWriter) -> None:
        """Serve a new connection in a task of its own."""
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._serving[task] = False
        task.add_done_callback(lambda done: self._serving.pop(done, None))

    async def finish(self) -> None:
        """Close the idle connections, and wait for the others to end."""
        for task, is_busy in list(self._serving.items()):
            if not is_busy:
                task.cancel()
        self._finishing = True
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _serve(self, reader: Reader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection of Claude's, until it or the API's closes."""
        self._strangers[writer] = None
        while len(self._strangers) > MAX_STRANGERS:
            oldest = next(iter(self._strangers))
            del self._strangers[oldest]
            oldest.transport.abort()
        try:
            client = Client(reader, writer, self.secret)
            while await self._serve_request(client) and not self._finishing:
                pass
            await writer.drain()
        except (OSError, MalformedMessage, TimeoutError):
            pass  # whoever is at the other end sees that the connection ends
        except Exception as error:  # noqa: BLE001  # asyncio would print it
            self.report(error)
        finally:
            self._strangers.pop(writer, None)
            writer.close()

    async def _serve_request(self, client: Client) -> bool:
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
            await client.writer.drain()
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
        """Return the request's head as the API gets it: with the API's path and host, and without compression."""
        method, _ = head.request
        path = f"{self.upstream.path}/{rest}"
        extra: list[str] = []
        if self.upstream.proxy and self.upstream.scheme == "http":
            path, extra = f"http://{self.upstream.authority}{path}", proxy_authorization(self.upstream.proxy)
        changed = {"host": self.upstream.authority, "accept-encoding": "identity"}
        fields = [(name, changed.get(name.lower(), value)) for name, value in head.fields]
        fields += [(name, value) for name, value in changed.items() if head.get(name) is None]
        fields += [(name, value) for name, _, value in (line.partition(": ") for line in extra)]
        return Head(f"{method} {path} HTTP/1.1", fields).encode()

    async def _exchange(self, client: Client, head: Head, sent: bytes, observer: Observer) -> bool:
        body, replay = request_body(head), bytearray()
        is_repeated = False
        while True:
            api = await self.connections.take(new=is_repeated)
            exchange = Exchange(client, api, observer, replay if api.is_reused else None)
            keep = client_keeps = False
            try:
                if client.is_gone:
                    return False
                keep, client_keeps = await exchange.run(sent + bytes(replay), head.request[0], body)
            except TurnedOutClosed:
                is_repeated = True
                continue
            finally:
                if keep and head.keeps_alive:
                    self.connections.keep(api)
                else:
                    api.writer.transport.abort()
            if not body.complete:
                await client.linger()
            return client_keeps and head.keeps_alive
