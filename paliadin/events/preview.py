"""The provisional text of a turn: what is generated now, and what hooks have not confirmed yet. Pure.

It comes from the preview log, which the pass-through writes, and enters neither the record nor the numbered events.
Hooks stay the truth: what a `content_delta` does not bear out is taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from paliadin.base.checked_numbers import time_of
from paliadin.base.strict_json import JsonObject
from paliadin.events.answer_text import AnswerMessage
from paliadin.events.chips import Chip
from paliadin.events.model import Activity, Answered, ContentDelta, ContentReset, End, Error, Event, Preview

_PHASES = {"text": "writing", "thinking": "thinking", "redacted_thinking": "thinking"}


class _Text:
    """A text that grows by pieces; they are joined when it is asked for, since to add each would copy all of it."""

    def __init__(self) -> None:
        self._text, self._pieces = "", list[str]()

    def add(self, *pieces: str) -> None:
        """Add pieces at the end."""
        self._pieces += pieces

    def __str__(self) -> str:
        if self._pieces:
            self._text += "".join(self._pieces)
            self._pieces.clear()
        return self._text


@dataclass(eq=False)
class _Confirmed:
    """A message as the numbered events have it."""

    id: str
    text: _Text = field(default_factory=_Text)
    retracted: bool = False


@dataclass(eq=False)
class _Generated:
    """A response of the API as it was generated, so far."""

    number: int  # of the request
    message: AnswerMessage = field(default_factory=lambda: AnswerMessage("generated"))
    text: _Text = field(default_factory=_Text)  # as a reader may see it
    end: Literal["", "complete", "broken"] = ""
    void: bool = False  # the hooks say something else
    replaces: _Confirmed | None = None  # what it says once more: that was broken off

    def add(self, pieces: Iterable[str | Chip]) -> None:
        """Add what a reader may see."""
        self.text.add(*(piece for piece in pieces if isinstance(piece, str)))

    def agrees_with(self, confirmed: _Confirmed) -> bool:
        """True if one text begins with the other."""
        one, other = str(self.text), str(confirmed.text)
        return one.startswith(other) if len(one) > len(other) else other.startswith(one)


class PreviewState:
    """What is shown early of a turn. It takes the lines of the preview log, and the numbered events."""

    def __init__(self) -> None:
        self.activity = Activity("", None, 0)
        self.touched = False  # there is a preview log, with something in it
        self.over = False  # the answer is complete: nothing is provisional any more
        self.stopping = False  # somebody has pressed Stop: what breaks off now is not asked for again
        self.resets = 0  # how many `content_reset` there were: with each a client drops what is provisional
        self._requests = 0  # how many responses have begun
        self._confirmed: list[_Confirmed] = []
        self._matched = 0  # how many of them belong to responses that are done with
        self._responses: list[_Generated] = []  # those that are not done with, oldest first; the last may still grow
        self._broken: list[_Generated] = []  # responses that broke off, and of which the hooks have told nothing yet

    def take(self, line: JsonObject) -> bool:
        """Take the next line of the preview log; returns whether anything may have changed."""
        if self.over:
            return False
        self.touched = True
        at, text, block, end = (line.get(key) for key in ("at", "text", "block", "end"))
        now = time_of(at) or 0
        if "begin" in line:
            self._begin()
            return True
        if not self._responses:
            return False
        response = self._responses[-1]
        if isinstance(text, str):
            response.add(response.message.add(text))
        elif isinstance(block, str):
            name = line.get("name")
            phase = _PHASES.get(block, "tool")
            self.activity = Activity(phase, name if isinstance(name, str) and phase == "tool" else None, now)
        else:
            response.end = "complete" if end == "complete" else "broken"
            if response.end == "complete":
                response.add(response.message.finish())
            self.activity = Activity("", None, now)
        return True

    def confirm(self, events: Iterable[Event]) -> None:
        """Take the numbered events that the turn has gained."""
        for event in events:
            match event.data:
                case ContentDelta():
                    self._confirm_text(event.data)
                case ContentReset(message_id=message_id):
                    self.resets += 1
                    if message := self._find(message_id):
                        message.retracted = True
                case Answered() | End() | Error():
                    self.over, self.activity = True, Activity("", None, 0)

    def _confirm_text(self, delta: ContentDelta) -> None:
        message = self._find(delta.message_id)
        if message is None:
            message = _Confirmed(delta.message_id)
            self._confirmed.append(message)
        message.text.add(delta.text)
        self._drop_done()
        while (response := self._first) and not response.void and message in self._open:
            if response.agrees_with(message):
                return
            if response is self._responses[-1] and self._is_broken(message):
                break
            response.void = True
            self._drop_done()
        if message in self._open and self._is_broken(message):
            self._leave_behind(message)

    def _is_broken(self, message: _Confirmed) -> bool:
        """True if this is a response that broke off: its hooks may come when the next one is being generated."""
        return any(broken.agrees_with(message) for broken in self._broken)

    def _leave_behind(self, broken: _Confirmed) -> None:
        """Note that this message broke off, and that the last response says the same once more."""
        self._matched, self._responses[-1].replaces = self._confirmed.index(broken) + 1, broken
        del self._responses[:-1]

    @property
    def shown(self) -> Preview:
        """All of the provisional text: what follows the confirmed text of the message that comes next.

        That is the message of the oldest response of which not all is confirmed: hooks are behind what is generated.
        """
        self._drop_done()
        response = self._first
        if self.over or response is None or response.void or (response.end == "broken" and not self.stopping):
            return self._nothing
        number = self._match(response)
        if response.replaces and not response.replaces.retracted:  # what it says once more stands there until then
            return self._nothing
        if number is None:
            said_before = any(self._is_broken(message) and not message.retracted for message in self._open)
            return self._nothing if said_before else Preview(len(self._confirmed), 0, str(response.text))
        offset = len(self.confirmed_text(number))
        return Preview(number, offset, str(response.text)[offset:])

    @property
    def _nothing(self) -> Preview:
        number = max(len(self._confirmed) - 1, 0)
        return Preview(number, len(self.confirmed_text(number)), "")

    def message_id(self, number: int) -> str | None:
        """The id of a message; None for one of which nothing is confirmed."""
        return self._confirmed[number].id if number < len(self._confirmed) else None

    def confirmed_text(self, number: int) -> str:
        """The text of a message as the numbered events have it; empty for one that has none."""
        return str(self._confirmed[number].text) if number < len(self._confirmed) else ""

    def _begin(self) -> None:
        """Begin the next response. One that was broken off is asked for again, and says the same once more."""
        broken = self._responses.pop() if self._responses and self._responses[-1].end != "complete" else None
        self._requests += 1
        self._responses.append(_Generated(self._requests, replaces=broken.replaces if broken else None))
        if broken:
            broken.add(broken.message.finish())  # the hooks, too, give what was held back: nothing follows it
            if (number := self._match_broken(broken)) is not None:
                self._leave_behind(self._confirmed[number])
            elif str(broken.text):
                self._broken.append(broken)

    @property
    def _first(self) -> _Generated | None:
        """The oldest response with text that is not done with."""
        return next((response for response in self._responses if str(response.text)), None)

    @property
    def _open(self) -> Sequence[_Confirmed]:
        """The confirmed messages that belong to no response that is done with."""
        return self._confirmed[self._matched :]

    def _drop_done(self) -> None:
        """Drop the responses that are done with: all is confirmed, there is no text, or the hooks contradict it."""
        while len(self._responses) > 1:
            response = self._responses[0]
            number = self._match(response)
            if number is not None and len(self.confirmed_text(number)) >= len(str(response.text)):
                self._matched = number + 1
                self._broken = [broken for broken in self._broken if broken.number > response.number]
            elif str(response.text) and not response.void:
                return
            del self._responses[0]

    def _match(self, response: _Generated) -> int | None:
        """The number of the confirmed message that is this response; None if there is none yet."""
        if not str(response.text):
            return None
        for number in range(self._matched, len(self._confirmed)):
            message = self._confirmed[number]
            if not message.retracted and response.agrees_with(message):
                return number
        return None

    def _match_broken(self, broken: _Generated) -> int | None:
        """The same for a response that broke off before the last one began: its message may be retracted already.

        One that is not, while there is a later one, or that has more text, is that of the next response; a daemon that
        was started anew has all of them before the first line of the preview log.
        """
        matched = [number for response in self._responses if (number := self._match(response)) is not None]
        last, size = len(self._confirmed) - 1, len(str(broken.text))
        for number in range(max([self._matched - 1, *matched]) + 1, last + 1):
            message = self._confirmed[number]
            may_be = message.retracted or (number == last and len(str(message.text)) <= size)
            if size and may_be and broken.agrees_with(message):
                return number
        return None

    def _find(self, message_id: str) -> _Confirmed | None:
        return next((message for message in self._confirmed if message.id == message_id), None)
