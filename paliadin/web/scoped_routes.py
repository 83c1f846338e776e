"""Routes that declare which callers they are open to. The access middleware compares that with the caller.

A route of another class than those here declares no scope, and is refused to everybody.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Mount, Route
from starlette.types import ASGIApp
from starlette.types import Scope as Connection

from paliadin.base.errors import PaliadinError
from paliadin.people.caller import Caller, Scope
from paliadin.web.openapi.operation import Operation

_CALLER, _AUDIT = "paliadin.caller", "paliadin.audit"  # keys in the ASGI connection scope

Endpoint = Callable[[Request], Awaitable[Response]]


class ScopedRoute(Route):
    """A route that is open to the callers with this scope. `audit` names what it does, for the audit log.

    `operation` describes it, where `openapi.operations` does not: that of a part.
    """

    def __init__(
        self,
        path: str,
        endpoint: Endpoint,
        *,
        scope: Scope,
        methods: Collection[str] = ("GET",),
        audit: str | None = None,
        operation: Operation | None = None,
    ) -> None:
        super().__init__(path, _audited(endpoint, audit) if audit else endpoint, methods=methods)
        self.scope, self.operation = scope, operation


class ScopedMount(Mount):
    """An application whose paths, all below `path`, are open to the callers with this scope."""

    def __init__(self, path: str, app: ASGIApp, *, scope: Scope) -> None:
        super().__init__(path, app)
        self.scope = scope


Declared = ScopedRoute | ScopedMount


def required_scope(routes: Sequence[BaseRoute], connection: Connection) -> Scope:
    """Return the scope of the route that the router will choose; OWNER if there is none, so nobody else learns that.

    Raises PaliadinError when the route declares no scope.
    """
    matches = [(candidate.matches(connection)[0], candidate) for candidate in routes]
    for wanted in (Match.FULL, Match.PARTIAL):  # PARTIAL: another method, which the router refuses
        for match, candidate in matches:
            if match is wanted:
                return _declared_scope(candidate)
    return Scope.OWNER


def _declared_scope(candidate: BaseRoute) -> Scope:
    if isinstance(candidate, Declared):
        return candidate.scope
    raise PaliadinError(
        "this route declares no scope, so it is open to nobody",
        hint="This is a bug in Paliadin: declare the route as a ScopedRoute.",
    )


def _audited(endpoint: Endpoint, event: str) -> Endpoint:
    """Wrap an endpoint so that what it did is in the audit log; nothing is if it raises, or a peer refuses."""

    async def handle(request: Request) -> Response:
        response = await endpoint(request)
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
