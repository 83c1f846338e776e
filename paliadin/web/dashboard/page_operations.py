"""The operations of the dashboard's pages: their parameters and errors. Pure."""

from __future__ import annotations

from dataclasses import fields, replace

from paliadin.reports.filters import FLAGS, PARAMETERS, SPANS, VERDICTS, Filter
from paliadin.web.openapi.schema import ANYTHING, TEXT, one_of
from paliadin.web.route_declaration import HTML, Operation

LISTED = {
    "span": one_of(*SPANS),
    "from": {"type": "string", "format": "date"},
    "to": {"type": "string", "format": "date"},
    **{PARAMETERS.get(each.name, each.name): TEXT for each in fields(Filter)[3:]},
    "flag": one_of(*FLAGS),
    "verdict": one_of(*VERDICTS),
    "lang": one_of("de", "en"),
}
A_PAGE = Operation(TEXT, query=LISTED, errors=(503,), media=(HTML,), errors_as_page=True)
EXPORT = replace(
    A_PAGE,
    returns=ANYTHING,
    path={"format": one_of("jsonl", "csv", "parquet")},
    errors=(404, 503),
    media=("application/x-ndjson", "text/csv", "application/vnd.apache.parquet"),
)
