"""The OpenAPI document: the operations of the routes, who may call them, and the errors that every route has. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from paliadin import __version__
from paliadin.people.caller import Scope
from paliadin.web.openapi.components import components
from paliadin.web.openapi.schema import SESSION, TEXT, TURN_ID, Schema, reference
from paliadin.web.route_declaration import HTML, JSON, Declaration, Operation
from paliadin.web.scoped_routes import Declared, ScopedRoute

_ALWAYS = (400, 401, 403, 421, 429)  # the way in, and a malformed request
_WITH_BODY = (408, 413)
_IN_PATH = {"turn_id": TURN_ID}  # other parameters of paths are texts, unless their route says more
_OPEN_TO: Mapping[Scope, str] = {
    Scope.PUBLIC: "anybody",
    Scope.DRAWER_CODE: "pages of an allowed origin; the owner",
    Scope.CONVERSATION: "a drawer, for its person; the owner",
    Scope.METRICS: "a program with a key for metrics; the owner",
    Scope.EMBED: "a program with a key for embed; the owner",
    Scope.PAGE: "a member at the page; the owner",
    Scope.OWNER: "the owner",
    Scope.ACCESS: "the owner in person: a browser that is signed in, the command line",
}


def describe(routes: Sequence[Declared]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of these routes; a mount is left out."""
    paths: dict[str, dict[str, Any]] = {}
    for declaration in (route.declaration for route in routes if isinstance(route, ScopedRoute)):
        paths.setdefault(declaration.path, {})[declaration.method.lower()] = _operation(declaration)
    key = {"type": "http", "scheme": "bearer", "description": "A program's key: `paliadin token add`."}
    cookie = {"type": "apiKey", "in": "cookie", "name": "paliadin", "description": "Of a browser that is signed in."}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Paliadin", "version": __version__, "description": "docs/http.md says what all of it means."},
        "paths": paths,
        "components": {"schemas": components(), "securitySchemes": {"key": key, "cookie": cookie}},
    }


def _operation(declaration: Declaration) -> dict[str, Any]:
    operation, scope, names = declaration.operation, declaration.scope, declaration.names
    path = {name: _IN_PATH.get(name, TEXT) for name in re.findall(r"{(\w+)}", declaration.path)}
    session = {"session_id": SESSION} if names and names.place == "query" else {}
    places = (
        ("path", {**path, **operation.path}),
        ("query", {**session, **operation.query}),
        ("header", operation.headers),
    )
    parameters = [
        {"name": name, "in": place, "required": place == "path", "schema": schema}
        for place, named in places
        for name, schema in named.items()
    ]
    security = {Scope.PUBLIC: [{}], Scope.ACCESS: [{"cookie": []}]}.get(scope, [{"key": []}, {"cookie": []}])
    described: dict[str, Any] = {
        "summary": declaration.summary,
        "description": f"Open to {_OPEN_TO[scope]}{_also_open_to(declaration.key)}.",
        "security": security,
        "responses": _responses(operation, scope),
    }
    if parameters:
        described["parameters"] = parameters
    if operation.body is not None:
        described["requestBody"] = {"required": True, "content": {JSON: {"schema": operation.body}}}
    return described


def _also_open_to(key: str | None) -> str:
    return f"; a program with a key for {key}, for whom it names" if key else ""


def _responses(operation: Operation, scope: Scope) -> dict[str, Any]:
    always = () if scope is Scope.PUBLIC else _ALWAYS
    errors = {*always, *operation.errors, *(_WITH_BODY if operation.body is not None else ())}
    succeeded = _response(operation.status, operation.returns, operation.media)
    failed = {str(status): _response(status, reference("Error"), (JSON,)) for status in sorted(errors)}
    if operation.errors_as_page:
        for each in failed.values():
            each["content"][HTML] = {"schema": {"type": "string"}}
    empty = {str(status): {"description": HTTPStatus(status).phrase} for status in operation.empty}
    return {str(operation.status): succeeded, **empty, **failed}


def _response(status: int, schema: Schema, media: Sequence[str]) -> dict[str, Any]:
    content = {kind: {"schema": schema} for kind in media}
    return {"description": HTTPStatus(status).phrase, "content": content}
