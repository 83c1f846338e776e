"""The practice: its database and its tools, called for one person. The MCP server and, later, a relay call it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

from paliadin.base.errors import PaliadinError, StoreUnavailable
from paliadin.base.settings import resource_folder
from paliadin.practice.reading import PracticeDatabase
from paliadin.practice.tools import calendar, projects, reference
from paliadin.practice.tools.model import Call, Tool, ToolError, zone_of
from paliadin.record import migrate

SCHEMA = "paliad"
TOOLS: Mapping[str, Tool] = {tool.name: tool for tool in (*projects.TOOLS, *calendar.TOOLS, *reference.TOOLS)}
LONGEST_CALL = 2.0  # seconds until a call fails because the database is away

Prepare = Callable[[str], object]
"""Takes the database's conninfo once its migrations are applied: writes people and reference data."""


class Practice:
    """The tools of a practice. `timezone`: of its place, by default this machine's."""

    def __init__(self, timezone: str | None, prepare: Sequence[Prepare] = ()) -> None:
        self._zone = zone_of(timezone)
        self._prepare = prepare
        self._database = PracticeDatabase()

    @asynccontextmanager
    async def connected(self, conninfo: str) -> AsyncIterator[None]:
        """Apply the practice's migrations, and be open during a `with` block; raises as migrate.up does."""
        await asyncio.to_thread(migrate.up, conninfo, resource_folder("migrations") / "paliad", schema=SCHEMA)
        for prepare in self._prepare:
            await asyncio.to_thread(prepare, conninfo)
        async with self._database.connected(conninfo):
            yield

    async def call(self, person: str, name: str, arguments: Mapping[str, object]) -> str:
        """Call a tool as this person; returns its result as JSON.

        Raises ToolError for a call that has to be another one, StoreUnavailable when the database is away.
        """
        tool = TOOLS.get(name)
        if tool is None:
            raise ToolError(f"there is no tool {name[:80]!r}", hint=f"There are {', '.join(TOOLS)}.")
        parsed = tool.parse(arguments)
        now = datetime.now().astimezone(self._zone)
        try:
            async with asyncio.timeout(LONGEST_CALL), self._database.reading(person, now.date()) as reading:
                return (await tool.function(Call(reading, now), parsed)).as_json()
        except TimeoutError:
            raise StoreUnavailable(f"the database did not answer within {LONGEST_CALL:g} s") from None


def in_words(error: PaliadinError) -> str:
    """An error as the model reads it."""
    if isinstance(error, StoreUnavailable):
        return (
            "The practice's database cannot be reached at the moment. Say so, answer nothing from memory, and suggest "
            "to ask again in a minute."
        )
    return f"{error.message}. {error.hint}"
