"""Which key stops Claude, look by look."""

from __future__ import annotations

import pytest

from paliadin.relays.terminal.screen import Screen, State
from paliadin.relays.terminal.stopping import Action, Stopping

READY, BUSY, DIALOG = Screen(State.READY, "❯"), Screen(State.BUSY, "❯"), Screen(State.DIALOG, "Rewind")
OURS, OURS_LATER = Screen(State.DRAFT, "❯ hello", "hello"), Screen(State.DRAFT, "❯ hello\n", "hello")
WAIT, ESCAPE, CLEAR, DONE = Action
NONE: tuple[str, ...] = ()

# (seconds since the request, screen, hooks since the last look, what to do)
Look = tuple[float, Screen, tuple[str, ...], Action]
CASES: dict[str, tuple[bool, list[Look]]] = {
    "nothing was delivered, and Claude is idle": (False, [(0.1, READY, NONE, WAIT), (0.6, READY, NONE, DONE)]),
    "the screen may be behind a delivered question": (True, [(2.9, READY, NONE, WAIT), (3.1, READY, NONE, DONE)]),
    "Escape, and a moment of idleness": (
        True,
        [
            (0.0, BUSY, ("MessageDisplay",), ESCAPE),
            (0.1, BUSY, NONE, WAIT),
            (0.15, READY, NONE, WAIT),
            (0.3, READY, NONE, DONE),
        ],
    ),
    "no second Escape before its time; after it a list may open late": (
        True,
        [
            (0.0, BUSY, NONE, ESCAPE),
            (4.9, BUSY, NONE, WAIT),
            (5.0, BUSY, NONE, ESCAPE),
            (6.2, READY, NONE, WAIT),
            (6.7, DIALOG, NONE, ESCAPE),
            (8.6, READY, NONE, WAIT),
            (8.8, READY, NONE, DONE),
        ],
    ),
    "the turn ends by itself": (True, [(0.0, BUSY, NONE, ESCAPE), (0.1, BUSY, ("Stop",), DONE)]),
    "it ends after two Escapes: the list may still open": (
        True,
        [
            (0.0, BUSY, NONE, ESCAPE),
            (5.0, BUSY, NONE, ESCAPE),
            (5.1, DIALOG, ("Stop",), WAIT),
            (5.8, DIALOG, NONE, ESCAPE),
        ],
    ),
    "a question that was not delivered is cleared": (False, [(0.0, OURS, NONE, CLEAR)]),
    "one that was delivered and is still drawn is stopped by Escape": (
        True,
        [(0.0, OURS, NONE, ESCAPE), (0.1, OURS, NONE, WAIT), (0.2, OURS_LATER, NONE, CLEAR)],
    ),
    "Claude is gone": (True, [(0.0, Screen(State.DEAD, ""), NONE, DONE)]),
    "a suspended Claude is waited for": (True, [(5.0, Screen(State.SUSPENDED, ""), NONE, WAIT)]),
}


@pytest.mark.parametrize(("delivered", "looks"), CASES.values(), ids=CASES.keys())
def test_what_is_done_at_each_look(delivered: bool, looks: list[Look]) -> None:
    began = 1000.0
    stopping = Stopping("hello", delivered, began)
    seen: set[str] = set()
    actions = []
    for at, screen, hooks, _ in looks:
        seen |= set(hooks)
        told = {"answering": "MessageDisplay" in seen, "stopped": "Stop" in seen}
        actions.append(stopping.next_action(screen, began + at, **told))
    assert actions == [action for *_, action in looks]


def test_no_second_escape_stops_what_was_typed_meanwhile() -> None:
    """The transcript says, if late, that this turn was interrupted, and that Claude works on the next one."""
    busy = Screen(State.BUSY, "working")

    def actions(*looks: tuple[float, bool]) -> list[Action]:
        stopping = Stopping("hello", True, 0.0)
        return [
            stopping.next_action(busy, at, answering=True, stopped=False, interrupted=interrupted)
            for at, interrupted in looks
        ]

    assert actions((0.0, False), (0.3, True), (0.8, True)) == [ESCAPE, WAIT, DONE]
    assert actions((0.0, False), (0.8, False), (3.0, False), (3.4, True)) == [ESCAPE, WAIT, WAIT, DONE]
