"""Sends a question's files to its host before the question: each byte once, also when the connection breaks."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable
from pathlib import Path

from paliadin.base.errors import RelayError
from paliadin.files.attachments import Attachment, Attachments
from paliadin.relays.ssh.pending_requests import SHIM_HINT
from paliadin.relays.ssh.wire_protocol import CHUNK, Message
from paliadin.relays.turn import Turn

REQUEST_TIMEOUT = 60.0  # seconds

Request = Callable[..., Awaitable[Message]]
"""`Connection.request`."""


async def send_files(turn: Turn, request: Request) -> bool:
    """Send the bytes that the host lacks; False if the user has stopped the turn meanwhile.

    Raises RelayUnreachable when the connection breaks, after which the next call continues; other errors of the host;
    and NotFound if a file is gone here.
    """
    files = Attachments(turn.attachments_dir)
    for each in turn.attachments:
        path, have = files.path(await asyncio.to_thread(files.get, each.id)), -1
        while have < each.bytes:
            if turn.progress.ended.is_set():
                return False
            data, before = await asyncio.to_thread(_read, path, have), have
            have = await _send(request, each, max(have, 0), data)
            if have <= before:  # else a host that never takes any would be sent the same bytes for ever
                raise RelayError("the host does not take a file of the question", hint=SHIM_HINT)
    return True


async def take_back_files(turn: Turn, request: Request) -> None:
    """Have the host remove its parts of the files of a question that was not submitted; other files stay.

    Raises RelayUnreachable, and other errors of the host, which then removes them within a day.
    """
    for each in turn.attachments:
        await request("attach", attachment=dict(each.described), at=0, data="", drop=True)


async def _send(request: Request, attachment: Attachment, at: int, data: bytes) -> int:
    """Send bytes, or none to ask; returns how many of the file's bytes the host has."""
    described, encoded = dict(attachment.described), base64.b64encode(data).decode()
    result = await request("attach", attachment=described, at=at, data=encoded, seconds=REQUEST_TIMEOUT)
    have = result.get("have")
    return have if isinstance(have, int) else -1


def _read(path: Path, at: int) -> bytes:
    if at < 0:
        return b""
    with path.open("rb") as file:
        file.seek(at)
        return file.read(CHUNK)
