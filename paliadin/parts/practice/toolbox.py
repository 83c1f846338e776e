"""The practice's tools as a toolbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from paliadin.base.errors import PaliadinError, StoreUnavailable
from paliadin.parts.practice.practice import TOOLS, Practice
from paliadin.people.person_key import PersonKey
from paliadin.toolboxes.toolbox import Returned, ToolSpec, Words

NAME = "paliad"
INSTRUCTIONS = (
    "The reader's own practice: projects, deadlines, appointments, approvals, and reference data (courts, glossary, "
    "deadline rules, case law). Answer from what these tools return, and cite ids. What you suggest waits for a "
    "person's approval."
)
AWAY = (
    "The practice's database cannot be reached at the moment. Say so, answer nothing from memory, and suggest "
    "to ask again in a minute."
)


class PracticeToolbox:
    """A `paliadin.toolboxes.toolbox.Toolbox`. `id_of` gives the id under which the practice knows a person."""

    name = NAME

    def __init__(self, practice: Practice, id_of: Callable[[PersonKey], str]) -> None:
        self._practice, self._id_of = practice, id_of
        self.words = Words(INSTRUCTIONS, _text("rule.md"), _text("guide.md"))
        self._specs = [
            ToolSpec(each.name, each.description, each.schema, each.title, each.suggests) for each in TOOLS.values()
        ]

    def specs(self) -> Sequence[ToolSpec]:
        return self._specs

    async def call(
        self, person: PersonKey, name: str, arguments: Mapping[str, object], turn_id: str | None
    ) -> Returned:
        try:
            return Returned(await self._practice.call(self._id_of(person), name, arguments, turn_id))
        except PaliadinError as error:
            return Returned(in_words(error), is_error=True)

    async def facts(self, person: PersonKey) -> Mapping[str, str]:
        today = {"Today": f"{self._practice.now():%Y-%m-%d, %A}"}
        try:
            count = await self._practice.count_projects(self._id_of(person))
        except PaliadinError:  # a question can be asked while the database is away; the tools say that it is
            return today
        return {**today, "Projects that the reader may see": str(count)}


def in_words(error: PaliadinError) -> str:
    """Return an error as the model reads it."""
    return AWAY if isinstance(error, StoreUnavailable) else f"{error.message}. {error.hint}"


def _text(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8").strip()
