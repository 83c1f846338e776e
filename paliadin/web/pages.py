"""The static routes: the chat page, the drawer's code, their files; `/livez`, which needs no token."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from paliadin.people.caller import Role, Scope
from paliadin.people.directory import People
from paliadin.web.openapi.schema import TEXT
from paliadin.web.paths import PAGE
from paliadin.web.route_declaration import HTML, Operation, Whose, route
from paliadin.web.scoped_routes import ScopedMount, caller_of
from paliadin.web.static_files import StaticFilesByVersion

STATIC = Path(__file__).parent / "static"


class Liveness:
    """The handler of /livez."""

    @route("GET", "/livez", Scope.PUBLIC, Whose.NOBODYS)
    @Operation(TEXT, media=("text/plain",))
    async def livez(self, _request: Request) -> Response:
        """Is the daemon alive."""
        return PlainTextResponse("ok\n")


@dataclass
class Pages:
    """The handlers of the chat page and of the drawer's code."""

    people: People
    files: StaticFilesByVersion

    @route("GET", PAGE, Scope.PAGE, Whose.CALLERS)
    @Operation(TEXT, query={"ticket": TEXT}, media=(HTML,), errors_as_page=True)
    async def serve_page(self, request: Request) -> Response:
        """The chat page."""
        who = self.people.described(caller_of(request))
        viewer = {"person": who["id"] if who["role"] == Role.MEMBER else "", "name": who["name"]}
        viewer |= {"lang": who["language"]}  # of whoever is signed in: the page is theirs from its first element on
        attributes = "".join(f' data-{name}="{escape(value)}"' for name, value in viewer.items() if value)
        return self._with_versioned_files("index.html", "text/html", ("<html ", f"<html{attributes} "))

    @route("GET", "/widget.js", Scope.DRAWER_CODE, Whose.NOBODYS)
    @Operation(TEXT, media=("text/javascript",))
    async def serve_widget(self, _request: Request) -> Response:
        """The drawer."""
        return self._with_versioned_files("widget.js", "text/javascript")

    def _with_versioned_files(self, name: str, media_type: str, replaced: tuple[str, str] = ("", "")) -> Response:
        """Respond with a file in which the addresses below `paliadin/static/` are those that browsers may keep."""
        versioned = f"paliadin/static/~{self.files.version()}/"
        text = (STATIC / name).read_text("utf-8").replace("paliadin/static/", versioned).replace(*replaced, 1)
        return Response(text, media_type=media_type, headers={"cache-control": "no-cache"})


def static_files(files: StaticFilesByVersion) -> ScopedMount:
    """Return the route of the files of the page and of the drawer."""
    return ScopedMount(f"{PAGE}/static", files, scope=Scope.DRAWER_CODE, whose=Whose.NOBODYS)
