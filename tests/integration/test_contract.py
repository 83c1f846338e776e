"""What a relay promises, the same cases over each: the Claude here, one behind ssh, the Messages API, the fake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from paliadin.base.settings import ensure_home
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.ssh.hosts import save_remote
from tests.integration.conftest import make_world
from tests.worlds.far import Far
from tests.worlds.world import Event, World, eventually, last, text_of

pytestmark = pytest.mark.timeout(120)


@dataclass
class Place:
    """A session of a running daemon, and the folder that its Claude works in."""

    world: World
    session: str
    workdir: Path

    def ask(self, message: str) -> str:
        return self.world.ask(message, session_id=self.session)

    def turn(self, message: str) -> list[Event]:
        return list(self.world.follow(self.ask(message)))

    def answered(self, message: str, **reply: Any) -> list[Event]:
        """Ask, and answer each interrupt that comes with `reply`."""
        turn_id = self.ask(message)
        events = []
        for event in self.world.follow(turn_id):
            events.append(event)
            if event.name == "interrupt":
                body = {"interrupt_id": event.data["id"], **reply}
                assert self.world.post(f"stream/{turn_id}/answer", body).status_code == 200
        return events

    def state(self) -> dict:
        sessions = self.world.get("sessions")["sessions"]
        return next(session for session in sessions if session["name"] == self.session)


@pytest.fixture(scope="module")
def both(
    tmp_path_factory: pytest.TempPathFactory, far: Far, one_claude: Path, api: tuple[ScriptedApi, str]
) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("near"), one_claude, api):
        ensure_home(world.settings)
        save_remote(world.settings.home, far.remote())
        world.start()
        yield world


@pytest.fixture(scope="module")
def scripted(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]
) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("fake"), one_claude, api):
        world.scripted = True
        world.start()
        yield world


@pytest.fixture(scope="module")
def messages(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]
) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("api"), one_claude, api):
        world.options |= {"RELAY": "messages", "API_KEY": "key-of-the-tests", "API_URL": api[1]}
        world.file_tools = True
        world.start()
        yield world


LOCAL = pytest.param("local", marks=pytest.mark.matrix)  # test_turn is local
with_permissions = pytest.mark.parametrize("place", [LOCAL, "ssh", "fake"], indirect=True)
"""For what the messages relay has not: its tools change nothing, so it asks for no permission."""


@pytest.fixture(params=[LOCAL, "ssh", "messages", "fake"])
def place(request: pytest.FixtureRequest) -> Place:
    world: World = request.getfixturevalue({"fake": "scripted", "messages": "messages"}.get(request.param, "both"))
    far: Far | None = request.getfixturevalue("far") if request.param == "ssh" else None
    place = Place(world, "main@far" if far else "main", far.workdir if far else world.workdir)
    seen: dict = {}
    try:
        eventually(lambda: seen.update(place.state()) or seen["ok"], seconds=30, what="the session is up")
    except AssertionError as error:
        raise AssertionError(f"{error}: {seen}") from error
    return place


def test_an_answer_with_a_tool_comes_whole_with_its_evidence(place: Place) -> None:
    (place.workdir / "data.csv").write_text("id,state\nc47bd2,OPEN\n")
    events = place.turn(f"in:{place.workdir} scene:read")
    assert events[-1].name == "end", events[-1].data
    assert text_of(events).startswith("Let me look.\n\nFound it")
    assert last(events, "evidence").data["observed_tools"] == ["Read"]
    assert events[-1].data["usage"]["output_tokens"] == 40
    assert [event.id for event in events] == list(range(1, len(events) + 1))


@with_permissions
@pytest.mark.parametrize(("value", "outcome"), [("allow", "done"), ("deny", "refused")])
def test_a_permission_is_answered_from_outside(place: Place, value: str, outcome: str) -> None:
    written = place.workdir / "written.txt"
    written.unlink(missing_ok=True)
    events = place.answered(f"in:{place.workdir} scene:permission", value=value)
    assert text_of(events).endswith(f"It was {outcome}.")
    assert written.exists() == (value == "allow")
    assert last(events, "interrupt_resolved").data["by"] == "page"


def test_a_choice_reaches_claude(place: Place) -> None:
    assert "Blue" in text_of(place.answered("scene:question", value="Blue"))


def test_a_question_that_is_cancelled_lets_claude_go_on(place: Place) -> None:
    assert "gave no reply" in text_of(place.answered("scene:question", cancel=True))


def test_an_answer_that_does_not_fit_is_refused_and_the_question_stays(place: Place) -> None:
    turn_id = place.ask("scene:question")
    for event in place.world.follow(turn_id):
        if event.name == "interrupt":
            for interrupt_id, value, status in [("nope", "Red", 404), (event.data["id"], 7, 422)]:
                refused = place.world.post(f"stream/{turn_id}/answer", {"interrupt_id": interrupt_id, "value": value})
                assert refused.status_code == status, refused.text
            place.world.post(f"stream/{turn_id}/answer", {"interrupt_id": event.data["id"], "value": "Red"})
    assert event.name == "end"


@pytest.mark.parametrize("moment", ["sent", "content_delta"])
def test_stop_takes_and_the_next_question_is_answered(place: Place, moment: str) -> None:
    turn_id = place.ask("scene:slow")
    events, stopped = [], False
    for event in place.world.follow(turn_id):
        events.append(event)
        if not stopped and moment in (event.name, event.data.get("phase")):
            stopped = True
            assert place.world.post(f"stream/{turn_id}/abort").json() == {"aborted": True}
    assert events[-1].data.get("aborted") is True, events[-1].data
    assert text_of(place.turn("And now?")).startswith("You said")


def test_a_second_question_waits_for_the_first(place: Place) -> None:
    turn_id = place.ask("scene:slow")
    refused = place.world.post("turn", {"session_id": place.session, "user_message": "me too"})
    assert (refused.status_code, refused.json()["error"]["turn_id"]) == (409, turn_id)
    place.world.post(f"stream/{turn_id}/abort")
    assert list(place.world.follow(turn_id))[-1].data["aborted"]


def test_reset_begins_a_new_conversation(place: Place) -> None:
    place.turn("one")
    assert place.world.post("reset", {"session_id": place.session}).status_code == 200
    assert text_of(place.turn("scene:remember")) == "I remember 1 prompts."


def test_an_error_of_the_api_says_what_to_do(place: Place) -> None:
    [*_, end] = place.turn("scene:failure")
    assert end.name == "error"
    assert end.data["hint"]
    assert text_of(place.turn("And now?")).startswith("You said")


def test_the_history_has_the_turn_and_where_it_ran(place: Place) -> None:
    events = place.turn("Where are you?")
    [item] = place.world.get(f"history?session_id={place.session}&limit=1")["turns"]
    assert item["response"] == text_of(events)
