"""The HTTP routes of conversations: the list, a new one, its title and its place in the list, its deletion."""

from __future__ import annotations

import json
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.conversations.conversation import changed, check_title
from paliadin.people.caller import Scope
from paliadin.turns import model_and_mode
from paliadin.turns.branching import make_branch
from paliadin.turns.commands import list_offers
from paliadin.turns.conversation_removal import ConversationRemoval
from paliadin.turns.lifecycle import Turns
from paliadin.turns.overview import Overview
from paliadin.web.body import read_object
from paliadin.web.listings import Listings
from paliadin.web.paths import API
from paliadin.web.peer_daemons import Peers
from paliadin.web.scoped_routes import Declared, ScopedRoute, add_to_audit, caller_of, leave_out_of_audit

MAX_SEARCH_LENGTH = 1000  # characters


@dataclass
class ConversationRoutes:
    """The handlers of /conversations. A conversation of a peer is listed, and changed at that peer."""

    settings: Settings
    turns: Turns
    overview: Overview
    listings: Listings
    removal: ConversationRemoval
    peers: Peers

    def routes(self) -> list[Declared]:
        """The routes to mount."""
        all_of_them, one = f"{API}/conversations", f"{API}/conversations/{{session_id}}"
        scope = Scope.CONVERSATION
        return [
            ScopedRoute(all_of_them, self.list_conversations, scope=scope, methods=["GET"]),
            ScopedRoute(all_of_them, self.make, scope=scope, methods=["POST"], audit="conversation made"),
            ScopedRoute(one, self.show, scope=Scope.OWNER, methods=["GET"]),
            ScopedRoute(f"{one}/offers", self.list_offers, scope=Scope.OWNER, methods=["GET"]),
            ScopedRoute(one, self.change, scope=scope, methods=["PATCH"], audit="configured"),
            ScopedRoute(one, self.delete, scope=scope, methods=["DELETE"], audit="conversation deleted"),
        ]

    async def list_conversations(self, request: Request) -> Response:
        """The caller's conversations, and the hosts on which a new one can be made."""
        query, caller = request.query_params, caller_of(request)
        if len(query.get("q", "").strip()) > MAX_SEARCH_LENGTH:
            raise errors.InvalidField(f"q must have at most {MAX_SEARCH_LENGTH} characters")
        listed = await self.listings.make(caller, query)
        return JSONResponse({"conversations": listed.items, "hosts": listed.hosts, "version": listed.version})

    async def make(self, request: Request) -> Response:
        """Make a conversation, or a branch of one; its Claude starts with the first question."""
        body, caller = await read_object(request), caller_of(request)
        title, host, turn_id = body.get("title"), body.get("host"), body.get("branch_of")
        if turn_id is not None:
            if not isinstance(turn_id, str):
                raise errors.InvalidField("branch_of must be the id of a turn")
            session = await make_branch(self.turns, turn_id, caller)
        else:
            if not isinstance(host, str | None) or (host is not None and not caller.may_call(Scope.OWNER)):
                raise errors.InvalidField("host must be the name of one of this daemon's hosts")
            title = "" if title is None else check_title(title)
            session = self.turns.conversations.make(caller, title=title, host=host)
            try:
                await self.turns.relay.open(session)
            except errors.PaliadinError:
                self.turns.conversations.remove(session)
                raise
        add_to_audit(request, session=session)
        return JSONResponse(await self.overview.item(session, caller), 201)

    async def show(self, request: Request) -> Response:
        """One conversation, with the state of its Claude, looked up now."""
        name, caller = request.path_params["session_id"], caller_of(request)
        if peer := await self.peers.find_by_session(request, name):
            return await self.peers.forward(peer, request)
        session = self.turns.conversations.resolve(name, caller)
        state = await self.turns.relay.state(session)
        looked_up = {"state": state.state, "ok": state.ok, "message": state.message, "hint": state.hint}
        return JSONResponse(await self.overview.item(session, caller) | looked_up | {"screen": state.screen})

    async def list_offers(self, request: Request) -> Response:
        """What the conversation's Claude offers: models, permission modes, commands and skills that can be run."""
        name = request.path_params["session_id"]
        if peer := await self.peers.find_by_session(request, name):
            return await self.peers.forward(peer, request)
        session = self.turns.conversations.resolve(name, caller_of(request))
        return JSONResponse((await list_offers(self.turns.relay, session)).as_json())

    async def change(self, request: Request) -> Response:
        """Change title, pinned, archived, model or permission mode, or take a deletion back."""
        body, name, caller = await read_object(request), request.path_params["session_id"], caller_of(request)
        if peer := await self.peers.find_by_session(request, name):
            return await self.peers.forward(peer, request, json.dumps(body).encode())
        conversations = self.turns.conversations
        session = conversations.claim(name, caller, deleted="deleted" in body)
        chosen = {name: body.pop(name) for name in model_and_mode.FIELDS & set(body)}
        described = changed(conversations.get(session), body)
        if chosen:
            await model_and_mode.choose(self.turns, session, chosen, caller)
            add_to_audit(request, **chosen)
        else:
            leave_out_of_audit(request)
        if body:
            conversations.put(session, described)
        return JSONResponse(await self.overview.item(session, caller))

    async def delete(self, request: Request) -> Response:
        """Hide a conversation, and remove it once the time is over in which that can be taken back."""
        name = request.path_params["session_id"]
        if peer := await self.peers.find_by_session(request, name):
            return await self.peers.forward(peer, request)
        return JSONResponse({"undo_until": self.removal.delete(name, caller_of(request))})
