"""Has an ended turn's answer checked, against what tools returned in it and in the conversation's earlier turns.

It is done by a process of its own (check_process.py): one check at a time for each person and host, whatever others
ask.
"""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Self, cast
from weakref import WeakValueDictionary

from paliadin.base import errors
from paliadin.base.processes import running
from paliadin.base.session_names import SessionNames
from paliadin.base.strict_json import JsonObject
from paliadin.conversations.directory import Conversations
from paliadin.conversations.repository import TurnRange
from paliadin.events.reducer import Reducer
from paliadin.steps.model import Checked
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import now_ms, started_ms
from paliadin.turns.session_logs import SessionLogs

log = logging.getLogger(__name__)

# Of the conversation's earlier turns the last ones are searched: Claude has no room for the results of more.
MAX_EARLIER = 200
MAX_BYTES = 16 * 2**20  # of their logs, altogether
MAX_LOOKED_AT = 3_000  # turns' descriptions that are read to find them
MAX_RESULT = 64 * 2**20  # bytes of what a check found out
COMMAND = (sys.executable, "-P", "-m", "paliadin.turns.check_process")  # -P: nothing of the working folder is imported
PATIENCE = 70.0  # seconds; the system ends a check before that


class CheckProcess:
    """The process that checks answers (check_process.py), and a connection for each check. It ends with the block."""

    def __init__(self) -> None:
        self._stack = AsyncExitStack()
        self._starting = asyncio.Lock()
        self.process: Process | None = None
        self._lobby: socket.socket | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def start(self) -> socket.socket:
        """Start the process unless it runs, and return the socket at which it takes connections."""
        async with self._starting:
            if self._lobby is None or self.process is None or self.process.returncode is not None:
                ours, theirs = socket.socketpair()
                self._lobby = self._stack.enter_context(ours)
                ours.setblocking(False)
                with theirs:
                    process = running(COMMAND, stdin=theirs, stdout=DEVNULL)
                    self.process = await self._stack.enter_async_context(process)
            return self._lobby

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """Connect to a copy of the process that is made for this connection."""
        lobby = await self.start()
        ours, theirs = socket.socketpair()
        with theirs:
            reader, writer = await asyncio.open_connection(sock=ours, limit=MAX_RESULT)
            try:
                socket.send_fds(lobby, [b"."], [theirs.fileno()])
                theirs.close()
                yield Connection(reader, writer)
            finally:
                writer.close()


@dataclass(frozen=True)
class Connection:
    """The connection of one check."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def ask(self, message: JsonObject) -> JsonObject:
        """Send a message, and return the one that comes back; raises ValueError if the copy has ended instead."""
        self.writer.write(json.dumps(message).encode() + b"\n")
        await self.writer.drain()
        reply: JsonObject = json.loads(await self.reader.readline())
        return reply


@dataclass
class AnswerCheck:
    """Checks answers. Each check is a process, so nobody waits for another person's, however long it takes."""

    folders: Path  # the turns' folders
    names: SessionNames
    conversations: Conversations
    session_logs: SessionLogs
    process: CheckProcess = field(default_factory=CheckProcess)
    # By person and host.
    _one_at_a_time: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def prepare(self) -> None:
        """Start the process while the turn runs, so that the answer's check need not wait for it."""
        await self.process.start()

    async def check(self, reducer: Reducer, session: str) -> Checked:
        """Check the answer of a turn that is over, and return the result. Never raises."""
        turn_id = reducer.description.turn_id
        try:
            whose = json.dumps([self.conversations.person_key(session).as_text, reducer.description.host])
            async with self._one_at_a_time.setdefault(whose, asyncio.Lock()), asyncio.timeout(PATIENCE):
                result = await self._check(reducer, turn_id, session)
        except Exception as error:  # noqa: BLE001  # a fault of the check must not cost the turn its end
            log.error("turn %s: its answer could not be checked: %s", turn_id, type(error).__name__)  # noqa: TRY400  # a traceback could quote the answer
            return Checked(now_ms())
        if result.get("error"):
            log.error("turn %s: its answer could not be checked: %s", turn_id, result["error"])
            return Checked(now_ms())
        return Checked(now_ms(), cast("Sequence[object]", result["claims"]), cast("Sequence[str]", result["chips"]))

    async def _check(self, reducer: Reducer, turn_id: str, session: str) -> JsonObject:
        refused = [chip.id for chip in reducer.chips if chip.id and not chip.verified]
        async with self.process.connection() as connection:
            request = {"turns": str(self.folders), "turn_id": turn_id, "refused": refused}
            result = await connection.ask(request)
            if result.get("asks"):
                ranges, cleared_at = self.conversations.turn_ranges(session), self.session_logs.cleared_at(session)
                first = self.conversations.get(session).first_turn
                result = await connection.ask(
                    await asyncio.to_thread(self._earlier, turn_id, ranges, cleared_at, first)
                )
            return result

    def _earlier(self, turn_id: str, ranges: Sequence[TurnRange], cleared_at: int, first: str | None) -> JsonObject:
        """Find the conversation's earlier turns, back to when Claude forgot everything: the newest first.

        `is_incomplete`: there was one before them whose folder was removed after KEEP_DAYS.
        """
        turn_ids: list[str] = []
        size = 0
        for folder in self._folders_before(turn_id, ranges, cleared_at):
            size += _size(folder.log.path)
            if len(turn_ids) >= MAX_EARLIER or size > MAX_BYTES:
                return {"turn_ids": turn_ids, "is_incomplete": False}
            turn_ids.append(folder.turn_id)
        oldest = turn_ids[-1] if turn_ids else turn_id
        return {
            "turn_ids": turn_ids,
            "is_incomplete": first is not None and first < oldest and started_ms(first) > cleared_at,
        }

    def _folders_before(self, turn_id: str, ranges: Sequence[TurnRange], cleared_at: int) -> Iterator[TurnFolder]:
        """Yield the conversation's earlier turns, the newest first."""
        days = sorted((day for day in self.folders.iterdir() if day.is_dir()), reverse=True)
        looked_at = 0
        for day in days:
            for path in sorted(day.iterdir(), reverse=True):
                if path.name >= turn_id:
                    continue
                looked_at += 1
                folder = TurnFolder(self.folders, path.name)
                try:
                    session = self.names.full(_session_of(folder))
                    if looked_at > MAX_LOOKED_AT or started_ms(path.name) < cleared_at:
                        return
                    if any(_is_in(each, session, path.name) for each in ranges):
                        yield folder
                except errors.NotFound:
                    continue


def _is_in(turns: TurnRange, session: str, turn_id: str) -> bool:
    return turns.session == session and turns.start <= turn_id and (turns.end is None or turn_id < turns.end)


@lru_cache(2 * MAX_LOOKED_AT)
def _session_of(folder: TurnFolder) -> str:
    """The session of a turn, which never changes: each answer asks for that of thousands. Raises NotFound."""
    return folder.describe().session_id


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
