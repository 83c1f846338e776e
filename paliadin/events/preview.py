"""The provisional text of a turn: what is generated now, and what hooks have not confirmed yet. Pure.

It comes from the preview log, which the pass-through writes, and enters neither the record nor the numbered events.
Hooks stay the truth: what a `content_delta` does not bear out is taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

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


@dataclass
class _Confirmed:
    """A message as the numbered events have it."""

    id: str
    text: _Text = field(default_factory=_Text)
    retracted: bool = False


@dataclass
class _Generated:
    """A response of the API as it was generated, so far."""

    message: AnswerMessage = field(default_factory=lambda: AnswerMessage("generated"))
    text: _Text = field(default_factory=_Text)  # as a reader may see it
    end: Literal["", "complete", "broken"] = ""
    void: bool = False  # the hooks say something else

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
        self._confirmed: list[_Confirmed] = []
        self._generated: _Generated | None = None  # the response that came last
        self._waiting: list[_Generated] = []  # complete ones of before, of which no event has told yet
        self._matched = 0  # confirmed messages that belong to earlier responses
        self._replaces: _Confirmed | None = None  # what the response that came last says once more: it was broken off

    def take(self, line: JsonObject) -> bool:
        """Take the next line of the preview log; returns whether anything may have changed."""
        if self.over:
            return False
        self.touched = True
        at, text, block, end = (line.get(key) for key in ("at", "text", "block", "end"))
        now = at if isinstance(at, int) else 0
        if "begin" in line:
            self._begin()
        elif self._generated is None:
            return False
        elif isinstance(text, str):
            self._generated.add(self._generated.message.add(text))
        elif isinstance(block, str):
            name = line.get("name")
            phase = _PHASES.get(block, "tool")
            self.activity = Activity(phase, name if isinstance(name, str) and phase == "tool" else None, now)
        elif end == "complete":
            self._generated.add(self._generated.message.finish())
            self._generated.end, self.activity = "complete", Activity("", None, now)
        else:
            self._generated.end, self.activity = "broken", Activity("", None, now)
        return True

    def confirm(self, events: Iterable[Event]) -> None:
        """Take the numbered events that the turn has gained."""
        for event in events:
            match event.data:
                case ContentDelta():
                    self._confirm_text(event.data)
                case ContentReset(message_id=message_id):
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
        self._match_earlier()
        generated = self._generated
        if generated is None or generated.void or not str(generated.text):
            return
        is_newer = any(message is each for each in self._confirmed[self._matched :])
        generated.void = is_newer and not generated.agrees_with(message)

    @property
    def shown(self) -> Preview:
        """All of the provisional text: what follows the confirmed text of the message that is being written."""
        self._match_earlier()
        generated = self._generated
        if self.over or generated is None or generated.void or generated.end == "broken":
            return self._nothing
        number = self._match(generated, self._matched)
        if number is None:
            number = len(self._confirmed) + len(self._waiting)
            said_before = self._replaces is not None and not self._replaces.retracted
            return self._nothing if said_before else Preview(number, 0, str(generated.text))
        offset = len(str(self._confirmed[number].text))
        return Preview(number, offset, str(generated.text)[offset:])

    @property
    def _nothing(self) -> Preview:
        number = max(len(self._confirmed) - 1, 0)
        return Preview(number, len(self.confirmed_text(number)), "")

    def confirmed_text(self, number: int) -> str:
        """The text of a message as the numbered events have it; empty for one that has none."""
        return str(self._confirmed[number].text) if number < len(self._confirmed) else ""

    def _begin(self) -> None:
        """Begin the next response. One that was broken off is asked for again, and says the same once more."""
        before, self._generated, self._replaces = self._generated, _Generated(), None
        if before is None or not str(before.text):
            return
        self._match_earlier()
        number = self._match(before, self._matched)
        if number is not None:
            self._matched = number + 1
            self._replaces = self._confirmed[number] if before.end != "complete" else None
        elif before.end == "complete":
            self._waiting.append(before)

    def _match_earlier(self) -> None:
        """Match earlier responses with messages that were confirmed since."""
        while self._waiting and (number := self._match(self._waiting[0], self._matched)) is not None:
            self._matched = number + 1
            del self._waiting[0]

    def _match(self, generated: _Generated, start: int) -> int | None:
        """The number of the confirmed message, from `start` on, that is this response; None if there is none yet."""
        if not str(generated.text):
            return None
        for number in range(start, len(self._confirmed)):
            message = self._confirmed[number]
            if not message.retracted and generated.agrees_with(message):
                return number
        return None

    def _find(self, message_id: str) -> _Confirmed | None:
        return next((message for message in self._confirmed if message.id == message_id), None)


class PreviewReader:
    """What one client, which has all numbered events, knows of the provisional text; says what it has to be told."""

    def __init__(self) -> None:
        self._message = 0  # the one that the client was last told of
        self._text: str | None = None  # of that message, as the client has it; None: it was told nothing yet
        self._activity = Activity("", None, 0)

    def update(self, state: PreviewState) -> list[Preview | Activity]:
        """The events that bring the client from what it knows to what is shown now; the first time, at least one.

        Without a preview log there are none; and none once the answer is complete, as the client knows it then.
        """
        if state.over or not state.touched:
            return []
        events: list[Preview | Activity] = list(self._changes(state))
        before, self._activity = self._activity, state.activity
        if before != state.activity and (before.phase or state.activity.phase):
            events.append(state.activity)
        return events

    def _changes(self, state: PreviewState) -> Iterator[Preview]:
        shown = state.shown
        confirmed = state.confirmed_text(self._message)
        if self._text is not None and not (len(self._text) > len(confirmed) and self._text.startswith(confirmed)):
            self._text = confirmed  # the client has dropped what was not borne out
        if self._text is None or shown.message != self._message:
            if self._text is not None and len(self._text) > len(confirmed) and not shown.text:
                yield Preview(self._message, len(confirmed), "")  # taken back
                self._text = confirmed
                return
            if self._text is None or shown.text:
                yield shown
                self._message, self._text = shown.message, state.confirmed_text(shown.message) + shown.text
            return
        whole = confirmed + shown.text
        if whole != self._text:
            same = len(self._text if whole.startswith(self._text) else confirmed)
            yield Preview(self._message, same, whole[same:])
            self._text = whole
