"""The HTTP routes of the second way to a model: how many questions are left, and who agrees to what is sent where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.people.caller import Caller, Scope
from paliadin.people.consents import Consents
from paliadin.record.question_limits import QuestionLimits
from paliadin.web.body import read_object
from paliadin.web.paths import API
from paliadin.web.scoped_routes import Declared, ScopedRoute, caller_of


@dataclass
class MessagesPart:
    """What the routes need of it."""

    limits: QuestionLimits
    consents: Consents

    def routes(self) -> list[Declared]:
        """The routes to mount."""
        scope = Scope.CONVERSATION
        return [
            ScopedRoute(f"{API}/limits", self.get_limits, scope=scope),
            ScopedRoute(f"{API}/consent", self.agree, scope=scope, methods=["POST"], audit="agreed"),
        ]

    async def get_limits(self, request: Request) -> Response:
        """How many questions the caller has asked over the Messages API in this hour, and how many they may."""
        return JSONResponse((await self.limits.asked(caller_of(request).identity)).as_json())

    async def agree(self, request: Request) -> Response:
        """Note that the caller agrees to what is sent where, as this version says it."""
        body, caller = await read_object(request), caller_of(request)
        self.consents.agree(caller.identity, body.get("version"))
        return JSONResponse(self.consent_of(caller))

    def consent_of(self, caller: Caller) -> dict[str, Any]:
        """What the caller has agreed to, or is to be asked."""
        asked = self.consents
        agreed = asked.has_agreed(caller.identity)
        return {"agreed": agreed, "version": asked.version, "host": asked.host, "model": asked.model}
