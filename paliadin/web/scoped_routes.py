"""Routes made of declarations, and what a request carries on its way to one: its caller, its line in the audit log.

The access middleware compares a route's scope with the caller's. A route of another class than those here declares no
scope, and is refused to everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Mount, Route
from starlette.types import ASGIApp
from starlette.types import Scope as Connection

from paliadin.base.errors import PaliadinError
from paliadin.people.caller import Caller, Scope
from paliadin.web.route_declaration import DECLARATION, Declaration, Handler, Whose

# Keys in the ASGI connection scope.
_CALLER, _AUDIT, _SESSION, _PEER = "paliadin.caller", "paliadin.audit", "paliadin.session", "paliadin.peer"


class ScopedRoute(Route):
    """A declared route: open to the callers with its scope."""

    def __init__(self, declaration: Declaration, handler: Handler) -> None:
        if declaration.names:
            handler = _looked_up(declaration, handler)
        if declaration.audit:
            handler = _audited(handler, declaration.audit)
        super().__init__(declaration.path, handler, methods=[declaration.method])
        self.declaration, self.scope, self.whose = declaration, declaration.scope, declaration.whose
        self.key = declaration.key


class ScopedMount(Mount):
    """An application whose paths, all below `path`, are open to the callers with this scope."""

    key = None

    def __init__(self, path: str, app: ASGIApp, *, scope: Scope, whose: Whose) -> None:
        super().__init__(path, app)
        self.scope, self.whose = scope, whose


Declared = ScopedRoute | ScopedMount


def routes_of(group: object, around: Callable[[Handler], Handler] = lambda handler: handler) -> list[Declared]:
    """Return the routes that the object's methods are declared as, in their order; `around` wraps each handler."""
    declared = {name: getattr(each, "__dict__", {}).get(DECLARATION) for name, each in vars(type(group)).items()}
    return [ScopedRoute(each, around(getattr(group, name))) for name, each in declared.items() if each]


class Required(NamedTuple):
    """The scope that a caller needs, or the purpose of a program's key that opens the route as well."""

    scope: Scope
    key: str | None = None


def required_of(routes: Sequence[BaseRoute], connection: Connection) -> Required:
    """Return what opens the route that the router will choose; if there is none, OWNER: nobody else learns that.

    Raises PaliadinError when the route declares no scope.
    """
    matches = [(candidate.matches(connection)[0], candidate) for candidate in routes]
    for wanted in (Match.FULL, Match.PARTIAL):  # PARTIAL: another method, which the router refuses
        for match, candidate in matches:
            if match is wanted:
                return _declared(candidate)
    return Required(Scope.OWNER)


def _declared(candidate: BaseRoute) -> Required:
    if isinstance(candidate, Declared):
        return Required(candidate.scope, candidate.key)
    raise PaliadinError(
        "this route declares no scope, so it is open to nobody",
        hint="This is a bug in Paliadin: declare the route as a ScopedRoute.",
    )


def _looked_up(declaration: Declaration, handler: Handler) -> Handler:
    """Wrap a handler so that the session or the turn which the request names is looked up first."""

    async def handle(request: Request) -> Response:
        response: Response = await request.app.state.lookup.serve(request, declaration, handler)
        return response

    return handle


def _audited(handler: Handler, event: str) -> Handler:
    """Wrap a handler so that what it did is in the audit log; nothing is if it raises, or a peer refuses."""

    async def handle(request: Request) -> Response:
        response = await handler(request)
        caller, added = caller_of(request), request.scope.get(_AUDIT, {})
        if added is not None and response.status_code < 400:
            request.app.state.audit.write(event, caller.person, origin=caller.place, **request.path_params | added)
        return response

    return handle


def add_to_audit(request: Request, **fields: str | int | None) -> None:
    """Add fields to this request's line in the audit log; never a question's or an answer's text."""
    request.scope[_AUDIT] = {**request.scope.get(_AUDIT, {}), **fields}


def leave_out_of_audit(request: Request) -> None:
    """Have no line written in the audit log: the request has changed nothing."""
    request.scope[_AUDIT] = None


def set_caller(connection: Connection, caller: Caller) -> None:
    """Attach the caller to the request; the access middleware alone does this."""
    connection[_CALLER] = caller


def caller_of(request: Request) -> Caller:
    """Return who asks. There is none on routes that are open without a token."""
    caller: Caller = request.scope[_CALLER]
    return caller


def known_caller(connection: Connection) -> Caller | None:
    """Return who asks; None on routes that are open without a token."""
    return connection.get(_CALLER)


def set_named(request: Request, *, session: str | None = None, peer: str | None = None) -> None:
    """Attach what the request names: the session's full name, and the peer that has it."""
    request.scope[_SESSION], request.scope[_PEER] = session, peer


def named_session(request: Request) -> str | None:
    """Return the full name of the session that the request names, as it was looked up for its caller; None for none."""
    session: str | None = request.scope[_SESSION]
    return session


def session_of(request: Request) -> str:
    """Do as `named_session`, on routes where a request that names none is about `main`."""
    session = named_session(request)
    assert session  # noqa: S101  # its declaration has a default
    return session


def peer_of(request: Request) -> str | None:
    """Return the peer that has the session which the request names; None for this daemon."""
    peer: str | None = request.scope[_PEER]
    return peer
