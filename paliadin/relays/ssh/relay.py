"""The relay to another host: the log there is mirrored here, byte by byte; who follows a turn follows the mirror."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from typing import Any

from paliadin import errors
from paliadin.config import Settings
from paliadin.failures import for_session
from paliadin.reduce import Reducer
from paliadin.relay import SessionState
from paliadin.remote import Remote
from paliadin.remote.connection import Connection
from paliadin.remote.session import SessionMirror
from paliadin.turnlog import Line, LogReader, TurnFolder, append_bytes, follow, nudge

log = logging.getLogger(__name__)

QUICK = 5.0  # seconds for what a page waits for
LOOK_THERE = "Look into shim.log there, below Paliadin's state folder; Claude goes on with the turn."
GIVE_UP = 3600.0  # seconds without a line to the host, then the turn is told as failed


class SshRelay:
    """See `paliadin.relay.Relay`; sessions are named as on the other side."""

    def __init__(self, settings: Settings, remote: Remote) -> None:
        self.remote = remote
        self.host = remote.name
        self._settings = settings
        self._mirrors: dict[str, _Mirror] = {}
        self._connection = Connection(remote, self._take, self._wake, self._fail)
        self._sessions = {name: SessionMirror(settings, self._connection, name) for name in remote.sessions}

    def open(self) -> None:
        self._connection.open()
        for session in self._sessions.values():
            session.open()

    async def close(self) -> None:
        """Turns that run are told that there is no such host (any more); who only stops has let go of them before."""
        for session in self._sessions.values():
            await session.close()
        await self._connection.close()

    def change(self, remote: Remote) -> None:
        """The same host, reached in another way, or with other sessions."""
        if remote == self.remote:
            return
        self.remote = self._connection.remote = remote
        for name in self._sessions.keys() - set(remote.sessions):
            self._sessions.pop(name).stop()
        for name in remote.sessions:
            if name not in self._sessions:
                self._sessions[name] = SessionMirror(self._settings, self._connection, name)
                self._sessions[name].open()
        self._connection.again()

    def trouble(self) -> errors.RelayUnreachable | None:
        return None if self._connection.up.is_set() else self._connection.trouble()

    async def submit(self, turn_id: str, session: str, text: str) -> None:  # noqa: ARG002  # made from the turn, there
        """A host that is away refuses at once. Once the question may have left, it is asked for until that is known."""
        turn = self._turn(turn_id)
        if not await self._connection.back():
            _fail(turn, self._connection.trouble())
            return
        await self._deliver(turn, session, only_known=False)

    async def resume(self, turn_id: str, session: str) -> None:
        await self._deliver(self._turn(turn_id), session, only_known=True)

    async def _deliver(self, turn: TurnFolder, session: str, *, only_known: bool) -> None:
        mirror = self._mirrors[turn.turn_id] = _Mirror(turn)
        description = dict(turn.describe()) | {"session_id": session}
        try:
            while not mirror.ended:
                try:
                    async with asyncio.timeout(GIVE_UP):
                        await self._connection.up.wait()
                    await self._carry(mirror, description, only_known=only_known)
                except errors.RelayUnreachable as error:
                    log.warning("turn %s: %s", turn.turn_id, error.message)
                    await asyncio.sleep(0.1)
        except (errors.PaliadinError, TimeoutError) as error:
            failure = error if isinstance(error, errors.PaliadinError) else self._connection.trouble()
            _fail(turn, failure)
        finally:
            del self._mirrors[turn.turn_id]

    async def _carry(self, mirror: _Mirror, description: Line, *, only_known: bool) -> None:
        """Over one connection: see that the turn is there, then mirror its log to the end, or to that of the line."""
        mirror.lost_line = False
        told = await self._connection.request("submit", turn=description, only_known=only_known or mirror.size > 0)
        if not (told.get("known") or told.get("accepted")):
            raise errors.SubmitFailed("Paliadin was stopped before the question reached the host", hint="Ask again.")
        turn_id = mirror.turn.turn_id
        await self._connection.request("follow", turn_id=turn_id, after=mirror.size)
        while not mirror.ended:
            await mirror.more.wait()
            mirror.more.clear()
            if mirror.lost_line:
                return
            if mirror.broken:
                raise mirror.broken
        await self._connection.request("unfollow", turn_id=turn_id)

    def follow(self, turn_id: str) -> AsyncIterator[Line]:
        return follow(self._turn(turn_id).log)

    async def answer(self, turn_id: str, interrupt_id: str, value: object, *, cancel: bool) -> None:
        await self._connection.request("answer", turn_id=turn_id, interrupt_id=interrupt_id, value=value, cancel=cancel)

    async def abort(self, turn_id: str, session: str) -> None:  # noqa: ARG002  # known there
        await self._connection.request("abort", turn_id=turn_id)

    async def reset(self, session: str) -> None:
        told = await self._connection.request("reset", session_id=session)
        if session in self._sessions:
            await self._sessions[session].reaches(told.get("size"))  # a page that reads on knows that it is a new one

    async def state(self, session: str) -> SessionState:
        try:
            told = await self._connection.request("state", session_id=session, patience=QUICK)
        except errors.RelayUnreachable as error:
            retry_at = self._connection.retry_at
            return SessionState(session, self.host, "unreachable", error.message, error.hint, retry_at=retry_at)
        return _state(told, session, self.host)

    def _take(self, log: str, offset: int, data: bytes) -> None:
        """`log` is a turn's id or a session's name; no name is as long as an id."""
        mirror = self._mirrors.get(log) or self._sessions.get(log)
        if mirror:
            mirror.take(offset, data)

    def _fail(self, log: str, why: str) -> None:
        mirror = self._mirrors.get(log)
        if mirror:
            mirror.broken = errors.PaliadinError(f"{self.host} cannot read the turn's log: {why}", hint=LOOK_THERE)
            mirror.more.set()

    def _wake(self) -> None:
        """The line broke: whoever mirrors has to follow anew."""
        for session in self._sessions.values():
            session.lost_line()
        for mirror in self._mirrors.values():
            mirror.lost_line = True
            mirror.more.set()

    def _turn(self, turn_id: str) -> TurnFolder:
        return TurnFolder(self._settings.response_dir, turn_id)


class _Mirror:
    """The log here, as far as it is mirrored."""

    def __init__(self, turn: TurnFolder) -> None:
        self.turn = turn
        self.size = turn.log.stat().st_size
        self.more = asyncio.Event()
        self.lost_line = False
        self.broken: Exception | None = None
        self._reader, self._reducer = LogReader(turn.log), Reducer({})
        self._read()

    @property
    def ended(self) -> bool:
        return self._reducer.ended

    def take(self, offset: int, data: bytes) -> None:
        """What is here already is passed over: a line that was cut may have been sent again."""
        new = data[max(0, self.size - offset) :]
        if offset <= self.size and new:
            try:
                append_bytes(self.turn.log, new)
            except (errors.PaliadinError, OSError) as error:
                self.broken = error
            else:
                self.size += len(new)
                nudge(self.turn.log)
                self._read()
        self.more.set()

    def _read(self) -> None:
        for line in self._reader.read():
            self._reducer.feed(line)


def _fail(turn: TurnFolder, error: errors.PaliadinError) -> None:
    """The turn ends here: the other side has nothing of it, or will never be asked again."""
    turn.append(relay={"kind": "accepted", "model": None})
    failure = {"kind": "failed", "code": error.error_code, "message": error.message}
    turn.append(relay=failure | ({"hint": error.hint} if error.hint else {}))


def _state(told: Mapping[str, Any], session: str, host: str) -> SessionState:
    text = {key: str(told.get(key) or "") for key in ("state", "message", "hint", "screen")}
    hint = for_session(text["hint"], f"{session}@{host}")
    return SessionState(session, host, text["state"], text["message"], hint, text["screen"])
