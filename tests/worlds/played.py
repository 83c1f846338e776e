"""Claude Code's part of a turn, played in the daemon: the scripted model's scenes, with no process and no terminal.

For tests of what stands before the relay: the page, the drawer, the record. It asks the scripted API as Claude Code
does, runs a few of its tools itself, and asks for permissions by the same rules.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from paliadin.base.strict_json import JsonObject
from paliadin.events.interrupts import session_rule
from paliadin.relays.scripted import ScriptedRelay
from paliadin.relays.terminal.decision import decide
from paliadin.relays.turn import Turn
from paliadin.steps.claude_code import PLAN_TOOL, QUESTION_TOOL
from paliadin.steps.model import Failed, Interrupted, Prompted, Step, Stopped, Text, ToolEnded, ToolStarted, Usage
from paliadin.turnlog.ids import now_ms

Steps = AsyncGenerator[Step, object]
Block = dict[str, Any]
NAMES = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_input_tokens": "cache_read_tokens",
    "cache_creation_input_tokens": "cache_write_tokens",
}  # the API's names of counts → ours


@dataclass
class Session:
    """What one conversation's Claude would know."""

    messages: list[JsonObject] = field(default_factory=list)
    allowed: list[JsonObject] = field(default_factory=list)  # the rules of "for this session"


class PlayedRelay(ScriptedRelay):
    """One whose turns are the scripted model's scenes."""

    def __init__(self, base_url: str, folder: Path) -> None:
        super().__init__(self.play_turn)
        self._sessions_of: dict[str, Session] = {}
        self._base_url, self._folder = base_url, folder.resolve()

    async def reset(self, session: str) -> None:
        self._sessions_of.pop(session, None)

    async def discard(self, session: str) -> None:
        await self.reset(session)

    async def branch(self, turn_id: str, session: str, branch: str) -> None:
        """Copy what was said before the turn."""
        before: list[JsonObject] = []
        for message in self._of(session).messages:
            if turn_id in json.dumps(message):
                break
            before.append(message)
        self._sessions_of[branch] = Session(before)

    def _of(self, session: str) -> Session:
        return self._sessions_of.setdefault(session, Session())

    async def play_turn(self, turn: Turn) -> Steps:
        yield Prompted(now_ms(), turn.prompt)
        session = self._of(turn.session)
        session.messages.append({"role": "user", "content": [{"type": "text", "text": turn.prompt}]})
        counts: Counter[str] = Counter()
        async with httpx2.AsyncClient(base_url=self._base_url, timeout=60, trust_env=False) as client:
            calls: list[Block] | None = None
            while calls is None or calls:
                message = Answering(session)
                async for step in message.steps(client):
                    yield step
                    if isinstance(step, Failed):
                        return
                counts.update(message.counts)
                calls = [block for block in message.content if block["type"] == "tool_use"]
                results = []
                for call in calls:
                    steps, reply = self._call(session, call, results), None
                    while (step := await _next(steps, reply)) is not None:
                        reply = yield step
                if results:
                    session.messages.append({"role": "user", "content": results})
        yield Stopped(now_ms())
        yield Usage(now_ms(), counts, "scripted")

    async def _call(self, session: Session, call: Block, results: list[JsonObject]) -> Steps:
        """Run a tool, after asking where Claude Code would; its result for the model is added to `results`."""
        name, given, ident = call["name"], call["input"], call["id"]
        if name != QUESTION_TOOL:
            yield ToolStarted(now_ms(), ident, name, given)
        rule, decision = session_rule(name, given), None
        if self._asks(name, given) and rule not in session.allowed:
            step = Interrupted(now_ms(), ident, name, given, folder=str(self._folder), **_file_of(given))
            value = yield step
            decision = decide(step, value, cancel=value is None)
            session.allowed += [rule for each in decision.get("updatedPermissions", []) for rule in each["rules"]]  # type: ignore[attr-defined]
        try:
            if decision is not None and decision["behavior"] == "deny":
                outcome, told, result = "refused", str(decision["message"]), decision["message"]
            else:
                given = given | (decision or {}).get("updatedInput", {})
                told, result = await RUN[name](given, self._folder)
                outcome = "ok"
        except (OSError, KeyError, ValueError) as error:
            outcome, told, result = "invalid" if isinstance(error, KeyError) else "failed", str(error), str(error)
        if name != QUESTION_TOOL:
            yield ToolEnded(now_ms(), ident, name, outcome, result, 3)  # type: ignore[arg-type]
        results.append({"type": "tool_result", "tool_use_id": ident, "content": told, "is_error": outcome != "ok"})

    def _asks(self, name: str, given: JsonObject) -> bool:
        if name not in RUN:
            return False
        if name == "Read":
            return (
                "file_path" in given and self._folder not in (self._folder / str(given["file_path"])).resolve().parents
            )
        reads_only = str(given.get("command", "")).startswith(("ls", "until test"))
        return name != "EnterPlanMode" and not reads_only


def _file_of(given: Block) -> dict[str, Any]:
    """What an `Interrupted` says of the file that the call names."""
    path = Path(given.get("file_path", ""))
    if not path.is_absolute():
        return {}
    leads_to = path.resolve()
    return {"exists": path.exists(), "leads_to": str(leads_to) if leads_to != path else None}


async def _next(steps: Steps, reply: object) -> Step | None:
    try:
        return await steps.asend(reply)
    except StopAsyncIteration:
        return None


class Answering:
    """One message of the model, as it is streamed."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.content: list[Block] = []
        self.counts: Counter[str] = Counter()

    async def steps(self, client: httpx2.AsyncClient) -> AsyncIterator[Step]:
        tools = [{"name": name} for name in RUN]
        body = {"model": "scripted", "messages": self._session.messages, "tools": tools, "stream": True}
        async with client.stream("POST", "/v1/messages", json=body) as response:
            if response.status_code != 200:
                error = json.loads(await response.aread())["error"]
                yield Failed(now_ms(), "upstream_error", f"API Error: {response.status_code} {error['message']}")
                return
            async for line in response.aiter_lines():
                if line.startswith("data:"):
                    for step in self._take(json.loads(line.removeprefix("data:"))):
                        yield step
        self._session.messages.append({"role": "assistant", "content": self.content})

    def _take(self, event: Block) -> list[Step]:
        match event:
            case {"type": "message_start", "message": {"id": ident, "usage": usage}}:
                self._id, self._usage = ident, usage
            case {"type": "content_block_start", "content_block": block}:
                self.content.append(dict(block, partial=""))
            case {"type": "content_block_delta", "delta": {"type": "text_delta", "text": text}}:
                self.content[-1]["text"] += text
                return [Text(now_ms(), f"{self._id}-{len(self.content)}", text)]
            case {"type": "content_block_delta", "delta": {"partial_json": part}}:
                self.content[-1]["partial"] += part
            case {"type": "content_block_stop"}:
                block = self.content[-1]
                partial = block.pop("partial")
                if block["type"] == "text":
                    return [Text(now_ms(), f"{self._id}-{len(self.content)}", "", final=True)]
                if block["type"] == "tool_use":
                    block["input"] = json.loads(partial)
            case {"type": "message_delta", "usage": usage}:
                self.counts.update({NAMES[name]: count for name, count in {**self._usage, **usage}.items()})
            case {"type": "error", "error": {"message": words}}:
                return [Failed(now_ms(), "upstream_error", f"API Error: {words}")]
        return []


async def _read(given: Block, folder: Path) -> tuple[str, object]:
    whole = (folder / given["file_path"]).read_text()
    lines = whole.split("\n")
    file = {"filePath": given["file_path"], "content": whole, "numLines": len(lines), "startLine": 1}
    told = "\n".join(f"{number}\t{line}" for number, line in enumerate(lines, 1))
    return told, {"type": "text", "file": file | {"totalLines": len(lines)}}


async def _write(given: Block, _folder: Path) -> tuple[str, object]:
    path = Path(given["file_path"])
    kind = "update" if path.exists() else "create"
    path.write_text(given["content"])
    result = {"type": kind, "filePath": str(path), "content": given["content"], "structuredPatch": []}
    return f"File written at: {path}", result


async def _edit(given: Block, _folder: Path) -> tuple[str, object]:
    path = Path(given["file_path"])
    before = path.read_text()
    path.write_text(before.replace(given["old_string"], given["new_string"], 1))
    names = {"filePath": "file_path", "oldString": "old_string", "newString": "new_string"}
    result = {ours: given[theirs] for ours, theirs in names.items()} | {"originalFile": before, "structuredPatch": []}
    return f"The file {path} has been updated.", result


async def _bash(given: Block, folder: Path) -> tuple[str, object]:
    pipe = asyncio.subprocess.PIPE
    ran = await asyncio.create_subprocess_exec("bash", "-c", given["command"], cwd=folder, stdout=pipe, stderr=pipe)
    try:
        out, errors = (each.decode() for each in await ran.communicate())
    finally:  # also when the turn is stopped
        if ran.returncode is None:
            ran.kill()
            await ran.wait()
    if ran.returncode:
        raise ValueError(f"Exit code {ran.returncode}\n{errors}")
    return out, {"stdout": out, "stderr": errors, "interrupted": False}


async def _answered(given: Block, _folder: Path) -> tuple[str, object]:
    pairs = ", ".join(f'"{question}"="{reply}"' for question, reply in given["answers"].items())
    told = f"User has answered your questions: {pairs}. You can now continue with the user's answers in mind."
    return told, {"questions": given["questions"], "answers": given["answers"]}


async def _agreed(given: Block, _folder: Path) -> tuple[str, object]:
    return "It is so.", given


RUN: dict[str, Callable[[Block, Path], Awaitable[tuple[str, object]]]] = {
    "Read": _read,
    "Write": _write,
    "Edit": _edit,
    "Bash": _bash,
    QUESTION_TOOL: _answered,
    "EnterPlanMode": _agreed,
    PLAN_TOOL: _agreed,
}
