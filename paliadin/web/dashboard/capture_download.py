"""A capture as a download, for the page of its turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from starlette.responses import Response, StreamingResponse

from paliadin.base.errors import NotFound
from paliadin.live.capture_index import find

PIECE = 256 * 1024  # bytes


def download(folder: Path, turn_id: str, name: str) -> Response:
    """Respond with the capture's file; raises NotFound if the turn has none with this name.

    It is text that nothing may take for a page: whatever Claude read may be in it.
    """
    capture = find(folder, name) if name.startswith(f"{turn_id}--") else None
    if capture is None:
        raise NotFound("the turn has no capture with this name", hint="It may have been removed after its days.")
    entry, file = capture
    headers = {
        "content-disposition": f'attachment; filename="{entry.name}.http"',
        "content-length": str(entry.size),
        "cache-control": "no-store",
    }
    return StreamingResponse(_pieces(file, entry.size), media_type="text/plain", headers=headers)


def _pieces(file: BinaryIO, size: int) -> Iterator[bytes]:
    with file:
        while size and (piece := file.read(min(size, PIECE))):
            size -= len(piece)
            yield piece
