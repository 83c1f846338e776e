"""The ids that a turn's tools returned: a chip may lead only to one of these. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from paliadin.evidence.check import Answer, holds_id
from paliadin.evidence.records import name_of
from paliadin.evidence.results import Call
from paliadin.turnlog.description import Description

MAX_SEARCHES = 50  # of all results for an id that is not there; the answer that asks for more is no honest one


class KnownIds:
    """Looks ids up in the results of the calls so far; `calls` grows."""

    def __init__(self, calls: Sequence[Call], description: Description) -> None:
        self._calls, self._description = calls, description
        self._missed = 0
        self._held: set[str] = set()

    def holds(self, chip_id: str) -> bool:
        """True if a successful result holds the id as a whole token, and its own call's input did not put it there."""
        if chip_id not in self._held and self._missed < MAX_SEARCHES:
            if holds_id(evidence_before_answer(self._description, self._calls), chip_id):
                self._held.add(chip_id)
            else:
                self._missed += 1
        return chip_id in self._held

    def name_of(self, chip_id: str) -> str:
        """Return the name that a result gives to the thing with this id; empty if none does."""
        return name_of(self._calls, chip_id)


def evidence_before_answer(description: Description, calls: Sequence[Call]) -> Answer:
    """Return the evidence of a turn without its answer's text: question, context and the results of its calls."""
    return Answer((), calls, description.user_message, description.context.as_json())
