"""Carries each turn: takes its session's slot, writes folder and row, has the relay carry it, has its row finished.

No other module orders these steps.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.base.tasks import Tasks, endless
from paliadin.conversations.directory import Conversations
from paliadin.events.chips import Destinations
from paliadin.events.reducer import Reducer
from paliadin.people.person_key import PersonKey
from paliadin.record.reading import read_turn
from paliadin.record.recorder import Recorder
from paliadin.record.row import first_row
from paliadin.relays.routing import Relays
from paliadin.relays.turn import Turn
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import now_ms, started_ms
from paliadin.turns.attaching import Attaching
from paliadin.turns.broadcast import TurnStream
from paliadin.turns.checking import AnswerCheck
from paliadin.turns.question import admit
from paliadin.turns.queue import HoldReason, Queues
from paliadin.turns.relay_failure import report_relay_failure
from paliadin.turns.session_logs import SessionLogs, complete_description
from paliadin.turns.sessions import Sessions
from paliadin.turns.stages import Annotator, Preparation, annotate

log = logging.getLogger(__name__)

OWN_TURNS_INTERVAL = 0.5  # seconds between looks for turns that no request started
TRY_AGAIN_AFTER = 5.0  # seconds after a turn could not be adopted

Carry = Callable[[Turn], Coroutine[object, object, None]]
"""A relay's `submit` or `resume`."""


async def _no_preview() -> None:
    """Follow no preview: the text comes with the turn's steps, and not before them."""


async def _carry_nothing(_turn: Turn) -> None:
    """Carry nothing: the turn is over, and only its answer is not checked yet."""


@dataclass
class Carrying:
    """Begins turns, those of queues too, takes up those that somebody else began, and follows each to its end."""

    settings: Settings
    relays: Relays
    recorder: Recorder
    conversations: Conversations
    sessions: Sessions
    queues: Queues
    attaching: Attaching
    session_logs: SessionLogs
    answer_check: AnswerCheck
    destinations: Destinations
    preparation: Preparation
    annotators: Sequence[Annotator] = ()
    tasks: Tasks = field(default_factory=Tasks)
    _again: list[TurnFolder] = field(default_factory=list)  # turns that could not be adopted
    _again_at: float = 0.0  # when that is tried next, by the event loop's clock
    _knows_earlier: bool = False  # the turns that the sessions' logs had at the start

    def start(self) -> None:
        """Take up what an earlier daemon left, then what begins without a request, and ask what waits in queues."""
        for folder in self.recorder.unrecorded():
            self.adopt(folder)
        trouble = "turns that no request started are not taken up yet"
        self.tasks.spawn(endless(self._adopt_own_turns, trouble, OWN_TURNS_INTERVAL))
        for session in self.conversations.names():
            self.ask_next(session)

    async def begin(self, session: str, description: Description, person: PersonKey) -> None:
        """Begin a turn: take the session's slot, have the relay admit it, write folder and row, and have it carried.

        Raises TurnInFlight, and what the relay, the disk or the files say against it; then nothing of it is left.
        """
        with ExitStack() as slot:
            slot.enter_context(self.sessions.slot(session, description.turn_id))
            await self._begin_in(slot, session, await admit(self.relays, session, person, description))

    async def _begin_in(self, slot: ExitStack, session: str, description: Description) -> None:
        """Write the turn's folder and row, and have it carried."""
        folder = self.folder(description.turn_id)
        folder.create(description)
        try:
            await self.attaching.claim(description)
        except BaseException:
            folder.discard()
            raise
        await self.recorder.begin(first_row(description))
        self._carry(folder, description, session, self._submit, slot)

    def ask_next(self, session: str) -> None:
        """Ask the next question of the session's queue, if one may be asked now."""
        description = self.queues.first(session)
        if description and self.sessions.is_free(session):
            slot = ExitStack()
            slot.enter_context(self.sessions.slot(session, description.turn_id))
            self.tasks.spawn(self._begin_queued(slot, session, description.turn_id))

    async def _begin_queued(self, slot: ExitStack, session: str, turn_id: str) -> None:
        try:
            with slot:
                if waiting := self.queues.find(turn_id):
                    self.check_may_run(session)
                    await self._begin_in(slot, session, replace(waiting[1], began_at=now_ms()))
        except (errors.PaliadinError, OSError) as error:
            log.warning("turn %s cannot begin: %s", turn_id, error)
            self.queues.hold(session, HoldReason.FAILED)
            return
        if waiting:
            self.queues.note_begun(session, turn_id)
        else:  # it was withdrawn meanwhile
            self.ask_next(session)

    def check_may_run(self, session: str, *, is_members: bool | None = None) -> None:
        """Raise RelayError where this needs a member's Claude, and none may run.

        `is_members` tells whose a session is that may not have begun; by default it is whose it is kept as.
        """
        if is_members is None:
            is_members = bool(self.conversations.get(session).person)
        if is_members and not self.settings.max_embedded and self.relays.traits(session).has_processes:
            raise errors.RelayError(
                "only the owner's conversations may run a Claude Code here",
                code="too_many_conversations",
                hint="The owner can raise PALIADIN_MAX_EMBEDDED.",
            )

    def adopt(self, folder: TurnFolder) -> None:
        """Follow a turn that somebody else started, without typing it again; one that has ended only gets its row."""
        try:
            session = complete_description(folder, self.settings.names, self.relays.host)
            reducer = read_turn(folder, self.destinations)
            if reducer.ended:
                self._note_end(session, reducer)
                folder.drop_preview()
                self.recorder.finish(folder, reducer, watched=folder.watched.exists())
                return
            is_new = reducer.description.unprepared
            carry = _carry_nothing if reducer.unchecked else self._submit if is_new else self.relays.resume
            with ExitStack() as slot:
                if not reducer.description.asked_by:
                    slot.enter_context(self.sessions.slot(session, folder.turn_id, runs_already=True))
                self._carry(folder, reducer.description, session, carry, slot)
        except errors.NotFound as error:  # one damaged turn must not keep it from the others
            log.warning("turn %s cannot be resumed, and gets no row: %r", folder.turn_id, error)
        except (errors.PaliadinError, OSError) as error:
            log.warning("turn %s cannot be resumed yet: %r", folder.turn_id, error)
            self._again.append(folder)
            self._again_at = asyncio.get_running_loop().time() + TRY_AGAIN_AFTER

    async def _adopt_own_turns(self) -> None:
        """Adopt the turns that a hook made: for prompts typed in the terminal, and for Claude's own.

        And those that could not be adopted before, as while no file could be opened.
        """
        if self._again and asyncio.get_running_loop().time() >= self._again_at:
            again, self._again = self._again, []
            for folder in again:
                await self._adopt_unless_known(folder)
        # Those of the earlier ones that still run are adopted already.
        parts = self.session_logs.new_turns() if self._knows_earlier else await self.session_logs.earlier_turns()
        self._knows_earlier = True
        for turn_ids in parts:
            for turn_id in turn_ids:
                await self._adopt_unless_known(self.folder(turn_id))
            await asyncio.sleep(0)

    async def _adopt_unless_known(self, folder: TurnFolder) -> None:
        """Adopt a turn unless it runs; it may also have got its row since its log was read."""
        if folder.turn_id not in self.unrecorded_ids() and not folder.recorded.exists():
            self.adopt(folder)
            await asyncio.sleep(0)  # a host may name thousands

    def unrecorded_ids(self) -> list[str]:
        """Return the turns whose finished row is not in the database: those that run, and those whose row waits."""
        return [*self.sessions.streams, *self.recorder.waiting]

    def folder(self, turn_id: str) -> TurnFolder:
        """The turn's folder, which need not exist."""
        return TurnFolder(self.settings.response_dir, turn_id)

    def _carry(self, folder: TurnFolder, description: Description, session: str, carry: Carry, slot: ExitStack) -> None:
        """Let readers follow the turn, and have a task carry it, which takes the slot over."""
        traits = self.relays.traits(session)
        folder = replace(folder, is_ours=not traits.others_write)
        person = self.conversations.person_key(session)
        turn = Turn(description, session, folder.log, self.settings.attachments_dir, person)
        if turn.origin != "agent":  # those have no question
            self.conversations.note_question(session, turn.id, turn.message if self.settings.keeps_words else "")
        live = TurnStream(
            turn,
            Reducer(description, self.destinations),
            self._go_on,
            self.answer_check.check,
            has_preview=traits.has_preview,
            on_change=lambda: self.conversations.changes.note(session),
        )
        self.sessions.begin(live)
        self.tasks.spawn(self.answer_check.prepare())
        self.tasks.spawn(self._follow(folder, live, carry, slot.pop_all()))

    async def _submit(self, turn: Turn) -> None:
        if turn.description.unprepared:
            await self.preparation.submit(turn, self.folder(turn.id), self._submit_prepared)
        else:
            await self.relays.submit(turn)

    async def _submit_prepared(self, turn: Turn) -> None:
        self.sessions.streams[turn.id].redescribe(turn)
        await self.relays.submit(turn)

    async def _follow(self, folder: TurnFolder, live: TurnStream, carry: Carry, slot: ExitStack) -> None:
        """Let the relay carry the turn, and follow the log to its end; then have the row finished."""
        following = asyncio.create_task(live.follow())
        previewing = asyncio.create_task(live.follow_preview(folder.preview()) if live.preview else _no_preview())
        relaying = asyncio.create_task(carry(live.turn))
        try:
            with slot:
                done, _ = await asyncio.wait({following, relaying}, return_when=asyncio.FIRST_COMPLETED)
                failure = next((error for task in done if (error := task.exception())), None)
                if not failure and not following.done():
                    await following
            if failure:
                following.cancel()
                await report_relay_failure(live, failure)
        finally:
            tasks = (following, previewing, relaying)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            live.close()
        if not live.answered:
            self._go_on(live)
        folder.drop_preview()
        self.recorder.finish(folder, live.reducer, watched=live.watched)
        for annotator in self.annotators if live.reducer.answered else ():
            self.tasks.spawn(annotate(annotator, live.turn, live.reducer))
        # Clients that are still reading the end keep their own reference.
        del self.sessions.streams[live.turn.id]

    def _go_on(self, live: TurnStream) -> None:
        """Ask the question that waits behind this turn, unless the turn was stopped or failed."""
        if live.turn.is_request:
            return
        self._note_end(live.turn.session, live.reducer)
        self.ask_next(live.turn.session)

    def _note_end(self, session: str, reducer: Reducer) -> None:
        """Record how the session's turn has ended; a second call makes no difference."""
        described = reducer.description
        if described.asked_by:
            return
        if (reducer.aborted or reducer.error) and self.conversations.is_last(session, described.turn_id):
            self.queues.hold(session, HoldReason.STOPPED if reducer.aborted else HoldReason.FAILED)
        ended_at = (reducer.started_ms or started_ms(described.turn_id)) + (reducer.duration_ms or 0)
        tasks = reducer.background_tasks
        self.conversations.note_end(
            session, ended_at, failed=reducer.error is not None, tasks=None if tasks is None else len(tasks)
        )
