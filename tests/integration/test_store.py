import asyncio
import hashlib
import os
import signal
import time
from contextlib import AsyncExitStack
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from psycopg_pool import AsyncConnectionPool

from paliadin.base.errors import ConfigError, PaliadinError, StorageFull, StoreUnavailable
from paliadin.events.reducer import Reducer
from paliadin.events.timeline import JoinedWords
from paliadin.evidence.model import Claim
from paliadin.postgres.embedded import EmbeddedPostgres
from paliadin.record import migrate
from paliadin.record.row import TurnRow, finished_row
from paliadin.record.store import Store
from paliadin.turnlog.description import Description

START = datetime(2026, 11, 21, 12, 0, 0, 123456, UTC)
UNKNOWN = "00000000-0000-7000-8000-000000000000"


def turn_id(number: int) -> str:
    """A UUIDv7 of START plus `number` milliseconds."""
    milliseconds = int(START.timestamp() * 1000) + number
    return str(UUID(int=milliseconds << 80 | 7 << 76 | 2 << 62 | number))


def begun(number: int = 0, session: str = "main", **values: object) -> TurnRow:
    defaults = {
        "turn_id": turn_id(number),
        "session_id": session,
        "person": "ada",
        "host": "local",
        "origin": "page",
        "started_at": START + timedelta(milliseconds=number),
        "user_message": f"question {number}",
    }
    return TurnRow(**(defaults | values))  # type: ignore[arg-type]


def ended(row: TurnRow) -> TurnRow:
    return replace(
        row,
        page_origin="https://app.example",
        context={"route": "deadlines", "filter": {"open": True, "days": [1, 2.5]}, "ß": None},
        first_text_at=row.started_at + timedelta(seconds=1),
        finished_at=row.started_at + timedelta(seconds=2),
        duration_ms=2000,
        response="an answer, 答え, 🙂\n",
        model="claude-x",
        input_tokens=5_000_000_000,
        output_tokens=2,
        cache_read_tokens=3,
        cache_write_tokens=4,
        used_tools=("search", 'with "quotes", {braces}'),
        rows_seen=(3, 1),
        observed_tools=("search",),
        evidence_agrees=False,
        chip_count=2,
        abandoned=True,
        error_code="timeout",
        classifier_tag="data",
        classifier_source="trailer",
        pane_lines_captured=50,
        claims={"found": 10, "derived": 1, "common": 3, "unsupported": 1},
        verdict="unsupported",
    )


async def test_a_row_comes_back_as_it_went_in(store):
    row = ended(begun())
    await store.finish(row)
    assert await store.turn(row.turn_id) == row


async def test_a_row_that_begins_has_no_values_yet(store):
    await store.insert(begun())
    row = await store.turn(turn_id(0))
    assert row == begun()
    assert (row.claims, row.verdict) == (None, None)


async def test_an_answer_in_which_nothing_was_claimed_is_not_one_that_was_not_checked(store):
    await store.finish(begun(claims={}, verdict="nothing_to_check"))
    row = await store.turn(turn_id(0))
    assert (row.claims, row.verdict) == ({}, "nothing_to_check")


async def test_the_counts_of_a_read_turn_come_back_as_they_were_counted(store):
    reducer = Reducer(Description.parse({"turn_id": turn_id(0), "session_id": "main", "user_message": "Which?"}))
    claims = [Claim("m", 0, 1, "7", "count", status) for status in ("found", "found", "unsupported")]
    evidence = replace(reducer.evidence(), claims=tuple(claims), verdict="unsupported")
    reducer.evidence = lambda: evidence
    await store.finish(finished_row(reducer, watched=True, pane_lines=0))
    row = await store.turn(turn_id(0))
    assert (row.claims, row.verdict) == ({"found": 2, "unsupported": 1}, "unsupported")


async def test_words_that_joined_a_turn_are_found(store):
    row = replace(ended(begun()), joined=(JoinedWords('a "quoted"\nline 100%', 3),))
    await store.finish(row)
    for words in ('A "QUOTED"\nline', "100%"):
        assert await store.search("main", words, 5) == await store.search_sessions(["main"], words) == [row]
    assert await store.search("main", "text", 5) == []


async def test_times_come_back_in_utc(store):
    elsewhere = START.astimezone(timezone(timedelta(hours=9)))
    await store.insert(begun(started_at=elsewhere))
    row = await store.turn(turn_id(0))
    assert row.started_at == START
    assert row.started_at.tzinfo is UTC


async def test_insert_leaves_a_row_that_is_there(store):
    row = ended(begun())
    await store.finish(row)
    await store.insert(begun())
    assert await store.turn(row.turn_id) == row


async def test_finish_updates_everything_and_may_be_repeated(store):
    await store.insert(begun(user_message="first", session="other"))
    row = ended(begun(origin="terminal", host="far", person="bob"))
    for _ in range(2):
        await store.finish(row)
        assert await store.turn(row.turn_id) == row


async def test_an_unknown_turn_is_none(store):
    assert await store.turn(UNKNOWN) is None
    assert await store.turn("nonsense") is None


async def test_turns_are_paged_backwards_newest_last(store):
    rows = [begun(number) for number in range(5)]
    for row in [*rows[::2], *rows[1::2], begun(9, session="other")]:
        await store.insert(row)
    assert await store.turns("main", None, 2) == rows[3:]
    assert await store.turns("main", rows[3].turn_id, 2) == rows[1:3]
    assert await store.turns("main", rows[1].turn_id, 2) == rows[:1]
    assert await store.turns("main", rows[0].turn_id, 2) == []
    assert len(await store.turns(None, None, 10)) == 6


async def test_turns_that_began_at_the_same_moment_are_paged_by_their_id(store):
    rows = [begun(number, started_at=START) for number in range(3)]
    for row in rows:
        await store.insert(row)
    assert await store.turns("main", rows[2].turn_id, 1) == [rows[1]]


async def test_an_unknown_turn_to_page_from_gives_no_page(store):
    await store.insert(begun())
    assert await store.turns("main", UNKNOWN, 5) == []
    assert await store.turns("main", "nonsense", 5) == []


async def test_text_that_postgres_refuses_is_cleaned(store):
    dirty = "a\x00b\ud800c\udfff"
    await store.insert(begun(user_message=dirty, session=dirty, context={dirty: [dirty, {"x": float("nan")}]}))
    row = await store.turn(turn_id(0))
    clean = "a\ufffdb\ufffdc\ufffd"
    assert (row.user_message, row.session_id, row.context) == (clean, clean, {clean: [clean, {"x": None}]})
    assert await store.turns(dirty, None, 1) == [row]


async def test_a_text_that_spells_an_escape_is_left_alone(store):
    await store.insert(begun(user_message="\\u0000 \\ud800", context={"x": "\\u0000"}))
    row = await store.turn(turn_id(0))
    assert (row.user_message, row.context) == ("\\u0000 \\ud800", {"x": "\\u0000"})


@pytest.mark.parametrize(
    "refused",
    [
        {"rows_seen": (10**30, 7)},
        {"input_tokens": 10**40},
        {"output_tokens": True},
        {"chip_count": 2**31, "classifier_tag": "x", "claims": ["found"], "verdict": "wrong"},
    ],
)
async def test_a_row_is_written_without_the_fields_that_the_database_refuses(store, caplog, refused):
    row = ended(begun(user_message="secret"))
    await store.insert(begun())
    await store.finish(replace(row, **refused))
    unknown = {field.name: field.default for field in fields(TurnRow) if field.name in refused}
    assert await store.turn(row.turn_id) == replace(row, **unknown)
    assert [record.message for record in caplog.records] == [
        f"turn {row.turn_id}: its row lacks {name}, which the database refuses" for name in refused
    ]


async def test_a_row_that_no_index_takes_does_not_wait_for_the_database(store):
    name = "".join(hashlib.sha256(bytes([number])).hexdigest() for number in range(250))  # Postgres cannot compress it
    with pytest.raises(PaliadinError, match="index row") as caught:
        await store.finish(ended(begun(session=name)))
    assert caught.value.code == "row_refused"


async def test_a_sum_has_no_largest_number(store):
    async with store.snapshot() as snapshot:
        rows = await snapshot.rows("select sum(n) as total from (values (9223372036854775807), (3)) as v (n)", {})
    assert (rows, type(rows[0]["total"])) == ([{"total": 2**63 + 2}], int)


async def test_a_long_message_is_kept_whole(store):
    message = "line\n" * 20_000
    await store.insert(begun(user_message=message))
    assert (await store.turn(turn_id(0))).user_message == message


@pytest.mark.parametrize(
    "values",
    [
        {"origin": "x"},
        {"classifier_tag": "x"},
        {"classifier_source": "x"},
        {"verdict": "wrong"},
        {"claims": ["found"]},
    ],
)
async def test_a_row_that_breaks_the_rules_is_refused_for_good_and_not_quoted(store, values):
    with pytest.raises(PaliadinError) as caught:
        await store.insert(begun(user_message="secret", **values))
    assert caught.value.code == "row_refused"
    assert not caught.value.retryable
    assert "secret" not in caught.value.message


async def test_a_full_disk_is_distinguished_from_a_database_that_is_away(store, database):
    with psycopg.connect(database) as connection:
        connection.execute("create function full_disk() returns trigger language plpgsql as "
                           "$$begin raise 'no space left' using errcode = '53100'; end$$")  # fmt: skip
        connection.execute("create trigger f before insert on paliadin.turns execute function full_disk()")
    with pytest.raises(StorageFull):
        await store.insert(begun())


async def test_a_database_without_tables_asks_for_the_migrations(empty_database):
    store = Store()
    async with store.connected(empty_database):
        with pytest.raises(StoreUnavailable, match="no tables") as caught:
            await store.insert(begun())
        assert "migrate up" in caught.value.hint


async def test_a_database_that_is_away_keeps_neither_the_beginning_nor_a_call_waiting(tmp_path):
    store = Store()
    async with asyncio.timeout(20), store.connected(f"host={tmp_path} dbname=postgres"):  # psycopg's own is 30 s
        for call in (store.ping(), store.insert(begun()), store.turns(None, None, 1)):
            with pytest.raises(StoreUnavailable):
                await call


async def test_a_store_is_unavailable_before_it_is_connected_and_afterwards(database):
    store = Store()
    with pytest.raises(StoreUnavailable, match="not open"):
        await store.ping()
    async with store.connected(database):
        await store.ping()
    with pytest.raises(StoreUnavailable, match="not open"):
        await store.ping()


async def test_a_malformed_dsn_is_refused_without_being_quoted():
    with pytest.raises(ConfigError) as caught:
        async with Store().connected("host=a hunter2"):
            pass
    assert "hunter2" not in caught.value.message + caught.value.hint


async def test_many_calls_at_once_share_the_connections(store):
    await asyncio.gather(*(store.insert(begun(number)) for number in range(50)))
    assert len(await store.turns("main", None, 100)) == 50


async def test_calls_that_wait_for_each_other_longer_than_a_database_may_be_away_all_pass(store):
    holders = [hold(store, 0.3) for _ in range(16)]  # four connections: 1.2 s
    await asyncio.gather(*holders, *(store.insert(begun(number)) for number in range(4)))
    assert len(await store.turns("main", None, 100)) == 4


async def hold(store: Store, seconds: float) -> None:
    async with store.snapshot():
        await asyncio.sleep(seconds)


async def test_a_database_that_is_away_is_so_for_all_that_wait(tmp_path, monkeypatch):
    store, tried = Store(), []
    getconn = AsyncConnectionPool.getconn

    async def counted(pool, timeout=None):  # noqa: ASYNC109  # psycopg's
        tried.append(timeout)
        return await getconn(pool, timeout)

    monkeypatch.setattr(AsyncConnectionPool, "getconn", counted)
    async with store.connected(f"host={tmp_path} dbname=postgres"):
        results = await asyncio.gather(*(store.insert(begun(number)) for number in range(40)), return_exceptions=True)
        assert {type(result) for result in results} == {StoreUnavailable}
        assert len(tried) == 4, "those that waited for one of the four connections found out by themselves"


async def test_the_store_goes_on_after_the_server_was_killed_and_came_back(database_home):
    server, store = EmbeddedPostgres(database_home), Store()
    async with AsyncExitStack() as stack:
        async with server.running() as conninfo:
            migrate.up(conninfo)
            await stack.enter_async_context(store.connected(conninfo))
            await store.insert(begun(1))
            os.kill(postmaster(database_home), signal.SIGKILL)
        with pytest.raises(StoreUnavailable):
            await store.insert(begun(2))

        async with server.running():
            await eventually(lambda: store.insert(begun(2)))
            assert [row.user_message for row in await store.turns("main", None, 5)] == ["question 1", "question 2"]


async def test_a_server_that_hangs_does_not_hang_the_daemon(database_home):
    store = Store()
    async with EmbeddedPostgres(database_home).running() as conninfo, store.connected(conninfo):
        await store.ping()
        with psycopg.connect(conninfo) as connection:
            processes = [
                row[0] for row in connection.execute("select pid from pg_stat_activity where pid != pg_backend_pid()")
            ]
        processes.append(postmaster(database_home))
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            async with asyncio.timeout(30):
                with pytest.raises(StoreUnavailable):
                    await store.ping()
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)
        await eventually(store.ping)


def postmaster(home: Path) -> int:
    return int((home / "postgres/data/postmaster.pid").read_text().split()[0])


async def eventually(call):
    deadline = time.monotonic() + 20
    while True:
        try:
            return await call()
        except StoreUnavailable:
            assert time.monotonic() < deadline
