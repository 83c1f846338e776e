"""What Claude Code reports of itself reaches the conversation's item; model and mode are changed while it is idle."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import httpx2
import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.terminal.screen import State, read_screen
from tests.integration.conftest import make_world
from tests.worlds.world import World, eventually

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory, claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    """A daemon whose owner has a status line, which draws a row and keeps what it is given."""
    for world in make_world(tmp_path_factory.mktemp("office"), claude, api):
        command = f"tee {world.root}/owners.json >/dev/null; printf 'The row of %s' \"$USER_OF_ROW\""
        folder = world.workdir / ".claude"
        folder.mkdir(parents=True)
        (folder / "settings.json").write_text(
            json.dumps({"statusLine": {"type": "command", "command": command}, "env": {"USER_OF_ROW": "the owner's"}})
        )
        world.start()
        world.turn("Hello")
        yield world


def item(world: World) -> dict[str, Any]:
    return next(each for each in world.get("conversations")["conversations"] if each["id"] == "main")


def change(world: World, **fields: object) -> httpx2.Response:
    with world.client() as client:
        return client.patch("/api/paliadin/conversations/main", json=fields)


def shown_mode(world: World) -> str:
    return read_screen(world.screen()).mode


def test_the_figures_are_those_that_claude_code_hands_over(office: World) -> None:
    office.turn("How much was that?")

    def figures() -> bool:
        handed = json.loads((office.root / "owners.json").read_text("utf-8"))
        known = item(office)
        return bool(known["cost"]) and (
            known["model"],
            known["model_name"],
            known["context_used"],
            known["cost"],
            Path(known["folder"].replace("~", office.environment["HOME"])),
        ) == (
            handed["model"]["id"],
            handed["model"]["display_name"],
            handed["context_window"]["used_percentage"],
            handed["cost"]["total_cost_usd"],
            Path(handed["cwd"]),
        )

    eventually(figures, 20, "the item has what Claude Code handed to the owner's status line")
    assert item(office)["permission_mode"] == "default"


def test_the_owners_status_line_draws_its_row(office: World) -> None:
    eventually(lambda: "The row of" in read_screen(office.screen()).text, what="the owner's row")
    assert read_screen(office.screen()).state is State.READY


def test_another_model_answers_the_same_conversation_and_the_cost_goes_on(office: World) -> None:
    before, asked = item(office), len(office.api.requests)
    offered = office.get("conversations/main/offers")
    other = next(each["id"] for each in offered["models"] if each["id"] not in {"default", before["model"]})
    changed = change(office, model=other)
    assert changed.status_code == 200, changed.text
    office.turn("Who are you now?")
    [*_, (_, conversation)] = office.api.requests
    assert other.removesuffix("[1m]") in conversation.model
    assert "Hello" in str(conversation)
    assert len(office.api.requests) == asked + 1
    eventually(lambda: (item(office)["cost"] or 0) > before["cost"], 20, "it costs more than before")
    assert other.removesuffix("[1m]") in item(office)["model"]
    assert change(office, model=None).status_code == 200
    office.turn("And now?")
    assert office.api.requests[-1][1].model == office.api.requests[asked - 1][1].model


def test_another_permission_mode_is_claudes_at_once(office: World) -> None:
    changed = change(office, permission_mode="plan")
    assert (changed.status_code, changed.json().get("permission_mode")) == (200, "plan"), changed.text
    eventually(lambda: shown_mode(office) == "plan", 20, "Claude is in plan mode")
    office.turn("Plan something")
    assert item(office)["permission_mode"] == "plan"
    assert change(office, permission_mode=None).json()["permission_mode"] == "default"
    eventually(lambda: shown_mode(office) == "default", 20, "Claude is back")


def test_nothing_is_changed_in_mid_turn_nor_to_what_is_not_offered(office: World) -> None:
    running = office.ask("scene:slow change")
    for fields in ({"model": "sonnet"}, {"permission_mode": "plan"}):
        refused = change(office, **fields)
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "turn_in_flight")
    office.post(f"stream/{running}/abort")
    list(office.follow(running))
    wrong: tuple[dict[str, object], ...] = (
        {"model": "no-such-model"}, {"model": "--help"}, {"model": 7}, {"permission_mode": "root"},
        {"permission_mode": []}, {"model": "x" * 10_000}, {"model": "sonnet", "title": ""},
    )  # fmt: skip
    for fields in wrong:
        assert change(office, **fields).status_code == 422, fields
    assert item(office)["permission_mode"] == "default"


@pytest.mark.long
def test_a_question_that_claude_put_back_hinders_no_change(office: World) -> None:
    """Claude Code does so, some time later, where a question was stopped before its answer began."""
    asked = office.turn("About nothing")[0].data["turn_id"]
    with office.drafting(f"[PALIADIN:{asked}] About nothing"):
        changed = change(office, permission_mode="plan")
        assert changed.status_code == 200, changed.text
        eventually(lambda: shown_mode(office) == "plan", 20, "Claude is in plan mode")
    assert change(office, permission_mode=None).status_code == 200
    eventually(lambda: shown_mode(office) == "default", 20, "Claude is back")


@pytest.mark.first(1)
@pytest.mark.parametrize("draft", ["Half a thought", ""])
def test_shift_tab_in_the_terminal_is_seen(office: World, draft: str) -> None:
    with office.drafting(draft) if draft else nullcontext():
        office.terminal.press(office.pane, "BTab")
        eventually(lambda: shown_mode(office) == "acceptEdits", what="another mode in the terminal")
        office.get("conversations/main")
        assert item(office)["permission_mode"] == "acceptEdits"
    changed = change(office, permission_mode="default")
    assert changed.status_code == 200, changed.text


@pytest.mark.long
def test_where_it_is_off_it_is_not_there(office: World) -> None:
    office.stop()
    office.options["STATUS_LINE"] = "0"
    office.terminal.kill_server()
    office.start()
    office.turn("Hello again")
    assert not {"model", "cost", "context_used"} & set(item(office))
    command_line = next(
        text
        for each in Path("/proc").glob("[0-9]*/cmdline")
        if b"--plugin-dir" in (text := each.read_bytes()) and str(office.root).encode() in text
    )
    assert b"statusLine" not in command_line
