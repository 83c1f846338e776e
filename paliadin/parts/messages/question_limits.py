"""Limits the questions that are asked in an hour over the Messages API: by one person, and by everybody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from paliadin.base.errors import RateLimited
from paliadin.people.person_key import PersonKey
from paliadin.record.store import Store

NO_LIMIT = 2**31 - 1  # the database counts with int4


@dataclass(frozen=True, slots=True)
class QuestionCounts:
    """The numbers of questions asked in this hour, and their limits; `resets_at` is when the next hour begins.

    `limit` is None for somebody without one of their own.
    """

    asked: int
    limit: int | None
    asked_by_all: int
    limit_of_all: int
    resets_at: datetime

    def as_json(self) -> dict[str, object]:
        """The figures as the person may see them: everybody's only lower `left`."""
        left = _questions_left(self.limit, self.asked, self.limit_of_all - self.asked_by_all)
        return {"asked": self.asked, "limit": self.limit, "left": left, "resets_at": self.resets_at.isoformat()}


@dataclass(frozen=True, slots=True)
class Admitted:
    """A question that was counted. `left`: how many more this hour has; `is_lifted`: it is beyond the usual limit."""

    left: int
    is_lifted: bool = False


class QuestionLimits:
    """Counts questions in the database, so that several processes count together. `most` is for each person.

    `unlimited`: the person who has no limit of their own; the limit of everybody holds for them as well.
    """

    def __init__(self, store: Store, most: int, most_of_all: int, unlimited: PersonKey | None = None) -> None:
        self._store, self._most, self._most_of_all, self._unlimited = store, most, most_of_all, unlimited

    async def admit(self, person: PersonKey) -> Admitted:
        """Count one question of this person's.

        Raises RateLimited once there were too many, and StoreUnavailable: a question that is not counted is not asked.
        """
        limit = self._limit(person)
        row = await self._store.count_question(person.as_text, NO_LIMIT if limit is None else limit, self._most_of_all)
        if row["own"] is None and not row["all_used"]:
            raise RateLimited(f"{self._most} questions were asked in this hour, and no more are taken", row["seconds"])
        if row["everyone"] is None:
            raise RateLimited(
                f"everybody together has asked {self._most_of_all} questions in this hour, and no more are taken",
                row["seconds"],
            )
        left = _questions_left(limit, int(row["own"]), self._most_of_all - int(row["everyone"]))
        return Admitted(left, is_lifted=row["own"] > self._most)

    async def asked(self, person: PersonKey) -> QuestionCounts:
        """Return how this person stands in this hour; raises StoreUnavailable."""
        row = await self._store.questions_asked(person.as_text)
        return QuestionCounts(row["own"], self._limit(person), row["everyone"], self._most_of_all, row["resets_at"])

    def _limit(self, person: PersonKey) -> int | None:
        return None if person == self._unlimited else self._most


def _questions_left(limit: int | None, asked: int, left_of_all: int) -> int:
    return max(0, left_of_all if limit is None else min(limit - asked, left_of_all))
