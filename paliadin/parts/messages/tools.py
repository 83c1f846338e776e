"""The relay's interfaces to other rooms: the tools that run here, the reader, and the check before each question."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from paliadin.base.strict_json import JsonObject
from paliadin.people.person_key import PersonKey
from paliadin.steps.claude_code import QUESTION_TOOL
from paliadin.toolboxes.toolbox import Returned, Toolbox, ToolSpec, full_name, guides

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
class Reader:
    """The person who reads the answer. Unknown fields are empty; `facts` are those that toolboxes know."""

    name: str = ""
    office: str = ""
    language: str = ""  # de, en
    facts: Mapping[str, str] = field(default_factory=dict)


class Tools:
    """The tools of all toolboxes, by the names that Claude Code has for them: one tool has one name in the record.

    `reader_of` looks up a person's details.
    """

    def __init__(self, toolboxes: Sequence[Toolbox], reader_of: Callable[[PersonKey], Reader]) -> None:
        self._toolboxes, self._reader_of = toolboxes, reader_of
        self._by_name = {full_name(box.name, each.name): (box, each) for box in toolboxes for each in box.specs()}

    @property
    def guides(self) -> str:
        """Return the toolboxes' guides for the model: sections in Markdown."""
        return guides(self._toolboxes)

    def specs(self) -> Sequence[ToolSpec]:
        """Return the tools, always in the same order."""
        return [replace(spec, name=name) for name, (_, spec) in self._by_name.items()]

    async def call(self, person: PersonKey, name: str, arguments: Mapping[str, object], turn_id: str) -> Returned:
        """Call a tool as this person. A failure is returned, and not raised: the model reads it."""
        if name not in self._by_name:
            return Returned(f"there is no tool {name[:80]!r}", is_error=True)
        toolbox, spec = self._by_name[name]
        return await toolbox.call(person, spec.name, arguments, turn_id if spec.suggests else None)

    async def reader(self, person: PersonKey) -> Reader:
        """Return this person's details and facts."""
        facts = [await each.facts(person) for each in self._toolboxes]
        return replace(self._reader_of(person), facts={name: value for known in facts for name, value in known.items()})


class Admitted(Protocol):
    """A question that was counted, and the limit that it counts against."""

    @property
    def left(self) -> int:
        """The number of questions that the person may still ask in this hour."""

    @property
    def is_lifted(self) -> bool:
        """Tell whether the question is beyond the usual limit."""


@dataclass(frozen=True, slots=True)
class Guard:
    """Decides before each question whether it may be asked, and with whose key. `person` is who asks.

    `admit` counts one question of theirs; it raises RateLimited once there were too many. `check_budget` raises
    RelayError when the month's money is spent. `own_key` returns a key of their own, None without one, and raises
    OwnKeyRefused for one that cannot be opened. They raise StoreUnavailable: what is not counted is not asked.
    """

    has_agreed: Callable[[PersonKey], bool]  # to what is sent where
    admit: Callable[[PersonKey], Awaitable[Admitted]]
    check_budget: Callable[[], Awaitable[None]]
    own_key: Callable[[PersonKey], Awaitable[str | None]]
