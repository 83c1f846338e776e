"""Peers: other daemons that share this one's database. Requests for their sessions and turns are forwarded to them.

A forwarded request has the key that the peer gave this daemon, and names its caller in a header (`forwarding`), so
that the caller may do at the peer what they may do here. It is never forwarded a second time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from functools import cached_property
from http import HTTPStatus
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import httpx2
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from paliadin.base import errors
from paliadin.base.session_names import SessionName
from paliadin.base.settings import Settings
from paliadin.people.caller import Caller
from paliadin.record.store import Store
from paliadin.web import peer_listings
from paliadin.web.doors.server_sent_events import may_be_of
from paliadin.web.forwarding import HEADER, compose_header
from paliadin.web.paths import API, route_path
from paliadin.web.route_declaration import JSON
from paliadin.web.scoped_routes import caller_of

log = logging.getLogger(__name__)

REQUEST_TIMEOUT = httpx2.Timeout(60, connect=2)  # seconds; an abort waits for Claude, a stream has a ping every 15 s
LISTING_TIMEOUT = 3.0  # seconds for a whole list: others wait for it
SO_FAR_TIMEOUT = 10.0  # seconds
MOST_BYTES = 8 * 1024 * 1024  # of a list, of one event of a stream, and of all that a stream has so far
_REQUEST_HEADERS = ("content-type", "last-event-id")
_STATUSES = frozenset(map(int, HTTPStatus))
_RESPONSE_HEADERS = ("content-type", "cache-control", "x-accel-buffering")

JsonObject = dict[str, Any]


class Peers:
    """Finds the peer that has a session or a turn, and forwards requests to it.

    PALIADIN_PEERS names their addresses, PALIADIN_PEER_KEYS the key for each (docs/scaling.md).
    """

    def __init__(self, settings: Settings, store: Store, sessions: Callable[[], Collection[str]] = tuple) -> None:
        self._settings, self._store, self._sessions = settings, store, sessions
        self._listed: dict[tuple[str, str], frozenset[str]] = {}  # by peer and kind of list, the sessions in it

    @cached_property
    def _client(self) -> httpx2.AsyncClient:
        """The HTTP client, made on first use: loading TLS takes a while, and most daemons have no peers."""
        # A proxy from the environment must never see a key.
        client = httpx2.AsyncClient(timeout=REQUEST_TIMEOUT, trust_env=False)
        client.cookies.jar.set_policy(
            DefaultCookiePolicy(allowed_domains=())
        )  # else one peer could send them to another
        return client

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
        if self._settings.names.short(session) is not None:
            return None
        if not any(session in listed for listed in self._listed.values()):
            await self.list_sessions()
        peers = {peer for (peer, _), listed in self._listed.items() if session in listed}
        return peers.pop() if len(peers) == 1 else None  # what two of them name is neither's

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

        A peer that is out of reach has none.
        """
        lists = await asyncio.gather(*(self._conversations_of(name, caller, query) for name in self._settings.peers))
        return [item for items in lists for item in items]

    async def _conversations_of(self, peer: str, caller: Caller, query: Mapping[str, str]) -> list[JsonObject]:
        try:
            items = await self._list(peer, "conversations", "id", caller, query)
        except (errors.RelayUnreachable, httpx2.HTTPError, ValueError, TimeoutError) as error:
            log.info("the conversations of the daemon %s are not listed: %s", peer, type(error).__name__)
            return []
        return [peer_listings.LEAST | item for item in items]

    async def _sessions_of(self, peer: str) -> list[JsonObject]:
        try:
            sessions = await self._list(peer, "sessions", "name", Caller.owner(), {})
        except (errors.RelayUnreachable, httpx2.HTTPError, ValueError, TimeoutError) as error:
            reason = error if isinstance(error, errors.RelayUnreachable) else self._unreachable(peer, error)
            session = {"name": str(SessionName("main", peer)), "host": peer, "state": "unreachable", "ok": False}
            nothing = {"screen": "", "running_turn": None, "background_tasks": 0}
            return [{**session, "message": reason.message, "hint": reason.hint, **nothing}]
        return sessions

    async def _list(self, peer: str, kind: str, key: str, caller: Caller, query: Mapping[str, str]) -> list[JsonObject]:
        """List the peer's items of this kind, without those that are not its own to list."""
        headers, body = {**self._headers(peer, caller), "Accept-Encoding": "identity"}, bytearray()
        url = f"{self._url(peer)}{API}/{kind}"
        async with (
            asyncio.timeout(LISTING_TIMEOUT),
            self._client.stream("GET", url, params=dict(query), headers=headers) as response,
        ):
            self._check_key(peer, response)
            response.raise_for_status()
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) > MOST_BYTES:
                    raise self._sends_something_else(peer, "a list")
        belongs = peer_listings.belongs_to(peer, self._settings.names, self._sessions())
        items = peer_listings.own_items(peer_listings.parse(bytes(body)).get(kind), key, belongs)
        if not query:  # else it is a part of them
            self._listed[peer, kind] = frozenset(item[key] for item in items)
        return items

    async def forward(self, peer: str, request: Request, media: Collection[str], body: bytes) -> Response:
        """Send the request to the peer and stream its response back, which has one of these media types.

        Raises RelayUnreachable when there is none.
        """
        headers = self._headers(peer, caller_of(request))
        headers |= {name: request.headers[name] for name in _REQUEST_HEADERS if name in request.headers}
        url = self._url(peer) + route_path(request.scope)
        forwarded = self._client.build_request(
            request.method, url, params=dict(request.query_params), headers=headers, content=body or None
        )
        try:
            response = await self._client.send(forwarded, stream=True)
        except httpx2.HTTPError as error:
            raise self._unreachable(peer, error) from error
        try:
            self._check_key(peer, response)
            self._check_kind(peer, response, media)
        except errors.RelayUnreachable:
            await response.aclose()
            raise
        passed_on = {name: response.headers[name] for name in _RESPONSE_HEADERS if name in response.headers}
        return StreamingResponse(_chunks(response), response.status_code, passed_on)

    async def events(self, peer: str, caller: Caller, query: Mapping[str, str]) -> AsyncIterator[bytes]:
        """Yield the blocks of the page's stream at the peer, each whole, but the list's. Raises RelayUnreachable."""
        url, rest = self._url(peer) + f"{API}/events", b""
        try:
            async with self._client.stream(
                "GET", url, params=dict(query), headers=self._headers(peer, caller)
            ) as response:
                self._check_key(peer, response)
                response.raise_for_status()
                async for chunk in response.aiter_bytes():
                    *blocks, rest = (rest + chunk).split(b"\n\n")
                    if b"\r" in chunk or len(rest) > MOST_BYTES:
                        raise self._sends_something_else(peer, "a page's stream")
                    if events := [block for block in blocks if not may_be_of(block, b"list")]:
                        yield b"\n\n".join(events) + b"\n\n"
        except httpx2.HTTPError as error:
            raise self._unreachable(peer, error) from error

    async def events_so_far(self, peer: str, caller: Caller, query: Mapping[str, str]) -> bytes:
        """Return the blocks of a stream that does not go on. Raises RelayUnreachable."""
        so_far = bytearray()
        try:
            async with asyncio.timeout(SO_FAR_TIMEOUT):
                async for blocks in self.events(peer, caller, query):
                    so_far += blocks
                    if len(so_far) > MOST_BYTES:
                        raise self._sends_something_else(peer, "a page's stream")
        except TimeoutError as error:
            raise self._unreachable(peer, error) from error
        return bytes(so_far)

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

    def _check_kind(self, peer: str, response: httpx2.Response, media: Collection[str]) -> None:
        """Refuse what the route itself never sends: a page or a script would be this daemon's own to the browser."""
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if response.status_code not in _STATUSES or kind not in ({JSON} if response.is_error else media):
            raise self._sends_something_else(peer, "what was asked for")

    def _sends_something_else(self, peer: str, wanted: str) -> errors.RelayUnreachable:
        return errors.RelayUnreachable(
            f"the daemon {peer} sends something else than {wanted}",
            hint="Install the same version of Paliadin for all daemons that share the database.",
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
