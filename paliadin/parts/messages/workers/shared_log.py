"""A turn's log in a worker: its steps are written into rows, a few milliseconds' worth at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field

from paliadin.base.errors import NotFound, StorageFull, StoreUnavailable
from paliadin.parts.messages.workers.shared_turns import MOST_AT_ONCE, Part, SharedTurns
from paliadin.steps.model import Step
from paliadin.steps.serialised import to_line
from paliadin.turnlog.append import record_bytes

log = logging.getLogger(__name__)

JOINED_FOR = 0.02  # seconds between two writes: what comes meanwhile is one row
RETRY_EVERY = 0.5  # seconds, while the database is away


@dataclass
class SharedLog:
    """A `TurnLog` of a turn that this process carries."""

    turn_id: str
    writer: StepsWriter
    steps: list[Step] = field(default_factory=list)
    lost: bool = False  # somebody else has ended or deleted the turn

    def __post_init__(self) -> None:
        self._followers: set[asyncio.Event] = set()
        self._complete = asyncio.Event()
        self._waiting, self._written, self._ends = bytearray(), 0, False

    def append(self, step: Step) -> None:
        if self.lost:
            raise NotFound("the turn was ended or deleted by another process", code="unknown_turn")
        self.steps.append(step)
        self._waiting += record_bytes(to_line(step))
        self.writer.wake(self)
        for follower in self._followers:
            follower.set()

    def read(self) -> Iterator[Step]:
        return iter(tuple(self.steps))

    async def follow(self) -> AsyncIterator[Step]:
        changed, count = asyncio.Event(), 0
        self._followers.add(changed)
        try:
            while True:
                changed.clear()
                while count < len(self.steps):
                    count += 1
                    yield self.steps[count - 1]
                await changed.wait()
        finally:
            self._followers.discard(changed)

    async def end(self) -> None:
        """Close the log; return once everything is written."""
        self._ends = True
        self.writer.wake(self)
        await self._complete.wait()

    def part(self) -> Part:
        """Return the unwritten part; it stays, and grows, until `note_written`."""
        return Part(self.turn_id, self._written, bytes(self._waiting), self._ends)

    def note_written(self, part: Part, *, lost: bool) -> bool:
        """Drop the part that was written; return whether there is more."""
        self._written += len(part.lines)
        del self._waiting[: len(part.lines)]
        self.lost = self.lost or lost
        if part.ends or self.lost:
            self._complete.set()
        return bool(self._waiting or self._ends) and not self._complete.is_set()


class StepsWriter:
    """Writes the steps of all turns of this process, one statement at a time. `lost` is called with ended turns.

    A failed statement is repeated with the same parts; parts that it has written all the same are not written twice.
    """

    def __init__(self, turns: SharedTurns, lost: Callable[[str], None]) -> None:
        self._turns, self._lost = turns, lost
        self._changed: dict[str, SharedLog] = {}  # by turn id, the longest-waiting first
        self._wake = asyncio.Event()

    def wake(self, shared: SharedLog) -> None:
        """Schedule the writing of the log's new steps."""
        self._changed.setdefault(shared.turn_id, shared)
        self._wake.set()

    async def run(self) -> None:
        """Write scheduled steps. Endless."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            logs = [self._changed.pop(turn_id) for turn_id in [*self._changed][:MOST_AT_ONCE]]
            await self._write([(each, each.part()) for each in logs])
            if self._changed:
                self._wake.set()
            await asyncio.sleep(JOINED_FOR)

    async def _write(self, parts: list[tuple[SharedLog, Part]]) -> None:
        while True:
            try:
                running = await self._turns.write([part for _, part in parts])
            except (StoreUnavailable, StorageFull) as error:
                log.warning("steps cannot be written: %s", error.message)
                await asyncio.sleep(RETRY_EVERY)
            else:
                break
        for shared, part in parts:
            if shared.note_written(part, lost=part.turn_id not in running):
                self.wake(shared)
            if shared.lost and not part.ends:
                self._lost(shared.turn_id)
