"""Access control for every HTTP request.

The daemon can make an agent run commands on this machine, and every web site in the owner's browser can send requests
to it. The checks, in this order: the Host header names a host that is served (DNS rebinding); a request that changes
something comes from the daemon's own pages; the owner's token is present, as a cookie or as a bearer token.

Pages of an allowed origin, which hold the drawer, are checked differently: they may load the drawer's code, and call
its routes with a token that was issued for that origin. The owner's cookie and token are not accepted from them.

A request that passes has a `Caller`, whose scope opens the route: each route declares which one it needs.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Send
from starlette.types import Scope as Connection

from paliadin.base.errors import Forbidden, PaliadinError
from paliadin.base.settings import Settings
from paliadin.people.caller import Caller, Scope
from paliadin.people.embed_tokens import EmbedTokens
from paliadin.web.forwarding import HEADER, parse_header
from paliadin.web.locked_page import locked_page
from paliadin.web.scoped_routes import required_scope, set_caller

PAGE = "/paliadin"
API = "/api/paliadin"
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
    """ASGI middleware: refuses requests without access, and adds the security headers to every response.

    `routes` are the application's, with their scopes.
    """

    def __init__(self, app: ASGIApp, settings: Settings, token: str, routes: Sequence[BaseRoute]) -> None:
        self._app, self._settings, self._token, self._routes = app, settings, token, routes
        self._embed_tokens = EmbedTokens(token)
        self._cookie = hmac.new(token.encode(), b"paliadin cookie", hashlib.sha256).hexdigest()
        # Cookies are shared by all ports of a host: the port in the name keeps two daemons' cookies apart.
        self._cookie_name = f"paliadin_{settings.port}"

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
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
        try:
            required = required_scope(self._routes, request.scope)
            if required is Scope.PUBLIC:
                return None
            self._check_host(request.headers)
            if embedding_origin:
                if request.method == "OPTIONS":
                    return Response(status_code=204, headers=_PREFLIGHT)
                if required is Scope.DRAWER_CODE and request.method in _SAFE:
                    return None  # it holds no secret
                caller = self._embedded_caller(request, embedding_origin)
            else:
                self._check_origin(request)
                if request.scope["path"] == PAGE and "token" in request.query_params:
                    return self._sign_in(request)
                caller = self._authenticated_caller(request)
            _check_scope(caller, required)
        except PaliadinError as error:
            if error.status == 401 and "text/html" in request.headers.get("accept", ""):
                return locked_page(request, _SECURITY_HEADERS["content-security-policy"])
            return JSONResponse(error.body(), error.status)
        set_caller(request.scope, caller)
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

    def _embedded_caller(self, request: Request, origin: str) -> Caller:
        """Return the caller that the embed token names; raises Forbidden when it is not valid on this origin."""
        grant = self._embed_tokens.verify(_bearer(request.headers), origin)
        if grant is None:
            raise Forbidden(
                "the drawer's token is missing, expired, or was issued for another origin",
                code="no_embed_token",
                hint="The page's own server requests one: POST /api/paliadin/embed-token.",
            )
        return Caller.embedded(grant.person, origin)

    def _check_origin(self, request: Request) -> None:
        if request.method in _SAFE:
            return
        origin = request.headers.get("origin")
        not_cross_origin = request.headers.get("sec-fetch-site", "same-origin") in {"same-origin", "none"}
        if origin is None and not_cross_origin:
            return  # no browser, or a page of this origin ("same-site" is another origin, too)
        if not self._is_known_origin(request, origin):
            raise Forbidden(
                f"pages of {quoted(origin) if origin else 'another origin'} may not call this route",
                code="foreign_origin",
                status=403,
                hint="If that page is yours, add its origin to PALIADIN_ALLOWED_ORIGINS and restart the daemon.",
            )

    def _is_known_origin(self, request: Request, origin: str | None) -> bool:
        return origin in {_own_origin(request), *self._settings.allowed_origins}

    def _authenticated_caller(self, request: Request) -> Caller:
        """Return the caller of a request with the owner's token or cookie; raises Forbidden when it has neither.

        With the token, a peer may name another caller, for whom it forwards the request.
        """
        if _same(_bearer(request.headers), self._token):
            if HEADER in request.headers:
                return parse_header(request.headers[HEADER])
        elif not _same(request.cookies.get(self._cookie_name, ""), self._cookie):
            raise Forbidden("the owner's token is missing or wrong")
        origin = request.headers.get("origin")
        return Caller.owner(origin if self._is_known_origin(request, origin) else None)

    def _sign_in(self, request: Request) -> Response:
        """Exchange the token in the address for a cookie, and redirect to the address without it."""
        # Who pastes into the field of the locked page may paste a blank beside it, or the whole address.
        pasted = request.query_params["token"].strip().rpartition("?token=")[2]
        if not _same(pasted, self._token):
            raise Forbidden("the owner's token is missing or wrong")
        response = RedirectResponse(PAGE.removeprefix("/"), 303)  # relative: a proxy may add a path before it
        response.set_cookie(
            self._cookie_name, self._cookie, max_age=COOKIE_AGE, httponly=True, samesite="strict", path="/"
        )
        response.headers["cache-control"] = "no-store"
        return response

    async def _refuse_socket(self, scope: Connection, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._app(scope, receive, send)


def _check_scope(caller: Caller, required: Scope) -> None:
    if not caller.may_call(required):
        raise Forbidden(
            f"pages of {quoted(caller.origin or 'another origin')} may not call this route",
            code="foreign_origin",
            status=403,
            hint="A drawer's token opens only the routes that the drawer needs (docs/embedding.md).",
        )


def _bearer(headers: Headers) -> str:
    """Return the bearer token, or an empty text."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


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
