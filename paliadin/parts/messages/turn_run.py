"""Carry one turn: send requests until the model calls no more tools, and write each step into the turn's log."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from paliadin.base import errors
from paliadin.events.interrupts import is_question
from paliadin.parts.messages import request
from paliadin.parts.messages.message import Message, ToolCall
from paliadin.parts.messages.request import Block, Window
from paliadin.parts.messages.tools import ASK, Tools
from paliadin.relays.turn import Turn
from paliadin.steps.model import AllText, Interrupted, Prompted, Settled, Stopped, Text, ToolEnded, ToolStarted, Usage
from paliadin.toolboxes.toolbox import Returned, ToolSpec
from paliadin.turnlog.ids import now_ms

if TYPE_CHECKING:
    from paliadin.parts.messages.api import MessagesApi

MAX_ROUNDS = 5  # of tools in one turn
TOOL_TIMEOUT = 10.0  # seconds

NO_ROOM = (
    "This result was left out: the results of this question are too long together. Ask for less, or answer from what "
    "there is and say that it is a part."
)
MALFORMED = "The arguments are no JSON object. Call it again."
NO_SUCH_QUESTION = "This is no question with options. Call it again, or go on without it."
CUT_SHORT = "max_tokens"

Ask = Callable[[Turn, Interrupted], Awaitable[str]]
"""Puts a question to the user, and returns their reply in words for the model."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Tokens, and seconds, that one turn may take."""

    output: int
    context: int  # of system prompt, tools and this turn's results together
    seconds: float  # without the time that the user takes to reply


@dataclass
class TurnRun:
    """One turn on its way. `counts` are the tokens so far, of all its requests."""

    turn: Turn
    api: MessagesApi
    tools: Tools
    ask: Ask
    model: str
    limits: Limits
    counts: Counter[str] = field(default_factory=Counter)
    answered_by: str | None = None  # the model, as the API names it

    def __post_init__(self) -> None:
        self._until = time.monotonic() + self.limits.seconds
        self._prompted, self._has_text = False, False

    async def run(self, window: Window, rules: str, facts: str) -> None:
        """Carry the turn to its end; raises RelayError, after which the log has all that came before."""
        specs = [*self.tools.specs(), ASK]
        system, tools = request.system_blocks(rules, facts), request.tool_blocks(specs)
        messages = request.messages(window, self.turn.prompt)
        room = self.limits.context - request.estimate(json.dumps(system), json.dumps(tools))
        body = {"model": self.model, "max_tokens": self.limits.output, "system": system, "tools": tools}
        for rounds in range(MAX_ROUNDS + 1):
            message = await self._request({**body, "messages": messages})
            if not message.calls or message.stop_reason != "tool_use":
                return self._finish(message)
            if rounds == MAX_ROUNDS:
                break
            results, room = self._fit_in(message.calls, await self._call_all(message.calls, specs), room)
            messages = request.with_results(messages, message.blocks, results)
        raise errors.ToolLoopCap(
            f"the model has looked things up {MAX_ROUNDS} times and still wants to, so it was stopped"
        )

    def append_usage(self) -> None:
        """Write the tokens so far into the log, however the turn ends: they are paid for."""
        if self.counts:
            self.turn.log.append(Usage(now_ms(), dict(self.counts), self.answered_by))

    async def _request(self, body: Block) -> Message:
        """Send one request and write its text into the log as it comes; raises RelayError."""
        message = Message()
        try:
            async with asyncio.timeout(max(0.0, self._until - time.monotonic())):
                await self._read(body, message)
        except TimeoutError:
            raise errors.TurnTimedOut(f"the answer was not complete within {self.limits.seconds:g} s") from None
        finally:
            self.counts.update(message.counts)
            self.answered_by = message.model or self.answered_by
        if message.stop_reason == "refusal":
            raise errors.ContentRefused("the model refused to answer this")
        return message

    async def _read(self, body: Block, message: Message) -> None:
        async with contextlib.aclosing(self.api.stream(body, message)) as pieces:
            async for piece in pieces:
                if piece is not None:
                    self._has_text = self._has_text or bool(piece.text.strip())
                    self.turn.log.append(Text(now_ms(), piece.message, piece.text, piece.final))
                elif not self._prompted:
                    self._prompted = True
                    self.turn.log.append(Prompted(now_ms(), self.turn.prompt))

    def _finish(self, message: Message) -> None:
        log = self.turn.log
        if not self._has_text:
            raise errors.RelayError("the model has said nothing", code="upstream_error", hint="Ask again.")
        if message.stop_reason == CUT_SHORT:
            log.append(Text(now_ms(), f"{message.id}.cut", f"*… cut after {self.limits.output} tokens*", final=True))
        log.append(Stopped(now_ms()))
        log.append(AllText(now_ms()))
        self.append_usage()
        log.append(Settled(now_ms()))

    async def _call_all(self, calls: Sequence[ToolCall], specs: Sequence[ToolSpec]) -> list[Returned]:
        """Call the tools concurrently; returns their results in the order of the calls."""
        known = {each.name for each in specs}
        return list(await asyncio.gather(*(self._call(call, known) for call in calls)))

    async def _call(self, call: ToolCall, known: set[str]) -> Returned:
        if call.name == ASK.name:
            return await self._ask(call)
        began, log = time.monotonic(), self.turn.log
        log.append(ToolStarted(now_ms(), call.id, call.name, call.arguments))
        if call.arguments is None or call.name not in known:
            returned = Returned(MALFORMED if call.name in known else f"There is no tool {call.name[:80]!r}.", True)
            log.append(ToolEnded(now_ms(), call.id, call.name, "invalid", returned.text))
            return returned
        returned = await self._run_tool(call)
        outcome, took = "failed" if returned.is_error else "ok", (time.monotonic() - began) * 1000
        content: object = returned.text if returned.is_error else [{"type": "text", "text": returned.text}]
        log.append(ToolEnded(now_ms(), call.id, call.name, outcome, content, round(took, 1)))  # type: ignore[arg-type]
        return returned

    async def _run_tool(self, call: ToolCall) -> Returned:
        arguments = call.arguments or {}
        try:
            async with asyncio.timeout(TOOL_TIMEOUT):
                return await self.tools.call(self.turn.person, call.name, arguments, self.turn.id)
        except TimeoutError:
            return Returned(f"{call.name} did not answer within {TOOL_TIMEOUT:g} s.", is_error=True)

    async def _ask(self, call: ToolCall) -> Returned:
        step = Interrupted(now_ms(), call.id, call.name, call.arguments)
        if not is_question(step):
            return Returned(NO_SUCH_QUESTION, is_error=True)
        began = time.monotonic()
        try:
            return Returned(await self.ask(self.turn, step))
        finally:
            self._until += time.monotonic() - began

    def _fit_in(self, calls: Sequence[ToolCall], results: Sequence[Returned], room: int) -> tuple[list[Block], int]:
        """Return the blocks of the results, without those that do not fit, and the tokens that are left."""
        blocks = []
        for call, returned in zip(calls, results, strict=True):
            size = request.estimate(returned.text)
            fits = size <= room
            room -= size if fits else 0
            text = returned.text if fits else NO_ROOM
            blocks.append(request.result_block(call.id, text, is_error=returned.is_error or not fits))
        return blocks, room
