"""The relay to a remote host. It mirrors each turn's log into the turn's folder here, byte by byte.

Everything above the relay reads the mirror, as if the turn ran on this machine.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from paliadin.base import errors
from paliadin.base.session_names import SessionName
from paliadin.base.settings import Settings
from paliadin.base.strict_json import JsonObject
from paliadin.base.tasks import Tasks, background
from paliadin.events.failures import name_session
from paliadin.relays.figures import Figures
from paliadin.relays.offers import Offers
from paliadin.relays.protocol import CLAUDE_CODE, SessionState, State
from paliadin.relays.remote_turns import RemoteTurns
from paliadin.relays.ssh.connection import Connection
from paliadin.relays.ssh.far_figures import FarFigures
from paliadin.relays.ssh.far_pictures import FarPictures
from paliadin.relays.ssh.far_turns import FarTurns
from paliadin.relays.ssh.hosts import Remote
from paliadin.relays.ssh.made_sessions import MadeSessions
from paliadin.relays.ssh.session_mirror import SessionMirror
from paliadin.relays.ssh.wire_protocol import MAX_TURN_IDS, PREVIEW
from paliadin.relays.turn import Turn

STATE_TIMEOUT = 5.0  # seconds; a page waits for the response
SESSION_TIMEOUT = 30.0  # seconds to make, branch or delete a session: its Claude may have to be ended
COMPACT_TIMEOUT = 330.0  # seconds: the host gives up after 300
MAX_BEGINNING = 16  # requests to watch a session at once; questions find room among them
ALIVE_TIMEOUT = 2.0  # seconds
SHIM_LOG_HINT = "Read shim.log in Paliadin's state folder on that host; Claude goes on with the turn."
ALIVE_PATIENCE = 0.3  # seconds that the list of conversations waits for a host; then it shows what was known before


class SshRelay:
    """A `paliadin.relays.protocol.FarRelay` for one host. Sessions have the names that they have on that host."""

    traits = CLAUDE_CODE

    def __init__(self, settings: Settings, remote: Remote) -> None:
        self.remote = remote
        self.host = remote.name
        self._settings = settings
        self._farewells = Tasks()
        self._connection = Connection(remote, self._receive, self._connection_lost, self._log_failed)
        self._far_turns = FarTurns(self._connection, self.check_has, self._farewells)
        self._turns = RemoteTurns(settings.response_dir, self._far_turns.stop, self._far_turns.let_go)
        self._figures = FarFigures(self._connection, self._farewells)
        self._pictures = FarPictures(self._connection, settings.response_dir)
        self._made = MadeSessions(settings.sessions_dir, remote.name)
        self._sessions: dict[str, SessionMirror] = {}
        self._sessions_changed = asyncio.Event()
        self._beginning_to_watch = asyncio.Semaphore(MAX_BEGINNING)
        self._alive: set[str] = set()  # as the host said last
        self._asking_alive: asyncio.Task[None] | None = None
        self._update_sessions()

    @property
    def sessions(self) -> list[str]:
        """Return the sessions there: those of the key, and the conversations that were made from here."""
        return [*self.remote.sessions, *self._made.here()]

    @property
    def is_connected(self) -> bool:
        """True while the host can be asked."""
        return self._connection.up.is_set()

    def _update_sessions(self) -> None:
        """Start mirrors for new sessions, and stop those of sessions that are gone."""
        self._sessions = {
            name: self._sessions.get(name)
            or SessionMirror(self._settings, self._connection, name, self._beginning_to_watch)
            for name in (*self.remote.sessions, *self._made.there)
        }
        self._sessions_changed.set()

    async def run(self) -> None:
        """Stay connected, and mirror the sessions' logs, until cancelled.

        A turn that still waits for the host then fails with "the host was removed". A daemon that stops cancels
        `submit` and `resume` first, so that its turns go on.
        """
        running: dict[SessionMirror, asyncio.Task[None]] = {}
        async with background(self._connection.run()), self._farewells, Tasks() as mirroring:
            while True:
                self._sessions_changed.clear()
                for mirror in running.keys() - set(self._sessions.values()):
                    running.pop(mirror).cancel()
                for mirror in self._sessions.values():
                    running[mirror] = running.get(mirror) or mirroring.spawn(mirror.run())
                await self._sessions_changed.wait()

    def update(self, remote: Remote) -> None:
        """Apply a changed entry of the list of hosts: another way to reach the host, or other sessions."""
        if remote == self.remote:
            return
        self.remote = self._connection.remote = remote
        self._connection.reconnect()
        self._update_sessions()

    async def submit(self, turn: Turn) -> None:
        await self._turns.carry(turn, self._far_turns.hand_over, is_new=True)

    async def resume(self, turn: Turn) -> None:
        await self._turns.carry(turn, self._far_turns.hand_over, is_new=False)

    async def reply(self, turn: Turn, interrupt_id: str, value: object, *, cancel: bool) -> None:
        await self._connection.request("answer", turn_id=turn.id, interrupt_id=interrupt_id, value=value, cancel=cancel)

    async def abort(self, turn: Turn) -> None:
        await self._turns.abort(turn)

    async def reset(self, session: str) -> None:
        result = await self._connection.request("reset", session_id=session)
        if session in self._sessions:
            await self._sessions[session].wait_for_size(result.get("size"))  # then the page reads its beginning, too

    async def compact(self, session: str) -> None:
        await self._request_new("compact", COMPACT_TIMEOUT, session_id=session)

    async def open(self, session: str) -> None:
        await self._request_new("open", session_id=session)
        self._made.add(session)
        self._update_sessions()

    async def alive(self) -> set[str]:
        """Return the sessions there whose Claude runs; those of the last call if the host responds too slowly."""
        if not self.is_connected:
            return set()
        if not self._has("alive"):  # an older shim, which parks none
            return set(self.remote.sessions)
        if self._asking_alive is None or self._asking_alive.done():
            self._asking_alive = self._farewells.spawn(self._ask_alive())
        await asyncio.wait({self._asking_alive}, timeout=ALIVE_PATIENCE)
        return self._alive | {each.turn.session for each in self._turns.running.values() if each.there.is_set()}

    async def _ask_alive(self) -> None:
        try:
            sessions = (await self._connection.request("alive", seconds=ALIVE_TIMEOUT)).get("sessions")
            self._alive = {name for name in sessions if isinstance(name, str)} if isinstance(sessions, list) else set()
        except errors.PaliadinError:
            self._alive = set()

    async def offers(self, session: str) -> Offers:
        return Offers.parse(await self._request_new("offers", session_id=session))

    async def figures(self, sessions: Collection[str]) -> Mapping[str, Figures]:
        """Return the figures of these sessions as the host reported them last."""
        return {name: figures for name, figures in (await self._figures.known()).items() if name in sessions}

    async def configure(self, session: str, changes: JsonObject) -> None:
        await self._request_new("configure", session_id=session, changes=changes)

    async def branch(self, turn_id: str, session: str, branch: str) -> None:
        await self._request_new("branch", turn_id=turn_id, session_id=session, branch=branch)

    async def discard(self, session: str) -> None:
        if session not in self.remote.sessions and session not in self._made.there:
            return
        try:
            await self._request_new("discard", session_id=session)
        except errors.NotFound as error:
            if error.code != "unknown_session" or session in self.remote.sessions:
                raise
            # The host has it no more: the response to an earlier request was lost.
        self._figures.forget(session)
        self._made.remove(session)
        self._update_sessions()

    async def forget(self, turn_ids: Sequence[str]) -> None:
        for number in range(0, len(turn_ids), MAX_TURN_IDS):
            await self._connection.request("forget", turn_ids=list(turn_ids[number : number + MAX_TURN_IDS]))

    async def fetch_picture(self, turn_id: str, name: str) -> None:
        """Fetch a picture that a tool returned there into the turn's folder here; see `FarPictures.fetch`."""
        await self._pictures.fetch(turn_id, name)

    async def _request_new(self, verb: str, seconds: float = SESSION_TIMEOUT, **fields: object) -> Mapping[str, Any]:
        """Make a request that older shims do not know, and return its result; raises RelayError for such a shim."""
        await self._connection.wait_for_reconnect()
        self.check_has(verb)
        return await self._connection.request(verb, seconds=seconds, **fields)

    def check_has(self, verb: str) -> None:
        """Raise RelayError if the shim there is older than this verb."""
        if self._connection.hello and not self._has(verb):
            raise errors.RelayError(
                f"paliadin-shim on the host {self.host} is too old for this: it does not know `{verb}`",
                code="version_mismatch",
                hint="Install the same Paliadin there; see docs/remote.md.",
            )

    def _has(self, verb: str) -> bool:
        return self._connection.knows(verb)

    async def state(self, session: str) -> SessionState:
        try:
            result = await self._connection.request("state", session_id=session, seconds=STATE_TIMEOUT)
        except errors.RelayUnreachable as error:
            retry_at = self._connection.retry_at
            return SessionState(session, self.host, State.UNREACHABLE, error.message, error.hint, retry_at=retry_at)
        return _parse_state(result, session, self.host)

    def _receive(self, log_name: str, offset: int, data: bytes) -> None:
        """Pass bytes of a log to its mirror: `log_name` is a turn's id or a session's name, which is shorter."""
        turn = self._turns.running.get(log_name.removesuffix(PREVIEW))
        mirror = (turn.preview if log_name.endswith(PREVIEW) else turn.mirror) if turn else self._sessions.get(log_name)
        if mirror:
            mirror.receive(offset, data)

    def _log_failed(self, log_name: str, reason: str) -> None:
        if turn := self._turns.running.get(log_name):
            message = f"{self.host} cannot read the turn's log: {reason}"
            turn.mirror.fail(errors.PaliadinError(message, hint=SHIM_LOG_HINT))

    def _connection_lost(self) -> None:
        """Tell every mirror that it has to follow its log again."""
        self._alive = set()
        for session in self._sessions.values():
            session.connection_lost()
        for turn in self._turns.running.values():
            turn.mirror.lose_connection()


def _parse_state(result: Mapping[str, Any], session: str, host: str) -> SessionState:
    text = {key: str(result.get(key) or "") for key in ("state", "message", "hint", "screen", "live")}
    hint = name_session(text["hint"], str(SessionName(session, host)))
    try:
        state = State(text["state"])
    except ValueError:  # of another version of the shim
        state = State.UNREACHABLE
    return SessionState(session, host, state, text["message"], hint, text["screen"], live=text["live"])
