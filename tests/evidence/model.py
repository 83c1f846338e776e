"""What a case is: a question, what tools returned, an answer, and the one thing in it that was invented.

The halves: all cases of one scene are in the same half, since they share its words. A scene is set aside if its name
begins with `last-`; all others are for tuning. The scenes `last-…` were written on 2026-11-26 after all others, by
writers who did not know the engine, and the rule was fixed before they were there. All that had been set aside before
was opened for tuning once its figures were known. Nobody reads what an engine does with the cases that are set aside.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Language = Literal["de", "en"]
Outcome = Literal["ok", "failed", "refused"]
Half = Literal["tuning", "aside"]
PlantedKind = Literal[
    "date",
    "time",
    "number",
    "amount",
    "count",
    "id",
    "file_number",
    "quotation",
    "name",
    "line",
    "no_tool",
    "failed_call",
    "own_input",
    "part_of_id",
]
"""What was invented. The last four say where the value comes from: from no tool at all, from the message of a call that
failed, from what the call itself was given, from a part of a longer id."""

Mistaken = Literal["literal", "right_data", "fitted", "right_line", "by_luck"]
"""How a model is mistaken that states its calculations: another value than a result has, and nothing stated; the right
calculation for another value; an operand that was changed so that it fits; a right line quoted for another value; two
numbers of the results, chosen by luck."""


@dataclass(frozen=True, slots=True)
class CallGiven:
    """A tool's call: `result` is the JSON value that Claude Code's PostToolUse hook has as `tool_response`.

    `turn_id` is the earlier turn that made it; None: the answer's own turn.
    """

    id: str
    name: str
    input: Mapping[str, Any]
    result: Any
    outcome: Outcome = "ok"
    cut: bool = False
    turn_id: str | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """An answer (visible Markdown, one message) beside all that it may rest on.

    `planted` stands from `planted_at[0]` to before `planted_at[1]`, in code points. `chips`: the ids of the answer's
    chips, and whether a successful call of this turn returned them. `calculated`: what it states of its calculations.
    `shape` names what the results look like.
    """

    name: str
    language: Language
    shape: str
    planted_kind: PlantedKind | Mistaken | None
    question: str
    today: datetime.date
    calls: tuple[CallGiven, ...]
    answer: str
    context: Mapping[str, Any] = field(default_factory=dict)
    planted: str | None = None
    planted_at: tuple[int, int] | None = None
    chips: tuple[tuple[str, bool], ...] = ()
    calculated: Sequence[str] = ()

    @property
    def half(self) -> Half:
        """The half that it belongs to: see the module's docstring."""
        return "aside" if self.scene.startswith("last-") else "tuning"

    @property
    def scene(self) -> str:
        """The name of the scene that the case was made of."""
        return self.name.split(".", 1)[0]


def of_half(cases: Sequence[Case], half: Half) -> tuple[Case, ...]:
    """Return the cases of one half, in their order."""
    return tuple(case for case in cases if case.half == half)
