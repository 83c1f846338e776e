"""One route's method as the description of the routes has it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from paliadin.web.openapi.schemas import SESSION, TURN_ID, Schema

JSON, HTML, STREAM = "application/json", "text/html", "text/event-stream"
OF_TURN: dict[str, Schema] = {"turn_id": TURN_ID}
OF_SESSION: dict[str, Schema] = {"session_id": SESSION}
STORED = (503,)  # the database is unavailable


@dataclass(frozen=True)
class Operation:
    """A route's method. `query` and `path` are parameters.

    `errors` are the statuses that only some routes have, `empty` those of responses without a body.
    """

    summary: str
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
