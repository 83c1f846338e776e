"""Send the logs that the daemon follows over the channel, as they grow. Used by the shim."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path

from paliadin.base.tasks import Tasks
from paliadin.relays.ssh.wire_protocol import Message, log_message
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.follow import follow_bytes
from paliadin.turnlog.read import read_whole_lines

log = logging.getLogger(__name__)

Send = Callable[[Message], Awaitable[None]]

POLL_INTERVAL = 0.5  # seconds between looks at a session's log


class LogPusher:
    """One of `tasks` for each log that is followed. `send` writes one message to the channel."""

    def __init__(self, send: Send, tasks: Tasks) -> None:
        self._send, self._tasks = send, tasks
        self._pushing: dict[str, asyncio.Task[None]] = {}  # turn_id or session → task

    async def push_turn(self, turn: TurnFolder, offset: int) -> None:
        """Send the turn's log from byte `offset` on, instead of from where it was sent so far."""
        await self.stop(turn.turn_id)
        self._start(turn.turn_id, self._push_turn(turn, offset))

    async def push_session(self, session: str, path: Path, offset: int) -> None:
        """Send the session's log at `path` from byte `offset` on, instead of from where it was sent so far."""
        await self.stop(session)
        self._start(session, self._push_session(session, path, offset))

    async def stop(self, name: str) -> None:
        """Stop sending the log of this turn or session; does nothing when it is not sent."""
        task = self._pushing.pop(name, None)
        if task:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def _start(self, name: str, pushing: Coroutine[object, object, None]) -> None:
        self._pushing[name] = self._tasks.spawn(self._report_failure(name, pushing))

    async def _report_failure(self, name: str, pushing: Coroutine[object, object, None]) -> None:
        try:
            await pushing
        except Exception as error:
            log.exception("the log of %s cannot be followed", name)
            await self._send({"log": name, "failed": str(error)})

    async def _push_turn(self, turn: TurnFolder, offset: int) -> None:
        async for at, data in follow_bytes(turn.log.path, offset):
            await self._send(log_message(turn.turn_id, at, data))

    async def _push_session(self, session: str, path: Path, offset: int) -> None:
        while True:
            while data := read_whole_lines(path, offset):
                await self._send(log_message(session, offset, data))
                offset += len(data)
            await asyncio.sleep(POLL_INTERVAL)
