"""The HTTP route of a page's stream."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from paliadin.base import errors
from paliadin.people.caller import Scope
from paliadin.turns.history import History
from paliadin.turns.lifecycle import Turns
from paliadin.web.event_encoding import streaming
from paliadin.web.health_routes import HealthRoutes
from paliadin.web.listings import Listings
from paliadin.web.page_stream import Known, PageStream
from paliadin.web.paths import API
from paliadin.web.peer_daemons import Peers
from paliadin.web.scoped_routes import Declared, ScopedRoute, caller_of


@dataclass
class PageStreamRoutes:
    """The handler of /events."""

    turns: Turns
    history: History
    listings: Listings
    health: HealthRoutes
    peers: Peers

    def routes(self) -> list[Declared]:
        """The routes to mount."""
        return [ScopedRoute(f"{API}/events", self.events, scope=Scope.CONVERSATION, methods=["GET"])]

    async def events(self, request: Request) -> Response:
        """What the page does not know yet: what there is, with `follow=1` also what comes."""
        query = request.query_params
        follows = query.get("follow", "0")
        if follows not in {"0", "1"}:
            raise errors.InvalidField("follow must be 0 or 1", status=400)
        known = Known.parse(query)
        peer = await self.peers.find_by_session(request, known.session_id)
        stream = PageStream(
            self.turns, self.history, self.listings, self.health, self.peers, caller_of(request), known, peer
        )
        if follows == "1" and request.method == "GET":
            return streaming(stream.blocks())
        return Response(await stream.so_far(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})
