"""The rows of turns that several processes carry: how they are found."""

from __future__ import annotations

import uuid

import psycopg
import pytest

from paliadin.workers.shared_turns import SharedTurns

TURNS, STEPS = 200, 200  # each turn's; so many are there when 200 people ask
FILL = """
insert into paliadin.steps
select turn_id, 100 * number, 'x' from paliadin.asked, generate_series(0, %s) number
"""


@pytest.mark.parametrize("asked_for", [5, 50, TURNS])
async def test_new_steps_are_found_by_the_index_however_many_old_ones_there_are(
    database: str, monkeypatch: pytest.MonkeyPatch, asked_for: int
) -> None:
    """The planner knows nothing of the table: it is filled and read within seconds."""
    ids = [str(uuid.uuid4()) for _ in range(TURNS)]
    async with await psycopg.AsyncConnection.connect(database, autocommit=True) as connection:
        await connection.execute("alter table paliadin.steps set (autovacuum_enabled = false)")
        await connection.execute(
            "insert into paliadin.asked (turn_id, question) select unnest(%s::uuid[]), '{}'", (ids,)
        )
        await connection.execute(FILL, (STEPS,))
        shared, plan = SharedTurns(database), [""]

        async def explained(_pool: object, query: bytes, values: dict[str, object]) -> list[dict[str, object]]:
            lines = await (await connection.execute(b"explain " + query, values)).fetchall()
            plan[0] = "\n".join(line for (line,) in lines)
            return []

        sizes = dict.fromkeys(ids[:asked_for], 100 * (STEPS - 1))
        monkeypatch.setattr("paliadin.workers.shared_turns.rows_of", explained)
        assert await shared.read(sizes) == []
        monkeypatch.undo()
        async with shared.connected():
            parts = await shared.read(sizes)
    assert "Seq Scan" not in plan[0], plan[0]
    assert "steps_pkey" in plan[0]
    assert [(part.turn_id, part.at_byte) for part in parts] == [
        (turn_id, 100 * number) for turn_id in sorted(sizes) for number in (STEPS - 1, STEPS)
    ]
