"""Build the requests to the Messages API: the conversation so far, its caching, and the limits of its size. Pure.

Three places of a request are marked for caching: the system prompt, which is the same for everybody and has the tools
before it; this turn's question; and the last result of a tool. The next request finds all before them in the cache.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from paliadin.toolboxes.toolbox import ToolSpec

Block = dict[str, Any]
"""A content block of the Messages API."""

_BYTES_PER_TOKEN = 3  # of prose in English or German; JSON and file numbers take fewer
_SURELY, _HARDLY = 2, 5  # bytes per token of text that has surely more, or hardly fewer
CACHED: Block = {"type": "ephemeral"}


@dataclass(frozen=True, slots=True)
class Pair:
    """An earlier turn as it is sent to the model: its prompt as it was sent then, and its answer."""

    prompt: str
    answer: str


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a conversation that goes into a request: the latest pairs, oldest first. `left_out`: some are not."""

    pairs: Sequence[Pair]
    left_out: bool = False


def estimate(*texts: str) -> int:
    """Estimate how many tokens the texts take."""
    return sum(map(_size, texts)) // _BYTES_PER_TOKEN + 1


def is_near(limit: int, *texts: str) -> bool:
    """Tell whether the texts are so near the limit (in tokens) that an estimate cannot decide."""
    size = sum(map(_size, texts))
    return size // _HARDLY <= limit < size // _SURELY


def newest(pairs: Iterable[Pair], prompt: str, limit: int, per_estimated: float = 1.0) -> Window:
    """Choose the newest of the pairs (newest first) that fit into `limit` tokens together with the prompt.

    `per_estimated`: tokens that were counted for each estimated one.
    """
    room, pairs_kept = limit - estimate(prompt) * per_estimated, list[Pair]()
    for pair in pairs:
        room -= estimate(pair.prompt, pair.answer) * per_estimated
        if room < 0:
            return Window(pairs_kept[::-1], left_out=True)
        pairs_kept.append(pair)
    return Window(pairs_kept[::-1])


def messages(window: Window, prompt: str) -> list[Block]:
    """Build the messages that begin a turn."""
    begun: list[Block] = []
    for pair in window.pairs:
        begun += [_message("user", [_text(pair.prompt)]), _message("assistant", [_text(pair.answer)])]
    return [*begun, _message("user", [_text(prompt) | {"cache_control": CACHED}])]


def with_results(so_far: Sequence[Block], content: Sequence[Block], results: Sequence[Block]) -> list[Block]:
    """Add the model's message and the results of its calls; the caching mark moves from the last results to these."""
    marked = [*results[:-1], results[-1] | {"cache_control": CACHED}]
    return [*map(_without_marked_results, so_far), _message("assistant", content), _message("user", marked)]


def result_block(call_id: str, text: str, *, is_error: bool) -> Block:
    """Build the block of a tool's result."""
    block = {"type": "tool_result", "tool_use_id": call_id, "content": text}
    return block | {"is_error": True} if is_error else block


def tool_blocks(specs: Sequence[ToolSpec]) -> list[Block]:
    """Build the list of tools."""
    return [{"name": each.name, "description": each.description, "input_schema": each.schema} for each in specs]


def system_blocks(rules: str, facts: str) -> list[Block]:
    """Build the system prompt: the rules, which are cached for everybody, then the facts about the reader."""
    return [_text(rules) | {"cache_control": CACHED}, _text(facts)]


def _message(role: str, content: Sequence[Block]) -> Block:
    return {"role": role, "content": list(content)}


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def _without_marked_results(message: Block) -> Block:
    content = [_unmarked(block) if block["type"] == "tool_result" else block for block in message["content"]]
    return {**message, "content": content}


def _unmarked(block: Mapping[str, Any]) -> Block:
    return {name: value for name, value in block.items() if name != "cache_control"}


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
