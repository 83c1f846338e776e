"""The HTTP routes of access: addresses with tickets, browsers that are signed in, keys of programs, drawers' tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.base.settings_values import LONGEST_PERSON, is_person
from paliadin.people.access import OWNERS, SIGN_IN_LIFETIME, Access, Browser, Key
from paliadin.people.caller import Door, Scope
from paliadin.people.embed_tokens import LIFETIME
from paliadin.people.tickets import TICKET_LIFETIME, ticket_id
from paliadin.web.body import read_object
from paliadin.web.closed_routes import wrong_key
from paliadin.web.host_headers import quoted
from paliadin.web.openapi.schema import BOOL, TEXT, WHOLE, array, one_of, record, reference
from paliadin.web.route_declaration import Operation, Whose, route
from paliadin.web.scoped_routes import add_to_audit, caller_of, leave_out_of_audit
from paliadin.web.sign_in import page_address, signed_in_browser

ADDRESS = record({"id": TEXT, "address": TEXT, "path_address": TEXT, "expires_in": WHOLE})
_KEY_NAME = {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"}
_PERSON = {"type": "string", "minLength": 1, "maxLength": LONGEST_PERSON}
_OF_KEY = {"name": _KEY_NAME}


@dataclass
class AccessRoutes:
    """The handlers of /access and what lies below it, and of /embed-token."""

    settings: Settings
    access: Access
    of_parts: Sequence[str] = ()  # the purposes of keys that parts' routes have

    @route("GET", "access", Scope.ACCESS, Whose.OWNERS)
    @Operation(record({"browsers": array(reference("Browser")), "keys": array(reference("Key"))}))
    async def list_all(self, request: Request) -> Response:
        """The browsers that are signed in, and the keys."""
        own = signed_in_browser(self.access, request) if caller_of(request).door is Door.PAGE else None
        browsers = [_browser_as_json(each, current=each == own) for each in self.access.list_browsers()]
        return JSONResponse({"browsers": browsers, "keys": list(map(_key_as_json, self.access.list_keys()))})

    @route("POST", "access/tickets", Scope.ACCESS, Whose.OWNERS, audit="address made")
    @Operation(ADDRESS, 201)
    async def make_ticket(self, _request: Request) -> Response:
        """An address that signs one browser of the owner's in, once."""
        return JSONResponse(new_address(self.settings, self.access, OWNERS), 201)

    @route("GET", "access/tickets/{id}", Scope.ACCESS, Whose.OWNERS)
    @Operation(record({"valid": BOOL}))
    async def show_ticket(self, request: Request) -> Response:
        """Whether the address can still be used."""
        return JSONResponse({"valid": self.access.tickets.is_waiting(request.path_params["id"])})

    @route("POST", "access/rotate", Scope.ACCESS, Whose.OWNERS, audit="rotated")
    @Operation(record({"rotated": one_of(True)}), errors=(507,))
    async def rotate(self, _request: Request) -> Response:
        """Sign out all browsers and change the page's own address."""
        self.access.rotate()
        return JSONResponse({"rotated": True})

    @route("POST", "access/sign-out", Scope.PAGE, Whose.CALLERS, audit="signed out")
    @Operation(record({"signed_out": one_of(True)}), body=record({}, {"everywhere": BOOL}), errors=(422, 507))
    async def sign_out(self, request: Request) -> Response:
        """Sign out the browser that asks, or all of the same person."""
        caller = caller_of(request)
        if not caller.is_member and not caller.may_call(Scope.ACCESS):
            raise wrong_key()
        everywhere = (await read_object(request)).get("everywhere") is True
        add_to_audit(request, everywhere=int(everywhere))
        own = signed_in_browser(self.access, request)
        if everywhere:
            if not self.access.sign_out_person(caller.person if caller.is_member else OWNERS):
                leave_out_of_audit(request)
        elif own is None:
            raise errors.InvalidField("this caller is no browser: only everywhere: true makes sense")
        else:
            self.access.sign_out(own.id)
        return JSONResponse({"signed_out": True})

    @route("DELETE", "access/browsers/{id}", Scope.ACCESS, Whose.OWNERS, audit="signed out")
    @Operation(record({"signed_out": one_of(True)}), errors=(404, 507))
    async def sign_out_browser(self, request: Request) -> Response:
        """Sign out one browser."""
        self.access.sign_out(request.path_params["id"])
        return JSONResponse({"signed_out": True})

    @route("POST", "access/keys", Scope.ACCESS, Whose.OWNERS, audit="key made")
    @Operation(
        record({"name": _KEY_NAME, "key": TEXT}),
        201,
        record({"name": _KEY_NAME, "purpose": TEXT}),
        errors=(422, 507),
    )
    async def add_key(self, request: Request) -> Response:
        """Make a key; only this response shows it."""
        body = await read_object(request)
        name, purpose = _text(body, "name"), _text(body, "purpose")
        add_to_audit(request, name=name, purpose=purpose)
        return JSONResponse({"name": name, "key": self.access.add_key(name, purpose, self.of_parts)}, 201)

    @route("POST", "access/keys/{name}/rotate", Scope.ACCESS, Whose.OWNERS, audit="key renewed")
    @Operation(record({"name": TEXT, "key": TEXT}), path=_OF_KEY, errors=(404, 507))
    async def rotate_key(self, request: Request) -> Response:
        """A new key in place of this one."""
        name = request.path_params["name"]
        return JSONResponse({"name": name, "key": self.access.rotate_key(name)})

    @route("DELETE", "access/keys/{name}", Scope.ACCESS, Whose.OWNERS, audit="key removed")
    @Operation(record({"removed": one_of(True)}), path=_OF_KEY, errors=(404, 507))
    async def remove_key(self, request: Request) -> Response:
        """Make the key invalid."""
        self.access.remove_key(request.path_params["name"])
        return JSONResponse({"removed": True})

    @route("POST", "embed-token", Scope.EMBED, Whose.OWNERS, audit="drawer opened")
    @Operation(
        record({"token": TEXT, "expires_in": WHOLE}), body=record({"origin": TEXT, "person": _PERSON}), errors=(422,)
    )
    async def issue_embed_token(self, request: Request) -> Response:
        """A token with which the drawer on pages of `origin` asks as `person`."""
        body = await read_object(request)
        origin, person = body.get("origin"), body.get("person")
        if origin not in self.settings.allowed_origins:
            raise errors.Forbidden(
                f"{quoted(origin if isinstance(origin, str) else '')} is not in PALIADIN_ALLOWED_ORIGINS",
                code="foreign_origin",
                status=403,
                hint="If that application is yours, add its origin and restart the daemon.",
            )
        if not isinstance(person, str) or not is_person(person):
            raise errors.InvalidField(f"person must be a text of 1 to {LONGEST_PERSON} printable characters")
        add_to_audit(request, person=person, page_origin=origin)
        token = self.access.embed_tokens.issue(origin, person)
        return JSONResponse({"token": token, "expires_in": LIFETIME})


def new_address(settings: Settings, access: Access, person: str) -> dict[str, Any]:
    """Make an address that signs one browser in as the person, once; returns the response's body."""
    ticket = access.new_ticket(person)
    by_host, by_path = (page_address(settings, access, ticket, by_path=each) for each in (False, True))
    body = {"id": ticket_id(ticket), "address": by_host, "path_address": by_path}
    return body | {"expires_in": int(TICKET_LIFETIME)}


def _browser_as_json(browser: Browser, *, current: bool) -> dict[str, Any]:
    return {
        "id": browser.id,
        "person": browser.person,
        "agent": browser.agent,
        "signed_in": int(browser.signed_in),
        "last_used": int(browser.last_used),
        "expires": int(browser.signed_in + SIGN_IN_LIFETIME),
        "current": current,
    }


def _key_as_json(key: Key) -> dict[str, Any]:
    last_used = key.last_used and int(key.last_used)
    return {"name": key.name, "purposes": list(key.purposes), "made": int(key.made), "last_used": last_used}


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str):
        raise errors.InvalidField(f"{name} must be a text")
    return value
