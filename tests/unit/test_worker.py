"""A worker's turns end, also when the worker itself is at fault."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from paliadin.workers.worker import Worker


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
