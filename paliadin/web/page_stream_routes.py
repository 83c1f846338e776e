"""The HTTP route of a page's stream."""

from __future__ import annotations

from dataclasses import dataclass, replace

from starlette.requests import Request
from starlette.responses import Response

from paliadin.base import errors
from paliadin.people.caller import Scope
from paliadin.turns.history import History
from paliadin.turns.lifecycle import Turns
from paliadin.web.doors.response import streaming
from paliadin.web.doors.server_sent_events import ServerSentEvents
from paliadin.web.health_routes import HealthRoutes
from paliadin.web.listings import Listings
from paliadin.web.openapi.schema import ANYTHING, TEXT, one_of
from paliadin.web.page_state import PageState
from paliadin.web.page_stream import PageStream
from paliadin.web.peer_daemons import Peers
from paliadin.web.route_declaration import SESSION_IN_QUERY, STREAM, AtPeer, Operation, route
from paliadin.web.scoped_routes import caller_of, peer_of


@dataclass
class PageStreamRoutes:
    """The handler of /events."""

    turns: Turns
    history: History
    listings: Listings
    health: HealthRoutes
    peers: Peers

    @route("GET", "events", Scope.CONVERSATION, replace(SESSION_IN_QUERY, at_peer=AtPeer.HANDLER))
    @Operation(
        ANYTHING,
        query={"after": TEXT, "list": TEXT, "state": TEXT, "health": TEXT, "follow": one_of("0", "1")},
        errors=(422,),
        media=(STREAM,),
    )
    async def events(self, request: Request) -> Response:
        """Server-sent events of a conversation and of the list that the page does not know yet: those there are, and
        with `follow=1` those to come. `after` names turns that it has, as <turn_id>:<number> with commas between;
        `list`, `state` and `health` are versions that it has, or `off` for what it does not want.
        """
        query = request.query_params
        follows = query.get("follow", "0")
        if follows not in {"0", "1"}:
            raise errors.InvalidField("follow must be 0 or 1", status=400)
        known = PageState.parse(query)
        caller, peer = caller_of(request), peer_of(request)
        stream = PageStream(self.turns, self.history, self.listings, self.health, self.peers, caller, known, peer)
        if follows == "1" and request.method == "GET":
            return streaming(stream.blocks(), ServerSentEvents())
        return Response(await stream.so_far(), media_type=STREAM, headers={"Cache-Control": "no-store"})
