"""Access control for every HTTP request.

The daemon can make an agent run commands on this machine, and every web site in the owner's browser can send requests
to it. The checks, in this order: the Host header names a host that is served (DNS rebinding); a request that changes
something comes from the daemon's own pages; the owner's token is present, as a cookie or as a bearer token.

Pages of an allowed origin, which hold the drawer, are checked differently: they may load the drawer's code, and call
its routes with a token that was issued for that origin. The owner's cookie and token are not accepted from them.
"""

from __future__ import annotations

import hashlib
import hmac

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paliadin.base.errors import Forbidden
from paliadin.base.settings import Settings
from paliadin.people.embed_tokens import EmbedTokens
from paliadin.web.locked_page import locked_page

OPEN_PATHS = frozenset({"/livez"})
PAGE = "/paliadin"
WIDGET = "/widget.js"
API = "/api/paliadin"
_DRAWER_ROUTE_PREFIXES = ("turn", "stream/", "history", "search", "reset", "health")
QUOTED_LENGTH = 100  # characters
COOKIE_AGE = 30 * 24 * 3600  # seconds
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_SECURITY_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
_PREFLIGHT = {
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": "authorization, content-type, last-event-id",
    "access-control-max-age": "600",
}


class AccessMiddleware:
    """ASGI middleware: refuses requests without access, and adds the security headers to every response."""

    def __init__(self, app: ASGIApp, settings: Settings, token: str) -> None:
        self._app, self._settings, self._token = app, settings, token
        self._embed_tokens = EmbedTokens(token)
        self._cookie = hmac.new(token.encode(), b"paliadin cookie", hashlib.sha256).hexdigest()
        # Cookies are shared by all ports of a host: the port in the name keeps two daemons' cookies apart.
        self._cookie_name = f"paliadin_{settings.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._refuse_socket(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {key.lower() for key, _ in message["headers"]}
                wanted = _SECURITY_HEADERS | (_cross_origin_headers(embedding_origin) if embedding_origin else {})
                extra = [(key.encode(), value.encode()) for key, value in wanted.items()]
                message["headers"] = [*message["headers"], *(pair for pair in extra if pair[0] not in present)]
            await send(message)

        request = Request(scope)
        embedding_origin = self._embedding_origin(request)
        response = self._check(request, embedding_origin)
        await (response or self._app)(scope, receive, send_with_headers)

    def _check(self, request: Request, embedding_origin: str | None) -> Response | None:
        """Return the response that ends the request here; None to pass it on to the application."""
        path = request.scope["path"]  # as the router sees it: request.url depends on the Host header
        if path in OPEN_PATHS:
            return None
        try:
            self._check_host(request.headers)
            if embedding_origin:
                return self._check_embedded_request(request, embedding_origin)
            self._check_origin(request)
            if path == PAGE and "token" in request.query_params:
                return self._sign_in(request)
            self._check_token(request)
        except Forbidden as error:
            if error.status == 401 and "text/html" in request.headers.get("accept", ""):
                return locked_page(request, _SECURITY_HEADERS["content-security-policy"])
            return JSONResponse(error.body(), error.status)
        return None

    def _check_host(self, headers: Headers) -> None:
        name = _hostname(headers.get("host", ""))
        if name not in {host.lower() for host in (*self._settings.allowed_hosts, self._settings.host)}:
            raise Forbidden(
                f"the Host header names {quoted(name)}, which this daemon does not serve",
                code="wrong_host",
                status=421,
                hint="Add it to PALIADIN_ALLOWED_HOSTS and restart the daemon.",
            )

    def _embedding_origin(self, request: Request) -> str | None:
        """Return the request's origin if it is an allowed one and not the daemon's own."""
        origin = request.headers.get("origin")
        if origin not in self._settings.allowed_origins or origin == _own_origin(request):
            return None
        # Behind a proxy with TLS the daemon's own pages have an https origin with the request's host name.
        return None if origin == f"https://{request.headers.get('host', '')}" else origin

    def _check_embedded_request(self, request: Request, origin: str) -> Response | None:
        if request.method == "OPTIONS":
            return Response(status_code=204, headers=_PREFLIGHT)
        path = request.scope["path"]
        if request.method in _SAFE and (path == WIDGET or path.startswith(f"{PAGE}/static/")):
            return None  # the drawer's code, which holds no secret
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        grant = self._embed_tokens.verify(bearer.strip(), origin) if scheme.lower() == "bearer" else None
        if grant is None:
            raise Forbidden(
                "the drawer's token is missing, expired, or was issued for another origin",
                code="no_embed_token",
                hint="The page's own server requests one: POST /api/paliadin/embed-token.",
            )
        if not any(path.startswith(f"{API}/{route}") for route in _DRAWER_ROUTE_PREFIXES):
            raise Forbidden(
                f"pages of {quoted(origin)} may not call this route",
                code="foreign_origin",
                status=403,
                hint="A drawer's token opens only the routes that the drawer needs (docs/embedding.md).",
            )
        request.scope.setdefault("state", {})["person"] = grant.person
        return None

    def _check_origin(self, request: Request) -> None:
        if request.method in _SAFE:
            return
        origin = request.headers.get("origin")
        not_cross_origin = request.headers.get("sec-fetch-site", "same-origin") in {"same-origin", "none"}
        if origin is None and not_cross_origin:
            return  # no browser, or a page of this origin ("same-site" is another origin, too)
        if origin not in {_own_origin(request), *self._settings.allowed_origins}:
            raise Forbidden(
                f"pages of {quoted(origin) if origin else 'another origin'} may not call this route",
                code="foreign_origin",
                status=403,
                hint="If that page is yours, add its origin to PALIADIN_ALLOWED_ORIGINS and restart the daemon.",
            )

    def _check_token(self, request: Request) -> None:
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and _same(bearer.strip(), self._token):
            return
        if _same(request.cookies.get(self._cookie_name, ""), self._cookie):
            return
        raise Forbidden("the owner's token is missing or wrong")

    def _sign_in(self, request: Request) -> Response:
        """Exchange the token in the address for a cookie, and redirect to the address without it."""
        if not _same(request.query_params["token"], self._token):
            raise Forbidden("the owner's token is missing or wrong")
        response = RedirectResponse(PAGE.removeprefix("/"), 303)  # relative: a proxy may add a path before it
        response.set_cookie(
            self._cookie_name, self._cookie, max_age=COOKIE_AGE, httponly=True, samesite="strict", path="/"
        )
        response.headers["cache-control"] = "no-store"
        return response

    async def _refuse_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._app(scope, receive, send)


def quoted(value: object) -> str:
    """Quote a caller's text for a message: it may be hostile, so control characters are escaped and it is cut."""
    return repr(str(value)[:QUOTED_LENGTH])


def _cross_origin_headers(origin: str) -> dict[str, str]:
    """CORS headers without `allow-credentials`: the browser sends no cookie."""
    return {"access-control-allow-origin": origin, "vary": "Origin", "cross-origin-resource-policy": "cross-origin"}


def _hostname(host: str) -> str:
    """Return the host without its port, in lower case; an IPv6 address keeps its brackets."""
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]"
    return host.partition(":")[0].lower()


def _own_origin(request: Request) -> str:
    return f"{request.url.scheme}://{request.headers.get('host', '')}"


def _same(received: str, expected: str) -> bool:
    return hmac.compare_digest(received.encode("utf-8", "surrogateescape"), expected.encode())
