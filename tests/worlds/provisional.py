"""What a client of the stream knows of an answer, by the contract in docs/http.md: confirmed and provisional text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Client:
    """Takes events by their names and data; `shown` is what a reader sees."""

    confirmed: dict[str, str] = field(default_factory=dict)  # message id → text, also of those that are void
    void: set[str] = field(default_factory=set)
    number: int = 0  # of the message that has provisional text
    known: str = ""  # its text, confirmed and provisional
    phase: str = ""

    def take(self, name: str, data: dict[str, Any]) -> None:
        match name:
            case "content_delta":
                message = data["message_id"]
                self.confirmed[message] = text = self.confirmed.get(message, "") + data["text"]
                number = list(self.confirmed).index(message)
                if number > self.number or (number == self.number and not self.known.startswith(text)):
                    self.number, self.known = number, text
            case "content_reset":
                self.void.add(data["message_id"])
                self.known = self.text_of(self.number)
            case "preview":
                if data["message"] != self.number:
                    self.number, self.known = data["message"], self.text_of(data["message"])
                assert data["message"] <= len(self.confirmed), "a message before the one in front of it"
                assert 0 <= data["offset"] <= len(self.known), "a gap"
                assert data["offset"] >= len(self.text_of(self.number)), "confirmed text is not taken back"
                self.known = self.known[: data["offset"]] + data["text"]
            case "activity":
                self.phase = data["phase"]
            case "answered" | "end" | "error":
                self.known = self.text_of(self.number)

    def text_of(self, number: int) -> str:
        texts = list(self.confirmed.values())
        return texts[number] if number < len(texts) else ""

    @property
    def provisional(self) -> str:
        return self.known[len(self.text_of(self.number)) :]

    @property
    def shown(self) -> list[str]:
        """The messages that are not void, the last one with what is provisional of it."""
        texts = [
            self.known if number == self.number else text
            for number, (message, text) in enumerate(self.confirmed.items())
            if message not in self.void
        ]
        return texts + ([self.known] if self.number >= len(self.confirmed) and self.known else [])
