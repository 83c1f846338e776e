"""The made-up appointments, notes, requests for approval and the audit trail. Pure."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import TypeVar
from uuid import UUID

from paliadin.parts.practice.made_up.days import DAY, FUTURE, PAST, at, working_days, working_time
from paliadin.parts.practice.made_up.projects import Case
from paliadin.parts.practice.made_up.words import WORDS, Ids
from paliadin.parts.practice.rows import Appointment, ApprovalRequest, AuditLine, Deadline, Note

LATELY = 14 * DAY  # how far the audit trail goes back
Thing = TypeVar("Thing", Deadline, Appointment, Note)


def make_appointments(
    chance: random.Random, today: date, cases: Sequence[Case], ids: Ids, *, count: int, cities: Mapping[str, str]
) -> list[Appointment]:
    """Make `count` appointments: up to a third are hearings, one for a proceeding. `cities`: court → its city."""
    before, after = working_days(today - PAST, today - DAY), working_days(today + DAY, today + FUTURE)
    active = [case for case in cases if case.project.status == "active"]
    heard = [case for case in active if case.stages]
    hearings = chance.sample(heard, min(count // 3, len(heard)))
    appointments = []
    for number in range(count):
        hearing = number < len(hearings)
        case = hearings[number] if hearing else chance.choice(active)
        day = chance.choice(after[9:] if hearing and chance.random() < 0.7 else chance.choice((before, after)))
        created = working_time(chance, min(day, today) - 40 * DAY, min(day, today) - 2 * DAY)
        title, place, start, hours = _hearing(case, cities) if hearing else _other(chance, case)
        times = at(day, start), at(day, start) + timedelta(hours=hours)
        court = case.project.court_id if hearing else None
        appointments.append(Appointment("", case.project.id, title, *times, place, court, created, case.lead.id))
    appointments.sort(key=lambda each: (each.starts_at, each.project_id))
    return [replace(each, id=ids.next("appointment")) for each in appointments]


def _hearing(case: Case, cities: Mapping[str, str]) -> tuple[str, str, int, int]:
    return case.hearing[case.lead.language], cities[case.project.court_id or ""], 9, 7


def _other(chance: random.Random, case: Case) -> tuple[str, str, int, int]:
    [kind] = chance.choices(["call", "meeting", "inspection"], [6, 2, 1 if case.stages else 0])
    words = WORDS["appointments"][kind]
    title = words[case.lead.language].format(company=case.company.name)
    return title, words["place"].format(office=case.lead.office), chance.randrange(9, 17), 1 if kind == "call" else 2


def make_notes(chance: random.Random, today: date, cases: Sequence[Case], ids: Ids, count: int) -> list[Note]:
    """Make `count` notes of the last months, in the order in which they were written."""
    notes = []
    for _ in range(count):
        case = chance.choice(cases)
        written = working_time(chance, max(today - PAST, case.project.opened_on), today - DAY)
        language = case.lead.language
        words = [each for each in WORDS["notes"][language] if case.stages or "{stage}" not in each]
        stage = chance.choice(case.stages)[language] if case.stages else ""
        body = chance.choice(words).format(company=case.company.name, stage=stage)
        notes.append(Note("", case.project.id, body, chance.choice(case.team), written))
    notes.sort(key=lambda each: (each.created_at, each.project_id))
    return [replace(each, id=ids.next("note")) for each in notes]


class Approvals:
    """Makes requests for approval, collected in `requests`, and marks the things that they are about."""

    def __init__(self, chance: random.Random, today: date, cases: Sequence[Case]) -> None:
        self._chance, self._today = chance, today
        self._cases = {case.project.id: case for case in cases}
        self.requests: list[ApprovalRequest] = []

    def pending(self, kind: str, things: list[Thing], count: int) -> None:
        """Let `count` of the coming things, or of the newest notes, wait for approval."""
        numbers = [n for n, each in enumerate(things) if self._may_wait(each) and self._others(each)]
        numbers = numbers[-3 * count :] if kind == "note" else numbers
        for number in sorted(self._chance.sample(numbers, min(count, len(numbers)))):
            request = self._request(kind, things[number])
            things[number] = replace(things[number], approval_status="pending", pending_request_id=request.id)

    def decided(self, deadlines: Sequence[Deadline], count: int) -> None:
        """Make requests that the project's lead has approved."""
        candidates = [each for each in deadlines if self._may_wait(each) and self._others(each)]
        for deadline in self._chance.sample(candidates, min(count, len(candidates))):
            request = self._request("deadline", deadline)
            lead = self._cases[deadline.project_id].lead.id
            decided_at = request.requested_at + timedelta(hours=3)
            decided = replace(request, status="approved", decided_by=lead, decided_at=decided_at, decided_as="peer")
            self.requests[-1] = decided

    def _may_wait(self, thing: Deadline | Appointment | Note) -> bool:
        if isinstance(thing, Deadline):
            return thing.status == "open" and thing.due_date > self._today
        return isinstance(thing, Note) or thing.starts_at.date() > self._today

    def _others(self, thing: Deadline | Appointment | Note) -> list[str]:
        """Return the people who see the thing, without the lead, who decides."""
        case = self._cases[thing.project_id]
        return [person for person in case.team if person != case.lead.id]

    def _request(self, kind: str, thing: Deadline | Appointment | Note) -> ApprovalRequest:
        person = self._chance.choice(self._others(thing))
        id_ = UUID(int=self._chance.getrandbits(128), version=4)
        first = max(self._today - 7 * DAY, thing.created_at.date() + DAY)
        requested_at = working_time(self._chance, min(first, self._today - DAY), self._today - DAY)
        request = ApprovalRequest(id_, thing.project_id, kind, thing.id, "person", person, "pending", requested_at)
        self.requests.append(request)
        return request


def make_audit(
    today: date, deadlines: Sequence[Deadline], appointments: Sequence[Appointment], requests: Sequence[ApprovalRequest]
) -> list[AuditLine]:
    """Make a line for each change of the last two weeks, in their order."""
    lines = [*_changes("deadline", deadlines), *_changes("appointment", appointments), *_decisions(requests)]
    lines = [line for line in lines if line.at.date() >= today - LATELY]
    return sorted(lines, key=lambda line: (line.at, line.thing_id, line.action))


def _changes(kind: str, things: Sequence[Deadline] | Sequence[Appointment]) -> Iterator[AuditLine]:
    for thing in things:
        about = (thing.project_id, kind, thing.id, {"title": thing.title, "made_up": True})
        yield AuditLine(thing.created_at, str(thing.created_by), "person", f"{kind}.created", *about)
        if isinstance(thing, Deadline) and thing.done_at:
            yield AuditLine(thing.done_at, str(thing.responsible), "person", f"{kind}.done", *about)


def _decisions(requests: Sequence[ApprovalRequest]) -> Iterator[AuditLine]:
    for each in requests:
        about = (each.project_id, each.thing_kind, each.thing_id, {"request": str(each.id), "made_up": True})
        yield AuditLine(each.requested_at, each.requested_by, "person", "approval.requested", *about)
        if each.decided_at:
            yield AuditLine(each.decided_at, str(each.decided_by), "person", "approval.approved", *about)
