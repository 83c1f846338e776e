"""What the relay needs from the rest of the house: tools that run here, who reads, and a check before each question.

The tools are those of the practice (`practice/relay_tools`); without a practice there is only the question to the user.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from paliadin.base.strict_json import JsonObject
from paliadin.steps.claude_code import QUESTION_TOOL

_OPTION: JsonObject = {
    "type": "object",
    "properties": {
        "label": {"type": "string", "description": "One to five words."},
        "description": {"type": "string", "description": "What it means to choose this."},
    },
    "required": ["label", "description"],
}
_QUESTION: JsonObject = {
    "type": "object",
    "properties": {
        "question": {"type": "string"},
        "header": {"type": "string", "description": "A label of at most twelve characters."},
        "multiSelect": {"type": "boolean"},
        "options": {"type": "array", "items": _OPTION, "minItems": 2, "maxItems": 4},
    },
    "required": ["question", "header", "multiSelect", "options"],
}


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model gets it: `schema` is the JSON schema of its input."""

    name: str
    description: str
    schema: JsonObject


ASK = ToolSpec(
    QUESTION_TOOL,
    "Ask the reader something, with options to choose from; they may also write words of their own.",
    {
        "type": "object",
        "properties": {"questions": {"type": "array", "items": _QUESTION, "minItems": 1, "maxItems": 4}},
        "required": ["questions"],
    },
)
"""The question to the user: the same name and input as Claude Code's, so that the page shows the same card."""


@dataclass(frozen=True, slots=True)
class Returned:
    """What a tool returned: a text, which for the practice's tools is JSON, or that of its error."""

    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads the answer. What is not known is empty; `projects`: how many they may see, None without a practice."""

    name: str = ""
    office: str = ""
    language: str = ""  # de, en
    today: str = ""  # 2026-11-26, a Thursday, at the practice's place
    projects: int | None = None


class Tools(Protocol):
    """Tools that run in this process. `person` is a conversation's: "" for the owner's, else the member's name."""

    def specs(self) -> Sequence[ToolSpec]:
        """Return the tools, always in the same order."""

    async def call(self, person: str, name: str, arguments: Mapping[str, object], turn_id: str) -> Returned:
        """Call a tool as this person. A failure is returned, and not raised: the model reads it."""

    async def reader(self, person: str) -> Reader:
        """Return who this person is."""


class Admitted(Protocol):
    """A question was counted."""

    @property
    def left(self) -> int:
        """How many questions they may still ask in this hour."""

    @property
    def is_lifted(self) -> bool:
        """Whether it is one beyond the usual limit."""


@dataclass(frozen=True, slots=True)
class Guard:
    """Decides before each question whether it may be asked, and with whose key. `identity` says who asks.

    `admit` counts one question of theirs; it raises RateLimited once there were too many. `check_budget` raises
    RelayError when the month's money is spent. `own_key` returns a key of their own, None without one, and raises
    OwnKeyRefused for one that cannot be opened. They raise StoreUnavailable: what is not counted is not asked.
    """

    has_agreed: Callable[[str], bool]  # to what is sent where
    admit: Callable[[str], Awaitable[Admitted]]
    check_budget: Callable[[], Awaitable[None]]
    own_key: Callable[[str], Awaitable[str | None]]


@dataclass(frozen=True, slots=True)
class NoTools:
    """A `Tools` without any, where there is no practice."""

    reader_of: Callable[[str], Reader]

    def specs(self) -> Sequence[ToolSpec]:
        return ()

    async def call(self, person: str, name: str, arguments: Mapping[str, object], turn_id: str) -> Returned:  # noqa: ARG002
        return Returned(f"there is no tool {name[:80]!r}", is_error=True)

    async def reader(self, person: str) -> Reader:
        return self.reader_of(person)
