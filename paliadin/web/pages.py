"""The static routes: the chat page, the drawer's code, their files; `/livez`, which needs no token."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope as Connection

from paliadin.people.caller import Scope
from paliadin.web.paths import PAGE
from paliadin.web.scoped_routes import Declared, ScopedMount, ScopedRoute

STATIC = Path(__file__).parent / "static"


async def livez(_request: Request) -> Response:
    """Say that the daemon runs."""
    return PlainTextResponse("ok\n")


async def serve_page(_request: Request) -> Response:
    """Serve the chat page."""
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})


async def serve_widget(_request: Request) -> Response:
    """Serve the drawer's custom element."""
    return FileResponse(STATIC / "widget.js", headers={"cache-control": "no-cache"})


class _Files(StaticFiles):
    """Static files that the browser revalidates on each use, so that an upgrade shows at once."""

    def file_response(self, full_path: Any, stat_result: Any, scope: Connection, status_code: int = 200) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["cache-control"] = "no-cache"
        return response


LIVEZ = ScopedRoute("/livez", livez, scope=Scope.PUBLIC)


def page_routes() -> list[Declared]:
    """The routes to mount."""
    return [
        LIVEZ,
        ScopedRoute(PAGE, serve_page, scope=Scope.OWNER),
        ScopedRoute("/widget.js", serve_widget, scope=Scope.DRAWER_CODE),
        ScopedMount(f"{PAGE}/static", _Files(directory=STATIC), scope=Scope.DRAWER_CODE),
    ]
