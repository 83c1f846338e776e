"""The way in for a browser: a one-time ticket is exchanged for a cookie, at an address that nobody else knows.

A browser sends a cookie to every port of a host, so also to other programs' servers, and a program that had our port
before may have left a service worker at `http://127.0.0.1:8724`. Therefore tickets and cookies are valid at the page's
own address only, which holds an unguessable label: `http://<label>.localhost:8724/`, or, for a browser that does not
resolve such a name, and behind a proxy, `http://127.0.0.1:8724/~<label>/`. docs/security.md has the details.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Scope as Connection

from paliadin.base.settings import Settings
from paliadin.base.settings_values import is_loopback
from paliadin.people.access import SIGN_IN_LIFETIME, Access, Browser
from paliadin.web.host_headers import host_name, is_label_host
from paliadin.web.paths import PAGE, route_path

COOKIE = "paliadin"
MOST_COOKIES = 200  # that are looked at; browsers keep fewer for a host
_OTHER_SITES = {"cross-site", "same-site"}  # values of Sec-Fetch-Site
_STATIC = Path(__file__).parent / "static"
_LOCKED = (_STATIC / "locked.html").read_text("utf-8")
_ASK_AGAIN = (_STATIC / "ask_again.html").read_text("utf-8")


def page_address(settings: Settings, access: Access, ticket: str, *, by_path: bool = False) -> str:
    """Return the page's own address with a ticket: a host of its own, or with `by_path` and behind a proxy a path."""
    if by_path or settings.address:
        return f"{settings.page_url}/~{access.label}{PAGE}?ticket={ticket}"
    return f"http://{access.label}.localhost:{settings.port}{PAGE}?ticket={ticket}"


def signed_in_browser(access: Access, request: Request) -> Browser | None:
    """Return the browser whose cookie the request has; None if it has no valid one."""
    return next(filter(None, map(access.browser, _cookies(request))), None)


def _cookies(request: Request) -> list[str]:
    """Return the values of all cookies of our name: servers at other ports of 127.0.0.1 can set some that hide ours."""
    pairs = (pair.strip().partition("=") for pair in request.headers.get("cookie", "").split(";", MOST_COOKIES))
    return [value for name, _, value in pairs if name == COOKIE]


class SignIn:
    """Recognises the page's own address and the browsers that are signed in there, and signs browsers in."""

    def __init__(self, access: Access, policy: str) -> None:
        """`policy` is the Content-Security-Policy of all other pages, of which these pages need a little more."""
        self._access, self._policy = access, policy

    def without_prefix(self, connection: Connection) -> Connection:
        """Return the connection as the routes need it: `/~<label>` at the beginning of its path is its root path.

        It must be written so: the browser binds the cookie to the path as it was sent, and `%2f` ends no part of it.
        """
        prefix, _, _ = connection["raw_path"].removeprefix(b"/").partition(b"/")
        if not hmac.compare_digest(prefix, f"~{self._access.label}".encode()):
            return connection
        return {**connection, "root_path": f"/~{self._access.label}"}

    def is_own_host(self, name: str) -> bool:
        """Tell whether this is the host name of the page's own address."""
        return hmac.compare_digest(name.encode(), f"{self._access.label}.localhost".encode())

    def is_at_own_address(self, request: Request) -> bool:
        """Tell whether the request came to the page's own address, where the cookie is valid."""
        return bool(request.scope.get("root_path")) or self.is_own_host(host_name(request.headers))

    def browser(self, request: Request) -> Browser | None:
        """Return the signed-in browser that sent the request; None if there is none."""
        return signed_in_browser(self._access, request) if self.is_at_own_address(request) else None

    def has_cookie(self, request: Request) -> bool:
        """Tell whether a browser sent a cookie, valid or not, to the address where it could be."""
        return bool(_cookies(request)) and self.is_at_own_address(request)

    def is_way_in(self, request: Request) -> bool:
        """Tell whether this opens an address with a ticket; another method, as of a link checker, uses none up."""
        opens_page = request.method == "GET" and route_path(request.scope) == PAGE
        return opens_page and "ticket" in request.query_params and self.is_at_own_address(request)

    def redeem(self, request: Request) -> tuple[Response, Browser | None] | None:
        """Sign the browser in that opened its own address with a ticket; None if the ticket is not valid.

        Returns the response and the browser, None if it is none that was signed in now. One that is signed in already
        stays so, and uses up a ticket of its own person only: nobody becomes somebody else by a link.
        """
        if _is_linked(request):
            return self._ask_again(200), None
        # Who pastes into the field of the locked page may paste a blank beside it, or the whole address.
        ticket = request.query_params["ticket"].strip().rpartition("?ticket=")[2]
        response = RedirectResponse(PAGE.removeprefix("/"), 303)  # relative: a proxy may add a path before it
        if browser := self.browser(request):
            if self._access.tickets.whose(ticket) == browser.person:
                self._access.tickets.use_up(ticket)
            return response, None
        cookie = self._access.sign_in(ticket, request.headers.get("user-agent", ""))
        if cookie is None:
            return None
        # Without a path the browser takes that of this address, also where a proxy puts a path before it.
        response.set_cookie(COOKIE, cookie, max_age=int(SIGN_IN_LIFETIME), path=None, httponly=True, samesite="strict")
        return response, self._access.browser(cookie)

    def locked_page(self, request: Request) -> Response:
        """Build the page that says how to get in, and that the ticket was wrong if there was one.

        At the page's own address it takes a ticket; elsewhere whoever had this port before could read it.
        """
        is_own = self.is_at_own_address(request)
        if is_own and _is_linked(request):
            return self._ask_again(401)
        # The action is relative: a proxy may add a path before it. The browser goes by the path as it was sent.
        root = "../" * (request.scope["raw_path"].count(b"/") - 1 - bool(request.scope.get("root_path"))) or "./"
        page = _LOCKED.replace('action="', f'action="{root}')
        page = page.replace("<html", f'<html class="{self._kind_of_address(request)}"')
        if is_own and not self.is_own_host(host := host_name(request.headers)) and is_loopback(host.strip("[]")):
            page = page.replace("paliadin open<", "paliadin open --by-path<")  # what this browser was opened with
        if "ticket" in request.query_params:
            page = page.replace('role="alert" hidden', 'role="alert"').replace('invalid="false"', 'invalid="true"')
        return self._page(page, 401)

    def _kind_of_address(self, request: Request) -> str:
        if self.is_at_own_address(request):
            return "own"
        return "earlier" if is_label_host(host_name(request.headers)) else "away"

    def _ask_again(self, status: int) -> Response:
        """Build the page that asks for the same address by itself: then the browser sends its cookie."""
        return self._page(_ASK_AGAIN, status)

    def _page(self, page: str, status: int) -> HTMLResponse:
        style, script = (_source_of(page, tag) for tag in ("style", "script"))
        policy = self._policy.replace("style-src 'self'", f"style-src {style}")
        policy = policy.replace("script-src 'self'", f"script-src {script}")
        policy = policy.replace("form-action 'none'", "form-action 'self'")
        return HTMLResponse(page, status, {"content-security-policy": policy})


def _is_linked(request: Request) -> bool:
    """Tell whether a link on another site, or a file, led here: then the browser keeps its strict cookie back."""
    return request.headers.get("sec-fetch-site") in _OTHER_SITES


def _source_of(page: str, tag: str) -> str:
    """The source of the Content-Security-Policy that allows the page's one element `tag`, and no other."""
    content = page.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'" if content else "'none'"
