"""The daemon's door without the house: the access middleware with the real routes' scopes, and nothing behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import httpx2
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute
from starlette.types import Receive, Scope, Send

from paliadin.base.audit import AuditLog
from paliadin.base.settings import Settings, load_settings
from paliadin.daemon import make_parts
from paliadin.people.access import OWNERS, Access
from paliadin.relays.scripted import ScriptedRelay
from paliadin.web.app import create_app
from paliadin.web.auth import AccessMiddleware
from paliadin.web.scoped_routes import caller_of
from tests.worlds.typed_play import play
from tests.worlds.world import give_key

APP = "https://app.example"
OWN = "http://p.example"


def make_settings(home: Path) -> Settings:
    """Those of a daemon at p.example, with a practice and the Messages API.

    It allows APP's pages, and those of its name behind TLS.
    """
    options = {
        "HOME": str(home),
        "ALLOWED_ORIGINS": f"{APP},https://p.example",
        "ALLOWED_HOSTS": "p.example",
        "PALIAD": "true",
        "API_KEY": "key-of-the-tests",
    }
    return load_settings({f"PALIADIN_{name}": value for name, value in options.items()})


def real_routes(settings: Settings) -> list[BaseRoute]:
    """The routing table of the application that the daemon serves."""
    return create_app(make_parts(settings, Access(settings.home), [ScriptedRelay(play)]).api).routes


async def _tell_caller(scope: Scope, receive: Receive, send: Send) -> None:
    request = Request(scope)
    caller = asdict(caller_of(request)) if "paliadin.caller" in scope else None
    await JSONResponse({"caller": caller})(scope, receive, send)


class Door:
    """Sends requests to the door. A response with status 200 has the caller that the routes would get, or null."""

    def __init__(self, settings: Settings, routes: list[BaseRoute]) -> None:
        self.access = give_key(settings.home)
        self._gate = AccessMiddleware(_tell_caller, settings, self.access, AuditLog(settings.home), routes)

    def ask(self, method: str, path: str, headers: Mapping[str, str], *, at: str = OWN) -> httpx2.Response:
        """Send a request to the address `at`; the daemon's Unix socket is not one."""

        async def send() -> httpx2.Response:
            transport = httpx2.ASGITransport(app=self._gate)
            async with httpx2.AsyncClient(transport=transport, base_url=at) as client:
                return await client.request(method, path, headers=dict(headers))

        return asyncio.run(send())

    def fail_fast(self) -> None:
        """Do without the delay of wrong keys, for a test that tries many."""
        self._gate._failed.delay = 0.0

    @property
    def own_host(self) -> str:
        """The page's own address, where that is a host."""
        return f"http://{self.access.label}.localhost"

    @property
    def prefix(self) -> str:
        """The path of the page's own address, behind which the cookie is valid."""
        return f"/~{self.access.label}"

    def sign_in(self, person: str = OWNERS) -> str:
        """The cookie of a browser of this person's, as the header `Cookie` has it."""
        path = f"{self.prefix}/paliadin?ticket={self.access.new_ticket(person)}"
        return self.ask("GET", path, {}).headers["set-cookie"].partition(";")[0]
