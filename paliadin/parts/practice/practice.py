"""The practice: its database and its tools, called for one person."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, TypeVar

from paliadin.base.errors import StoreUnavailable
from paliadin.base.tasks import within
from paliadin.parts.practice import approvals, days_off, tables
from paliadin.parts.practice.tools import calendar, projects, reference, suggestions
from paliadin.parts.practice.tools.model import Call, Result, Tool, ToolError, zone_of
from paliadin.parts.practice.transactions import (
    CONNECTIONS,
    DECIDE,
    READ,
    SUGGEST,
    PracticeDatabase,
    Purpose,
    QueryTooSlow,
    User,
)

T = TypeVar("T")

TOOLS: Mapping[str, Tool] = {
    tool.name: tool for tool in (*projects.TOOLS, *calendar.TOOLS, *reference.TOOLS, *suggestions.TOOLS)
}
LONGEST_CALL = 1.8  # seconds until a call fails because the database is away
RETRY = 0.5  # seconds after such a failure in which those that waited behind it fail at once


class Practice:
    """The tools of a practice. `users` returns Paliadin's present people, whom the practice's users follow.

    It returns None where another process knows them, and writes them.

    `timezone` is that of its place, by default this machine's. `second_pair`: whether nobody approves what was
    suggested for themselves; None leaves it as the database has it.
    """

    def __init__(
        self,
        users: Callable[[], Sequence[User] | None],
        timezone: str | None = None,
        *,
        second_pair: bool | None = None,
    ) -> None:
        self._users = users
        self._second_pair = second_pair
        self._written: Sequence[User] = ()
        self._writing = asyncio.Lock()  # an older list must not be written after a newer one
        self._zone = zone_of(timezone)
        self._database = PracticeDatabase()
        self._turns = asyncio.Semaphore(CONNECTIONS)
        self._away_until = 0.0  # by the monotonic clock: nobody tries again before

    @asynccontextmanager
    async def connected(self, conninfo: str) -> AsyncIterator[None]:
        """Bring the tables up to date, and be open during a `with` block; raises as `tables.prepare` does."""
        prepared = asyncio.to_thread(tables.prepare, conninfo, second_pair=self._second_pair)
        await asyncio.gather(prepared, asyncio.to_thread(days_off.load))
        async with self._database.connected(conninfo):
            yield

    async def call(self, person: str, name: str, arguments: Mapping[str, object], turn: str | None = None) -> str:
        """Call a tool as this person; returns its result as JSON. `turn` is the id of the turn that calls it, if known.

        Raises ToolError for a call that has to be another one, StoreUnavailable when the database is away.
        """
        tool = TOOLS.get(name)
        if tool is None:
            raise ToolError(f"there is no tool {name[:80]!r}", hint=f"There are {', '.join(TOOLS)}.")
        parsed = tool.parse(arguments)
        purpose = SUGGEST if tool.suggests else READ
        return await self._as(person, lambda call: _json_of(tool.function(call, parsed)), purpose, turn)

    async def project_counts(self, person: str, project_id: str) -> dict[str, Any]:
        """Return {"id", "kind", "label", …} and counts of a project's open items; raises NotFound, StoreUnavailable."""
        return await self._as(person, lambda call: projects.project_counts(call, project_id))

    def now(self) -> datetime:
        """Return the time at the practice's place."""
        return datetime.now().astimezone(self._zone)

    async def count_projects(self, person: str) -> int:
        """Return how many projects the person may see; raises StoreUnavailable."""
        return await self._as(person, projects.count_projects)

    async def suggestions(self, person: str, turn: str) -> list[dict[str, Any]]:
        """Return a turn's suggestions, as `approvals.described`.

        Raises NotFound if there are none that the person may see, and StoreUnavailable.
        """
        return await self._as(person, lambda call: approvals.of_turn(call, turn))

    async def decide(self, person: str, suggestion: str, decision: approvals.Decision) -> dict[str, Any]:
        """Approve or reject a suggestion as this person; returns it with the decision.

        Raises NotFound, approvals.AlreadyDecided, approvals.NotYours, approvals.ThingGone, StoreUnavailable.
        """
        row = await self._as(person, lambda call: approvals.get(call, suggestion))
        return await self._as(person, lambda call: approvals.decide(call, row, decision), DECIDE)

    async def suggestion_figures(self, person: str, since: datetime, until: datetime) -> dict[str, Any]:
        """Count the suggestions made in these times in the person's projects, by their outcome."""
        return await self._as(person, lambda call: approvals.figures(call, since, until))

    async def _as(
        self, person: str, work: Callable[[Call], Awaitable[T]], purpose: Purpose = READ, turn: str | None = None
    ) -> T:
        """Run `work` in a transaction of this person's; raises StoreUnavailable, after LONGEST_CALL at the latest."""
        async with self._turns:  # a call that waits for its turn is not one that waits for the database
            if time.monotonic() < self._away_until:
                raise StoreUnavailable("the database could not be reached a moment ago")
            try:
                return await _in_time(self._transact(person, work, purpose, turn))
            except QueryTooSlow:  # for this one; the database is there for all others
                raise
            except StoreUnavailable:
                self._away_until = time.monotonic() + RETRY
                raise

    async def _transact(
        self, person: str, work: Callable[[Call], Awaitable[T]], purpose: Purpose, turn: str | None
    ) -> T:
        now = self.now()
        await self._follow_people()
        async with self._database.transaction(person, now.date(), purpose) as transaction:
            return await work(Call(transaction, now, turn))

    async def follow_people(self) -> None:
        """Update the practice's users to Paliadin's people now, not with the next call; raises StoreUnavailable."""
        await _in_time(self._follow_people())

    async def _follow_people(self) -> None:
        """Write Paliadin's people into the practice's table if they have changed, before anybody reads."""
        if self._known_users() in (None, self._written):
            return
        async with self._writing:
            users = self._known_users()
            if users is not None and users != self._written:
                await self._database.write_users(users)
                self._written = users

    def _known_users(self) -> list[User] | None:
        users = self._users()
        return None if users is None else list(users)

    async def earlier_name(self, person: str) -> str | None:
        """Return the name of an earlier person with this id who has projects here, or None; raises StoreUnavailable."""
        return await _in_time(self._database.earlier_name(person))


async def _in_time(work: Coroutine[Any, Any, T]) -> T:
    """Await `work`; raises StoreUnavailable after LONGEST_CALL."""
    try:
        return await within(LONGEST_CALL, work)
    except TimeoutError:
        raise StoreUnavailable(f"the database did not answer within {LONGEST_CALL:g} s") from None


async def _json_of(result: Awaitable[Result]) -> str:
    return (await result).as_json()
