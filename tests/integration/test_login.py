"""Without a login: health and the turn say so, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.scripted.server import ScriptedApi
from tests.integration.conftest import make_world
from tests.world import World, eventually


@pytest.fixture
def nobody(tmp_path: Path, claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    """A world whose Claude Code has no key and no login."""
    for world in make_world(tmp_path, claude, api):
        del world.environment["ANTHROPIC_API_KEY"]
        world.start()
        yield world


def test_without_a_login_health_and_the_turn_say_what_to_do(nobody: World) -> None:
    def claude_part() -> dict | None:
        part = nobody.get("health")["parts"][0]
        return part if part["state"] == "not_logged_in" else None

    part = eventually(claude_part, what="health knows that nobody is logged in")
    assert part["ok"] is False
    assert "/login" in part["hint"]
    [*_, end] = nobody.turn("hello")
    assert (end.name, end.data["code"]) == ("error", "not_logged_in")
    assert "/login" in end.data["hint"]
