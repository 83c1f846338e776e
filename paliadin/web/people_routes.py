"""The HTTP routes of people: who is let in by name, an address for them to open once, and the data of those who go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.base import errors
from paliadin.base.retained import Retained, remove_person
from paliadin.base.settings import Settings
from paliadin.people.access import OWNERS, Access
from paliadin.people.account import account_name
from paliadin.people.caller import Role, Scope
from paliadin.people.directory import LANGUAGES, LONGEST_NAME, Person
from paliadin.people.person_key import PERSON_ID
from paliadin.turns.people_leaving import Leaving
from paliadin.web.access_routes import ADDRESS, new_address
from paliadin.web.body import read_object
from paliadin.web.openapi.schema import BOOL, TEXT, WHOLE, array, nullable, one_of, record, reference
from paliadin.web.route_declaration import Operation, Whose, route
from paliadin.web.scoped_routes import add_to_audit, caller_of

_PERSON_ID = {"type": "string", "pattern": f"^{PERSON_ID.pattern}$"}
_LINE = {**TEXT, "maxLength": LONGEST_NAME}
_ADDED = {"office": _LINE, "language": one_of(*LANGUAGES), "role": one_of(*map(str, Role)), "again": BOOL}


@dataclass
class PeopleRoutes:
    """The handlers of /people and what lies below it."""

    settings: Settings
    access: Access
    leaving: Leaving
    retained: Sequence[Retained] = ()

    @route("GET", "people", Scope.ACCESS, Whose.OWNERS)
    @Operation(record({"people": array(reference("Person"))}))
    async def list_all(self, _request: Request) -> Response:
        """The people who are let in by name, with what there is of them."""
        return JSONResponse({"people": list(map(self._as_json, self.access.people.list()))})

    @route("POST", "people", Scope.ACCESS, Whose.OWNERS, audit="person added")
    @Operation(
        reference("Person"),
        201,
        record({"id": _PERSON_ID, "name": {**_LINE, "minLength": 1}}, _ADDED),
        errors=(409, 422, 507),
    )
    async def add(self, request: Request) -> Response:
        """Let somebody in by name; `again` gives back what an earlier person with this id has left."""
        body = await read_object(request)
        person_id, role, again = body.get("id"), body.get("role", Role.MEMBER), body.get("again", False)
        if not isinstance(again, bool):
            raise errors.InvalidField("again must be true or false")
        if role != Role.OWNER and person_id == (self.settings.owner or account_name()):
            raise errors.InvalidField(
                "id is the name by which applications know the owner",
                hint="Choose another id, or give it to the owner with `--role owner`.",
            )
        counts = self.leaving.conversations(person_id) if isinstance(person_id, str) and person_id else None
        if counts and counts.conversations and not again:
            raise errors.PaliadinError(
                f"an earlier person with this id has left conversations: {counts.conversations}",
                code="has_conversations",
                status=409,
                hint="Choose another id; with `--again` it is the same person, who finds these conversations.",
            )
        if (
            not again
            and isinstance(person_id, str)
            and PERSON_ID.fullmatch(person_id)
            and not self.access.people.get(person_id)
        ):
            for each in self.retained:
                await each.check_new(person_id, body.get("name"))
        office, language = body.get("office", ""), body.get("language", "en")
        person = self.access.people.add(person_id, body.get("name"), office=office, language=language, role=role)
        add_to_audit(request, id=person.id, role=person.role)
        await self.access.people.announce()
        return JSONResponse(self._as_json(person), 201)

    @route("DELETE", "people/{id}", Scope.ACCESS, Whose.OWNERS, audit="person removed")
    @Operation(
        record(
            {
                "removed": one_of(True),
                "conversations": WHOLE,
                "turns": nullable(WHOLE),
                "deleted": BOOL,
                "stays": array(TEXT),
            },
            {"in_projects": nullable(BOOL)},
        ),
        query={"delete": one_of("1")},
        errors=(404, 422, 507),
    )
    async def remove(self, request: Request) -> Response:
        """Let somebody in no longer; with `delete` their conversations are deleted."""
        person, delete = self.access.people.known(request.path_params["id"]), request.query_params.get("delete") == "1"
        add_to_audit(request, delete=int(delete))
        if person.role is Role.OWNER:
            if delete:
                raise errors.InvalidField("delete cannot be asked for the owner, whose conversations stay")
            self.access.people.remove(person.id)
            nothing = {"conversations": 0, "turns": 0, "deleted": False, "stays": []}
            return JSONResponse({"removed": True, **nothing})
        self.access.sign_out_person(person.id)  # first: what is not saved for want of space lets nobody in again
        self.access.people.remove(person.id)
        await self.leaving.stop(person.id, caller_of(request))
        counts = await self.leaving.count(person.id)
        try:
            left_behind = await remove_person(self.retained, person.id, deletes=delete)
        finally:
            if delete:  # whatever failed: a second request would find nobody
                self.leaving.delete(person.id)
        counted = {"conversations": counts.conversations, "turns": counts.turns}
        stays = {"stays": [each.words for each in left_behind if each.words]}
        fields = {name: value for each in left_behind for name, value in each.fields.items()}
        return JSONResponse({"removed": True, **counted, "deleted": delete, **stays, **fields})

    @route("POST", "people/{id}/tickets", Scope.ACCESS, Whose.OWNERS, audit="address made")
    @Operation(ADDRESS, 201, errors=(404,))
    async def make_ticket(self, request: Request) -> Response:
        """An address that signs one browser of this person's in, once."""
        person = self.access.people.known(request.path_params["id"])
        return JSONResponse(new_address(self.settings, self.access, person.id), 201)

    def _as_json(self, person: Person) -> dict[str, Any]:
        whose = OWNERS if person.role is Role.OWNER else person.id
        counts = self.leaving.conversations(whose)
        browsers = sum(each.person == whose for each in self.access.list_browsers())
        return {
            **person.as_json(),
            "browsers": browsers,
            "conversations": counts.conversations,
            "last_at": counts.last_at,
        }
