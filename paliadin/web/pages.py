"""The static routes: the chat page, the drawer's code, their files; `/livez`, which needs no token."""

from __future__ import annotations

import hashlib
import time
from html import escape
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope as Connection

from paliadin.people.caller import Role, Scope
from paliadin.people.directory import People
from paliadin.web.paths import PAGE
from paliadin.web.scoped_routes import Declared, ScopedMount, ScopedRoute, caller_of

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


class StaticFilesByVersion(StaticFiles):
    """The static files, also at `~<version>/…`, where a browser asks for each once: the page has over a hundred.

    At their plain addresses it asks on each use whether they have changed.
    """

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory)
        self._directory = directory
        self._version, self._looked_at = "", 0.0

    def version(self) -> str:
        """Another one once a file was changed, so that an upgrade shows at once; looked up once a second."""
        if time.monotonic() > self._looked_at + 1:
            paths = sorted(path for path in self._directory.rglob("*") if path.is_file())
            facts = [(str(path), status.st_size, status.st_mtime_ns) for path in paths if (status := path.stat())]
            self._version = hashlib.sha256(repr(facts).encode()).hexdigest()[:16]
            self._looked_at = time.monotonic()
        return self._version

    def get_path(self, scope: Connection) -> str:
        version, _, path = super().get_path(scope).partition("/")
        return path if version.startswith("~") else super().get_path(scope)

    def file_response(self, full_path: Any, stat_result: Any, scope: Connection, status_code: int = 200) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        is_current = super().get_path(scope).startswith(f"~{self.version()}/")
        response.headers["vary"] = "Origin"  # kept for one application's drawer, it must not serve another's
        response.headers["cache-control"] = "max-age=31536000, immutable" if is_current else "no-cache"
        return response


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
