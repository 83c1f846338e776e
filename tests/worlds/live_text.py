"""A client that follows a turn and keeps everything in which the daemon departs from the contract. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tests.worlds.provisional import Client
from tests.worlds.world import Event

HIDDEN = re.compile(r"\[/?paliadin-meta|used_tools:|rows_seen:|classifier_tag|\[#[\w-]+-OPEN|\[chip:")
"""What a reader never sees: the trailer, and chips as Claude writes them."""


@dataclass
class LiveText:
    """The texts of one turn as one client shows them; `take` is given each event in its order."""

    faults: list[str] = field(default_factory=list)
    early: list[str] = field(default_factory=list)
    """The texts of messages as they were shown early. One that only grew is there once, at its longest."""

    previews: int = 0
    last: int = 0  # the number of the last numbered event
    _client: Client = field(default_factory=Client)
    _answered: bool = False
    _contradicted: list[tuple[str, str]] = field(default_factory=list)  # message id, fault

    def take(self, event: Event) -> None:
        """Take the next event."""
        if event.id is not None and event.id != self.last + 1:
            self.faults.append(f"event {event.id} follows {self.last}")
        self.last = event.id or self.last
        before = self._client.known, self._client.number
        try:
            self._client.take(event.name, event.data)
        except AssertionError as error:
            self.faults.append(f"{error}: {event.data}, where {before[0][-60:]!r} is known")
        match event.name:
            case "preview":
                self._look_at_preview(event)
            case "content_delta" if before[1] == self._client.number and not self._agrees(before[0]):
                fault = f"shown, but not confirmed: {before[0][-60:]!r}, {self._client.known[-60:]!r}"
                self.faults.append(fault)
                self._contradicted.append((event.data["message_id"], fault))
            case "content_reset":
                # What contradicted was a late report of a message that had broken off, as half a chip's marker.
                for message, fault in self._contradicted:
                    if message == event.data["message_id"]:
                        self.faults.remove(fault)
            case "answered" | "end" | "error":
                self._answered = True

    @property
    def confirmed(self) -> list[str]:
        """The texts of the messages, as the numbered events have them."""
        return [text for message, text in self._client.confirmed.items() if message not in self._client.void]

    @property
    def shown(self) -> list[str]:
        """The texts of the messages, as the client shows them."""
        return self._client.shown

    @property
    def length(self) -> int:
        """How many characters are shown."""
        return sum(map(len, self.shown))

    def _agrees(self, before: str) -> bool:
        known = self._client.known
        return known.startswith(before) or before.startswith(known)

    def _look_at_preview(self, event: Event) -> None:
        shown = self._client.known
        self.previews += 1
        if self._answered and event.data["text"]:
            self.faults.append(f"a preview after the answer: {event.data}")
        if self._client.number > len(self._client.confirmed):
            self.faults.append(f"a preview of message {self._client.number}, of {len(self._client.confirmed)}")
        confirmed = len(self._client.text_of(self._client.number))
        for found in HIDDEN.finditer(shown):
            if found.end() > confirmed:
                self.faults.append(f"{found.group()} in a preview: {shown[-200:]!r}")
        if self.early and shown.startswith(self.early[-1]):
            self.early[-1] = shown
        else:
            self.early.append(shown)
