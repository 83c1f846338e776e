"""The routes of the running daemon, for its owner."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from types import TracebackType
from typing import Any

import httpx2

from paliadin.config import Settings, owner_token
from paliadin.errors import PaliadinError
from paliadin.reduce import Event

PATIENCE = httpx2.Timeout(60, connect=3)  # seconds; an abort or a reset waits for Claude
SILENCE = httpx2.Timeout(40, connect=3)  # the stream has a ping every 15 s
RETRIES = (0.3, 1.0, 2.0, 4.0, 8.0)  # seconds before each try to follow on; a restart takes less than their sum
ENDINGS = frozenset({"end", "error"})


class NoDaemon(PaliadinError):
    code = "no_daemon"
    default_hint = "Start it with `paliadin up`."


class Daemon:
    """Every method raises NoDaemon when nothing answers, and PaliadinError in the daemon's words when it refuses."""

    def __init__(self, settings: Settings) -> None:
        self.url = settings.base_url
        # A proxy from the environment must never see the token.
        self._client = httpx2.AsyncClient(
            base_url=f"{self.url}/api/paliadin/",
            headers={"Authorization": f"Bearer {_token(settings)}"},
            timeout=PATIENCE,
            trust_env=False,
        )

    async def __aenter__(self) -> Daemon:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def get(self, path: str) -> Mapping[str, Any]:
        return await self._request("GET", path)

    async def post(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        return await self._request("POST", path, json=body)

    async def events(self, turn_id: str) -> AsyncIterator[Event]:
        """Each of a turn's events once, over as many connections as that takes; the last is `end` or `error`."""
        seen, delays = 0, iter(RETRIES)
        while True:
            try:
                async with aclosing(self._connection(turn_id, seen)) as events:
                    async for event in events:
                        if event.id <= seen:
                            continue
                        seen, delays = event.id, iter(RETRIES)
                        yield event
                        if event.name in ENDINGS:
                            return
            except httpx2.TransportError:
                pass
            delay = next(delays, None)
            if delay is None:
                raise NoDaemon(
                    "the daemon went away in mid-turn", hint="Start it with `paliadin up`; the turn is on its page."
                )
            await asyncio.sleep(delay)

    async def _connection(self, turn_id: str, seen: int) -> AsyncGenerator[Event, None]:
        stream = self._client.sse(
            f"stream/{turn_id}", headers={"Last-Event-ID": str(seen)}, timeout=SILENCE, max_event_size=None
        )
        async with stream as source:
            if source.response.status_code != 200:
                await source.response.aread()
                self._body(source.response)
            async for sent in source:
                # A ping has no number; it comes with that of the event before.
                yield Event(int(sent.id or 0), sent.event, _object(sent.json()))

    async def _request(self, method: str, path: str, **more: Any) -> Mapping[str, Any]:
        try:
            response = await self._client.request(method, path, **more)
        except httpx2.ConnectError as error:
            raise NoDaemon(f"no daemon at {self.url}") from error
        except httpx2.TransportError as error:
            raise NoDaemon(
                f"the daemon at {self.url} does not answer ({type(error).__name__})", hint="Run `paliadin doctor`."
            ) from error
        return self._body(response)

    def _body(self, response: httpx2.Response) -> Mapping[str, Any]:
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
            raise self.stranger()
        return body

    def stranger(self) -> PaliadinError:
        return PaliadinError(
            f"what answers at {self.url} is not Paliadin",
            hint="Another program may have the port: set PALIADIN_PORT, for the daemon and for this command.",
        )


def _token(settings: Settings) -> str:
    if not settings.token and not (settings.home / "token").is_file():
        raise NoDaemon(f"no daemon has run with {settings.home} yet")
    return owner_token(settings)


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
