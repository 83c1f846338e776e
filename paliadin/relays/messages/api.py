"""The Messages API through the official SDK, which only this module and `failures` know; it is loaded when needed.

What the stream says comes out as pieces of text and, at its end, the message as a whole.
"""

from __future__ import annotations

import copy
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import anthropic
import httpx2

from paliadin.base.checked_numbers import count_of
from paliadin.base.errors import StreamBroken
from paliadin.base.strict_json import parse_json
from paliadin.relays.messages.failures import translated
from paliadin.relays.messages.request import Block

CONNECT_TIMEOUT = 5.0  # seconds; what comes between two bytes of an answer is limited by the turn's time
LONGEST_WAIT = 20.0  # seconds that the API may ask for between two tries
NO_KEY = "none"  # where there is only people's own; without a value the SDK would look for one in the environment
COUNT_TIMEOUT = 5.0  # seconds for a count of tokens, of which there is an estimate as well
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


class MessagesApi:
    """A client of the API with one key, None where each person has an own one (`with_key`).

    Retries as the SDK does, with Retry-After, before anything has come.
    """

    def __init__(self, key: str | None, base_url: str, timeout: float) -> None:
        limit = anthropic.Timeout(timeout, connect=CONNECT_TIMEOUT)
        # A redirect would take the key along to wherever it leads.
        http_client = anthropic.DefaultAioHttpClient(
            base_url=base_url, timeout=limit, follow_redirects=False, event_hooks={"response": [_restrain]}
        )
        self._client = anthropic.AsyncAnthropic(
            api_key=key or NO_KEY,
            base_url=base_url,
            timeout=limit,
            http_client=http_client,
            default_headers={"Accept-Encoding": "identity"},
            open_telemetry=False,  # our own traces hold no text
        )
        self._is_own_key = False

    def with_key(self, key: str) -> MessagesApi:
        """Return a client with a person's own key, over the same connections."""
        other = copy.copy(self)
        other._client, other._is_own_key = self._client.with_options(api_key=key), True  # noqa: SLF001  # it is ours
        return other

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    async def stream(self, request: Mapping[str, Any], message: Message) -> AsyncGenerator[TextPiece | None, None]:
        """Send a request; yields None once the API has taken it, then each piece of text, and fills `message`.

        Raises RelayError. Closing it closes the connection, and the API stops there.
        """
        with translated(own_key=self._is_own_key):
            # Events as dicts: `messages.create` builds a model of each, which takes most of the time of a token.
            stream = await self._client.post(
                "/v1/messages",
                cast_to=object,
                body={**request, "stream": True},
                stream=True,
                stream_cls=anthropic.AsyncStream[object],
            )
            async with stream:
                yield None
                reading = _Reading(message)
                async for event in stream:
                    for piece in reading.take(event):
                        yield piece
        if not reading.is_complete:
            raise StreamBroken("the connection to the model broke off in the middle of the answer")

    async def count(self, model: str, messages: Sequence[Block]) -> int | None:
        """Return how many tokens the messages have, None if the API does not tell; raises RelayError."""
        with translated(own_key=self._is_own_key):
            client = self._client.with_options(timeout=COUNT_TIMEOUT, max_retries=0)
            counted = await client.messages.count_tokens(model=model, messages=messages)  # type: ignore[arg-type]
            return count_of(counted.input_tokens)


async def _restrain(response: httpx2.Response) -> None:
    """Unpack nothing that we did not ask for; give up at once where the API asks for a wait that nobody sits out."""
    response.headers.pop("content-encoding", None)  # 300 MB of blanks are 300 KB, and would stop the daemon
    asked = response.headers.get("retry-after", "0")
    try:
        is_long = float(asked) > LONGEST_WAIT
    except ValueError:  # a date
        is_long = True
    if is_long:
        response.headers["x-should-retry"] = "false"  # what the SDK obeys


class _Reading:
    """Reads the events of one stream."""

    def __init__(self, message: Message) -> None:
        self._message = message
        self._open: dict[int, Block] = {}
        self._inputs: dict[int, str] = {}  # of calls: JSON so far
        self.is_complete = False

    def take(self, event: Any) -> list[TextPiece]:
        """Take the next event; raises TypeError, LookupError or AttributeError for one of another shape."""
        match event["type"]:
            case "message_start":
                message = event["message"]
                self._message.id, self._message.model = _text(message["id"]), _text(message["model"])
                self._count(message.get("usage"))
            case "content_block_start":
                return self._begin(event["index"], event["content_block"])
            case "content_block_delta":
                return self._add(event["index"], event["delta"])
            case "content_block_stop":
                return self._end(event["index"])
            case "message_delta":
                reason = event["delta"].get("stop_reason")
                self._message.stop_reason = None if reason is None else _text(reason)
                self._count(event.get("usage"))
            case "message_stop":
                self.is_complete = True
        return []

    def _begin(self, index: int, block: Any) -> list[TextPiece]:
        if block["type"] == "text":
            text = _text(block["text"])
            self._open[index] = {"type": "text", "text": text}
            return [TextPiece(self._text_id(index), text)] if text else []
        if block["type"] == "tool_use":
            self._open[index] = {
                "type": "tool_use",
                "id": _text(block["id"]),
                "name": _text(block["name"]),
                "input": {},
            }
            self._inputs[index] = ""
        return []

    def _add(self, index: int, delta: Any) -> list[TextPiece]:
        block = self._open.get(index, {})
        if delta["type"] == "text_delta" and "text" in block:
            text = _text(delta["text"])
            block["text"] += text
            return [TextPiece(self._text_id(index), text)]
        if delta["type"] == "input_json_delta" and index in self._inputs:
            self._inputs[index] += _text(delta["partial_json"])
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

    def _text_id(self, index: int) -> str:
        return f"{self._message.id}.{index}"

    def _count(self, usage: Any) -> None:
        given = {ours: usage.get(theirs) for theirs, ours in _COUNTS.items()} if isinstance(usage, dict) else {}
        for kind, count in given.items():
            if (known := count_of(count)) is not None:
                self._message.counts[kind] = known
            elif count is not None:  # what was told before it is not the whole
                self._message.counts.pop(kind, None)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text where one has to be")
    return value


def _object(text: str) -> Mapping[str, object] | None:
    try:
        value = parse_json(text or "{}")
        json.dumps(value, ensure_ascii=False).encode()  # half of an emoji cannot be written
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
