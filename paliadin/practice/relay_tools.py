"""The practice's tools for the messages relay: in this process, by the names that Claude Code has for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from paliadin.base.errors import PaliadinError
from paliadin.practice.practice import TOOLS, Practice, in_words
from paliadin.relays.messages.tools import Reader, Returned, ToolSpec

PREFIX = "mcp__paliad__"
"""One tool has one name in the record, whichever way a question took to the model."""


class RelayTools:
    """A `paliadin.relays.messages.tools.Tools`.

    `reader_of` tells what is known of a conversation's person, `id_of` under which id the practice knows them.
    """

    def __init__(self, practice: Practice, id_of: Callable[[str], str], reader_of: Callable[[str], Reader]) -> None:
        self._practice, self._id_of, self._reader_of = practice, id_of, reader_of
        self._specs = [ToolSpec(PREFIX + tool.name, tool.description, tool.schema) for tool in TOOLS.values()]

    def specs(self) -> Sequence[ToolSpec]:
        return self._specs

    async def call(self, person: str, name: str, arguments: Mapping[str, object], turn_id: str) -> Returned:
        plain = name.removeprefix(PREFIX)
        turn = turn_id if plain in TOOLS and TOOLS[plain].suggests else None
        try:
            return Returned(await self._practice.call(self._id_of(person), plain, arguments, turn))
        except PaliadinError as error:
            return Returned(in_words(error), is_error=True)

    async def reader(self, person: str) -> Reader:
        known, now = self._reader_of(person), self._practice.now()
        try:
            projects = await self._practice.count_projects(self._id_of(person))
        except PaliadinError:  # a question can be asked while the database is away; the tools say that it is
            projects = None
        return replace(known, today=f"{now:%Y-%m-%d, %A}", projects=projects)
