"""The made-up projects: clients, their matters, the proceedings in these, and who works on them. Pure."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from paliadin.parts.practice.made_up.days import DAY, is_working_day
from paliadin.parts.practice.made_up.names import Company, Names
from paliadin.parts.practice.made_up.people import Staff
from paliadin.parts.practice.made_up.words import WORDS, Ids
from paliadin.parts.practice.rows import Party, Person, Project, ProjectMember, ProjectUnit

YEAR = 365 * DAY
SIDES = ("attacker", "defender")


@dataclass(frozen=True, slots=True)
class Case:
    """A project and its details beside its row.

    `lead`: who leads it, whose language its texts have; `team`: who sees it; `technology`: a field; `opponent`: the
    other side in a matter; `owns_patent`: whether the matter's patent is the client's; `stages`: the steps of a
    proceeding that periods run for; `hearing`: the name of its hearing.
    """

    project: Project
    lead: Person
    team: Sequence[str]
    company: Company
    technology: str
    opponent: Company | None = None
    owns_patent: bool = True
    stages: Sequence[Mapping[str, str]] = ()
    hearing: Mapping[str, str] = field(default_factory=dict)


class Projects:
    """Makes the projects one after the other, from the clients down, and collects them in its lists."""

    def __init__(self, chance: random.Random, today: date, staff: Staff, ids: Ids) -> None:
        self._chance, self._today, self._staff, self._ids = chance, today, staff, ids
        self._names = Names(chance)
        self._fields = chance.sample(sorted(WORDS["technologies"]), len(WORDS["technologies"]))
        self._labels = {name: chance.sample(labels, len(labels)) for name, labels in WORDS["technologies"].items()}
        self.cases: list[Case] = []
        self.members: list[ProjectMember] = []
        self.units: list[ProjectUnit] = []
        self.parties: list[Party] = []

    def make(self, count: int) -> None:
        """Make `count` projects, half of them proceedings. Raises ValueError for fewer than three."""
        if count < 3:
            raise ValueError("a practice has at least three projects: a client, a matter, a proceeding")
        clients, matters = max(1, count // 5), max(1, count * 3 // 10)
        for number in range(clients):
            self._client(self._staff.people[number % len(self._staff.people)])
        for number in range(matters):
            client = self.cases[number if number < clients else self._chance.randrange(clients)]
            self._matter(client, with_unit=number % 3 == 0)
        kinds = [kind for kind in WORDS["proceedings"] for _ in range(kind["share"])]
        self._chance.shuffle(kinds)
        for number in range(count - clients - matters):
            matter = self.cases[clients + (number if number < matters else self._chance.randrange(matters))]
            # One in twelve is over.
            self._proceeding(matter, kinds[number % len(kinds)], closed=number % 12 == 11)
        self._give_everybody_something()

    def _client(self, lead: Person) -> None:
        technology = self._fields[len(self.cases) % len(self._fields)]
        company = self._names.company(technology)
        opened = self._between(self._today - 6 * YEAR, self._today - 2 * YEAR)
        number = f"{1000 + len(self.cases)}"
        project = Project(self._ids.next("project"), None, "client", company.name, number, "active", None, opened)
        self._add(Case(project, lead, (), company, technology), lead_here=lead)

    def _matter(self, client: Case, *, with_unit: bool) -> None:
        changed = self._chance.random() < 0.35
        lead = self._chance.choice(self._staff.people) if changed else client.lead
        labels = self._labels[client.technology]
        labels.append(labels.pop(0))
        opened = self._between(client.project.opened_on, self._today - YEAR)
        patent = self._names.patent()
        parent = client.project.id
        label = labels[-1][lead.language]
        project = Project(self._ids.next("project"), parent, "matter", label, patent, "active", None, opened)
        opponent, owns = self._names.opponent(client.technology), self._chance.random() < 0.6
        case = Case(project, lead, client.team, client.company, client.technology, opponent, owns)
        self._add(case, lead_here=lead if changed else None, with_unit=with_unit, helpers={"assistant": 0.3})

    def _proceeding(self, matter: Case, kind: Mapping[str, Any], *, closed: bool) -> None:
        court, language = self._chance.choice(kind["courts"]), matter.lead.language
        if "by_field" in kind:
            court = kind["courts"][kind["by_field"][matter.technology]]
        opened = self._between(matter.project.opened_on, self._today - 100 * DAY, at_least=self._today - 600 * DAY)
        assert matter.opponent  # noqa: S101  # every matter has one
        project = Project(
            self._ids.next("project"),
            matter.project.id,
            "proceeding",
            f"{kind['title'][language]}: {matter.company.name} ./. {matter.opponent.name}",
            self._names.file_number(kind["kind"], court, matter.technology, opened.year),
            "closed" if closed else "active",
            court,
            opened,
            self._between(opened, self._today) if closed else None,
        )
        proprietor = kind.get("proprietor") or self._chance.choice(SIDES)
        ours = SIDES.index(proprietor) ^ (not matter.owns_patent)
        case = replace(matter, project=project, stages=kind["stages"][SIDES[ours]], hearing=kind["hearing"])
        self._add(case, helpers={"member": 0.6, "assistant": 0.4})
        others = 1 - SIDES.index(proprietor)
        self.parties += self._parties(case, kind["roles"][language], ours=ours, others=others)

    def _parties(self, case: Case, roles: Sequence[str], *, ours: int, others: int) -> Iterator[Party]:
        """Make two to four parties: client, opponent, sometimes others. `ours`, `others`: their places in `roles`."""
        firms = self._chance.sample(WORDS["people"]["firms"], 3)
        assert case.opponent  # noqa: S101  # every matter has one
        sides = [(case.company, ours, case.lead.name), (case.opponent, 1 - ours, firms[0])]
        more = self._chance.choice((0, 0, 1, 1, 2))
        sides += [(self._names.opponent(case.technology), others, firm) for firm in firms[1 : 1 + more]]
        for company, role, firm in sides:
            project = case.project.id
            yield Party(self._ids.next("party"), project, company.name, roles[role], firm, company.country)

    def _add(
        self,
        case: Case,
        *,
        lead_here: Person | None = None,
        with_unit: bool = False,
        helpers: Mapping[str, float] | None = None,
    ) -> None:
        project, team = case.project.id, dict.fromkeys(case.team)
        roles = {lead_here.id: "lead"} if lead_here else {}
        for role, share in (helpers or {}).items():
            if self._chance.random() < share:
                roles.setdefault(self._chance.choice(self._staff.people).id, role)
        self.members += [ProjectMember(project, person, role) for person, role in roles.items()]
        team |= dict.fromkeys(roles)
        if with_unit:
            unit_id = self._staff.by_field[case.technology]
            self.units.append(ProjectUnit(project, unit_id))
            team |= dict.fromkeys(self._staff.of_unit(unit_id))
        self.cases.append(replace(case, team=tuple(team)))

    def _give_everybody_something(self) -> None:
        """Make those who see nothing yet members of a proceeding, when there are more people than clients."""
        seen = {person for case in self.cases for person in case.team}
        proceedings = [case for case in self.cases if case.stages]
        for person in self._staff.people:
            if person.id not in seen:
                project = self._chance.choice(proceedings).project.id
                self.members.append(ProjectMember(project, person.id, "member"))

    def _between(self, first: date, last: date, *, at_least: date | None = None) -> date:
        first = max(first, at_least or first)
        day = first + self._chance.randrange(max(1, (last - first).days)) * DAY
        while not is_working_day(day):
            day += DAY
        return day
