"""One message of an answer as MessageDisplay hands it over: numbered pieces, not always in order. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from paliadin.answer import AnswerFilter
from paliadin.chips import Chip
from paliadin.trailer import Trailer


class Displayed:
    """Puts the pieces in order and runs them through the filter of trailer and chips."""

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
