from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.cluster import remove_database
from tests.conftest import need
from tests.worlds.world import World

_numbers = itertools.count()


def make_world(tmp: Path, claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    need("tmux")
    root = tmp / f"w{next(_numbers)}"
    world = World(root, claude, *api)
    try:
        yield world
    finally:
        world.close()
        remove_database(root / "home")
        shutil.rmtree(root, ignore_errors=True)


@pytest.fixture(scope="module")
def module_world(
    tmp_path_factory: pytest.TempPathFactory, claude: Path, api: tuple[ScriptedApi, str]
) -> Iterator[World]:
    """A running daemon for the tests of a module, once with each Claude Code."""
    for world in make_world(tmp_path_factory.mktemp("shared"), claude, api):
        world.start()
        yield world


@pytest.fixture
def shared(module_world: World) -> World:
    """That daemon, at rest: a test that failed in mid-turn does not take the others along."""
    running = module_world.get("history?session_id=main&limit=1")["running_turn"]
    if running:
        module_world.post(f"stream/{running}/abort")
        list(module_world.follow(running))
    return module_world


@pytest.fixture
def fresh_world(tmp_path: Path, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    """A world of the test's own; the daemon is not started yet."""
    yield from make_world(tmp_path, one_claude, api)


@pytest.fixture
def world(fresh_world: World) -> World:
    """The same under its usual name; a module may share one world under that name instead."""
    return fresh_world
