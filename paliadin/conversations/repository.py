"""The repository of this daemon's conversations, on this machine and on its remote hosts."""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from paliadin.base import errors
from paliadin.base.files import write_json
from paliadin.base.session_names import MADE_NAME, MEMBER_FILE, SessionName
from paliadin.base.settings import Settings
from paliadin.base.strict_json import parse_json
from paliadin.conversations.changes import Changes
from paliadin.conversations.conversation import BranchPoint, Conversation
from paliadin.people.person_key import PersonKey
from paliadin.relays.protocol import DEFAULT_SESSION, PARKED, SessionState, State
from paliadin.relays.routing import Relays
from paliadin.turnlog.ids import now_ms, started_ms

log = logging.getLogger(__name__)

FILE = "conversation.json"
SETTLED_AFTER = 2.0  # seconds after which the time of a folder's last change tells of every later change
UNBEGUN_MS = 7 * 24 * 3_600_000  # milliseconds after which one without a question is taken away


class TurnRange(NamedTuple):
    """The turns of a session that a conversation shows: from the id `start` on ("": all), before `end` (None: all)."""

    session: str
    start: str
    end: str | None


class ConversationRepository:
    """Finds conversations by the names of their sessions, and reads and writes each one's conversation.json.

    Names are the full ones that the database has: `main@laptop` for a session of the daemon `laptop`, or plain `main`.
    """

    def __init__(self, settings: Settings, relays: Relays) -> None:
        self._settings, self._relays = settings, relays
        self._names = settings.names
        self.changes = Changes()
        self._listed: Sequence[str] = ()
        self._listed_at: float | None = None  # the time of the parent folder's last change then
        self._by_folder: dict[str, Conversation] = {}  # by the folder's name; this process alone writes the files

    def names(self) -> list[str]:
        """Return every session that a question can be asked in."""
        return [name for name in self._all() if self.get(name).deleted_at is None]

    def find(self, name: str) -> str | None:
        """Return the full name of the session on this machine whose folder has this name; None if there is none."""
        full = self._names.full(name)
        return full if self._names.short(full) in self._local() else None

    def person_key(self, session: str) -> PersonKey:
        """Return the key of the person whose conversation it is."""
        conversation = self.get(session)
        return PersonKey.of(conversation.person, conversation.origin, self._settings.people_origins)

    def log_folders(self) -> list[str]:
        """Return each session's folder name below `sessions/`; a remote session's folder holds a mirror of its log."""
        return [*self._local(), *self._relays.sessions()]

    def folder(self, session: str) -> Path:
        """The folder of the session; it need not exist."""
        return self._settings.sessions_dir / self.folder_name(session)

    def folder_name(self, session: str) -> str:
        """Return the name of the session's folder below `sessions/`; a path takes longer, and a list asks for all."""
        return self._names.short(session) or session

    def get(self, session: str) -> Conversation:
        """Return the session's conversation; of one without a file, only the person is known."""
        name = self.folder_name(session)
        if name not in self._by_folder:
            self._by_folder[name] = _read(self.folder(session))
        return self._by_folder[name]

    def put(self, session: str, conversation: Conversation) -> None:
        """Write the conversation to its file; raises StorageFull."""
        folder = self.folder(session)
        folder.mkdir(mode=0o700, exist_ok=True)
        write_json(folder / FILE, conversation.as_json())
        self._by_folder[folder.name] = conversation
        self.changes.note(session)

    def note_question(self, session: str, turn_id: str, question: str) -> None:
        """Record that this question was asked."""
        self._note(session, self.get(session).asked(turn_id, question, started_ms(turn_id)))

    def note_end(self, session: str, ended_at: int, *, failed: bool, tasks: int | None = None) -> None:
        """Record that the last turn has ended; an earlier end than the recorded one changes nothing.

        `tasks`: how many go on in the background; None if Claude did not report it.
        """
        if ended_at > (self.get(session).ended_at or 0):
            self._note(session, self.get(session).ended(ended_at, failed=failed, tasks=tasks))

    def _note(self, session: str, conversation: Conversation) -> None:
        try:
            self.put(session, conversation)
        except (errors.PaliadinError, OSError) as error:  # the list is behind; the turn is not
            log.warning("the conversation of %s is not noted: %s", session, error)

    def is_last(self, session: str, turn_id: str) -> bool:
        """Tell whether this turn's question is the last one that was asked in the session."""
        return started_ms(turn_id) >= (self.get(session).last_at or 0)

    def is_described(self, session: str) -> bool:
        """Tell whether the conversation has a file: one in which nothing was asked or changed may have none."""
        return (self.folder(session) / FILE).exists()

    def remove(self, session: str) -> None:
        """Remove the conversation's folder with all that is in it, and forget it."""
        folder = self.folder(session)
        _clear(folder)  # last goes what says that it was deleted: the next daemon finishes what this one has begun
        shutil.rmtree(folder, ignore_errors=True)
        self._forget(session)

    def _forget(self, session: str) -> None:
        """Drop the conversation, and the list of folders, from memory: they are read again when needed."""
        self._by_folder.pop(self.folder_name(session), None)
        self._listed_at = None
        self.changes.note(session)

    def begin_anew(self, session: str, before: str) -> None:
        """Make a conversation that was deleted a new one; its turns before the turn `before` are kept for branches.

        Raises StorageFull.
        """
        deleted = self.get(session)
        anew = Conversation(person=deleted.person, origin=deleted.origin, emptied=(*deleted.emptied, before))
        _clear(self.folder(session))
        self.put(session, anew)

    def with_leftovers(self) -> list[str]:
        """Return the sessions whose conversation was deleted: it is about to be removed, or kept for its branches."""
        return [name for name in self._all() if self.get(name).deleted_at is not None or self.get(name).emptied]

    def unbegun(self) -> list[str]:
        """Return the conversations that were made long ago and in which nothing was ever asked."""
        latest = now_ms() - UNBEGUN_MS

        def is_unbegun(each: Conversation) -> bool:
            return each.last_at is None and not each.titled and (each.created_at or latest) < latest

        made_sessions = (name for name in self._all() if MADE_NAME.fullmatch(SessionName.parse(name).session))
        return [name for name in made_sessions if is_unbegun(self.get(name))]

    def branches(self, session: str) -> list[BranchPoint]:
        """Return the points at which branches leave this conversation, also branches that are kept for others only."""
        points = (self.get(name).branch_of for name in self._all())
        return [point for point in points if point and point.session_id == session]

    def turn_ranges(self, session: str) -> list[TurnRange]:
        """Return the ranges of turns that the conversation consists of, newest first."""
        conversation = self.get(session)
        ranges = [TurnRange(session, conversation.first_shown(), None)]
        while (point := conversation.branch_of) and point.session_id not in {each.session for each in ranges}:
            conversation = self.get(point.session_id)
            ranges.append(TurnRange(point.session_id, conversation.first_shown(point.turn_id), point.turn_id))
        return ranges

    def members(self) -> list[str]:
        """Return the sessions of other people than the owner."""
        return [name for name in self._all() if self.get(name).person]

    async def states(self) -> list[SessionState]:
        """Return the current state of each session, looked up now where its Claude runs or should run."""
        alive, main = await self._relays.alive(), self._names.full(DEFAULT_SESSION)
        return [
            SessionState(name, self._relays.host(name), State.PARKED, PARKED)
            if name not in {*alive, main} and self._is_parked(name)
            else await self._relays.state(name)
            for name in self.names()
        ]

    def _is_parked(self, session: str) -> bool:
        """Tell whether a session is parked if its Claude does not run; otherwise its machine has to be asked."""
        is_made = MADE_NAME.fullmatch(SessionName.parse(session).session)
        return self._names.short(session) is not None or bool(is_made and self._relays.is_reachable(session))

    def _all(self) -> list[str]:
        return [*map(self._names.full, self._local()), *self._relays.sessions()]

    def _local(self) -> Sequence[str]:
        """List the folders; again only when their parent has changed, since they are asked for twice a second."""
        changed_at = self._settings.sessions_dir.stat().st_mtime
        if changed_at != self._listed_at:
            folders = (path.name for path in self._settings.sessions_dir.iterdir() if path.is_dir())
            names = {DEFAULT_SESSION, *(name for name in folders if SessionName.parse(name).place is None)}
            self._listed = sorted(names)
            # A folder that is made within the same tick of the clock would not be noticed.
            self._listed_at = changed_at if abs(time.time() - changed_at) > SETTLED_AFTER else None
        return self._listed


def _clear(folder: Path) -> None:
    """Remove a conversation's folder's content, but for the files that say whose it is and what has become of it."""
    for path in [path for path in folder.glob("*") if path.name not in {FILE, MEMBER_FILE}]:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _read(folder: Path) -> Conversation:
    """Read the conversation from its file and the member's."""
    stored = Conversation.parse(_parse(folder / FILE))
    if not (folder / MEMBER_FILE).exists():
        return replace(stored, person="")
    member = _parse(folder / MEMBER_FILE)
    person, origin = (member.get("person"), member.get("origin")) if isinstance(member, Mapping) else (None, None)
    return replace(stored, person=str(person or "?"), origin=origin if isinstance(origin, str) else None)


def _parse(path: Path) -> object:
    try:
        return parse_json(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
