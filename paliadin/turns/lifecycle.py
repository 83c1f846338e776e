"""The life of a turn: request → relay → log → row. No other module orders a turn's steps."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.base.tasks import Tasks
from paliadin.conversations.admission import Admission
from paliadin.conversations.directory import Conversations
from paliadin.events.chips import Destinations
from paliadin.events.interrupts import is_question
from paliadin.events.model import Event, Unnumbered
from paliadin.events.reducer import Reducer
from paliadin.files.attachments import Attachment
from paliadin.people.caller import Caller
from paliadin.prompt.said import parse_history
from paliadin.prompt.text import check_message
from paliadin.record.reading import read_turn
from paliadin.record.recorder import Recorder
from paliadin.record.row import first_row
from paliadin.relays.protocol import Relays
from paliadin.relays.turn import Turn, unknown_interrupt
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id, now_ms, started_ms, unknown_turn
from paliadin.turns.attaching import Attaching, message_or_names
from paliadin.turns.broadcast import MAX_BATCH, TurnStream
from paliadin.turns.checking import AnswerCheck
from paliadin.turns.commands import is_command
from paliadin.turns.question import Question, check_may_allow, describe
from paliadin.turns.queue import Held, Queues
from paliadin.turns.relay_failure import report_relay_failure
from paliadin.turns.running_turns import RunningTurns
from paliadin.turns.session_logs import SessionLogs, complete_description

log = logging.getLogger(__name__)

TERMINAL_TURNS_INTERVAL = 0.5  # seconds between looks for new ones

Carry = Callable[[Turn], Coroutine[object, object, None]]
"""A relay's `submit` or `resume`."""


async def _nothing() -> None:
    """Do nothing: what is generated comes with the turn's steps, and not before them."""


async def _carry_nothing(_turn: Turn) -> None:
    """Do nothing: the turn is over, and only its answer is not checked yet."""


@dataclass
class Turns:
    """Starts turns, follows the running ones, and gives readers the events of any turn.

    Methods that take a turn_id raise NotFound for an unknown one.
    """

    settings: Settings
    relay: Relays
    recorder: Recorder

    def __post_init__(self) -> None:
        self.destinations = Destinations(self.settings.chips, self.settings.routes)
        self._tasks = Tasks()
        self.conversations = Conversations(self.settings, self.relay)
        self.changes = self.conversations.changes
        self.running_turns = RunningTurns(self.changes)
        self._admission = Admission(self.conversations, self.relay, self.settings.max_embedded)
        self.queues = Queues(
            self.conversations.folder, lambda turn_id: self._folder(turn_id).path.exists(), self.changes.note
        )
        self.attaching = Attaching(self.settings.attachments_dir, self.describe, self.waiting_files)
        self.session_logs = SessionLogs(self.settings, self.conversations)
        self._answer_check = AnswerCheck(
            self.settings.response_dir, self.settings.names, self.conversations, self.session_logs
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Carry turns, first those that an earlier daemon left: they still run, or their row is not finished.

        At the end they are followed no longer; they run on, and the next daemon resumes them.
        """
        try:
            async with self._answer_check.process, self._tasks:
                for folder in self.recorder.unrecorded():
                    self._adopt(folder)
                self._tasks.spawn(self._adopt_terminal_turns())
                for session in self.conversations.names():
                    self._ask_next(session)
                yield
        finally:
            self.end_streams()

    def end_streams(self) -> None:
        """End every open stream; clients reconnect with the number of the last event they have."""
        self.running_turns.close()
        self.queues.close()
        self.changes.close()

    def waiting_files(self) -> set[str]:
        """Return the ids of the attached files of all questions that wait."""
        return self.queues.attached(self.conversations.names())

    async def ask(self, question: Question) -> str:
        """Start a turn and return its id: check the question, write folder and row, then hand it to the relay.

        A question that may wait is queued while another turn runs. Raises BadRequest for a bad field, NotFound for an
        unknown session, TurnInFlight and StorageFull.
        """
        session = self.conversations.resolve(question.session_id, question.caller)
        files = await self.attaching.chosen(question.attachments, question.caller)
        try:
            description = await self._describe_question(question, session, files)
            return await self._start_or_queue(question, session, description)
        except BaseException:
            await self.attaching.release(files, question.attachments)
            raise

    async def _describe_question(self, question: Question, session: str, files: Sequence[Attachment]) -> Description:
        """Check the question; returns the description of its turn, which is not begun."""
        text = message_or_names(question.user_message, files)
        message = await asyncio.to_thread(check_message, text)  # the longest texts take 80 ms
        command = not question.as_text and await is_command(
            message, question.caller, session, self.relay, has_files=bool(files)
        )
        turn_id, host = new_turn_id(), self.relay.host(session)
        if question.history is not None and self.settings.keeps_words:
            raise errors.InvalidField("history is taken only where none is kept: with PALIADIN_AUDIT=redacted")
        history = () if question.history is None else await asyncio.to_thread(parse_history, question.history)
        described = describe(
            question, turn_id, session, host, message=message, command=command, attachments=files, history=history
        )
        return await self.relay.check(session, question.caller.identity, described)

    async def _start_or_queue(self, question: Question, session: str, description: Description) -> str:
        """Begin the turn, or let its question wait behind the running one; returns its id."""
        turn_id = description.turn_id
        is_busy = self.running_turns.of(session) or self.running_turns.is_reserved(session)
        identity = question.caller.identity
        if question.may_wait and (is_busy or self.queues.of(session).is_moving):
            self.queues.require_room(session)
            self.queues.add(session, await self.relay.admit(session, identity, description))
            if not self.running_turns.is_reserved(session):
                self._ask_next(session)  # what ran may have ended meanwhile
            return turn_id
        async with self._admission.admitted(session, self.running_turns.sessions, question.caller):
            self.conversations.resolve(session, question.caller)  # it may have been deleted meanwhile
            self.running_turns.require_idle(session)
            self.queues.renew(session)
            self.running_turns.note(session, turn_id)
        try:
            description = await self.relay.admit(session, identity, description)
        except BaseException:
            self.running_turns.drop(session)
            raise
        await self._begin(description, session)
        return turn_id

    async def _begin(self, description: Description, session: str) -> None:
        """Start a turn in a session for which it is noted as running."""
        try:
            folder = self._folder(description.turn_id)
            folder.create(description)
            try:
                await self.attaching.claim(description)
            except errors.PaliadinError:
                folder.discard()
                raise
            await self.recorder.begin(first_row(description))
        except BaseException:
            self.running_turns.drop(session)
            raise
        self._start(folder, description, session, self.relay.submit)

    def _ask_next(self, session: str) -> None:
        """Ask the next question of the session's queue, if one may be asked now."""
        description = self.queues.first(session)
        if description and not self.running_turns.of(session):
            self.running_turns.note(session, description.turn_id)
            self._tasks.spawn(self._begin_queued(description, session))

    async def _begin_queued(self, description: Description, session: str) -> None:
        try:
            async with self._admitted_queued(session):
                if not (waiting := self.queues.find(description.turn_id)):  # it was withdrawn meanwhile
                    self.running_turns.drop(session)
                    self._ask_next(session)
                    return
                await self._begin(replace(waiting[1], began_at=now_ms()), session)
        except (errors.PaliadinError, OSError) as error:
            log.warning("turn %s cannot begin: %s", description.turn_id, error)
            self.queues.hold(session, Held.FAILED)
        else:
            self.queues.note_begun(session, description.turn_id)

    @asynccontextmanager
    async def _admitted_queued(self, session: str) -> AsyncIterator[None]:
        """Admit a queued question, for which the session is noted as running already."""
        try:
            async with self._admission.admitted(session, self.running_turns.sessions):
                pass
        except BaseException:
            self.running_turns.drop(session)
            raise
        yield

    async def go_on(self, session_id: object, caller: Caller) -> bool:
        """Let the session's queue go on after it was held; False where no question waits.

        Raises RelayError while too many members' Claudes work.
        """
        session = self.conversations.resolve(session_id, caller)
        if not self.queues.of(session).turns:
            return False
        async with self._admission.admitted(session, self.running_turns.sessions):
            self.queues.hold(session, None)
            self._ask_next(session)
        return True

    async def change_queued(self, turn_id: str, message: object, caller: Caller) -> None:
        """Change the text of a question that waits, or (None) withdraw it."""
        description = self.describe(turn_id, caller)
        if message is None:
            self.queues.withdraw(turn_id)
        else:
            text = await asyncio.to_thread(check_message, message)
            session = self.settings.names.full(description.session_id)
            await self.relay.check(session, caller.identity, replace(description, user_message=text))
            has_files = bool(description.attachments)
            command = await is_command(text, caller, session, self.relay, has_files=has_files)
            self.queues.change(turn_id, text, command=command)

    async def events(self, turn_id: str, after: int = 0) -> AsyncIterator[Sequence[Event | Unnumbered]]:
        """Yield the turn's events numbered above `after` in batches, until the turn has ended.

        A question that is withdrawn while it waits has none, nor has one that still waits when the daemon ends.
        """
        await self.queues.wait_until_begun(turn_id)
        turn_id = self.queues.present_id(turn_id)
        await self.running_turns.wait_until_begun(turn_id)
        live, folder = self.running_turns.streams.get(turn_id), self._folder(turn_id)
        if live is None:
            if not folder.path.exists():
                return
            reducer = await asyncio.to_thread(read_turn, folder, self.destinations)
            self.note_read(turn_id)
            for start in range(after, len(reducer.events), MAX_BATCH):
                yield reducer.events[start : start + MAX_BATCH]
            return
        async for batch in live.events_after(after):
            yield batch

    async def events_so_far(self, turn_id: str, after: int) -> Sequence[Event | Unnumbered]:
        """Return what `events` has now, without waiting for more."""
        turn_id = self.queues.present_id(turn_id)
        if live := self.running_turns.streams.get(turn_id):
            return live.so_far(after)
        if self.queues.find(turn_id):
            return []
        return [event async for batch in self.events(turn_id, after) for event in batch]

    def note_read(self, turn_id: str) -> None:
        """Note that somebody reads the turn. If it has ended within the last minute, they have waited for it."""
        live = self.running_turns.streams.get(turn_id)
        if live is None:
            self.recorder.mark_watched(turn_id)
        elif live.reducer.ended:  # its row is not being written yet
            live.watched = True

    def describe(self, turn_id: str, caller: Caller) -> Description:
        """Return the turn's description: who asked what, from where.

        A turn that is not the caller's is unknown, as are those that do not exist, or were deleted a moment ago.
        """
        queued = self.queues.find(turn_id)
        description = queued[1] if queued else self._folder(self.queues.present_id(turn_id)).describe()
        session = self.settings.names.full(description.session_id)
        if not self.conversations.shows(caller, session, description.turn_id):
            raise unknown_turn()
        return description

    async def abort(self, turn_id: str, caller: Caller) -> bool:
        """Stop the turn; return False when its answer was already complete."""
        turn_id = self.queues.present_id(turn_id)
        if not self.queues.find(turn_id):  # its row is written first: Stop may be sooner
            await self.running_turns.wait_until_begun(turn_id)
        self.describe(turn_id, caller)  # an unknown turn is an error, one that is over is not
        if self.queues.find(turn_id) and turn_id not in self.running_turns.streams:
            with contextlib.suppress(errors.NotFound):
                self.queues.withdraw(turn_id)
                return True
            await self.queues.wait_until_begun(turn_id)  # it is being asked just now
        live = self.running_turns.streams.get(turn_id)
        if live is None or live.reducer.answered:  # Escape would stop the next turn
            return False
        await self.relay.abort(live.turn)
        return True

    async def reply(self, turn_id: str, interrupt_id: object, value: object, *, cancel: bool, caller: Caller) -> None:
        """Pass the user's reply to a permission or question on to the relay; `cancel` dismisses it instead.

        Raises Forbidden when this caller may not reply to permissions.
        """
        if not isinstance(interrupt_id, str):
            raise errors.InvalidField("interrupt_id must be a string")
        self.describe(turn_id, caller)
        live = self.running_turns.streams.get(turn_id)
        if live is None:
            raise unknown_interrupt()
        interrupt = live.turn.progress.open_interrupts.get(interrupt_id)
        if interrupt and not is_question(interrupt):
            check_may_allow(self.settings, caller)
        await self.relay.reply(live.turn, interrupt_id, value, cancel=cancel)

    def background_tasks(self, session: str) -> int:
        """Return how many tasks go on in the background of the session's Claude, which runs; until each has reported.

        What an earlier process of Claude had begun ended with it.
        """
        conversation = self.conversations.get(session)
        return conversation.tasks if self.session_logs.started_at(session) <= (conversation.ended_at or 0) else 0

    async def dismiss_requests(self, session: str) -> None:
        """Say no to all that agents ask in the session; raises TurnInFlight until it is recorded."""
        turns = [self.running_turns.streams[turn_id].turn for turn_id in self.running_turns.requests(session)]
        await asyncio.gather(*map(self.relay.abort, turns))
        if turns:
            raise errors.TurnInFlight("an agent's request has just been dismissed there", None)

    async def reset(self, session_id: object, caller: Caller) -> None:
        """Start a new conversation in the session; raises TurnInFlight while a turn runs in it."""
        session = self.conversations.claim(session_id, caller)
        async with self.idle(session):
            await self.relay.reset(session)
            self.queues.hold(session, Held.RESET)

    async def compact(self, session_id: object, caller: Caller) -> None:
        """Have the session's Claude replace what was said by a summary; raises TurnInFlight and RelayError."""
        session = self.conversations.claim(session_id, caller)
        async with self.idle(session):
            await self.relay.compact(session)

    @asynccontextmanager
    async def idle(self, session: str) -> AsyncIterator[None]:
        """Let questions wait in the session's queue meanwhile; raises TurnInFlight while a turn runs in it."""
        with contextlib.ExitStack() as until_then:
            until_then.callback(self._ask_next, session)
            async with self._admission.admitted(session, self.running_turns.sessions):
                self.running_turns.require_idle(session)
                until_then.enter_context(self.running_turns.reserved(session))
            yield

    def unrecorded_ids(self) -> list[str]:
        """Return the turns whose finished row is not in the database: those that run, and those whose row waits."""
        return [*self.running_turns.streams, *self.recorder.waiting]

    def _folder(self, turn_id: str) -> TurnFolder:
        return TurnFolder(self.settings.response_dir, turn_id)

    def _adopt(self, folder: TurnFolder) -> None:
        """Follow a turn that somebody else started, without typing it again; one that has ended only gets its row."""
        try:
            session = complete_description(folder, self.settings.names, self.relay.host)
            reducer = read_turn(folder, self.destinations)
            if reducer.ended:
                self._note_end(session, reducer)
                folder.drop_preview()
                self.recorder.finish(folder, reducer, watched=folder.watched.exists())
            else:
                carry = _carry_nothing if reducer.unchecked else self.relay.resume
                turn = self._start(folder, reducer.description, session, carry)
                if not turn.is_request:
                    self.running_turns.note(session, folder.turn_id)
        except (errors.PaliadinError, KeyError, OSError) as error:  # one damaged turn must not keep it from the others
            log.warning("turn %s cannot be resumed, and gets no row: %r", folder.turn_id, error)

    def _start(self, folder: TurnFolder, description: Description, session: str, carry: Carry) -> Turn:
        runs_a_claude = self.relay.runs_a_claude(session)
        is_here = self.settings.names.short(session) is not None  # else this process alone writes what comes
        folder = replace(folder, is_ours=not (runs_a_claude and is_here))
        person = self.conversations.get(session).person
        turn = Turn(description, session, folder.log, self.settings.attachments_dir, person)
        if turn.origin != "agent":  # those have no question
            self.conversations.note_question(session, turn.id, turn.message if self.settings.keeps_words else "")
        live = TurnStream(
            turn,
            Reducer(description, self.destinations),
            self._go_on,
            self._answer_check.check,
            has_preview=runs_a_claude,
            on_change=lambda: self.changes.note(session),
        )
        self.running_turns.begin(live)
        self._tasks.spawn(self._answer_check.prepare())
        self._tasks.spawn(self._run(folder, live, carry))
        return turn

    async def _run(self, folder: TurnFolder, live: TurnStream, carry: Carry) -> None:
        """Let the relay carry the turn, and follow the log to its end; then have the row finished."""
        following = asyncio.create_task(live.follow())
        previewing = asyncio.create_task(live.follow_preview(folder.preview()) if live.preview else _nothing())
        relay_task = asyncio.create_task(carry(live.turn))
        try:
            done, _ = await asyncio.wait({following, relay_task}, return_when=asyncio.FIRST_COMPLETED)
            failure = next((error for task in done if (error := task.exception())), None)
            if failure:
                following.cancel()
                self.running_turns.end(live.turn)
                await report_relay_failure(live, failure)
            elif not following.done():
                await following
        finally:
            tasks = (following, previewing, relay_task)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            live.close()
            self.running_turns.end(live.turn)
        if not live.answered:
            self._go_on(live)
        folder.drop_preview()
        self.recorder.finish(folder, live.reducer, watched=live.watched)
        # Clients that are still reading the end keep their own reference.
        del self.running_turns.streams[live.turn.id]

    def _go_on(self, live: TurnStream) -> None:
        """Ask what waits behind this turn, unless the turn was stopped or failed."""
        if live.turn.is_request:
            return
        self._note_end(live.turn.session, live.reducer)
        self._ask_next(live.turn.session)

    def _note_end(self, session: str, reducer: Reducer) -> None:
        """Note how the session's turn has ended; twice makes no difference."""
        if reducer.description.asked_by:
            return
        turn_id = reducer.description.turn_id
        if (reducer.aborted or reducer.error) and self.conversations.is_last(session, turn_id):
            self.queues.hold(session, Held.STOPPED if reducer.aborted else Held.FAILED)
        ended_at = (reducer.started_ms or started_ms(turn_id)) + (reducer.duration_ms or 0)
        tasks = reducer.background_tasks
        self.conversations.note_end(
            session, ended_at, failed=reducer.error is not None, tasks=None if tasks is None else len(tasks)
        )

    async def _adopt_terminal_turns(self) -> None:
        """Adopt the turns that a hook made: for prompts typed in the terminal, and for Claude's own."""
        # What the logs have so far may be long; those of its turns that still run are adopted already.
        found = [await asyncio.to_thread(lambda: list(self.session_logs.new_turns()))]
        while True:
            for turn_ids in found.pop() if found else self.session_logs.new_turns():
                for turn_id in turn_ids:
                    if turn_id not in self.unrecorded_ids():
                        self._adopt(self._folder(turn_id))
                        await asyncio.sleep(0)  # a host may name thousands
                await asyncio.sleep(0)
            await asyncio.sleep(TERMINAL_TURNS_INTERVAL)
