"""The HTTP route of the pictures that the tools of a turn have returned."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.files.kept_pictures import check_name, read_kept
from paliadin.people.caller import Scope
from paliadin.turnlog.folder import TurnFolder
from paliadin.turns.lifecycle import Turns
from paliadin.web.file_response import PICTURE_TYPES
from paliadin.web.paths import API
from paliadin.web.peer_daemons import Peers
from paliadin.web.scoped_routes import Declared, ScopedRoute, caller_of

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
            description = self.turns.describe(turn_id, caller_of(request))
        except errors.NotFound:
            peer = await self.peers.find_by_turn(request, turn_id) if self.settings.peers else None
            if peer is None:
                raise
            return await self._forwarded(peer, request)
        check_name(name)
        media_type, data = await self._read(turn_id, name, description.session_id)
        return Response(data, media_type=media_type, headers=_HEADERS)

    async def _read(self, turn_id: str, name: str, session: str) -> tuple[str, bytes]:
        """The media type and the bytes of a picture, which is fetched first if it is on the session's host only."""
        folder = TurnFolder(self.settings.response_dir, turn_id).path
        try:
            return await asyncio.to_thread(read_kept, folder, name)
        except errors.NotFound:
            await self.turns.relay.fetch_picture(self.settings.names.full(session), turn_id, name)
        return await asyncio.to_thread(read_kept, folder, name)

    async def _forwarded(self, peer: str, request: Request) -> Response:
        response = await self.peers.forward(peer, request)
        if response.status_code == 200 and response.headers.get("content-type") not in PICTURE_TYPES:
            raise errors.RelayUnreachable(f"the daemon {peer} sends something else than a picture")
        response.headers.update(_HEADERS)
        return response
