"""The scripted model's messages, and their form in the Messages API. Pure: no clock, no socket.

A `Message` is a sequence of blocks; `stream` turns it into (delay in seconds, server-sent event) pairs, as Claude Code
expects them for `POST /v1/messages?beta=true` with `stream: true`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

JsonObject = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Text:
    """Text that is streamed in `chunks`, with a delay of `pace` seconds before each."""

    chunks: tuple[str, ...]
    pace: float = 0.0


@dataclass(frozen=True, slots=True)
class Thinking:
    """Thinking that is streamed in `chunks`, with a delay of `pace` seconds before each."""

    chunks: tuple[str, ...]
    pace: float = 0.0


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call of one of Claude Code's tools. With a `pace`, its input comes in two parts, each `pace` seconds later."""

    name: str
    input: JsonObject
    pace: float = 0.0


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause of the model. Before the first text Claude Code shows it as thinking."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Cut:
    """The place where the stream breaks off.

    `within`: the block before it stays open, and Claude Code repeats the request; after a complete block it does not.
    """

    within: bool = True


@dataclass(frozen=True, slots=True)
class Broken:
    """The place where the stream ends with an `error` event."""

    kind: str
    message: str


SIGNATURE = "c2NyaXB0ZWQ="  # of thinking; the scripted API checks none

Block = Text | Thinking | ToolUse | Pause | Cut | Broken


@dataclass(frozen=True, slots=True)
class Usage:
    """The token counts that a message reports."""

    input_tokens: int = 12
    output_tokens: int = 34
    cache_read_tokens: int = 56
    cache_write_tokens: int = 7


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the model."""

    blocks: tuple[Block, ...]
    usage: Usage = field(default_factory=Usage)
    stop_reason: str | None = None  # None: as the blocks say


@dataclass(frozen=True, slots=True)
class ApiError:
    """An HTTP error in place of a message, such as 529 overloaded_error."""

    status: int
    kind: str
    message: str
    retry_after: str | None = None  # the header of this name


def text(whole: str, pace: float = 0.0) -> Text:
    """Make text in chunks of one line each, as Claude Code displays it."""
    return Text(tuple(whole.splitlines(keepends=True)), pace)


@dataclass(frozen=True, slots=True)
class Media:
    """A picture or a document that a request carries."""

    kind: str  # image, document
    media_type: str
    data: str  # in base64


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool's call and its result, as Claude Code sends them to the model."""

    name: str
    input: JsonObject
    content: str
    is_error: bool


@dataclass(frozen=True, slots=True)
class Conversation:
    """The conversation that a request to the Messages API carries."""

    user_text: str  # the last prompt
    results: tuple[ToolResult, ...]  # since the last prompt
    prompts: tuple[str, ...]  # all of the user's so far, the last one included
    system: str
    notes: str  # reminders that Claude Code inserts, such as its working directory
    model: str
    tools: tuple[str, ...]  # names of those that the model may use; a request for a title has none
    media: tuple[Media, ...] = ()  # in all messages so far

    @classmethod
    def parse(cls, body: JsonObject) -> Conversation:
        """Read the JSON body of a request."""
        messages = cast("list[JsonObject]", body.get("messages", []))
        uses: dict[str, tuple[str, JsonObject]] = {}
        prompts: list[str] = []
        notes: list[str] = []
        results: list[ToolResult] = []
        for message in messages:
            for block in _blocks(message):
                if block.get("type") == "tool_use":
                    uses[str(block["id"])] = (str(block["name"]), cast("JsonObject", block["input"]))
                elif block.get("type") == "tool_result":
                    name, tool_input = uses.get(str(block.get("tool_use_id")), ("", {}))
                    failed = bool(block.get("is_error"))
                    results.append(ToolResult(name, tool_input, _plain(block.get("content")), failed))
                elif block.get("type") in _MEDIA:
                    continue
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
            tools=tuple(str(tool.get("name")) for tool in cast("list[JsonObject]", body.get("tools") or [])),
            media=tuple(_media(messages)),
        )


def count_tokens(body: JsonObject) -> int:
    """Estimate the tokens of a request's messages: one for four characters."""
    messages = cast("list[JsonObject]", body.get("messages", []))
    return sum(len(_plain([block])) for message in messages for block in _blocks(message)) // 4 + 1


_MEDIA = ("image", "document")


def _media(messages: Iterable[JsonObject]) -> Iterator[Media]:
    """Yield the pictures and documents of messages, also those in results of tools."""
    for message in messages:
        for block in _blocks(message):
            inner = block.get("content") if block.get("type") == "tool_result" else None
            for each in [block, *(cast("list[JsonObject]", inner) if isinstance(inner, list) else [])]:
                if each.get("type") in _MEDIA:
                    source = cast("JsonObject", each.get("source"))
                    yield Media(str(each["type"]), str(source.get("media_type")), str(source.get("data")))


def stream(message: Message, message_id: str, model: str) -> Iterator[tuple[float, bytes]]:
    """Yield (delay in seconds, server-sent event) pairs."""
    usage = _usage(message.usage)
    body = {"id": message_id, "type": "message", "role": "assistant", "content": [], "model": model}
    start = body | {"stop_reason": None, "stop_sequence": None, "usage": usage}
    yield 0.0, _event("message_start", message=start)
    index, pause = 0, 0.0
    for block, following in zip(message.blocks, (*message.blocks[1:], None), strict=True):
        match block:
            case Pause(seconds):
                pause += seconds
            case Cut():
                return
            case Broken(kind, words):
                yield pause, _event("error", error={"type": kind, "message": words})
                return
            case Text() | Thinking() | ToolUse():
                stop = not (isinstance(following, Cut) and following.within)
                for delay, event in _block(block, index, f"toolu_{message_id}_{index}", stop=stop):
                    yield pause + delay, event
                    pause = 0.0
                index += 1
    ending = {"stop_reason": _stop_reason(message), "stop_sequence": None}
    final = usage | {"output_tokens": message.usage.output_tokens}
    yield pause, _event("message_delta", delta=ending, usage=final)
    yield 0.0, _event("message_stop")


def message_body(message: Message, message_id: str, model: str) -> JsonObject:
    """Build the response to a request without `stream`, which Claude Code may send after a broken stream."""
    content: list[JsonObject] = []
    for index, block in enumerate(block for block in message.blocks if isinstance(block, Text | ToolUse)):
        if isinstance(block, Text):
            content.append({"type": "text", "text": "".join(block.chunks)})
        else:
            ident = f"toolu_{message_id}_{index}"
            content.append({"type": "tool_use", "id": ident, "name": block.name, "input": block.input})
    usage = _usage(message.usage) | {"output_tokens": message.usage.output_tokens}
    body = {"id": message_id, "type": "message", "role": "assistant", "content": content, "model": model}
    return body | {"stop_reason": _stop_reason(message), "stop_sequence": None, "usage": usage}


def _usage(usage: Usage) -> dict[str, int]:
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": 1,
        "cache_read_input_tokens": usage.cache_read_tokens,
        "cache_creation_input_tokens": usage.cache_write_tokens,
    }


def _stop_reason(message: Message) -> str:
    calls = any(isinstance(block, ToolUse) for block in message.blocks)
    return message.stop_reason or ("tool_use" if calls else "end_turn")


def _block(block: Text | Thinking | ToolUse, index: int, tool_id: str, *, stop: bool) -> Iterator[tuple[float, bytes]]:
    if isinstance(block, Text):
        yield 0.0, _event("content_block_start", index=index, content_block={"type": "text", "text": ""})
        for chunk in block.chunks:
            yield block.pace, _event("content_block_delta", index=index, delta={"type": "text_delta", "text": chunk})
    elif isinstance(block, Thinking):
        empty = {"type": "thinking", "thinking": "", "signature": ""}
        yield 0.0, _event("content_block_start", index=index, content_block=empty)
        for chunk in block.chunks:
            delta = {"type": "thinking_delta", "thinking": chunk}
            yield block.pace, _event("content_block_delta", index=index, delta=delta)
        delta = {"type": "signature_delta", "signature": SIGNATURE}
        yield 0.0, _event("content_block_delta", index=index, delta=delta)
    else:
        start = {"type": "tool_use", "id": tool_id, "name": block.name, "input": {}}
        yield 0.0, _event("content_block_start", index=index, content_block=start)
        written = json.dumps(block.input)
        for part in (written[:20], written[20:]) if block.pace else (written,):
            delta = {"type": "input_json_delta", "partial_json": part}
            yield block.pace, _event("content_block_delta", index=index, delta=delta)
    if stop:
        yield 0.0, _event("content_block_stop", index=index)


def _event(name: str, **data: object) -> bytes:
    return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode()


def _blocks(message: JsonObject) -> Iterable[JsonObject]:
    content = message.get("content")
    return [{"type": "text", "text": content}] if isinstance(content, str) else cast("list[JsonObject]", content or [])


def _plain(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(block.get("text", "")) for block in cast("list[JsonObject]", content or []))


def _is_reminder(text: str) -> bool:
    return text.lstrip().startswith(("<system-reminder>", "<local-command", "<command-"))
