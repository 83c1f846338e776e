"""Makes branches: a branch knows everything that was said in another conversation before a certain question."""

from __future__ import annotations

from dataclasses import replace

from paliadin.base.errors import NotHere, PaliadinError
from paliadin.conversations.conversation import BranchPoint
from paliadin.people.caller import Caller
from paliadin.relays.protocol import Branchable, FarRelay
from paliadin.turns.lifecycle import Turns


async def make_branch(turns: Turns, turn_id: str, caller: Caller) -> str:
    """Make a branch that leaves before the turn; returns its session. The other conversation stays as it is.

    Raises NotFound for an unknown turn, TurnInFlight while a turn runs there, RelayError when Claude's transcript
    cannot be had.
    """
    session = turns.settings.names.full(turns.describe(turn_id, caller).session_id)
    turns.sessions.require_idle(session)
    other = turns.conversations.get(session)
    # What leaves a branch at its very beginning is one more branch beside it.
    point = other.branch_of if other.first_turn == turn_id else None
    branch = turns.conversations.make(
        caller, branch_of=point or BranchPoint(session, turn_id), host=turns.relays.host(session)
    )
    try:
        relay, name = turns.relays.at(branch)
        if isinstance(relay, FarRelay):
            await relay.open(name)
        if not isinstance(relay, Branchable):
            raise NotHere
        await relay.branch(turn_id, turns.relays.at(session)[1], name)
    except PaliadinError:
        await _give_up(turns, branch)
        raise
    return branch


async def _give_up(turns: Turns, branch: str) -> None:
    """Remove a branch that could not be made; later, as one that was deleted, if its host is unreachable now."""
    try:
        await turns.relays.discard(branch)
    except (PaliadinError, OSError):
        turns.conversations.put(branch, replace(turns.conversations.get(branch), deleted_at=0))
    else:
        turns.conversations.remove(branch)
