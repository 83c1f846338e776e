"""Scores an engine: which inventions it flags, and how much of what is true it doubts.

A planted case is flagged when a claim with the status `unsupported` overlaps what was planted. A false alarm is an
`unsupported` claim of an honest answer, or one beside the plant in a planted answer; it is counted against all claims
there but those with the status `common`, which say nothing. Honest answers are counted by themselves, too: in a planted
one, what follows from the value that was replaced is no longer true.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from tests.evidence.model import Case, Mistaken, PlantedKind

HELD = frozenset({"found", "given", "calculated", "derived"})
PLAIN = frozenset({"number", "count"})
"""Kinds that are not marked in the text if nothing holds them: as in paliadin/web/static/js/state/claims.js."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim that an engine found in an answer, and how it stands; `status` as in paliadin/evidence/model.py."""

    start: int
    end: int
    kind: str
    status: str


class Engine(Protocol):
    """What is scored."""

    @property
    def name(self) -> str:
        """How it is called in the table."""

    def claims(self, case: Case) -> tuple[Judged, ...]:
        """Return the claims of the case's answer."""

    def holds(self, case: Case, chip_id: str) -> bool | None:
        """Whether a tool of the turn returned this id; None if it does not know chips."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A plant that was missed, or a false alarm, or a chip that was judged wrongly."""

    case: Case
    what: str
    start: int
    end: int

    @property
    def sentence(self) -> str:
        """The line in which it stands, with the text itself marked."""
        answer = self.case.answer
        begin = answer.rfind("\n", 0, self.start) + 1
        end = answer.find("\n", self.end)
        after = answer[self.end : None if end < 0 else end]
        return f"{answer[begin : self.start]}⟦{answer[self.start : self.end]}⟧{after}".strip()


@dataclass(slots=True)
class Score:
    """All counts for one engine. `shapes`: flagged plants by the shape of the results, `shapes_planted` all of them."""

    planted: Counter[PlantedKind | Mistaken] = field(default_factory=Counter)
    flagged: Counter[PlantedKind | Mistaken] = field(default_factory=Counter)
    plants_marked: int = 0
    shapes_planted: Counter[str] = field(default_factory=Counter)
    shapes_flagged: Counter[str] = field(default_factory=Counter)
    claims: Counter[str] = field(default_factory=Counter)
    doubted: Counter[str] = field(default_factory=Counter)
    honest_claims: int = 0
    honest_claims_held: int = 0
    honest_claims_doubted: int = 0
    honest_answers: int = 0
    honest_doubted: int = 0
    honest_marked: int = 0
    honest_claims_marked: int = 0
    chips: Counter[bool] = field(default_factory=Counter)
    chips_wrong: Counter[bool] = field(default_factory=Counter)
    mistakes: list[Mistake] = field(default_factory=list)

    @property
    def share_flagged(self) -> float:
        """The share of all plants that was flagged, 0 to 1."""
        return self.flagged.total() / max(1, self.planted.total())

    @property
    def share_held(self) -> float:
        """The share of the claims of honest answers that something holds, 0 to 1."""
        return self.honest_claims_held / max(1, self.honest_claims)

    @property
    def share_doubted(self) -> float:
        """The share of the true claims that was called unsupported, 0 to 1."""
        return self.doubted.total() / max(1, self.claims.total())


def is_doubted(claim: Judged) -> bool:
    """True if an engine says of a claim that nothing holds it, or that it comes out otherwise."""
    return claim.status in {"unsupported", "differs"}


def is_marked(claim: Judged) -> bool:
    """True if a reader sees a mark in the text."""
    return claim.status == "differs" or (claim.status == "unsupported" and claim.kind not in PLAIN)


def score(engine: Engine, cases: Iterable[Case]) -> Score:
    """Let an engine judge all cases."""
    total = Score()
    for case in cases:
        try:
            claims = engine.claims(case)
        except Exception as error:
            error.add_note(f"{engine.name} failed with the case {case.name} of the half {case.half}")
            raise
        _add_plant(total, case, claims)
        _add_honest(total, case, claims)
        _add_chips(total, case, engine)
    return total


def _add_plant(total: Score, case: Case, claims: tuple[Judged, ...]) -> None:
    if case.planted_kind is None or case.planted_at is None:
        return
    total.planted[case.planted_kind] += 1
    total.shapes_planted[case.shape] += 1
    if any(is_doubted(claim) and _on_plant(claim, case) for claim in claims):
        total.flagged[case.planted_kind] += 1
        total.plants_marked += any(is_marked(claim) and _on_plant(claim, case) for claim in claims)
        total.shapes_flagged[case.shape] += 1
    else:
        seen = ", ".join(f"{claim.kind} {claim.status}" for claim in claims if _on_plant(claim, case)) or "no claim"
        total.mistakes.append(Mistake(case, f"missed {case.planted_kind} ({seen})", *case.planted_at))


def _add_honest(total: Score, case: Case, claims: tuple[Judged, ...]) -> None:
    honest = [claim for claim in claims if claim.status != "common" and not _on_plant(claim, case)]
    doubted = [claim for claim in honest if is_doubted(claim)]
    total.claims.update(claim.kind for claim in honest)
    total.doubted.update(claim.kind for claim in doubted)
    total.mistakes += [Mistake(case, f"false alarm {claim.kind}", claim.start, claim.end) for claim in doubted]
    if case.planted is None:
        total.honest_claims += len(honest)
        total.honest_claims_held += sum(claim.status in HELD for claim in honest)
        total.honest_claims_doubted += len(doubted)
        total.honest_answers += 1
        total.honest_doubted += bool(doubted)
        marked = [claim for claim in doubted if is_marked(claim)]
        total.honest_claims_marked += len(marked)
        total.honest_marked += bool(marked)


def _add_chips(total: Score, case: Case, engine: Engine) -> None:
    for chip_id, held in case.chips:
        judged = engine.holds(case, chip_id)
        if judged is None:
            continue
        total.chips[held] += 1
        if judged != held:
            start = case.answer.find(f":{chip_id}]") + 1
            total.chips_wrong[held] += 1
            what = "chip refused, though held" if held else "chip verified, though not held"
            total.mistakes.append(Mistake(case, what, start, start + len(chip_id)))


def _on_plant(claim: Judged, case: Case) -> bool:
    return case.planted_at is not None and claim.start < case.planted_at[1] and case.planted_at[0] < claim.end


def rows(total: Score) -> Iterator[tuple[str, int, int]]:
    """Yield the table's rows: what is counted, how many of them, of how many."""
    for planted in sorted(total.planted):
        yield f"flagged: {planted}", total.flagged[planted], total.planted[planted]
    yield "flagged: all", total.flagged.total(), total.planted.total()
    yield "flagged and marked in the text", total.plants_marked, total.planted.total()
    for kind in sorted(total.claims):
        yield f"doubted: {kind}", total.doubted[kind], total.claims[kind]
    yield "doubted: all", total.doubted.total(), total.claims.total()
    yield "honest answers' claims that something holds", total.honest_claims_held, total.honest_claims
    yield "honest answers' claims doubted", total.honest_claims_doubted, total.honest_claims
    yield "honest answers with a doubt", total.honest_doubted, total.honest_answers
    yield "honest answers' claims marked in the text", total.honest_claims_marked, total.honest_claims
    yield "honest answers with a mark in the text", total.honest_marked, total.honest_answers
    if total.chips:
        yield "chips refused, though held", total.chips_wrong[True], total.chips[True]
        yield "chips verified, though not held", total.chips_wrong[False], total.chips[False]
