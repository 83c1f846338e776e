"""Sends the logs that the daemon follows over the channel, as they grow."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path

from paliadin.base.tasks import Tasks
from paliadin.relays.ssh.wire_protocol import PREVIEW, Message, log_message
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.follow import follow_bytes
from paliadin.turnlog.read import read_whole_lines

log = logging.getLogger(__name__)

Send = Callable[[Message], Awaitable[None]]

POLL_INTERVAL = 0.5  # seconds between looks at a session's log


class LogPusher:
    """Sends each followed log in one of `tasks`. `send` writes one message to the channel."""

    def __init__(self, send: Send, tasks: Tasks) -> None:
        self._send, self._tasks = send, tasks
        self._pushing: dict[str, asyncio.Task[None]] = {}  # turn_id or session → task

    async def push_turn(self, turn: TurnFolder, offset: int, preview_offset: int | None) -> None:
        """Send the turn's log from byte `offset` on, and its preview log from `preview_offset` on, unless that is None.

        Replaces an earlier call for the same turn.
        """
        await self.stop(turn.turn_id)
        self._start(turn.turn_id, self._push(turn.turn_id, turn.log.path, offset))
        if preview_offset is not None:
            name = turn.turn_id + PREVIEW
            self._start(name, self._push(name, turn.preview_path, preview_offset))

    async def push_session(self, session: str, path: Path, offset: int) -> None:
        """Send the session's log at `path` from byte `offset` on; replaces an earlier call for the same session."""
        await self.stop(session)
        self._start(session, self._push_session(session, path, offset))

    async def stop(self, name: str) -> None:
        """Stop sending the logs of this turn, or the log of this session; does nothing when none is sent."""
        for log_name in (name, name + PREVIEW):
            task = self._pushing.pop(log_name, None)
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

    async def _push(self, name: str, path: Path, offset: int) -> None:
        async for at, data in follow_bytes(path, offset):
            await self._send(log_message(name, at, data))

    async def _push_session(self, session: str, path: Path, offset: int) -> None:
        while True:
            while data := read_whole_lines(path, offset):
                await self._send(log_message(session, offset, data))
                offset += len(data)
            await asyncio.sleep(POLL_INTERVAL)
