"""Conversations as the command line names and lists them.

An item is a conversation as `GET /api/paliadin/conversations` gives it (docs/http.md).
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from paliadin.base.errors import NotFound, PaliadinError
from paliadin.base.session_names import SessionName
from paliadin.base.terminal_text import one_line, title_line
from paliadin.cli.client import DaemonClient
from paliadin.cli.console import local_time, print_table
from paliadin.cli.texts import phrase

Item = Mapping[str, Any]

MAIN = "main"
UNTITLED = "no question yet"
SHORTEST = 6  # characters of an id that are shown, if no other id begins so
MOST_NAMED = 10  # conversations that an error names
TITLE_IN_ERROR = 40  # characters
LONGEST_TITLE = 120  # characters
TITLE_WIDTH = 30  # characters of a title that say what it is about
TITLE_BESIDE_MATCH = 30  # characters of a title beside the text that a search found
LONGEST_MATCH = 160  # characters
_MADE_BY_DAEMON = re.compile("[a-z0-9]{12}")


async def find_id(daemon: DaemonClient, text: str) -> str:
    """Return the id of the conversation that the text names; raises as `find` does. `main` is not looked up."""
    return MAIN if text == MAIN else str((await find(daemon, text))["id"])


async def find(daemon: DaemonClient, text: str) -> Item:
    """Return the conversation with this id, or the only one whose id begins so.

    Raises NotFound, and PaliadinError `ambiguous_conversation` if there are several.
    """
    key = daemon.names.short(text.strip()) or text.strip()
    active, archived = await asyncio.gather(
        daemon.send("GET", "conversations"), daemon.send("GET", "conversations", archived="1")
    )
    items = [*active["conversations"], *archived["conversations"]]
    matches = _matches(items, key) or _matches(await _unlisted(daemon), key)
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise PaliadinError(
            f"{len(matches)} conversations have an id that begins with {key!r}",
            hint=f"Give more of it: {_named(matches, whole=True)}.",
            code="ambiguous_conversation",
        )
    raise NotFound(
        f"there is no conversation {key!r}",
        hint=f"There are: {_named(items)}. `paliadin conversations list` shows them.",
        code="unknown_session",
    )


async def _unlisted(daemon: DaemonClient) -> list[Item]:
    """Return all sessions as conversations: those in which nobody has asked anything yet are listed there only."""
    return [{"id": session["name"], "title": ""} for session in (await daemon.send("GET", "sessions"))["sessions"]]


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
    shown_ids = ids if whole else shorten(ids)
    names = [
        f"{one_line(name)} ({title_of(item, TITLE_IN_ERROR)})" for name, item in zip(shown_ids, items, strict=True)
    ]
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


def described(item: Item) -> str:
    """Return the conversation's id and title."""
    return f"{one_line(str(item['id']))} ({title_of(item)})"


def print_conversations(items: Collection[Item], hosts: Sequence[str]) -> None:
    """Print a line per conversation; the less important columns make room for the title.

    A terminal gets ids that are shortened, a pipe whole ones. `hosts`: where conversations can be, of which the table
    tells if there are several.
    """
    ids = [str(item["id"]) for item in items]
    is_search = any("match" in item for item in items)
    columns = {
        "id": shorten(ids) if sys.stdout.isatty() else ids,
        "last asked": [local_time(item.get("last_at")) for item in items],
        "state": [phrase(f"list.state.{state}", state) for state in (str(item.get("state") or "") for item in items)],
        "host": [str(item.get("host") or "") for item in items],
        "marks": [_marks(item) for item in items],
        "title": [title_of(item, TITLE_BESIDE_MATCH if is_search else LONGEST_TITLE) for item in items],
        "match": [title_line(str((item.get("match") or {}).get("excerpt") or ""), LONGEST_MATCH) for item in items],
    }
    if len({*hosts, *columns["host"]}) < 2:
        del columns["host"]
    if not is_search:
        del columns["match"]
    rows = list(zip(*columns.values(), strict=True))
    print_table(list(columns), rows, spare=("host", "marks", "last asked"), last_width=TITLE_WIDTH)


def _marks(item: Item) -> str:
    queued = item.get("queued") or 0
    marks = {"pinned": item.get("pinned"), "branch": item.get("branch_of"), f"{queued} queued": queued}
    return ", ".join(mark for mark, is_set in marks.items() if is_set)
