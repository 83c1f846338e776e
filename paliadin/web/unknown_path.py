"""The response to a path that leads nowhere. A member's browser gets it for every route that is the owner's, too."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from paliadin.web.paths import PAGE, route_path

HINT = "docs/http.md lists the routes."


def answer_unknown_path(request: Request, application: str | None) -> Response:
    """Build the 404; with PALIADIN_APPLICATION set, a path that may be the application's is redirected there.

    A chip that was opened from the chat page leads to a page of that application. Otherwise `/` redirects to the chat
    page.
    """
    path = route_path(request.scope)
    if application and _may_be_elsewhere(path):
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"{application}{path}{query}")
    if path == "/":
        return RedirectResponse(PAGE.removeprefix("/"), 303)  # relative: the page's own address may be a path
    return JSONResponse({"error": {"code": "not_found", "message": "Not Found", "hint": HINT}}, 404)


def _may_be_elsewhere(path: str) -> bool:
    """True for a path that may be the application's. A request's target may begin with no slash: `@evil.example/`."""
    return path.startswith("/") and not path.startswith(("/api/", "/paliadin/"))
