"""Describes the requests and responses of the practice's routes. Pure."""

from __future__ import annotations

from paliadin.web.openapi.operation import STORED, Operation
from paliadin.web.openapi.schemas import BOOL, TEXT, TURN_ID, WHOLE, array, nullable, one_of, record

LONGEST_REASON = 500  # characters of what a person says of their decision on a suggestion

_WHO = record({"id": TEXT, "name": TEXT})
_COUNTS = dict.fromkeys(("open_deadlines", "coming_appointments", "notes", "parts"), WHOLE)
_SUGGESTION = record(
    {
        "id": TEXT,
        "kind": one_of("deadline", "appointment", "note"),
        "thing_id": TEXT,
        "state": one_of("pending", "approved", "rejected"),
        "turn_id": TURN_ID,
        "project": record({"id": TEXT, "label": TEXT, "reference": TEXT, "status": TEXT}),
        "requested_by": _WHO,
        "requested_at": TEXT,
        "may_approve": BOOL,
        "may_reject": BOOL,
        "same": WHOLE,
        "href": nullable(TEXT),
    },
    {
        **dict.fromkeys(("title", "text", "due_date", "starts_at", "ends_at", "place", "rule", "decided_at"), TEXT),
        "decided_by": _WHO,
        "decided_as": one_of("peer", "admin_override"),
        "reason": TEXT,
        "elsewhere": BOOL,
    },
)

SHOW_PROJECT = Operation(
    "What is open in a project of the practice that the caller may see (PALIADIN_PALIAD).",
    record({"id": TEXT, "kind": one_of("client", "matter", "proceeding"), "label": TEXT, **_COUNTS}),
    path={"project_id": TEXT},
    errors=(*STORED, 404),
)
SUGGESTIONS = Operation(
    "What a turn has suggested to enter in the practice, and how that stands (PALIADIN_PALIAD).",
    record({"suggestions": array(_SUGGESTION)}),
    path={"turn_id": TEXT},
    errors=(*STORED, 404),
)
DECIDE = Operation(
    "Approve or reject a suggestion, as a person at the page or in a drawer (PALIADIN_PALIAD).",
    _SUGGESTION,
    body=record({"approve": BOOL}, {"reason": {**TEXT, "maxLength": LONGEST_REASON}}),
    path={"suggestion_id": TEXT},
    errors=(*STORED, 404, 409, 422),
)
