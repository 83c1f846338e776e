"""Other daemons on the same database: what lives there is asked there, and the answer passed on as it comes.

A daemon that passes a request on says so in the header `Paliadin-For`: {"by", "person", "page_origin"}. Whoever holds
the owner's token may say that, and such a request is never passed on again.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from functools import cached_property
from typing import Any

import httpx2
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from paliadin import errors
from paliadin.config import Settings
from paliadin.store import Store

log = logging.getLogger(__name__)

HEADER = "paliadin-for"
API = "/api/paliadin"
PATIENCE = httpx2.Timeout(60, connect=2)  # seconds; an abort waits for Claude, a stream has a ping every 15 s
LISTING = httpx2.Timeout(3, connect=1)
_ASKED = ("content-type", "last-event-id")
_PASSED = ("content-type", "cache-control", "x-accel-buffering")

Json = dict[str, Any]


class Peers:
    """All daemons of a database have the same owner's token. See docs/scaling.md."""

    def __init__(self, settings: Settings, token: str, store: Store) -> None:
        self._settings, self._store = settings, store
        self._owners: dict[str, str] = {}  # session → the peer that has it
        self._token = token

    @cached_property
    def _client(self) -> httpx2.AsyncClient:
        """Not made at the start: its TLS takes a while, and most daemons have no peers."""
        # A proxy from the environment must never see the token.
        return httpx2.AsyncClient(headers={"Authorization": f"Bearer {self._token}"}, timeout=PATIENCE, trust_env=False)

    async def close(self) -> None:
        if self._settings.peers:
            await self._client.aclose()

    async def of_session(self, request: Request, session: object) -> str | None:
        """The name of the peer that has this session; None when it is ours, or nobody's."""
        if not self._settings.peers or passed_on(request) or not isinstance(session, str):
            return None
        if peer := self._settings.peer_of(session):
            return peer
        if self._settings.local_name(session) is None and session not in self._owners:
            await self.sessions()
        return self._owners.get(session)

    async def of_turn(self, request: Request, turn_id: str) -> str | None:
        """The name of the peer that has this turn; asked when there is no folder of it here."""
        if not self._settings.peers or passed_on(request):
            return None
        row = await self._store.turn(turn_id)
        return await self.of_session(request, row.session_id) if row else None

    async def sessions(self) -> list[Json]:
        """The peers' sessions, as `GET /api/paliadin/sessions` tells them; a peer that is away has one that says so."""
        told = await asyncio.gather(*(self._sessions_of(name) for name in self._settings.peers))
        return [session for sessions in told for session in sessions]

    async def _sessions_of(self, peer: str) -> list[Json]:
        try:
            headers = {HEADER: json.dumps({"by": self._settings.name})}
            answer = await self._client.get(self._url(peer) + f"{API}/sessions", headers=headers, timeout=LISTING)
            self._check_token(peer, answer)
            answer.raise_for_status()
            found: list[Json] = answer.json()["sessions"]
            self._owners.update({str(session["name"]): peer for session in found})
        except (errors.RelayUnreachable, httpx2.HTTPError, ValueError, KeyError, TypeError) as error:
            away = error if isinstance(error, errors.RelayUnreachable) else self._unreachable(peer, error)
            place = {"name": f"main@{peer}", "host": peer, "state": "unreachable", "ok": False}
            return [{**place, "message": away.message, "hint": away.hint, "screen": "", "running_turn": None}]
        return found

    async def forward(self, peer: str, request: Request, body: bytes | None = None) -> Response:
        """Ask the peer the same; raises RelayUnreachable when it does not answer."""
        said = {
            "by": self._settings.name,
            "person": getattr(request.state, "person", None),
            "page_origin": request.headers.get("origin"),
        }
        headers = {HEADER: json.dumps(said)}
        headers |= {name: request.headers[name] for name in _ASKED if name in request.headers}
        url = self._url(peer) + request.url.path
        asked = self._client.build_request(
            request.method, url, params=dict(request.query_params), headers=headers, content=body
        )
        try:
            answer = await self._client.send(asked, stream=True)
        except httpx2.HTTPError as error:
            raise self._unreachable(peer, error) from error
        if answer.status_code == 401:
            await answer.aclose()
        self._check_token(peer, answer)
        passed = {name: answer.headers[name] for name in _PASSED if name in answer.headers}
        return StreamingResponse(_pieces(answer), answer.status_code, passed)

    def _check_token(self, peer: str, answer: httpx2.Response) -> None:
        if answer.status_code == 401:
            raise errors.RelayUnreachable(
                f"the daemon {peer} does not know our token", hint="Give PALIADIN_TOKEN the same value at both."
            )

    def _url(self, peer: str) -> str:
        return self._settings.peers[peer]

    def _unreachable(self, peer: str, error: Exception) -> errors.RelayUnreachable:
        return errors.RelayUnreachable(
            f"the daemon {peer} at {self._url(peer)} does not answer ({type(error).__name__})",
            hint=f"See that Paliadin runs there, and that {self._url(peer)}/livez answers from this machine.",
        )


def passed_on(request: Request) -> Json:
    """What the daemon that passed the request on says of it; empty for everybody else's requests."""
    try:
        said = json.loads(request.headers.get(HEADER, "{}"))
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


async def _pieces(answer: httpx2.Response) -> AsyncIterator[bytes]:
    """The body as it comes. A line that breaks ends it: whoever follows a stream comes back with its number."""
    try:
        async for piece in answer.aiter_bytes():
            yield piece
    except httpx2.HTTPError as error:
        log.warning("a peer's answer broke off: %s", type(error).__name__)
    finally:
        await answer.aclose()
