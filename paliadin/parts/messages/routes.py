"""The HTTP routes of the Messages API: questions that are left, agreement to what is sent, own keys."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.base.errors import NoApiKey, PaliadinError, StoreUnavailable, TriedTooOften
from paliadin.parts.messages.consents import Consents
from paliadin.parts.messages.own_keys import OwnKeys
from paliadin.parts.messages.question_limits import QuestionLimits
from paliadin.parts.messages.settings import is_api_key
from paliadin.people.caller import Caller, Scope
from paliadin.people.person_key import PersonKey
from paliadin.web.body import read_object
from paliadin.web.health_routes import CONSENT
from paliadin.web.openapi.schema import TEXT, WHOLE, nullable, record
from paliadin.web.route_declaration import Operation, Whose, route
from paliadin.web.scoped_routes import Declared, caller_of, leave_out_of_audit, routes_of

NO_API_KEY = NoApiKey.default_code
READY = {"ok": True, "state": "ready", "message": "Your own key is used", "hint": ""}
_OWN_KEY = record({"saved_at": nullable(TEXT)})
TRY_EVERY = 5  # seconds between two keys of a person's that are tried


@dataclass
class MessagesRoutes:
    """The handlers of /limits, /consent and /own-key."""

    limits: QuestionLimits
    consents: Consents
    own_keys: OwnKeys
    try_key: Callable[[str], Awaitable[None]]  # raises RelayError where the API does not take it
    keeps_words: bool = True

    def __post_init__(self) -> None:
        self._has_tried: set[PersonKey] = set()

    def routes(self) -> list[Declared]:
        """The routes to mount."""
        return routes_of(self)

    @route("GET", "limits", Scope.CONVERSATION, Whose.CALLERS)
    @Operation(record({"asked": WHOLE, "limit": nullable(WHOLE), "left": WHOLE, "resets_at": TEXT}), errors=(503,))
    async def get_limits(self, request: Request) -> Response:
        """How many questions the caller has asked over the Messages API in this hour, and how many they may."""
        return JSONResponse((await self.limits.asked(caller_of(request).person_key)).as_json())

    @route("POST", "consent", Scope.CONVERSATION, Whose.CALLERS, audit="agreed")
    @Operation(CONSENT, body=record({"version": TEXT}), errors=(409,))
    async def agree(self, request: Request) -> Response:
        """Agree to what is sent where over the Messages API, as `version` says it."""
        body, caller = await read_object(request), caller_of(request)
        if not self.consents.agree(caller.person_key, body.get("version")):
            leave_out_of_audit(request)
        return JSONResponse(self._consent_of(caller))

    @route("GET", "own-key", Scope.PAGE, Whose.CALLERS)
    @Operation(_OWN_KEY, errors=(503,))
    async def get_own_key(self, request: Request) -> Response:
        """Whether the caller has a key of their own for the Messages API, and since when."""
        return await self._own_key_of(caller_of(request))

    @route("POST", "own-key", Scope.PAGE, Whose.CALLERS, audit="own_key_saved")
    @Operation(_OWN_KEY, body=record({"key": {**TEXT, "minLength": 8, "maxLength": 400}}), errors=(422, 429, 503, 507))
    async def save_own_key(self, request: Request) -> Response:
        """Check a key of the caller's own at the Messages API, and keep it encrypted in place of an earlier one."""
        body, caller = await read_object(request), caller_of(request)
        key = body.get("key")
        if not isinstance(key, str) or not is_api_key(key):
            raise PaliadinError(
                "a key has 8 to 400 letters, digits and signs, and no blanks",
                code="invalid_own_key",
                status=422,
                hint="Copy it from the API's console as a whole.",
            )
        await self._try(key, caller)
        await self.own_keys.save(caller.person_key, key)
        return await self._own_key_of(caller)

    @route("DELETE", "own-key", Scope.PAGE, Whose.CALLERS, audit="own_key_removed")
    @Operation(_OWN_KEY, errors=(503,))
    async def remove_own_key(self, request: Request) -> Response:
        """Remove the caller's own key."""
        caller = caller_of(request)
        if not await self.own_keys.remove(caller.person_key):
            leave_out_of_audit(request)
        return await self._own_key_of(caller)

    async def _own_key_of(self, caller: Caller) -> Response:
        saved_at = await self.own_keys.saved_at(caller.person_key)
        return JSONResponse({"saved_at": saved_at and saved_at.isoformat()})

    async def _try(self, key: str, caller: Caller) -> None:
        """Have the API check a key, and no other of this person's for some seconds: this is no place to guess keys."""
        if caller.person_key in self._has_tried:
            raise TriedTooOften("a key was tried a moment ago", TRY_EVERY)
        self._has_tried.add(caller.person_key)
        try:
            await self.try_key(key)
        finally:
            asyncio.get_running_loop().call_later(TRY_EVERY, self._has_tried.discard, caller.person_key)

    async def report_to(self, caller: Caller, report: Mapping[str, Any]) -> dict[str, Any]:
        """Return the health report for this caller: with a key of their own they need no other."""
        parts = report["parts"]
        if any(part["state"] == NO_API_KEY for part in parts) and await self._has_own_key(caller):
            parts = [part | READY if part["state"] == NO_API_KEY else part for part in parts]
        return {**report, "parts": parts, "ok": all(part["ok"] for part in parts)}

    async def _has_own_key(self, caller: Caller) -> bool:
        with contextlib.suppress(StoreUnavailable):  # which the report tells by itself
            return await self.own_keys.saved_at(caller.person_key) is not None
        return False

    def rights_of(self, caller: Caller) -> Mapping[str, Any]:
        """Return the consent that the caller has given, or is to be asked for, and whether words are kept."""
        return {"consent": self._consent_of(caller), "keeps_words": self.keeps_words}

    def _consent_of(self, caller: Caller) -> Mapping[str, Any]:
        consents = self.consents
        agreed = consents.has_agreed(caller.person_key)
        return {"agreed": agreed, "version": consents.version, "host": consents.host, "model": consents.model}
