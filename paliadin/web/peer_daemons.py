"""Peers: other daemons that share this one's database. Requests for their sessions and turns are forwarded to them.

A forwarded request has the key that the peer gave this daemon, and names its caller in a header (`forwarding`), so
that the caller may do at the peer what they may do here. It is never forwarded a second time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cached_property
from typing import Any

import httpx2
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from paliadin.base import errors
from paliadin.base.session_names import SessionName
from paliadin.base.settings import Settings
from paliadin.people.caller import Caller
from paliadin.record.store import Store
from paliadin.web.forwarding import HEADER, compose_header
from paliadin.web.paths import API, route_path
from paliadin.web.scoped_routes import caller_of

log = logging.getLogger(__name__)

REQUEST_TIMEOUT = httpx2.Timeout(60, connect=2)  # seconds; an abort waits for Claude, a stream has a ping every 15 s
LISTING_TIMEOUT = httpx2.Timeout(3, connect=1)
_REQUEST_HEADERS = ("content-type", "last-event-id")
_RESPONSE_HEADERS = ("content-type", "cache-control", "x-accel-buffering")

JsonObject = dict[str, Any]


class Peers:
    """Finds the peer that has a session or a turn, and forwards requests to it.

    PALIADIN_PEERS names their addresses, PALIADIN_PEER_KEYS the key for each (docs/scaling.md).
    """

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings, self._store = settings, store
        self._peer_of_session: dict[str, str] = {}

    @cached_property
    def _client(self) -> httpx2.AsyncClient:
        """The HTTP client, made on first use: loading TLS takes a while, and most daemons have no peers."""
        # A proxy from the environment must never see a key.
        return httpx2.AsyncClient(timeout=REQUEST_TIMEOUT, trust_env=False)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Close the connections to the peers at the end of a `with` block."""
        try:
            yield
        finally:
            if self._settings.peers:
                await self._client.aclose()

    async def find_by_session(self, request: Request, session: object) -> str | None:
        """Return the name of the peer that has this session; None for a local, an unknown or a forwarded one."""
        if not self._settings.peers or not _may_be_forwarded(caller_of(request)) or not isinstance(session, str):
            return None
        if peer := self._settings.names.peer(session):
            return peer
        if self._settings.names.short(session) is None and session not in self._peer_of_session:
            await self.list_sessions()
        return self._peer_of_session.get(session)

    async def find_by_turn(self, request: Request, turn_id: str) -> str | None:
        """Return the name of the peer that has this turn, by the session in the turn's row; None if no peer has it."""
        if not self._settings.peers or not _may_be_forwarded(caller_of(request)):
            return None
        row = await self._store.turn(turn_id)
        return await self.find_by_session(request, row.session_id) if row else None

    async def list_sessions(self) -> list[JsonObject]:
        """List the peers' sessions as in `GET /api/paliadin/sessions`; a peer out of reach has one, `unreachable`."""
        sessions_by_peer = await asyncio.gather(*(self._sessions_of(name) for name in self._settings.peers))
        return [session for sessions in sessions_by_peer for session in sessions]

    async def list_conversations(self, caller: Caller, query: Mapping[str, str]) -> list[JsonObject]:
        """List the peers' conversations as in `GET /api/paliadin/conversations`, by their full names.

        A peer that is out of reach, or of an earlier version, has none.
        """
        listed = await asyncio.gather(*(self._conversations_of(name, caller, query) for name in self._settings.peers))
        return [item for items in listed for item in items]

    async def _conversations_of(self, peer: str, caller: Caller, query: Mapping[str, str]) -> list[JsonObject]:
        try:
            response = await self._client.get(
                self._url(peer) + f"{API}/conversations",
                params=dict(query),
                headers=self._headers(peer, caller),
                timeout=LISTING_TIMEOUT,
            )
            response.raise_for_status()
            items: list[JsonObject] = response.json()["conversations"]
            self._peer_of_session.update({str(item["id"]): peer for item in items})
        except (httpx2.HTTPError, ValueError, KeyError, TypeError) as error:
            log.info("the conversations of the daemon %s are not listed: %s", peer, type(error).__name__)
            return []
        return items

    async def _sessions_of(self, peer: str) -> list[JsonObject]:
        try:
            headers = self._headers(peer, Caller.owner())
            response = await self._client.get(
                self._url(peer) + f"{API}/sessions", headers=headers, timeout=LISTING_TIMEOUT
            )
            self._check_key(peer, response)
            response.raise_for_status()
            sessions: list[JsonObject] = response.json()["sessions"]
            self._peer_of_session.update({str(session["name"]): peer for session in sessions})
        except (errors.RelayUnreachable, httpx2.HTTPError, ValueError, KeyError, TypeError) as error:
            reason = error if isinstance(error, errors.RelayUnreachable) else self._unreachable(peer, error)
            session = {"name": str(SessionName("main", peer)), "host": peer, "state": "unreachable", "ok": False}
            nothing = {"screen": "", "running_turn": None, "background_tasks": 0}
            return [{**session, "message": reason.message, "hint": reason.hint, **nothing}]
        return sessions

    async def forward(self, peer: str, request: Request, body: bytes | None = None) -> Response:
        """Send the request to the peer and stream its response back; raises RelayUnreachable when there is none."""
        headers = self._headers(peer, caller_of(request))
        headers |= {name: request.headers[name] for name in _REQUEST_HEADERS if name in request.headers}
        url = self._url(peer) + route_path(request.scope)
        forwarded = self._client.build_request(
            request.method, url, params=dict(request.query_params), headers=headers, content=body
        )
        try:
            response = await self._client.send(forwarded, stream=True)
        except httpx2.HTTPError as error:
            raise self._unreachable(peer, error) from error
        if response.status_code == 401:
            await response.aclose()
        self._check_key(peer, response)
        kept = {name: response.headers[name] for name in _RESPONSE_HEADERS if name in response.headers}
        return StreamingResponse(_chunks(response), response.status_code, kept)

    async def events(self, peer: str, caller: Caller, query: Mapping[str, str]) -> AsyncIterator[bytes]:
        """Yield the blocks of the page's stream at the peer, each whole. Raises RelayUnreachable."""
        url, rest = self._url(peer) + f"{API}/events", b""
        try:
            async with self._client.stream(
                "GET", url, params=dict(query), headers=self._headers(peer, caller)
            ) as response:
                self._check_key(peer, response)
                response.raise_for_status()
                async for chunk in response.aiter_bytes():
                    *blocks, rest = (rest + chunk).split(b"\n\n")
                    if blocks:
                        yield b"\n\n".join(blocks) + b"\n\n"
        except httpx2.HTTPError as error:
            raise self._unreachable(peer, error) from error

    def _headers(self, peer: str, caller: Caller) -> dict[str, str]:
        key = self._settings.peer_keys[peer]
        return {"Authorization": f"Bearer {key}", HEADER: compose_header(caller, self._settings.name)}

    def _check_key(self, peer: str, response: httpx2.Response) -> None:
        if response.status_code == 401:
            raise errors.RelayUnreachable(
                f"the daemon {peer} refuses this daemon's key",
                hint=f"Make one there with `paliadin token add {self._settings.name} --for peer`, and put it into "
                "PALIADIN_PEER_KEYS here.",
            )

    def _url(self, peer: str) -> str:
        return self._settings.peers[peer]

    def _unreachable(self, peer: str, error: Exception) -> errors.RelayUnreachable:
        return errors.RelayUnreachable(
            f"the daemon {peer} at {self._url(peer)} does not respond ({type(error).__name__})",
            hint=f"Check that Paliadin runs there and that this machine can reach {self._url(peer)}/livez.",
        )


def _may_be_forwarded(caller: Caller) -> bool:
    """True for the owner's requests that come from no peer: a member's conversation is at the daemon that is asked."""
    return caller.forwarded_by is None and not caller.is_member


async def _chunks(response: httpx2.Response) -> AsyncIterator[bytes]:
    """Yield the body as it arrives. A lost connection ends it: the client reconnects from its last event."""
    try:
        async for chunk in response.aiter_bytes():
            yield chunk
    except httpx2.HTTPError as error:
        log.warning("the response of a peer broke off: %s", type(error).__name__)
    finally:
        await response.aclose()
