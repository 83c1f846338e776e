"""Where Claude's requests go with live text, and what happens where that is not to be had."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.terminal.screen import State, read_screen
from tests.integration.conftest import make_world
from tests.worlds.world import World, eventually, text_of


@pytest.fixture
def world(tmp_path: Path, claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    """A world of the test's own, with each Claude Code; its daemon is not started yet."""
    for world in make_world(tmp_path, claude, api):
        world.options["LIVE"] = "true"
        yield world


def owners_settings(world: World, **settings: Any) -> None:
    folder = Path(world.environment["HOME"]) / ".claude"
    folder.mkdir(exist_ok=True)
    (folder / "settings.json").write_text(json.dumps(settings))


def nobody() -> str:
    """An address at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}"


def live_part(world: World) -> dict[str, Any]:
    return next(part for part in world.get("health")["parts"] if part["name"] == "live")


@pytest.mark.long
@pytest.mark.first(1)
def test_the_owners_settings_name_the_api_and_a_projects_do_not(world: World, api: tuple[ScriptedApi, str]) -> None:
    owners_settings(world, env={"ANTHROPIC_BASE_URL": api[1]})
    world.environment["ANTHROPIC_BASE_URL"] = nobody()
    (world.workdir / ".claude").mkdir()
    (world.workdir / ".claude" / "settings.json").write_text(json.dumps({"env": {"ANTHROPIC_BASE_URL": nobody()}}))
    world.start()
    events = world.turn("Hello")
    assert text_of([event for event in events if event.id]).startswith("You said")
    assert any(event.name == "preview" for event in events)
    assert live_part(world)["state"] == "on"


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("variables", "reason"),
    [
        ({"ANTHROPIC_BASE_URL": ""}, "127.0.0.1 cannot be reached"),
        ({"CLAUDE_CODE_USE_VERTEX": "1", "CLOUD_ML_REGION": "none"}, "Google Vertex AI"),
    ],
    ids=["unreachable", "vertex"],
)
def test_where_it_cannot_be_had_claude_starts_without_and_health_says_why(
    world: World, variables: dict[str, str], reason: str
) -> None:
    world.environment |= {name: value or nobody() for name, value in variables.items()}
    world.start()
    eventually(lambda: "main" in world.terminal.panes(), 40, "Claude was started")
    eventually(lambda: read_screen(world.screen()).state is State.READY, 40, "Claude waits for a question")
    part = live_part(world)
    assert (part["ok"], part["state"]) == (True, "warning")
    assert reason in part["message"]
    assert list(world.terminal.panes()) == ["main"]
    command = Path(f"/proc/{world.terminal.capture(world.pane).pid}/cmdline").read_bytes().decode().split("\0")
    assert command[command.index("--settings") + 1].startswith("{"), "no file, no address: as without live text"
    assert "Write one sentence per line" in command[command.index("--append-system-prompt") + 1]


@pytest.mark.long
@pytest.mark.any_version
def test_an_owners_slow_stop_hook_holds_the_next_question_back_and_loses_none(world: World) -> None:
    """The page is free before other Stop hooks have run; Claude takes the question when it waits for one."""
    slow = {"hooks": [{"type": "command", "command": "sleep 1.5"}]}
    owners_settings(world, hooks={"Stop": [slow]})
    world.start()
    for number in range(2):
        seen = world.follow(world.ask(f"Question {number}"))
        assert any(event.name == "answered" for event in seen)
        second = list(world.follow(world.ask(f"And another, {number}")))
        assert text_of([event for event in second if event.id]).startswith("You said")
        assert second[-1].name == "end"


def test_what_claude_asks_for_by_itself_is_never_shown(world: World, api: tuple[ScriptedApi, str]) -> None:
    """The suggestion of a next question, and the summary of a conversation that is compacted."""
    world.environment["CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION"] = "1"
    world.start()
    shown = [event for number in range(3) for event in world.turn(f"Hello {number}")]
    eventually(lambda: any("SUGGESTION" in each.user_text for _, each in api[0].requests), 30, "it asks for one")
    world.terminal.type(world.pane, "/compact")
    eventually(lambda: read_screen(world.screen()).draft.strip() == "/compact", what="it is typed")
    world.terminal.press(world.pane, "Enter")
    eventually(lambda: any("TEXT ONLY" in each.user_text for _, each in api[0].requests), 30, "it is compacted")
    eventually(lambda: read_screen(world.screen()).state is State.READY, 30, "it is done")
    shown += world.turn("Hello again")
    texts = {event.data["text"] for event in shown if event.name == "preview" and event.data["text"]}
    assert texts
    assert all(text.startswith(("You said", "\n")) or text in "Tools so far: 0." for text in texts), texts
    eventually(lambda: not list(world.settings.response_dir.glob("*/*/live.jsonl")), what="no preview log is left")
