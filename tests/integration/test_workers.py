"""`--role web` and `--role worker`: one process serves the page, others ask the Messages API, through the database."""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.integration.test_practice_tools import PROJECTS, asked, call_as_owner
from tests.integration.test_redacted import tables_with
from tests.worlds.somebody import Visitors
from tests.worlds.workers import Workers, hired, large_server
from tests.worlds.world import World, eventually, last, text_of

SECRET = "quokka-in-the-question"


@pytest.fixture(scope="module")
def dsn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with large_server(tmp_path_factory.mktemp("shared") / "server") as conninfo:
        yield conninfo


@pytest.fixture(scope="module")
def world(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str], dsn: str
) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("workers"), one_claude, api):
        world.options |= {"RELAY": "messages", "API_URL": api[1], "API_KEY": "key-of-the-tests", "PALIAD": "true"}
        world.options |= {"ROLE": "web", "DATABASE_URL": dsn}
        world.constants["parts.messages.workers.carrier.LONGEST_WAIT"] = 6.0
        world.start()
        world.agree()
        yield world


@pytest.fixture(scope="module")
def staff(world: World) -> Iterator[Workers]:
    """One worker, for tests that leave it as it was."""
    with hired(world) as workers:
        workers.hire()
        yield workers


@pytest.fixture
def workers(world: World) -> Iterator[Workers]:
    """Workers of the test's own; none is there before. These tests come before all that use `staff`."""
    with hired(world) as workers:
        yield workers
    eventually(lambda: not rows(world, "select 1 from paliadin.asked where ended_at is null"), what="no turn runs")


def rows(world: World, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(world.options["DATABASE_URL"]) as connection:
        return connection.execute(query.encode()).fetchall()


def state(world: World) -> dict[str, Any]:
    return next(each for each in world.get("sessions")["sessions"] if each["name"] == "main")


@pytest.mark.long
def test_without_a_worker_it_is_said_and_the_question_ends(world: World) -> None:
    assert (state(world)["state"], "--role worker" in state(world)["hint"]) == ("no_worker", True)
    events = world.turn("Is anybody there?")
    assert events[-1].data["code"] == "no_worker", events[-1].data


def test_stop_takes_back_what_nobody_has_taken(world: World, workers: Workers) -> None:
    turn_id = world.ask("Never asked")
    assert world.post(f"stream/{turn_id}/abort").json() == {"aborted": True}
    assert [*world.follow(turn_id)][-1].data["aborted"]
    workers.hire()
    assert text_of(world.turn("And now?")).startswith("You said")
    assert not any("Never asked" in json.dumps(each["messages"][-1:]) for each in world.api.bodies)


def test_a_worker_killed_in_mid_turn_ends_the_turn_and_what_was_shown_stays(world: World, workers: Workers) -> None:
    first = workers.hire()
    turn_id = world.ask("scene:slow")
    events = []
    for event in world.follow(turn_id):
        events.append(event)
        if event.name == "content_delta" and workers.running:
            asked = len(world.api.requests)
            workers.end(first, signal.SIGKILL)
    assert (events[-1].name, events[-1].data["code"]) == ("error", "stream_broken")
    assert text_of(events).startswith("Line 0.")
    workers.hire()
    assert text_of(world.turn("And now?")).startswith("You said")
    assert len(world.api.requests) == asked + 1, "nobody has asked the first question again"


def test_a_worker_that_is_told_to_end_finishes_its_turn_and_takes_no_other(world: World, workers: Workers) -> None:
    first = workers.hire()
    turn_id = world.ask("scene:steady")
    events = world.follow(turn_id)
    while next(events).name != "content_delta":
        pass
    first.send_signal(signal.SIGTERM)
    assert [*events][-1].name == "end"
    assert first.wait(30) == 0
    assert "Traceback" not in "".join(text for _, text in workers.evidence(""))


@pytest.mark.long
def test_a_database_that_crashes_in_mid_turn_costs_no_word(world: World, workers: Workers, dsn: str) -> None:
    workers.hire()
    turn_id = world.ask("scene:steady")
    events = []
    for event in world.follow(turn_id):
        events.append(event)
        if len([each for each in events if each.name == "content_delta"]) == 2 and event.name == "content_delta":
            data = Path(rows(world, "show data_directory")[0][0])
            os.kill(int((data / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
    assert events[-1].name == "end", events[-1].data
    assert text_of(events) == text_of([*world.follow(turn_id)])
    assert [event.id for event in events] == list(range(1, len(events) + 1))
    with psycopg.connect(dsn):
        assert text_of(world.turn("And now?")).startswith("You said")


@pytest.mark.long
def test_two_workers_share_what_is_asked(world: World, workers: Workers) -> None:
    for _ in range(2):
        workers.hire(WORKER_TURNS="1")
    sessions = [world.post("conversations", {}).json()["id"] for _ in range(2)]
    turns = [world.ask("scene:slow", session_id=each) for each in sessions]
    for turn_id in turns:
        assert next(event for event in world.follow(turn_id) if event.name == "content_delta")
    assert len({worker for (worker,) in rows(world, "select worker from paliadin.asked where ended_at is null")}) == 2
    for turn_id in turns:
        world.post(f"stream/{turn_id}/abort")
        assert [*world.follow(turn_id)][-1].data["aborted"]


@pytest.mark.usefixtures("staff")
def test_a_worker_calls_the_practices_tools_as_the_person(world: World, dsn: str) -> None:
    assert state(world)["state"] == "ready"
    with Visitors(world) as visitors:
        ann = visitors.let_in("ann")
        visitors.let_in("ben")
        ann.agree()
        call_as_owner(visitors, "whats_on_my_plate")
        with psycopg.connect(dsn) as connection:
            connection.execute(PROJECTS)
        events = ann.follow(ann.ask(asked(("list_my_projects", {}))))
        assert events[-1].name == "end", events[-1].data
        assert "p-ann" in text_of(events)
        assert "p-ben" not in text_of(events)
        assert last(events, "evidence").data["observed_tools"] == ["mcp__paliad__list_my_projects"]
        system = world.api.bodies[-1]["system"][1]["text"]
        assert "Reader: Ann Example" in system
    assert text_of(world.turn("scene:remember")).startswith("I remember")


@pytest.mark.usefixtures("staff")
def test_the_next_question_knows_what_was_said(world: World) -> None:
    world.post("reset", {"session_id": "main"})
    assert world.turn("First")[-1].name == "end"
    assert text_of(world.turn("scene:remember")) == "I remember 2 prompts."


@pytest.mark.usefixtures("staff")
def test_stop_reaches_the_worker(world: World) -> None:
    turn_id = world.ask("scene:slow")
    for event in world.follow(turn_id):
        if event.name == "content_delta":
            assert world.post(f"stream/{turn_id}/abort").json() == {"aborted": True}
    assert event.data["aborted"]


@pytest.mark.usefixtures("staff")
def test_a_reply_reaches_the_worker(world: World) -> None:
    turn_id = world.ask("scene:question")
    events = []
    for event in world.follow(turn_id):
        events.append(event)
        if event.name == "interrupt":
            body = {"interrupt_id": event.data["id"], "value": "Red"}
            wrong = world.post(f"stream/{turn_id}/answer", {"interrupt_id": "no-such", "value": "Red"})
            assert (wrong.status_code, wrong.json()["error"]["code"]) == (404, "unknown_interrupt")
            assert world.post(f"stream/{turn_id}/answer", body).status_code == 200
    assert events[-1].name == "end", events[-1].data
    assert last(events, "interrupt_resolved").data["value"] == "Red"


@pytest.mark.usefixtures("staff")
def test_a_job_has_ids_only_and_nothing_stays_once_the_turn_is_over(world: World) -> None:
    turn_id = world.ask(f"scene:slow {SECRET}")
    events = world.follow(turn_id)
    while next(events).name != "content_delta":
        pass
    jobs = rows(world, "select args, j::text from paliadin_jobs.procrastinate_jobs j")
    assert {"turn_id": turn_id} in [args for args, _ in jobs]
    assert all(args.keys() == {"turn_id"} and SECRET not in row for args, row in jobs)
    assert rows(world, "select count(*) from paliadin.steps")[0][0] > 0
    world.post(f"stream/{turn_id}/abort")
    assert [*events][-1].data["aborted"]
    left = f"""select from (
        select turn_id::text from paliadin.asked union all select turn_id::text from paliadin.steps
        union all select turn_id::text from paliadin.signals
        union all select args ->> 'turn_id' from paliadin_jobs.procrastinate_jobs
    ) as t where turn_id = '{turn_id}'"""  # noqa: S608
    eventually(lambda: not rows(world, left), what="nothing is left")


@pytest.mark.usefixtures("staff")
def test_the_web_process_may_die_and_its_streams_go_on(world: World) -> None:
    turn_id = world.ask("scene:steady")
    seen = []
    for event in world.follow(turn_id):
        seen.append(event)
        if event.name == "content_delta":
            break
    world.stop(signal.SIGKILL)
    world.start()
    assert seen[-1].id is not None
    seen += world.follow(turn_id, after=seen[-1].id)
    assert [event.id for event in seen] == list(range(1, len(seen) + 1))
    assert seen[-1].name == "end", seen[-1].data
    whole = [*world.follow(turn_id)]
    assert text_of(seen) == text_of(whole)


@pytest.mark.usefixtures("staff")
def test_the_process_that_serves_the_page_does_not_load_the_sdk(world: World) -> None:
    assert world.process is not None
    maps = Path(f"/proc/{world.process.pid}/maps").read_text()
    assert "pydantic" in maps or "psycopg" in maps, "its libraries are seen here"
    assert "jiter" not in maps  # a compiled part that only the SDK uses


@pytest.mark.long
def test_where_no_words_are_kept_none_stay_in_rows_either(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]
) -> None:
    folder = tmp_path_factory.mktemp("redacted")
    with large_server(folder / "server") as dsn, contextlib.ExitStack() as stack:
        world = stack.enter_context(contextlib.contextmanager(make_world)(folder, one_claude, api))
        world.options |= {"RELAY": "messages", "API_URL": api[1], "API_KEY": "key-of-the-tests", "AUDIT": "redacted"}
        world.options |= {"ROLE": "web", "DATABASE_URL": dsn}
        world.start()
        world.agree()
        stack.enter_context(hired(world)).hire()
        told = [{"question": "quokka-told-by-the-browser", "answer": "Yes."}]
        events = world.turn(f"Hello {SECRET}", history=told)
        assert events[-1].name == "end", events[-1].data
        assert "quokka-told-by-the-browser" in str(world.api.bodies[-1]["messages"])
        assert "They prove nothing" in world.api.bodies[-1]["system"][1]["text"]
        for words in (SECRET, "quokka-told-by-the-browser", "You said"):
            eventually(lambda words=words: not tables_with(dsn, words), what=f"{words} is in no table")
