"""The values that the page of one turn shows beside its row: neighbours, trace, the way to its conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from paliadin.base.session_names import MEMBER_FILE, SESSION
from paliadin.base.settings import Settings
from paliadin.events.timeline import waited_ms
from paliadin.live.capture_index import entries
from paliadin.record.row import TurnRow
from paliadin.record.snapshot import Snapshot
from paliadin.reports import listing
from paliadin.reports.criteria import Prices
from paliadin.reports.filters import FIRST_DAY, LAST_DAY, PARAMETERS, Filter
from paliadin.web.dashboard.locale import Locale
from paliadin.web.dashboard.shown_claims import shown_evidence
from paliadin.web.dashboard.shown_trace import shown_trace
from paliadin.web.paths import PAGE

LONGEST_SELECTION = 80  # characters: text selected in another application is private there
_PARAMETERS = {"span", "from", "to", *(PARAMETERS.get(each.name, each.name) for each in fields(Filter)[3:])}


def is_filtered(query: Mapping[str, str]) -> bool:
    """Tell whether an address names a choice of turns."""
    return not _PARAMETERS.isdisjoint(query)


async def find_all_neighbours(
    snapshot: Snapshot, row: TurnRow, chosen: Filter | None, zone: ZoneInfo
) -> dict[str, listing.Neighbours]:
    """Return the turns before and after this one: among those chosen (None: all), and in its conversation."""
    everything = Filter(FIRST_DAY, LAST_DAY, None)
    own = Filter(FIRST_DAY, LAST_DAY, None, session=row.session_id)
    return {
        "all": await listing.find_neighbours(snapshot, chosen or everything, zone, row),
        "conversation": await listing.find_neighbours(snapshot, own, zone, row),
    }


async def turn_values(settings: Settings, prices: Prices, row: TurnRow, locale: Locale) -> dict[str, Any]:
    """Return the values of the template turn.html, from the turn's row and, while it exists, its folder."""
    folder = listing.read_folder(settings, row.turn_id)
    first_text = (row.first_text_at - row.started_at).total_seconds() * 1000 if row.first_text_at else None
    return {
        "row": row,
        "context": [(name, _shortened(name, value)) for name, value in row.context.items()],
        "folder": folder,
        "captures": await asyncio.to_thread(entries, settings.captures_dir, row.turn_id),
        "daemon": settings.names.peer(row.session_id),
        "chips": folder.chips if folder else [],
        "first_text_ms": first_text,
        "waited_ms": waited_ms(row.interrupts),
        "evidence": shown_evidence(row, folder, locale),
        "trace": shown_trace(row, folder, locale),
        "cost": prices.cost(row.model or "", asdict(row)),
        "chat_path": chat_path(settings, row),
    }


def chat_path(settings: Settings, row: TurnRow) -> str:
    """Return the path of a turn at the chat page; "" if its conversation is gone, or is not the owner's.

    static/js/page/address.js makes the same path.
    """
    session = settings.names.short(row.session_id) or row.session_id
    folder = settings.sessions_dir / session
    if not SESSION.fullmatch(session) or (folder / MEMBER_FILE).exists():
        return ""
    if session != "main" and not folder.is_dir() and settings.names.peer(session) is None:
        return ""
    query = "" if session == "main" else f"?session={quote(session)}"
    return f"{PAGE}{query}#turn={row.turn_id}"


def _shortened(name: str, value: object) -> object:
    long = name == "user_selection_text" and isinstance(value, str) and len(value) > LONGEST_SELECTION
    return f"{str(value)[:LONGEST_SELECTION]} …" if long else value
