"""The seam for parts that keep data of people by their ids, beside their conversations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """Data that stays of somebody: fields of the response to their removal, and a sentence for whoever removed them."""

    fields: Mapping[str, bool | None]  # None: nobody can say
    words: str = ""


class DataKeeper(Protocol):
    """Keeps data of people: follows who is let in, and reports what stays of somebody who was removed."""

    async def follow_people(self) -> None:
        """Take over the people as they are now; raises StoreUnavailable."""

    async def check_new(self, person_id: str, name: object) -> None:
        """Raise PaliadinError if there is data of an earlier person with this id."""

    async def left_by(self, person_id: str) -> LeftBehind:
        """Return the data that stays of somebody who was removed."""
