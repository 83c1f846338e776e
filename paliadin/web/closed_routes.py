"""The errors for a caller whose scope does not open a route."""

from __future__ import annotations

from paliadin.base.errors import Forbidden, NotFound
from paliadin.people.caller import Caller, Scope
from paliadin.web.host_headers import quoted


class HiddenRoute(NotFound):
    """A member asks for a route of the owner's: to them there is no such path."""


def check_scope(caller: Caller, required: Scope) -> None:
    """Raise Forbidden, or HiddenRoute to a member at the page, unless the caller may call a route with this scope."""
    if caller.may_call(required):
        return
    if caller.scope is Scope.PAGE:
        raise HiddenRoute("this route is the owner's")
    if caller.scope is not Scope.CONVERSATION:
        raise wrong_key()
    raise Forbidden(
        f"pages of {quoted(caller.origin or 'another origin')} may not call this route",
        code="foreign_origin",
        status=403,
        hint="A drawer's token opens only the routes that the drawer needs (docs/embedding.md).",
    )


def wrong_key() -> Forbidden:
    """The error for a program's key that is for something else."""
    return Forbidden(
        "this key does not open this route",
        code="wrong_key",
        status=403,
        hint="`paliadin token list` shows what each key is for, `paliadin token add` makes another one.",
    )
