"""A session on another host: real ssh, a real sshd, the real Claude Code at the far end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.config import ensure_home
from paliadin.remote import Remote, save_remote
from paliadin.scripted.server import ScriptedApi
from tests.far import Far
from tests.integration.conftest import make_world
from tests.world import World, eventually, last, text_of

pytestmark = pytest.mark.timeout(120)
FAR = "main@far"


@pytest.fixture(scope="module")
def far(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[Far]:
    far = Far(tmp_path_factory.mktemp("far"), one_claude, api[1])
    far.start()
    yield far
    far.close()


@pytest.fixture(scope="module")
def near(
    tmp_path_factory: pytest.TempPathFactory, far: Far, one_claude: Path, api: tuple[ScriptedApi, str]
) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("near"), one_claude, api):
        ensure_home(world.settings)
        save_remote(world.settings.home, Remote("far", far.destination, options=tuple(far.options)))
        world.start()
        eventually(lambda world=world: state(world)["state"] != "unreachable", seconds=20, what="the line stands")
        yield world


def state(world: World) -> dict:
    [found] = [session for session in world.get("sessions")["sessions"] if session["name"] == FAR]
    return found


def test_a_question_is_answered_by_the_claude_on_the_other_host(near: World, far: Far) -> None:
    turn_id = near.ask(f"in:{far.workdir} scene:tool", session_id=FAR)
    events = list(near.follow(turn_id))
    assert events[-1].name == "end", events[-1].data
    assert last(events, "tool_result").data["ok"] is True
    assert text_of(events)
    [item] = near.get(f"history?session_id={FAR}&limit=1")["turns"]
    assert item["turn_id"] == turn_id


def test_the_mirror_of_the_log_is_the_same_bytes(near: World, far: Far) -> None:
    turn_id = near.ask("hello", session_id=FAR)
    assert list(near.follow(turn_id))[-1].name == "end"
    [here] = near.settings.response_dir.glob(f"*/{turn_id}/events.jsonl")
    [there] = (far.shim_home / "turns").glob(f"*/{turn_id}/events.jsonl")
    assert here.read_bytes() == there.read_bytes()
