"""A client's view of a turn's text: numbered events, and the previews between them. Pure.

It follows the contract to the letter, and keeps everything in which the daemon departs from it (`faults`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from tests.worlds.world import Event

HIDDEN = re.compile(r"\[/?paliadin-meta|used_tools:|rows_seen:|classifier_tag|\[#[\w-]+-OPEN|\[chip:")
"""What a reader never sees: the trailer, and chips as Claude writes them."""


@dataclass
class _Message:
    id: str
    text: str = ""
    retracted: bool = False


@dataclass
class LiveText:
    """The texts of one turn as one client shows them; `take` is given each event in its order."""

    faults: list[str] = field(default_factory=list)
    provisional: dict[int, list[str]] = field(default_factory=dict)
    """By the number of a message: what was shown early of it. A text that only grew is there once, at its longest."""

    previews: int = 0
    answered: bool = False
    last: int = 0  # the number of the last numbered event
    _messages: list[_Message] = field(default_factory=list)
    _number: int = 0  # the message that is being written
    _shown: str = ""  # all of its text as it is shown, the confirmed part first

    def take(self, event: Event) -> None:
        """Take the next event."""
        if event.id is not None:
            if event.id != self.last + 1:
                self.faults.append(f"event {event.id} follows {self.last}")
            self.last = event.id
        match event.name:
            case "content_delta":
                self._confirm(event.data["message_id"], event.data["text"])
            case "content_reset":
                for number, message in enumerate(self._messages):
                    if message.id == event.data["message_id"]:
                        message.retracted = True
                        self._shown = "" if number == self._number else self._shown
            case "preview":
                self._preview(event.data)
            case "answered" | "end" | "error":
                self.answered = True
                self._shown = self._confirmed(self._number)

    @property
    def confirmed(self) -> list[str]:
        """The texts of the messages, as the numbered events have them."""
        return [message.text for message in self._messages if not message.retracted]

    @property
    def shown(self) -> list[str]:
        """The texts of the messages, as the client shows them."""
        texts = {number: message.text for number, message in enumerate(self._messages) if not message.retracted}
        if self._shown:
            texts[self._number] = self._shown
        return [text for _, text in sorted(texts.items())]

    @property
    def length(self) -> int:
        """How many characters are shown."""
        return sum(map(len, self.shown))

    def _confirmed(self, number: int) -> str:
        return self._messages[number].text if number < len(self._messages) else ""

    def _confirm(self, message_id: str, more: str) -> None:
        ids = [message.id for message in self._messages]
        if message_id not in ids:
            self._messages.append(_Message(message_id))
            ids.append(message_id)
        number = ids.index(message_id)
        message = self._messages[number]
        message.text += more
        if number == self._number and not self._shown.startswith(message.text):
            if self._shown and not message.text.startswith(self._shown):
                self.faults.append(f"shown, but not confirmed: {self._shown[-60:]!r}, confirmed {message.text[-60:]!r}")
            self._shown = message.text

    def _preview(self, data: dict[str, Any]) -> None:
        number, offset, text = data["message"], data["offset"], data["text"]
        self.previews += 1
        confirmed = self._confirmed(number)
        before = self._shown if number == self._number else confirmed
        if self.answered and text:
            self.faults.append(f"a preview after the answer: {data}")
        elif number > len(self._messages):
            self.faults.append(f"a preview of message {number}, of {len(self._messages)}")
        elif offset > len(before):
            self.faults.append(f"a preview from {offset} on, where {len(before)} characters are known")
        shown = before[:offset] + text
        if not shown.startswith(confirmed):
            self.faults.append(f"a preview takes back confirmed text: {shown[-60:]!r}, confirmed {confirmed[-60:]!r}")
        if found := HIDDEN.search(shown):
            self.faults.append(f"{found.group()} in a preview: {shown[-200:]!r}")
        self._number, self._shown = number, shown
        kept = self.provisional.setdefault(number, [])
        if kept and shown.startswith(kept[-1]):
            kept[-1] = shown
        else:
            kept.append(shown)
