"""What a scripted model says, and how the Messages API streams it. Pure: no clock, no socket.

A `Reply` is a list of blocks; `stream` turns it into (delay in seconds, server-sent event) pairs. The shapes are those
that Claude Code asks for with `POST /v1/messages?beta=true`, `stream: true`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Text:
    """Text that streams in `chunks`, `pace` seconds before each."""

    chunks: tuple[str, ...]
    pace: float = 0.0


@dataclass(frozen=True, slots=True)
class ToolUse:
    name: str
    input: Json


@dataclass(frozen=True, slots=True)
class Pause:
    """The model is silent for a while: before its first text this is "thinking"."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Cut:
    """The stream breaks off here, in the text before it: Claude Code asks again (after a whole block it does not)."""

    within: bool = True


Block = Text | ToolUse | Pause | Cut


@dataclass(frozen=True, slots=True)
class Usage:
    input_tokens: int = 12
    output_tokens: int = 34
    cache_read_tokens: int = 56
    cache_write_tokens: int = 7


@dataclass(frozen=True, slots=True)
class Reply:
    blocks: tuple[Block, ...]
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Failure:
    """An error instead of an answer, such as 529 overloaded_error."""

    status: int
    kind: str
    message: str


def text(whole: str, pace: float = 0.0) -> Text:
    """Text in chunks of one line each, newline-ended: how Claude Code displays it, too."""
    return Text(tuple(whole.splitlines(keepends=True)), pace)


@dataclass(frozen=True, slots=True)
class ToolResult:
    name: str
    input: Json
    content: str
    is_error: bool


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a request asks: the last thing the user said, and what tools have returned since."""

    user_text: str
    results: tuple[ToolResult, ...]
    prompts: tuple[str, ...]  # everything that the user said so far, the last one included
    system: str
    notes: str  # what Claude Code adds to the conversation by itself, such as its surroundings
    model: str
    tools: tuple[str, ...]  # what the model may use; a request for a title has none

    @classmethod
    def parse(cls, body: Json) -> Conversation:
        messages = cast("list[Json]", body.get("messages", []))
        uses: dict[str, tuple[str, Json]] = {}
        prompts: list[str] = []
        notes: list[str] = []
        results: list[ToolResult] = []
        for message in messages:
            for block in _blocks(message):
                if block.get("type") == "tool_use":
                    uses[str(block["id"])] = (str(block["name"]), cast("Json", block["input"]))
                elif block.get("type") == "tool_result":
                    name, tool_input = uses.get(str(block.get("tool_use_id")), ("", {}))
                    failed = bool(block.get("is_error"))
                    results.append(ToolResult(name, tool_input, _plain(block.get("content")), failed))
                elif message.get("role") != "user" or _is_reminder(str(block.get("text", ""))):
                    notes += [str(block.get("text", ""))] if message.get("role") != "assistant" else []
                else:
                    prompts.append(str(block.get("text", "")))
                    results = []
        return cls(
            user_text=prompts[-1] if prompts else "",
            results=tuple(results),
            prompts=tuple(prompts),
            system=_plain(body.get("system")),
            notes="\n".join(notes),
            model=str(body.get("model", "scripted")),
            tools=tuple(str(tool.get("name")) for tool in cast("list[Json]", body.get("tools") or [])),
        )


def stream(reply: Reply, message_id: str, model: str) -> Iterator[tuple[float, bytes]]:
    """(seconds to wait, event) pairs."""
    usage = _usage(reply.usage)
    message = {"id": message_id, "type": "message", "role": "assistant", "content": [], "model": model}
    start = message | {"stop_reason": None, "stop_sequence": None, "usage": usage}
    yield 0.0, _event("message_start", message=start)
    index, waited = 0, 0.0
    for block, following in zip(reply.blocks, (*reply.blocks[1:], None), strict=True):
        match block:
            case Pause(seconds):
                waited += seconds
            case Cut():
                return
            case Text() | ToolUse():
                stop = not (isinstance(following, Cut) and following.within)
                for delay, event in _block(block, index, f"toolu_{message_id}_{index}", stop=stop):
                    yield waited + delay, event
                    waited = 0.0
                index += 1
    ending = {"stop_reason": _stop_reason(reply), "stop_sequence": None}
    final = usage | {"output_tokens": reply.usage.output_tokens}
    yield waited, _event("message_delta", delta=ending, usage=final)
    yield 0.0, _event("message_stop")


def whole(reply: Reply, message_id: str, model: str) -> Json:
    """The same message in one piece, for a request without `stream`: Claude Code may ask so after a broken stream."""
    content: list[Json] = []
    for index, block in enumerate(block for block in reply.blocks if isinstance(block, Text | ToolUse)):
        if isinstance(block, Text):
            content.append({"type": "text", "text": "".join(block.chunks)})
        else:
            ident = f"toolu_{message_id}_{index}"
            content.append({"type": "tool_use", "id": ident, "name": block.name, "input": block.input})
    usage = _usage(reply.usage) | {"output_tokens": reply.usage.output_tokens}
    message = {"id": message_id, "type": "message", "role": "assistant", "content": content, "model": model}
    return message | {"stop_reason": _stop_reason(reply), "stop_sequence": None, "usage": usage}


def _usage(usage: Usage) -> dict[str, int]:
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": 1,
        "cache_read_input_tokens": usage.cache_read_tokens,
        "cache_creation_input_tokens": usage.cache_write_tokens,
    }


def _stop_reason(reply: Reply) -> str:
    return "tool_use" if any(isinstance(block, ToolUse) for block in reply.blocks) else "end_turn"


def _block(block: Text | ToolUse, index: int, tool_id: str, *, stop: bool) -> Iterator[tuple[float, bytes]]:
    if isinstance(block, Text):
        yield 0.0, _event("content_block_start", index=index, content_block={"type": "text", "text": ""})
        for chunk in block.chunks:
            yield block.pace, _event("content_block_delta", index=index, delta={"type": "text_delta", "text": chunk})
    else:
        start = {"type": "tool_use", "id": tool_id, "name": block.name, "input": {}}
        yield 0.0, _event("content_block_start", index=index, content_block=start)
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block.input)}
        yield 0.0, _event("content_block_delta", index=index, delta=delta)
    if stop:
        yield 0.0, _event("content_block_stop", index=index)


def _event(name: str, **data: object) -> bytes:
    return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode()


def _blocks(message: Json) -> Iterable[Json]:
    content = message.get("content")
    return [{"type": "text", "text": content}] if isinstance(content, str) else cast("list[Json]", content or [])


def _plain(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(block.get("text", "")) for block in cast("list[Json]", content or []))


def _is_reminder(text: str) -> bool:
    return text.lstrip().startswith(("<system-reminder>", "<local-command", "<command-"))
