"""The HTTP route of the pictures that the tools of a turn have returned."""

from __future__ import annotations

import asyncio
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.files.pictures import HEAD_BYTES, MAX_PIXELS, read_picture
from paliadin.files.shown_file import MAX_PICTURE_BYTES
from paliadin.people.caller import Scope
from paliadin.turnlog.folder import TurnFolder
from paliadin.turns.lifecycle import Turns
from paliadin.web.file_response import PICTURE_TYPES
from paliadin.web.paths import API
from paliadin.web.peer_daemons import Peers
from paliadin.web.scoped_routes import Declared, ScopedRoute, caller_of

_NAME = re.compile("[0-9a-f]{32}")  # skill/hooks/pictures.py
_HEADERS = {
    "cache-control": "private, max-age=3600, immutable",
    "content-security-policy": "sandbox; default-src 'none'",  # for one that is opened by its address
    "x-content-type-options": "nosniff",
}


@dataclass
class PictureRoutes:
    """The handler of /turns/{turn_id}/pictures."""

    settings: Settings
    turns: Turns
    peers: Peers

    def routes(self) -> list[Declared]:
        """The routes to mount."""
        path = f"{API}/turns/{{turn_id}}/pictures/{{picture}}"
        return [ScopedRoute(path, self.show, scope=Scope.CONVERSATION, methods=["GET"])]

    async def show(self, request: Request) -> Response:
        """A picture, as the bytes of its file. Whoever may read the turn may see it."""
        turn_id, name = request.path_params["turn_id"], request.path_params["picture"]
        try:
            self.turns.describe(turn_id, caller_of(request))
        except errors.NotFound:
            peer = await self.peers.find_by_turn(request, turn_id) if self.settings.peers else None
            if peer is None:
                raise
            return await self._forwarded(peer, request)
        folder = TurnFolder(self.settings.response_dir, turn_id).path / "pictures"
        media_type, data = await asyncio.to_thread(_read, folder, name)
        return Response(data, media_type=media_type, headers=_HEADERS)

    async def _forwarded(self, peer: str, request: Request) -> Response:
        response = await self.peers.forward(peer, request)
        if response.status_code == 200 and response.headers.get("content-type") not in PICTURE_TYPES:
            raise errors.RelayUnreachable(f"the daemon {peer} sends something else than a picture")
        response.headers.update(_HEADERS)
        return response


def _read(folder: Path, name: str) -> tuple[str, bytes]:
    """The media type and the bytes of a picture; raises NotFound for what is none."""
    try:
        if not _NAME.fullmatch(name):
            raise FileNotFoundError(name)
        descriptor = os.open(folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise FileNotFoundError(name)
            data = file.read(MAX_PICTURE_BYTES + 1)
    except OSError as error:
        raise _unknown() from error
    picture = read_picture(data[:HEAD_BYTES])
    if picture is None or len(data) > MAX_PICTURE_BYTES or picture.width * picture.height > MAX_PIXELS:
        raise _unknown()
    return picture.media_type, data


def _unknown() -> errors.NotFound:
    return errors.NotFound(
        "the turn has no such picture here",
        code="unknown_picture",
        hint="It may be on the host of the conversation, or too large.",
    )
