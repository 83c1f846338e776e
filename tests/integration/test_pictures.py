"""Pictures that tools return are kept in the turn's folder and shown: of an MCP server, and of Read."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.demo.api_messages import ApiError, Conversation, Message, ToolUse, text
from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.worlds.sample_files import png
from tests.worlds.world import Event, World, eventually

SERVER = """
import json, sys
picture = open(sys.argv[1]).read()
content = [
    {"type": "text", "text": "Two views\\nof a bridge"},
    {"type": "image", "data": picture, "mimeType": "image/png"},
]
for line in sys.stdin:
    call = json.loads(line)
    results = {
        "initialize": {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}},
                       "serverInfo": {"name": "views", "version": "1"}},
        "tools/list": {"tools": [{"name": "look", "description": "Look", "inputSchema": {"type": "object"}}]},
        "tools/call": {"content": content},
    }
    if "id" in call:
        print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": results.get(call["method"], {})}), flush=True)
"""


def play(conversation: Conversation) -> Message | ApiError:
    if conversation.results:
        return Message((text("Seen.\n"),))
    if "mcp__views__look" not in conversation.tools:
        return Message((text("The server is still starting.\n"),))
    path = conversation.user_text.rpartition("in:")[2].strip()
    return Message((ToolUse("mcp__views__look", {}), ToolUse("Read", {"file_path": f"{path}/shot.png"})))


@pytest.fixture
def world(tmp_path: Path, claude: Path) -> Iterator[World]:
    scripted = ScriptedApi(play)
    with scripted.running() as url:
        for world in make_world(tmp_path, claude, (scripted, url)):
            home = world.root / "claude"
            (tmp_path / "server.py").write_text(SERVER)
            (world.root.parent / "picture").write_text(base64.b64encode(png(300, 200)).decode())
            server = {
                "command": sys.executable,
                "args": [str(tmp_path / "server.py"), str(world.root.parent / "picture")],
                "alwaysLoad": True,
            }
            state = json.loads((home / ".claude.json").read_text())
            (home / ".claude.json").write_text(json.dumps(state | {"mcpServers": {"views": server}}))
            (home / ".claude/settings.json").write_text(json.dumps({"permissions": {"allow": ["mcp__views"]}}))
            (world.workdir / "shot.png").write_bytes(png(640, 480))
            world.start()
            yield world


def looked_at(world: World) -> list[Event] | None:
    events = world.turn(f"Look in:{world.workdir}")
    return events if any(event.name == "tool_result" for event in events) else None


def test_pictures_that_tools_return_are_kept_whole_and_shown(world: World) -> None:
    events = eventually(lambda: looked_at(world), 60, "the server's tool is there")
    turn = next(event for event in events if event.name == "meta").data["turn_id"]
    results = {event.data["name"]: event.data for event in events if event.name == "tool_result"}
    looked, read = results["mcp__views__look"], results["Read"]
    assert (looked["rows"], looked["summary"], len(looked["pictures"])) == (2, "Two views", 1)
    assert (read["rows"], len(read["pictures"])) == (None, 1)
    at = f"/api/paliadin/turns/{turn}/pictures"
    with world.client() as client:
        shown = client.get(f"{at}/{looked['pictures'][0]}")
    assert (shown.status_code, shown.headers["content-type"]) == (200, "image/png")
    assert shown.content == base64.b64decode((world.root.parent / "picture").read_text())
    assert "sandbox" in shown.headers["content-security-policy"]
    folder = next(world.settings.response_dir.glob(f"*/{turn}"))
    assert b"base64," not in (log := (folder / "events.jsonl").read_bytes())
    assert len(log) < 100_000
    for name in ("0" * 32, "..%2fturn.json", "x", looked["pictures"][0].upper()):
        with world.client() as client:
            assert client.get(f"{at}/{name}").status_code == 404
    history = world.get("history?session_id=main")["turns"][-1]["events"]
    assert [each["data"]["pictures"] for each in history if each["event"] == "tool_result"]
