"""Parses a peer's lists: an item is taken only if it can be shown and is about a session of that peer's. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from paliadin.base.session_names import SESSION, SessionName, SessionNames
from paliadin.base.strict_json import parse_storable_json

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
"""The fields that every conversation in a list has; a peer's that lacks one gets this value."""


def parse(body: bytes) -> JsonObject:
    """Parse a response; raises ValueError."""
    value = parse_storable_json(body.decode())
    if not isinstance(value, dict):
        raise ValueError("no JSON object")  # noqa: TRY004  # like what the parser raises
    return value


def own_items(listed: object, key: str, belongs: Callable[[str], bool]) -> list[JsonObject]:
    """Return the items whose session, at `key`, belongs to the peer, each once; without those that cannot be shown."""
    items = listed if isinstance(listed, list) else []
    by_session = {
        item[key]: item for item in items if _is_shown(item) and _is_name(item.get(key)) and belongs(item[key])
    }
    return list(by_session.values())


def belongs_to(peer: str, names: SessionNames, sessions: Collection[str]) -> Callable[[str], bool]:
    """Return a function that tells whether a session may be this peer's. `sessions` are those of this daemon.

    It may be on a host of the peer's, whose name is not known here; not at this daemon, its hosts, and other peers.
    """
    hosts = {SessionName.parse(session).place for session in sessions}
    other_places = {None, names.daemon, *names.peers, *hosts} - {peer}
    return lambda session: SessionName.parse(session).place not in other_places


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
