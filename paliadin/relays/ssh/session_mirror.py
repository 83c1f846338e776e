"""A session's own log, mirrored here: with it come the turns that began in the terminal at the far end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging

from paliadin import errors
from paliadin.config import Settings
from paliadin.remote.connection import Connection
from paliadin.turnlog import TurnFolder, append_bytes, check_turn_id

log = logging.getLogger(__name__)

MOST_PARTS = 1000  # that wait to be written
TRY_AGAIN = 10.0  # seconds
CATCH_UP = 3.0  # seconds


class SessionMirror:
    """`session` there is sessions/<session>@<host>/events.jsonl here, the same bytes.

    A turn that the log names gets its folder here before the line that names it: whoever reads that line finds it.
    """

    def __init__(self, settings: Settings, connection: Connection, session: str) -> None:
        self._settings, self._connection, self._session = settings, connection, session
        self._name = f"{session}@{connection.remote.name}"
        self._path = settings.sessions_dir / self._name / "events.jsonl"
        self._parts: asyncio.Queue[tuple[int, bytes] | None] = asyncio.Queue(MOST_PARTS)  # None: the line broke
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.create_task(self._work())

    def stop(self) -> None:
        if self._task:
            self._task.cancel()

    async def close(self) -> None:
        self.stop()
        if self._task:
            await asyncio.gather(self._task, return_exceptions=True)

    def take(self, offset: int, data: bytes) -> None:
        if not self._parts.full():
            self._parts.put_nowait((offset, data))

    def lost_line(self) -> None:
        if self._parts.full():
            self._parts.get_nowait()
        self._parts.put_nowait(None)

    async def _work(self) -> None:
        while True:
            await self._connection.up.wait()
            while not self._parts.empty():
                self._parts.get_nowait()
            try:
                await self._mirror()
            except errors.RelayUnreachable:
                await asyncio.sleep(0.1)
            except (errors.PaliadinError, OSError) as error:
                log.warning("session %s: its turns of the terminal are not seen now: %s", self._name, error)
                await asyncio.sleep(TRY_AGAIN)

    async def _mirror(self) -> None:
        """Over one connection, to its end."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        told = await self._connection.request("watch", session_id=self._session, after=self._size())
        if told.get("size", 0) < self._size():
            self._path.unlink()
            await self._connection.request("watch", session_id=self._session, after=0)
        while part := await self._parts.get():
            offset, data = part
            size = self._size()
            if offset > size:
                raise errors.PaliadinError(f"bytes {size} to {offset} are missing")
            new = data[size - offset :]
            for turn_id in _own_turns(new):
                await self._make_folder(turn_id)
            append_bytes(self._path, new)

    async def reaches(self, size: object) -> None:
        """What is there already, is here; waits a while for it."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CATCH_UP):
                while isinstance(size, int) and self._size() < size:
                    await asyncio.sleep(0.02)

    def _size(self) -> int:
        return self._path.stat().st_size if self._path.exists() else 0

    async def _make_folder(self, turn_id: str) -> None:
        turn = TurnFolder(self._settings.response_dir, turn_id)
        if turn.path.exists():
            return
        try:
            told = await self._connection.request("describe", turn_id=turn_id)
        except errors.NotFound:  # its time was over there
            return
        turn.create(
            {
                "turn_id": turn_id,
                "session_id": self._name,
                "origin": "agent" if told.get("origin") == "agent" else "terminal",
                "user_message": str(told.get("user_message") or ""),
            }
        )


def _own_turns(data: bytes) -> list[str]:
    found = []
    for line in data.split(b"\n"):
        try:
            turn_id = json.loads(line)["own_turn"] if b'"own_turn"' in line else None
            if isinstance(turn_id, str):
                found.append(check_turn_id(turn_id))
        except (ValueError, KeyError, TypeError, RecursionError, errors.NotFound):
            continue
    return found
