"""The seam for what keeps data: it declares once what that is, how long it stays, and the ways in which it goes.

Deletion, the regular sweeping here and on hosts, the removal of people and docs/privacy.md follow from lists of these.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from paliadin.base.tasks import Tasks, endless

log = logging.getLogger(__name__)

HOUR = 3600.0  # seconds


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """Data that stays of somebody: fields of the response to their removal, and a sentence for whoever removed them."""

    fields: Mapping[str, bool | None] = field(default_factory=dict)  # None: nobody can say
    words: str = ""


async def _know_no_turn(_turn_ids: Collection[str]) -> int:
    return 0


async def _do_nothing(*_: object) -> None:
    pass


async def _leave_nothing(_person_id: str, _deletes: bool) -> LeftBehind:
    return LeftBehind()


@dataclass(frozen=True, slots=True)
class Retained:
    """Data of one kind: its row in docs/privacy.md, in Markdown, and the ways in which it goes; by default, none."""

    where: str
    what: str
    how_long: str
    of_turns: Callable[[Collection[str]], Awaitable[int]] = _know_no_turn
    """Removes what there is of these turns, and returns of how many there was something."""
    of_conversation: Callable[[str], Awaitable[object]] = _do_nothing
    """Removes what there is of a session's conversation, which is deleted; its turns go first, by `of_turns`."""
    of_person: Callable[[str, bool], Awaitable[LeftBehind]] = _leave_nothing
    """Is called once somebody was removed, with their id and whether their data is deleted; returns what stays."""
    check_new: Callable[[str, object], Awaitable[object]] = _do_nothing
    """Takes the id and the name of somebody new; raises PaliadinError if there is data of an earlier such person."""
    sweep: Callable[[], Awaitable[object]] | None = None
    """Removes what is older than it may be; it is called every `every` seconds."""
    every: float = HOUR


async def remove_turns(retained: Iterable[Retained], turn_ids: Collection[str]) -> int:
    """Remove all that is kept of these turns, in the order of the list; returns how many turns there were."""
    return max([await each.of_turns(turn_ids) for each in retained], default=0)


async def remove_person(retained: Iterable[Retained], person_id: str, *, deletes: bool) -> list[LeftBehind]:
    """Do what is to be done with all that is kept of somebody who was removed; returns what stays.

    Where one entry fails, the others are done all the same; then its error is raised.
    """
    removals = (each.of_person(person_id, deletes) for each in retained)
    outcomes = await asyncio.gather(*removals, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    return [outcome for outcome in outcomes if isinstance(outcome, LeftBehind)]


@asynccontextmanager
async def sweeping(retained: Iterable[Retained]) -> AsyncIterator[None]:
    """Remove what is older than it may be in the background of a `with` block, at its beginning and then regularly."""
    async with Tasks() as tasks:
        for each in retained:
            if each.sweep:
                tasks.spawn(endless(each.sweep, f"what is too old stays for now in {each.where}", each.every))
        yield
