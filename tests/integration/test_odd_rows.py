"""Rows that were edited or copied oddly: every route and command that reads rows reads them, and those beside them."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.events.timeline import JoinedWords
from paliadin.postgres.cluster import locate_cluster
from paliadin.record.row import TurnRow
from paliadin.record.store import Store
from paliadin.reports.export import COLUMNS, formats
from paliadin.reports.filters import SORTS
from paliadin.turnlog.ids import new_turn_id, started_at
from tests.integration.conftest import make_world
from tests.integration.test_command_line import AtHome
from tests.integration.test_monitor_facts import full
from tests.worlds.somebody import API
from tests.worlds.world import World

ADMIN, LATE = "/admin/paliadin", "from=8995-01-01&to=9000-01-01"
ANY = (
    "null",
    "true",
    "7",
    '"x"',
    '"=1+1"',
    "[]",
    "{}",
    '[null, true, 7, "x", [], [[{}]]]',
    '{"a": [1e400, {"b": null}]}',
)
DEEP = "[" * 500 + "]" * 500
LONG = '{"n": ' + "9" * 5000 + "}"
CALLS = (
    '[{}, {"name": null}, {"name": {"a": 1}}, {"name": 7, "ok": true}]',
    '[{"name": "Read", "ok": "yes", "refused": 1, "rows": "many", "at_ms": [], "duration_ms": -5, "more": 1}]',
    '[{"name": "Read", "ok": true, "rows": 9223372036854775807, "at_ms": 1e30, "duration_ms": 1.5}]',
)
WAITS = (
    '[{"kind": 7, "tool": "Read"}, {"kind": "permission"}, {"tool": "Read", "waited_ms": 5}]',
    '[{"kind": "permission", "tool": "Read", "by": 7, "answer": [], "at_ms": "x", "waited_ms": 9223372036854775807}]',
)
JOINED = ('[{"text": 7, "at": 1}, {"text": "x", "at": "y"}, {"text": "x", "at": -3}, {"text": "x"}, {"at": 1}]',)
MOMENTS = (
    "8999-06-01",
    "infinity",
    "-infinity",
    "0001-01-01 00:00:00+00",
    "9999-12-31 23:59:59+00",
    "294276-12-31",
    "4713-01-01 BC",
)
COUNTS = ("9223372036854775807", "-9223372036854775808", "-1", "10000000000")
TOKENS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
COUNTED = (*TOKENS, "duration_ms", "first_text_ms", "waited_ms", "claims_checked", "claims_unsupported")
ODD: dict[str, tuple[str, ...]] = {
    "context": (*ANY, DEEP, LONG),
    "tool_calls": (*ANY, *CALLS, DEEP, LONG),
    "interrupts": (*ANY, *WAITS, DEEP, LONG),
    "joined": (*ANY, *JOINED, DEEP, LONG),
    "claims": ('{"found": "many"}', '{"found": null, "unsupported": -1, "x": 1.5}', '{"found": 9223372036854775807}'),
    "redacted": ("{}", '{"question": 7}'),
    "started_at": MOMENTS,
    "first_text_at": MOMENTS,
    "finished_at": MOMENTS,
    **dict.fromkeys(("duration_ms", *TOKENS), COUNTS),
    "used_tools": ("{NULL,Read}", "{{a,b},{c,d}}"),
    "observed_tools": ("{NULL,Read}", "{{a,b},{c,d}}"),
    "rows_seen": ("{NULL,1}", "{{1,2},{3,4}}", "{-5}"),
}

# Each of these is read as another column is, whose line runs with all tests.
ALIKE = {*TOKENS[1:], "first_text_at", "finished_at", "observed_tools"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("odd"), one_claude, api):
        world.scripted = True
        world.start()
        yield world


@pytest.fixture
def conninfo(home: World) -> Iterator[str]:
    """Its database, in which no test leaves a row."""
    conninfo = locate_cluster(home.settings.home).conninfo
    yield conninfo
    with psycopg.connect(conninfo) as connection:
        connection.execute("delete from paliadin.turns")


@pytest.fixture
def paliadin(home: World) -> AtHome:
    return AtHome(home.settings.home, home.port)


def row(question: str) -> TurnRow:
    turn_id = new_turn_id()
    joined = (JoinedWords("and zebras", 2),)
    return replace(full(), turn_id=turn_id, started_at=started_at(turn_id), user_message=question, joined=joined)


async def write(conninfo: str, *rows: TurnRow) -> None:
    store = Store()
    async with store.connected(conninfo):
        for each in rows:
            await store.finish(each)


def edit(conninfo: str, turn_id: str, column: str, value: str) -> None:
    with psycopg.connect(conninfo) as connection:
        [(kind,)] = connection.execute(f"select pg_typeof({column}) from paliadin.turns limit 1")  # noqa: S608
        connection.execute(f"update paliadin.turns set {column} = %s::{kind} where turn_id = %s", (value, turn_id))  # noqa: S608


@pytest.mark.parametrize(
    "column", [pytest.param(each, marks=pytest.mark.matrix if each in ALIKE else ()) for each in ODD]
)
def test_every_route_reads_an_odd_row_and_those_beside_it(
    home: World, conninfo: str, paliadin: AtHome, column: str
) -> None:
    odd, sound = row("What about zebras?"), row("What about okapis?")
    asyncio.run(write(conninfo, odd, sound))
    with home.client() as client:
        for value in ODD[column]:
            edit(conninfo, odd.turn_id, column, value)
            check_record(client, odd.turn_id, sound.turn_id, f"{column} = {value[:60]}")
        edit(conninfo, odd.turn_id, column, ODD[column][0])
        check_lists(client, sound.turn_id)
        rated = client.post(f"{API}/turns/{odd.turn_id}/feedback", json={"verdict": "up"})
        assert rated.status_code == 200, rated.text
    check_commands(paliadin, odd.turn_id)


def test_the_dashboard_adds_up_whatever_stands_in_the_facts(home: World, conninfo: str, paliadin: AtHome) -> None:
    one, other = row("What about zebras?"), row("What about okapis?")
    asyncio.run(write(conninfo, one, other))
    with psycopg.connect(conninfo) as connection, home.client() as client:
        for most in (2**63 - 1, -(2**63)):
            numbers = ", ".join(f"{column} = {most}" for column in COUNTED)
            lists = ", ".join(f"{column} = array[{most}, {most}]" for column in ("tool_rows", "tool_ms", "waits_ms"))
            connection.execute(f"update paliadin.turn_facts set {numbers}, {lists}")  # noqa: S608
            connection.commit()
            get(client, f"{ADMIN}?span=7", str(most))
            check_lists(client, one.turn_id)
            check_commands(paliadin, one.turn_id)
            report = json.loads(paliadin("report", "--format", "json").stdout)
            assert set(report["tokens"].values()) == {2 * most}


def get(client: httpx2.Client, path: str, what: str = "") -> httpx2.Response:
    response = client.get(path)
    assert response.status_code == 200, (what, path, response.text[-500:])
    return response


def check_record(client: httpx2.Client, odd: str, sound: str, what: str) -> None:
    """The row's own page, what counts it, what finds it, the exports."""
    for path in ("?span=all", "?q=zebras&span=all", "/turns?q=zebras"):
        get(client, f"{ADMIN}{path}", what)
    assert "zebras" in get(client, f"{ADMIN}/turns/{odd}", what).text
    check_exports({name: get(client, f"{ADMIN}/export.{name}", what).content for name in formats()}, sound, what)
    history: list[dict[str, Any]] = get(client, f"{API}/history?session_id=main&limit=50", what).json()["turns"]
    assert {odd, sound} <= {turn["turn_id"] for turn in history}, what
    for words, turn_id in (("okapis", sound), ("zebras", odd)):
        found = get(client, f"{API}/search?session_id=main&words={words}", what).json()["found"]
        assert turn_id in {turn["turn_id"] for turn in found}, what
    get(client, f"{API}/conversations?q=zebras", what)


def check_lists(client: httpx2.Client, sound: str) -> None:
    """The lists in every order, those of times to come, the sound row's page with its neighbours, the conversation."""
    for sort in SORTS:
        assert "okapis" in get(client, f"{ADMIN}/turns?sort={sort}").text
    for path in (f"/turns?{LATE}", f"/export.jsonl?{LATE}", f"/turns/{sound}"):
        get(client, f"{ADMIN}{path}")
    for file_format in ("json", "md"):
        get(client, f"{API}/export?session_id=main&format={file_format}")


def check_exports(files: dict[str, bytes], sound: str, what: str) -> None:
    lines = list(csv.reader(io.StringIO(files["csv"].decode())))
    assert {len(line) for line in lines} == {len(COLUMNS)}, what
    assert sound in {line[0] for line in lines}, what
    assert sound in {json.loads(line)["turn_id"] for line in files["jsonl"].splitlines()}, what
    assert files["parquet"].endswith(b"PAR1"), what


def check_commands(paliadin: AtHome, odd: str) -> None:
    for command in ("list", "list --json", "search zebras", f"show {odd}", f"show {odd} --json", "export --format csv"):
        ended = paliadin("turns", *command.split())
        assert ended.exit_code == 0, (command, ended.output, ended.exception)
    assert paliadin("report").exit_code == 0
    assert "turns per working day" in paliadin("gate").stdout
