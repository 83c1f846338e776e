"""The rows of turns that several processes carry: how they are found."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

import psycopg
import pytest

from paliadin.parts.messages.workers.shared_turns import SharedTurns
from paliadin.record.driver import Pool, rows_of

TURNS, STEPS = 200, 200  # each turn's; so many are there when 200 people ask
FILL = """
insert into paliadin.steps
select turn_id, 100 * number, 'x' from paliadin.asked, generate_series(0, %s) number
"""


@pytest.mark.parametrize("asked_for", [5, 50, TURNS])
@pytest.mark.parametrize("known", ["nothing", "that it is small"])
async def test_new_steps_are_found_by_the_index_however_many_old_ones_there_are(
    database: str, monkeypatch: pytest.MonkeyPatch, asked_for: int, known: str
) -> None:
    """The planner knows at most how the table was before: it is filled and read within seconds."""
    ids = [str(uuid.uuid4()) for _ in range(TURNS)]
    async with await psycopg.AsyncConnection.connect(database, autocommit=True) as connection:
        await connection.execute("alter table paliadin.steps set (autovacuum_enabled = false)")
        ask = "insert into paliadin.asked (turn_id, question) select unnest(%s::uuid[]), '{}'"
        await connection.execute(ask, (ids[:2],))
        if known == "that it is small":
            await connection.execute(FILL, (20,))
            await connection.execute("analyze paliadin.steps")
            await connection.execute("delete from paliadin.steps")
        await connection.execute(ask, (ids[2:],))
        await connection.execute(FILL, (STEPS,))
    shared, plan = SharedTurns(database), [""]

    async def explained(pool: Pool, query: bytes, values: Mapping[str, object]) -> list[dict[str, object]]:
        lines = await rows_of(pool, b"explain " + query, values)
        plan[0] = "\n".join(str(line) for row in lines for line in row.values())
        return []

    sizes = dict.fromkeys(ids[:asked_for], 100 * (STEPS - 1))
    async with shared.connected():
        with monkeypatch.context() as patched:
            patched.setattr("paliadin.parts.messages.workers.shared_turns.rows_of", explained)
            assert await shared.read(sizes) == []
        parts = await shared.read(sizes)
    assert "Seq Scan" not in plan[0], plan[0]
    assert "steps_pkey" in plan[0]
    assert [(part.turn_id, part.at_byte) for part in parts] == [
        (turn_id, 100 * number) for turn_id in sorted(sizes) for number in (STEPS - 1, STEPS)
    ]


@pytest.mark.parametrize("odd", ["[" * 3000 + "]" * 3000, "1" + "0" * 5000], ids=["deep", "long"])
async def test_what_python_cannot_hold_keeps_nobody_from_what_else_is_told(database: str, odd: str) -> None:
    """Whoever may write to the database can put it there."""
    turn_id, shared = str(uuid.uuid4()), SharedTurns(database)
    async with await psycopg.AsyncConnection.connect(database, autocommit=True) as connection:
        await connection.execute("insert into paliadin.asked (turn_id, question) values (%s, %s)", (turn_id, odd))
        await connection.execute("insert into paliadin.signals (turn_id, signal) values (%s, %s)", (turn_id, odd))
    async with shared.connected():
        assert await shared.take(turn_id, 1) == {}
        await shared.send_signal(turn_id, {"stop": True})
        assert await shared.take_signals([turn_id]) == [(turn_id, None), (turn_id, {"stop": True})]
