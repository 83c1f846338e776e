"""Fetches the pictures that tools returned on a remote host into the turns' folders here, when they are asked for."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from pathlib import Path

from paliadin.base import errors
from paliadin.files.shown_file import MAX_PICTURE_BYTES
from paliadin.files.tool_pictures import check_name, keep, name_of, read_whole
from paliadin.relays.ssh.connection import Connection
from paliadin.relays.ssh.pending_requests import SHIM_HINT
from paliadin.turnlog.folder import TurnFolder

TIMEOUT = 300.0  # seconds until a picture is there, with those before it


class FarPictures:
    """Fetches pictures one at a time and piece by piece, so that the turns' logs travel in between."""

    def __init__(self, connection: Connection, turns: Path) -> None:
        self._connection, self._turns = connection, turns
        self._fetching = asyncio.Lock()

    async def fetch(self, turn_id: str, name: str) -> None:
        """Fetch the picture unless it is here already; raises NotFound, StorageFull, and RelayError.

        Does nothing when the shim there is too old to send any.
        """
        check_name(name)
        try:
            async with asyncio.timeout(TIMEOUT), self._fetching:
                await self._fetch(TurnFolder(self._turns, turn_id).path, turn_id, name)
        except TimeoutError:
            message = f"the host {self._connection.remote.name} did not send the picture within {TIMEOUT:.0f} s"
            raise errors.RelayUnreachable(message) from None

    async def _fetch(self, folder: Path, turn_id: str, name: str) -> None:
        with contextlib.suppress(errors.NotFound):
            await asyncio.to_thread(read_whole, folder, name)
            return  # it was fetched while this request waited
        if await self._connection.wait_for_reconnect() and not self._connection.knows("picture"):
            return
        data = await self._receive(turn_id, name)
        await asyncio.to_thread(keep, folder, name, data)

    async def _receive(self, turn_id: str, name: str) -> bytes:
        data, size = bytearray(), 1
        while len(data) < size:
            result = await self._connection.request("picture", turn_id=turn_id, name=name, offset=len(data))
            piece, size = _decode(result.get("data")), _size(result.get("size"))
            if not piece or len(data) + len(piece) > size:
                raise self._damaged()
            data += piece
        if await asyncio.to_thread(name_of, data) != name:
            raise self._damaged()
        return bytes(data)

    def _damaged(self) -> errors.RelayError:
        message = f"the host {self._connection.remote.name} sends something else than the picture"
        return errors.RelayError(message, hint=SHIM_HINT)


def _decode(data: object) -> bytes:
    """Decode the bytes of a piece; none if it is malformed."""
    try:
        return base64.b64decode(data, validate=True) if isinstance(data, str) else b""
    except ValueError:
        return b""


def _size(size: object) -> int:
    """Return a picture's size; 0 for a value that is no size."""
    return size if isinstance(size, int) and size <= MAX_PICTURE_BYTES else 0
