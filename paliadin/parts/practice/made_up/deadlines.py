"""The made-up deadlines: days, titles that fit the proceeding, and their state. Pure."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import accumulate

from paliadin.parts.practice.made_up.days import DAY, due_days, is_epo_closed, working_time
from paliadin.parts.practice.made_up.projects import Case
from paliadin.parts.practice.made_up.words import WORDS, Ids
from paliadin.parts.practice.rows import Deadline

WEIGHTS = {"client": 1, "matter": 2, "proceeding": 10}  # how often a deadline belongs to one of these
OVERDUE_SHARE = 6 / 400
BEFORE_A_STAGE = 4  # tasks and the stage itself, on average
LATE = 300 * DAY  # until a proceeding is in its last stages


@dataclass(frozen=True, slots=True)
class _Title:
    text: str
    rule_id: str | None = None
    is_stage: bool = False


def make_deadlines(chance: random.Random, today: date, cases: Sequence[Case], ids: Ids, count: int) -> list[Deadline]:
    """Make `count` deadlines, in the order of their days."""
    deadlines: list[Deadline] = []
    tasks: set[int] = set()
    for case, days in _share_out(chance, cases, due_days(chance, today, count)):
        late = case.project.opened_on < today - LATE
        for day, title in zip(days, _titles(chance, case, len(days), late=late), strict=True):
            if not title.is_stage:
                tasks.add(len(deadlines))
            deadlines.append(_deadline(chance, today, case, day, title))
    overdue = _choose_overdue(chance, today, deadlines, tasks, round(count * OVERDUE_SHARE))
    settled = [
        each if number in overdue else _settle(chance, today, each, is_task=number in tasks)
        for number, each in enumerate(deadlines)
    ]
    in_order = sorted(settled, key=lambda each: (each.due_date, each.project_id))
    return [replace(each, id=ids.next("deadline")) for each in in_order]


def _share_out(
    chance: random.Random, cases: Sequence[Case], days: Sequence[date]
) -> Iterator[tuple[Case, Sequence[date]]]:
    """Distribute the days over the cases; no case at the EPO gets a day on which that is closed."""
    active = [case for case in cases if case.project.status == "active"]
    weights = [WEIGHTS[case.project.kind] for case in active]
    elsewhere = [not (case.project.court_id or "").startswith("epo-") for case in active]
    open_weights = [weight * is_open for weight, is_open in zip(weights, elsewhere, strict=True)]
    sums, open_sums = list(accumulate(weights)), list(accumulate(open_weights))
    numbers, by_case = range(len(active)), defaultdict[int, list[date]](list)
    for day in days:
        [number] = chance.choices(numbers, cum_weights=open_sums if is_epo_closed(day) else sums)
        by_case[number].append(day)
    for number, own in sorted(by_case.items()):
        yield active[number], own


def _titles(chance: random.Random, case: Case, count: int, *, late: bool) -> Iterator[_Title]:
    """Yield a case's titles in the order of their days. `late`: the proceeding is in its last stages."""
    language = case.lead.language
    if not case.stages:
        words = WORDS["clients" if case.project.kind == "client" else "matters"][language]
        order = chance.sample(words, len(words))
        for number in range(count):
            yield _Title(_repeated_title(order[number % len(words)], number // len(words), language))
        return
    used = max(1, min(len(case.stages), round(count / BEFORE_A_STAGE)))
    first = len(case.stages) - used if late else 0
    ends = [count * (number + 1) // used for number in range(used)]
    for start, end, stage in zip([0, *ends], ends, case.stages[first : first + used], strict=False):
        for task in _tasks(chance, end - start - 1, language):
            yield _Title(task.format(stage=stage[language]))
        yield _Title(stage[language], stage.get("rule"), is_stage=True)


def _tasks(chance: random.Random, count: int, language: str) -> list[str]:
    """Return tasks before a stage, in their order."""
    words = WORDS["tasks"][language]
    rounds, rest = divmod(count, len(words))
    tasks = [_repeated_title(task, number, language) for number in range(rounds) for task in words]
    chosen = sorted(chance.sample(range(len(words)), rest))
    return tasks + [_repeated_title(words[place], rounds, language) for place in chosen]


def _repeated_title(task: str, number: int, language: str) -> str:
    """Return the title of a task that has been done `number` times before."""
    words = WORDS["tasks"]["again"][language]
    return words.replace("{task}", task).replace("{n}", str(number + 1)) if number else task


def _deadline(chance: random.Random, today: date, case: Case, day: date, title: _Title) -> Deadline:
    latest = min(day - 3 * DAY, today - DAY)
    created = working_time(chance, max(latest - 60 * DAY, case.project.opened_on), latest)
    responsible = case.lead.id if title.is_stage else chance.choice([case.lead.id, *case.team])
    court = case.project.court_id if title.is_stage else None
    return Deadline(
        "", case.project.id, title.text, day, "open", court, title.rule_id, responsible, None, created, case.lead.id
    )


def _choose_overdue(
    chance: random.Random, today: date, deadlines: Sequence[Deadline], tasks: set[int], count: int
) -> set[int]:
    """Choose the overdue ones among the last weeks' deadlines, tasks first: a missed stage would be a calamity."""
    lately = [number for number, each in enumerate(deadlines) if today - 30 * DAY <= each.due_date < today]
    chance.shuffle(lately)
    return set(sorted(lately, key=lambda number: number not in tasks)[:count])


def _settle(chance: random.Random, today: date, deadline: Deadline, *, is_task: bool) -> Deadline:
    """Settle a past deadline: done, except for a few tasks that were given up; a few coming tasks are done early."""
    past, drawn = deadline.due_date < today, chance.random()
    if is_task and drawn > (0.95 if past else 0.98):
        return replace(deadline, status="cancelled")
    early = is_task and today < deadline.due_date <= today + 30 * DAY and drawn < 0.08
    if not past and not early:
        return deadline
    last = min(deadline.due_date, today - DAY)
    done_at = working_time(chance, max(last - 4 * DAY, deadline.created_at.date()), last)
    return replace(deadline, status="done", done_at=max(done_at, deadline.created_at + timedelta(hours=1)))
