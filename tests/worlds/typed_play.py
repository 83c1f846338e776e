"""What the public fake relay plays in the tests: typed steps, for the same words as the scripted model's scenes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path

from paliadin.relays.turn import Turn
from paliadin.steps.model import Failed, Interrupted, Prompted, Step, Stopped, Text, ToolEnded, ToolStarted, Usage
from paliadin.turnlog.ids import now_ms

TRAILER = "\n\n---\n[paliadin-meta]\nused_tools: {tools}\nrows_seen: {rows}\nclassifier_tag: {tag}\n[/paliadin-meta]\n"
COUNTS = {"input_tokens": 100, "output_tokens": 40, "cache_read_tokens": 3, "cache_write_tokens": 4}

Steps = AsyncGenerator[Step, object]


async def play(turn: Turn) -> Steps:
    """A word in the question chooses the scene."""
    yield Prompted(now_ms(), turn.prompt)
    word = turn.message.rpartition("scene:")[2].split()[0] if "scene:" in turn.message else ""
    scene = SCENES.get(word, _echo)(turn)
    reply: object = None
    while True:
        try:
            step = await scene.asend(reply)
        except StopAsyncIteration:
            break
        reply = yield step
    yield Stopped(now_ms())
    yield Usage(now_ms(), COUNTS, "scripted")


def _answer(text: str, tools: str = "none", rows: str = "none", tag: str = "other") -> Text:
    return Text(now_ms(), "answer", text + TRAILER.format(tools=tools, rows=rows, tag=tag), final=True)


def _folder(turn: Turn) -> Path:
    return Path(turn.message.partition("in:")[2].split()[0])


async def _echo(turn: Turn) -> Steps:
    yield _answer(f"You said {len(turn.message)} characters.")


async def _read(turn: Turn) -> Steps:
    path = _folder(turn) / "data.csv"
    yield Text(now_ms(), "first", "Let me look.\n", final=True)
    yield ToolStarted(now_ms(), "t1", "Read", {"file_path": str(path)})
    yield ToolEnded(now_ms(), "t1", "Read", "ok", path.read_text(), 3)
    yield _answer("Found it [#deadline-OPEN:c47bd2].\nNot this one [#deadline-OPEN:ffffff].", "Read", "2", "data")


async def _facts(turn: Turn) -> Steps:
    path = _folder(turn) / "data.csv"
    yield ToolStarted(now_ms(), "t1", "Read", {"file_path": str(path)})
    yield ToolEnded(now_ms(), "t1", "Read", "ok", path.read_text(), 3)
    yield _answer("The **c47bd2** is due on 31.12.2031.", "Read", "2", "data")


async def _permission(turn: Turn) -> Steps:
    path = _folder(turn) / "written.txt"
    call = {"file_path": str(path), "content": "hello\n"}
    yield Text(now_ms(), "first", "I would write.\n", final=True)
    yield ToolStarted(now_ms(), "t1", "Write", call)
    allowed = (yield Interrupted(now_ms(), "i1", "Write", call)) in ("allow", "allow_session")
    if allowed:
        path.write_text("hello\n")
    yield ToolEnded(now_ms(), "t1", "Write", "ok" if allowed else "refused", "")
    yield _answer(f"It was {'done' if allowed else 'refused'}.", "Write", "1")


async def _question(_turn: Turn) -> Steps:
    options = [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": "cold"}]
    asked = {"question": "Which colour?", "header": "Colour", "multiSelect": False, "options": options}
    reply = yield Interrupted(now_ms(), "i1", "AskUserQuestion", {"questions": [asked]})
    yield _answer("The user gave no reply." if reply is None else f"Claude was told: {reply}")


async def _slow(_turn: Turn) -> Steps:
    for number in range(200):
        yield Text(now_ms(), "answer", f"Line {number}.\n")
        await asyncio.sleep(0.15)


async def _until(turn: Turn) -> Steps:
    """Answers once the folder has a file `go`."""
    yield Text(now_ms(), "first", "I wait.\n", final=True)
    while not (_folder(turn) / "go").exists():
        await asyncio.sleep(0.02)
    yield _answer("It came.")


async def _remember(_turn: Turn) -> Steps:
    yield _answer("I remember 1 prompts.")


async def _words(_turn: Turn) -> Steps:
    yield _answer("\n".join(f"Chapter {number} of a long text." for number in range(60)))


async def _failure(_turn: Turn) -> Steps:
    yield Failed(now_ms(), "upstream_error", "the script says no")


SCENES: Mapping[str, Callable[[Turn], Steps]] = {
    "read": _read,
    "facts": _facts,
    "permission": _permission,
    "question": _question,
    "slow": _slow,
    "until": _until,
    "remember": _remember,
    "words": _words,
    "failure": _failure,
}
