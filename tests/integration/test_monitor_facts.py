"""The narrow table that the figures read follows the rows by itself."""

from dataclasses import replace
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from paliadin.events.timeline import CalledTool, Waited
from paliadin.record.row import TurnRow
from paliadin.record.store import Store
from tests.integration.test_store import begun, ended


def facts(conninfo: str) -> list[dict[str, Any]]:
    with psycopg.connect(conninfo, row_factory=dict_row) as connection:
        return connection.execute("select * from paliadin.turn_facts order by started_at").fetchall()


def full(number: int = 0) -> TurnRow:
    return replace(
        ended(begun(number)),
        tool_calls=(
            CalledTool("Read", ok=True, rows=12, at_ms=5, duration_ms=40),
            CalledTool("Bash", ok=False, refused=True, at_ms=50),
        ),
        interrupts=(Waited("permission", "Bash", by="page", at_ms=50, waited_ms=900),),
    )


async def test_facts_come_with_the_row_change_with_it_and_go_with_it(store: Store, database: str) -> None:
    await store.insert(begun())
    [before] = facts(database)
    assert (before["finished"], before["used_a_tool"], before["tools"], before["waits_ms"]) == (False, False, [], [])
    await store.finish(full())
    [after] = facts(database)
    assert after["finished"]
    assert after["used_a_tool"]
    assert (after["tools"], after["tool_ok"]) == (["Read", "Bash"], [True, False])
    assert (after["tool_rows"], after["tool_ms"], after["waits_ms"]) == ([12, None], [40, None], [900])
    assert (after["duration_ms"], after["waited_ms"]) == (1100, 900)  # the wait is not the assistant's time
    assert (after["first_text_ms"], after["input_tokens"]) == (100, 5_000_000_000)  # nor is it before the first text
    assert (after["page"], after["prompt"], after["prompt_form"]) == ("https://app.example", "question 0", "question #")
    with psycopg.connect(database) as connection:
        connection.execute("delete from paliadin.turns")
    assert facts(database) == []


async def test_a_call_that_a_person_refused_is_no_use_of_a_tool(store: Store, database: str) -> None:
    refused = replace(full(), observed_tools=(), tool_calls=(CalledTool("Bash", refused=True, at_ms=50),))
    await store.finish(refused)
    assert [row["used_a_tool"] for row in facts(database)] == [False]
    await store.finish(replace(refused, tool_calls=(*refused.tool_calls, CalledTool("Read", at_ms=60))))
    assert [row["used_a_tool"] for row in facts(database)] == [True]


async def test_a_thumb_reaches_the_facts_and_stays_when_the_row_is_written_again(store: Store, database: str) -> None:
    await store.finish(full())
    assert await store.rate(full().turn_id, "down", "wrong year")
    assert [row["feedback"] for row in facts(database)] == ["down"]
    await store.finish(full())
    assert [row["feedback"] for row in facts(database)] == ["down"]


async def test_the_steps_of_a_turn_are_read_back_as_they_were_written(store: Store) -> None:
    await store.finish(full())
    assert await store.turn(full().turn_id) == full()


@pytest.mark.parametrize(
    ("claims", "checked", "unsupported"),
    [
        (None, None, None),
        ({}, 0, 0),
        ({"common": 4}, 0, 0),
        ({"found": 10, "given": 2, "derived": 1, "common": 4, "unknown": 3}, 16, 0),
        ({"found": 10, "unsupported": 2}, 12, 2),
        ({"unsupported": 2**33}, 2**33, 2**33),
    ],
)
async def test_the_facts_say_how_many_claims_could_be_checked_and_how_many_nothing_holds(
    store: Store, database: str, claims: dict[str, int] | None, checked: int | None, unsupported: int | None
) -> None:
    await store.finish(replace(full(), claims=claims, verdict=None if claims is None else "unknown"))
    [row] = facts(database)
    assert (row["claims_checked"], row["claims_unsupported"]) == (checked, unsupported)
    assert row["verdict"] == (None if claims is None else "unknown")


@pytest.mark.parametrize(
    "texts",
    [
        ("What is due on 2026-11-21?", "what's... due on 3.5.".replace("'s...", " is"), "WHAT IS DUE ON 3rd May 2027"),
        ("Was ist am Montag fällig?", "was ist am 24.12. fällig", "Was  ist am 1. März 2026 fällig!"),
        ("List 10 cases", "list 7 cases.", "List\n1,234 cases"),
        ("", "?!", " … "),
    ],
)
def test_near_identical_questions_have_one_form(database: str, texts: tuple[str, ...]) -> None:
    with psycopg.connect(database) as connection:
        forms = {connection.execute("select paliadin.prompt_form(%s)", (text,)).fetchone() for text in texts}
    assert len(forms) == 1


@pytest.mark.parametrize(
    "text",
    [
        " ".join(f"{number:x}" for number in range(60_000)),
        "".join(chr(0x4E00 + number % 20_000) + " " for number in range(60_000)),
        "🙂" * 100_000,
        "a" * 100_000,
        "\\x00 ' \" $1 {} %s ::text -- \u202e\u0000",
    ],
    ids=["many words", "many signs", "one emoji", "one long word", "odd signs"],
)
async def test_no_text_is_refused_by_the_index_of_words(store: Store, text: str) -> None:
    row = replace(ended(begun()), user_message=text, response=text * 3)
    await store.finish(row)
    stored = await store.turn(row.turn_id)
    assert stored is not None
    assert stored.finished_at is not None
