"""A worker's turns end, also when the worker itself is at fault."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from paliadin.base.errors import NotFound
from paliadin.parts.messages.workers.worker import Worker
from paliadin.relays.turn import Turn
from paliadin.turnlog.description import Description


@dataclass
class Rows:
    """In place of the database: one question."""

    question: Mapping[str, Any]
    ended: dict[str, bytes] = field(default_factory=dict)

    async def take(self, _turn_id: str, _worker: int) -> Mapping[str, Any]:
        return self.question

    async def abandon(self, turn_id: str, _worker: int, lines: bytes) -> None:
        self.ended[turn_id] = lines


async def test_a_question_that_this_version_does_not_understand_ends_its_turn() -> None:
    rows = Rows({"of": "another version"})
    worker = Worker(rows, None, lambda _person, _known: None, 1, 1.0)  # type: ignore[arg-type]
    await asyncio.wait_for(worker._carry_job("t"), 5)
    assert b'"stream_broken"' in rows.ended["t"]


@dataclass
class Signals:
    """In place of the database: the signals to the worker."""

    waiting: list[tuple[str, object]]

    async def take_signals(self, _turn_ids: object) -> list[tuple[str, object]]:
        waiting, self.waiting = self.waiting, []
        return waiting


class Stopping:
    """In place of what carries turns."""

    stopped = 0

    async def abort(self, _turn: object) -> None:
        self.stopped += 1


@pytest.mark.parametrize(
    "signal", [[], 5, None, "x", {}, {"reply": 1}, {"reply": "a", "value": 1}, {"stop": "no"}, {"more": True}], ids=str
)
async def test_a_signal_that_this_version_does_not_understand_leaves_the_others_alone(signal: object) -> None:
    carrier, turn = Stopping(), Turn(Description("t"), "main", None)  # type: ignore[arg-type]
    rows = Signals([("t", signal), ("t", {"stop": True})])
    worker = Worker(rows, carrier, lambda _person, _known: None, 1, 1.0)  # type: ignore[arg-type]
    worker._running["t"] = turn
    worker._signalled.set()
    handling = asyncio.create_task(worker._keep_handling_signals())
    async with asyncio.timeout(5):
        while not carrier.stopped:
            assert not handling.done()
            await asyncio.sleep(0)
    handling.cancel()
    assert carrier.stopped == 1


class Ended(Stopping):
    """In place of what carries turns: another process has ended the turn `lost`."""

    async def abort(self, turn: Turn) -> None:  # type: ignore[override]
        if turn.id == "lost":
            raise NotFound("the turn was ended or deleted by another process", code="unknown_turn")
        self.stopped += 1


async def test_a_stop_of_a_turn_that_another_process_has_ended_leaves_other_turns_their_own() -> None:
    carrier = Ended()
    worker = Worker(Signals([(each, {"stop": True}) for each in ("lost", "t")]), carrier, lambda *_: None, 1, 1.0)  # type: ignore[arg-type]
    for each in ("lost", "t"):
        worker._running[each] = Turn(Description(each), "main", None)  # type: ignore[arg-type]
    worker._signalled.set()
    handling = asyncio.create_task(worker._keep_handling_signals())
    async with asyncio.timeout(5):
        while not carrier.stopped:
            await asyncio.sleep(0)
    handling.cancel()
    assert carrier.stopped == 1
