"""The sessions of this daemon: on this machine, on its remote hosts, and those of other people than the owner."""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager

from paliadin.base import errors
from paliadin.base.files import write_json
from paliadin.base.session_names import MEMBER_FILE, SessionName
from paliadin.base.settings import Settings
from paliadin.people.caller import Caller
from paliadin.relays.protocol import DEFAULT_SESSION, Relays, SessionState, State

SETTLED_AFTER = 2.0  # seconds after which the time of a folder's last change tells of every later change
LONGEST_PERSON_PART = 24  # characters of a member's name in the name of their session


class Sessions:
    """Finds sessions by name.

    Names are the full ones that the database has: `main@laptop` for a session of the daemon `laptop`, or plain `main`.
    """

    def __init__(self, settings: Settings, relay: Relays) -> None:
        self._settings, self._relay = settings, relay
        self._listed: Sequence[str] = ()
        self._listed_at: float | None = None  # the time of the parent folder's last change then
        self._admitting = asyncio.Lock()

    def names(self) -> list[str]:
        """Return every session that a question can be asked in."""
        return [*map(self._settings.names.full, self._local()), *self._relay.sessions()]

    def log_folders(self) -> list[str]:
        """Return each session's folder name below `sessions/`; a remote session's folder holds a mirror of its log."""
        return [*self._local(), *self._relay.sessions()]

    def resolve(self, session_id: object, caller: Caller) -> str:
        """Return the full name of the session that a request names; raises InvalidField or NotFound.

        A member has one session, which is their `main`; it need not exist yet.
        """
        if not isinstance(session_id, str):
            raise errors.InvalidField("session_id must be a string")
        session = self._settings.names.full(session_id)
        if caller.is_member:
            own = self._own(caller)
            if session in {own, self._settings.names.full(DEFAULT_SESSION)}:
                return own
            raise errors.NotFound("there is no such session", code="unknown_session", hint="Leave session_id out.")
        if session not in (names := self.names()):
            raise errors.NotFound(
                f"there is no session {session[:80]!r}", code="unknown_session", hint=f"Sessions: {', '.join(names)}."
            )
        return session

    def sees(self, caller: Caller, session: str) -> bool:
        """Tell whether the turns of this session are the caller's to see: the owner sees all of them."""
        return not caller.is_member or session == self._own(caller)

    @asynccontextmanager
    async def admitted(
        self, session: str, caller: Caller, running: Callable[[], Collection[str]]
    ) -> AsyncIterator[None]:
        """Make a member's session if it is missing; in the `with` block no other member is admitted.

        `running` tells in which sessions turns run. It is asked once it is this member's turn: whoever was admitted
        before has a turn by then, but maybe no Claude yet. Raises RelayError when too many members' sessions run.
        """
        if not caller.is_member:
            yield
            return
        async with self._admitting:
            others, at_work = [name for name in self._members() if name != session], running()
            alive = [name for name in others if name in at_work or await self._is_alive(name)]
            if len(alive) >= self._settings.max_embedded:
                raise errors.RelayError(
                    f"{len(alive)} conversations of other people run already, and no more may run at once",
                    code="too_many_conversations",
                    hint="Ask again later. The owner can raise PALIADIN_MAX_EMBEDDED.",
                )
            folder = self._settings.sessions_dir / str(self._settings.names.short(session))
            folder.mkdir(mode=0o700, exist_ok=True)
            write_json(folder / MEMBER_FILE, {"person": caller.person, "origin": caller.origin})
            self._listed_at = None
            yield

    async def states(self) -> list[SessionState]:
        """Return the current state of each session, looked up now."""
        return [await self._relay.state(name) for name in self.names()]

    def _own(self, caller: Caller) -> str:
        """The session of a member at the origin of their page. Its name says who it is, and belongs to nobody else."""
        digest = hashlib.sha256(f"{caller.origin}\0{caller.person}".encode("utf-8", "surrogatepass")).hexdigest()
        readable = re.sub(r"[^A-Za-z0-9]+", "-", caller.person)[:LONGEST_PERSON_PART].strip("-")
        return self._settings.names.full(f"{readable or 'person'}-{digest[:32]}")

    def _members(self) -> list[str]:
        folders = (name for name in self._local() if (self._settings.sessions_dir / name / MEMBER_FILE).exists())
        return list(map(self._settings.names.full, folders))

    async def _is_alive(self, session: str) -> bool:
        return (await self._relay.state(session)).state is not State.DEAD

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
