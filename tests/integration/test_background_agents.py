"""What an agent in the background asks after its turn's end is shown, kept and replied to as any other card."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.worlds.script import BEHIND, HELD
from tests.worlds.turns import row_of, watched_until
from tests.worlds.world import Event, World, eventually, last, text_of

pytestmark = pytest.mark.timeout(180)
Api = tuple[ScriptedApi, str]


@pytest.fixture
def world(tmp_path: Path, claude: Path, api: Api) -> Iterator[World]:
    """Its Claude is parked as soon as it may be."""
    for world in make_world(tmp_path, claude, api):
        world.options["PARK_AFTER"] = "0.5"
        world.constants["conversations.conversation.UNDO_MS"] = 0
        world.start()
        yield world


def listed(world: World) -> dict[str, Any]:
    [conversation] = world.get("conversations")["conversations"]
    return {name: conversation[name] for name in ("state", "running_turn", "background_tasks")}


def turns(world: World) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = world.get("history?session_id=main&limit=20")["turns"]
    return found


def request(world: World) -> tuple[str, dict[str, Any]]:
    """The turn in which the agent asks, and what it asks."""
    turn_id = eventually(lambda: next((each["turn_id"] for each in turns(world) if each["asked_by"]), ""), 20)
    events: list[Event] = []
    watched_until(world, turn_id, "interrupt", events)
    return turn_id, last(events, "interrupt").data


def allow(world: World, turn_id: str, interrupt: dict[str, Any]) -> None:
    body = {"interrupt_id": interrupt["id"], "value": "allow"}
    assert world.post(f"stream/{turn_id}/answer", body).status_code == 200


def reported(world: World) -> dict[str, Any]:
    """The turn that the agent's report began, once it has ended."""

    def find() -> dict[str, Any] | None:
        own = [turn for turn in turns(world) if turn["origin"] == "agent" and not turn["asked_by"]]
        return next((turn for turn in own if not turn["running"]), None)

    found: dict[str, Any] = eventually(find, 30, "the report's turn has ended")
    return found


@pytest.mark.long
def test_what_an_agent_of_an_earlier_turn_does_is_no_evidence_of_the_one_that_runs(world: World) -> None:
    """The hooks of its tools have the id of the newest prompt."""
    world.turn(f"scene:behind in:{world.workdir}")
    BEHIND.asks.set()
    turn_id, interrupt = request(world)
    asked, events = world.ask("scene:held"), list[Event]()
    watched_until(world, asked, "content_delta", events)
    allow(world, turn_id, interrupt)
    eventually((world.workdir / "behind.txt").exists, 20, "the agent has written its file")
    watched_until(world, asked, "content_delta", events, HELD.said + 8)  # in which its hooks have run
    HELD.enough.set()
    events += world.follow(asked, after=len(events))
    assert [event for event in events if event.name in {"tool_call", "tool_result"}] == []
    assert last(events, "evidence").data["observed_tools"] == []


def test_a_question_that_is_stopped_leaves_the_card_of_an_agent_that_waits(world: World) -> None:
    """In 2.1.197 Ctrl-C ends all agents, and leaves what is in the composer."""
    world.turn(f"scene:behind in:{world.workdir}")
    BEHIND.asks.set()
    turn_id, interrupt = request(world)
    stopped = world.ask("scene:slow")
    watched_until(world, stopped, "content_delta", [])
    assert world.post(f"stream/{stopped}/abort").status_code == 200
    events = list(world.follow(stopped))
    assert last(events, "end").data["aborted"], events
    assert listed(world) == {"state": "waiting", "running_turn": None, "background_tasks": 1}
    allow(world, turn_id, interrupt)
    assert [event.data["by"] for event in world.follow(turn_id) if event.name == "interrupt_resolved"] == ["page"]
    assert text_of(world.turn("Hello")).startswith("You said")


def test_what_an_agent_asks_after_its_turns_end_waits_beside_other_questions_until_it_is_allowed(world: World) -> None:
    events = world.turn(f"scene:behind in:{world.workdir}")
    assert [len(event.data["background_tasks"]) for event in events if event.name == "end"] == [1]
    assert listed(world) == {"state": "ready", "running_turn": None, "background_tasks": 1}
    BEHIND.asks.set()
    turn_id, interrupt = request(world)
    assert (interrupt["kind"], interrupt["tool"], interrupt["agent"]) == ("permission", "Write", "general-purpose")
    assert listed(world) == {"state": "waiting", "running_turn": None, "background_tasks": 1}
    [session] = world.get("sessions")["sessions"]
    assert (session["state"], session["ok"], session["background_tasks"]) == ("permission", True, 1)
    assert text_of(world.turn("Hello")).startswith("You said")
    assert listed(world)["state"] == "waiting"  # and it was not parked, though long quiet
    allow(world, turn_id, interrupt)
    ended = list(world.follow(turn_id))
    assert [event.data["by"] for event in ended if event.name == "interrupt_resolved"] == ["page"]
    assert ended[-1].name == "end"
    report = reported(world)
    assert "<task-notification>" in report["user_message"]
    assert (world.workdir / "behind.txt").read_text() == "written behind\n"
    eventually(lambda: listed(world) == {"state": "parked", "running_turn": None, "background_tasks": 0}, 20)
    row = row_of(world, turn_id)
    assert (row["origin"], row["user_message"]) == ("agent", "Write a file")


@pytest.mark.long
def test_what_an_agent_asks_just_before_its_turns_end_goes_on_behind_it(world: World) -> None:
    BEHIND.asks.set()
    events = world.turn(f"slowly scene:behind in:{world.workdir}")
    early = [event.data["by"] for event in events if event.name == "interrupt_resolved"]
    assert early in (["background"], [])  # its end may have come first
    turn_id, interrupt = request(world)
    assert world.post(f"stream/{turn_id}/abort").json() == {"aborted": True}
    ended = list(world.follow(turn_id))
    assert last(ended, "interrupt_resolved").data["by"] == "cancel"
    assert interrupt["id"] == last(ended, "interrupt_resolved").data["id"]
    reported(world)
    assert not (world.workdir / "behind.txt").exists()


def test_an_agent_that_outlives_clear_asks_and_one_that_is_deleted_with_its_conversation_does_not(world: World) -> None:
    world.turn(f"scene:behind in:{world.workdir}")
    assert world.post("reset", {"session_id": "main"}).status_code == 200
    BEHIND.asks.set()
    turn_id, _ = request(world)
    with world.client() as client:
        assert client.delete("/api/paliadin/conversations/main").status_code == 200
    eventually(lambda: not list(world.settings.response_dir.glob(f"*/{turn_id}")), 40, "its turns are removed")
    assert not (world.workdir / "behind.txt").exists()
