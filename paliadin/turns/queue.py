"""The questions that wait in a conversation until the one before them is answered: kept in a file, in their order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from paliadin.base.errors import InvalidField, NotFound, PaliadinError
from paliadin.base.files import write_json
from paliadin.base.strict_json import parse_json
from paliadin.turnlog.description import Description
from paliadin.turnlog.ids import check_turn_id, new_turn_id

log = logging.getLogger(__name__)

FILE = "queue.json"
MOST_QUEUED = 20  # questions in one conversation


class HoldReason(StrEnum):
    """The reason for which a queue waits until the person says that it may go on."""

    STOPPED = "stopped"  # the person stopped a turn
    FAILED = "failed"  # a turn ended with an error
    RESET = "reset"  # Claude knows nothing any more of what was said before


@dataclass
class Queue:
    """The questions that wait in one session, as descriptions of their turns, in their order."""

    turns: list[Description] = field(default_factory=list)
    held: HoldReason | None = None

    @property
    def is_moving(self) -> bool:
        """True if a question waits and will be asked by itself."""
        return bool(self.turns) and self.held is None


class Queues:
    """The queue of each session. `folder` gives a session's folder, `is_begun` tells whether a turn has a folder.

    `on_change` is called with the session whose queue has changed.

    A question is taken off the file once its turn has a folder: a daemon that was killed in between finds both, and
    does not ask it twice.
    """

    def __init__(
        self,
        folder: Callable[[str], Path],
        is_begun: Callable[[str], bool],
        on_change: Callable[[str], None] = lambda _session: None,
    ) -> None:
        self._folder, self._is_begun, self._on_change = folder, is_begun, on_change
        self._queues: dict[str, Queue] = {}
        self._renewed: dict[str, str] = {}  # old id → new id
        self._changed = asyncio.Event()  # set and replaced when a question leaves a queue
        self.closed = False

    def of(self, session: str) -> Queue:
        """The session's queue."""
        if session not in self._queues:
            self._queues[session] = self._read(self._folder(session) / FILE)
        return self._queues[session]

    def place(self, turn_id: str) -> int:
        """The question's place in its session's queue, from 1; 0 if it does not wait."""
        if waiting := self.find(turn_id):
            session, description = waiting
            return self.of(session).turns.index(description) + 1
        return 0

    def require_room(self, session: str) -> None:
        """Raise PaliadinError when too many questions wait in the session."""
        if len(self.of(session).turns) >= MOST_QUEUED:
            raise PaliadinError(
                f"{MOST_QUEUED} questions wait in this conversation already",
                code="queue_full",
                status=409,
                hint="Wait for an answer, or withdraw one of them.",
            )

    def add(self, session: str, description: Description) -> None:
        """Queue a question at the end; raises as `require_room`, and StorageFull."""
        self.require_room(session)
        queue = self.of(session)
        self._save(session, Queue([*queue.turns, description], queue.held))

    def attached(self, sessions: Iterable[str]) -> set[str]:
        """Return the ids of the files that questions which wait in these sessions take along."""
        return {file.id for session in sessions for each in self.of(session).turns for file in each.attachments}

    def renew(self, session: str) -> None:
        """Give the questions that wait later ids: another one is asked before them. The old ids stay valid."""
        queue = self.of(session)
        turns = [replace(each, turn_id=new_turn_id()) for each in queue.turns]
        if turns:
            self._save(session, Queue(turns, queue.held))
        self._renewed |= {old.turn_id: new.turn_id for old, new in zip(queue.turns, turns, strict=True)}

    def present_id(self, turn_id: str) -> str:
        """Return the present id of the question that was queued under this one; any other id is returned as it is."""
        while turn_id in self._renewed:
            turn_id = self._renewed[turn_id]
        return turn_id

    def find(self, turn_id: str) -> tuple[str, Description] | None:
        """Return (session, description) of a question that waits, or is being asked just now; None if there is none."""
        turn_id = self.present_id(turn_id)
        for session, queue in self._queues.items():
            for description in queue.turns:
                if description.turn_id == turn_id:
                    return session, description
        return None

    def change(self, turn_id: str, message: str, *, command: bool = False) -> None:
        """Put another text in the place of a question that waits; raises NotFound."""
        session, old = self._waiting(turn_id)
        queue = self.of(session)
        turns = [replace(old, user_message=message, command=command) if each is old else each for each in queue.turns]
        self._save(session, Queue(turns, queue.held))

    def withdraw(self, turn_id: str) -> None:
        """Take a question away; raises NotFound."""
        session, description = self._waiting(turn_id)
        self._save(session, self._without(session, description.turn_id))
        self._wake()

    def note_begun(self, session: str, turn_id: str) -> None:
        """Take a question off the queue whose turn has begun."""
        queue = self._without(session, turn_id)
        try:
            self._save(session, queue)
        except (PaliadinError, OSError) as error:  # the next daemon sees by the turn's folder that it has begun
            log.warning("the queue of %s is not saved: %s", session, error)
            self._keep(session, queue)
        self._wake()

    def _keep(self, session: str, queue: Queue) -> None:
        self._queues[session] = queue
        self._on_change(session)

    def _without(self, session: str, turn_id: str) -> Queue:
        queue = self.of(session)
        turns = [each for each in queue.turns if each.turn_id != turn_id]
        return Queue(turns, queue.held if turns else None)

    def forget(self, session: str) -> None:
        """Drop a session's queue: the conversation was removed, with the file."""
        self._queues.pop(session, None)
        self._wake()

    def first(self, session: str) -> Description | None:
        """The question that is to be asked next; None if none waits, or the queue is held."""
        queue = self.of(session)
        return queue.turns[0] if queue.is_moving else None

    def hold(self, session: str, reason: HoldReason | None) -> None:
        """Hold the session's queue if a question waits in it, or (None) let it go on."""
        queue = self.of(session)
        if queue.turns and queue.held != reason:
            self._save(session, Queue(queue.turns, reason))

    async def wait_until_begun(self, turn_id: str) -> None:
        """Wait until the question has left the queue; returns at once for one that is in none."""
        while True:
            changed = self._changed
            if self.closed or not self.find(turn_id):
                return
            await changed.wait()

    def close(self) -> None:
        """End every `wait_until_begun`: the daemon ends."""
        self.closed = True
        self._wake()

    def _waiting(self, turn_id: str) -> tuple[str, Description]:
        if (waiting := self.find(turn_id)) and not self._is_begun(self.present_id(turn_id)):
            return waiting
        raise NotFound(
            "no question with this id waits", code="not_queued", hint="It was asked or withdrawn: reload the page."
        )

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _save(self, session: str, queue: Queue) -> None:
        path = self._folder(session) / FILE
        if queue.turns:
            path.parent.mkdir(mode=0o700, exist_ok=True)  # no Claude was ever started there
            write_json(path, {"held": queue.held, "turns": [each.as_json() for each in queue.turns]})
        else:
            path.unlink(missing_ok=True)
        self._keep(session, queue)

    def _read(self, path: Path) -> Queue:
        try:
            value = parse_json(path.read_text("utf-8"))
        except (OSError, ValueError):
            return Queue()
        turns = value.get("turns") if isinstance(value, Mapping) else None
        held = value.get("held") if isinstance(value, Mapping) else None
        descriptions = (
            [Description.parse(each) for each in turns if isinstance(each, Mapping)] if isinstance(turns, list) else []
        )
        waiting = [each for each in descriptions if self._is_to_be_asked(each)]
        return Queue(waiting, HoldReason(held) if isinstance(held, str) and held in set(HoldReason) else None)

    def _is_to_be_asked(self, description: Description) -> bool:
        try:
            return bool(description.user_message) and not self._is_begun(check_turn_id(description.turn_id))
        except NotFound:
            return False


def check_queue_flag(value: object) -> bool:
    """Return the field `queue` of a request; raises InvalidField."""
    if not isinstance(value, bool):
        raise InvalidField("queue must be true or false")
    return value
