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
        self.over = False
        self.viewers = 0
        self.watched = False  # somebody was there when it ended
        self._more = asyncio.Event()  # set, and replaced, whenever there is more

    async def take(self, lines: AsyncIterator[Line]) -> None:
        """Reduce the lines as they come, until the turn has its end."""
        try:
            async for line in lines:
                self.feed(line)
                if self.reducer.ended:
                    break
        finally:
            self.close()

    def feed(self, line: Line) -> None:
        new = self.reducer.feed(line)
        if new:
            self.events += new
            self._wake()

    def close(self) -> None:
        """Nothing more comes; whoever waits goes on."""
        self.watched = self.watched or (self.viewers > 0 and not self.over)
        self.over = True
        self._wake()

    def _wake(self) -> None:
        self._more.set()
        self._more = asyncio.Event()

    async def after(self, number: int) -> AsyncIterator[Event]:
        """The events behind `number`, those there and those to come, to the end of the turn."""
        self.viewers += 1
        try:
            while True:
                if number < len(self.events):
                    yield self.events[number]
                    number += 1
                elif self.over:
                    return
                else:
                    await self._more.wait()
        finally:
            self.viewers -= 1
