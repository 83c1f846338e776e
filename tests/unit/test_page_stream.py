"""A page's stream tells every turn that begins, however short it is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

from paliadin.base.session_names import SessionNames
from paliadin.conversations.changes import Changes
from paliadin.events.model import Event, Status
from paliadin.people.caller import Caller
from paliadin.turnlog.ids import new_turn_id
from paliadin.web.page_state import OFF, PageState
from paliadin.web.page_stream import PageStream


async def test_a_turn_that_begins_and_ends_between_two_looks_is_told() -> None:
    changes, turn_id = Changes(), new_turn_id()

    async def events(turn: str, after: int) -> AsyncIterator[list[Event]]:
        yield [Event(after + 1, Status("thinking", turn))]

    turns: Any = Mock(changes=changes, events=events, settings=SimpleNamespace(names=SessionNames(None, ())))
    turns.conversations.resolve.return_value = "main"
    turns.sessions.streams_of.return_value = []  # it is over whenever somebody looks
    history: Any = Mock()
    history.version.return_value = "v"
    known = PageState("main", {}, OFF, OFF, OFF)
    stream = PageStream(turns, history, Mock(), Mock(), Mock(), Caller.owner(), known, None)
    blocks = stream.blocks()
    reading = asyncio.create_task(anext(blocks))
    while not changes.have_readers:
        await asyncio.sleep(0)
    changes.note("main", turn=turn_id)
    assert turn_id.encode() in await asyncio.wait_for(reading, 10)
    changes.close()
    async for _ in blocks:
        pass
