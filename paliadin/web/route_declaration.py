"""Declares a route once, beside its handler: its path, who may call it, whose things it is about, what goes in and out.

    @route("DELETE", "queue/{turn_id}", Scope.CONVERSATION, TURN_IN_PATH, audit="withdrawn")
    @Operation(record({"withdrawn": one_of(True)}), errors=(404, 507))
    async def withdraw(self, request: Request) -> Response:
        ...

A path without a slash in front is below /api/paliadin. `scoped_routes.routes_of` makes the routes of an object that has
such handlers. Pure.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from paliadin.people.caller import Scope
from paliadin.web.openapi.schema import SESSION, Schema
from paliadin.web.paths import API

JSON, HTML, STREAM = "application/json", "text/html", "text/event-stream"
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
OPERATION, DECLARATION = "operation", "declaration"  # attributes of handlers

Handler = Callable[[Request], Awaitable[Response]]
H = TypeVar("H", bound=Callable[..., Awaitable[Response]])


class Whose(Enum):
    """The owner of the things that a route shows or changes."""

    NOBODYS = "nobody's"  # the same for everybody who may call it
    OWNERS = "the owner's"  # to a member there is no such path: its scope refuses them
    CALLERS = "the caller's"  # they follow from the caller; the request names nothing
    NAMED = "the caller's, by name"  # somebody else's thing gets the response of one that does not exist


class AtPeer(Enum):
    """The way in which a request is served if another daemon has its session or turn."""

    FORWARD = auto()
    FORWARD_IF_REACHABLE = auto()  # otherwise here: the shared database has some of it
    HERE = auto()  # the shared database has all of it
    HANDLER = auto()  # the handler looks the session up, and asks `peer_of` for the peer


@dataclass(frozen=True)
class TargetParameter:
    """The parameter by which a request names its session or turn: `lookup` finds it before the handler is called.

    `default`: the session where none is named. `is_deleted`: a conversation may be named whose deletion can still be
    taken back. `headers`: those that a peer's response gets.
    """

    parameter: str
    place: str
    default: str | None = "main"
    is_deleted: bool = False
    at_peer: AtPeer = AtPeer.FORWARD
    headers: Mapping[str, str] = field(default_factory=dict)


SESSION_IN_QUERY = TargetParameter("session_id", "query")
SESSION_IN_BODY = TargetParameter("session_id", "body")
SESSION_IN_PATH = TargetParameter("session_id", "path")
TURN_IN_PATH = TargetParameter("turn_id", "path")
OF_SESSION = {"session_id": SESSION}  # a field of bodies


@dataclass(frozen=True)
class Operation:
    """The request and the responses of a route, as OpenAPI describes them; the handler's docstring is their summary.

    `query`, `path` and `headers` are parameters: of the path those that are no mere texts, of the query all but the
    session. `errors` are the statuses that only some routes have, `empty` those of responses without a body.
    """

    returns: Schema
    status: int = 200
    body: Schema | None = None
    query: Mapping[str, Schema] = field(default_factory=dict)
    path: Mapping[str, Schema] = field(default_factory=dict)
    headers: Mapping[str, Schema] = field(default_factory=dict)
    empty: tuple[int, ...] = ()
    errors: tuple[int, ...] = ()
    media: tuple[str, ...] = (JSON,)
    errors_as_page: bool = False  # for a person at a browser

    def __call__(self, handler: H) -> H:
        """Attach this to the decorated handler."""
        vars(handler)[OPERATION] = self
        return handler


_OWNERS = frozenset({Scope.METRICS, Scope.EMBED, Scope.OWNER, Scope.ACCESS})  # no member has one of them


@dataclass(frozen=True)
class Declaration:
    """A route. `audit` names what it does, for the audit log; `key` is the purpose of the keys that open it, too."""

    method: str
    path: str
    scope: Scope
    whose: Whose
    names: TargetParameter | None
    audit: str | None
    operation: Operation
    summary: str
    key: str | None = None


def route(
    method: str,
    path: str,
    scope: Scope,
    whose: Whose | TargetParameter,
    *,
    audit: str | None = None,
    key: str | None = None,
) -> Callable[[H], H]:
    """Declare the decorated handler as a route; raises ValueError where scope and whose-rule contradict each other.

    `key`: a program with a key for this purpose (`paliadin token add --for`) may call it as well. Its caller is a
    member without an id, to whom nothing belongs: the handler says whom the program acts for (`dataclasses.replace`).
    """
    names = whose if isinstance(whose, TargetParameter) else None
    rule = whose if isinstance(whose, Whose) else Whose.OWNERS if scope in _OWNERS else Whose.NAMED
    if (rule is Whose.OWNERS) != (scope in _OWNERS):
        raise ValueError(f"{method} {path}: no route with the scope {scope} is about {rule.value}")
    if key and rule is not Whose.CALLERS:
        raise ValueError(f"{method} {path}: a program acts for somebody, so its route is about the caller's things")
    full_path = path if path.startswith("/") else f"{API}/{path}"

    def declare(handler: H) -> H:
        operation, summary = vars(handler)[OPERATION], " ".join((handler.__doc__ or "").split())
        vars(handler)[DECLARATION] = Declaration(method, full_path, scope, rule, names, audit, operation, summary, key)
        return handler

    return declare
