"""The rows of a practice: a dataclass for each table, whose fields are the table's columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, ClassVar
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Row:
    """A row; `table` names its table in the schema `paliad`."""

    table: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Person(Row):
    """One of Paliadin's people. `language` is de or en, `role` is owner or member."""

    table: ClassVar[str] = "users"
    id: str
    name: str
    office: str
    language: str
    role: str = "member"


@dataclass(frozen=True, slots=True)
class Unit(Row):
    """A partner unit: people who see together what the unit is attached to."""

    table: ClassVar[str] = "partner_units"
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class UnitMember(Row):
    """A person's membership in a unit."""

    table: ClassVar[str] = "partner_unit_members"
    unit_id: str
    user_id: str


@dataclass(frozen=True, slots=True)
class Project(Row):
    """A client, a matter of theirs, or a proceeding in it. `reference` is a file's or a patent's number."""

    table: ClassVar[str] = "projects"
    id: str
    parent_id: str | None
    kind: str
    label: str
    reference: str
    status: str
    court_id: str | None
    opened_on: date
    closed_on: date | None = None


@dataclass(frozen=True, slots=True)
class ProjectMember(Row):
    """A person who sees a project, and all that is below it. `role` is lead, member or assistant."""

    table: ClassVar[str] = "project_members"
    project_id: str
    user_id: str
    role: str


@dataclass(frozen=True, slots=True)
class ProjectUnit(Row):
    """A unit that is attached to a project."""

    table: ClassVar[str] = "project_units"
    project_id: str
    unit_id: str


@dataclass(frozen=True, slots=True)
class ApprovalRequest(Row):
    """A request to approve something. `decided_as` is peer or admin_override, once somebody has decided."""

    table: ClassVar[str] = "approval_requests"
    id: UUID
    project_id: str
    thing_kind: str
    thing_id: str
    requester_kind: str
    requested_by: str
    status: str
    requested_at: datetime
    decided_by: str | None = None
    decided_at: datetime | None = None
    decided_as: str | None = None


@dataclass(frozen=True, slots=True)
class Deadline(Row):
    """A task that has to be done by a day; `rule_id` if a period of the law led to that day."""

    table: ClassVar[str] = "deadlines"
    id: str
    project_id: str
    title: str
    due_date: date
    status: str
    court_id: str | None
    rule_id: str | None
    responsible: str | None
    done_at: datetime | None
    created_at: datetime
    created_by: str | None
    approval_status: str = "approved"
    pending_request_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Appointment(Row):
    """A hearing, a call, a meeting."""

    table: ClassVar[str] = "appointments"
    id: str
    project_id: str
    title: str
    starts_at: datetime
    ends_at: datetime
    place: str
    court_id: str | None
    created_at: datetime
    created_by: str | None
    approval_status: str = "approved"
    pending_request_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Note(Row):
    """A person's note on a project."""

    table: ClassVar[str] = "notes"
    id: str
    project_id: str
    body: str
    author: str | None
    created_at: datetime
    approval_status: str = "approved"
    pending_request_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Party(Row):
    """A party of a proceeding, with its role."""

    table: ClassVar[str] = "parties"
    id: str
    project_id: str
    name: str
    role: str
    representative: str
    country: str


@dataclass(frozen=True, slots=True)
class AuditLine(Row):
    """A line of the audit trail: person, action, time."""

    table: ClassVar[str] = "audit_trail"
    at: datetime
    actor: str
    actor_kind: str
    action: str
    project_id: str
    thing_kind: str
    thing_id: str
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Practice:
    """All rows of a practice but the reference data and the judgments."""

    people: Sequence[Person]
    units: Sequence[Unit]
    unit_members: Sequence[UnitMember]
    projects: Sequence[Project]
    members: Sequence[ProjectMember]
    project_units: Sequence[ProjectUnit]
    approvals: Sequence[ApprovalRequest] = field(default=())
    deadlines: Sequence[Deadline] = field(default=())
    appointments: Sequence[Appointment] = field(default=())
    notes: Sequence[Note] = field(default=())
    parties: Sequence[Party] = field(default=())
    audit: Sequence[AuditLine] = field(default=())

    def in_order(self) -> Iterator[Sequence[Row]]:
        """Yield the rows of each table, after those that they refer to."""
        yield from (self.people, self.units, self.unit_members, self.projects, self.members, self.project_units)
        yield from (self.approvals, self.deadlines, self.appointments, self.notes, self.parties, self.audit)
