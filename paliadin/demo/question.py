"""A question as the scripted model reads it: the words, their language, and what the reader was looking at. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from paliadin.prompt.envelope import parse_envelope

_GERMAN = re.compile(
    r"[äöüß]|^was\b|\b(?:guten|hallo|wer|wie|wann|welche[rs]?|worauf|steht|heute|frag|schreib|fasse|suche|zu|zur|zum|der|die|das|mir|und|"
    r"ist|sind|nach|woche|fristen?|termine?)\b"
)
_ENTITY = re.compile(r"(?:^| )entity=(\w+):([\w./-]+)")
_SELECTION = re.compile(r'(?:^| )selection=(?:"((?:\\.|[^"\\])*)"|(\S+))')


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked. `entity` is (type, id) of what the page shows, or ("", "")."""

    words: str
    entity: tuple[str, str] = ("", "")
    selection: str = ""

    @classmethod
    def read(cls, prompt: str) -> Question:
        """Read a prompt, with its envelope or without one."""
        envelope = parse_envelope(prompt)
        if envelope is None:
            return cls(prompt.strip())
        context = envelope.ctx or ""
        entity, selection = _ENTITY.search(context), _SELECTION.search(context)
        return cls(
            envelope.message.strip(),
            (entity[1], entity[2]) if entity else ("", ""),
            (selection[1] or selection[2] or "") if selection else "",
        )

    @property
    def asked(self) -> str:
        """The words in small letters."""
        return self.words.lower()

    @property
    def lang(self) -> str:
        """de or en."""
        return "de" if _GERMAN.search(self.asked) else "en"

    def say(self, en: str, de: str) -> str:
        """The text in the question's language."""
        return de if self.lang == "de" else en

    def after(self, pattern: str) -> str:
        """What is asked about: the words behind the pattern, without the mark at their end; "" if it is not there."""
        match = re.search(pattern + r"\s+(.+?)\s*[?.!]*$", self.words, re.IGNORECASE)
        return match[1].strip("\"'„“”»«") if match else ""
