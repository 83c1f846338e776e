"""The interface of a relay, which carries turns to a Claude and their steps back. It knows turns, not panes or keys."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SessionState:
    """The state of a session's Claude, with a message and a hint for people.

    `state` is a `relays.terminal.screen.State`, or "no_hooks" (Claude runs without Paliadin's hooks), or "unreachable"
    (no connection to its host). `screen` is the terminal's text where that helps a person, else empty. `retry_at` is
    the next attempt to reach an unreachable host, in milliseconds since 1970.
    """

    name: str
    host: str
    state: str
    message: str
    hint: str = ""
    screen: str = ""
    retry_at: int | None = None

    @property
    def ok(self) -> bool:
        """True when Claude can be asked, is working, or waits for a reply that the page can give."""
        return self.state in {"ready", "busy", "permission", "question"}


class Relay(Protocol):
    """Carries turns to a Claude, writes what happens into each turn's log, and looks after sessions.

    A turn's failure is a line in its log. `submit` and `resume` raise only when that line cannot be written:
    StorageFull, OSError, or NotFound when the turn's folder is gone.
    """

    async def submit(self, turn_id: str, session: str, text: str) -> None:
        """Deliver `text`, the prompt with its envelope, then watch the turn; return only when its log is complete."""

    async def resume(self, turn_id: str, session: str) -> None:
        """Watch over a turn that an earlier daemon submitted, or that began in the terminal; never submit it again."""

    def follow(self, turn_id: str) -> AsyncIterator[Mapping[str, object]]:
        """Yield every line of the turn's log, from the first, until the caller stops iterating."""

    async def reply(self, turn_id: str, interrupt_id: str, value: object, *, cancel: bool) -> None:
        """Hand the user's reply to the hook that waits for it.

        `value` has the shapes that `events.interrupts.decide` takes; `cancel`: dismissed without a reply. Raises
        NotFound when nothing waits under this id, InvalidField when the reply does not fit.
        """

    async def abort(self, turn_id: str, session: str) -> None:
        """Stop the turn; return once Claude has stopped."""

    async def reset(self, session: str) -> None:
        """Begin a new conversation in the session."""

    async def state(self, session: str) -> SessionState:
        """Look at the session and return its current state."""
