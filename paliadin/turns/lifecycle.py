"""The operations on turns: begin one, stop it, reply in it, follow it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.conversations.directory import Conversations
from paliadin.events.chips import Destinations
from paliadin.events.interrupts import is_question
from paliadin.events.model import Event, Unnumbered
from paliadin.files.attachments import Attachment
from paliadin.people.caller import Caller
from paliadin.prompt.client_history import parse_history
from paliadin.prompt.text import check_message
from paliadin.record.reading import read_turn
from paliadin.record.recorder import Recorder
from paliadin.relays.protocol import Compacting
from paliadin.relays.routing import Relays
from paliadin.relays.turn import unknown_interrupt
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id, unknown_turn
from paliadin.turns.attaching import Attaching, message_or_names
from paliadin.turns.broadcast import MAX_BATCH
from paliadin.turns.carrying import Carrying
from paliadin.turns.checking import AnswerCheck
from paliadin.turns.question import Question, admit, check, check_may_allow, describe
from paliadin.turns.queue import HoldReason, Queues
from paliadin.turns.session_logs import SessionLogs
from paliadin.turns.sessions import Sessions
from paliadin.turns.slash_commands import is_command
from paliadin.turns.stages import Annotator, Preparation, Stage

log = logging.getLogger(__name__)


@dataclass
class Turns:
    """Starts turns, follows the running ones, and gives readers the events of any turn.

    Methods that take a turn_id raise NotFound for an unknown one.
    """

    settings: Settings
    relays: Relays
    recorder: Recorder
    stages: Sequence[Stage] = ()
    annotators: Sequence[Annotator] = ()

    def __post_init__(self) -> None:
        self.destinations = Destinations(self.settings.chips, self.settings.routes)
        self.conversations = Conversations(self.settings, self.relays)
        self.changes = self.conversations.changes
        self.sessions = Sessions(self.changes)
        folders = self.settings.response_dir
        self.queues = Queues(
            self.conversations.folder, lambda turn_id: TurnFolder(folders, turn_id).path.exists(), self.changes.note
        )
        self.attaching = Attaching(self.settings.attachments_dir, self.describe, self.waiting_files)
        self.session_logs = SessionLogs(self.settings, self.conversations)
        self._answer_check = AnswerCheck(folders, self.settings.names, self.conversations, self.session_logs)
        self._preparation = Preparation(self.stages, self.settings.interrupt_timeout)
        self._carrying = Carrying(
            self.settings,
            self.relays,
            self.recorder,
            self.conversations,
            self.sessions,
            self.queues,
            self.attaching,
            self.session_logs,
            self._answer_check,
            self.destinations,
            self._preparation,
            self.annotators,
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Carry turns, first those that an earlier daemon left: they still run, or their row is not finished.

        At the end they are followed no longer; they run on, and the next daemon resumes them.
        """
        try:
            async with self._answer_check.process, self._carrying.tasks:
                self._carrying.start()
                yield
        finally:
            self.end_streams()

    def end_streams(self) -> None:
        """End every open stream; clients reconnect with the number of the last event they have."""
        self.sessions.close()
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
            return await self._begin_or_queue(question, session, description)
        except BaseException:
            await self.attaching.release(files, question.attachments)
            raise

    async def _describe_question(self, question: Question, session: str, files: Sequence[Attachment]) -> Description:
        """Check the question; returns the description of its turn, which is not begun."""
        text = message_or_names(question.user_message, files)
        message = await asyncio.to_thread(check_message, text)  # the longest texts take 80 ms
        command = not question.as_text and await is_command(
            message, question.caller, session, self.relays, has_files=bool(files)
        )
        self._carrying.check_may_run(session, is_members=question.caller.is_member)
        turn_id, host = new_turn_id(), self.relays.host(session)
        if question.history is not None and self.settings.keeps_words:
            raise errors.InvalidField("history is taken only where none is kept: with PALIADIN_AUDIT=redacted")
        history = () if question.history is None else await asyncio.to_thread(parse_history, question.history)
        described = describe(
            question, turn_id, session, host, message=message, command=command, attachments=files, history=history
        )
        described = await check(self.relays, session, question.caller.person_key, described)
        return replace(described, unprepared=bool(self.stages))

    async def _begin_or_queue(self, question: Question, session: str, description: Description) -> str:
        """Begin the turn, or let its question wait behind the running one; returns its id."""
        person = question.caller.person_key
        if question.may_wait and (not self.sessions.is_free(session) or self.queues.of(session).is_moving):
            self.queues.require_room(session)
            self.queues.add(session, await admit(self.relays, session, person, description))
            self._carrying.ask_next(session)  # what ran may have ended meanwhile
            return description.turn_id
        self.conversations.ensure(session, question.caller)
        self.conversations.resolve(session, question.caller)  # it may have been deleted meanwhile
        self.sessions.require_idle(session)
        self.queues.renew(session)
        await self._carrying.begin(session, description, person)
        return description.turn_id

    async def go_on(self, session_id: object, caller: Caller) -> bool:
        """Let the session's queue go on after it was held; False where no question waits."""
        session = self.conversations.resolve(session_id, caller)
        if not self.queues.of(session).turns:
            return False
        self.queues.hold(session, None)
        self._carrying.ask_next(session)
        return True

    async def change_queued(self, turn_id: str, message: object, caller: Caller) -> None:
        """Change the text of a question that waits, or (None) withdraw it."""
        description = self.describe(turn_id, caller)
        if message is None:
            self.queues.withdraw(turn_id)
        else:
            text = await asyncio.to_thread(check_message, message)
            session = self.settings.names.full(description.session_id)
            await check(self.relays, session, caller.person_key, replace(description, user_message=text))
            has_files = bool(description.attachments)
            command = await is_command(text, caller, session, self.relays, has_files=has_files)
            self.queues.change(turn_id, text, command=command)

    async def events(self, turn_id: str, after: int = 0) -> AsyncIterator[Sequence[Event | Unnumbered]]:
        """Yield the turn's events numbered above `after` in batches, until the turn has ended.

        A question that is withdrawn while it waits has none, nor has one that still waits when the daemon ends.
        """
        await self.queues.wait_until_begun(turn_id)
        turn_id = self.queues.present_id(turn_id)
        await self.sessions.wait_until_begun(turn_id)
        live, folder = self.sessions.streams.get(turn_id), self._folder(turn_id)
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
        """Return the events that `events` would yield now, without waiting for more."""
        turn_id = self.queues.present_id(turn_id)
        if live := self.sessions.streams.get(turn_id):
            return live.so_far(after)
        if self.queues.find(turn_id):
            return []
        return [event async for batch in self.events(turn_id, after) for event in batch]

    def note_read(self, turn_id: str) -> None:
        """Note that somebody reads the turn. If it has ended within the last minute, they have waited for it."""
        live = self.sessions.streams.get(turn_id)
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

    async def find(self, turn_id: str, caller: Caller) -> Description:
        """Do as `describe`, also for a turn that is just beginning: a page may name it before it has a folder."""
        try:
            return self.describe(turn_id, caller)
        except errors.NotFound:
            await self.sessions.wait_until_begun(self.queues.present_id(turn_id))
            return self.describe(turn_id, caller)

    async def abort(self, turn_id: str, caller: Caller) -> bool:
        """Stop the turn; return False when its answer was already complete."""
        turn_id = self.queues.present_id(turn_id)
        if not self.queues.find(turn_id):  # its row is written first: Stop may be sooner
            await self.sessions.wait_until_begun(turn_id)
        self.describe(turn_id, caller)  # an unknown turn is an error, one that is over is not
        if self.queues.find(turn_id) and turn_id not in self.sessions.streams:
            with contextlib.suppress(errors.NotFound):
                self.queues.withdraw(turn_id)
                return True
            await self.queues.wait_until_begun(turn_id)  # it is being asked just now
        live = self.sessions.streams.get(turn_id)
        if live is None or live.reducer.answered:  # Escape would stop the next turn
            return False
        if not await self._preparation.stop(live.turn):
            await self.relays.abort(live.turn)
        return True

    async def reply(self, turn_id: str, interrupt_id: object, value: object, *, cancel: bool, caller: Caller) -> None:
        """Pass the user's reply to a permission or question on to the relay; `cancel` dismisses it instead.

        Raises Forbidden when this caller may not reply to permissions.
        """
        if not isinstance(interrupt_id, str):
            raise errors.InvalidField("interrupt_id must be a string")
        self.describe(turn_id, caller)
        live = self.sessions.streams.get(turn_id)
        if live is None:
            raise unknown_interrupt()
        interrupt = live.turn.progress.open_interrupts.get(interrupt_id)
        if interrupt and not is_question(interrupt):
            check_may_allow(self.settings, caller)
        if not self._preparation.reply(live.turn, interrupt_id, value, cancel=cancel):
            await self.relays.reply(live.turn, interrupt_id, value, cancel=cancel)

    def background_tasks(self, session: str) -> int:
        """Return how many background tasks of the session's running Claude have not reported their end yet.

        The tasks of an earlier process of Claude ended with it.
        """
        conversation = self.conversations.get(session)
        return conversation.tasks if self.session_logs.started_at(session) <= (conversation.ended_at or 0) else 0

    async def dismiss_requests(self, session: str) -> None:
        """Deny all requests of agents in the session; raises TurnInFlight until the refusals are recorded."""
        turns = [self.sessions.streams[turn_id].turn for turn_id in self.sessions.requests(session)]
        await asyncio.gather(*map(self.relays.abort, turns))
        if turns:
            raise errors.TurnInFlight("an agent's request has just been dismissed there", None)

    async def reset(self, session_id: object, caller: Caller) -> None:
        """Start a new conversation in the session; raises TurnInFlight while a turn runs in it."""
        session = self.conversations.claim(session_id, caller)
        self._carrying.check_may_run(session)
        async with self.idle(session):
            relay, name = self.relays.at(session)
            await relay.reset(name)
            self.queues.hold(session, HoldReason.RESET)

    async def compact(self, session_id: object, caller: Caller) -> None:
        """Have the session's Claude replace what was said by a summary; raises TurnInFlight, NotHere, RelayError."""
        session = self.conversations.claim(session_id, caller)
        self._carrying.check_may_run(session)
        async with self.idle(session):
            relay, name = self.relays.at(session)
            if not isinstance(relay, Compacting):
                raise errors.NotHere
            await relay.compact(name)

    @asynccontextmanager
    async def idle(self, session: str) -> AsyncIterator[None]:
        """Let questions wait in the session's queue meanwhile; raises TurnInFlight while a turn runs in it."""
        try:
            with self.sessions.slot(session):
                yield
        finally:
            self._carrying.ask_next(session)

    def unrecorded_ids(self) -> list[str]:
        """Return the turns whose finished row is not in the database: those that run, and those whose row waits."""
        return self._carrying.unrecorded_ids()

    def _folder(self, turn_id: str) -> TurnFolder:
        return self._carrying.folder(turn_id)
