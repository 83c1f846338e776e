"""Stages and annotators: what parts do with a turn before the relay gets it, and with its answer afterwards.

A turn that is being prepared when the daemon ends is prepared again from the first stage: a stage must bear that.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from paliadin.base import errors
from paliadin.base.strict_json import JsonObject
from paliadin.events.interrupts import read_reply
from paliadin.events.reducer import Reducer
from paliadin.relays.open_questions import OpenQuestions
from paliadin.relays.turn import Turn, failure
from paliadin.steps.claude_code import QUESTION_TOOL
from paliadin.steps.model import Aborted, Accepted, Interrupted, Noted, Replied
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import now_ms

log = logging.getLogger(__name__)

LONGEST_NOTE = 64 * 1024  # characters of its JSON

Ask = Callable[[Sequence[JsonObject]], Awaitable[Mapping[str, str] | None]]
"""Puts a card with questions before the reader: [{"question", "header", "multiSelect", "options": [{"label",
"description"}]}]. Returns {question: reply}, or None where it was dismissed or nobody replied in time."""


class Stage(Protocol):
    """Prepares turns before the relay gets them."""

    async def __call__(self, turn: Turn, ask: Ask) -> Description:
        """Return the turn's description, changed or as it is. A PaliadinError ends the turn with that error."""


class Annotator(Protocol):
    """Annotates answers once they are complete. `kind` names the annotation in the turn's log."""

    kind: str

    async def __call__(self, turn: Reducer) -> object:
        """Return the annotation as JSON; None for none. The turn's end does not wait for it."""


@dataclass
class Preparation:
    """Takes turns through the stages, then hands them to the relay; `seconds` is how long a card waits for a reply."""

    stages: Sequence[Stage]
    seconds: float
    _questions: OpenQuestions = field(default_factory=OpenQuestions)
    _preparing: dict[str, asyncio.Task[Description]] = field(default_factory=dict)  # by the turn's id
    _stopped: set[str] = field(default_factory=set)  # ids of turns that are stopped while they are prepared

    async def submit(self, turn: Turn, folder: TurnFolder, submit: Callable[[Turn], Awaitable[object]]) -> None:
        """Prepare the turn and have it submitted, unless it is stopped or a stage fails; its log says so then."""
        self._begin(turn)
        try:
            description = await self._prepare(turn)
        except errors.PaliadinError as error:
            turn.log.append(failure(error))
            return
        if description is None:
            turn.log.append(Aborted(now_ms(), "page"))
            return
        ready = replace(description, unprepared=False, log_head=folder.log.path.stat().st_size)
        folder.rewrite(ready)
        await submit(replace(turn, description=ready))

    def _begin(self, turn: Turn) -> None:
        """Take the turn, and close the cards that an earlier daemon has left open."""
        turn.log.append(Accepted(now_ms()))
        open_cards: dict[str, Interrupted] = {}
        for step in turn.log.read():
            if isinstance(step, Interrupted):
                open_cards[step.id] = step
            elif isinstance(step, Replied):
                open_cards.pop(step.id, None)
        for interrupt_id in open_cards:
            turn.log.append(Replied(now_ms(), interrupt_id, "cancel"))

    async def _prepare(self, turn: Turn) -> Description | None:
        """Return the turn as the stages have changed it; None if it was stopped."""
        task = self._preparing[turn.id] = asyncio.create_task(self._run_stages(turn))
        try:
            description = await task
        except asyncio.CancelledError:
            if turn.id not in self._stopped:
                task.cancel()
                raise
            return None
        else:
            return None if turn.id in self._stopped else description  # it may be stopped as the last stage returns
        finally:
            del self._preparing[turn.id]
            self._stopped.discard(turn.id)

    async def _run_stages(self, turn: Turn) -> Description:
        async def ask(questions: Sequence[JsonObject]) -> Mapping[str, str] | None:
            card = Interrupted(now_ms(), secrets.token_hex(8), QUESTION_TOOL, {"questions": list(questions)})
            replied = await self._questions.ask(turn, card, self.seconds)
            return None if replied.value is None else read_reply(card, replied.value).texts

        for stage in self.stages:
            turn = replace(turn, description=await stage(turn, ask))
        return turn.description

    async def stop(self, turn: Turn) -> bool:
        """Stop a turn that is being prepared, and wait until its log says so; False for any other turn."""
        task = self._preparing.get(turn.id)
        if task is None:
            return False
        self._stopped.add(turn.id)
        task.cancel()
        await turn.progress.ended.wait()
        return True

    def reply(self, turn: Turn, interrupt_id: str, value: object, *, cancel: bool) -> bool:
        """Hand over the reply to a card of a stage; False for any other. Raises as `relays.protocol.Relay.reply`."""
        if not self._questions.has(turn, interrupt_id):
            return False
        self._questions.reply(turn, interrupt_id, value, cancel=cancel)
        return True


async def annotate(annotator: Annotator, turn: Turn, reducer: Reducer) -> None:
    """Have an answer annotated, and append the annotation to the turn's log; a failure costs the turn nothing."""
    try:
        data = await annotator(reducer)
        size = len(json.dumps(data))
    except Exception as error:  # noqa: BLE001  # a part's fault
        log.error("turn %s: %s failed: %s", turn.id, annotator.kind, type(error).__name__)  # noqa: TRY400  # a traceback could quote the answer
        return
    if data is None:
        return
    if size > LONGEST_NOTE:
        log.warning("turn %s: the annotation of %s is longer than %d", turn.id, annotator.kind, LONGEST_NOTE)
        return
    try:
        turn.log.append(Noted(now_ms(), annotator.kind, data))
    except (errors.PaliadinError, OSError) as error:  # the disk is full, or the turn was deleted meanwhile
        log.warning("turn %s: the annotation of %s cannot be kept: %s", turn.id, annotator.kind, error)
