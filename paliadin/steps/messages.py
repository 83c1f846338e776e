"""Put the pieces of an answer's messages in order, as Claude Code's MessageDisplay hooks report them. Pure.

The hook reports a message in numbered pieces, which may arrive out of order. A turn may have several messages, with
tool calls between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from paliadin.base.strict_json import JsonObject
from paliadin.steps.model import Doubted, Retracted, Text

_SLACK = 10
"""Ticks (1/100 s) after the end of a tool's hook in which a text may still be from before it.

On a busy machine Claude Code started the hook of a text up to 0.02 s after that of the tool behind it had ended. The
API needs longer than 0.1 s for the first words about a tool's result.
"""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a message; `final`: the last one."""

    text: str
    final: bool = False


class _Message:
    """One message: yields its pieces in their order."""

    def __init__(self, message_id: str) -> None:
        self.id = message_id
        self.retracted = False  # nothing of it counts any more
        self.finished = False  # all of it has come, or nothing more will
        self._early: dict[int, str] = {}  # pieces that arrived ahead of an earlier one, by index
        self._next = 0  # index of the next piece
        self._last: int | None = None  # index of the final piece
        self._source: list[str] = []

    def add(self, index: int, delta: str, *, final: bool) -> Iterator[_Piece]:
        """Add piece `index` (from 0; `final`: there is none after it); yield the pieces whose turn it is."""
        if final:
            self._last = index
        if index >= self._next:
            self._early[index] = delta
        pieces = []
        while self._next in self._early:
            pieces.append(self._early.pop(self._next))
            self._next += 1
        if self.finished or self._last is None or self._next <= self._last:
            yield from map(self._keep, pieces)
        else:
            yield from self._finish(pieces + self._leftovers())

    def finish(self) -> Iterator[_Piece]:
        """Yield the pieces behind a missing one, and the end of the message. Later calls yield nothing."""
        if not self.finished:
            yield from self._finish(self._leftovers())

    def complete(self, text: str) -> Iterator[_Piece] | None:
        """Add the missing end of `text`, the complete message; None when the pieces so far are not its beginning."""
        received = self.source.lstrip()
        if self.finished or not text.startswith(received.rstrip()):
            return None
        self._early.clear()
        rest = text[len(received if text.startswith(received) else received.rstrip()) :]
        return self.add(self._next, rest, final=True)

    @property
    def source(self) -> str:
        """Return the text so far as Claude wrote it."""
        return "".join(self._source)

    def _leftovers(self) -> list[str]:
        return [self._early.pop(index) for index in sorted(self._early)]

    def _finish(self, pieces: list[str]) -> Iterator[_Piece]:
        self.finished = True
        *others, last = pieces or [""]
        yield from map(self._keep, others)
        yield self._keep(last, final=True)

    def _keep(self, text: str, *, final: bool = False) -> _Piece:
        self._source.append(text)
        return _Piece(text, final)


class Messages:
    """All messages of a turn.

    Between two messages that both count there is usually a tool call or a compaction. A message directly after another
    one replaces it, if the connection broke and Claude Code asked the API again; or it continues it, as after the
    output limit. The hooks do not tell which. Where `transcript_read`, the relay does: the earlier message is doubted
    until then. In older logs the later message always counts as a repetition.

    Methods that yield steps take `at`, the steps' time.
    """

    transcript_read = False

    def __init__(self) -> None:
        self._doubted: dict[str, _Message] = {}  # those of which the relay has not yet told whether they count
        self._decided: set[str] = set()  # ids of those of which it has
        self._messages: list[_Message] = []
        self._last_is_kept = True  # since the last text there was a tool call, a stop or a compaction
        self._last_may_be_late = False  # the last text may stand in front of the tool that was logged before it
        self._tool_ended: int | None = None  # the `ended` of the last line of a tool
        self._stopped_after_text = False  # at Stop, nothing had come after the last text
        self._stop_ended: int | None = None  # the `ended` of a Stop that alone protects the last message

    def keep_last(self, ended: int | None = None) -> None:
        """Protect the last message from being replaced: a tool call, its result or a compaction came after it.

        `ended` says until when Claude Code waited for the tool's hook, as the turn log has it.
        """
        self._last_is_kept, self._last_may_be_late = True, False
        self._tool_ended, self._stop_ended = ended, None

    def stop(self, ended: int | None = None) -> None:
        """Take the Stop hook: Claude has ended its work, though lines of earlier text may still come."""
        self._stopped_after_text = not self._last_is_kept
        self._stop_ended = ended if self._stopped_after_text else None
        self._last_is_kept = True

    def display(self, at: int, hook: JsonObject, started: int | None = None) -> Iterator[Text | Retracted | Doubted]:
        """Take a MessageDisplay hook. The text of a subagent is no part of the answer.

        `started` is when its process began. If that was before the last tool's hook had ended, or hardly later, the
        text may stand in front of that tool: Claude goes on only after it. So the text is not replaced.
        """
        if hook.get("agent_id"):
            return
        message_id = str(hook.get("message_id"))
        message = next((message for message in self._messages if message.id == message_id), None)
        if message is None:
            before_stop = started is not None and self._stop_ended is not None and started <= self._stop_ended
            if self._messages and (before_stop or not self._last_is_kept):
                yield from self._replace_or_doubt(at, self._messages[-1])
            self._last_is_kept = self._last_may_be_late = self._may_be_late(started)
            message = _Message(message_id)
            self._messages.append(message)
            yield Text(at, message_id, "")  # gives the message its place, though its first piece may come later
        index, delta = hook.get("index"), hook.get("delta")
        # A retracted message may still get a late piece.
        if not message.retracted and isinstance(index, int) and isinstance(delta, str):
            for piece in message.add(index, delta, final=bool(hook.get("final"))):
                yield Text(at, message.id, piece.text, piece.final)

    def _replace_or_doubt(self, at: int, message: _Message) -> Iterator[Retracted | Doubted]:
        if not self.transcript_read:
            yield from _retract(at, message)
        elif message.id not in self._decided and message.id not in self._doubted:
            self._doubted[message.id] = message
            yield Doubted(at, message.id)

    def decide(self, at: int, message_id: str, *, counts: bool) -> Iterator[Retracted]:
        """Take the relay's decision on a message: it counts, or a later one has replaced it."""
        self._doubted.pop(message_id, None)
        self._decided.add(message_id)
        if not counts:
            for message in self._messages:
                if message.id == message_id:
                    yield from _retract(at, message)

    def has(self, message_id: str) -> bool:
        """True if a piece of this message has come."""
        return any(message.id == message_id for message in self._messages)

    @property
    def in_doubt(self) -> bool:
        """True while the relay has not decided on every doubted message."""
        return bool(self._doubted)

    def doubt_last(self, at: int, last_text: str) -> Iterator[Retracted | Doubted]:
        """Doubt the last message, if it does not end with `last_text`, which Stop reports as the last text."""
        last = self._messages[-1] if self._messages else None
        may_be_void = self._stopped_after_text or not self._last_is_kept
        if self.transcript_read and last and last.finished and may_be_void and not self.has_all_of(last_text):
            yield from self._replace_or_doubt(at, last)

    def _may_be_late(self, started: int | None) -> bool:
        return started is not None and self._tool_ended is not None and started <= self._tool_ended + _SLACK

    def has_all_of(self, last_text: str) -> bool:
        """True if the answer ends with `last_text`: the last text block of the last message, as Stop reports it."""
        last = self._messages[-1] if self._messages else None
        return not last_text.strip() or (last is not None and last.source.strip().endswith(last_text.strip()))

    def complete(self, at: int, last_text: str) -> Iterator[Text | Retracted]:
        """Add the part of Stop's `last_text` that MessageDisplay never reported.

        Claude Code 2.1.197 does not stream when it asks the API again, and displays nothing of that response.
        """
        last_text = last_text.strip()
        if self.has_all_of(last_text):
            return
        last = self._messages[-1] if self._messages else None
        # Between that text and Stop there was no tool call, or one of which this is not known.
        if last and (self._stopped_after_text or not self._last_is_kept or self._last_may_be_late):
            if (rest := last.complete(last_text)) is not None:
                for piece in rest:
                    yield Text(at, last.id, piece.text, piece.final)
                return
            if not self._last_may_be_late and last.id not in self._decided:
                yield from _retract(at, last)
        message = _Message("stop")
        self._messages.append(message)
        for piece in message.add(0, last_text, final=True):
            yield Text(at, message.id, piece.text, piece.final)

    def finish(self, at: int) -> Iterator[Text]:
        """Yield the ends of all unfinished messages, as the turn is over."""
        for message in self._messages:
            if not message.retracted:
                for piece in message.finish():
                    yield Text(at, message.id, piece.text, piece.final)


def _retract(at: int, message: _Message) -> Iterator[Retracted]:
    if not message.retracted:
        message.retracted = True
        yield Retracted(at, message.id)
