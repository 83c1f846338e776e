"""The timeline of a turn, for its row: its tool calls, its waits, the prompts that joined it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from paliadin.events import model

MAX_ENTRIES = 1_000  # calls or interrupts of one turn that are kept
MAX_TEXT = 200  # characters


@dataclass(slots=True)
class CalledTool:
    """A tool call. `at_ms` counts from the turn's start; None is unknown, and `ok` is None until there is a result.

    The `ok` of a call that was refused stays None: it never ran, and so the tool did not fail.
    """

    name: str
    ok: bool | None = None
    refused: bool = False
    rows: int | None = None
    at_ms: int | None = None
    duration_ms: int | None = None


@dataclass(slots=True)
class Waited:
    """A wait for the user's reply, `answer`. `at_ms` counts from the turn's start; `by` is None until it is over."""

    kind: str
    tool: str
    by: str | None = None
    at_ms: int | None = None
    waited_ms: int | None = None
    answer: str | None = None


@dataclass(slots=True)
class JoinedWords:
    """A prompt that was typed in Claude's terminal while the turn ran, and became a part of it."""

    text: str
    at: int  # characters of the answer that stand before it


@dataclass
class Timeline:
    """The tool calls and interrupts of a turn, and the words that joined it, collected from its events."""

    tool_calls: list[CalledTool] = field(default_factory=list)
    interrupts: list[Waited] = field(default_factory=list)
    joined: list[tuple[str, int]] = field(default_factory=list)  # words, how many messages stand before them
    messages: dict[str, int] = field(default_factory=dict)  # id of each message so far → how many were there before it
    _before_calls: dict[str, int] = field(default_factory=dict)  # id of a call → how many were there at its end
    _before_last: int | None = None  # how many were there before the last call or interrupt
    _open_calls: dict[str, CalledTool] = field(default_factory=dict)  # those without a result, by id
    _open_waits: dict[str, Waited] = field(default_factory=dict)  # those without a reply, by id

    def add(self, event: model.EventData, at_ms: int | None) -> None:
        """Take one event of the turn, and its time in milliseconds since the turn's start."""
        match event:
            case model.ContentDelta():
                self.messages.setdefault(event.message_id, len(self.messages))
            case model.Joined() if len(self.joined) < MAX_ENTRIES:
                before = self._before_calls.get(event.after, self._before_last) if event.after else None
                self.joined.append((event.text, len(self.messages) if before is None else before))
            case model.ToolCall() if len(self.tool_calls) < MAX_ENTRIES:
                self._before_calls[event.id] = self._before_last = len(self.messages)
                call = self._open_calls[event.id] = CalledTool(_text(event.name), at_ms=at_ms)
                self.tool_calls.append(call)
            case model.ToolResult() if ended := self._open_calls.pop(event.id, None):
                # a message and its call are told of by two hooks, in any order; the next message comes after the result
                self._before_calls[event.id] = self._before_last = len(self.messages)
                ended.ok, ended.refused = None if event.refused else event.ok, event.refused
                ended.rows = event.rows
                ended.duration_ms = None if event.duration_ms is None else round(event.duration_ms)
            case model.Interrupt() if event.id not in self._open_waits and len(self.interrupts) < MAX_ENTRIES:
                self._before_last = len(self.messages)
                wait = self._open_waits[event.id] = Waited(_text(event.kind), _text(event.tool), at_ms=at_ms)
                self.interrupts.append(wait)
            case model.InterruptResolved() if over := self._open_waits.pop(event.id, None):
                if at_ms is not None and over.at_ms is not None:
                    over.waited_ms = at_ms - over.at_ms
                over.by, over.answer = event.by and _text(event.by), _reply(event.value)


def waited_ms(waits: Iterable[Waited]) -> int:
    """Return for how many milliseconds the turn waited for its user; waits that overlap count once.

    A wait that went on behind the turn, for an agent, held up nothing and does not count.
    """
    total, until = 0, 0
    for wait in sorted(waits, key=lambda wait: wait.at_ms or 0):
        if wait.at_ms is not None and wait.waited_ms and wait.by != "background":
            end = wait.at_ms + wait.waited_ms
            total += max(end - max(wait.at_ms, until), 0)
            until = max(until, end)
    return total


def _reply(value: object) -> str | None:
    """Write the user's reply in one line: an option, free text, or several questions' replies with commas between."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        value = ", ".join(_reply(item) or "" for item in value[:MAX_ENTRIES])
    return _text(value) if value else None


def _text(value: object) -> str:
    return str(value)[:MAX_TEXT]
