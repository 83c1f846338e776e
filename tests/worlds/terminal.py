"""The terminal's relay in the test's own process, with a real Claude Code and an API that keeps what it was sent."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from starlette.requests import Request
from starlette.responses import Response

from paliadin.base.settings import ensure_home
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.terminal.relay import TerminalRelay
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id
from tests.worlds.logs import followed, logged, turn_in
from tests.worlds.world import World


@dataclass
class KeepingApi(ScriptedApi):
    """A scripted API that keeps the messages of each main request."""

    kept: list[list[Any]] = field(default_factory=list)

    async def _messages(self, request: Request) -> Response:
        body = await request.json()
        if body.get("tools") and "x-claude-code-agent-id" not in request.headers:
            self.kept.append(body["messages"])
        return await super()._messages(request)

    def messages(self, folder: TurnFolder, question: str | None = None) -> list[Any]:
        """The messages of the turn's first request as plain values; `question` stands for what the turn asks."""
        [first, *_] = [messages for messages in self.kept if folder.turn_id in json.dumps(messages)]
        blocks = [(message["role"], _blocks(message["content"])) for message in first]
        prompt = turn_in(folder).prompt if question else None
        return [(role, [question if text == prompt else text for text in texts]) for role, texts in blocks]


def _blocks(content: Any) -> list[str]:
    """The text of each block; of other blocks all that the model gets."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    kept = [{key: value for key, value in block.items() if key != "cache_control"} for block in blocks]
    return [block["text"].strip() if block["type"] == "text" else json.dumps(block) for block in kept]


@dataclass
class Terminal:
    """A relay for a while; another one may follow in the same world, as another daemon would."""

    world: World
    relay: TerminalRelay

    @classmethod
    @contextlib.asynccontextmanager
    async def running(cls, world: World) -> AsyncIterator[Self]:
        ensure_home(world.settings)
        relay = TerminalRelay(world.settings, world.environment)
        async with relay.running():
            yield cls(world, relay)

    async def ask(self, message: str, session: str = "main") -> TurnFolder:
        """Ask, allow what Claude asks a permission for, and wait for the turn's end."""
        folder = TurnFolder(self.world.settings.response_dir, new_turn_id())
        folder.create(
            Description.parse(
                {"turn_id": folder.turn_id, "session_id": session, "user_message": message, "origin": "page"}
            )
        )
        turn = turn_in(folder)
        async with followed(turn):
            submitting = asyncio.create_task(self.relay.submit(turn))
            while not submitting.done():
                for interrupt in list(turn.progress.open_interrupts):
                    await self.relay.reply(turn, interrupt, "allow", cancel=False)
                await asyncio.wait({submitting}, timeout=0.05)
            await submitting
        steps = [line.get("step") for line in logged(folder)]
        assert "failed" not in steps, logged(folder)[-1]
        return folder

    def starts(self, session: str) -> list[tuple[str, str]]:
        """(source, Claude's session id) of each start in the session's log."""
        lines = (self.world.settings.sessions_dir / session / "events.jsonl").read_text().splitlines()
        hooks = [json.loads(line).get("hook", {}) for line in lines if line]
        return [(hook["source"], hook["session_id"]) for hook in hooks if hook.get("hook_event_name") == "SessionStart"]

    def transcript(self, folder: TurnFolder) -> Path:
        """The transcript that the turn's hooks have named."""
        return Path(next(line["hook"]["transcript_path"] for line in logged(folder) if "hook" in line))
