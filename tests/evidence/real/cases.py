"""The real answers as cases: as they are, and with one invention each."""

from __future__ import annotations

import dataclasses
import datetime
import functools
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

from paliadin.events.trailer import parse_trailer
from tests.evidence.engine import Paliadin
from tests.evidence.invention import traces
from tests.evidence.model import CallGiven, Case, Mistaken
from tests.evidence.score import HELD, Judged

FOLDER = Path(__file__).parent
PER_KIND = 3  # inventions of a kind in one answer
_TRAILER = "\n---\n[paliadin-meta]"
_DIGITS = re.compile(r"\d+")
_TWO_NUMBERS = re.compile(r"([\d.,]+)( ?[€£$]?(?:EUR)? ?[+-] [€£$]?)([\d.,]+)((?: EUR| [€£$])?)")
_DAYS = re.compile(r"(\d{4})-(\d\d)-(\d\d)( - .{4,20})|(\d\d)\.(\d\d)\.(\d{4})( - .{4,20})")
_IS_TIME = re.compile(r"(?:[01]?\d|2[0-3])(?!\d)")
_NUMBER = re.compile(r"(?<![\w.,:/-])\d{2,6}(?:[.,]\d{1,2})?(?![\w.,:/-])")
_PLANTED_AS = {"date": "date", "time": "time", "amount": "amount", "count": "count", "number": "number"}


@functools.cache
def real_cases(name: str = "answers") -> tuple[Case, ...]:
    """All cases of a file, `answers` or `practice`: each honest answer, then the same with inventions."""
    records = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    return tuple(case for record in records for case in _cases_of(json.loads(record)))


def _cases_of(record: dict[str, object]) -> Iterator[Case]:
    honest = _honest(record)
    yield honest
    chosen = random.Random(honest.name)  # noqa: S311  # the same ones each time
    claims = [claim for claim in Paliadin().claims(honest) if claim.kind in _PLANTED_AS and claim.status in HELD]
    chosen.shuffle(claims)
    for kind in get_args(Mistaken):
        made = (case for claim in claims if (case := _with(kind, honest, claim, chosen)) is not None)
        yield from (case for case, _ in zip(made, range(PER_KIND), strict=False))


def _honest(record: dict[str, object]) -> Case:
    text, _, meta = str(record["answer"]).partition(_TRAILER)
    calls = [
        CallGiven(str(each["n"]), each["tool"], each["input"], each["result"], each["outcome"])
        for each in record["calls"]  # type: ignore[attr-defined]  # read from JSON
    ]
    return Case(
        name=str(record["scene"]), language=record["language"], shape="real", planted_kind=None,  # type: ignore[arg-type]
        question=str(record["question"]), today=datetime.date.fromisoformat(str(record["today"])), calls=tuple(calls),
        answer=text, context=record["context"], calculated=parse_trailer(f"[paliadin-meta]{meta}").calculated,  # type: ignore[arg-type]
    )  # fmt: skip


def _with(kind: Mistaken, honest: Case, claim: Judged, chosen: random.Random) -> Case | None:
    """The answer with another value for one claim, and what a mistaken model states of it; None if there is none."""
    old = honest.answer[claim.start : claim.end]
    if not _DIGITS.search(old):
        return None
    line = next((each for each in honest.calculated if _is_of(each, old)), None)
    for _ in range(8):
        shift = chosen.choice([1, 2, 3, 5, 7, 11, -1, -2, -3])
        new = _another(old, shift)
        if new is None or new == old or (claim.kind == "time" and not _IS_TIME.match(new)):
            continue
        stated = _stated(kind, honest, claim, (old, new, shift), line=line, chosen=chosen)
        if stated is None:
            return None
        case = dataclasses.replace(
            honest, name=f"{honest.name}.{kind}.{claim.start}", planted_kind=kind, planted=new,
            planted_at=(claim.start, claim.start + len(new)),
            answer=honest.answer[: claim.start] + new + honest.answer[claim.end :], calculated=stated,
        )  # fmt: skip
        as_kind = dataclasses.replace(case, planted_kind=_PLANTED_AS[claim.kind])  # type: ignore[arg-type]
        if not traces(as_kind):
            return case
    return None


def _is_of(line: str, fact: str) -> bool:
    return re.search(rf"(?<![\w.,]){re.escape(fact)}(?![\w]|[.,]\d)", line.partition(" = ")[0]) is not None


def _another(old: str, shift: int) -> str | None:
    """The same notation of another value: its last run of digits but the year's, moved."""
    runs = [run for run in _DIGITS.finditer(old) if len(run[0]) != 4 or len(list(_DIGITS.finditer(old))) == 1]
    if not runs:
        return None
    run = runs[0]
    value = int(run[0]) + shift
    return f"{old[: run.start()]}{value:0{len(run[0])}}{old[run.end() :]}" if value > 0 else None


def _stated(
    kind: Mistaken,
    honest: Case,
    claim: Judged,
    change: tuple[str, str, int],
    *,
    line: str | None,
    chosen: random.Random,
) -> Sequence[str] | None:
    """The lines of the trailer for a mistake; None if this claim cannot be mistaken in this way.

    `change`: what was said, what is said now, and how far its number was moved.
    """
    old, new, shift = change
    others = [each for each in honest.calculated if each != line]
    if kind == "literal":
        return None if line or claim.status == "calculated" else honest.calculated
    if kind == "right_line":
        source = _line_with(honest, old)
        return None if source is None or line else [*others, f'{new} = "{source}"']
    if kind == "by_luck":
        numbers = _NUMBER.findall("\n".join(_texts(honest)))
        return [*others, f"{new} = {' - '.join(chosen.sample(numbers, 2))}"] if len(numbers) > 3 else None
    if line is None or claim.status != "calculated":
        return None
    fact, _, expression = line.partition(" = ")
    mistaken = fact.replace(old, new, 1)
    if kind == "right_data":
        return [*others, f"{mistaken} = {expression}"]
    fitted = _fitted(expression, shift)
    return [*others, f"{mistaken} = {fitted}"] if fitted else None


def _fitted(expression: str, shift: int) -> str | None:
    """The expression with its first operand moved as much as the fact was; None for one that is not so simple."""
    if two := _TWO_NUMBERS.fullmatch(expression):
        moved = _another(two[1], shift)
        return f"{moved}{two[2]}{two[3]}{two[4]}" if moved else None
    if days := _DAYS.fullmatch(expression):
        parts = (days[1], days[2], days[3]) if days[1] else (days[7], days[6], days[5])
        day = datetime.date(*map(int, parts)) + datetime.timedelta(days=shift)
        return f"{day:%Y-%m-%d}{days[4]}" if days[1] else f"{day:%d.%m.%Y}{days[8]}"
    return None


def _line_with(case: Case, old: str) -> str | None:
    """A line of a result that has the value, shortened to what stands around it."""
    for text in _texts(case):
        at = text.find(old)
        if at >= 0:
            return (
                " ".join(text[max(at - 25, 0) : at + len(old) + 25].split("\n")[-1].replace('"', " ").split()) or None
            )
    return None


def _texts(case: Case) -> Iterator[str]:
    for call in case.calls:
        if call.outcome == "ok":
            yield json.dumps(call.result, ensure_ascii=False) if not isinstance(call.result, str) else call.result
