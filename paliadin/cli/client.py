"""An HTTP client of the running daemon, over its Unix socket."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from types import TracebackType
from typing import Any, BinaryIO, TypeVar

import httpx2

from paliadin.base.command_socket import command_socket_path
from paliadin.base.errors import PaliadinError
from paliadin.base.running_daemon import load_daemon_settings
from paliadin.base.settings import Settings

T = TypeVar("T")
JsonObject = Mapping[str, Any]

REQUEST_TIMEOUT = httpx2.Timeout(60, connect=3)  # seconds; an abort or a reset waits for Claude
STREAM_TIMEOUT = httpx2.Timeout(40, connect=3)  # the stream has a ping every 15 s
RECONNECT_DELAYS = (0.3, 1.0, 2.0, 4.0, 8.0)  # seconds; a restart of the daemon takes less than their sum
FINAL_EVENTS = frozenset({"end", "error"})
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # a socket has none, and to read the system's takes 26 ms
UNNUMBERED = frozenset({"preview", "activity", "ping"})


@dataclass(frozen=True, slots=True)
class ReceivedEvent:
    """An event of a turn, as docs/http.md lists them."""

    id: int | None  # its number in the turn, from 1; None for what is provisional
    name: str
    data: JsonObject


class DaemonUnreachable(PaliadinError):
    """No daemon listens at its address, or it does not respond. Start it with `paliadin up`."""

    default_code = "no_daemon"
    default_hint = "Start it with `paliadin up`."


class DaemonClient:
    """The daemon's routes below /api/paliadin, as an async context manager.

    Every method raises DaemonUnreachable if there is no response, and PaliadinError with the daemon's own code, message
    and hint if it refuses the request.
    """

    def __init__(self, settings: Settings) -> None:
        self.url = settings.base_url
        self.names = settings.names
        self._home = settings.home
        self._client = httpx2.AsyncClient(
            base_url="http://paliadin/api/paliadin/",  # the name is not looked up
            transport=httpx2.AsyncHTTPTransport(uds=str(command_socket_path(settings.home)), verify=NO_CERTIFICATES),
            timeout=REQUEST_TIMEOUT,
            trust_env=False,
        )

    async def __aenter__(self) -> DaemonClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def send(self, method: str, path: str, body: JsonObject | None = None, /, **query: str) -> JsonObject:
        """Send a request, a POST or PATCH with a JSON object; returns the JSON object of the response."""
        return await self._send(method, path, params=query or None, json=body)

    async def health(self) -> JsonObject:
        """Request the health report (docs/http.md)."""
        report = await self.send("GET", "health")
        if not isinstance(report.get("parts"), list):
            raise self._not_paliadin()
        return report

    async def upload(self, path: str, name: str, source: BinaryIO, **query: str) -> JsonObject:
        """Send a file as the field `file` of a form; returns the JSON object of the response."""
        return await self._send("POST", path, params=query, files={"file": (name, source)})

    async def events(self, turn_id: str) -> AsyncIterator[ReceivedEvent]:
        """Yield each of a turn's events once, reconnecting if needed; the last is `end` or `error`.

        Events without a number come between them, as they are.
        """
        last_event_id, delays = 0, iter(RECONNECT_DELAYS)
        while True:
            try:
                async with aclosing(self._stream(turn_id, last_event_id)) as events:
                    async for event in events:
                        if event.id is not None:
                            if event.id <= last_event_id:
                                continue
                            last_event_id, delays = event.id, iter(RECONNECT_DELAYS)
                        yield event
                        if event.name in FINAL_EVENTS:
                            return
            except httpx2.TransportError:
                pass
            delay = next(delays, None)
            if delay is None:
                raise DaemonUnreachable(
                    "the connection to the daemon was lost during the turn",
                    hint="Start it with `paliadin up`; its page shows the turn.",
                )
            await asyncio.sleep(delay)

    async def _stream(self, turn_id: str, last_event_id: int) -> AsyncGenerator[ReceivedEvent, None]:
        stream = self._client.sse(
            f"stream/{turn_id}",
            headers={"Last-Event-ID": str(last_event_id)},
            timeout=STREAM_TIMEOUT,
            max_event_size=None,
        )
        async with stream as source:
            if source.response.status_code != 200:
                await source.response.aread()
                self._body(source.response)
            async for message in source:
                # The SSE client gives an event without an id that of the event before.
                number = None if message.event in UNNUMBERED else int(message.id or 0)
                if message.event != "ping":
                    yield ReceivedEvent(number, message.event, _object(message.json()))

    async def _send(self, method: str, path: str, **more: Any) -> JsonObject:
        try:
            response = await self._client.request(method, path, **more)
        except httpx2.ConnectError as error:
            raise DaemonUnreachable(f"no daemon runs with {self._home}") from error
        except httpx2.TransportError as error:
            raise DaemonUnreachable(
                f"the daemon at {self.url} does not respond ({type(error).__name__})", hint="Run `paliadin doctor`."
            ) from error
        return self._body(response)

    def _body(self, response: httpx2.Response) -> JsonObject:
        try:
            body = _object(response.json())
        except ValueError:
            body = {}
        refusal = body.get("error")
        if isinstance(refusal, Mapping):
            raise PaliadinError(
                str(refusal.get("message")), hint=str(refusal.get("hint") or ""), code=str(refusal.get("code"))
            )
        if not response.is_success or not body:
            raise self._not_paliadin()
        return body

    def _not_paliadin(self) -> PaliadinError:
        """The error for a response that no Paliadin daemon would send."""
        return PaliadinError(
            f"the program at {command_socket_path(self._home)} is not Paliadin",
            hint="End that program, then start the daemon with `paliadin up`.",
        )


def _object(value: object) -> JsonObject:
    return value if isinstance(value, Mapping) else {}


def ask_daemon(action: Callable[[DaemonClient], Awaitable[T]], settings: Settings | None = None) -> T:
    """Do something with a client of the running daemon, and return its result. Raises as `DaemonClient` does."""

    async def run() -> T:
        async with DaemonClient(settings or load_daemon_settings()) as daemon:
            return await action(daemon)

    return asyncio.run(run())


def send(method: str, path: str, body: JsonObject | None = None, /, **query: str) -> JsonObject:
    """Send one request to the running daemon, as `DaemonClient.send` does."""
    return ask_daemon(lambda daemon: daemon.send(method, path, body, **query))
