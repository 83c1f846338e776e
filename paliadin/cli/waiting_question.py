"""A question that waits in its conversation until those before it are answered, as the terminal sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from typing import Any

from paliadin.base.errors import PaliadinError
from paliadin.cli.client import DaemonClient
from paliadin.cli.turn_output import TurnPrinter

LOOK_EVERY = 2.0  # seconds between looks at the queue
TRY_AGAIN_AFTER = 0.2  # seconds
MOST_TRIES = 25

HELD: Mapping[object, str] = {
    "stopped": "The turn before yours was stopped",
    "failed": "The question before yours failed",
    "reset": "Claude was made to forget what was said before",
}


class WaitingQuestion:
    """Says on stderr at which place the question waits and why it does not go on, and withdraws it.

    `asked` is the response of `POST /api/paliadin/turn`.
    """

    def __init__(self, daemon: DaemonClient, printer: TurnPrinter, session_id: str, asked: Mapping[str, Any]) -> None:
        self._daemon, self._printer, self._session_id = daemon, printer, session_id
        self._turn_id, self._place = str(asked["turn_id"]), int(asked["queued"])
        self._held: object = None

    async def watch(self) -> None:
        """Say the question's place and each change of it, until it does not wait any more or this is cancelled."""
        self._printer.note(
            f"A turn is running there: your question waits at place {self._place} of the queue. Ctrl-C withdraws it."
        )
        while self._place:
            await asyncio.sleep(LOOK_EVERY)
            try:
                history = await self._daemon.get("history", session_id=self._session_id, limit="1")
            except PaliadinError:  # if it is for good, the stream says so
                continue
            queue = history.get("queue") or {}
            waiting = [turn["turn_id"] for turn in queue.get("turns") or []]
            self._say(waiting.index(self._turn_id) + 1 if self._turn_id in waiting else 0, queue.get("held"))

    def _say(self, place: int, held: object) -> None:
        if place and held and held != self._held:
            reason = HELD.get(held, "The queue is held")
            self._printer.note(f"{reason}: your question waits until you let it go on, on the page.")
        elif place and place != self._place:
            self._printer.note(f"Your question waits at place {place}.")
        self._place, self._held = place, held

    async def stop(self) -> bool:
        """Withdraw the question, or stop its turn if it has begun; returns whether it was withdrawn.

        In the moment in which it is asked neither is possible yet. Raises PaliadinError.
        """
        for _ in range(MOST_TRIES):
            if await _is_done(self._daemon.delete(f"queue/{self._turn_id}")):
                return True
            if await _is_done(self._daemon.post(f"stream/{self._turn_id}/abort", {})):
                return False
            await asyncio.sleep(TRY_AGAIN_AFTER)
        raise PaliadinError("the question is still being asked", hint="Stop it on the page.")


async def _is_done(request: Awaitable[object]) -> bool:
    try:
        await request
    except PaliadinError as error:
        if error.code != "not_queued":
            raise
        return False
    return True
