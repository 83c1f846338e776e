"""Follows the logs of all sessions: turns that begin there by themselves, and when a model last began anew."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from paliadin.base.errors import NotFound
from paliadin.base.session_names import SESSION, SessionNames
from paliadin.base.settings import Settings
from paliadin.conversations.directory import Conversations
from paliadin.people.account import account_name
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.session_log import Cleared, Memory, OwnTurn, SessionLog, Started

log = logging.getLogger(__name__)

LONGEST_SOURCE = 50  # characters
Start = tuple[str, datetime, str]
"""(session, at, source): a session's model began to know what it knows; source: startup, resume, clear, compact."""


@dataclass
class _Followed:
    """One session's log as far as it was read."""

    log: SessionLog
    memory: Memory = field(default_factory=Memory)
    turns: dict[str, None] = field(default_factory=dict)  # named since `new_turns` was asked last
    starts: list[tuple[int, str]] = field(default_factory=list)  # (at, source) since `new_starts` was asked last
    is_unreadable: bool = False
    _reading: threading.Lock = field(default_factory=threading.Lock)  # a log is also read beside the event loop

    def advance(self) -> bool:
        """Read on by at most 64 KiB; False if there was nothing more. Raises OSError."""
        with self._reading:
            entries = next(self.log.parts(), None)
            for entry in entries or ():
                self.memory.take(entry)
                match entry:
                    case OwnTurn(turn_id):
                        self.turns[turn_id] = None
                    case Started(int(at), source):
                        self.starts.append((at, source[:LONGEST_SOURCE]))
                    case Cleared(int(at)):
                        self.starts.append((at, "clear"))
        return entries is not None


class SessionLogs:
    """Reads each session's log once, for all who ask.

    Logs may be long, and are read beside the event loop where they may be; which sessions there are is asked on it, as
    that may connect to a host or let go of one.
    """

    def __init__(self, settings: Settings, conversations: Conversations) -> None:
        self._settings, self._conversations = settings, conversations
        self._logs: dict[str, _Followed] = {}  # by the name of the session's folder

    def cleared_at(self, session: str) -> int:
        """Return when the session's model last began to know nothing of what was said; milliseconds since 1970, or 0.

        That is so after a reset, after /clear, and where Claude Code had no transcript any more to go on with.
        """
        return self._read(session).cleared_at

    def started_at(self, session: str) -> int:
        """Return when the process of the session's Claude was started last; milliseconds since 1970, or 0."""
        return self._read(session).started_at

    def _read(self, session: str) -> Memory:
        followed = self._followed(self._conversations.folder_name(session))
        while followed.advance():
            pass
        return followed.memory

    def new_turns(self) -> Iterator[list[str]]:
        """Yield the ids of turns that no request started and that have no finished row, named since the last call.

        A host may name any turn in its log, again and again: of each log only turns of its own session are taken.
        """
        return self._new_turns(self._all())

    async def earlier_turns(self) -> list[list[str]]:
        """Return the ids that `new_turns` yields, of all that the logs have so far; they are read in a thread."""
        logs = self._all()
        return await asyncio.to_thread(lambda: [*self._new_turns(logs)])

    def _new_turns(self, logs: Sequence[tuple[str, _Followed]]) -> Iterator[list[str]]:
        for session, followed in logs:
            try:
                while followed.advance():
                    yield self._take_turns(session, followed)
                followed.is_unreadable = False
            except OSError as error:  # one log must not hold up the others
                if not followed.is_unreadable:
                    log.warning("session %s: turns that begin in its terminal are not found: %s", session, error)
                followed.is_unreadable = True
            if followed.turns:  # somebody else has read on
                yield self._take_turns(session, followed)

    async def new_starts(self) -> list[Start]:
        """Return the starts since the last call."""
        return await asyncio.to_thread(self._new_starts, self._all())

    def _new_starts(self, logs: Sequence[tuple[str, _Followed]]) -> list[Start]:
        starts: list[Start] = []
        for session, followed in logs:
            with contextlib.suppress(OSError):  # one log must not hold up the others; `new_turns` tells of it
                while followed.advance():
                    pass
            new, followed.starts = followed.starts, []
            name = self._settings.names.full(session)
            starts += [(name, datetime.fromtimestamp(at / 1000, UTC), source) for at, source in new]
        return starts

    def _all(self) -> list[tuple[str, _Followed]]:
        folders = self._conversations.log_folders()
        for gone in self._logs.keys() - set(folders):
            del self._logs[gone]
        return [(name, self._followed(name)) for name in folders]

    def _followed(self, name: str) -> _Followed:
        if name not in self._logs:  # no setdefault, which would make one at each look
            self._logs[name] = _Followed(SessionLog(self._settings.sessions_dir / name))
        return self._logs[name]

    def _take_turns(self, session: str, followed: _Followed) -> list[str]:
        new = [turn_id for turn_id in followed.turns if self._is_new(session, turn_id)]
        followed.turns = {}  # not before: what could not be read now is asked for again
        return new

    def _is_new(self, session: str, turn_id: str) -> bool:
        folder, full = TurnFolder(self._settings.response_dir, turn_id), self._settings.names.full
        try:
            return not folder.recorded.exists() and full(folder.describe().session_id) == full(session)
        except NotFound:
            return False


def complete_description(folder: TurnFolder, names: SessionNames, host: Callable[[str], str]) -> str:
    """Return the turn's session; add what a hook that made the turn did not know."""
    description = folder.describe()
    session = names.full(description.session_id)
    if not SESSION.fullmatch(session):
        raise NotFound(
            "its turn.json names no session", code="unknown_session", hint="Restore the file, or delete the turn."
        )
    if description.host is None:
        whose = replace(description, session_id=session, person=account_name(), host=host(session))
        folder.rewrite(replace(whose, checked_at_end=True))
    return session
