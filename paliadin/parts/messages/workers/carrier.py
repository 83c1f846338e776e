"""Carries turns through workers, in a process that serves the page: questions go out as rows, steps come back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from time import monotonic

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.base.strict_json import JsonObject
from paliadin.base.tasks import Tasks, endless, wait_for_any
from paliadin.events.interrupts import read_reply
from paliadin.parts.messages.carrier import ReadEarlier
from paliadin.parts.messages.workers import jobs
from paliadin.parts.messages.workers.shared_turns import STEPS, SharedTurns, TurnState
from paliadin.people.person_key import PersonKey
from paliadin.record.driver import Pool
from paliadin.relays.remote_turns import RemoteTurn, RemoteTurns
from paliadin.relays.turn import Turn, failure, unknown_interrupt
from paliadin.steps.model import Aborted, is_over
from paliadin.steps.serialised import to_line
from paliadin.turnlog.append import record_bytes
from paliadin.turnlog.ids import now_ms

log = logging.getLogger(__name__)

LOOK_EVERY = 1.0  # seconds
LONGEST_WAIT = 15.0  # seconds for a worker to take a turn
GONE_FOR = 3.0  # seconds without its lock, until a worker counts as dead: its connection may have broken
SWEEP_EVERY = 10.0  # seconds
KEPT_FOR = {True: 3600.0, False: 30.0}  # seconds that rows of an ended turn stay if nobody removes them; words, or none


class QueuedCarrier:
    """A `parts.messages.carrier.Carrier` that hands turns to workers.

    `describe` returns as whom a turn's tools read, once all copies of the people have that person.
    """

    def __init__(
        self,
        settings: Settings,
        turns: SharedTurns,
        describe: Callable[[PersonKey], Awaitable[JsonObject]],
    ) -> None:
        self._settings, self._turns, self._describe = settings, turns, describe
        self._remote = RemoteTurns(settings.response_dir, self._stop, self._let_go)
        self._gone_since: dict[str, float] = {}  # by turn id, on the monotonic clock: the worker's lock is free
        self._changed: set[str] = set()  # ids whose rows are to be read
        self._wake = asyncio.Event()
        self._over: asyncio.Queue[str] = asyncio.Queue()  # ids whose rows are needed no more

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with self._turns.connected() as pool, Tasks() as tasks:
            tasks.spawn(self._turns.listen(STEPS, self._heard, lambda: self._heard([*self._remote.running])))
            tasks.spawn(endless(self._read_changed, "steps cannot be read", 0))
            tasks.spawn(endless(self._look, "workers cannot be looked after", LOOK_EVERY))
            tasks.spawn(endless(partial(self._keep_sweeping, pool), "what is left of turns cannot be removed"))
            tasks.spawn(endless(self._remove_completed, "the rows of completed turns stay until they are swept", 0))
            yield

    async def carry(self, turn: Turn, earlier: ReadEarlier) -> None:
        async def ask(remote: RemoteTurn) -> None:
            question = await self._question(turn, earlier)
            if remote.begin_sending():
                await self._turns.ask(turn.id, question)
                remote.there.set()

        await self._remote.carry(turn, ask, is_new=True)

    async def resume(self, turn: Turn) -> None:
        async def read_on(remote: RemoteTurn) -> None:
            remote.there.set()
            self._heard([turn.id])

        await self._remote.carry(turn, read_on, is_new=False)

    async def _question(self, turn: Turn, earlier: ReadEarlier) -> JsonObject:
        """Build the complete question for a worker, which has none of our folders."""
        return {
            "turn": replace(turn.description, history=()).as_json(),
            "session": turn.session,
            "person": turn.person.name,
            "application": turn.person.origin,
            "reads_as": await self._describe(turn.person),
            "is_told": bool(turn.description.history),
            "earlier": [[pair.prompt, pair.answer] for pair in await earlier()],
        }

    async def reply(self, turn: Turn, interrupt_id: str, value: object, *, cancel: bool) -> None:
        interrupt = turn.progress.open_interrupts.get(interrupt_id)
        if interrupt is None:
            raise unknown_interrupt()
        if not cancel:
            read_reply(interrupt, value)
        if not await self._turns.send_signal(turn.id, {"reply": interrupt_id, "value": value, "cancel": cancel}):
            raise unknown_interrupt()

    async def abort(self, turn: Turn) -> None:
        await self._remote.abort(turn)

    async def _stop(self, remote: RemoteTurn) -> None:
        """Take the question back if no worker has taken it, else tell the worker, and wait until the turn has ended."""
        turn = remote.turn
        await wait_for_any(remote.there, turn.progress.ended)
        if remote.is_over:
            return
        if await self._turns.withdraw(turn.id):
            remote.end(Aborted(now_ms(), "page"))
        else:
            await self._turns.send_signal(turn.id, {"stop": True})
            await turn.progress.ended.wait()

    def _let_go(self, remote: RemoteTurn) -> None:
        self._gone_since.pop(remote.turn.id, None)
        self._over.put_nowait(remote.turn.id)

    async def count(self, own_key: str | None, prompt: str) -> int | None:  # noqa: ARG002  # it is estimated
        return None

    async def trouble(self) -> errors.RelayError | None:
        try:
            return None if await self._turns.workers() else errors.NoWorker("no worker runs that could ask the model")
        except (errors.StoreUnavailable, errors.StorageFull) as error:
            return errors.NoWorker(f"no worker can be asked: {error.message}", hint=error.hint)

    def _heard(self, turn_ids: Sequence[str]) -> None:
        if mine := self._remote.running.keys() & set(turn_ids):
            self._changed |= mine
            self._wake.set()

    async def _read_changed(self) -> None:
        await self._wake.wait()
        self._wake.clear()
        changed, self._changed = self._changed, set()
        running = self._remote.running
        sizes = {each: running[each].mirror.size for each in changed & running.keys()}
        try:
            for part in await self._turns.read(sizes) if sizes else ():
                if remote := running.get(part.turn_id):
                    remote.mirror.receive(part.at_byte, part.lines)
        except Exception:
            await asyncio.sleep(LOOK_EVERY)
            self._heard([*changed])
            raise

    async def _look(self) -> None:
        """Read steps of which no NOTIFY has come, and end the turns that nobody carries any more."""
        turn_ids = [turn_id for turn_id, remote in self._remote.running.items() if remote.there.is_set()]
        if not turn_ids:
            return
        self._heard(turn_ids)
        states = {state.turn_id: state for state in await self._turns.states(turn_ids, LONGEST_WAIT)}
        for turn_id in turn_ids:
            if remote := self._remote.running.get(turn_id):
                await self._look_after(remote, states.get(turn_id))

    async def _look_after(self, remote: RemoteTurn, state: TurnState | None) -> None:
        turn_id = remote.turn.id
        error: errors.PaliadinError | None = None
        if state is None:
            error = errors.StreamBroken("Paliadin was restarted while the model answered")
        elif state.worker is None:
            if state.is_late and await self._turns.withdraw(turn_id):
                error = errors.NoWorker(f"no worker has taken the question within {LONGEST_WAIT:g} s")
        elif await self._brings_more(remote) if state.is_over else state.is_cared_for:
            self._gone_since.pop(turn_id, None)
        elif monotonic() - self._gone_since.setdefault(turn_id, monotonic()) >= GONE_FOR:
            error = errors.StreamBroken("the worker that carried this question has ended")
            await self._turns.abandon(turn_id, state.worker, record_bytes(to_line(failure(error))))
            error = error if state.is_over else None  # else it comes with the steps
        if error:
            remote.mirror.fail(error)

    async def _brings_more(self, remote: RemoteTurn) -> bool:
        """Tell whether steps of an ended turn are still to be read, as when very many turns end at once."""
        turn, mirror = remote.turn, remote.mirror
        size = mirror.size
        for part in await self._turns.read({turn.id: size}):
            mirror.receive(part.at_byte, part.lines)  # takes nothing that begins behind a gap
        return mirror.size > size or await asyncio.to_thread(lambda: is_over(turn.log.read()))

    async def _remove_completed(self) -> None:
        """Remove the rows of completed turns, all in one statement, since other statements wait meanwhile."""
        ids = [await self._over.get()]
        while not self._over.empty():
            ids.append(self._over.get_nowait())
        await self._turns.remove(ids)

    async def _keep_sweeping(self, pool: Pool) -> None:
        """Make the queue's tables unless they are there, then remove what is left over, again and again."""
        await asyncio.to_thread(jobs.prepare, str(self._settings.database_url))
        while True:
            await asyncio.sleep(SWEEP_EVERY)
            await self._turns.sweep(KEPT_FOR[self._settings.keeps_words])
            await jobs.remove_stalled(pool)
