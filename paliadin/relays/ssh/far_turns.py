"""Hands turns over to a remote host: the files of a question first, each byte once, then the question itself."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from paliadin.base import errors
from paliadin.base.tasks import Tasks, wait_for_any
from paliadin.files.attachments import Attachment, Attachments
from paliadin.relays.remote_turns import RemoteTurn
from paliadin.relays.ssh.connection import Connection
from paliadin.relays.ssh.pending_requests import SHIM_HINT
from paliadin.relays.ssh.wire_protocol import CHUNK
from paliadin.relays.turn import Turn

log = logging.getLogger(__name__)

FILE_TIMEOUT = 60.0  # seconds for one piece of a file
RECONNECT_TIMEOUT = 3600.0  # seconds without a connection to the host; then the turn fails


class FarTurns:
    """Hands turns over one connection. `check_has` raises RelayError if the shim there does not know a verb.

    What need not be waited for is done in `farewells`.
    """

    def __init__(self, connection: Connection, check_has: Callable[[str], None], farewells: Tasks) -> None:
        self._connection, self._check_has, self._farewells = connection, check_has, farewells

    async def hand_over(self, remote: RemoteTurn) -> None:
        """Make sure that the host has the turn and sends its logs."""
        await self._wait_for_host(remote)
        remote.mirror.connection_lost = False
        try:
            await self._send(remote)
        except errors.RelayUnreachable as error:
            log.warning("turn %s: %s", remote.turn.id, error.message)
            remote.mirror.lose_connection()
            await asyncio.sleep(0.1)

    async def _wait_for_host(self, remote: RemoteTurn) -> None:
        """Wait for a host that is away; raises RelayUnreachable, for a question of which nothing was sent at once."""
        if remote.is_new and not remote.mirror.connection_lost:
            await self._connection.wait_for_reconnect()
        else:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(RECONNECT_TIMEOUT):
                    await wait_for_any(self._connection.up, remote.turn.progress.ended)
        if not (self._connection.up.is_set() or remote.is_over):
            raise self._connection.unreachable()

    async def _send(self, remote: RemoteTurn) -> None:
        turn, only_known = remote.turn, not remote.is_new or remote.mirror.size > 0
        if turn.attachments and not only_known:
            self._check_has("attach")
            await self._send_files(turn)
        if not remote.begin_sending():
            return
        sent = replace(turn.description, session_id=turn.session, user_message=turn.typed_message)
        result = await self._connection.request("submit", turn=sent.as_json(), only_known=only_known)
        if not (result.get("known") or result.get("accepted")):
            host = self._connection.remote.name
            raise errors.SubmitFailed(
                f"{host} does not know this turn: it never arrived there, or was deleted", hint="Ask again."
            )
        remote.there.set()
        after, preview_after = remote.mirror.size, remote.preview.size
        await self._connection.request("follow", turn_id=turn.id, after=after, preview_after=preview_after)

    async def stop(self, remote: RemoteTurn) -> None:
        """Have the host stop the turn."""
        await self._connection.request("abort", turn_id=remote.turn.id)

    def let_go(self, remote: RemoteTurn) -> None:
        """Have the host send no more of the logs, or remove the files of a question that it has not taken."""
        self._farewells.spawn(self._let_go(remote))

    async def _let_go(self, remote: RemoteTurn) -> None:
        with contextlib.suppress(errors.PaliadinError):  # it is away, and removes such files by itself within a day
            if remote.there.is_set():
                await self._connection.request("unfollow", turn_id=remote.turn.id)
            else:
                for each in remote.turn.attachments:
                    await self._attach(each, at=0, data="", drop=True)

    async def _send_files(self, turn: Turn) -> None:
        """Send those bytes of the question's files that the host lacks, until the turn is stopped.

        Raises RelayUnreachable when the connection breaks, after which the next call continues; other errors of the
        host; and NotFound if a file is gone here.
        """
        files = Attachments(turn.attachments_dir)
        for each in turn.attachments:
            path, have = files.path(await asyncio.to_thread(files.get, each.id)), -1
            while have < each.bytes and not turn.progress.ended.is_set():
                data = b"" if have < 0 else await asyncio.to_thread(_read, path, have)  # at first it is only asked
                now_there = await self._attach(each, at=max(have, 0), data=base64.b64encode(data).decode())
                if not isinstance(now_there, int) or now_there <= have:  # else this would go on for ever
                    raise errors.RelayError("the host does not take a file of the question", hint=SHIM_HINT)
                have = now_there

    async def _attach(self, file: Attachment, **fields: object) -> object:
        """Send a piece of a file; returns how many of the file's bytes the host says it has."""
        described = dict(file.described)
        result = await self._connection.request("attach", attachment=described, seconds=FILE_TIMEOUT, **fields)
        return result.get("have")


def _read(path: Path, at: int) -> bytes:
    with path.open("rb") as file:
        file.seek(at)
        return file.read(CHUNK)
