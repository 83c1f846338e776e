"""So many questions an hour: counted in the database, whoever asks at the same time, from however many processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from paliadin.base.errors import RateLimited, StoreUnavailable
from paliadin.parts.messages.budget import Budget
from paliadin.parts.messages.question_limits import Admitted, QuestionLimits
from paliadin.people.person_key import PersonKey
from paliadin.record import migrate
from paliadin.record.row import TurnRow
from paliadin.record.store import Store
from paliadin.turnlog.ids import new_turn_id
from tests.unit.test_budget import PRICES
from tests.worlds.hours import in_one_hour


@pytest.fixture
async def stores(empty_database: str) -> AsyncIterator[list[Store]]:
    """The stores of four processes."""
    in_one_hour()
    migrate.up(empty_database)
    async with AsyncExitStack() as stack:
        stores = [Store() for _ in range(4)]
        for store in stores:
            await stack.enter_async_context(store.connected(empty_database))
        yield stores


async def passed(limits: list[QuestionLimits], persons: list[str]) -> int:
    """How many of these questions pass that are asked at once."""
    asked = (limits[number % len(limits)].admit(PersonKey(person)) for number, person in enumerate(persons))
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert all(isinstance(each, Admitted | RateLimited) for each in results), results
    return sum(isinstance(each, Admitted) for each in results)


async def test_of_200_questions_at_once_exactly_30_pass(stores: list[Store]) -> None:
    limits = [QuestionLimits(store, 30, 1000) for store in stores]
    assert await passed(limits, ["ann"] * 200) == 30
    assert await passed(limits, ["ben"] * 3) == 3
    assert (await limits[0].asked(PersonKey("ann"))).as_json() | {"resets_at": ""} == {
        "asked": 30,
        "limit": 30,
        "left": 0,
        "resets_at": "",
    }


async def test_everybody_together_has_a_limit_as_well(stores: list[Store]) -> None:
    limits = [QuestionLimits(store, 30, 50) for store in stores]
    assert await passed(limits, [f"person {number % 20}" for number in range(200)]) == 50
    with pytest.raises(RateLimited, match="everybody together has asked 50"):
        await limits[0].admit(PersonKey("somebody else"))
    refused = await limits[0].asked(PersonKey("somebody else"))
    assert (refused.asked, refused.as_json()["left"]) == (0, 0)


async def test_somebody_may_have_no_limit_of_their_own(stores: list[Store]) -> None:
    limits = QuestionLimits(stores[0], 2, 4, unlimited=PersonKey("owner"))
    assert [await limits.admit(PersonKey("owner")) for _ in range(3)] == [
        Admitted(3),
        Admitted(2),
        Admitted(1, is_lifted=True),
    ]
    assert (await limits.asked(PersonKey("owner"))).as_json() | {"resets_at": ""} == {
        "asked": 3,
        "limit": None,
        "left": 1,
        "resets_at": "",
    }
    await limits.admit(PersonKey("ann"))
    for person in (PersonKey("ann"), PersonKey("owner")):
        with pytest.raises(RateLimited, match="everybody together"):
            await limits.admit(person)


async def test_who_is_refused_learns_when_to_come_back(stores: list[Store]) -> None:
    limits = QuestionLimits(stores[0], 2, 100)
    assert [(await limits.admit(PersonKey("ann"))).left, (await limits.admit(PersonKey("ann"))).left] == [1, 0]
    with pytest.raises(RateLimited) as refused:
        await limits.admit(PersonKey("ann"))
    left = 3600 - (datetime.now(UTC).minute * 60 + datetime.now(UTC).second)
    assert abs(refused.value.retry_after - left) <= 2 or refused.value.retry_after > 3590  # a new hour has begun


async def test_the_next_hour_begins_anew_and_old_hours_are_removed(stores: list[Store], empty_database: str) -> None:
    limits = QuestionLimits(stores[0], 1, 100)
    await limits.admit(PersonKey("ann"))
    with psycopg.connect(empty_database) as connection:
        connection.execute("update paliadin.questions_asked set hour = hour - interval '2 days'")
    assert (await limits.asked(PersonKey("ann"))).asked == 0
    assert (await limits.admit(PersonKey("ann"))).left == 0
    with psycopg.connect(empty_database) as connection:
        rows = connection.execute("select count(*) from paliadin.questions_asked where hour < now() - interval '1 day'")
        assert rows.fetchone() == (0,)


async def test_without_a_database_nothing_is_asked() -> None:
    with pytest.raises(StoreUnavailable):
        await QuestionLimits(Store(), 30, 1000).admit(PersonKey("ann"))


async def test_the_tokens_of_a_month_are_those_of_its_turns_at_that_host(
    stores: list[Store], empty_database: str
) -> None:
    [store, *_] = stores
    now = datetime.now(UTC)

    async def turn(host: str, model: str | None, started_at: datetime, *, own_key: bool = False) -> None:
        row = TurnRow(new_turn_id(), "main", "ann", host, "page", started_at, "Hello", model=model, own_key=own_key)
        await store.finish(replace(row, input_tokens=10 if model else None, output_tokens=2, cache_read_tokens=1))

    for host, model, days in (
        ("api", "m1", 0),
        ("api", "m1", 0),
        ("api", "m2", 0),
        ("api", "m1", 32),
        ("here", "m1", 0),
    ):
        await turn(host, model, now - timedelta(days=days))
    await turn("api", None, now)
    await turn("api", "m1", now, own_key=True)
    with psycopg.connect(empty_database) as connection:  # as a daemon of an earlier version has written it
        connection.execute("update paliadin.turns set own_key = null where model = 'm2'")

    async def counted() -> list[tuple[object, ...]]:
        rows = sorted(await store.tokens_of_month("api"), key=lambda row: str(row["model"]))
        assert {row["cache_write_tokens"] for row in rows} == {None}
        return [(row["model"], row["input_tokens"], row["output_tokens"]) for row in rows]

    assert await counted() == [("m1", 20, 4), ("m2", 10, 2)]
    for odd in (2**63 - 1, 2**63 - 1, -(10**12)):  # as an earlier version has believed it
        await turn("api", "m1", now)
        with psycopg.connect(empty_database) as connection:
            connection.execute(
                "update paliadin.turns set input_tokens = %s where turn_id ="
                " (select max(turn_id::text)::uuid from paliadin.turns)",
                (odd,),
            )
    assert await counted() == [("m1", 20, 10), ("m2", 10, 2)]
    spent = await Budget(store, "api", PRICES, None, 1.0).spent()
    assert spent.dollars == pytest.approx((30 * 10 + 12 * 20 + 6) / 1_000_000)
