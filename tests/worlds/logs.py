"""Lines of a turn log, and what the pure core makes of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paliadin.events.chips import Destinations
from paliadin.events.model import Event, as_json
from paliadin.events.reducer import Reducer
from paliadin.relays.turn import Turn
from paliadin.steps.claude_code import Translator
from paliadin.steps.model import Step
from paliadin.turnlog.append import append
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id, now_ms
from paliadin.turnlog.read import Line, LogReader


@dataclass(frozen=True)
class Sent:
    """An event as a client gets it."""

    id: int
    name: str
    data: dict[str, Any]


def sent(events: Iterable[Event]) -> list[Sent]:
    return [Sent(event.id, event.name, as_json(event.data)) for event in events]


def translated(lines: Iterable[Mapping[str, Any]]) -> list[Step]:
    translator = Translator()
    return [step for line in lines for step in translator.feed(line)]


def reduced(
    description: Description | Mapping[str, Any],
    lines: Iterable[Mapping[str, Any]],
    destinations: Destinations | None = None,
) -> Reducer:
    described = description if isinstance(description, Description) else Description.parse(description)
    reducer = Reducer(described, destinations or Destinations())
    for step in translated(lines):
        reducer.feed(step)
    return reducer


def made_turn(folders: Path, turn_id: str = "", session_id: str = "main", **fields: object) -> TurnFolder:
    """A turn's folder with its description, and no log yet."""
    turn = TurnFolder(folders, turn_id or new_turn_id())
    turn.create(Description.parse({"turn_id": turn.turn_id, "session_id": session_id, **fields}))
    return turn


def write(folder: TurnFolder, *lines: Mapping[str, Any]) -> None:
    """Append lines to the turn's log, as hooks write them."""
    for line in lines:
        append(folder.log.path, {"at": now_ms(), **line})


def logged(folder: TurnFolder) -> list[Line]:
    """All lines of the turn's log."""
    return LogReader(folder.log.path).read()


def turn_in(folder: TurnFolder) -> Turn:
    """The turn as a relay gets it."""
    description = folder.describe()
    return Turn(description, description.session_id, folder.log)


@asynccontextmanager
async def followed(turn: Turn) -> AsyncIterator[None]:
    """Keep the turn's progress up to date, as the daemon does."""
    following = asyncio.create_task(turn.follow())
    try:
        yield
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
