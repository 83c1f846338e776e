"""The OpenAPI document: the operations of the routes, who may call them, and the errors that every route has. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from paliadin import __version__
from paliadin.people.caller import Scope
from paliadin.web.openapi.operation import HTML, JSON, Operation
from paliadin.web.openapi.operations import OPERATIONS
from paliadin.web.openapi.schemas import Schema, components, reference
from paliadin.web.scoped_routes import Declared, ScopedRoute

_ALWAYS = (400, 401, 403, 421, 429)  # the way in, and a malformed request
_WITH_BODY = (408, 413)
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
    """Return the OpenAPI 3.1 document of these routes; those without an operation (a mount) are left out."""
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        if not isinstance(route, ScopedRoute):
            continue
        for method in sorted((route.methods or set()) - {"HEAD"}):
            operation = route.operation or OPERATIONS[f"{method} {route.path}"]
            paths.setdefault(route.path, {})[method.lower()] = _operation(operation, route.scope)
    key = {"type": "http", "scheme": "bearer", "description": "A program's key: `paliadin token add`."}
    cookie = {"type": "apiKey", "in": "cookie", "name": "paliadin", "description": "Of a browser that is signed in."}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Paliadin", "version": __version__, "description": "docs/http.md says what all of it means."},
        "paths": paths,
        "components": {"schemas": components(), "securitySchemes": {"key": key, "cookie": cookie}},
    }


def _operation(operation: Operation, scope: Scope) -> dict[str, Any]:
    places = (("path", operation.path), ("query", operation.query), ("header", operation.headers))
    parameters = [
        {"name": name, "in": place, "required": place == "path", "schema": schema}
        for place, named in places
        for name, schema in named.items()
    ]
    security = {Scope.PUBLIC: [{}], Scope.ACCESS: [{"cookie": []}]}.get(scope, [{"key": []}, {"cookie": []}])
    described: dict[str, Any] = {
        "summary": operation.summary,
        "description": f"Open to {_OPEN_TO[scope]}.",
        "security": security,
        "responses": _responses(operation, scope),
    }
    if parameters:
        described["parameters"] = parameters
    if operation.body is not None:
        described["requestBody"] = {"required": True, "content": {JSON: {"schema": operation.body}}}
    return described


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
