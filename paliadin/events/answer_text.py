"""The messages of an answer, assembled from the MessageDisplay hooks. Pure.

The hook hands a message over in numbered pieces, which may arrive out of order. A turn may have several messages, with
tool calls between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from paliadin.events.answer_filter import AnswerFilter
from paliadin.events.chips import Chip
from paliadin.events.trailer import Trailer

_SLACK = 10
"""Ticks (1/100 s) after the end of a tool's hook in which a text may still be from before it.

On a busy machine Claude Code started the hook of a text up to 0.02 s after that of the tool behind it had ended. The
API needs longer than 0.1 s for the first words about a tool's result.
"""


class AnswerMessage:
    """One message: puts its pieces in order, and separates the visible text from chips and trailer."""

    def __init__(self, message_id: str) -> None:
        self.id = message_id
        self.retracted = False  # nothing of it counts any more
        self.finished = False  # all of it has come, or nothing more will
        self.started = False  # the user has seen something of it, text or chip
        self._filter = AnswerFilter()
        self._early: dict[int, str] = {}  # pieces that arrived ahead of an earlier one, by index
        self._next = 0  # index of the next piece
        self._last: int | None = None  # index of the final piece
        self._source: list[str] = []
        self._visible: list[str] = []

    def add(self, index: int, delta: str, *, final: bool) -> Iterator[str | Chip]:
        """Add piece `index` (from 0; `final`: there is none after it); yield the text and chips that may be shown."""
        if final:
            self._last = index
        if index >= self._next:
            self._early[index] = delta
        while self._next in self._early:
            piece = self._early.pop(self._next)
            self._next += 1
            yield from self._feed(piece)
        if self._last is not None and self._next > self._last:
            yield from self.finish()

    def finish(self) -> Iterator[str | Chip]:
        """Yield what was held back, and the pieces after one that never came. Later calls yield nothing."""
        if self.finished:
            return
        self.finished = True
        for index in sorted(self._early):
            yield from self._feed(self._early.pop(index))
        yield from self._keep(self._filter.finish())

    def complete(self, text: str) -> Iterator[str | Chip] | None:
        """Add what is missing of `text`, the complete message; None when what has come is not its beginning."""
        received = self.source.lstrip()
        if self.finished or not text.startswith(received.rstrip()):
            return None
        self._early.clear()
        rest = text[len(received) :] if text.startswith(received) else ""
        return self.add(self._next, rest, final=True)

    @property
    def source(self) -> str:
        """The text so far as Claude wrote it, with trailer and chip markers."""
        return "".join(self._source)

    @property
    def visible_text(self) -> str:
        """The text so far as the user sees it: Markdown without trailer and chips."""
        return "".join(self._visible)

    @property
    def trailer(self) -> Trailer | None:
        """The message's trailer; known once it is finished."""
        return self._filter.trailer

    def _feed(self, piece: str) -> Iterator[str | Chip]:
        self._source.append(piece)
        yield from self._keep(self._filter.feed(piece))

    def _keep(self, pieces: list[str | Chip]) -> Iterator[str | Chip]:
        for piece in pieces:
            self.started = True
            if isinstance(piece, str):
                self._visible.append(piece)
            yield piece


MessageUpdate = tuple[AnswerMessage, str | Chip | None]
"""A change of what the user sees of a message: more text, a chip, or None, which retracts all that it showed."""


class Answer:
    """All messages of a turn.

    A new message that follows directly on another one replaces it: the connection broke, and Claude Code asked the API
    again. Between two messages that both count there is a tool call or a compaction.
    """

    def __init__(self) -> None:
        self.trailer: Trailer | None = None  # the answer's last one; known once all messages are finished
        self._messages: list[AnswerMessage] = []
        self._last_is_kept = True  # since the last text there was a tool call, a stop or a compaction
        self._last_may_be_late = False  # the last text may stand in front of the tool that was logged before it
        self._tool_ended: int | None = None  # the `ended` of the last line of a tool
        self._stopped_after_text = False  # at Stop, nothing had come after the last text
        self._stop_ended: int | None = None  # the `ended` of a Stop that alone protects the last message

    def keep_last_message(self, ended: int | None = None) -> None:
        """Protect the last message from being replaced: a tool call, its result or a compaction came after it.

        `ended` says until when Claude Code waited for the tool's hook, as the turn log has it.
        """
        self._last_is_kept, self._last_may_be_late = True, False
        self._tool_ended, self._stop_ended = ended, None

    def stop(self, ended: int | None = None) -> None:
        """Take the Stop hook: Claude has ended its work, though text from before it may still be logged."""
        self._stopped_after_text = not self._last_is_kept
        self._stop_ended = ended if self._stopped_after_text else None
        self._last_is_kept = True

    def display(self, hook: Mapping[str, object], started: int | None = None) -> Iterator[MessageUpdate]:
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
                yield from _retract(self._messages[-1])
            self._last_is_kept = self._last_may_be_late = self._may_be_late(started)
            message = AnswerMessage(message_id)
            self._messages.append(message)
        index, delta = hook.get("index"), hook.get("delta")
        # A retracted message may still get a late piece.
        if not message.retracted and isinstance(index, int) and isinstance(delta, str):
            for piece in message.add(index, delta, final=bool(hook.get("final"))):
                yield message, piece

    def _may_be_late(self, started: int | None) -> bool:
        return started is not None and self._tool_ended is not None and started <= self._tool_ended + _SLACK

    def has_all_of(self, last_text: str) -> bool:
        """True if the answer ends with `last_text`: the last text block of the last message, as Stop reports it."""
        last = self._messages[-1] if self._messages else None
        return not last_text.strip() or (last is not None and last.source.strip().endswith(last_text.strip()))

    def complete(self, last_text: str) -> Iterator[MessageUpdate]:
        """Add what Stop's `last_text` has and MessageDisplay never reported.

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
                    yield last, piece
                return
            if not self._last_may_be_late:
                yield from _retract(last)
        message = AnswerMessage("stop")
        self._messages.append(message)
        for piece in message.add(0, last_text, final=True):
            yield message, piece

    def finish(self) -> Iterator[MessageUpdate]:
        """Yield what the messages held back; the turn is over."""
        for message in self._messages:
            if not message.retracted:
                for piece in message.finish():
                    yield message, piece
                self.trailer = message.trailer or self.trailer

    @property
    def text(self) -> str:
        """The answer as the user reads it: Markdown, without chip markers and trailer."""
        texts = (message.visible_text.strip() for message in self._messages if not message.retracted)
        return "\n\n".join(text for text in texts if text)


def _retract(message: AnswerMessage) -> Iterator[MessageUpdate]:
    if not message.retracted:
        message.retracted = True
        if message.started:
            yield message, None
