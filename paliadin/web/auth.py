"""Who may call. The daemon can make an agent run commands here, and every web site in the owner's browser reaches it.

In this order: the Host header is one that we serve (DNS rebinding); a request that changes something comes from our own
pages; the owner's token is there, as a cookie or as a bearer. A page of an allowed origin has a way of its own: it may
load the drawer's code, and with a token made for that origin talk to it; the owner's cookie and token count for nothing
there.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from pathlib import Path

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paliadin.config import Settings
from paliadin.errors import Forbidden
from paliadin.web.embed import EmbedTokens

OPEN_PATHS = frozenset({"/livez"})
PAGE = "/paliadin"
WIDGET = "/widget.js"
API = "/api/paliadin"
_EMBEDDED = ("turn", "stream/", "history", "search", "reset", "health")  # what a page of another origin may ask for
COOKIE_AGE = 30 * 24 * 3600  # seconds
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_HEADERS = {
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
_LOCKED = (Path(__file__).parent / "static" / "locked.html").read_text("utf-8")
_LOCKED_STYLE = hashlib.sha256(_LOCKED.split("<style>")[1].split("</style>")[0].encode()).digest()
_LOCKED_POLICY = _HEADERS["content-security-policy"].replace(
    "style-src 'self'", f"style-src 'sha256-{base64.b64encode(_LOCKED_STYLE).decode()}'"
)


class Gate:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, settings: Settings, token: str) -> None:
        self._app, self._settings, self._token = app, settings, token
        self._embed_tokens = EmbedTokens(token)
        self._cookie = hmac.new(token.encode(), b"paliadin cookie", hashlib.sha256).hexdigest()
        self._cookie_name = (
            f"paliadin_{settings.port}"  # cookies know no port: another daemon's must not be overwritten
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._refuse_socket(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {key.lower() for key, _ in message["headers"]}
                wanted = _HEADERS | (_shared(foreign) if foreign else {})
                extra = [(key.encode(), value.encode()) for key, value in wanted.items()]
                message["headers"] = [*message["headers"], *(pair for pair in extra if pair[0] not in present)]
            await send(message)

        request = Request(scope)
        foreign = self._foreign(request)
        answer = self._check(request, foreign)
        await (answer or self._app)(scope, receive, send_with_headers)

    def _check(self, request: Request, foreign: str | None) -> Response | None:
        """The answer that ends the request here, or None to let it in."""
        path = request.scope["path"]  # what the router goes by; request.url is made from the Host header as well
        if path in OPEN_PATHS:
            return None
        try:
            self._check_host(request.headers)
            if foreign:
                return self._check_foreign(request, foreign)
            self._check_origin(request)
            if path == PAGE and "token" in request.query_params:
                return self._let_in(request)
            self._check_token(request)
        except Forbidden as error:
            if error.http_status == 401 and "text/html" in request.headers.get("accept", ""):
                return HTMLResponse(_LOCKED, 401, {"content-security-policy": _LOCKED_POLICY})
            return JSONResponse(error.body(), error.http_status)
        return None

    def _check_host(self, headers: Headers) -> None:
        name = _hostname(headers.get("host", ""))
        if name not in {host.lower() for host in (*self._settings.allowed_hosts, self._settings.host)}:
            raise Forbidden(
                "this host name is not served here",
                code="wrong_host",
                status=421,
                hint="Add it to PALIADIN_ALLOWED_HOSTS.",
            )

    def _foreign(self, request: Request) -> str | None:
        """The origin of the page that asks, if it is another one that is allowed."""
        origin = request.headers.get("origin")
        if origin not in self._settings.allowed_origins or origin == _own_origin(request):
            return None
        # Behind a proxy that speaks TLS our own pages have an https origin, of the name that was asked for.
        return None if origin == f"https://{request.headers.get('host', '')}" else origin

    def _check_foreign(self, request: Request, origin: str) -> Response | None:
        if request.method == "OPTIONS":
            return Response(status_code=204, headers=_PREFLIGHT)
        path = request.scope["path"]
        if request.method in _SAFE and (path == WIDGET or path.startswith(f"{PAGE}/static/")):
            return None  # the drawer's code, which holds no secret
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        embedded = self._embed_tokens.read(bearer.strip(), origin) if scheme.lower() == "bearer" else None
        if embedded is None:
            raise Forbidden(
                "the token of the page's own server is missing, over, or another origin's",
                code="no_embed_token",
                hint="The page's server asks for one: POST /api/paliadin/embed-token.",
            )
        if not any(path.startswith(f"{API}/{route}") for route in _EMBEDDED):
            raise Forbidden("a page of another origin may not do this", code="foreign_origin", status=403, hint="")
        request.scope.setdefault("state", {})["person"] = embedded.person
        return None

    def _check_origin(self, request: Request) -> None:
        if request.method in _SAFE:
            return
        origin = request.headers.get("origin")
        same_site = request.headers.get("sec-fetch-site", "same-origin") in {"same-origin", "none"}
        if origin is None and same_site:
            return  # not a browser, or not across sites
        if origin not in {_own_origin(request), *self._settings.allowed_origins}:
            raise Forbidden(
                "a page of another origin may not do this",
                code="foreign_origin",
                status=403,
                hint="Add the origin to PALIADIN_ALLOWED_ORIGINS if that page is yours.",
            )

    def _check_token(self, request: Request) -> None:
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and _same(bearer.strip(), self._token):
            return
        if _same(request.cookies.get(self._cookie_name, ""), self._cookie):
            return
        raise Forbidden("the owner's token is missing or wrong")

    def _let_in(self, request: Request) -> Response:
        if not _same(request.query_params["token"], self._token):
            raise Forbidden("the owner's token is missing or wrong")
        answer = RedirectResponse(PAGE.removeprefix("/"), 303)  # relative: a proxy may put a path before it
        answer.set_cookie(
            self._cookie_name, self._cookie, max_age=COOKIE_AGE, httponly=True, samesite="strict", path="/"
        )
        answer.headers["cache-control"] = "no-store"
        return answer

    async def _refuse_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._app(scope, receive, send)


def _shared(origin: str) -> dict[str, str]:
    """No credentials: a cookie is never sent along."""
    return {"access-control-allow-origin": origin, "vary": "Origin", "cross-origin-resource-policy": "cross-origin"}


def _hostname(host: str) -> str:
    """Without the port; an IPv6 address keeps its brackets."""
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]"
    return host.partition(":")[0].lower()


def _own_origin(request: Request) -> str:
    return f"{request.url.scheme}://{request.headers.get('host', '')}"


def _same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), expected.encode())
