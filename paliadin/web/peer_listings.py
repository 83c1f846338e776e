"""What a peer lists: read within limits, and taken only where it can be shown and is about sessions of that peer's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from typing import Any

import httpx2

from paliadin.base.session_names import SESSION, SessionName, SessionNames
from paliadin.base.strict_json import parse_storable_json

SECONDS = 3.0  # for a whole response: others wait for it
MOST_BYTES = 8 * 1024 * 1024

JsonObject = dict[str, Any]

_TEXTS = (
    "title",
    "origin",
    "first_turn",
    "person",
    "host",
    "state",
    "running_turn",
    "message",
    "hint",
    "screen",
    "live",
)
_NUMBERS = ("pinned", "created_at", "last_at", "ended_at", "cleared_at", "queued", "background_tasks", "retry_at")
_LARGEST = 2**53
LEAST: JsonObject = {"title": "", "created_at": None, "last_at": None}
"""What a conversation has at least."""


async def fetch(
    client: httpx2.AsyncClient,
    url: str,
    headers: Mapping[str, str],
    params: Mapping[str, str],
    check: Callable[[httpx2.Response], None],
) -> JsonObject:
    """Return the JSON object at `url`; `check` may refuse the response.

    Raises HTTPError, ValueError and TimeoutError.
    """
    headers, body = {**headers, "Accept-Encoding": "identity"}, bytearray()
    async with (
        asyncio.timeout(SECONDS),
        client.stream("GET", url, params=dict(params), headers=headers) as response,
    ):
        check(response)
        response.raise_for_status()
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > MOST_BYTES:
                raise ValueError(f"more than {MOST_BYTES} bytes")
    value = parse_storable_json(body.decode())
    if not isinstance(value, dict):
        raise ValueError("no JSON object")  # noqa: TRY004  # like what parse_json raises
    return value


def own_items(listed: object, key: str, belongs: Callable[[str], bool]) -> list[JsonObject]:
    """Return the items whose session, at `key`, belongs to the peer, each once; without those that cannot be shown."""
    items = listed if isinstance(listed, list) else []
    shown = {item[key]: item for item in items if _is_shown(item) and _is_name(item.get(key)) and belongs(item[key])}
    return list(shown.values())


def belongs_to(peer: str, names: SessionNames, sessions: Collection[str]) -> Callable[[str], bool]:
    """Return a function that tells whether a session may be this peer's. `sessions` are those of this daemon.

    It may be on a host of the peer's, whose name is not known here; not at this daemon, its hosts, and other peers.
    """
    hosts = {SessionName.parse(session).place for session in sessions}
    others = {None, names.daemon, *names.peers, *hosts} - {peer}
    return lambda session: SessionName.parse(session).place not in others


def _is_name(value: object) -> bool:
    return isinstance(value, str) and SESSION.fullmatch(value) is not None


def _is_shown(item: object) -> bool:
    if not isinstance(item, dict):
        return False
    texts = all(isinstance(item.get(name), str | None) for name in _TEXTS)
    numbers = all(item.get(name) is None or _is_number(item[name]) for name in _NUMBERS)
    return texts and numbers


def _is_number(value: object) -> bool:
    return isinstance(value, int) and 0 <= value < _LARGEST  # or a bool, such as `pinned`
