"""Two hosts with a wire that is cut, slow or bad, and a far end that is a host of its own with an ordinary account."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from paliadin.base.settings import ensure_home
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.ssh.hosts import save_remote
from tests.integration.conftest import make_world
from tests.integration.test_ssh import FAR, asked_for, follow_through, state
from tests.worlds.far import check_mirrored
from tests.worlds.script import STEADY
from tests.worlds.wire import UID, FarHost, check_possible
from tests.worlds.world import Event, World, eventually, text_of

pytestmark = pytest.mark.timeout(180)
Api = tuple[ScriptedApi, str]
SOON = ("-o", "ServerAliveInterval=1", "-o", "ServerAliveCountMax=2")  # else 15 s until ssh gives a line up


@pytest.fixture(scope="module")
def host(one_claude: Path, api: Api) -> Iterator[FarHost]:
    check_possible()
    root = Path(tempfile.mkdtemp(prefix="paliadin-far-"))
    host = FarHost(root, one_claude, api[1])
    try:
        host.start()
        yield host
    finally:
        host.close()


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, host: FarHost, one_claude: Path, api: Api) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("near"), one_claude, api):
        ensure_home(world.settings)
        save_remote(world.settings.home, host.remote(options=(*SOON, *host.options)))
        world.start()
        yield world


@pytest.fixture
def near(both: World, host: FarHost) -> Iterator[World]:
    eventually(lambda: state(both)["ok"], 60, "the session is up")
    yield both
    host.wire.is_cut, host.wire.delay, host.wire.loss = False, 0.0, 0.0


def check_whole(near: World, host: FarHost, api: Api, turn_id: str, events: list[Event]) -> None:
    """Every event once and in its order, the same bytes on both sides, asked once."""
    if events[-1].name == "end" and "Line" in text_of(events):
        assert text_of(events).splitlines() == STEADY
    assert [event.id for event in events] == list(range(1, len(events) + 1))
    [here] = near.settings.response_dir.glob(f"*/{turn_id}/events.jsonl")
    [there] = (host.shim_home / "turns").glob(f"*/{turn_id}/events.jsonl")
    check_mirrored(here, there)
    assert asked_for(api, turn_id) == 1


def cut_until_it_is_noticed(near: World, host: FarHost) -> None:
    host.wire.is_cut = True
    eventually(lambda: state(near)["state"] == "unreachable", 30, "the lost line is noticed")
    health = near.get(f"health?session_id={FAR}")["parts"][0]
    assert (health["ok"], health["host"]) == (False, "far")
    assert "trying again" in health["message"]
    assert health["retry_at"] > 1000 * (time.time() - 60)
    host.wire.is_cut = False


def cut_for_a_second(_near: World, host: FarHost) -> None:
    host.wire.is_cut = True
    time.sleep(1)
    host.wire.is_cut = False


@pytest.mark.parametrize("cut", [cut_for_a_second, pytest.param(cut_until_it_is_noticed, marks=pytest.mark.matrix)])
def test_a_wire_that_is_cut_in_mid_answer_loses_and_doubles_nothing(
    near: World, host: FarHost, api: Api, cut: Callable[[World, FarHost], None]
) -> None:
    turn_id = near.ask(f"scene:steady {cut.__name__}", session_id=FAR)
    events = follow_through(near, turn_id, 3, lambda: cut(near, host))
    assert events[-1].name == "end", events[-1].data
    check_whole(near, host, api, turn_id, events)
    assert near.turn("And now?", session_id=FAR)[-1].name == "end"


@pytest.mark.long
def test_a_slow_wire_that_loses_packets_carries_every_event_once(near: World, host: FarHost, api: Api) -> None:
    host.wire.delay, host.wire.loss, before = 0.1, 0.05, host.wire.lost
    for number in range(3):
        turn_id = near.ask(f"scene:steady bad wire {number}", session_id=FAR)
        events = list(near.follow(turn_id))
        assert events[-1].name == "end", events[-1].data
        check_whole(near, host, api, turn_id, events)
    assert host.wire.lost > before


def test_a_question_asked_just_before_the_wire_is_cut_is_typed_once(near: World, host: FarHost, api: Api) -> None:
    host.wire.delay = 0.2  # the request is on its way, the answer is not here
    turn_id = near.ask("typed once", session_id=FAR)
    time.sleep(0.05)
    cut_until_it_is_noticed(near, host)
    host.wire.delay = 0.0
    events = list(near.follow(turn_id))
    assert events[-1].name == "end", events[-1].data
    check_whole(near, host, api, turn_id, events)


def test_a_question_and_a_stop_for_a_host_that_is_away_are_refused(near: World, host: FarHost) -> None:
    turn_id = near.ask("scene:steady to be stopped", session_id=FAR)
    for event in near.follow(turn_id):
        if event.name == "content_delta":
            break
    host.wire.is_cut = True
    eventually(lambda: state(near)["state"] == "unreachable", 30, "the line is lost")
    refused = near.post(f"stream/{turn_id}/abort")
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "relay_unreachable")
    busy = near.post("turn", {"session_id": FAR, "user_message": "and this?"})
    assert busy.json()["error"]["code"] == "turn_in_flight"
    host.wire.is_cut = False
    eventually(lambda: near.post(f"stream/{turn_id}/abort").is_success, 30, "the line is back")
    last = list(near.follow(turn_id))[-1]
    assert last.name == "end", last.data


@pytest.mark.long
def test_a_host_that_was_started_anew_says_what_became_of_the_turn_and_goes_on(
    near: World, host: FarHost, api: Api
) -> None:
    turn_id = near.ask("scene:steady rebooted", session_id=FAR)
    events = []
    for event in near.follow(turn_id):
        events.append(event)
        if [item.name for item in events].count("content_delta") == 3:
            break
    host.power_off()
    eventually(lambda: state(near)["state"] == "unreachable", 30, "the lost line is noticed")
    host.start()
    events += near.follow(turn_id, len(events))
    assert (events[-1].name, events[-1].data.get("code")) == ("error", "pane_died"), events[-3:]
    check_whole(near, host, api, turn_id, events)
    assert near.turn("And now?", session_id=FAR)[-1].name == "end"


def test_it_runs_there_as_an_ordinary_user_behind_a_chatty_shell_and_with_no_path(near: World, host: FarHost) -> None:
    assert near.turn("Hello", session_id=FAR)[-1].name == "end"
    assert Path(f"/proc/{host.shim_pid()}").stat().st_uid == UID
    assert "PATH" not in host.environment
    login = host.ssh("true", key=host.root / "own_key")
    assert b"Welcome to this host" in login.stdout
    assert text_of(near.turn("And now?", session_id=FAR)).startswith("You said")
