"""The interrupts that wait for a reply in this process, of relays that ask the user themselves, without a hook."""

from __future__ import annotations

import asyncio

from paliadin.events.interrupts import read_reply
from paliadin.relays.turn import Turn, unknown_interrupt
from paliadin.steps.model import Interrupted, Replied
from paliadin.turnlog.ids import now_ms


class OpenQuestions:
    """Puts interrupts into the turns' logs, and waits for the replies to them."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str], asyncio.Future[Replied]] = {}  # by the turn's and the interrupt's ids

    def has(self, turn: Turn, interrupt_id: str) -> bool:
        """Tell whether an interrupt with this id waits in this turn."""
        return (turn.id, interrupt_id) in self._waiting

    async def ask(self, turn: Turn, step: Interrupted, seconds: float | None = None) -> Replied:
        """Put the interrupt into the log, wait for the reply, and put that into the log as well.

        `seconds`: how long to wait at most; then the reply is one without a value, by `timeout`.
        """
        turn.log.append(step)
        key = (turn.id, step.id)
        self._waiting[key] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(seconds):
                replied = await self._waiting[key]
        except TimeoutError:
            replied = Replied(now_ms(), step.id, "timeout")
        finally:
            del self._waiting[key]
        turn.log.append(replied)
        return replied

    def reply(self, turn: Turn, interrupt_id: str, value: object, *, cancel: bool) -> None:
        """Hand over a reply; raises as `protocol.Relay.reply` does."""
        interrupt = turn.progress.open_interrupts.get(interrupt_id)
        waiting = self._waiting.get((turn.id, interrupt_id))
        if interrupt is None or waiting is None or waiting.done():
            raise unknown_interrupt()
        if not cancel:
            read_reply(interrupt, value)
        waiting.set_result(Replied(now_ms(), interrupt_id, "cancel" if cancel else "page", None if cancel else value))
