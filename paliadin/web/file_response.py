"""The response that sends a picture of Claude's working folder to the page, as a picture and as nothing else."""

from __future__ import annotations

import asyncio
from typing import BinaryIO
from urllib.parse import quote

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from paliadin.files.pictures import Picture
from paliadin.files.shown_file import MAX_PICTURE_BYTES

PICTURE_HEADERS = {
    "content-security-policy": "default-src 'none'; sandbox",  # for one that is opened by its address
    "x-content-type-options": "nosniff",
    "content-disposition": "attachment",
}
_CHUNK = 256 * 1024


class PictureResponse(Response):
    """A picture's bytes: those that say what it is, as they were looked at, and behind them the rest of its file.

    There is no Content-Length, since the file may change meanwhile.
    """

    def __init__(self, file: BinaryIO, picture: Picture, head: bytes, path: str) -> None:
        name = quote(path.rpartition("/")[2], safe="", errors="replace")
        super().__init__(
            media_type=picture.media_type,
            headers=PICTURE_HEADERS | {"content-disposition": f"attachment; filename*=UTF-8''{name}"},
        )
        del self.headers["content-length"]
        self._file, self._head = file, head

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  # the shape of ASGI
        with self._file:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            chunk, bytes_left = self._head, MAX_PICTURE_BYTES - len(self._head)
            while chunk:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
                chunk = await asyncio.to_thread(self._file.read, min(_CHUNK, max(bytes_left, 0)))
                bytes_left -= len(chunk)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
