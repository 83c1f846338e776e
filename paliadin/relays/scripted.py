"""A relay without a model: a function plays each turn. For tests, and for trying out pages that embed Paliadin.

async def play(turn: Turn) -> AsyncGenerator[Step, object]:
    yield Text(now_ms(), "m1", f"You asked: {turn.message}", final=True)

await serve(settings, announce=print, own_relays=[ScriptedRelay(play)])
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager

from paliadin.base.errors import SubmitFailed
from paliadin.relays.open_questions import OpenQuestions
from paliadin.relays.protocol import CLAUDE_CODE, SessionState, State
from paliadin.relays.turn import Turn, failure
from paliadin.steps.model import ENDS, Aborted, Accepted, Interrupted, Settled, Step
from paliadin.turnlog.ids import now_ms

MODEL = "scripted"

Play = Callable[[Turn], AsyncGenerator[Step, object]]
"""Yields the steps of a turn. An `Interrupted` evaluates to the user's reply, or to None when it was dismissed.

The turn has settled when the generator returns, unless it yields the end (a `Failed`) itself.
"""


class ScriptedRelay:
    """A `paliadin.relays.protocol.Relay` whose turns are played by `play`. To others it is as Claude Code."""

    traits = CLAUDE_CODE

    def __init__(self, play: Play, host: str = "scripted") -> None:
        self._play, self.host = play, host
        self._playing: dict[str, asyncio.Task[None]] = {}  # turn_id → task
        self._sessions: dict[str, str] = {}  # of the turns that run: turn_id → session
        self._questions = OpenQuestions()

    async def submit(self, turn: Turn) -> None:
        turn.log.append(Accepted(now_ms(), MODEL))
        task = self._playing[turn.id] = asyncio.create_task(self._run(turn))
        self._sessions[turn.id] = turn.session
        try:
            await asyncio.wait({task})
            if task.cancelled():
                turn.log.append(Aborted(now_ms(), "page"))
            else:
                task.result()
        finally:
            task.cancel()
            del self._playing[turn.id], self._sessions[turn.id]

    async def _run(self, turn: Turn) -> None:
        steps, reply, ended = self._play(turn), None, False
        try:
            while not ended:
                step = await steps.asend(reply)
                if isinstance(step, Interrupted):
                    reply = (await self._questions.ask(turn, step)).value
                    continue
                turn.log.append(step)
                reply, ended = None, isinstance(step, ENDS)
        except StopAsyncIteration:
            turn.log.append(Settled(now_ms()))
        finally:
            await steps.aclose()

    async def resume(self, turn: Turn) -> None:
        error = SubmitFailed("the program that played this turn was started anew", hint="Ask again.")
        turn.log.append(failure(error))

    async def reply(self, turn: Turn, interrupt_id: str, value: object, *, cancel: bool) -> None:
        self._questions.reply(turn, interrupt_id, value, cancel=cancel)

    async def abort(self, turn: Turn) -> None:
        task = self._playing.get(turn.id)
        if task:
            task.cancel()
            await asyncio.wait({task})

    async def reset(self, session: str) -> None:
        """Do nothing: `play` decides what a new conversation is."""

    async def compact(self, session: str) -> None:
        """Do nothing: `play` decides how long a conversation gets."""

    async def alive(self) -> set[str]:
        return set(self._sessions.values())

    async def branch(self, turn_id: str, session: str, branch: str) -> None:
        """Do nothing: `play` decides what a session knows."""

    async def discard(self, session: str) -> None:
        """Do nothing: nothing is kept."""

    async def state(self, session: str) -> SessionState:
        busy = session in self._sessions.values()
        message = "The script is being played" if busy else "The script is ready"
        return SessionState(session, self.host, State.BUSY if busy else State.READY, message)

    def running(self) -> AbstractAsyncContextManager[None]:
        """Do nothing: there is nothing to connect to, and each turn ends with the task that submitted it."""
        return contextlib.nullcontext()
