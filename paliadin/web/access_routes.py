"""The HTTP routes of access: addresses with tickets, the browsers that are signed in, the keys of programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.people.access import OWNERS, SIGN_IN_LIFETIME, Access, Browser, Key
from paliadin.people.caller import Door, Scope
from paliadin.people.tickets import TICKET_LIFETIME, ticket_id
from paliadin.web.body import read_object
from paliadin.web.closed_routes import wrong_key
from paliadin.web.paths import API
from paliadin.web.scoped_routes import Declared, ScopedRoute, add_to_audit, caller_of, leave_out_of_audit
from paliadin.web.sign_in import page_address, signed_in_browser


@dataclass
class AccessRoutes:
    """The handlers of /access and what lies below it."""

    settings: Settings
    access: Access

    def routes(self) -> list[Declared]:
        """The routes to mount."""
        key, browser = f"{API}/access/keys/{{name}}", f"{API}/access/browsers/{{id}}"
        return [
            ScopedRoute(f"{API}/access", self.list_all, scope=Scope.ACCESS),
            ScopedRoute(
                f"{API}/access/tickets", self.make_ticket, scope=Scope.ACCESS, methods=["POST"], audit="address made"
            ),
            ScopedRoute(f"{API}/access/tickets/{{id}}", self.show_ticket, scope=Scope.ACCESS),
            ScopedRoute(f"{API}/access/rotate", self.rotate, scope=Scope.ACCESS, methods=["POST"], audit="rotated"),
            ScopedRoute(
                f"{API}/access/sign-out", self.sign_out, scope=Scope.PAGE, methods=["POST"], audit="signed out"
            ),
            ScopedRoute(browser, self.sign_out_browser, scope=Scope.ACCESS, methods=["DELETE"], audit="signed out"),
            ScopedRoute(f"{API}/access/keys", self.add_key, scope=Scope.ACCESS, methods=["POST"], audit="key made"),
            ScopedRoute(f"{key}/rotate", self.rotate_key, scope=Scope.ACCESS, methods=["POST"], audit="key renewed"),
            ScopedRoute(key, self.remove_key, scope=Scope.ACCESS, methods=["DELETE"], audit="key removed"),
        ]

    async def list_all(self, request: Request) -> Response:
        """The browsers that are signed in and the keys, without anything that lets somebody in."""
        own = signed_in_browser(self.access, request) if caller_of(request).door is Door.PAGE else None
        browsers = [_browser_as_json(each, current=each == own) for each in self.access.list_browsers()]
        return JSONResponse({"browsers": browsers, "keys": list(map(_key_as_json, self.access.list_keys()))})

    async def make_ticket(self, _request: Request) -> Response:
        """An address that lets one browser of the owner's in, once."""
        return JSONResponse(new_address(self.settings, self.access, OWNERS), 201)

    async def show_ticket(self, request: Request) -> Response:
        """Whether the address can still be used."""
        return JSONResponse({"valid": self.access.tickets.is_waiting(request.path_params["id"])})

    async def rotate(self, _request: Request) -> Response:
        """Sign out every browser, and change the page's own address."""
        self.access.rotate()
        return JSONResponse({"rotated": True})

    async def sign_out(self, request: Request) -> Response:
        """Sign out the browser that asks, or with `everywhere` all of the same person."""
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

    async def sign_out_browser(self, request: Request) -> Response:
        """Sign out one browser."""
        self.access.sign_out(request.path_params["id"])
        return JSONResponse({"signed_out": True})

    async def add_key(self, request: Request) -> Response:
        """Make a key; this response is the only one that shows it."""
        body = await read_object(request)
        name, purpose = _text(body, "name"), _text(body, "purpose")
        add_to_audit(request, name=name, purpose=purpose)
        return JSONResponse({"name": name, "key": self.access.add_key(name, purpose)}, 201)

    async def rotate_key(self, request: Request) -> Response:
        """Make a new key in place of one."""
        name = request.path_params["name"]
        return JSONResponse({"name": name, "key": self.access.rotate_key(name)})

    async def remove_key(self, request: Request) -> Response:
        """Make a key invalid."""
        self.access.remove_key(request.path_params["name"])
        return JSONResponse({"removed": True})


def new_address(settings: Settings, access: Access, person: str) -> dict[str, Any]:
    """Make an address that signs one browser in as the person, once; returns the response's body."""
    ticket = access.new_ticket(person)
    by_host, by_path = (page_address(settings, access, ticket, by_path=each) for each in (False, True))
    made = {"id": ticket_id(ticket), "address": by_host, "path_address": by_path}
    return made | {"expires_in": int(TICKET_LIFETIME)}


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
