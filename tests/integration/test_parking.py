"""Claudes that nobody needs are parked, come back with their conversation, and never run in greater number than may."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.worlds.world import World, eventually, text_of

Api = tuple[ScriptedApi, str]


def claudes(world: World) -> list[int]:
    """The processes of this world's Claude Code, and what they started: all that have its HOME."""
    home = f"HOME={world.environment['HOME']}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if home in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def state(world: World, session: str = "main") -> str:
    part = world.get(f"health?session_id={session}")["parts"][0]
    return str(part["state"])


@pytest.fixture
def quiet(tmp_path: Path, claude: Path, api: Api) -> Iterator[World]:
    """A world whose Claudes are parked soon, with each Claude Code."""
    for world in make_world(tmp_path, claude, api):
        world.options["PARK_AFTER"] = "1"
        yield world


def test_a_quiet_claude_is_parked_and_comes_back_with_its_conversation(quiet: World) -> None:
    quiet.start()
    assert text_of(quiet.turn("scene:remember")) == "I remember 1 prompts."
    eventually(lambda: state(quiet) == "parked", 10)
    assert claudes(quiet) == []
    assert quiet.get("health")["ok"]
    assert text_of(quiet.turn("scene:remember")) == "I remember 2 prompts."
