"""The header `Paliadin-For`: a daemon that forwards a request tells its peer in it who asks.

It holds the JSON object {"by", "person", "role", "page_origin", "scope", "door"}: the forwarding daemon's name, and the
caller. Nobody manages sign-ins and keys through another daemon: whoever may do that is at the peer like the owner's
programs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from paliadin.base.errors import BadRequest
from paliadin.base.session_names import NAME
from paliadin.base.settings_values import LONGEST_PERSON, is_person
from paliadin.base.strict_json import parse_json
from paliadin.people.caller import Caller, Door, Role, Scope

HEADER = "paliadin-for"
_FORWARDED_SCOPES = frozenset({Scope.CONVERSATION, Scope.OWNER})
LONGEST_HEADER = 8000  # characters; a person's name may take 12 for each of its own


def compose_header(caller: Caller, by: str | None) -> str:
    """Return the header's value, for a request that the daemon named `by` forwards for the caller."""
    scope = Scope.OWNER if caller.scope is Scope.ACCESS else caller.scope
    details = {"person": caller.person, "role": caller.role, "page_origin": caller.origin, "scope": scope}
    return json.dumps({"by": by, **details, "door": caller.door})


def parse_header(value: str) -> Caller:
    """Return the caller that a peer names; raises BadRequest `malformed_header`."""
    try:
        return _parse_caller(value)
    except ValueError as error:
        raise BadRequest(
            f"the header Paliadin-For is malformed: {error}",
            code="malformed_header",
            hint="Install the same version of Paliadin for all daemons that share the database.",
        ) from error


def _parse_caller(value: str) -> Caller:
    if len(value) > LONGEST_HEADER or not value.isascii():
        raise ValueError(f"it must have at most {LONGEST_HEADER} characters, all of them ASCII")
    details = parse_json(value)
    if not isinstance(details, dict):
        raise ValueError("it is not a JSON object")  # noqa: TRY004  # like what parse_json raises
    by, person = details.get("by"), _text(details, "person", LONGEST_PERSON)
    origin = _text(details, "page_origin", LONGEST_HEADER)
    if not isinstance(by, str) or not NAME.fullmatch(by):
        raise ValueError("by must be the name of a daemon")
    role, scope, door = details.get("role"), details.get("scope"), details.get("door", Door.API)
    is_valid = role in list(Role) and scope in list(_FORWARDED_SCOPES) and door in list(Door)
    if person is None or not is_person(person) or not is_valid or (role == Role.MEMBER and scope == Scope.OWNER):
        raise ValueError("person, role and scope must be given together, fit, and be known to this daemon")
    return Caller(person, Role(str(role)), Scope(str(scope)), origin, forwarded_by=by, door=Door(str(door)))


def _text(details: Mapping[str, object], name: str, longest: int) -> str | None:
    """Return the field, None if it is missing or null; raises ValueError."""
    value = details.get(name)
    if value is not None and not (isinstance(value, str) and 0 < len(value) <= longest):
        raise ValueError(f"{name} must be a text of 1 to {longest} characters")
    return value
