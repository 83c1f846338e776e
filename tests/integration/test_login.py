"""Without a login: health and the turn say so, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.worlds.world import World, eventually


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


def stand_in(folder: Path, says: str) -> Path:
    """For Claude Code: the real one asks its maker's servers at a first start without a key."""
    program = folder / "claude"
    program.write_text(f"""#!/bin/sh
if [ "$1 $2" = 'auth status' ]; then echo '{{"loggedIn": false}}'; exit 1; fi
{says}
""")
    program.chmod(0o755)
    return program


@pytest.mark.long
def test_when_nobody_has_logged_in_before_a_first_start_that_asks_things_names_the_login(
    tmp_path: Path, api: tuple[ScriptedApi, str]
) -> None:
    program = stand_in(tmp_path, "stty -icanon -echo; echo 'Choose the text style that looks best'; exec sleep 60")
    for world in make_world(tmp_path, program, api):
        world.start()
        part = eventually(
            lambda world=world: (claude := world.get("health")["parts"][0])["state"] == "not_logged_in" and claude,
            what="health names the login",
        )
        assert part["ok"] is False
        assert "paliadin attach" in part["hint"]
        [*_, end] = world.turn("hello")
        assert (end.name, end.data["code"]) == ("error", "not_logged_in")


def test_what_a_claude_that_cannot_start_says_is_passed_on(tmp_path: Path, api: tuple[ScriptedApi, str]) -> None:
    # Of a program that ends at once tmux 3.3a shows nothing, once in 60 times; after 0.05 s it never lost anything.
    says = "echo 'Unable to connect to services'; echo 'Check your network'; sleep 0.3; exit 1"
    program = stand_in(tmp_path, says)
    for world in make_world(tmp_path, program, api):
        world.start()
        part = eventually(
            lambda world=world: (
                (claude := world.get("health")["parts"][0])["state"] == "dead"
                and "It said" in claude["message"]
                and claude
            ),
            what="health tells what it said",
        )
        assert "Unable to connect" in part["message"]
        [*_, end] = world.turn("hello")
        logged = (world.root / "daemon.log").read_text()
        assert (end.name, end.data["code"]) == ("error", "pane_died"), logged[-4000:]
        assert "Unable to connect" in end.data["message"]
