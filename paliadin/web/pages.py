"""The page, the drawer's code and their files; `/livez`, which is open to everybody."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC = Path(__file__).parent / "static"


async def livez(_request: Request) -> Response:
    return PlainTextResponse("ok\n")


async def page(_request: Request) -> Response:
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})


async def widget(_request: Request) -> Response:
    return FileResponse(STATIC / "widget.js", headers={"cache-control": "no-cache"})


class _Files(StaticFiles):
    def file_response(self, full_path: Any, stat_result: Any, scope: Scope, status_code: int = 200) -> Response:
        answer = super().file_response(full_path, stat_result, scope, status_code)
        answer.headers["cache-control"] = "no-cache"  # asked again each time: an upgrade shows at once
        return answer


LIVEZ = Route("/livez", livez)


def pages() -> list[BaseRoute]:
    return [
        LIVEZ,
        Route("/paliadin", page),
        Route("/widget.js", widget),
        Mount("/paliadin/static", _Files(directory=STATIC)),
    ]
