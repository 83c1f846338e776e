"""Whatever is killed, nothing is lost, told twice or typed twice."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.terminal.screen import State, read_screen
from paliadin.turnlog.read import LogReader
from tests.worlds.script import STEADILY, STEADY
from tests.worlds.turns import (
    asked_for,
    check_whole,
    database_is,
    folder_of,
    item_of,
    kill,
    postmaster,
    recorded,
    rest_of,
    row_of,
    watched_until,
)
from tests.worlds.world import Event, World, eventually, last, text_of

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def world(lent_world: World) -> World:
    return lent_world


# The daemon.


def test_a_daemon_killed_in_mid_stream_goes_on_where_it_was(world: World, api: tuple[ScriptedApi, str]) -> None:
    turn_id = world.ask("scene:steady one")
    events: list[Event] = []
    for count in (3, 9, 15):
        watched_until(world, turn_id, "content_delta", events, count)
        kill(world)
        world.start()
    events += rest_of(world, turn_id, events)
    check_whole(events)
    assert text_of(events) == "\n".join(STEADY)
    assert list(world.follow(turn_id)) == events
    row = row_of(world, turn_id)
    assert row["response"] == text_of(events)
    assert row["usage"] == last(events, "end").data["usage"]
    assert row["error_code"] is None
    assert asked_for(api, "scene:steady one") == 1


def test_a_turn_that_ended_while_the_daemon_was_dead_is_there_whole(world: World) -> None:
    turn_id = world.ask("scene:steady two")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events)
    kill(world)
    STEADILY.go_on()
    log = LogReader(folder_of(world, turn_id) / "events.jsonl")
    eventually(lambda: any("usage" in line for line in log.read()), 30, "Claude has finished by itself")
    assert not recorded(world, turn_id)
    world.start()
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    assert row_of(world, turn_id)["response"] == text_of(events)
    assert world.get("history")["running_turn"] is None
    assert text_of(world.turn("And now?")).startswith("You said")


def test_a_turn_that_runs_is_still_the_running_one_after_a_kill(world: World) -> None:
    turn_id = world.ask("scene:slow")
    watched_until(world, turn_id, "content_delta", [])
    kill(world)
    world.start()
    assert world.get("history")["running_turn"] == turn_id
    refused = world.post("turn", {"user_message": "me too"})
    assert refused.json()["error"]["turn_id"] == turn_id
    assert world.post(f"stream/{turn_id}/abort").json() == {"aborted": True}
    events = list(world.follow(turn_id))
    check_whole(events)
    assert events[-1].data["aborted"] is True
    assert row_of(world, turn_id)["error_code"] == "user_aborted"
    eventually(lambda: read_screen(world.screen()).state is State.READY, what="the composer is empty")


def test_a_permission_that_waits_outlives_the_daemon(world: World) -> None:
    written = world.workdir / "written.txt"
    turn_id = world.ask(f"in:{world.workdir} scene:permission")
    events: list[Event] = []
    watched_until(world, turn_id, "interrupt", events)
    kill(world)
    world.start()
    [card] = item_of(world, turn_id)["interrupts"]
    assert card == events[-1].data
    response = world.post(f"stream/{turn_id}/answer", {"interrupt_id": card["id"], "value": "allow"})
    assert response.status_code == 200
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    assert last(events, "interrupt_resolved").data["by"] == "page"
    assert text_of(events).endswith("It was done.")
    assert written.read_text() == "hello\n"
    again = world.post(f"stream/{turn_id}/answer", {"interrupt_id": card["id"], "value": "allow"})
    assert again.json()["error"]["code"] == "unknown_interrupt"


@pytest.mark.long
def test_a_question_answered_in_the_terminal_while_the_daemon_is_dead_is_resolved(world: World) -> None:
    turn_id = world.ask(f"in:{world.workdir} scene:permission")
    events: list[Event] = []
    watched_until(world, turn_id, "interrupt", events)
    kill(world)
    press_until(world, "Enter", (world.workdir / "written.txt").exists)
    world.start()
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    assert last(events, "interrupt_resolved").data["by"] == "terminal"
    assert text_of(events).endswith("It was done.")


def press_until(world: World, key: str, done: Any) -> None:
    """As a person would: a dialog takes no key in its first moment, so look, and press again."""

    def pressed() -> bool:
        if read_screen(world.screen()).state is State.PERMISSION:
            world.terminal.press(world.pane, key)
        return bool(done())

    eventually(pressed, 20, f"{key} took")


@pytest.fixture
def gated(fresh_world: World) -> Iterator[tuple[World, Path]]:
    """Claude starts only once this file is there: until then a question waits to be typed."""
    world, gate = fresh_world, fresh_world.root / "gate"
    wrapper = world.root / "claude-behind-a-gate"
    wrapper.write_text(f'#!/bin/sh\nwhile [ ! -e "{gate}" ]; do sleep 0.05; done\nexec "{world.claude}" "$@"\n')
    wrapper.chmod(0o755)
    world.claude = wrapper
    yield world, gate
    gate.touch()


@pytest.mark.long
def test_what_was_not_delivered_is_reported_as_failed_and_never_typed(
    gated: tuple[World, Path], api: tuple[ScriptedApi, str]
) -> None:
    world, gate = gated
    world.start()
    turn_id = world.ask("never to be typed")
    events: list[Event] = []
    watched_until(world, turn_id, "status", events)
    kill(world)
    world.start()
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    error = events[-1].data
    assert (events[-1].name, error["code"], error["retryable"]) == ("error", "submit_failed", True)
    assert error["hint"]
    gate.touch()
    assert row_of(world, turn_id)["error_code"] == "submit_failed"
    eventually(lambda: read_screen(world.screen()).state is State.READY, 30, "Claude is there")
    assert text_of(world.turn("the next one")).startswith("You said")
    assert asked_for(api, "never to be typed") == 0
    assert asked_for(api, turn_id) == 0


@pytest.mark.long
def test_what_an_earlier_daemon_left_half_typed_is_cleared(
    gated: tuple[World, Path], api: tuple[ScriptedApi, str]
) -> None:
    world, gate = gated
    world.start()
    turn_id = world.ask("never to be typed to its end")
    watched_until(world, turn_id, "status", [])
    kill(world)
    gate.touch()
    eventually(lambda: read_screen(world.screen()).state is State.READY, 30, "Claude is there")
    world.terminal.type(world.pane, f"[PALIADIN:{turn_id}] never to be")
    eventually(lambda: "never to be" in read_screen(world.screen()).draft, what="the first half is typed")
    world.start()
    assert list(world.follow(turn_id))[-1].data["code"] == "submit_failed"
    following = world.ask("the next one")
    assert list(world.follow(following))[-1].name == "end"
    assert api[0].requests[-1][1].user_text == f"[PALIADIN:{following}] the next one"
    assert asked_for(api, turn_id) == 0


def test_a_daemon_killed_while_it_types_leaves_nothing_half_typed_behind(
    world: World, api: tuple[ScriptedApi, str]
) -> None:
    world.turn("Hello")
    turn_id = world.ask("half of this is typed\n" + "".join(f"line {number} of it\n" for number in range(2000)))
    eventually(lambda: read_screen(world.screen()).state is State.DRAFT, what="it types")
    kill(world)
    assert asked_for(api, turn_id) == 0
    world.start()
    events = list(world.follow(turn_id))
    assert (events[-1].name, events[-1].data["code"]) == ("error", "submit_failed")
    following = world.ask("the next one")
    assert list(world.follow(following))[-1].name == "end"
    assert api[0].requests[-1][1].user_text == f"[PALIADIN:{following}] the next one"
    assert asked_for(api, turn_id) == 0


# The database.


@pytest.mark.long
def test_a_database_that_is_killed_in_mid_turn_stops_no_turn_and_its_row_follows(world: World) -> None:
    first = world.ask("before")
    list(world.follow(first))
    turn_id = world.ask("scene:steady three")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events)
    os.kill(postmaster(world), signal.SIGKILL)
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    assert events[-1].name == "end"
    row = row_of(world, turn_id)
    assert row["response"] == text_of(events)
    assert row["usage"] == events[-1].data["usage"]
    eventually(lambda: database_is(world, True), 30, "the database is back")
    assert [turn["turn_id"] for turn in world.get("history")["turns"]][-2:] == [first, turn_id]


def test_a_question_asked_while_the_database_is_away_is_answered_and_recorded_later(world: World) -> None:
    list(world.follow(world.ask("before")))
    os.kill(postmaster(world), signal.SIGKILL)
    turn_id = world.ask("scene:steady in between")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events)
    assert item_of(world, turn_id)["running"] is True
    eventually(lambda: database_is(world, True), 30, "the database is back")
    assert item_of(world, turn_id)["user_message"] == "scene:steady in between"
    events += rest_of(world, turn_id, events)
    assert item_of(world, turn_id)["response"] == text_of(events) == "\n".join(STEADY)
    assert row_of(world, turn_id)["response"] == text_of(events)


@pytest.mark.long
def test_a_row_that_waits_for_the_database_outlives_the_daemon(world: World) -> None:
    turn_id = world.ask("scene:steady four")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events)
    os.kill(postmaster(world), signal.SIGKILL)
    kill(world)
    STEADILY.go_on()
    log = LogReader(folder_of(world, turn_id) / "events.jsonl")
    eventually(lambda: any("usage" in line for line in log.read()), 30, "Claude has finished by itself")
    world.start()
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    assert row_of(world, turn_id)["response"] == text_of(events)


# What clients do.


@pytest.mark.long
def test_a_browser_that_comes_back_by_itself_has_everything_once(world: World) -> None:
    """As EventSource does it: again and again, with the last number it has."""
    turn_id = world.ask("scene:steady five")
    events: list[Event] = []
    kills = 0
    while not events or events[-1].name not in {"end", "error"}:
        try:
            for event in world.follow(turn_id, after=len(events)):
                events.append(event)
                if len(events) in {6, 14} and kills < 2:
                    kills += 1
                    kill(world)
        except httpx2.TransportError:
            world.start()
    assert kills == 2
    check_whole(events)
    assert list(world.follow(turn_id)) == events
    assert json.loads(json.dumps([event.data for event in events]))
