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


@pytest.mark.parametrize(
    ("says", "hint"),
    [
        ("stty -icanon -echo; echo 'Choose the text style that looks best'; exec sleep 60", "paliadin attach"),
        ("echo 'Unable to connect'; exit 1", "Run `claude` in a terminal"),
    ],
)
def test_when_nobody_has_logged_in_before_a_first_start_that_asks_or_ends_names_the_login(
    tmp_path: Path, api: tuple[ScriptedApi, str], says: str, hint: str
) -> None:
    """A stand-in for Claude Code: the real one asks its maker's servers at a first start without a key."""
    program = tmp_path / "claude"
    program.write_text(f"""#!/bin/sh
if [ "$1 $2" = 'auth status' ]; then echo '{{"loggedIn": false}}'; exit 1; fi
{says}
""")
    program.chmod(0o755)
    for world in make_world(tmp_path, program, api):
        world.start()
        part = eventually(
            lambda world=world: (told := world.get("health")["parts"][0])["state"] == "not_logged_in" and told,
            what="health names the login",
        )
        assert part["ok"] is False
        assert hint in part["hint"]
        [*_, end] = world.turn("hello")
        assert (end.name, end.data["code"]) == ("error", "not_logged_in")
