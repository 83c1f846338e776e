"""Describes the requests and responses of the routes for the dashboard, the pages and monitoring. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from paliadin.reports.filters import FLAGS, PARAMETERS, SORTS, SPANS, VERDICTS, Filter
from paliadin.web.openapi.operation import HTML, OF_TURN, STORED, Operation
from paliadin.web.openapi.schemas import (
    ANYTHING,
    DIGITS,
    TEXT,
    Schema,
    one_of,
)
from paliadin.web.paths import API, PAGE

ADMIN = "/admin/paliadin"
_LISTED: dict[str, Schema] = {
    "span": one_of(*SPANS),
    "from": {"type": "string", "format": "date"},
    "to": {"type": "string", "format": "date"},
    **{PARAMETERS.get(each.name, each.name): TEXT for each in fields(Filter)[3:]},
    "flag": one_of(*FLAGS),
    "verdict": one_of(*VERDICTS),
    "lang": one_of("de", "en"),
}


def _page(summary: str, *errors: int, path: Mapping[str, Schema] | None = None, **query: Schema) -> Operation:
    """A page of the dashboard."""
    return Operation(
        summary,
        query=_LISTED | query,
        path=path or {},
        errors=(*STORED, *errors),
        media=(HTML,),
        returns=TEXT,
        errors_as_page=True,
    )


PAGES: Mapping[str, Operation] = {
    f"GET {PAGE}": Operation("The chat page.", TEXT, query={"ticket": TEXT}, media=(HTML,), errors_as_page=True),
    "GET /widget.js": Operation("The drawer.", TEXT, media=("text/javascript",)),
    f"GET {ADMIN}": _page("The figures of these turns."),
    f"GET {ADMIN}/turns": _page("These turns.", sort=one_of(*SORTS), offset=DIGITS),
    f"GET {ADMIN}/turns/{{turn_id}}": _page("A turn.", 404, path=OF_TURN),
    f"GET {ADMIN}/turns/{{turn_id}}/captures/{{name}}": Operation(
        "One of the turn's requests to the API and its response, as they were (PALIADIN_CAPTURE).",
        TEXT,
        path={**OF_TURN, "name": TEXT},
        errors=(404,),
        media=("text/plain",),
        errors_as_page=True,
    ),
    f"GET {ADMIN}/export.{{format}}": Operation(
        "These turns as a file.",
        ANYTHING,
        query=_LISTED,
        path={"format": one_of("jsonl", "csv", "parquet")},
        errors=(404, 503),
        media=("application/x-ndjson", "text/csv", "application/vnd.apache.parquet"),
        errors_as_page=True,
    ),
    "GET /livez": Operation("Is the daemon alive.", TEXT, media=("text/plain",)),
    "GET /metrics": Operation("Metrics in Prometheus' format.", TEXT, media=("text/plain",)),
    f"GET {API}/openapi.json": Operation("This description.", {"type": "object"}),
}
