"""The static routes: the chat page, the drawer's code, their files; `/livez`, which needs no token."""

from __future__ import annotations

from html import escape
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from paliadin.people.caller import Role, Scope
from paliadin.people.directory import People
from paliadin.web.paths import PAGE
from paliadin.web.scoped_routes import Declared, ScopedMount, ScopedRoute, caller_of
from paliadin.web.static_files import StaticFilesByVersion

STATIC = Path(__file__).parent / "static"


async def livez(_request: Request) -> Response:
    """Say that the daemon runs."""
    return PlainTextResponse("ok\n")


async def serve_widget(_request: Request) -> Response:
    """Serve the drawer's custom element."""
    return _with_versioned_files("widget.js", "text/javascript")


def _with_versioned_files(name: str, media_type: str, replaced: tuple[str, str] = ("", "")) -> Response:
    """A file that names others below `paliadin/static/`; there they get the address that browsers may keep."""
    text = (STATIC / name).read_text("utf-8").replace("paliadin/static/", f"paliadin/static/~{FILES.version()}/")
    text = text.replace(*replaced, 1)
    return Response(text, media_type=media_type, headers={"cache-control": "no-cache"})


FILES = StaticFilesByVersion(STATIC)
LIVEZ = ScopedRoute("/livez", livez, scope=Scope.PUBLIC)


def page_routes(people: People) -> list[Declared]:
    """The routes to mount."""

    async def serve_page(request: Request) -> Response:
        """Serve the chat page; its first element says who is signed in, so that the page is theirs from the start."""
        who = people.described(caller_of(request))
        told = {"person": who["id"] if who["role"] == Role.MEMBER else "", "name": who["name"], "lang": who["language"]}
        attributes = "".join(f' data-{name}="{escape(value)}"' for name, value in told.items() if value)
        return _with_versioned_files("index.html", "text/html", ("<html ", f"<html{attributes} "))

    return [
        LIVEZ,
        ScopedRoute(PAGE, serve_page, scope=Scope.PAGE),
        ScopedRoute("/widget.js", serve_widget, scope=Scope.DRAWER_CODE),
        ScopedMount(f"{PAGE}/static", FILES, scope=Scope.DRAWER_CODE),
    ]
