"""Questions that wait for the one before them: each is asked once, in its order, whatever happens meanwhile."""

from __future__ import annotations

import os
import signal
from datetime import datetime
from typing import Any

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.worlds.script import HELD
from tests.worlds.turns import asked_for, kill, watched_until
from tests.worlds.world import Event, World, eventually

Api = tuple[ScriptedApi, str]


@pytest.fixture
def world(lent_world: World) -> World:
    return lent_world


def queue(world: World, message: str) -> dict[str, Any]:
    response = world.post("turn", {"session_id": "main", "user_message": message, "queue": True})
    assert response.status_code == 202, response.text
    answer: dict[str, Any] = response.json()
    return answer


def waiting(world: World) -> dict[str, Any]:
    found: dict[str, Any] = world.get("history?session_id=main&limit=1")["queue"]
    return found


def texts(world: World) -> list[str]:
    return [each["user_message"] for each in waiting(world)["turns"]]


def asked(world: World, count: int) -> list[str]:
    turns = world.get(f"history?session_id=main&limit={count}")["turns"]
    return [turn["user_message"] for turn in turns]


def ends(world: World, *turn_ids: str) -> list[str]:
    return [list(world.follow(turn_id))[-1].name for turn_id in turn_ids]


def test_questions_that_wait_are_asked_by_themselves_in_their_order(world: World, api: Api) -> None:
    first = world.ask("scene:steady first")
    second, third = queue(world, "second"), queue(world, "third")
    assert (second["queued"], third["queued"]) == (1, 2)
    assert texts(world) == ["second", "third"]
    refused = world.post("turn", {"session_id": "main", "user_message": "without queue"})
    assert refused.json()["error"]["code"] == "turn_in_flight"
    assert ends(world, third["turn_id"], second["turn_id"], first) == ["end"] * 3  # a stream can be opened at once
    assert asked(world, 3) == ["scene:steady first", "second", "third"]
    assert [asked_for(api, turn_id) for turn_id in (first, second["turn_id"], third["turn_id"])] == [1, 1, 1]

    def recorded() -> list[dict[str, Any]]:
        turns: list[dict[str, Any]] = world.get("history?session_id=main&limit=3")["turns"]
        return turns if all(turn["finished_at"] for turn in turns) else []

    turns = eventually(recorded, what="their rows are written")
    times = [datetime.fromisoformat(turn[name]) for turn in turns for name in ("started_at", "finished_at")]
    assert times == sorted(times)  # none began while another one ran
    assert queue(world, "nothing runs now")["queued"] == 0
    eventually(lambda: not world.get("history?session_id=main&limit=1")["running_turn"])


def test_a_question_that_waits_is_changed_and_withdrawn(world: World, api: Api) -> None:
    first = world.ask("scene:steady first")
    second, third = queue(world, "second")["turn_id"], queue(world, "third")["turn_id"]
    with world.client() as client:
        path = "/api/paliadin/queue/{}".format
        assert client.patch(path(second), json={"user_message": "changed"}).status_code == 200
        assert client.patch(path(second), json={"user_message": " "}).json()["error"]["code"] == "empty_message"
        assert client.patch(path(second), json={}).status_code == 422
        assert client.delete(path(third)).status_code == 200
        assert client.delete(path(third)).status_code == 404
        assert client.patch(path(first), json={"user_message": "late"}).json()["error"]["code"] == "not_queued"
    assert texts(world) == ["changed"]
    assert ends(world, first, second) == ["end"] * 2
    assert asked(world, 2) == ["scene:steady first", "changed"]
    assert asked_for(api, third) == 0


def test_after_stop_the_rest_waits_until_the_person_says_go_on(world: World, api: Api) -> None:
    first = world.ask("scene:steady stopped")
    watched_until(world, first, "content_delta", [])
    second = queue(world, "second")["turn_id"]
    world.post(f"stream/{first}/abort")
    list(world.follow(first))
    assert (waiting(world)["held"], texts(world)) == ("stopped", ["second"])
    world.turn("asked meanwhile")
    assert (waiting(world)["held"], asked_for(api, second)) == ("stopped", 0)
    assert world.post("queue", {"session_id": "main"}).status_code == 200
    assert ends(world, second) == ["end"]  # by the id that it had when it was queued
    assert waiting(world) == {"held": None, "turns": []}
    assert asked(world, 3) == ["scene:steady stopped", "asked meanwhile", "second"]


@pytest.mark.long
def test_after_an_error_or_with_claude_killed_the_rest_waits_too(world: World, api: Api) -> None:
    killed = world.ask("scene:slow")
    behind = queue(world, "behind it")["turn_id"]
    watched_until(world, killed, "content_delta", [])
    os.kill(world.terminal.capture(world.pane).pid, signal.SIGKILL)
    assert ends(world, killed) == ["error"]
    assert (waiting(world)["held"], asked_for(api, behind)) == ("failed", 0)
    assert world.post("queue", {"session_id": "main"}).status_code == 200
    assert ends(world, behind) == ["end"]
    assert asked_for(api, behind) == 1
    first = world.ask("scene:failure")
    second = queue(world, "second")["turn_id"]
    assert ends(world, first) == ["error"]
    assert waiting(world)["held"] == "failed"
    with world.client() as client:
        assert client.post(f"/api/paliadin/stream/{second}/abort").json() == {"aborted": True}
    assert waiting(world)["turns"] == []


@pytest.mark.parametrize("end", [kill, pytest.param(World.stop, marks=pytest.mark.matrix)])
def test_the_queue_outlives_the_daemon(world: World, api: Api, end: Any) -> None:
    first = world.ask("scene:held first")
    second, third = queue(world, "second")["turn_id"], queue(world, "third")["turn_id"]
    watched_until(world, first, "content_delta", [])
    end(world)
    world.start()
    assert texts(world) == ["second", "third"]
    HELD.enough.set()
    assert ends(world, first, second, third) == ["end"] * 3
    assert [asked_for(api, turn_id) for turn_id in (first, second, third)] == [1, 1, 1]


@pytest.mark.first(1)
@pytest.mark.parametrize("point", ["before the next question's turn", "before the next question leaves the queue"])
def test_a_daemon_killed_between_two_questions_asks_none_twice_and_loses_none(
    world: World, api: Api, point: str
) -> None:
    world.restart(die=point)
    first = world.ask("scene:steady first")
    second, third = queue(world, "second")["turn_id"], queue(world, "third")["turn_id"]
    events: list[Event] = []
    world.wait_for_death()
    world.start()
    events = list(world.follow(first))
    assert events[-1].name == "end"
    if ends(world, second) == ["error"]:  # it was on its way: it is shown, and not asked again by itself
        assert (waiting(world)["held"], texts(world)) == ("failed", ["third"])
        world.post("queue", {"session_id": "main"})
    assert ends(world, third) == ["end"]
    assert [asked_for(api, turn_id) for turn_id in (first, third)] == [1, 1]
    assert asked_for(api, second) <= 1
    assert waiting(world) == {"held": None, "turns": []}
