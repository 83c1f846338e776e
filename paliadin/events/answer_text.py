"""The messages of an answer: their visible text, chips and trailer. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from paliadin.events.answer_filter import AnswerFilter
from paliadin.events.chips import Chip
from paliadin.events.trailer import Trailer
from paliadin.steps.model import Text

SEPARATOR = "\n\n"  # between the messages of an answer


class AnswerMessage:
    """One message: separates the visible text from chips and trailer."""

    def __init__(self, message_id: str) -> None:
        self.id = message_id
        self.retracted = False  # nothing of it counts any more
        self.started = False  # the user has seen something of it, text or chip
        self._finished = False
        self._filter = AnswerFilter()
        self._visible: list[str] = []
        self.length = 0  # of the visible text so far, in code points

    def add(self, text: str) -> Iterator[str | Chip]:
        """Take the next part of the message's source; yield the text and chips that are certain."""
        return self._keep(self._filter.feed(text))

    def finish(self) -> Iterator[str | Chip]:
        """Yield the text that was held back, since the message is complete. Later calls yield nothing."""
        if not self._finished:
            self._finished = True
            yield from self._keep(self._filter.finish())

    def end_with(self, text: str) -> None:
        """End the message with visible text, in place of the text that was held back."""
        self.started = self._finished = True
        self._visible.append(text)
        self.length += len(text)

    @property
    def visible_text(self) -> str:
        """Return the text so far as the user sees it: Markdown without trailer and chips."""
        return "".join(self._visible)

    @property
    def trailer(self) -> Trailer | None:
        """Return the message's trailer; known once the message is finished."""
        return self._filter.trailer

    def _keep(self, pieces: list[str | Chip]) -> Iterator[str | Chip]:
        for piece in pieces:
            self.started = True
            if isinstance(piece, str):
                self._visible.append(piece)
                self.length += len(piece)
            yield piece


MessageUpdate = tuple[AnswerMessage, str | Chip]
"""A message, and a piece of it that may be shown: text, or a chip."""


class Answer:
    """All messages of a turn."""

    def __init__(self) -> None:
        self.trailer: Trailer | None = None  # the answer's last one; known once all messages are finished
        self._messages: dict[str, AnswerMessage] = {}

    def add(self, step: Text) -> Iterator[MessageUpdate]:
        """Take the next part of a message; yield the text and chips that are certain."""
        message = self._messages.get(step.message)
        if message is None:
            message = self._messages[step.message] = AnswerMessage(step.message)
        if message.retracted:
            return
        for piece in message.add(step.text):
            yield message, piece
        if step.final:
            for piece in message.finish():
                yield message, piece

    def end_with(self, message_id: str, text: str) -> None:
        """End a message, or a new one, with text that the reader has seen and whose source never came."""
        self._messages.setdefault(message_id, AnswerMessage(message_id)).end_with(text)

    def retract(self, message_id: str) -> bool:
        """Void a message; returns True if the user has seen some of it."""
        message = self._messages.get(message_id)
        if message is None or message.retracted:
            return False
        message.retracted = True
        return message.started

    def finish(self) -> Iterator[MessageUpdate]:
        """Yield the text that the messages held back, since the turn is over."""
        for message in self._messages.values():
            if not message.retracted:
                for piece in message.finish():
                    yield message, piece
                self.trailer = message.trailer or self.trailer

    @property
    def messages(self) -> list[tuple[str, str]]:
        """Return (id, visible text so far) of each message that counts."""
        return [(message.id, message.visible_text) for message in self._messages.values() if not message.retracted]

    @property
    def text(self) -> str:
        """Return the answer as the user reads it: Markdown, without chip markers and trailer."""
        return SEPARATOR.join(text for _, text in self._parts())

    def lengths(self) -> Iterator[tuple[str, int]]:
        """Yield (id, characters) of each message that is a part of the text."""
        return ((message_id, len(text)) for message_id, text in self._parts())

    def _parts(self) -> Iterator[tuple[str, str]]:
        return ((message_id, text) for message_id, source in self.messages if (text := source.strip()))
