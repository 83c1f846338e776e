"""The table of conversations."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime

from paliadin.base.terminal_text import title_line
from paliadin.cli.console import print_table
from paliadin.cli.conversations import Item, shorten, title_of

LONGEST_TITLE = 120  # characters
TITLE_WIDTH = 30  # characters of a title that say what it is about
TITLE_BESIDE_MATCH = 30  # characters of a title beside the text that a search found
LONGEST_MATCH = 160  # characters
STATES: Mapping[str, str] = {
    "parked": "parked",
    "starting": "starting",
    "ready": "ready",
    "busy": "working",
    "waiting": "waits for you",
    "failed": "failed",
    "unreachable": "unreachable",
}


def print_conversations(items: Sequence[Item], hosts: Sequence[str]) -> None:
    """Print a line per conversation; the less important columns make room for the title.

    A terminal gets ids that are shortened, a pipe whole ones. `hosts`: where conversations can be, of which the table
    tells if there are several.
    """
    ids = [str(item["id"]) for item in items]
    shown = shorten(ids) if sys.stdout.isatty() else ids
    found = any("match" in item for item in items)
    columns = {
        "id": shown,
        "last asked": [local_time(item.get("last_at"), "%Y-%m-%d %H:%M") for item in items],
        "state": [_state(item) for item in items],
        "host": [str(item.get("host") or "") for item in items],
        "marks": [", ".join(_marks(item)) for item in items],
        "title": [title_of(item, TITLE_BESIDE_MATCH if found else LONGEST_TITLE) for item in items],
        "match": [title_line(str((item.get("match") or {}).get("excerpt") or ""), LONGEST_MATCH) for item in items],
    }
    if len({*hosts, *columns["host"]}) < 2:
        del columns["host"]
    if not found:
        del columns["match"]
    rows = list(zip(*columns.values(), strict=True))
    print_table(list(columns), rows, spare=("host", "marks", "last asked"), last_width=TITLE_WIDTH)


def pinned_first(items: Sequence[Item]) -> list[Item]:
    """Return the items with the pinned ones first, each part in the order that it had."""
    return sorted(items, key=lambda item: not item.get("pinned"))


def local_time(milliseconds: int | None, form: str) -> str:
    """Return a time in the zone of this machine; empty if there is none."""
    return f"{datetime.fromtimestamp(milliseconds / 1000).astimezone():{form}}" if milliseconds else ""


def _state(item: Item) -> str:
    state = str(item.get("state") or "")
    return STATES.get(state, state)


def _marks(item: Item) -> list[str]:
    queued = item.get("queued") or 0
    marks = {"pinned": item.get("pinned"), "branch": item.get("branch_of"), f"{queued} queued": queued}
    return [mark for mark, is_set in marks.items() if is_set]
