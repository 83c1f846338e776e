"""Looks up the session or turn of a request before its handler is called: here, for its caller, or at a peer.

Handlers know no other daemon, and reach no session and no turn of somebody else's.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from paliadin.base.errors import NotFound, RelayUnreachable
from paliadin.turns.lifecycle import Turns
from paliadin.web.body import parsed_body, read_bytes, read_object
from paliadin.web.peer_daemons import Peers
from paliadin.web.route_declaration import AtPeer, Declaration, Handler, TargetParameter
from paliadin.web.scoped_routes import caller_of, set_named


@dataclass
class Lookup:
    """Serves requests that name a session or a turn, as their routes' declarations say."""

    turns: Turns
    peers: Peers

    async def serve(self, request: Request, declaration: Declaration, handler: Handler) -> Response:
        """Call the handler, or forward the request to a peer; raises NotFound if it names what is not the caller's."""
        names = declaration.names
        assert names  # noqa: S101  # else the route has no lookup
        if declaration.operation.body is not None:
            await read_object(request)  # what is no object is refused first, whatever the request names
        if names.parameter == "turn_id":
            peer = await self._find_turn(request)
        else:
            peer = await self._find_session(request, names)
        if peer is None or names.at_peer in {AtPeer.HERE, AtPeer.HANDLER}:
            return await handler(request)
        try:
            return await self._forward(peer, request, declaration, names)
        except RelayUnreachable:
            if names.at_peer is AtPeer.FORWARD or caller_of(request).in_drawer:
                raise
            return await handler(request)

    async def _find_turn(self, request: Request) -> str | None:
        """Check that the turn is here and the caller's; else return the peer that has it, or raise NotFound."""
        turn_id = request.path_params["turn_id"]
        try:
            await self.turns.find(turn_id, caller_of(request))
        except NotFound:
            if peer := await self.peers.find_by_turn(request, turn_id):
                return peer
            raise
        return None

    async def _find_session(self, request: Request, names: TargetParameter) -> str | None:
        """Note the session's full name and the peer that has it; raises InvalidField and NotFound."""
        caller, session = caller_of(request), await _named_session(request, names)
        is_named = session is not None or names.default is not None
        if not is_named and caller.is_member:
            session, is_named = "main", True  # theirs
        peer = await self.peers.find_by_session(request, session)
        if peer and names.at_peer is AtPeer.HERE and caller.in_drawer:
            peer = None  # the shared database does not say which conversations there are this application's
        if peer:
            set_named(request, session=str(session), peer=peer)
        elif not is_named or names.at_peer is AtPeer.HANDLER:
            set_named(request)
        else:
            deleted = names.is_deleted
            set_named(request, session=self.turns.conversations.resolve(session, caller, deleted=deleted))
        return peer

    async def _forward(self, peer: str, request: Request, declaration: Declaration, names: TargetParameter) -> Response:
        parsed = parsed_body(request)
        body = await read_bytes(request) if parsed is None else json.dumps(parsed).encode()
        response = await self.peers.forward(peer, request, declaration.operation.media, body)
        response.headers.update(names.headers)
        return response


async def _named_session(request: Request, names: TargetParameter) -> object:
    if names.place == "path":
        return request.path_params[names.parameter]
    parameters = request.query_params if names.place == "query" else await read_object(request)
    named = parameters.get(names.parameter, names.default)
    return None if named == "" and names.default is None else named  # `?session_id=` of a script without one
