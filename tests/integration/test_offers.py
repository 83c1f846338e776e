"""What the real Claude Code offers is listed without a request to the API, a file or a program of the folder's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.offers import Offers
from tests.integration.conftest import make_world
from tests.worlds.terminal import Terminal
from tests.worlds.world import World

pytestmark = pytest.mark.timeout(120)
Api = tuple[ScriptedApi, str]


def furnish(world: World) -> None:
    """A folder with a command of its own, and with settings that would run programs."""
    folder = world.workdir / ".claude"
    (folder / "commands").mkdir(parents=True)
    (folder / "commands" / "mine.md").write_text(
        "---\ndescription: Do\u202e my thing\nargument-hint: <file>\n---\nDo $1", "utf-8"
    )
    note = f"touch {world.root}/ran-"
    hook = {"hooks": [{"type": "command", "command": f"{note}hook"}]}
    settings = {"hooks": {"SessionStart": [hook], "Setup": [hook]}, "apiKeyHelper": f"{note}helper; echo sk-x"}
    (folder / "settings.json").write_text(
        json.dumps(settings | {"statusLine": {"type": "command", "command": f"{note}status"}})
    )
    server = {"command": "sh", "args": ["-c", f"{note}server; sleep 5"]}
    (world.workdir / ".mcp.json").write_text(json.dumps({"mcpServers": {"data": server}}))


def traces(world: World) -> set[str]:
    """What ran, and what was written, of what must not be."""
    ran = {path.name for path in world.root.glob("ran-*")}
    return ran | {path.name for path in Path(world.environment["HOME"]).rglob("*.jsonl")}


async def test_a_folder_that_nobody_has_trusted_yet_runs_nothing_and_asks_no_model(
    tmp_path: Path, claude: Path, api: Api
) -> None:
    for world in make_world(tmp_path, claude, api):
        furnish(world)
        del world.environment["ANTHROPIC_API_KEY"]  # then a helper would be asked for one
        before = len(api[0].received)
        async with Terminal.running(world) as terminal:
            offers = await terminal.relay.offers("main")
        assert {"default", "sonnet", "haiku"} <= {model.id for model in offers.models}
        names = {command.name for command in offers.commands}
        assert {"compact", "clear"} <= names
        assert not {"mine", "paliadin", "paliadin:paliadin"} & names
        assert set(offers.modes) == {"default", "acceptEdits", "plan", "dontAsk", "auto", "bypassPermissions"}
        assert traces(world) == set()
        assert api[0].received[before:] == []


async def test_once_claude_has_run_in_a_folder_its_own_commands_are_listed_and_kept_for_a_while(
    tmp_path: Path, claude: Path, api: Api
) -> None:
    for world in make_world(tmp_path, claude, api):
        (world.workdir / ".claude" / "commands").mkdir(parents=True)
        file = world.workdir / ".claude" / "commands" / "mine.md"
        file.write_text("---\ndescription: Do\u202e my thing\nargument-hint: <file>\n---\nDo $1", "utf-8")
        async with Terminal.running(world) as terminal:
            await terminal.relay.start("main")
            before, kept = len(api[0].received), traces(world)
            offers = await terminal.relay.offers("main")
            [mine] = [each for each in offers.commands if each.name == "mine"]
            shown = mine.description.replace("⟨U+202E⟩", "")  # 2.1.330 makes a blank of it by itself
            assert (shown, mine.argument_hint) == ("Do my thing (project)", "<file>")
            file.unlink()
            assert await terminal.relay.offers("main") == offers
            assert api[0].received[before:] == []
            assert traces(world) == kept
            (terminal.relay._settings.sessions_dir / "theirs").mkdir()
            (terminal.relay._settings.sessions_dir / "theirs" / "member.json").write_text("{}")
            assert await terminal.relay.offers("theirs") == Offers()
