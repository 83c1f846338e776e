"""Conversations as the command line names them: their ids, which may be shortened, and their titles.

An item is a conversation as `GET /api/paliadin/conversations` gives it (docs/http.md).
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from paliadin.base.errors import NotFound, PaliadinError
from paliadin.base.session_names import SessionName
from paliadin.base.terminal_text import one_line, title_line
from paliadin.cli.client import DaemonClient

Item = Mapping[str, Any]

MAIN = "main"
UNTITLED = "no question yet"
SHORTEST = 6  # characters of an id that are shown, if no other id begins so
MOST_NAMED = 10  # conversations that an error names
TITLE_IN_ERROR = 40  # characters
_MADE_BY_DAEMON = re.compile("[a-z0-9]{12}")


async def find_id(daemon: DaemonClient, text: str) -> str:
    """Return the id of the conversation that the text names; raises as `find` does. `main` is not looked up."""
    return MAIN if text == MAIN else str((await find(daemon, text))["id"])


async def find(daemon: DaemonClient, text: str) -> Item:
    """Return the conversation with this id, or the only one whose id begins so.

    Raises NotFound, and PaliadinError `ambiguous_conversation` if there are several.
    """
    key = daemon.names.short(text.strip()) or text.strip()
    active, archived = await asyncio.gather(daemon.get("conversations"), daemon.get("conversations", archived="1"))
    items = [*active["conversations"], *archived["conversations"]]
    found = _matches(items, key) or _matches(await _unlisted(daemon), key)
    if len(found) == 1:
        return found[0]
    if found:
        raise PaliadinError(
            f"{len(found)} conversations have an id that begins with {key!r}",
            hint=f"Give more of it: {_named(found, whole=True)}.",
            code="ambiguous_conversation",
        )
    raise NotFound(
        f"there is no conversation {key!r}",
        hint=f"There are: {_named(items)}. `paliadin conversations list` shows them.",
        code="unknown_session",
    )


async def _unlisted(daemon: DaemonClient) -> list[Item]:
    """Conversations in which nobody has asked anything yet are sessions all the same."""
    return [{"id": session["name"], "title": ""} for session in (await daemon.get("sessions"))["sessions"]]


def _matches(items: Sequence[Item], key: str) -> list[Item]:
    exact = [item for item in items if item["id"] == key]
    return exact or [item for item in items if _begins(str(item["id"]), key)]


def _begins(conversation_id: str, key: str) -> bool:
    """Tell whether the id begins so; of `k3m9wq2x7abc@office` also `k3m9@office` is a beginning."""
    if not key:
        return False
    whole, part = SessionName.parse(conversation_id), SessionName.parse(key)
    return conversation_id.startswith(key) or (whole.place == part.place and whole.session.startswith(part.session))


def _named(items: Sequence[Item], *, whole: bool = False) -> str:
    ids = [str(item["id"]) for item in items]
    shown = ids if whole else shorten(ids)
    names = [f"{one_line(name)} ({title_of(item, TITLE_IN_ERROR)})" for name, item in zip(shown, items, strict=True)]
    return ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")


def shorten(ids: Sequence[str]) -> list[str]:
    """Return the beginning of each id that the daemon has made, unless another begins so; other names as they are."""
    beginnings = Counter(each[:SHORTEST] for each in ids)
    return [
        each[:SHORTEST]
        if _MADE_BY_DAEMON.fullmatch(SessionName.parse(each).session) and beginnings[each[:SHORTEST]] == 1
        else each
        for each in ids
    ]


def title_of(item: Item, longest: int | None = None) -> str:
    """Return the conversation's title, safe for a terminal; it is anybody's text."""
    return title_line(str(item.get("title") or ""), longest) or UNTITLED
