"""The HTTP routes of a practice: a project's open items, and suggestions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.base.strict_json import JsonObject
from paliadin.base.visible_text import escape_invisible
from paliadin.events.chips import Chip
from paliadin.parts.practice.approvals import Decision
from paliadin.parts.practice.operations import SUGGESTION
from paliadin.parts.practice.practice import Practice
from paliadin.people.caller import Caller, Door, Scope
from paliadin.people.person_key import PersonKey
from paliadin.turns.lifecycle import Turns
from paliadin.turns.question import may_allow
from paliadin.web.body import read_object
from paliadin.web.openapi.schema import BOOL, TEXT, WHOLE, array, one_of, record
from paliadin.web.route_declaration import Operation, Whose, route
from paliadin.web.scoped_routes import Declared, add_to_audit, caller_of, routes_of

LONGEST_REASON = 500  # characters of what a person says of their decision on a suggestion
_COUNTS = dict.fromkeys(("open_deadlines", "coming_appointments", "notes", "parts"), WHOLE)


@dataclass
class PracticeRoutes:
    """The handlers of the routes below /practice."""

    settings: Settings
    turns: Turns
    id_of: Callable[[PersonKey], str]
    practice: Practice

    def routes(self) -> list[Declared]:
        """Return the routes to mount."""
        return routes_of(self)

    @route("GET", "practice/projects/{project_id}", Scope.CONVERSATION, Whose.NAMED)
    @Operation(
        record({"id": TEXT, "kind": one_of("client", "matter", "proceeding"), "label": TEXT, **_COUNTS}),
        errors=(503, 404),
    )
    async def show_project(self, request: Request) -> Response:
        """Count what is open in a project of the practice that the caller may see (PALIADIN_PALIAD)."""
        person = self.id_of(caller_of(request).person_key)
        return JSONResponse(await self.practice.project_counts(person, request.path_params["project_id"]))

    @route("GET", "practice/turns/{turn_id}/suggestions", Scope.CONVERSATION, Whose.NAMED)
    @Operation(record({"suggestions": array(SUGGESTION)}), path={"turn_id": TEXT}, errors=(503, 404))
    async def list_suggestions(self, request: Request) -> Response:
        """List the entries that a turn has suggested for the practice, and their state (PALIADIN_PALIAD)."""
        caller = caller_of(request)
        suggestions = await self.practice.suggestions(self.id_of(caller.person_key), request.path_params["turn_id"])
        elsewhere = {} if self._decides_here(caller) else {"may_approve": False, "may_reject": False, "elsewhere": True}
        return JSONResponse({"suggestions": [self._linked(each) | elsewhere for each in suggestions]})

    @route(
        "POST",
        "practice/suggestions/{suggestion_id}/decision",
        Scope.CONVERSATION,
        Whose.NAMED,
        audit="suggestion_decided",
    )
    @Operation(
        SUGGESTION,
        body=record({"approve": BOOL}, {"reason": {**TEXT, "maxLength": LONGEST_REASON}}),
        errors=(503, 404, 409, 422),
    )
    async def decide(self, request: Request) -> Response:
        """Approve or reject a suggestion, as a person at the page or in a drawer (PALIADIN_PALIAD)."""
        caller = caller_of(request)
        if not self._decides_here(caller):
            raise errors.Forbidden(
                "a person decides on this, at Paliadin's page or in the drawer of an application that may ask for it",
                code="decided_elsewhere",
                status=403,
                hint="Open the page, and click there. PALIADIN_PERMISSION_ORIGINS lists the applications.",
            )
        decision = _decision(await read_object(request))
        suggestion = await self.practice.decide(
            self.id_of(caller.person_key), request.path_params["suggestion_id"], decision
        )
        add_to_audit(request, approved=str(decision.approve).lower(), turn_id=suggestion["turn_id"])
        return JSONResponse(self._linked(suggestion))

    def _linked(self, suggestion: Mapping[str, Any]) -> dict[str, Any]:
        """Add `href` to the suggestion, the thing's address in the application; None if that is not set up."""
        chip = Chip(suggestion["kind"], "open", suggestion["thing_id"])
        return {**suggestion, "href": self.turns.destinations.href_for(chip)}

    def _decides_here(self, caller: Caller) -> bool:
        """Tell whether the caller may decide: a person at the page, or in a drawer whose page the owner trusts.

        As with permissions: the page around a drawer could press its buttons, and a command of Claude's could use the
        command line.
        """
        if caller.door is Door.WIDGET:
            return may_allow(self.settings, caller)
        return caller.door is Door.PAGE and caller.forwarded_by is None


def _decision(body: JsonObject) -> Decision:
    """Read the decision in a body {"approve", "reason"?}; raises InvalidField."""
    approve, reason = body.get("approve"), body.get("reason", "")
    if not isinstance(approve, bool):
        raise errors.InvalidField("`approve` must be true or false")
    if not isinstance(reason, str) or len(reason) > LONGEST_REASON or escape_invisible(reason) != reason:
        raise errors.InvalidField(f"`reason` must be plain text of at most {LONGEST_REASON} characters")
    return Decision(approve, " ".join(reason.split()))
