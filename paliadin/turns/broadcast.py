"""The events of one turn, shared by all its readers. Everything here can be rebuilt from the turn log."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping

from paliadin.events.reducer import Event, Reducer
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.read import Line


class TurnStream:
    """One turn's reducer, its events so far, and the readers that wait for more; running or long over.

    `description`: the turn's turn.json; `templates`: chip kind → path template.
    """

    def __init__(self, description: Line, templates: Mapping[str, str]) -> None:
        self.reducer = Reducer(description, templates)
        self.events: list[Event] = []
        self.closed = False
        self.viewers = 0  # readers inside `events_after`
        self.watched = False  # a reader was connected when it ended
        self._changed = asyncio.Event()  # set and replaced at every change

    @classmethod
    def replayed(cls, turn: TurnFolder, templates: Mapping[str, str]) -> TurnStream:
        """Build a closed one from all that the turn's log has now; raises NotFound when its folder is gone."""
        live = cls(turn.describe(), templates)
        for line in turn.lines():
            live.feed(line)
        live.close()
        return live

    async def follow(self, lines: AsyncIterator[Line]) -> None:
        """Feed the lines to the reducer until the turn has ended or the lines stop; then close."""
        try:
            async for line in lines:
                self.feed(line)
                if self.reducer.ended:
                    break
        finally:
            self.close()

    def feed(self, line: Line) -> None:
        """Reduce one log line, and wake the readers if it yields events."""
        new_events = self.reducer.feed(line)
        if new_events:
            self.events += new_events
            self._wake()

    def close(self) -> None:
        """Accept no more events: readers finish once they have read those there are."""
        self.watched = self.watched or (self.viewers > 0 and not self.closed)
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def events_after(self, number: int) -> AsyncIterator[Event]:
        """Yield the events numbered above `number`, those there are and those to come, until `close`."""
        self.viewers += 1
        try:
            while True:
                if number < len(self.events):
                    yield self.events[number]
                    number += 1
                elif self.closed:
                    return
                else:
                    await self._changed.wait()
        finally:
            self.viewers -= 1
