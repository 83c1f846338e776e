"""Changes the model and the permission mode of a conversation's Claude, for callers who may do so."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from paliadin.base.errors import Forbidden, InvalidField, NotHere
from paliadin.base.strict_json import JsonObject
from paliadin.people.caller import Caller, Scope
from paliadin.relays.figures import Figures, check_changes
from paliadin.relays.offers import Offers
from paliadin.relays.protocol import Configurable
from paliadin.turns.lifecycle import Turns
from paliadin.turns.question import check_may_allow

FIELDS = frozenset({"model", "permission_mode"})


async def choose(turns: Turns, session: str, changes: JsonObject, caller: Caller) -> None:
    """Have the session's Claude run with another model or permission mode.

    `changes` has `model` or `permission_mode`; null is as the settings say. A mode decides what is asked, so only who
    may reply to permissions may change it. Raises Forbidden, InvalidField, TurnInFlight, NotHere, and RelayError.
    """
    if not caller.may_call(Scope.OWNER):
        raise Forbidden(
            "model and permission mode are the owner's to choose",
            code="not_the_owner",
            status=403,
            hint="They are chosen on the owner's own page.",
        )
    options = check_changes(changes)
    if "permission_mode" in options:
        check_may_allow(turns.settings, caller)
    _check_offered(options, await turns.relays.offers(session))
    async with turns.idle(session):
        relay, name = turns.relays.at(session)
        if not isinstance(relay, Configurable):
            raise NotHere
        await relay.configure(name, options)


def described(figures: Figures | None) -> dict[str, Any]:
    """Return the fields of a conversation's item; null where they are not known.

    A choice counts from its moment on, also while no Claude has started with it.
    """
    known = figures or Figures()
    model = known.wanted.model if known.pending else known.model_id or known.wanted.model
    mode = known.wanted.permission_mode if known.pending else known.permission_mode or known.wanted.permission_mode
    return {
        "model": model or None,
        "chosen_model": known.wanted.model or None,
        "model_name": (known.model_name if model == known.model_id else "") or None,
        "permission_mode": mode or None,
        "folder": known.folder or None,
        "context_used": known.context_used,
        "cost": known.cost,
    }


def _check_offered(chosen: Mapping[str, str], offers: Offers) -> None:
    _check_one("model", chosen.get("model"), [model.id for model in offers.models])
    _check_one("permission_mode", chosen.get("permission_mode"), offers.modes)


def _check_one(name: str, value: str | None, offered: Collection[str]) -> None:
    if value and value not in offered:
        raise InvalidField(
            f"{name} {value!r} is none that this Claude offers",
            hint=f"It offers {', '.join(offered) or 'none'}.",
        )
