"""Access control for every HTTP request.

The daemon can make an agent run commands on this machine, and every web site in the owner's browser can send requests
to it. The checks, in this order: the Host header names a host that is served (DNS rebinding); a request that changes
something comes from the daemon's own pages; the caller is known, by a browser's cookie, a program's key, or because the
request came over the command line's Unix socket.

Pages of an allowed origin, which hold the drawer, are checked differently: they may load the drawer's code, and call
its routes with a token that was issued for that origin. Cookies and keys are not accepted from them.

A request that passes has a `Caller`, whose scope opens the route: each route declares which one it needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Send
from starlette.types import Scope as Connection

from paliadin.base.audit import AuditLog
from paliadin.base.command_socket import command_socket_path
from paliadin.base.errors import BadRequest, Forbidden, PaliadinError
from paliadin.base.settings import Settings
from paliadin.people.access import OWNERS, Access, Browser, Key, Purpose
from paliadin.people.account import account_name
from paliadin.people.caller import Caller, Door, Role, Scope
from paliadin.web.closed_routes import HiddenRoute, check_scope
from paliadin.web.failed_attempts import FailedAttempts
from paliadin.web.forwarding import HEADER, parse_header
from paliadin.web.host_headers import host_name, is_label_host, own_origin, quoted
from paliadin.web.refusal_timing import paced
from paliadin.web.revocation import until_revoked
from paliadin.web.scoped_routes import Required, known_caller, required_of, set_caller
from paliadin.web.sign_in import SignIn
from paliadin.web.unknown_path import answer_unknown_path

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_SECURITY_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cache-control": "no-store",  # of what is private; what is not says so itself
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
_PREFLIGHT = {
    "access-control-allow-methods": "GET, POST, PATCH, DELETE",
    "access-control-allow-headers": "authorization, content-type, last-event-id",
    "access-control-max-age": "600",
}


# A program that had our port before may have left a service worker in the browser, which would answer in our name. The
# browser asks us whether there is a newer one: this one goes, and loads the pages again that the other one had.
_NO_WORKER = """self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  await self.registration.unregister();
  for (const page of await self.clients.matchAll({ type: "window" })) await page.navigate(page.url);
})()));
"""


class AccessMiddleware:
    """ASGI middleware: refuses requests without access, and adds the security headers to every response.

    `routes` are the application's, with their scopes.
    """

    def __init__(
        self, app: ASGIApp, settings: Settings, access: Access, audit: AuditLog, routes: Sequence[BaseRoute]
    ) -> None:
        self._app, self._settings, self._access, self._routes = app, settings, access, routes
        self._audit = audit
        self._sign_in = SignIn(access, _SECURITY_HEADERS["content-security-policy"])
        self._failed = FailedAttempts()
        self._command_socket = str(command_socket_path(settings.home))

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"  # noqa: S101  # uvicorn is told to serve nothing else
        scope = self._sign_in.without_prefix(scope)
        request = Request(scope)
        reader = self._embedding_origin(request)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {key.lower() for key, _ in message["headers"]}
                added_headers = _SECURITY_HEADERS | (_cross_origin_headers(reader) if reader else {})
                extra = [(key.encode(), value.encode()) for key, value in added_headers.items()]
                message["headers"] = [*message["headers"], *(pair for pair in extra if pair[0] not in present)]
            await send(message)

        send = paced(until_revoked(send, self._access, lambda: self._is_still_known(request)), scope)
        response = await self._check(request)
        await (response or self._app)(scope, receive, send_with_headers)

    async def _check(self, request: Request) -> Response | None:
        """Return the response that ends the request here; None to pass it on to the application."""
        if "content-length" in request.headers and "transfer-encoding" in request.headers:
            # A proxy in front may end such a request elsewhere than h11 does, and take its rest for another one.
            error = BadRequest("the request gives its length in two ways", code="ambiguous_length")
            return JSONResponse(error.body(), error.status, {"connection": "close"})
        if request.headers.get("service-worker") == "script":
            return Response(_NO_WORKER, media_type="text/javascript")
        try:
            required = required_of(self._routes, request.scope)
            if required.scope is Scope.PUBLIC:
                return None
            if (request.scope.get("server") or ("",))[0] == self._command_socket:
                set_caller(request.scope, Caller.owner(door=Door.CLI))
                return None
            self._check_host(request)
            if origin := self._embedding_origin(request):
                if request.method == "OPTIONS":
                    return Response(status_code=204, headers=_PREFLIGHT)
                if required.scope is Scope.DRAWER_CODE and request.method in _SAFE:
                    return None  # it holds no secret
                caller = self._embedded_caller(request, origin)
            else:
                self._check_origin(request)
                if self._sign_in.is_way_in(request):
                    return await self._redeem(request)
                caller = await self._authenticated_caller(request, required)
            check_scope(caller, required.scope)
        except PaliadinError as error:
            return self._refusal(request, error)
        set_caller(request.scope, caller)
        return None

    def _refusal(self, request: Request, error: PaliadinError) -> Response:
        """A page with what to do for a person at a browser, else the error as JSON."""
        if isinstance(error, HiddenRoute):
            return answer_unknown_path(request, self._settings.application)
        if error.status in {401, 421} and "text/html" in request.headers.get("accept", ""):
            return self._sign_in.locked_page(request)
        return JSONResponse(error.body(), error.status)

    def _check_host(self, request: Request) -> None:
        name = host_name(request.headers)
        served = {host.lower() for host in (*self._settings.allowed_hosts, self._settings.host)}
        if name in served or self._sign_in.is_own_host(name):
            return
        if is_label_host(name):  # an open page goes on asking there
            raise Forbidden("this is not the page's own address: `paliadin token rotate` has changed it")
        raise Forbidden(
            f"the Host header names {quoted(request.headers.get('host', ''))}, which this daemon does not serve",
            code="wrong_host",
            status=421,
            hint="Add it to PALIADIN_ALLOWED_HOSTS and restart the daemon.",
        )

    def _embedding_origin(self, request: Request) -> str | None:
        """Return the request's origin if it is an allowed one and not the daemon's own."""
        origin = request.headers.get("origin")
        if origin not in self._settings.allowed_origins or origin == own_origin(request):
            return None
        # Behind a proxy with TLS the daemon's own pages have an https origin with the request's host name.
        return None if origin == f"https://{request.headers.get('host', '')}" else origin

    def _embedded_caller(self, request: Request, origin: str) -> Caller:
        """Return the caller that the embed token names; raises Forbidden when it is not valid on this origin."""
        grant = self._access.embed_tokens.verify(_bearer(request.headers), origin)
        if grant is None:
            raise Forbidden(
                "the drawer's token is missing, expired, or was issued for another origin",
                code="no_embed_token",
                hint="The page's own server requests one: POST /api/paliadin/embed-token.",
            )
        registered = self._access.people.owner
        owner_id = registered.id if registered else None
        return Caller.embedded(grant.person, origin, self._settings.owner, owner_id, self._settings.people_origins)

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
        return origin in {own_origin(request), *self._settings.allowed_origins}

    async def _authenticated_caller(self, request: Request, required: Required) -> Caller:
        """Return the caller of a request with a program's key or a browser's cookie; raises Forbidden without them."""
        origin = request.headers.get("origin")
        known_origin = origin if self._is_known_origin(request, origin) else None
        if secret := _bearer(request.headers):
            if key := self._access.key(secret):
                return self._caller_with(key, request, known_origin, required)
        elif browser := self._sign_in.browser(request):
            if request.method not in _SAFE and known_origin is None:
                raise Forbidden(
                    "a request with a browser's cookie does not say from which page it comes",
                    code="foreign_origin",
                    status=403,
                    hint="Programs use a key: `paliadin token add`.",
                )
            return _caller_at(browser, self._public_origin(request, known_origin))
        if secret or self._sign_in.has_cookie(request):
            await self._failed.attempt(request)
        raise Forbidden("no browser is signed in and no valid key is given")

    def _caller_with(self, key: Key, request: Request, origin: str | None, required: Required) -> Caller:
        """Return the caller that has this key. That of a peer (another daemon) names the caller for whom it asks."""
        if Purpose.PEER in key.purposes:
            caller = parse_header(request.headers.get(HEADER, ""))
            return replace(caller, key=key.name).with_people_of(self._settings.people_origins)
        if Purpose.OWNER in key.purposes:
            return Caller.owner(origin, key=key.name)
        if required.key in key.purposes:
            return Caller("", Role.MEMBER, required.scope, key=key.name)  # the handler says for whom
        opened = [Scope(purpose) for purpose in key.purposes if purpose in list(Purpose)] or [Scope.PUBLIC]
        scope = required.scope if required.scope in opened else opened[0]
        return Caller(account_name(), Role.OWNER, scope, key=key.name)

    def _is_still_known(self, request: Request) -> bool:
        """Tell whether a request that has passed would still pass: as the caller it came from, if it has one."""
        caller, secret = known_caller(request.scope), _bearer(request.headers)
        if caller is None or caller.door is Door.CLI:
            return True
        if origin := self._embedding_origin(request):
            return self._access.embed_tokens.verify(secret, origin) is not None
        return (self._access.key(secret) if secret else self._sign_in.browser(request)) is not None

    def _public_origin(self, request: Request, origin: str | None) -> str | None:
        """The origin as turns, exports and other daemons may have it: without the label of the page's own host."""
        is_own = origin == own_origin(request) and self._sign_in.is_own_host(host_name(request.headers))
        return self._settings.base_url if is_own else origin

    async def _redeem(self, request: Request) -> Response:
        """Respond to an address with a ticket; raises Forbidden when the ticket is not valid."""
        redeemed = self._sign_in.redeem(request)
        if redeemed is None:
            await self._failed.attempt(request)
            raise Forbidden("this address was used already, or is too old")
        response, browser = redeemed
        if browser:
            caller = _caller_at(browser, None)
            self._audit.write("signed in", caller.person, origin=caller.place, browser=browser.agent)
        return response


def _caller_at(browser: Browser, origin: str | None) -> Caller:
    """Return the caller that a signed-in browser has: the owner, or a member."""
    if browser.person == OWNERS:
        return Caller.owner(origin, door=Door.PAGE)
    return Caller.member(browser.person, origin)


def _bearer(headers: Headers) -> str:
    """Return the bearer token, or an empty text."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _cross_origin_headers(origin: str) -> dict[str, str]:
    """CORS headers without `allow-credentials`: the browser sends no cookie."""
    return {"access-control-allow-origin": origin, "vary": "Origin", "cross-origin-resource-policy": "cross-origin"}
