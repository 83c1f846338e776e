"""A question as the scripted model reads it: the words, their language, and what the reader was looking at. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from paliadin.prompt.envelope import parse_envelope

_GERMAN = re.compile(
    r"[äöüß]|^was\b|\b(?:guten|hallo|wer|wie|wann|welche[rs]?|worauf|steht|heute|frag|schreib|fasse|suche|zu|zur|zum|der|die|das|mir|und|"
    r"ist|sind|nach|woche|fristen?|termine?)\b"
)
_VALUE = r'=(?:"((?:\\.|[^"\\])*)"|(\S+))'
_ENTITY, _SELECTION = re.compile(rf"(?:^| )entity{_VALUE}"), re.compile(rf"(?:^| )selection{_VALUE}")


_THIS = {
    "project": (
        *("this project", "this case", "this matter", "this file"),
        *("dieses projekt", "diesem projekt", "diese akte", "dieser akte", "diese sache", "dieser sache"),
    ),
    "court": ("this court", "diesem gericht"),
    "glossary": ("this term", "diesen begriff"),
}


@dataclass(frozen=True, slots=True)
class Question:
    """A question's words. `entity` is (type, id) of the thing that the page shows, or ("", "")."""

    words: str
    entity: tuple[str, str] = ("", "")
    selection: str = ""

    @classmethod
    def read(cls, prompt: str) -> Question:
        """Read a prompt, with its envelope or without one."""
        envelope = parse_envelope(prompt)
        if envelope is None:
            return cls(prompt.strip())
        kind, _, ident = _value(_ENTITY, envelope.ctx or "").partition(":")
        return cls(envelope.message.strip(), (kind, ident), _value(_SELECTION, envelope.ctx or ""))

    @property
    def asked(self) -> str:
        """The words in lower case."""
        return self.words.lower()

    @property
    def lang(self) -> str:
        """The question's language, de or en."""
        return "de" if _GERMAN.search(self.asked) else "en"

    def say(self, en: str, de: str) -> str:
        """Return the text in the question's language."""
        return de if self.lang == "de" else en

    def named(self, pattern: str) -> str:
        """Return the text that the pattern's group matches in the words; "" without a match."""
        match = re.search(pattern, self.words)
        return match[1] if match else ""

    def on_page(self, kind: str) -> str:
        """Return the id of the thing of this kind on the page, if the question means that; otherwise ""."""
        is_meant = any(words in self.asked for words in _THIS[kind])
        return self.entity[1] if is_meant and self.entity[0] == kind else ""

    def after(self, pattern: str) -> str:
        """Return the words behind the pattern, without the mark at their end; "" without a match."""
        match = re.search(pattern + r"\s+(.+?)\s*[?.!]*$", self.words, re.IGNORECASE)
        return match[1].strip("\"'„“”»«") if match else ""


def _value(pattern: re.Pattern[str], context: str) -> str:
    match = pattern.search(context)
    return re.sub(r"\\(.)", r"\1", match[1] or match[2] or "") if match else ""
