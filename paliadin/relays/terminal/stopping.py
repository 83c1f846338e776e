"""Decide, look by look, how to stop Claude: press Escape, clear the composer, wait, or done. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from paliadin.relays.terminal.composer import holds_exactly
from paliadin.relays.terminal.screen import DIALOGS, PASSING, Screen, State

# All in seconds.
ESCAPE_INTERVAL = 0.7  # between two Escapes: two in a row would open Claude Code's list of old messages
LATE_TRANSCRIPT = 5.0  # until a second one: on a busy machine Claude Code writes late that the first has stopped it
LATE_DIALOG = 2.0  # within which a second Escape, read late, may open that list
DRAW_DELAY = 3.0  # in which the screen may not show yet that Claude works on a delivered question
IDLE_ANSWERING = 0.1  # an idle screen for this long proves that Claude stopped, if it had begun to answer
IDLE_BEFORE = 0.5  # the same, if it had not: the question may still come back into the composer


class Action(Enum):
    """The next step towards a Claude that has stopped, chosen after each look at its screen."""

    WAIT = auto()
    ESCAPE = auto()
    CLEAR = auto()  # the composer holds the turn's question
    DONE = auto()


@dataclass
class Stopping:
    """The state of stopping one turn: what was pressed and seen so far. Times are in seconds, by the monotonic clock.

    `text` was typed for the turn; `delivered`: the UserPromptSubmit hook has reported it.
    """

    text: str
    delivered: bool
    idle_since: float  # the moment of the request at first; the caller renews it after a CLEAR
    _presses: int = 0
    _pressed_at: float = float("-inf")
    _text_at_press: str = ""

    def next_action(
        self, screen: Screen, now: float, *, answering: bool, stopped: bool, interrupted: bool = False
    ) -> Action:
        """Return what to do. `answering`: Claude has begun to answer; `stopped`: it has reported that it stopped.

        `interrupted`: the transcript says so of this turn. If Claude works all the same, it works on something that
        somebody has typed meanwhile, which a second Escape would stop. Lost Escapes are rare: none of 106.
        """
        if screen.state is State.DEAD or (stopped and self._presses < 2):
            return Action.DONE
        if screen.state in DIALOGS or self._is_outdated(screen, now) or (screen.state is State.BUSY and not stopped):
            self.idle_since = now
            since = now - self._pressed_at
            if since >= ESCAPE_INTERVAL and self._presses and interrupted:
                return Action.DONE
            if since < (LATE_TRANSCRIPT if self._presses == 1 else ESCAPE_INTERVAL):
                return Action.WAIT
            self._pressed_at, self._presses, self._text_at_press = now, self._presses + 1, screen.text
            return Action.ESCAPE
        if screen.state in PASSING:
            self.idle_since = now
            return Action.WAIT
        if holds_exactly(screen, self.text):
            return Action.CLEAR
        return Action.DONE if now - self.idle_since > self._idle_proof(answering) else Action.WAIT

    def _is_outdated(self, screen: Screen, now: float) -> bool:
        """True when the screen still shows a delivered question: Claude works on it, and Ctrl-C could be lost."""
        if not self.delivered or not holds_exactly(screen, self.text):
            return False
        unchanged = now - self._pressed_at < ESCAPE_INTERVAL and screen.text == self._text_at_press
        return not self._presses or unchanged

    def _idle_proof(self, answering: bool) -> float:
        """Return for how many seconds the screen must be idle to prove that Claude has stopped."""
        if self._presses > 1:
            return LATE_DIALOG
        if self.delivered and not self._presses:
            return DRAW_DELAY
        return IDLE_ANSWERING if answering else IDLE_BEFORE
