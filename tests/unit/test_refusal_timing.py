"""A 404 for a member leaves at a whole multiple of a step: what was looked up meanwhile does not show in its time."""

from __future__ import annotations

import asyncio

import pytest
from starlette.types import Message

from paliadin.people.caller import Caller
from paliadin.web import refusal_timing
from paliadin.web.refusal_timing import STEP, paced
from paliadin.web.scoped_routes import set_caller

ANN, OWNER = Caller.member("ann", None), Caller.owner()
CAROL = Caller.embedded("carol", "https://app.example")


@pytest.mark.parametrize(
    ("caller", "status", "work", "held"),
    [
        (ANN, 404, 0.001, True),
        (ANN, 404, 0.03, True),
        (ANN, 404, 0.07, True),
        (CAROL, 404, 0.01, True),
        (ANN, 200, 0.01, False),
        (OWNER, 404, 0.01, False),
        (None, 404, 0.01, False),
    ],
)
async def test_a_members_404_is_held_until_the_next_step(
    monkeypatch: pytest.MonkeyPatch, caller: Caller | None, status: int, work: float, held: bool
) -> None:
    now, sent = [1000.0], []
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now[0])

    async def sleep(seconds: float) -> None:
        now[0] += seconds

    async def send(message: Message) -> None:
        sent.append((message["type"], now[0] - 1000))

    monkeypatch.setattr(refusal_timing.asyncio, "sleep", sleep)
    connection: dict[str, object] = {"type": "http"}
    answer = paced(send, connection)
    if caller:
        set_caller(connection, caller)
    now[0] += work
    await answer({"type": "http.response.start", "status": status, "headers": []})
    await answer({"type": "http.response.body", "body": b""})
    steps = -(-work // STEP)
    at = steps * STEP if held else work
    assert [(kind, round(seconds, 6)) for kind, seconds in sent] == [
        ("http.response.start", round(at, 6)),
        ("http.response.body", round(at, 6)),
    ]
