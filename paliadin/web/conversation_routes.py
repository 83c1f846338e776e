"""The HTTP routes of conversations: the list, a new one, its title and its place in the list, its deletion."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.base import errors
from paliadin.base.session_names import NAME
from paliadin.base.settings import Settings
from paliadin.conversations.conversation import LONGEST_TITLE, changed, check_title
from paliadin.people.caller import Caller, Scope
from paliadin.relays.protocol import FarRelay
from paliadin.turns import model_and_mode
from paliadin.turns.branching import make_branch
from paliadin.turns.conversation_list import ConversationList
from paliadin.turns.conversation_removal import ConversationRemoval
from paliadin.turns.lifecycle import Turns
from paliadin.turns.slash_commands import list_offers
from paliadin.web.body import read_object
from paliadin.web.listings import Listings
from paliadin.web.openapi.schema import BOOL, TEXT, TURN_ID, WHOLE, array, nullable, one_of, record, reference
from paliadin.web.route_declaration import SESSION_IN_PATH, Operation, Whose, route
from paliadin.web.scoped_routes import add_to_audit, caller_of, leave_out_of_audit, session_of

MAX_SEARCH_LENGTH = 1000  # characters

_TITLE = {**TEXT, "minLength": 1, "maxLength": LONGEST_TITLE}
_CHOSEN = dict.fromkeys(("model", "permission_mode"), nullable(TEXT))
_MADE = {"title": nullable(_TITLE), "host": nullable(TEXT), "branch_of": nullable(TURN_ID)} | {
    "name": nullable({**TEXT, "pattern": f"^{NAME.pattern}$"})
}
_LOOKED_UP = record({"ok": BOOL, "message": TEXT, "hint": TEXT, "screen": TEXT})


@dataclass
class ConversationRoutes:
    """The handlers of /conversations."""

    settings: Settings
    turns: Turns
    conversation_list: ConversationList
    listings: Listings
    removal: ConversationRemoval

    @route("GET", "conversations", Scope.CONVERSATION, Whose.CALLERS)
    @Operation(
        record({"conversations": array(reference("Conversation")), "hosts": array(TEXT), "version": TEXT}),
        query={"q": {**TEXT, "maxLength": MAX_SEARCH_LENGTH}, "archived": one_of("0", "1")},
        errors=(422, 503),
    )
    async def list_conversations(self, request: Request) -> Response:
        """The conversations, the one asked in last first: those that contain the words `q`, or (`archived=1`) the
        archived ones; and the hosts on which a new one can be made.
        """
        query, caller = request.query_params, caller_of(request)
        if len(query.get("q", "").strip()) > MAX_SEARCH_LENGTH:
            raise errors.InvalidField(f"q must have at most {MAX_SEARCH_LENGTH} characters")
        listing = await self.listings.make(caller, query)
        return JSONResponse({"conversations": listing.items, "hosts": listing.hosts, "version": listing.version})

    @route("POST", "conversations", Scope.CONVERSATION, Whose.NAMED, audit="conversation made")
    @Operation(reference("Conversation"), 201, record({}, _MADE), errors=(404, 409, 422, 503, 507))
    async def make(self, request: Request) -> Response:
        """Make a conversation, on a host, or a branch that knows everything before the turn `branch_of`."""
        body, caller = await read_object(request), caller_of(request)
        turn_id, name = body.get("branch_of"), body.get("name")
        if turn_id is not None:
            if not isinstance(turn_id, str) or name is not None:
                raise errors.InvalidField("branch_of must be the id of a turn, and a branch is given no name")
            session = await make_branch(self.turns, turn_id, caller)
        elif name is not None and (named := self._named(name, caller)):
            leave_out_of_audit(request)
            return JSONResponse(await self.conversation_list.item(named, caller), 201)
        else:
            session = await self._make(body, caller)
        add_to_audit(request, session=session)
        return JSONResponse(await self.conversation_list.item(session, caller), 201)

    def _named(self, name: object, caller: Caller) -> str | None:
        """Return the session that has this name already; None if there is none. Raises InvalidField and NotFound."""
        if not caller.may_call(Scope.OWNER) or not isinstance(name, str) or not NAME.fullmatch(name):
            raise errors.InvalidField("name must be 1 to 64 letters, digits, - or _, and is for the owner to give")
        conversations = self.turns.conversations
        is_there = name == SESSION_IN_PATH.default or conversations.find(name)
        return conversations.resolve(name, caller) if is_there else None

    async def _make(self, body: dict[str, Any], caller: Caller) -> str:
        title, host, name = body.get("title"), body.get("host"), body.get("name")
        if not isinstance(host, str | None) or (host is not None and not caller.may_call(Scope.OWNER)):
            raise errors.InvalidField("host must be the name of one of this daemon's hosts")
        if name is not None and host is not None:
            raise errors.InvalidField("a conversation with a name of its own is on this machine: leave host out")
        title = "" if title is None else check_title(title)
        session = self.turns.conversations.make(caller, title=title, host=host, name=name)
        try:
            relay, name_there = self.turns.relays.at(session)
            if isinstance(relay, FarRelay):
                await relay.open(name_there)
        except errors.PaliadinError:
            self.turns.conversations.remove(session)
            raise
        return session

    @route("GET", "conversations/{session_id}", Scope.OWNER, SESSION_IN_PATH)
    @Operation({"allOf": [reference("Conversation"), _LOOKED_UP]}, errors=(404, 503))
    async def show(self, request: Request) -> Response:
        """A conversation, and the state of its Claude."""
        session = session_of(request)
        state = await self.turns.relays.state(session)
        looked_up = {"state": state.state, "ok": state.ok, "message": state.message, "hint": state.hint}
        item = await self.conversation_list.item(session, caller_of(request))
        return JSONResponse(item | looked_up | {"screen": state.screen})

    @route("GET", "conversations/{session_id}/offers", Scope.OWNER, SESSION_IN_PATH)
    @Operation(reference("Offers"), errors=(404, 503))
    async def list_offers(self, request: Request) -> Response:
        """The models, permission modes, commands and skills that the conversation's Claude offers."""
        return JSONResponse((await list_offers(self.turns.relays, session_of(request))).as_json())

    @route(
        "PATCH",
        "conversations/{session_id}",
        Scope.CONVERSATION,
        replace(SESSION_IN_PATH, is_deleted=True),
        audit="configured",
    )
    @Operation(
        reference("Conversation"),
        body=record({}, {"title": _TITLE, "pinned": BOOL, "archived": BOOL, "deleted": one_of(False)} | _CHOSEN),
        errors=(403, 404, 409, 422, 503, 507),
    )
    async def change(self, request: Request) -> Response:
        """Change the title, the place in the list, the model or the permission mode, or take a deletion back."""
        body, caller, conversations = await read_object(request), caller_of(request), self.turns.conversations
        session = conversations.claim(session_of(request), caller, deleted="deleted" in body)
        options = {name: body.pop(name) for name in model_and_mode.FIELDS & set(body)}
        described = changed(conversations.get(session), body)
        if options:
            await model_and_mode.choose(self.turns, session, options, caller)
            add_to_audit(request, **options)
        else:
            leave_out_of_audit(request)
        if body:
            conversations.put(session, described)
        return JSONResponse(await self.conversation_list.item(session, caller))

    @route("DELETE", "conversations/{session_id}", Scope.CONVERSATION, SESSION_IN_PATH, audit="conversation deleted")
    @Operation(record({"undo_until": WHOLE}), errors=(404, 409, 503, 507))
    async def delete(self, request: Request) -> Response:
        """Hide a conversation; it is removed once `undo_until` (milliseconds since 1970) is over."""
        return JSONResponse({"undo_until": self.removal.delete(session_of(request), caller_of(request))})
