"""The owner's editor mode "vim", wherever it is set: Escape, which stops a turn, must not turn keys into commands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.worlds.turns import asked_for
from tests.worlds.world import World, text_of

VIM = {"editorMode": "vim"}
MOMENTS = {"slow": "content_delta", "thinking": "meta", "permission": "interrupt"}


@pytest.fixture
def of_vim(tmp_path: Path, claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    """A world whose owner has chosen vim in each file that has a say."""
    for world in make_world(tmp_path, claude, api):
        for path in _files(world):
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps((json.loads(path.read_text()) if path.exists() else {}) | VIM))
        world.start()
        yield world


def _files(world: World) -> list[Path]:
    own, project = world.root / "claude", world.workdir / ".claude"
    return [
        own / ".claude.json",
        own / ".claude/settings.json",
        project / "settings.json",
        project / "settings.local.json",
    ]


@pytest.mark.long
def test_after_a_stop_a_question_arrives_as_it_was_written_also_where_the_owner_has_chosen_vim(
    of_vim: World, api: tuple[ScriptedApi, str]
) -> None:
    for scene, moment in MOMENTS.items():
        turn_id = of_vim.ask(f"in:{of_vim.workdir} scene:{scene}")
        for event in of_vim.follow(turn_id):
            if event.name == moment:
                of_vim.post(f"stream/{turn_id}/abort")
        question = f"dd 0 x u: after {scene}, :q! and j k in {of_vim.root}?"
        assert text_of(of_vim.turn(question)).startswith("You said"), scene
        assert asked_for(api, question) == 1, scene
    assert all(json.loads(path.read_text())["editorMode"] == "vim" for path in _files(of_vim)), "it is the owner's"
