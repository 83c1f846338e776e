"""What carries turns to a Claude and brings their steps back. Shaped by turns: nothing here knows of panes or keys."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SessionState:
    """`state` is one of relay.screen.State; `screen` is what the terminal shows, where that helps a person.

    `retry_at`: when the host of a session that is `unreachable` is tried again, in milliseconds since 1970.
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
        return self.state in {"ready", "busy", "permission", "question"}


class Relay(Protocol):
    """Whatever happens to a turn is written into its log; these raise only when nothing could be written there.

    (StorageFull, NotFound when the turn's folder is gone, OSError.)
    """

    async def submit(self, turn_id: str, session: str, text: str) -> None:
        """Type the envelope and see that it arrived; then watch over the turn until its log has its end."""

    async def resume(self, turn_id: str, session: str) -> None:
        """Watch over a turn that an earlier daemon began (or that was typed in the terminal); never types it again."""

    def follow(self, turn_id: str) -> AsyncIterator[Mapping[str, object]]:
        """Every line of the turn's log, from the first, until the caller stops asking."""

    async def answer(self, turn_id: str, interrupt_id: str, value: object, *, cancel: bool) -> None:
        """Hand the user's answer to the waiting hook; NotFound when nothing waits under this id."""

    async def abort(self, turn_id: str, session: str) -> None:
        """Interrupt the turn, see that it took, leave a clean composer."""

    async def reset(self, session: str) -> None:
        """A new conversation in the same session."""

    async def state(self, session: str) -> SessionState:
        """How the session is now."""
