"""So many questions may be asked in an hour over the Messages API: by one person, and by everybody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from paliadin.base.errors import RateLimited
from paliadin.record.store import Store


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked in this hour, and what may be; `resets_at` is when the next hour begins."""

    asked: int
    limit: int
    asked_by_all: int
    limit_of_all: int
    resets_at: datetime

    def as_json(self) -> dict[str, object]:
        """What the person may know: of all together, only whether there is room."""
        left = max(0, min(self.limit - self.asked, self.limit_of_all - self.asked_by_all))
        return {"asked": self.asked, "limit": self.limit, "left": left, "resets_at": self.resets_at.isoformat()}


class QuestionLimits:
    """Counts questions in the database, so that several processes count together. `most` is for each person."""

    def __init__(self, store: Store, most: int, most_of_all: int) -> None:
        self._store, self._most, self._most_of_all = store, most, most_of_all

    async def admit(self, person: str) -> int:
        """Count one question of this person's; returns how many they may still ask in this hour.

        Raises RateLimited once there were too many, and StoreUnavailable: what is not counted is not asked.
        """
        row = await self._store.count_question(person, self._most, self._most_of_all)
        if row["own"] is None and not row["all_used"]:
            raise RateLimited(f"{self._most} questions were asked in this hour, and no more are taken", row["seconds"])
        if row["everyone"] is None:
            raise RateLimited(
                f"everybody together has asked {self._most_of_all} questions in this hour, and no more are taken",
                row["seconds"],
            )
        return max(0, min(self._most - int(row["own"]), self._most_of_all - int(row["everyone"])))

    async def asked(self, person: str) -> Asked:
        """Return how this person stands in this hour; raises StoreUnavailable."""
        row = await self._store.questions_asked(person)
        return Asked(row["own"], self._most, row["everyone"], self._most_of_all, row["resets_at"])
