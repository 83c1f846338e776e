"""Several `paliadin up --role web` on one state folder: any of them serves, and one takes over from one that ends."""

from __future__ import annotations

import contextlib
import json
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.worlds.workers import Workers, hired, large_server
from tests.worlds.world import Event, World, text_of

BROKEN_OFF = (httpx2.RemoteProtocolError, httpx2.ReadError)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("webs")
    with large_server(folder / "server") as dsn:
        for world in make_world(folder, one_claude, api):
            world.options |= {"RELAY": "messages", "API_URL": api[1], "API_KEY": "key-of-the-tests"}
            world.options |= {"ROLE": "web", "DATABASE_URL": dsn}
            world.start()
            world.agree()
            yield world


@pytest.fixture
def world(shared: World) -> World:
    """It leads."""
    if shared.process is None:
        shared.start()
    return shared


@pytest.fixture
def staff(world: World) -> Iterator[Workers]:
    """A worker; the web processes of a test end with it."""
    with hired(world) as workers:
        workers.hire()
        yield workers


def seen_until_it_breaks(world: World, turn_id: str) -> Iterator[Event]:
    with contextlib.suppress(*BROKEN_OFF):
        yield from world.follow(turn_id)


def numbers(events: list[Event]) -> list[int | None]:
    return [event.id for event in events]


def test_both_serve_the_same(world: World, staff: Workers) -> None:
    second = staff.stand_by()
    asked_there, asked_here = second.ask("Hello"), [*world.turn("In between", session_id=new(world))]
    assert asked_here[-1].name == "end", asked_here[-1].data
    there, here = [*second.follow(asked_there)], [*world.follow(asked_there)]
    assert [(event.id, event.name, event.data) for event in there] == [
        (event.id, event.name, event.data) for event in here
    ]
    assert text_of(there).startswith("You said")
    assert second.get("conversations") == world.get("conversations")
    with second.client(headers={"Authorization": "Bearer somebody"}) as stranger:
        assert stranger.get("/api/paliadin/conversations").status_code == 401
    with second.client() as client:
        assert "Paliadin's page needs JavaScript" in client.get("/paliadin").text
    assert staff.end(staff.webs[0]) == 0
    assert "Traceback" not in "".join(text for _, text in staff.evidence(""))


@pytest.mark.parametrize("how", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_the_leader_ends_in_mid_turn_and_its_streams_go_on(world: World, staff: Workers, how: int) -> None:
    second = staff.stand_by()
    turn_id, seen = second.ask("scene:steady"), []
    for event in seen_until_it_breaks(second, turn_id):
        seen.append(event)
        if event.name == "content_delta" and world.process:
            world.stop(how)
    assert seen[-1].name == "content_delta", "the answer has not ended yet"
    assert seen[-1].id is not None
    asked = second.ask("Meanwhile", session_id=new(second))
    seen += second.follow(turn_id, after=seen[-1].id)
    assert numbers(seen) == list(range(1, len(seen) + 1))
    assert seen[-1].name == "end", seen[-1].data
    assert text_of(seen) == text_of([*second.follow(turn_id)])
    assert [*second.follow(asked)][-1].name == "end"
    published = json.loads((world.settings.home / "daemon.json").read_text())
    assert (published["pid"], published["port"]) == (staff.webs[-1].pid, int(second.options["PORT"]))


@pytest.mark.long
def test_of_two_that_stand_by_one_takes_over(world: World, staff: Workers) -> None:
    others = [staff.stand_by(), staff.stand_by()]
    world.stop(signal.SIGKILL)
    for each in others:
        assert text_of(each.turn("Hello", session_id=new(each))).startswith("You said")
    led = json.loads((world.settings.home / "daemon.json").read_text())["pid"]
    place = next(number for number, web in enumerate(staff.webs) if web.pid == led)
    staff.end(staff.webs[place], signal.SIGKILL)
    last = others[1 - place]
    assert text_of(last.turn("And now?", session_id=new(last))).startswith("You said")


@pytest.mark.long
def test_one_that_stood_by_ends_and_its_clients_go_on_at_the_leader(world: World, staff: Workers) -> None:
    second = staff.stand_by()
    turn_id, seen = second.ask("scene:steady"), []
    for event in seen_until_it_breaks(second, turn_id):
        seen.append(event)
        if event.name == "content_delta" and staff.webs:
            staff.end(staff.webs[0], signal.SIGKILL)
    assert seen[-1].id is not None
    seen += world.follow(turn_id, after=seen[-1].id)
    assert numbers(seen) == list(range(1, len(seen) + 1))
    assert seen[-1].name == "end", seen[-1].data


@pytest.mark.long
def test_what_was_changed_at_one_is_there_after_the_other_has_taken_over(world: World, staff: Workers) -> None:
    second = staff.stand_by()
    session = new(world)
    with world.client() as client:
        assert client.patch(f"/api/paliadin/conversations/{session}", json={"title": "Wombats"}).status_code == 200
    world.stop(signal.SIGKILL)
    listed = second.get("conversations")["conversations"]
    assert "Wombats" in [each["title"] for each in listed if each["id"] == session]


def new(world: World) -> str:
    return str(world.post("conversations").json()["id"])
