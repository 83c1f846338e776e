"""What is known of an answer beside its text: its claims, each with its sources, and its account of its tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, cast, get_args

Kind = Literal["date", "time", "number", "amount", "count", "id", "quotation", "name", "line"]
"""What a claim is: `number` has a unit or is a share, `count` counts things, `line` is a file with a line of it."""

Status = Literal["found", "given", "calculated", "differs", "derived", "common", "unsupported", "unknown"]
"""How a claim stands beside what tools returned. docs/evidence.md says what each means."""

HELD: frozenset[Status] = frozenset({"found", "given", "calculated", "derived"})
"""The statuses of claims that something holds."""

Verdict = Literal["supported", "differs", "unsupported", "nothing_to_check", "unknown"]
"""All claims of an answer in one word."""

Origin = Literal["call", "question", "context", "answer"]
"""Where a source stands: in the result of a tool's call, in the question, in the page's context; or only in the answer
itself: a statement that was not found, from which another one follows."""

Rule = Literal["count", "sum", "difference", "days", "rounded", "share", "searched"]
"""How a derived claim follows from its sources. `searched`: it says how far a search went."""


@dataclass(frozen=True, slots=True)
class Source:
    """A place that holds a claim.

    For the origin `call`: `call` is the call's id, `turn_id` the earlier turn that made it (None: this turn), `line`
    the line of the result's text as it is shown, from 1, and `text` that line, shortened. `field`, `record`: of JSON,
    the name of the field, and what the record is called that has it.
    """

    origin: Origin
    call: str | None = None
    turn_id: str | None = None
    line: int | None = None
    text: str = ""
    field: str = ""
    record: str = ""

    @classmethod
    def parse(cls, value: object) -> Source | None:
        """Read a source from the JSON object that a log has of it; None if that is damaged."""
        match value:
            case {
                "origin": "call" | "question" | "context" | "answer" as origin,
                "call": str() | None as call,
                "turn_id": str() | None as turn_id,
                "line": int() | None as line,
                "text": str(text),
                **more,
            }:
                return cls(origin, call, turn_id, line, text, str(more.get("field", "")), str(more.get("record", "")))
        return None


@dataclass(frozen=True, slots=True)
class Calculation:
    """How Claude says that it worked a claim out: `text`, as its trailer has it, and what that comes to.

    `comes_to` is written as the claim is: `87 %` beside `78 %`; "" if `text` quotes a line that says something else.
    `assumes`: the numbers in it that stand nowhere, such as the 14 days of a usual period.
    """

    text: str
    comes_to: str
    assumes: tuple[str, ...] = ()

    @classmethod
    def parse(cls, value: object) -> Calculation | None:
        """Read a calculation from the JSON object that a log has of it; None if that is damaged or none."""
        match value:
            case {"text": str(text), "comes_to": str(comes_to), "assumes": list(assumes)}:
                return cls(text, comes_to, tuple(each for each in assumes if isinstance(each, str)))
        return None


@dataclass(frozen=True, slots=True)
class Claim:
    """A checkable statement: `text` stands from `start` to before `end` in the message's Markdown, in code points.

    `sources` holds it, or, if it is derived, what it follows from by `rule`, or, if it is calculated or differs, the
    operands of its `calculation`; empty for all other statuses.
    """

    message_id: str
    start: int
    end: int
    text: str
    kind: Kind
    status: Status
    sources: tuple[Source, ...] = ()
    rule: Rule | None = None
    calculation: Calculation | None = None

    @classmethod
    def parse(cls, value: object) -> Claim | None:
        """Read a claim from the JSON object that a log has of it; None if that is damaged."""
        match value:
            case {
                "message_id": str(message),
                "start": int(start),
                "end": int(end),
                "text": str(text),
                "kind": str(kind),
                "status": str(status),
                "sources": list(sources),
                "rule": str() | None as rule,
                **more,
            } if kind in get_args(Kind) and status in get_args(Status) and rule in {*get_args(Rule), None}:
                return cls(
                    message,
                    start,
                    end,
                    text,
                    cast("Kind", kind),
                    cast("Status", status),
                    tuple(source for each in sources if (source := Source.parse(each))),
                    cast("Rule", rule),
                    Calculation.parse(more.get("calculation")),  # an earlier version's claim has none
                )
        return None


Disagreement = Literal["not_run", "not_named", "rows", "rows_unclear"]
"""What a trailer and what was seen may disagree in."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One point in which the trailer and what was seen disagree.

    `not_run`: claimed, but it did not run. `not_named`: ran, but is not claimed. `rows`: the number of rows differs;
    `claimed` and `seen` hold both. `rows_unclear`: the trailer's numbers of rows cannot be read, or are not as many as
    its tools; `tool` is empty.
    """

    tool: str
    what: Disagreement
    claimed: int | None = None
    seen: int | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """An answer beside what its tools did and returned: the data of the `evidence` event.

    `used_tools` and `rows_seen` are the trailer's claims, `observed_tools` the tools that ran. `agrees`: there
    are no differences; None without a trailer. `classifier_source`: trailer or fallback. `unopened`: the ids of
    attached files that Claude has not opened. `claims`, `verdict`: those of the text; None for a turn that was not
    checked.
    """

    event: ClassVar = "evidence"
    used_tools: tuple[str, ...]
    rows_seen: tuple[int, ...]
    classifier_tag: str | None
    classifier_source: str | None
    observed_tools: tuple[str, ...]
    agrees: bool | None
    differences: tuple[Difference, ...]
    unopened: tuple[str, ...] = ()
    claims: tuple[Claim, ...] | None = None
    verdict: Verdict | None = None


def count_claims(claims: Iterable[Claim]) -> Mapping[str, int]:
    """Return how many claims have each status; statuses that none has are left out."""
    return Counter(claim.status for claim in claims)


def judge(counts: Mapping[str, int]) -> Verdict:
    """Sum an answer's claims up, given how many have each status: the worst one decides."""
    for worst in ("differs", "unsupported", "unknown"):
        if counts.get(worst):
            return worst
    return "supported" if any(counts.get(status) for status in HELD) else "nothing_to_check"
