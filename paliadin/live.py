"""A turn while it runs: its events so far, and whoever waits for more. All of it can be built again from the log."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping

from paliadin.reduce import Event, Reducer
from paliadin.turnlog import Line


class LiveTurn:
    """One reducer for all who follow: they wait for numbers, not for lines."""

    def __init__(self, turn: Line, templates: Mapping[str, str]) -> None:
        self.reducer = Reducer(turn, templates)
        self.events: list[Event] = []
        self.over = asyncio.Event()
        self.viewers = 0
        self._more = asyncio.Condition()

    async def take(self, lines: AsyncIterator[Line]) -> None:
        """Reduce the lines as they come, until the turn has its end."""
        async for line in lines:
            new = self.reducer.feed(line)
            if new:
                async with self._more:
                    self.events += new
                    self._more.notify_all()
            if self.reducer.ended:
                break
        await self.close()

    async def close(self) -> None:
        """Nothing more comes; whoever waits goes on."""
        async with self._more:
            self.over.set()
            self._more.notify_all()

    async def after(self, number: int) -> AsyncIterator[Event]:
        """The events behind `number`, those there and those to come, to the end of the turn."""
        self.viewers += 1
        try:
            while True:
                for event in self.events[number:]:
                    yield event
                    number = event.id
                async with self._more:
                    while number >= len(self.events):
                        if self.over.is_set():
                            return
                        await self._more.wait()
        finally:
            self.viewers -= 1
