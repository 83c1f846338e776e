"""Declares what the practice keeps, also of people who are let in and leave."""

from __future__ import annotations

from paliadin.base.errors import PaliadinError, StoreUnavailable
from paliadin.base.retained import LeftBehind, Retained
from paliadin.parts.practice.practice import Practice


def kept_in_practice(practice: Practice) -> Retained:
    """Return what the practice keeps; it goes with nobody and no turn."""

    async def check_new(person_id: str, name: object) -> None:
        """Raise PaliadinError if an earlier person with this id, but another name, is in projects of the practice."""
        earlier = await practice.earlier_name(person_id)
        if earlier is not None and earlier != name:
            raise PaliadinError(
                f"an earlier person with this id, {earlier}, is in projects of the practice",
                code="has_projects",
                status=409,
                hint="Choose another id; with `--again` it is the same person, who sees these projects.",
            )

    async def left_by(person_id: str, _deletes: bool) -> LeftBehind:
        """Return whether this person is in projects of the practice; None if its database is away."""
        try:
            is_in_projects = await practice.earlier_name(person_id) is not None
        except StoreUnavailable:
            return LeftBehind({"in_projects": None})
        words = (
            "In the practice they stay a member of their projects, and see nothing any more: "
            f"`paliadin people add {person_id} --again` lets the same person see them again."
        )
        return LeftBehind({"in_projects": is_in_projects}, words if is_in_projects else "")

    return Retained(
        "database, schema `paliad`, with `PALIADIN_PALIAD`",
        "the [practice's data](practice.md): also what was suggested, for whom, in which turn, what was decided; not "
        "the question",
        "until you delete it there",
        of_person=left_by,
        check_new=check_new,
    )
