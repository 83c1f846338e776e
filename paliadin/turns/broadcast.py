"""The events of one turn, shared by all its readers. Everything here can be rebuilt from the turn log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from paliadin.base.errors import PaliadinError
from paliadin.base.strict_json import JsonObject
from paliadin.events.model import Event, Unnumbered
from paliadin.events.preview import PreviewState
from paliadin.events.preview_reader import PreviewReader
from paliadin.events.reducer import Reducer
from paliadin.relays.turn import Turn
from paliadin.steps.model import Checked, Step, Stopping

log = logging.getLogger(__name__)

MAX_BATCH = 100  # events


Check = Callable[[Reducer, str], Awaitable[Checked]]
"""Checks the answer of a turn that is over; called with its reducer and its session."""


class TurnStream:
    """One turn that runs: it reads each step once, for its readers (`reducer`) and for the relay (`turn`)."""

    def __init__(
        self,
        turn: Turn,
        reducer: Reducer,
        on_answered: Callable[[TurnStream], None] = lambda _: None,
        check: Check | None = None,
        *,
        has_preview: bool = True,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self.turn, self.reducer = turn, reducer
        self._on_answered, self._check = on_answered, check
        self._on_change = on_change  # the turn is over, or what it waits for has changed: a list shows that
        self.answered = False  # the answer is complete, or the turn has ended without one; `on_answered` was called
        self.preview = PreviewState() if has_preview else None
        self.closed = False
        self.viewers = 0  # readers inside `events_after`
        self.watched = False  # a reader was connected when it ended, or has read its end since
        self._changed = asyncio.Event()  # set and replaced at every change

    def redescribe(self, turn: Turn) -> None:
        """Take the same turn as stages have described it: Stop looks for the text that was typed."""
        self.turn = turn
        self.reducer.redescribe(turn.description)

    async def follow(self) -> None:
        """Take the steps of the turn's log until the turn has ended; then close."""
        try:
            async for step in self.turn.log.follow():
                self.take(step)
                if self.reducer.unchecked and self._check:
                    await self._end_checked(self._check)
                if self.reducer.ended:
                    break
        finally:
            self.close()

    async def _end_checked(self, check: Check) -> None:
        """Have the answer checked, and log the result; on a full disk the result is lost, not the turn's end."""
        checked = await check(self.reducer, self.turn.session)
        try:
            self.turn.log.append(checked)
        except (PaliadinError, OSError) as error:
            log.warning("turn %s: what its check found out cannot be kept: %s", self.turn.id, error)
        self.take(checked)

    async def follow_preview(self, lines: AsyncIterator[JsonObject]) -> None:
        """Take the lines of the turn's preview log, as they are written."""
        async for line in lines:
            if self.preview and self.preview.take(line):
                self._wake()

    def take(self, step: Step) -> None:
        """Take one step, and wake the readers if it yields events."""
        before = self._shown_in_lists()
        self.turn.progress.take(step)
        if self.preview and isinstance(step, Stopping):
            self.preview.stopping = True
        if events := self.reducer.feed(step):
            if self.preview:
                self.preview.confirm(events)
            self._wake()
            if not self.answered and (self.reducer.answered or self.reducer.ended):
                self.answered = True
                self._on_answered(self)
        if self._shown_in_lists() != before:
            self._on_change()

    def _shown_in_lists(self) -> tuple[bool, bool, int]:
        return self.reducer.answered, self.reducer.ended, len(self.turn.progress.open_interrupts)

    def close(self) -> None:
        """Accept no more events: readers finish once they have read those there are."""
        self.watched = self.watched or (self.viewers > 0 and not self.closed)
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def so_far(self, number: int) -> Sequence[Event | Unnumbered]:
        """Return the present events numbered above `number`, and the provisional ones."""
        self.watched = self.watched or self.reducer.ended
        provisional = PreviewReader().update(self.preview) if self.preview and not self.closed else []
        return [*self.reducer.events[number:], *provisional]

    async def events_after(self, number: int) -> AsyncIterator[Sequence[Event | Unnumbered]]:
        """Yield the events numbered above `number`, those there are and those to come, until `close`.

        They come in batches of at most MAX_BATCH: to send each by itself costs far more than to reduce it. Between
        them comes what is provisional, so that a reader who has all of them knows it.
        """
        events, provisional = self.reducer.events, PreviewReader()
        self.viewers += 1
        self.watched = self.watched or self.reducer.ended  # this reader came before the turn was put away
        try:
            while True:
                if number < len(events):
                    batch = events[number : number + MAX_BATCH]
                    yield batch
                    number += len(batch)
                elif self.closed:
                    return
                elif self.preview and (unnumbered := provisional.update(self.preview)):
                    yield unnumbered
                else:
                    await self._changed.wait()
        finally:
            self.viewers -= 1
