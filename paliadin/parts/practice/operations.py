"""The shape of a suggestion, as OpenAPI describes it. Pure."""

from __future__ import annotations

from paliadin.web.openapi.schema import BOOL, TEXT, TURN_ID, WHOLE, nullable, one_of, record

_WHO = record({"id": TEXT, "name": TEXT})
SUGGESTION = record(
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
