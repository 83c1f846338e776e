"""The HTTP routes of a practice: what the page shows of a project, and suggestions."""

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
from paliadin.parts.practice.operations import DECIDE, LONGEST_REASON, SHOW_PROJECT, SUGGESTIONS
from paliadin.parts.practice.practice import Practice
from paliadin.people.caller import Caller, Door, Scope
from paliadin.people.person_key import PersonKey
from paliadin.turns.lifecycle import Turns
from paliadin.turns.question import may_allow
from paliadin.web.body import read_object
from paliadin.web.paths import API
from paliadin.web.scoped_routes import Declared, ScopedRoute, add_to_audit, caller_of


@dataclass
class PracticeRoutes:
    """The handlers of what lies below /practice."""

    settings: Settings
    turns: Turns
    id_of: Callable[[PersonKey], str]
    practice: Practice

    def routes(self) -> list[Declared]:
        """The routes to mount."""
        project = f"{API}/practice/projects/{{project_id}}"
        return [
            ScopedRoute(project, self.show_project, scope=Scope.CONVERSATION, operation=SHOW_PROJECT),
            ScopedRoute(
                f"{API}/practice/turns/{{turn_id}}/suggestions",
                self.list_suggestions,
                scope=Scope.CONVERSATION,
                operation=SUGGESTIONS,
            ),
            ScopedRoute(
                f"{API}/practice/suggestions/{{suggestion_id}}/decision",
                self.decide,
                scope=Scope.CONVERSATION,
                methods=["POST"],
                audit="suggestion_decided",
                operation=DECIDE,
            ),
        ]

    async def show_project(self, request: Request) -> Response:
        """What is open in a project that the caller may see, for the chip of the page's context."""
        person = self.id_of(caller_of(request).person_key)
        return JSONResponse(await self.practice.project_counts(person, request.path_params["project_id"]))

    async def list_suggestions(self, request: Request) -> Response:
        """What a turn has suggested, of what the caller may see, and how it stands."""
        caller = caller_of(request)
        suggestions = await self.practice.suggestions(self.id_of(caller.person_key), request.path_params["turn_id"])
        elsewhere = {} if self._decides_here(caller) else {"may_approve": False, "may_reject": False, "elsewhere": True}
        return JSONResponse({"suggestions": [self._linked(each) | elsewhere for each in suggestions]})

    async def decide(self, request: Request) -> Response:
        """Approve or reject a suggestion: a person's click, so no program may, nor the command line."""
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
        """The suggestion with `href`, where the thing is in the application; None if that is not set up."""
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
    """The decision in a body {"approve", "reason"?}; raises InvalidField."""
    approve, reason = body.get("approve"), body.get("reason", "")
    if not isinstance(approve, bool):
        raise errors.InvalidField("`approve` must be true or false")
    if not isinstance(reason, str) or len(reason) > LONGEST_REASON or escape_invisible(reason) != reason:
        raise errors.InvalidField(f"`reason` must be plain text of at most {LONGEST_REASON} characters")
    return Decision(approve, " ".join(reason.split()))
