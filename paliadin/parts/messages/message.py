"""Read a message of the model from the events of its stream, within limits. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from paliadin.base.checked_numbers import count_of
from paliadin.base.strict_json import JsonObject, parse_json
from paliadin.live.event_stream import EventStream, data_of
from paliadin.parts.messages.limits import MAX_BLOCKS, MAX_NAME, MessageLimits, too_much
from paliadin.parts.messages.request import Block

_MAX_INDEX = 1_000_000  # of a block; it becomes a part of the id
_COUNTS = {  # the API's names → those of the turn log
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_input_tokens": "cache_read_tokens",
    "cache_creation_input_tokens": "cache_write_tokens",
}


@dataclass(frozen=True, slots=True)
class TextPiece:
    """The next part of a text block. `message` is the block's id; `final`: nothing more of it comes."""

    message: str
    text: str
    final: bool = False


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the model asks for. `arguments` is None if they are no JSON object."""

    id: str
    name: str
    arguments: Mapping[str, object] | None


@dataclass(slots=True)
class Message:
    """A message of the model, as far as it has come. `stop_reason` is None until it is complete."""

    id: str = ""
    model: str = ""
    blocks: list[Block] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    stop_reason: str | None = None
    counts: dict[str, int] = field(default_factory=dict)  # tokens by kind


class ErrorEvent(Exception):
    """The API reported an error in the middle of its response."""

    def __init__(self, body: JsonObject) -> None:
        super().__init__("the stream tells of an error")
        self.body = body


class MessageReader:
    """Reads one stream into `message`."""

    def __init__(self, message: Message, limits: MessageLimits) -> None:
        self._message, self._limits = message, limits
        self._open: dict[int, Block] = {}  # by index
        self._inputs: dict[int, str] = {}  # of calls: JSON so far
        self._blocks = self._kept = 0  # how many, and characters in them
        self._events = EventStream(limits.event_bytes)
        self.is_complete = False

    def feed(self, part: bytes) -> Iterator[TextPiece]:
        """Take the next part of the stream, cut anywhere; yields the text in it, in as few pieces as it can be.

        Raises RelayError for too much, ErrorEvent, and for what is no event of the API ValueError, TypeError,
        LookupError, AttributeError or RecursionError. What came before that has been yielded.
        """
        return _joined(self._read(part))

    def _read(self, part: bytes) -> Iterator[TextPiece]:
        for event in self._events.feed(part):
            if data := data_of(event):
                value = json.loads(data)
                if value["type"] == "error":
                    raise ErrorEvent(value)
                yield from self._take(value)
        if self._events.has_skipped:
            raise too_much(f"more than {self._limits.event_bytes:,} bytes in one event")

    def _take(self, event: Any) -> list[TextPiece]:
        match event["type"]:
            case "message_start":
                message = event["message"]
                self._message.id, self._message.model = _name(message["id"]), _name(message["model"])
                self._count(message.get("usage"))
            case "content_block_start":
                return self._begin(_index(event), event["content_block"])
            case "content_block_delta":
                return self._add(_index(event), event["delta"])
            case "content_block_stop":
                return self._end(_index(event))
            case "message_delta":
                reason = event["delta"].get("stop_reason")
                self._message.stop_reason = None if reason is None else _name(reason)
                self._count(event.get("usage"))
            case "message_stop":
                self.is_complete = True
        return []

    def _begin(self, index: int, block: Any) -> list[TextPiece]:
        self._blocks += 1
        if self._blocks > MAX_BLOCKS:
            raise too_much(f"more than {MAX_BLOCKS} texts and calls of tools in one message")
        if block["type"] == "text":
            text = self._keep(block["text"])
            self._open[index] = {"type": "text", "text": text}
            return [TextPiece(self._text_id(index), text)] if text else []
        if block["type"] == "tool_use":
            self._open[index] = {
                "type": "tool_use",
                "id": _name(block["id"]),
                "name": _name(block["name"]),
                "input": {},
            }
            self._inputs[index] = ""
        return []

    def _add(self, index: int, delta: Any) -> list[TextPiece]:
        block = self._open.get(index, {})
        if delta["type"] == "text_delta" and "text" in block:
            text = self._keep(delta["text"])
            block["text"] += text
            return [TextPiece(self._text_id(index), text)]
        if delta["type"] == "input_json_delta" and index in self._inputs:
            self._inputs[index] += self._keep(delta["partial_json"])
        return []

    def _end(self, index: int) -> list[TextPiece]:
        block = self._open.pop(index, None)
        if block is None:
            return []
        if block["type"] == "text":
            if block["text"].strip():  # the API refuses a message with an empty block
                self._message.blocks.append(block)
            return [TextPiece(self._text_id(index), "", final=True)]
        arguments = _object(self._inputs.pop(index))
        block["input"] = {} if arguments is None else arguments
        self._message.blocks.append(block)
        self._message.calls.append(ToolCall(block["id"], block["name"], arguments))
        return []

    def _keep(self, value: object) -> str:
        text = _text(value)
        self._kept += len(text)
        if self._kept > self._limits.characters:
            tokens, characters = self._limits.tokens, self._limits.characters
            raise too_much(f"more than {characters:,} characters in a message of at most {tokens:,} tokens")
        return text

    def _text_id(self, index: int) -> str:
        return f"{self._message.id}.{index}"

    def _count(self, usage: Any) -> None:
        counts = {ours: usage.get(theirs) for theirs, ours in _COUNTS.items()} if isinstance(usage, dict) else {}
        for kind, count in counts.items():
            if (known := count_of(count)) is not None:
                self._message.counts[kind] = known
            elif count is not None:  # what was told before it is not the whole
                self._message.counts.pop(kind, None)


def _joined(pieces: Iterator[TextPiece]) -> Iterator[TextPiece]:
    """Join the pieces that have come together: each costs a line of the log, and an event for every reader."""
    last: TextPiece | None = None
    try:
        for piece in pieces:
            if last and (last.message, last.final) == (piece.message, False):
                last = TextPiece(piece.message, last.text + piece.text, piece.final)
            else:
                if last:
                    yield last
                last = piece
    except Exception:  # what came before it counts
        if last:
            yield last
        raise
    if last:
        yield last


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text where one has to be")
    return value


def _index(event: Any) -> int:
    index = event["index"]
    if not isinstance(index, int) or not 0 <= index < _MAX_INDEX:
        raise TypeError("no number where one has to be")
    return index


def _name(value: object) -> str:
    text = _text(value)
    if len(text) > MAX_NAME:
        raise too_much(f"an id or a name of more than {MAX_NAME} characters")
    return text


def _object(text: str) -> Mapping[str, object] | None:
    try:
        value = parse_json(text or "{}")
        json.dumps(value, ensure_ascii=False).encode()  # half of an emoji cannot be written
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
