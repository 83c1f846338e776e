"""The gate: judges by the owner's criteria, over four weeks, if the assistant earns a bigger build. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from paliadin.reports.criteria import Limits
from paliadin.reports.days import is_working_day

WEEKS = 4
DAYS = 7 * WEEKS
GREEN, YELLOW, KILL, TOO_LITTLE = "green", "yellow", "kill", "too_little_data"

DayCounts = Mapping[str, int]
"""The counts of one day: turns, finished, with_tool, interactive, abandoned, died, checked, unsupported."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit of a criterion, compared with the value.

    `distance`: how much the value must still change to reach the limit; 0 or less: it is reached.
    """

    colour: str
    side: str  # at_least, below, above
    threshold: float
    met: bool
    distance: float


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion's value over the judged days, with its limits. `value` is None if there is nothing to divide by."""

    name: str
    value: float | None
    limits: tuple[Limit, ...]

    @property
    def colour(self) -> str | None:
        """The worst colour whose limit is met; None if none is."""
        met = {limit.colour for limit in self.limits if limit.met}
        return next((colour for colour in (KILL, YELLOW, GREEN) if colour in met), None)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gate's result: GREEN, YELLOW, KILL or TOO_LITTLE.

    `first` and `last`: the judged days; `since`: the day of the first turn on record, None if there is none.
    """

    colour: str
    criteria: tuple[Criterion, ...]
    first: date
    last: date
    since: date | None


def judge(
    days: Sequence[date], counts: Mapping[int, DayCounts], resets: int, since: date | None, gate: Mapping[str, Limits]
) -> Verdict:
    """Compare the criteria with the counts. `days` are the DAYS judged days; `counts`: day's index → its counts."""
    values = measure(days, counts, resets)
    criteria = tuple(
        Criterion(
            name, values[name], tuple(_limit(side, threshold, values[name]) for side, threshold in limits.items())
        )
        for name, limits in gate.items()
    )
    return Verdict(_colour(criteria, since, days[0]), criteria, days[0], days[-1], since)


def measure(days: Sequence[date], counts: Mapping[int, DayCounts], resets: int) -> dict[str, float | None]:
    """Return the value of each criterion; None if there is nothing to divide by. Arguments as for `judge`."""
    total = {name: sum(row[name] for row in counts.values()) for name in _NAMES}
    late = [number for number, day in enumerate(days) if number >= len(days) // 2 and is_working_day(day)]
    turns = sum(counts[number]["turns"] for number in late if number in counts)
    return {
        "turns_per_working_day": turns / len(late),
        "turns_per_day": total["turns"] / len(days),
        "tool_use_rate": _share(total["with_tool"], total["finished"]),
        "abandonment_rate": _share(total["abandoned"], total["interactive"]),
        "death_rate": _share(total["died"], total["turns"]),
        "resets_per_turn": _share(resets, total["turns"]),
        "unsupported_rate": _share(total["unsupported"], total["checked"]),
    }


_NAMES = ("turns", "finished", "with_tool", "interactive", "abandoned", "died", "checked", "unsupported")


def _limit(name: str, threshold: float, value: float | None) -> Limit:
    colour, _, side = name.partition("_")
    if value is None:
        return Limit(colour, side, threshold, False, threshold)
    met = {"at_least": value >= threshold, "below": value < threshold, "above": value > threshold}[side]
    return Limit(colour, side, threshold, met, value - threshold if side == "below" else threshold - value)


def _colour(criteria: Sequence[Criterion], since: date | None, first: date) -> str:
    """Kill goes before yellow. Green needs every green limit met and no yellow one; anything else is yellow."""
    if since is None or since > first:
        return TOO_LITTLE
    met = {limit.colour for criterion in criteria for limit in criterion.limits if limit.met}
    green = [limit.met for criterion in criteria for limit in criterion.limits if limit.colour == GREEN]
    if KILL in met:
        return KILL
    return GREEN if all(green) and YELLOW not in met else YELLOW


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
