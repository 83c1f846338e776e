"""The state of each session as `/sessions` gives it: what its relay sees, and what its turns tell beside that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from paliadin.relays.protocol import SessionState, State
from paliadin.turns.history_items import Item
from paliadin.turns.lifecycle import Turns


async def session_states(turns: Turns, name: Callable[[str], str]) -> list[Item]:
    """Return the state of each session of this daemon; `name` gives the name that the caller knows it by."""
    states = await turns.conversations.states()
    return [_described(_with_requests(state, turns), turns) | {"name": name(state.name)} for state in states]


def _described(state: SessionState, turns: Turns) -> Item:
    runs = state.state not in {State.PARKED, State.DEAD, State.UNREACHABLE}
    return {
        **{field: getattr(state, field) for field in ("host", "state", "ok", "message", "hint", "screen")},
        "running_turn": turns.sessions.of(state.name),
        "background_tasks": turns.background_tasks(state.name) if runs else 0,
    }


def _with_requests(state: SessionState, turns: Turns) -> SessionState:
    """The state of a session one of whose agents asks for something: its screen does not show that."""
    if state.state is not State.READY or not turns.sessions.requests(state.name):
        return state
    message = "an agent that works in the background is waiting for a reply"
    return replace(state, state=State.PERMISSION, message=message, hint="Reply on the page.")
