"""A worker: takes questions from the queue and asks the model, in a process that serves no page."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from paliadin.base.errors import PaliadinError, StreamBroken
from paliadin.base.tasks import Tasks, endless
from paliadin.parts.messages.carrier import Carrier
from paliadin.parts.messages.request import Pair
from paliadin.parts.messages.workers import jobs
from paliadin.parts.messages.workers.shared_log import SharedLog, StepsWriter
from paliadin.parts.messages.workers.shared_turns import SIGNALS, SharedTurns
from paliadin.people.person_key import PersonKey
from paliadin.prompt.client_history import PastTurn
from paliadin.relays.turn import Turn, failure
from paliadin.steps.serialised import to_line
from paliadin.turnlog.append import record_bytes
from paliadin.turnlog.description import Description

log = logging.getLogger(__name__)

ReadsAs = Callable[[PersonKey, Mapping[str, Any]], None]
"""Called with the person as whom tools read, and with the details that the asking process knows of them."""


@dataclass
class Worker:
    """Carries turns from the queue, at most `most` at once. `seconds`: how long running ones may go on at its end."""

    turns: SharedTurns
    carrier: Carrier
    reads_as: ReadsAs
    most: int
    seconds: float
    lock: int = field(default_factory=lambda: secrets.randbelow(2**31))

    def __post_init__(self) -> None:
        self._running: dict[str, Turn] = {}  # by id
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._writer = StepsWriter(self.turns, self._give_up)
        self._signalled = asyncio.Event()

    async def run(self, ready: Callable[[], None]) -> None:
        """Carry turns until cancelled; calls `ready` once it can take questions."""
        began = asyncio.Event()

        def listening() -> None:
            began.set()
            self._signalled.set()

        async with self.turns.connected(), self.carrier.running(), Tasks() as tasks:
            tasks.spawn(endless(self._writer.run, "steps cannot be written"))
            tasks.spawn(self.turns.listen(SIGNALS, self._heard, listening, self.lock))
            tasks.spawn(endless(self._keep_handling_signals, "this worker's signals cannot be read"))
            await began.wait()
            ready()
            await jobs.work(self.turns.conninfo, self._carry_job, self.most, self.seconds)

    async def _carry_job(self, turn_id: str) -> None:
        question = await self.turns.take(turn_id, self.lock)
        if question is None:  # it was withdrawn
            return
        task = self._tasks[turn_id] = asyncio.create_task(self._carry(turn_id, question))
        try:
            await asyncio.wait({task})
            if not task.cancelled() and (error := task.exception()):
                await self._fail(turn_id, error)
        finally:
            task.cancel()
            del self._tasks[turn_id]

    async def _fail(self, turn_id: str, error: BaseException) -> None:
        """End a turn that failed by a fault of ours, such as another version's question: nobody else would end it."""
        log.error("turn %s was broken off", turn_id, exc_info=error)
        broken = failure(StreamBroken("the worker that carried this question has failed"))
        await self.turns.abandon(turn_id, self.lock, record_bytes(to_line(broken)))

    async def _carry(self, turn_id: str, question: Mapping[str, Any]) -> None:
        shared = SharedLog(turn_id, self._writer)
        turn = turn_of(question, shared)
        self.reads_as(turn.person, question["reads_as"])
        pairs = [Pair(prompt, answer) for prompt, answer in question["earlier"]]

        async def earlier() -> Sequence[Pair]:
            return pairs

        self._running[turn_id] = turn
        self._signalled.set()  # a Stop may have come before it ran
        try:
            await turn.follow_during(self.carrier.carry(turn, earlier))
            await shared.end()
        finally:
            del self._running[turn_id]

    def _heard(self, turn_ids: Sequence[str]) -> None:
        if self._running.keys() & set(turn_ids):
            self._signalled.set()

    def _give_up(self, turn_id: str) -> None:
        """Stop carrying a turn that another process has ended: nobody reads its steps any more."""
        if task := self._tasks.get(turn_id):
            log.warning("turn %s was ended by another process", turn_id)
            task.cancel()

    async def _keep_handling_signals(self) -> None:
        while True:
            await self._signalled.wait()
            for turn_id, signal in await self._take_signals():
                if turn := self._running.get(turn_id):
                    await self._handle_signal(turn, signal)

    async def _take_signals(self) -> Sequence[tuple[str, object]]:
        self._signalled.clear()
        try:
            return await self.turns.take_signals([*self._running])
        except Exception:
            self._signalled.set()  # they are asked for again
            raise

    async def _handle_signal(self, turn: Turn, signal: object) -> None:
        """Stop the turn, or pass a reply on; other signals, as from another version, are ignored."""
        with contextlib.suppress(PaliadinError):  # another reply was faster, or another process has ended the turn
            match signal:
                case {"stop": True}:
                    await self.carrier.abort(turn)
                case {"reply": str(interrupt_id), "value": value, "cancel": bool(cancel)}:
                    await self.carrier.reply(turn, interrupt_id, value, cancel=cancel)
                case _:
                    log.warning("turn %s: a signal is not understood", turn.id)


def turn_of(question: Mapping[str, Any], shared: SharedLog) -> Turn:
    """Build the turn of a question that `QueuedCarrier` has asked."""
    history = (PastTurn("", ""),) if question["is_told"] else ()  # the texts themselves come as pairs
    description = replace(Description.parse(question["turn"]), history=history)
    person = PersonKey(question["person"], question.get("application"))
    return Turn(description, question["session"], shared, person=person)
