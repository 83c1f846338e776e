"""Who may choose a conversation's model and permission mode, and what becomes of a choice that cannot be had."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from paliadin.base.audit import read_audit_log
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.terminal.screen import read_screen
from tests.integration.conftest import make_world
from tests.integration.test_members import Person
from tests.integration.test_parking import attached, claudes
from tests.integration.test_status_line import change, item, shown_mode
from tests.worlds.door import APP
from tests.worlds.world import World, eventually

pytestmark = pytest.mark.timeout(120)
BYPASS = {"permission_mode": "bypassPermissions"}
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="Claude Code refuses this mode to root alone")


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory, claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("office"), claude, api):
        world.options |= {"ALLOWED_ORIGINS": APP, "OWNER": "olivia"}
        world.start()
        world.turn("scene:remember")
        yield world


def error(response: httpx2.Response) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def on_the_command_line(world: World, body: dict[str, Any]) -> httpx2.Response:
    transport = world.command_transport()
    with httpx2.Client(transport=transport, base_url="http://paliadin", timeout=60) as client:
        return client.patch("/api/paliadin/conversations/main", json=body)


@pytest.mark.long
@pytest.mark.any_version
def test_a_mode_is_not_chosen_on_the_command_line_which_a_command_of_claudes_could_use(office: World) -> None:
    assert error(on_the_command_line(office, BYPASS)) == (403, "permission_elsewhere")
    assert error(on_the_command_line(office, BYPASS | {"model": "haiku", "title": "x"})) == (
        403,
        "permission_elsewhere",
    )
    assert (item(office)["permission_mode"], item(office)["title"]) == ("default", "scene:remember")
    assert on_the_command_line(office, {"model": "haiku"}).status_code == 200
    assert change(office, model=None).status_code == 200


@pytest.mark.long
@pytest.mark.any_version
@pytest.mark.first(1)
@pytest.mark.parametrize("name", ["anna", "olivia"])
def test_in_a_drawer_nothing_is_chosen_and_nothing_of_it_is_told(office: World, name: str) -> None:
    person = Person(office, name)
    person.answer("Hello?")
    for body in ({"model": "haiku"}, BYPASS, {"model": None}):
        assert person.request("PATCH", "conversations/main", body).status_code == 403
    shown = person.request("GET", "conversations").json()["conversations"]
    assert shown
    assert not any({"model", "permission_mode", "folder", "context_used", "cost"} & set(each) for each in shown)


@pytest.mark.any_version
def test_a_members_claude_is_nobodys_to_change(office: World) -> None:
    Person(office, "anna").answer("Hello?")
    [session] = [each["name"] for each in office.get("sessions")["sessions"] if each["name"].startswith("anna-")]
    with office.client() as client:
        response = client.patch(f"/api/paliadin/conversations/{session}", json=BYPASS)
    assert error(response) == (422, "invalid_field")


def test_a_claude_that_somebody_looks_at_is_not_ended_and_keeps_what_it_has(office: World) -> None:
    office.turn("Hello")
    before = claudes(office)
    with attached(office):
        assert error(change(office, permission_mode="plan")) == (503, "terminal_in_use")
    with office.drafting("a draft"):
        assert error(change(office, model="haiku")) == (503, "terminal_in_use")
    assert item(office)["permission_mode"] == "default"
    assert claudes(office) == before
    assert not (office.settings.sessions_dir / "main" / "options.json").exists() or "before" not in options(office)


def options(world: World) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads((world.settings.sessions_dir / "main" / "options.json").read_text())
    return kept


def kill(world: World) -> None:
    """Kill Claude; a daemon that has just begun starts another one if it had not looked for one yet."""
    pid = world.terminal.capture(world.pane).pid
    os.kill(pid, signal.SIGKILL)

    def is_another() -> bool:
        pane = world.terminal.panes().get("main")
        return pane is not None and world.terminal.capture(pane).pid != pid

    eventually(lambda: item(world)["state"] == "parked" or is_another(), what="its Claude is gone")


@AS_ROOT
@pytest.mark.long
def test_a_mode_that_claude_code_does_not_start_with_is_taken_back_and_told(office: World) -> None:
    office.turn("Hello")
    refused = change(office, **BYPASS)
    assert error(refused) == (409, "options_refused")
    assert "root" in refused.json()["error"]["message"]
    assert item(office)["permission_mode"] == "default"
    [*_, answer] = office.turn("scene:remember")
    assert answer.name == "end"


@pytest.mark.long
@AS_ROOT
@pytest.mark.any_version
def test_one_that_was_chosen_while_no_claude_ran_is_told_with_the_next_question(office: World) -> None:
    kill(office)
    assert change(office, **BYPASS).json()["permission_mode"] == "bypassPermissions"
    [*_, failed] = office.turn("Hello")
    assert (failed.name, failed.data["code"]) == ("error", "options_refused")
    [*_, answer] = office.turn("Hello")
    assert answer.name == "end"
    assert item(office)["permission_mode"] == "default"


@pytest.mark.long
def test_what_was_chosen_outlives_the_daemon_and_a_crash_of_claude(office: World) -> None:
    assert change(office, permission_mode="plan").status_code == 200
    office.restart()
    kill(office)
    office.turn("Hello")
    assert item(office)["permission_mode"] == "plan"
    assert change(office, permission_mode=None).json()["permission_mode"] == "default"


@pytest.mark.any_version
def test_each_choice_is_in_the_audit_log_and_a_title_is_not(office: World) -> None:
    with office.client() as client:
        client.patch("/api/paliadin/conversations/main", json={"title": "A title"})
    assert change(office, model="haiku").status_code == 200
    assert change(office, model=None).status_code == 200
    noted = [entry for entry in read_audit_log(office.settings.home) if entry["event"] == "configured"]
    assert [entry["model"] for entry in noted[-2:]] == ["haiku", None]
    assert "A title" not in str(noted)


@AS_ROOT
@pytest.mark.long
def test_the_yes_that_claude_code_wants_once_is_asked_for_in_its_terminal_and_the_choice_is_kept(
    tmp_path: Path, claude: Path, api: tuple[ScriptedApi, str]
) -> None:
    """As it is for everybody but root, whom Claude Code takes to be in a sandbox here."""
    for world in make_world(tmp_path, claude, api):
        world.environment["IS_SANDBOX"] = "1"
        world.start()
        world.turn("Hello")
        assert change(world, **BYPASS).json()["permission_mode"] == "bypassPermissions"
        [*_, asked] = world.turn("Hello")
        assert (asked.name, asked.data["code"]) == ("error", "dialog_open")
        assert "Yes, I accept" in asked.data["message"]
        assert "paliadin attach" in asked.data["hint"]
        assert change(world, permission_mode=None).json()["permission_mode"] == "default"
        assert world.turn("Hello")[-1].name == "end"
        assert change(world, **BYPASS).status_code == 200
        eventually(lambda world=world: "Yes, I accept" in world.screen())  # type: ignore[misc]
        time.sleep(0.5)  # it does not take keys at once
        world.terminal.press(world.pane, "Down")
        eventually(lambda world=world: re.search(r"❯ (2\. )?Yes", read_screen(world.screen()).text))  # type: ignore[misc]
        world.terminal.press(world.pane, "Enter")
        eventually(lambda world=world: shown_mode(world) == "bypassPermissions")  # type: ignore[misc]
        assert world.turn("Hello")[-1].name == "end"
        assert item(world)["permission_mode"] == "bypassPermissions"
