"""The text of an answer as MessageDisplay hands it over: messages in numbered pieces, not always in order. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from paliadin.answer import AnswerFilter
from paliadin.chips import Chip
from paliadin.trailer import Trailer


class Displayed:
    """One message: puts its pieces in order and runs them through the filter of trailer and chips."""

    def __init__(self, message_id: str) -> None:
        self.id = message_id
        self.void = False
        self.finished = False
        self.started = False  # the user has seen something of it, text or chip
        self._filter = AnswerFilter()
        self._waiting: dict[int, str] = {}
        self._next = 0
        self._last: int | None = None
        self._source: list[str] = []
        self._shown: list[str] = []

    def add(self, index: int, delta: str, *, final: bool) -> Iterator[str | Chip]:
        """What this piece lets the user see."""
        if final:
            self._last = index
        if index >= self._next:
            self._waiting[index] = delta
        while self._next in self._waiting:
            piece = self._waiting.pop(self._next)
            self._next += 1
            self._source.append(piece)
            yield from self._keep(self._filter.feed(piece))
        if self._last is not None and self._next > self._last:
            yield from self.finish()

    def finish(self) -> Iterator[str | Chip]:
        """The text that was held back; once. Pieces behind a gap that never came are shown, too."""
        if self.finished:
            return
        self.finished = True
        for index in sorted(self._waiting):
            piece = self._waiting.pop(index)
            self._source.append(piece)
            yield from self._keep(self._filter.feed(piece))
        yield from self._keep(self._filter.finish())

    def rest_of(self, said: str) -> Iterator[str | Chip] | None:
        """What of the whole message has not come yet; None when this message does not begin it."""
        come = self.source.lstrip()
        if self.finished or not said.startswith(come.rstrip()):
            return None
        self._waiting.clear()
        rest = said[len(come) :] if said.startswith(come) else ""
        return self.add(self._next, rest, final=True)

    @property
    def source(self) -> str:
        """The text as Claude wrote it, trailer and markers included."""
        return "".join(self._source)

    @property
    def shown(self) -> str:
        return "".join(self._shown)

    @property
    def trailer(self) -> Trailer | None:
        return self._filter.trailer

    def _keep(self, pieces: list[str | Chip]) -> Iterator[str | Chip]:
        for piece in pieces:
            self.started = True
            if isinstance(piece, str):
                self._shown.append(piece)
            yield piece


Shown = tuple[Displayed, str | Chip | None]
"""What a message lets the user see; None: all that it showed is taken back."""


class Spoken:
    """All messages of a turn. One right behind another says it all anew: Claude asked the API again."""

    def __init__(self) -> None:
        self.trailer: Trailer | None = None  # known when all is finished
        self._messages: list[Displayed] = []
        self._closed = True  # since the last text there was a tool call, a stop or a compaction
        self._last_is_open = False  # Stop came with nothing between it and the last text

    def close(self) -> None:
        """A tool call, a result or a compaction came: the message before it stands."""
        self._closed = True

    def stop(self) -> None:
        self._last_is_open = not self._closed
        self._closed = True

    def display(self, hook: Mapping[str, object]) -> Iterator[Shown]:
        """A MessageDisplay; a subagent's text is its parent's material, not the answer."""
        if hook.get("agent_id"):
            return
        message_id = str(hook.get("message_id"))
        message = next((message for message in self._messages if message.id == message_id), None)
        if message is None:
            if self._messages and not self._closed:
                yield from _taken_back(self._messages[-1])
            self._closed = False
            message = Displayed(message_id)
            self._messages.append(message)
        index, delta = hook.get("index"), hook.get("delta")
        if not message.void and isinstance(index, int) and isinstance(delta, str):  # else a late piece
            for piece in message.add(index, delta, final=bool(hook.get("final"))):
                yield message, piece

    def has_all_of(self, said: str) -> bool:
        """Stop names the last text block only: a message may have had others before it."""
        last = self._messages[-1] if self._messages else None
        return not said.strip() or (last is not None and last.source.strip().endswith(said.strip()))

    def complete(self, said: str) -> Iterator[Shown]:
        """What was never displayed stands in Stop: 2.1.197 asks again without streaming, and displays none of that."""
        said = said.strip()
        if self.has_all_of(said):
            return
        last = self._messages[-1] if self._messages else None
        if last and (self._last_is_open or not self._closed):  # before Stop, or after it
            if (rest := last.rest_of(said)) is not None:
                for piece in rest:
                    yield last, piece
                return
            yield from _taken_back(last)
        whole = Displayed("stop")
        self._messages.append(whole)
        for piece in whole.add(0, said, final=True):
            yield whole, piece

    def finish(self) -> Iterator[Shown]:
        """What was held back."""
        for message in self._messages:
            if not message.void:
                for piece in message.finish():
                    yield message, piece
                self.trailer = message.trailer or self.trailer

    @property
    def text(self) -> str:
        """The answer as the user read it: Markdown, no chip marker, no trailer."""
        return "\n\n".join(text for message in self._messages if not message.void and (text := message.shown.strip()))


def _taken_back(message: Displayed) -> Iterator[Shown]:
    if not message.void:
        message.void = True
        if message.started:
            yield message, None
