"""The demo's made-up practice: its members, the projects that they see, and its rows in the database."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from paliadin.parts.practice import insertion, judgments, tables
from paliadin.parts.practice.rows import Person, Practice
from paliadin.parts.practice.seed import make_practice
from paliadin.people.account import account_name
from paliadin.people.caller import Role
from paliadin.people.directory import People

# The owner has no entry among Paliadin's people, whose language the page would have: so it has the browser's.
OWNER = Person(account_name(), account_name(), "", "en", Role.OWNER)
FIRM = "Muster Patentanwälte"
MEMBER = "anna-lindner"  # beside the owner's, an address for her is printed


def make_office(today: date) -> Practice:
    """Make up the practice as it is today, with the demo's owner among its people."""
    practice = make_practice(today)
    return replace(practice, people=[OWNER, *practice.people])


def let_in(office: Practice, people: People) -> None:
    """Add the practice's members to Paliadin's people."""
    for each in office.people:
        if each is not OWNER:
            people.add(each.id, each.name, office=each.office, language=each.language)


def file_numbers(office: Practice, person: str) -> tuple[str, str]:
    """Return the file numbers of two proceedings: one with deadlines that the person sees, one they may not see."""
    project_ids = visible(office, person)
    proceedings = [each for each in office.projects if each.kind == "proceeding" and each.status == "active"]
    busy = {each.project_id for each in office.deadlines}
    own = next(each for each in proceedings if each.id in project_ids & busy)
    others = next(each for each in proceedings if each.id not in project_ids)
    return own.reference, others.reference


def visible(office: Practice, person: str) -> set[str]:
    """Return the ids of the projects that a member may see, computed from the rows."""
    units = {each.unit_id for each in office.unit_members if each.user_id == person}
    project_ids = {each.project_id for each in office.members if each.user_id == person}
    return below(office, project_ids | {each.project_id for each in office.project_units if each.unit_id in units})


def below(office: Practice, projects: set[str]) -> set[str]:
    """Return these projects, and all below them in the tree."""
    while more := {each.id for each in office.projects if each.parent_id in projects} - projects:
        projects = projects | more
    return projects


def insert(office: Practice, conninfo: str) -> None:
    """Insert the practice and made-up judgments; raises StoreUnavailable."""
    with tables.connected(conninfo) as connection:
        insertion.insert(connection, office)
        judgments.import_file(connection, judgments.MADE_UP_FILE, made_up=True)
