"""A person's own key for the Messages API: checked, kept sealed, used for their questions alone, shown nowhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest
from psycopg import sql
from psycopg.rows import dict_row

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.parts.messages.routes import TRY_EVERY
from paliadin.postgres.cluster import locate_cluster
from tests.integration.conftest import make_world
from tests.worlds.hours import in_one_hour
from tests.worlds.somebody import Somebody, Visitors
from tests.worlds.turns import recorded
from tests.worlds.world import World, eventually, last, text_of

APP = "https://app.example"
ANNS, WRONG = "sk-ant-anns-own-key-0123456789", "sk-ant-wrong-key-0123456789"


@pytest.fixture
def visitors(tmp_path: Path, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[Visitors]:
    """A daemon whose questions go to the Messages API, and which has no key of its own."""
    for world in make_world(tmp_path, one_claude, api):
        world.options |= {"RELAY": "messages", "API_URL": api[1], "ALLOWED_ORIGINS": APP}
        world.start()
        api[0].refused_keys = {WRONG}
        with Visitors(world) as visitors:
            yield visitors


def save(who: Somebody, key: object) -> httpx2.Response:
    """Save a key as soon as another one may be tried."""
    while (response := who.post("own-key", {"key": key})).status_code == 429:
        assert 1 <= int(response.headers["Retry-After"]) <= TRY_EVERY
        time.sleep(0.5)
    return response


def code_of(response: httpx2.Response) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def connected(world: World) -> psycopg.Connection[Any]:
    return psycopg.connect(locate_cluster(world.settings.home).conninfo)


def row_of(world: World, turn_id: str) -> dict[str, Any]:
    """Who has paid for the turn, and whether it was one too many, as its row says."""
    eventually(lambda: recorded(world, turn_id), 30, "the row is written")
    with connected(world) as connection, connection.cursor(row_factory=dict_row) as cursor:
        row = cursor.execute(
            "select own_key, limit_lifted from paliadin.turns where turn_id = %s", [turn_id]
        ).fetchone()
        assert row is not None
        return row


def files_with(folder: Path, words: str) -> list[Path]:
    """Every file outside of the database's own that has these words."""
    files = (each for each in folder.rglob("*") if each.is_file() and "postgres" not in each.parts)
    return [each for each in files if words.encode() in each.read_bytes()]


def test_who_has_a_key_asks_with_it_and_nobody_else_does(visitors: Visitors, api: tuple[ScriptedApi, str]) -> None:
    ann, ben = visitors.let_in("ann"), visitors.let_in("ben")
    for who in (ann, ben):
        who.agree()
        assert who.get("own-key") == {"saved_at": None}
        assert code_of(who.post("turn", {"user_message": "Hello"})) == (503, "no_api_key")
    assert save(ann, ANNS).json()["saved_at"] is not None
    assert api[0].keys[-1] == ANNS
    assert ben.get("own-key") == {"saved_at": None}

    turn = ann.ask("Hello")
    assert text_of(ann.follow(turn)).startswith("You said")
    assert api[0].keys[-1] == ANNS
    assert row_of(visitors.world, turn) == {"own_key": True, "limit_lifted": False}
    assert {part["name"]: part["state"] for part in ann.get("health")["parts"]}["claude"] == "ready"
    assert {part["name"]: part["state"] for part in ben.get("health")["parts"]}["claude"] == "no_api_key"
    assert code_of(ben.post("turn", {"user_message": "Hello"})) == (503, "no_api_key")

    assert ann.request("DELETE", "/api/paliadin/own-key").json() == {"saved_at": None}
    assert code_of(ann.post("turn", {"user_message": "Hello"})) == (503, "no_api_key")


@pytest.mark.long
def test_a_key_that_the_api_does_not_take_is_not_kept(visitors: Visitors) -> None:
    ann = visitors.let_in("ann")
    ann.agree()
    assert code_of(save(ann, WRONG)) == (503, "own_key_refused")
    assert ann.get("own-key") == {"saved_at": None}
    assert code_of(ann.post("own-key", {"key": ANNS})) == (429, "tried_too_often")
    for malformed in (None, 1, "", "short", "with blanks in it", "x" * 401, "k" * 20 + "\r\nX-Other: 1", "schlüssel-ä"):
        assert code_of(ann.post("own-key", {"key": malformed})) == (422, "invalid_own_key"), malformed
    assert code_of(visitors.in_drawer("ann", APP).post("own-key", {"key": ANNS}))[0] == 403


def test_a_key_that_stops_working_says_so_and_stands_nowhere(visitors: Visitors, api: tuple[ScriptedApi, str]) -> None:
    world = visitors.world
    ann = visitors.let_in("ann")
    ann.agree()
    assert save(ann, ANNS).status_code == 200
    api[0].refused_keys = {ANNS}  # revoked; the API's words quote it
    turn = ann.ask("Hello")
    failed = last(ann.follow(turn), "error").data
    assert (failed["code"], ANNS in str(failed)) == ("own_key_refused", False)
    assert row_of(world, turn)["own_key"] is True
    with connected(world) as connection:
        tables = connection.execute(
            "select schemaname, tablename from pg_tables where schemaname = 'paliadin'"
        ).fetchall()
        assert ("paliadin", "own_keys") in tables
        for schema, table in tables:
            rows = connection.execute(sql.SQL("select t::text from {} t").format(sql.Identifier(schema, table)))
            assert [row for row in rows if ANNS in row[0]] == [], table
    assert files_with(world.settings.home, ANNS) == []
    assert ANNS not in (world.root / "daemon.log").read_text()
    assert any(b"own_key_saved" in each.read_bytes() for each in world.settings.home.glob("audit.jsonl"))


def test_who_is_removed_leaves_no_key_behind(visitors: Visitors) -> None:
    ann = visitors.let_in("ann")
    ann.agree()
    assert save(ann, ANNS).status_code == 200
    assert visitors.in_person.delete("people/ann").status_code == 200
    again = visitors.let_in("ann")
    assert again.get("own-key") == {"saved_at": None}


@pytest.mark.long
def test_the_owner_may_lift_their_own_limit_and_the_row_tells(
    tmp_path: Path, one_claude: Path, api: tuple[ScriptedApi, str]
) -> None:
    for world in make_world(tmp_path, one_claude, api):
        world.options |= {"RELAY": "messages", "API_URL": api[1], "API_KEY": "key-of-the-tests"}
        world.options |= {"TURNS_PER_HOUR": "1", "OWNER_UNLIMITED": "true"}
        world.start()
        world.agree()
        in_one_hour()
        assert [row_of(world, _asked(world))["limit_lifted"] for _ in range(2)] == [False, True]
        assert world.get("limits")["limit"] is None
        with Visitors(world) as visitors:
            ben = visitors.let_in("ben")
            ben.agree()
            ben.follow(ben.ask("Hello"))
            assert code_of(ben.post("turn", {"user_message": "Hello"})) == (429, "too_many_questions")


def _asked(world: World) -> str:
    turn = world.ask("Hello")
    assert list(world.follow(turn))[-1].name == "end"
    return turn
