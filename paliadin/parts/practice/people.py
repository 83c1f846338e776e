"""Keeps the practice's users in step with the people who are let in and leave."""

from __future__ import annotations

from dataclasses import dataclass

from paliadin.base.errors import PaliadinError, StoreUnavailable
from paliadin.parts.practice.practice import Practice
from paliadin.people.data_keeper import LeftBehind


@dataclass(frozen=True, slots=True)
class PracticePeople:
    """A `paliadin.people.data_keeper.DataKeeper`."""

    practice: Practice

    async def follow_people(self) -> None:
        await self.practice.follow_people()

    async def check_new(self, person_id: str, name: object) -> None:
        """Raise PaliadinError if an earlier person with this id, but another name, is in projects of the practice."""
        earlier = await self.practice.earlier_name(person_id)
        if earlier is not None and earlier != name:
            raise PaliadinError(
                f"an earlier person with this id, {earlier}, is in projects of the practice",
                code="has_projects",
                status=409,
                hint="Choose another id; with `--again` it is the same person, who sees these projects.",
            )

    async def left_by(self, person_id: str) -> LeftBehind:
        """Return whether this person is in projects of the practice; None if its database is away."""
        try:
            is_in_projects = await self.practice.earlier_name(person_id) is not None
        except StoreUnavailable:
            return LeftBehind({"in_projects": None})
        words = (
            "In the practice they stay a member of their projects, and see nothing any more: "
            f"`paliadin people add {person_id} --again` lets the same person see them again."
        )
        return LeftBehind({"in_projects": is_in_projects}, words if is_in_projects else "")
