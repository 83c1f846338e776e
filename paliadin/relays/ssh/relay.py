"""The relay to a remote host. It mirrors each turn's log into the turn's folder here, byte by byte.

Everything above the relay reads the mirror, as if the turn ran on this machine.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from typing import Any

from paliadin.base import errors
from paliadin.base.session_names import SessionName
from paliadin.base.settings import Settings
from paliadin.events.failures import name_session
from paliadin.events.reducer import Reducer
from paliadin.relays.protocol import SessionState
from paliadin.relays.ssh.connection import Connection
from paliadin.relays.ssh.hosts import Remote
from paliadin.relays.ssh.session_mirror import SessionMirror
from paliadin.turnlog.append import append_bytes
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.follow import follow, wake_followers
from paliadin.turnlog.read import Line, LogReader

log = logging.getLogger(__name__)

STATE_TIMEOUT = 5.0  # seconds; a page waits for the response
SHIM_LOG_HINT = "Read shim.log in Paliadin's state folder on that host; Claude goes on with the turn."
RECONNECT_TIMEOUT = 3600.0  # seconds without a connection to the host; then the turn fails


class SshRelay:
    """A `paliadin.relays.protocol.Relay` for one remote host. Sessions have the names that they have on that host."""

    def __init__(self, settings: Settings, remote: Remote) -> None:
        self.remote = remote
        self.host = remote.name
        self._settings = settings
        self._mirrors: dict[str, _TurnMirror] = {}
        self._connection = Connection(remote, self._receive, self._connection_lost, self._log_failed)
        self._sessions = {name: SessionMirror(settings, self._connection, name) for name in remote.sessions}

    def open(self) -> None:
        """Begin to connect, and to mirror the sessions' logs."""
        self._connection.open()
        for session in self._sessions.values():
            session.open()

    async def close(self) -> None:
        """End the connection; a turn that still waits for the host fails with "the host was removed".

        A daemon that stops cancels `submit` and `resume` first, so that its turns go on.
        """
        for session in self._sessions.values():
            await session.close()
        await self._connection.close()

    def update(self, remote: Remote) -> None:
        """Apply a changed entry of the list of hosts: another way to reach the host, or other sessions."""
        if remote == self.remote:
            return
        self.remote = self._connection.remote = remote
        for name in self._sessions.keys() - set(remote.sessions):
            self._sessions.pop(name).stop()
        for name in remote.sessions:
            if name not in self._sessions:
                self._sessions[name] = SessionMirror(self._settings, self._connection, name)
                self._sessions[name].open()
        self._connection.reconnect()

    def connection_error(self) -> errors.RelayUnreachable | None:
        """The error that says why there is no connection; None when there is one."""
        return None if self._connection.up.is_set() else self._connection.unreachable()

    async def submit(self, turn_id: str, session: str, text: str) -> None:  # noqa: ARG002  # the shim builds it
        """End the turn with an error if the host is unreachable now; otherwise send it, and mirror its log to the end.

        Once the question may have been sent, no broken connection ends the turn: it connects again, as often as needed.
        """
        turn = self._turn(turn_id)
        if not await self._connection.wait_for_reconnect():
            _fail_turn(turn, self._connection.unreachable())
            return
        await self._deliver(turn, session, only_known=False)

    async def resume(self, turn_id: str, session: str) -> None:
        await self._deliver(self._turn(turn_id), session, only_known=True)

    async def _deliver(self, turn: TurnFolder, session: str, *, only_known: bool) -> None:
        mirror = self._mirrors[turn.turn_id] = _TurnMirror(turn)
        description = dict(turn.describe()) | {"session_id": session}
        try:
            while not mirror.ended:
                try:
                    async with asyncio.timeout(RECONNECT_TIMEOUT):
                        await self._connection.up.wait()
                    await self._mirror_turn(mirror, description, only_known=only_known)
                except errors.RelayUnreachable as error:
                    log.warning("turn %s: %s", turn.turn_id, error.message)
                    await asyncio.sleep(0.1)
        except (errors.PaliadinError, TimeoutError) as error:
            failure = error if isinstance(error, errors.PaliadinError) else self._connection.unreachable()
            _fail_turn(turn, failure)
        finally:
            del self._mirrors[turn.turn_id]

    async def _mirror_turn(self, mirror: _TurnMirror, description: Line, *, only_known: bool) -> None:
        """Make sure that the host has the turn, then mirror its log until it is complete or the connection breaks."""
        mirror.connection_lost = False
        only_known = only_known or mirror.size > 0
        result = await self._connection.request("submit", turn=description, only_known=only_known)
        if not (result.get("known") or result.get("accepted")):
            raise errors.SubmitFailed(
                f"{self.host} does not know this turn: it never arrived there, or was deleted", hint="Ask again."
            )
        turn_id = mirror.turn.turn_id
        await self._connection.request("follow", turn_id=turn_id, after=mirror.size)
        while not mirror.ended:
            await mirror.changed.wait()
            mirror.changed.clear()
            if mirror.connection_lost:
                return
            if mirror.error:
                raise mirror.error
        await self._connection.request("unfollow", turn_id=turn_id)

    def follow(self, turn_id: str) -> AsyncIterator[Line]:
        return follow(self._turn(turn_id).log)

    async def reply(self, turn_id: str, interrupt_id: str, value: object, *, cancel: bool) -> None:
        await self._connection.request("answer", turn_id=turn_id, interrupt_id=interrupt_id, value=value, cancel=cancel)

    async def abort(self, turn_id: str, session: str) -> None:  # noqa: ARG002  # the host knows it from the turn
        await self._connection.request("abort", turn_id=turn_id)

    async def reset(self, session: str) -> None:
        result = await self._connection.request("reset", session_id=session)
        if session in self._sessions:
            await self._sessions[session].wait_for_size(result.get("size"))  # then the page reads its beginning, too

    async def state(self, session: str) -> SessionState:
        try:
            result = await self._connection.request("state", session_id=session, seconds=STATE_TIMEOUT)
        except errors.RelayUnreachable as error:
            retry_at = self._connection.retry_at
            return SessionState(session, self.host, "unreachable", error.message, error.hint, retry_at=retry_at)
        return _parse_state(result, session, self.host)

    def _receive(self, log_name: str, offset: int, data: bytes) -> None:
        """Pass on bytes of a log: `log_name` is a turn's id or a session's name, which is always shorter than an id."""
        mirror = self._mirrors.get(log_name) or self._sessions.get(log_name)
        if mirror:
            mirror.receive(offset, data)

    def _log_failed(self, log_name: str, reason: str) -> None:
        mirror = self._mirrors.get(log_name)
        if mirror:
            mirror.error = errors.PaliadinError(f"{self.host} cannot read the turn's log: {reason}", hint=SHIM_LOG_HINT)
            mirror.changed.set()

    def _connection_lost(self) -> None:
        """Tell every mirror that it has to follow its log again."""
        for session in self._sessions.values():
            session.connection_lost()
        for mirror in self._mirrors.values():
            mirror.connection_lost = True
            mirror.changed.set()

    def _turn(self, turn_id: str) -> TurnFolder:
        return TurnFolder(self._settings.response_dir, turn_id)


class _TurnMirror:
    """The mirror of one turn's log. `changed` is set with new bytes, `connection_lost` and `error`."""

    def __init__(self, turn: TurnFolder) -> None:
        self.turn = turn
        self.size = turn.log.stat().st_size
        self.changed = asyncio.Event()
        self.connection_lost = False
        self.error: Exception | None = None
        self._reader, self._reducer = LogReader(turn.log), Reducer({})
        self._read()

    @property
    def ended(self) -> bool:
        """True once the mirrored log is complete."""
        return self._reducer.ended

    def receive(self, offset: int, data: bytes) -> None:
        """Append bytes that begin at `offset`, without those that are in the mirror already."""
        new = data[max(0, self.size - offset) :]
        if offset <= self.size and new:
            try:
                append_bytes(self.turn.log, new)
            except (errors.PaliadinError, OSError) as error:
                self.error = error
            else:
                self.size += len(new)
                wake_followers(self.turn.log)
                self._read()
        self.changed.set()

    def _read(self) -> None:
        for line in self._reader.read():
            self._reducer.feed(line)


def _fail_turn(turn: TurnFolder, error: errors.PaliadinError) -> None:
    """End the turn in its log here, since nothing more will come from the host."""
    turn.append(relay={"kind": "accepted", "model": None})
    failure = {"kind": "failed", "code": error.code, "message": error.message}
    turn.append(relay=failure | ({"hint": error.hint} if error.hint else {}))


def _parse_state(result: Mapping[str, Any], session: str, host: str) -> SessionState:
    text = {key: str(result.get(key) or "") for key in ("state", "message", "hint", "screen")}
    hint = name_session(text["hint"], str(SessionName(session, host)))
    return SessionState(session, host, text["state"], text["message"], hint, text["screen"])
