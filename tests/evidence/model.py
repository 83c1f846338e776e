"""What a case is: a question, what tools returned, an answer, and the one thing in it that was invented.

The halves: all cases of one scene are in the same half, since they share its words. A scene is set aside unless it is
one of the first part (`FIRST_SCENES`), on which the engine was tuned from the start, was written for tuning (`dev-…`),
or `int(sha256(scene).hexdigest(), 16)` is divisible by four. The rule was fixed before the later scenes were written;
nobody reads what an engine does with the cases that are set aside before the engine is done.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

FIRST_SCENES = frozenset(
    """
    by-id-contracts-en calendar-en config-en contact-en datei-fehlt-de dateien-anlagen-de dateien-treffer-de
    deploy-earlier-en earlier-invoice-en echo-en edit-version-en fetch-holiday-en files-matching-en frist-kontext-de
    frist-sondertage-de fristen-frueher-de fristen-liste-de fristen-markdown-de fristen-naechste-de
    fristen-schluessel-de fristen-spalten-de fristen-tabelle-de gebuehren-naechste-de gebuehren-rund-de
    gebuehren-summe-de git-log-en glob-migrations-en grep-todo-en hearings-en invoice-failed-en invoices-client-en
    invoices-count-en invoices-february-en invoices-open-en issue-en lookup-failed-en mail-angebot-de mail-liste-de
    meeting-notes-en notiz-telefonat-de part-commit-en pytest-run-en question-values-en recherche-upc-de rg-usage-en
    search-echo-en search-rates-en seite-amt-de services-en subagent-prompt-en suche-vollmacht-de teil-der-nummer-de
    todo-plan-en unteraufgabe-auftrag-de unteraufgabe-stand-de upload-range-en upload-retry-en urteil-tenor-de
    urteil-zitat-umbruch-de vermerk-geschrieben-de write-back-en
    """.split()  # noqa: SIM905 - a list of sixty names in one line each is no better
)

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
    chips, and whether a successful call of this turn returned them. `shape` names what the results look like.
    """

    name: str
    language: Language
    shape: str
    planted_kind: PlantedKind | None
    question: str
    today: datetime.date
    calls: tuple[CallGiven, ...]
    answer: str
    context: Mapping[str, Any] = field(default_factory=dict)
    planted: str | None = None
    planted_at: tuple[int, int] | None = None
    chips: tuple[tuple[str, bool], ...] = ()

    @property
    def half(self) -> Half:
        """The half that it belongs to: see the module's docstring."""
        if self.scene in FIRST_SCENES or self.scene.startswith("dev-"):
            return "tuning"
        return "aside" if int(hashlib.sha256(self.scene.encode()).hexdigest(), 16) % 4 else "tuning"

    @property
    def scene(self) -> str:
        """The name of the scene that the case was made of."""
        return self.name.split(".", 1)[0]


def of_half(cases: Sequence[Case], half: Half) -> tuple[Case, ...]:
    """Return the cases of one half, in their order."""
    return tuple(case for case in cases if case.half == half)
