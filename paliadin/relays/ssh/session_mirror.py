"""Mirror the log of a session on a remote host, which names the turns that began in the terminal there."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Iterator

from paliadin.base import errors
from paliadin.base.session_names import SessionName
from paliadin.base.settings import Settings
from paliadin.relays.remote_turns import MAX_LOG, TOO_LONG
from paliadin.relays.ssh.connection import Connection
from paliadin.steps.model import is_over
from paliadin.turnlog.append import append_bytes
from paliadin.turnlog.description import Asker, Description
from paliadin.turnlog.folder import TurnFolder

log = logging.getLogger(__name__)

MAX_QUEUED = 1000  # pieces of the log that wait to be written
MAX_QUEUED_BYTES = 8 * 1024 * 1024  # of them together
RETRY_PAUSE = 10.0  # seconds, after the mirror could not be written
CATCH_UP_TIMEOUT = 3.0  # seconds
MAX_TEXT = 200  # characters
MOST_RUNNING = 100  # turns of one session that began there; in truth it is one, and what its agents ask
Piece = tuple[int, bytes]
"""Bytes of the log, behind the offset at which they begin."""


class SessionMirror:
    """Copies the session's log to sessions/<session>@<host>/events.jsonl here, byte by byte.

    A turn that the log names gets its folder here before the line that names it is written. `beginning` limits how many
    mirrors begin at once.
    """

    def __init__(self, settings: Settings, connection: Connection, session: str, beginning: asyncio.Semaphore) -> None:
        self._settings, self._connection, self._session, self._beginning = settings, connection, session, beginning
        self._name = str(SessionName(session, connection.remote.name))
        self._path = settings.sessions_dir / self._name / "events.jsonl"
        self._pieces: asyncio.Queue[Piece | None] = asyncio.Queue(MAX_QUEUED)  # None: the connection broke
        self._queued = 0  # bytes of these pieces
        self._running: list[TurnFolder] = []  # that began there

    def receive(self, offset: int, data: bytes) -> None:
        """Queue bytes that begin at `offset`; when the queue is full they are dropped, and later noticed as missing."""
        if not self._pieces.full() and self._queued + len(data) <= MAX_QUEUED_BYTES:
            self._queued += len(data)
            self._pieces.put_nowait((offset, data))

    def connection_lost(self) -> None:
        """Follow the log again once the connection is back."""
        if self._pieces.full():
            self._taken(self._pieces.get_nowait())
        self._pieces.put_nowait(None)

    async def run(self) -> None:
        """Mirror the log until cancelled, whenever there is a connection."""
        logged = ""
        while True:
            await self._connection.up.wait()
            while not self._pieces.empty():
                self._taken(self._pieces.get_nowait())
            try:
                await self._mirror()
            except errors.RelayUnreachable:
                await asyncio.sleep(0.1)
            except (errors.PaliadinError, OSError) as error:
                if logged != str(error):  # once, not for each attempt
                    logged = str(error)
                    log.warning(
                        "session %s: turns that began in its terminal are not mirrored now: %s", self._name, error
                    )
                await asyncio.sleep(RETRY_PAUSE)

    async def _mirror(self) -> None:
        """Mirror the log until the connection breaks, or the mirror was deleted with its conversation."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        async with self._beginning:
            result = await self._connection.request("watch", session_id=self._session, after=self._size())
        there = result.get("size", 0)
        if isinstance(there, int) and there < self._size():
            self._path.unlink()
            await self._connection.request("watch", session_id=self._session, after=0)
        while piece := self._taken(await self._pieces.get()):
            offset, data = piece
            size = self._size()
            if not self._path.exists() and (offset or not self._path.parent.exists()):
                return
            if offset > size:
                raise errors.PaliadinError(f"bytes {size} to {offset} are missing")
            new = data[size - offset :]
            if size + len(new) > MAX_LOG:
                raise errors.PaliadinError(TOO_LONG)
            await self._take(new)

    async def _take(self, data: bytes) -> None:
        """Make the folders of the turns that these lines name, and write the lines; after an error those before it.

        The mirror's lines adopt the turns, so nothing that waits for a turn to end may hold them up.
        """
        written = 0
        try:
            for begin, turn_id in _named_turns(data):
                written = begin
                with contextlib.suppress(errors.NotFound):  # it is no turn's id, or the host has deleted its folder
                    await self._make_folder(turn_id)
                await asyncio.sleep(0)  # the folder may be there
        except (errors.PaliadinError, OSError):
            append_bytes(self._path, data[:written])
            raise
        append_bytes(self._path, data)

    def _taken(self, piece: Piece | None) -> Piece | None:
        self._queued -= len(piece[1]) if piece else 0
        return piece

    async def wait_for_size(self, size: object) -> None:
        """Wait, for CATCH_UP_TIMEOUT at most, until the mirror has `size` bytes."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CATCH_UP_TIMEOUT):
                while isinstance(size, int) and self._size() < size:
                    await asyncio.sleep(0.02)

    def _size(self) -> int:
        return self._path.stat().st_size if self._path.exists() else 0

    async def _make_folder(self, turn_id: str) -> None:
        turn = TurnFolder(self._settings.response_dir, turn_id)
        if turn.path.exists():
            return
        await self._check_running()
        description = await self._connection.request("describe", turn_id=turn_id)
        turn.create(_described_here(turn_id, self._name, Description.parse(description)))
        self._running.append(turn)

    async def _check_running(self) -> None:
        if len(self._running) >= MOST_RUNNING:
            self._running = await asyncio.to_thread(lambda: [turn for turn in self._running if _runs(turn)])
        if len(self._running) >= MOST_RUNNING:
            raise errors.PaliadinError(f"the host names more than {MOST_RUNNING} turns that run at once")


def _runs(turn: TurnFolder) -> bool:
    return turn.path.exists() and not turn.recorded.exists() and not is_over(turn.log.read())


def _described_here(turn_id: str, session: str, far: Description) -> Description:
    """Describe a turn that a hook made on the host, with those fields alone that a hook here would have written."""
    asker = far.asked_by and Asker(far.asked_by.agent[:MAX_TEXT], far.asked_by.kind[:MAX_TEXT])
    origin = "agent" if far.origin == "agent" else "terminal"
    return Description(turn_id, session, far.user_message, origin, asked_by=asker)


def _named_turns(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield (offset of the line, turn id) for each line that names a turn under the key `own_turn`."""
    begin = 0
    for line in data.split(b"\n"):
        with contextlib.suppress(ValueError, KeyError, TypeError, RecursionError):
            turn_id = json.loads(line)["own_turn"] if b'"own_turn"' in line else None
            if isinstance(turn_id, str):
                yield begin, turn_id
        begin += len(line) + 1
