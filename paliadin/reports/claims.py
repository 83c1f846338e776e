"""The claims of an answer: its facts by status, and its account of its tools beside what ran. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, get_args

from paliadin.evidence.model import Claim, Difference, Status
from paliadin.evidence.tool_use import find_differences

if TYPE_CHECKING:
    from paliadin.record.row import TurnRow

STATUSES: tuple[Status, ...] = tuple(status for status in get_args(Status) if status != "common")
"""The statuses of claims that could be checked, in the order in which they are told."""
WORST_FIRST: tuple[Status, ...] = ("differs", "unsupported", "unknown", "calculated", "derived", "found", "given")


def checked(counts: Mapping[str, int]) -> int:
    """Return how many claims could be checked, given how many have each status."""
    return sum(count for status, count in counts.items() if status != "common")


def worst_first(claims: tuple[Claim, ...]) -> list[Claim]:
    """Return the claims that could be checked, the most doubtful first; of one status in the answer's order."""
    return sorted(
        (claim for claim in claims if claim.status in WORST_FIRST), key=lambda claim: WORST_FIRST.index(claim.status)
    )


def differences_of(row: TurnRow) -> tuple[Difference, ...]:
    """Return where the trailer of a recorded turn and what was seen disagree; none without a trailer."""
    if row.evidence_agrees is None:
        return ()
    return find_differences(row.used_tools, row.rows_seen, row.observed_tools, row.tool_calls)
