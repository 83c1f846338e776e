"""The HTTP route of the pictures that the tools of a turn have returned."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from starlette.requests import Request
from starlette.responses import Response

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.files.tool_pictures import check_name, read_whole
from paliadin.people.caller import Scope
from paliadin.relays.protocol import FarRelay
from paliadin.turnlog.folder import TurnFolder
from paliadin.turns.lifecycle import Turns
from paliadin.web.openapi.schema import ANYTHING
from paliadin.web.route_declaration import PICTURES, TURN_IN_PATH, Operation, route
from paliadin.web.scoped_routes import caller_of

_PICTURE = {"picture": {"type": "string", "pattern": "^[0-9a-f]{32}$"}}
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

    @route("GET", "turns/{turn_id}/pictures/{picture}", Scope.CONVERSATION, replace(TURN_IN_PATH, headers=_HEADERS))
    @Operation(ANYTHING, path=_PICTURE, media=PICTURES, errors=(404, 503))
    async def show(self, request: Request) -> Response:
        """A picture that a tool of the turn has returned."""
        turn_id, name = request.path_params["turn_id"], request.path_params["picture"]
        description = self.turns.describe(turn_id, caller_of(request))
        check_name(name)
        media_type, data = await self._read(turn_id, name, description.session_id)
        return Response(data, media_type=media_type, headers=_HEADERS)

    async def _read(self, turn_id: str, name: str, session: str) -> tuple[str, bytes]:
        """The media type and the bytes of a picture, which is fetched first if it is on the session's host only."""
        folder = TurnFolder(self.settings.response_dir, turn_id).path
        try:
            return await asyncio.to_thread(read_whole, folder, name)
        except errors.NotFound:
            relay, _ = self.turns.relays.at(session)
            if isinstance(relay, FarRelay):
                await relay.fetch_picture(turn_id, name)
        return await asyncio.to_thread(read_whole, folder, name)
