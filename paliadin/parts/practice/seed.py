"""A made-up practice, to try things out with, reproducible for a day and numbers. Pure.

It looks like a European patent practice. No person, company or case of it exists.
"""

from __future__ import annotations

import random
from datetime import date

from paliadin.parts.practice import reference
from paliadin.parts.practice.made_up.deadlines import make_deadlines
from paliadin.parts.practice.made_up.others import Approvals, make_appointments, make_audit, make_notes
from paliadin.parts.practice.made_up.people import make_staff
from paliadin.parts.practice.made_up.projects import Projects
from paliadin.parts.practice.made_up.words import Ids
from paliadin.parts.practice.rows import Practice

APPOINTMENT_SHARE, NOTE_SHARE, PENDING_SHARE = 60 / 400, 80 / 400, 3 / 400
"""The number for each deadline."""


def make_practice(
    today: date, *, seed: int = 1, projects: int = 30, deadlines: int = 400, people: int = 6, first: int = 1
) -> Practice:
    """Make up a practice as it is on a day.

    Half of the projects are proceedings; appointments and notes come with the deadlines, 60 and 80 to 400. `first` is
    the first number of the ids of each kind. Raises ValueError for fewer than three projects or no people.
    """
    if people < 1:
        raise ValueError("a practice has at least one person")
    chance = random.Random(f"practice {seed}")  # noqa: S311  # no secret
    ids = Ids(first)
    staff = make_staff(ids, people)
    made_projects = Projects(chance, today, staff, ids)
    made_projects.make(projects)
    due = make_deadlines(chance, today, made_projects.cases, ids, deadlines)
    cities = {court["id"]: court["city"] for court in reference.read("courts")}
    count = round(deadlines * APPOINTMENT_SHARE)
    appointments = make_appointments(chance, today, made_projects.cases, ids, count=count, cities=cities)
    notes = make_notes(chance, today, made_projects.cases, ids, round(deadlines * NOTE_SHARE))
    approvals = Approvals(chance, today, made_projects.cases)
    pending = round(deadlines * PENDING_SHARE)
    approvals.decided(due, pending)
    approvals.pending("deadline", due, pending)
    approvals.pending("appointment", appointments, pending // 3)
    approvals.pending("note", notes, pending // 3)
    return Practice(
        people=staff.people,
        units=staff.units,
        unit_members=staff.members,
        projects=[case.project for case in made_projects.cases],
        members=made_projects.members,
        project_units=made_projects.units,
        approvals=approvals.requests,
        deadlines=due,
        appointments=appointments,
        notes=notes,
        parties=made_projects.parties,
        audit=make_audit(today, due, appointments, approvals.requests),
    )
