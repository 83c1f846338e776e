"""The check of answers that Paliadin has, as an engine that can be scored. The only file that knows its interface."""

from __future__ import annotations

import re

from paliadin.evidence import check as checked
from tests.evidence.model import Case
from tests.evidence.score import Judged

MESSAGE = "msg_1"
_CHIP = re.compile(r"\[#[\w-]+-OPEN:[^\]]+\]")


class Paliadin:
    """`paliadin/evidence/check.py`."""

    name = "paliadin"

    def claims(self, case: Case) -> tuple[Judged, ...]:
        """Return the claims of the case's answer."""
        claims = checked.check(_answer(case))
        return tuple(Judged(claim.start, claim.end, claim.kind, claim.status) for claim in claims)

    def holds(self, case: Case, chip_id: str) -> bool | None:
        """Whether a tool of the turn returned this id."""
        return checked.holds_id(_answer(case), chip_id)


def _answer(case: Case) -> checked.Answer:
    calls = tuple(
        checked.Call(one.id, one.name, one.input, one.result, one.outcome, cut=one.cut, turn_id=one.turn_id)
        for one in sorted(case.calls, key=lambda one: one.turn_id is None)
    )
    return checked.Answer(
        messages=((MESSAGE, _CHIP.sub(lambda match: " " * len(match[0]), case.answer)),),  # chips are no text
        calls=calls,
        question=case.question,
        context=case.context,
        today=case.today,
        calculated=case.calculated,
    )
