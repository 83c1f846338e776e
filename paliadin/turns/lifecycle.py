"""One turn through relay → log → store. The effects of a turn are sequenced here and nowhere else."""

from __future__ import annotations

import asyncio
import getpass
import logging
from collections.abc import AsyncIterator, Coroutine, Mapping
from dataclasses import dataclass, field

from paliadin import errors
from paliadin.config import Settings
from paliadin.live import LiveTurn
from paliadin.prompt import Context, check_message, envelope
from paliadin.record import first_row
from paliadin.recorder import Recorder
from paliadin.reduce import Event, Reducer
from paliadin.relay import SessionState
from paliadin.relays import Relays
from paliadin.turnlog import Line, LogReader, TurnFolder, is_full, new_turn_id, now_ms, write_json

log = logging.getLogger(__name__)

DEFAULT_SESSION = "main"
LOOK_FOR_OWN_TURNS = 0.5  # seconds between looks for turns that were typed in the terminal
WRITE_AGAIN = 1.0  # seconds between tries to write the end of a turn on a disk that is full


@dataclass(frozen=True, slots=True)
class Question:
    """What a client asks; raw values, checked in `Turns.ask`."""

    session_id: object
    user_message: object
    context: object = None
    origin: str = "api"
    page_origin: str | None = None
    person: str | None = None  # None: whose account the daemon runs in


@dataclass
class Turns:
    """`chips`: chip kind → path template with `{id}`."""

    settings: Settings
    relay: Relays
    recorder: Recorder
    chips: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._live: dict[str, LiveTurn] = {}
        self._running: dict[str, str] = {}  # session → turn_id
        self._tasks: set[asyncio.Task[None]] = set()
        self._session_logs: dict[str, LogReader] = {}

    async def open(self) -> None:
        """Take up what an earlier daemon left: turns that run, and rows that are not finished."""
        self._own_turns()  # those so far are among them
        for turn in self.recorder.unrecorded():
            self._adopt(turn)
        self._spawn(self._take_own_turns())

    async def close(self) -> None:
        """Let go of all turns; they go on without us."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.end_streams()

    def end_streams(self) -> None:
        """Clients come back with the number they have."""
        for live in self._live.values():
            live.close()

    async def ask(self, question: Question) -> str:
        """Check, make the turn's folder and its row, then let the relay carry it. Returns the turn_id."""
        session = self.known_session(question.session_id)
        message = check_message(question.user_message)
        context = Context.parse(question.context)
        self._check_free(session)
        turn_id = new_turn_id()
        turn = TurnFolder(self.settings.response_dir, turn_id)
        self._running[session] = turn_id
        try:
            description = {
                "turn_id": turn_id,
                "session_id": session,
                "person": question.person or getpass.getuser(),
                "host": self.relay.host(session),
                "origin": question.origin,
                "page_origin": question.page_origin,
                "context": context.as_json(),
                "user_message": message,
            }
            turn.create(description)
            await self.recorder.begin(first_row(description))
        except BaseException:
            del self._running[session]
            raise
        self._carry(turn, session, self.relay.submit(turn_id, session, envelope(turn_id, message, context)))
        return turn_id

    async def events(self, turn_id: str, after: int = 0) -> AsyncIterator[Event]:
        """The turn's events behind `after`: live ones as they come, of a finished turn all there are."""
        live = self._live.get(turn_id)
        if live is None:
            turn = self._turn(turn_id)
            live = LiveTurn(turn.describe(), self.chips)
            for line in turn.lines():
                live.events += live.reducer.feed(line)
            live.close()
            self.recorder.seen(turn_id)
        async for event in live.after(after):
            yield event

    def describe(self, turn_id: str) -> Line:
        """Who asked what, from where; raises NotFound."""
        return self._turn(turn_id).describe()

    async def abort(self, turn_id: str) -> bool:
        """Interrupt the turn; False when it was over already."""
        self.describe(turn_id)
        live = self._live.get(turn_id)
        if live is None:
            return False
        await self.relay.abort(turn_id, str(live.reducer.turn["session_id"]))
        return True

    async def answer(self, turn_id: str, interrupt_id: object, value: object, *, cancel: bool) -> None:
        if not isinstance(interrupt_id, str):
            raise errors.InvalidField("interrupt_id must be a string")
        self.describe(turn_id)
        await self.relay.answer(turn_id, interrupt_id, value, cancel=cancel)

    async def reset(self, session_id: object) -> None:
        session = self.known_session(session_id)
        self._check_free(session)
        await self.relay.reset(session)

    async def sessions(self) -> list[SessionState]:
        return [await self.relay.state(name) for name in self.session_names()]

    def session_names(self) -> list[str]:
        return [*map(self.settings.session_id, self._local_sessions()), *self.relay.remote_sessions()]

    def _local_sessions(self) -> list[str]:
        folder = self.settings.sessions_dir
        return sorted(
            {DEFAULT_SESSION, *(path.name for path in folder.iterdir() if path.is_dir() and "@" not in path.name)}
        )

    def known_session(self, value: object) -> str:
        if not isinstance(value, str):
            raise errors.InvalidField("session_id must be a string")
        session = self.settings.session_id(value)
        if session not in self.session_names():
            raise errors.NotFound(
                "there is no session with this name", code="unknown_session", hint="`main` is always there."
            )
        return session

    def running(self, session: str) -> str | None:
        """The turn_id of the turn that runs in the session."""
        turn_id = self._running.get(session)
        live = self._live.get(turn_id) if turn_id else None
        return None if live and live.reducer.ended else turn_id  # whoever has read the end may ask again, at once

    def _check_free(self, session: str) -> None:
        if turn_id := self.running(session):
            raise errors.TurnInFlight("a turn runs in this session", turn_id)

    def unwritten(self) -> list[str]:
        """The turns that may have no row yet: those that run, and those whose finished row waits for the database."""
        return [*self._live, *self.recorder.waiting]

    def reducer(self, turn_id: str) -> Reducer:
        """What the turn's log says so far; NotFound when its folder is gone."""
        live = self._live.get(turn_id)
        if live:
            return live.reducer
        turn = self._turn(turn_id)
        reducer = Reducer(turn.describe(), self.chips)
        for line in turn.lines():
            reducer.feed(line)
        return reducer

    @property
    def active_streams(self) -> int:
        return sum(live.viewers for live in self._live.values())

    def _turn(self, turn_id: str) -> TurnFolder:
        return TurnFolder(self.settings.response_dir, turn_id)

    def _adopt(self, turn: TurnFolder) -> None:
        """A turn that began without us; never typed again. One that is over only needs its row."""
        try:
            session = self._complete(turn)
            reducer = self.reducer(turn.turn_id)
        except (errors.NotFound, errors.StorageFull, KeyError) as error:
            log.warning("turn %s cannot be taken up; it gets no row: %r", turn.turn_id, error)
            return
        if reducer.ended:
            self.recorder.finish(turn, reducer, watched=turn.watched.exists())
            return
        self._running[session] = turn.turn_id
        self._carry(turn, session, self.relay.resume(turn.turn_id, session))

    def _complete(self, turn: TurnFolder) -> str:
        """The turn's session; a hook that made the turn knew neither whose nor where it is."""
        description = turn.describe()
        session = self.settings.session_id(str(description["session_id"]))
        if "host" not in description:
            place = {"session_id": session, "person": getpass.getuser(), "host": self.relay.host(session)}
            write_json(turn.path / "turn.json", {**description, **place})
        return session

    def _carry(self, turn: TurnFolder, session: str, relay: Coroutine[object, object, None]) -> None:
        live = self._live[turn.turn_id] = LiveTurn(turn.describe(), self.chips)
        self._spawn(self._run(turn, session, live, relay))

    async def _run(
        self, turn: TurnFolder, session: str, live: LiveTurn, relay: Coroutine[object, object, None]
    ) -> None:
        """The relay carries the turn while its log is followed to the end; then its row can be finished."""
        following = asyncio.create_task(live.take(self.relay.follow(turn.turn_id)))
        relaying = asyncio.create_task(relay)
        try:
            done, _ = await asyncio.wait({following, relaying}, return_when=asyncio.FIRST_COMPLETED)
            broken = next((error for task in done if (error := task.exception())), None)
            if broken:
                following.cancel()
                self._end_session(turn, session)
                await _tell_broken(turn, live, broken)
            elif not following.done():
                await following
        finally:
            following.cancel()
            relaying.cancel()
            await asyncio.gather(following, relaying, return_exceptions=True)
            live.close()
            self._end_session(turn, session)
        self.recorder.finish(turn, live.reducer, watched=live.watched)
        # Clients that are just reading the end keep their own hold on it.
        del self._live[turn.turn_id]

    def _end_session(self, turn: TurnFolder, session: str) -> None:
        if self._running.get(session) == turn.turn_id:
            del self._running[session]

    async def _take_own_turns(self) -> None:
        """Prompts typed in the terminal, and those that Claude makes itself, get their turn from the hook."""
        while True:
            for turn_id in self._own_turns():
                if turn_id not in self._live:
                    self._adopt(self._turn(turn_id))
            await asyncio.sleep(LOOK_FOR_OWN_TURNS)

    def _own_turns(self) -> list[str]:
        """Those that the sessions' logs have told since it was last asked."""
        found = []
        for name in [*self._local_sessions(), *self.relay.remote_sessions()]:
            path = self.settings.sessions_dir / name / "events.jsonl"
            for line in self._session_logs.setdefault(name, LogReader(path)).read():
                turn_id = line.get("own_turn")
                found += [turn_id] if isinstance(turn_id, str) else []
        return found

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            log.error("a turn's task failed", exc_info=task.exception())


async def _tell_broken(turn: TurnFolder, live: LiveTurn, error: BaseException) -> None:
    """The relay could not write the end: readers are told now, and the log as soon as the disk takes it."""
    log.error("turn %s cannot be carried on", turn.turn_id, exc_info=error)
    if isinstance(error, OSError) and is_full(error):
        error = errors.StorageFull("the disk that holds the turn is full")
    told = error if isinstance(error, errors.PaliadinError) else errors.PaliadinError("Paliadin failed in this turn")
    failure = {"kind": "failed", "code": told.error_code, "message": told.message, "hint": told.hint}
    live.feed({"at": now_ms(), "relay": failure})
    live.close()
    while True:
        try:
            return turn.append(relay=failure)
        except errors.NotFound:
            return None
        except (errors.StorageFull, OSError):
            await asyncio.sleep(WRITE_AGAIN)
