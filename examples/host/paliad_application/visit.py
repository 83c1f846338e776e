"""A request for a page, and the lists that several pages show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from .database import Reading, Row
from .language import Language
from .markup import address, link, text

LONGEST_LIST = 50  # rows of a table

DEADLINE = """select d.*, p.label as project, c.short as court, u.name as person, r.legal_source,
        q.requester_kind
    from paliad.deadlines d join paliad.projects p on p.id = d.project_id
    left join paliad.courts c on c.id = coalesce(d.court_id, p.court_id)
    left join paliad.users u on u.id = d.responsible
    left join paliad.deadline_rules r on r.id = d.rule_id
    left join paliad.approval_requests q on q.id = d.pending_request_id"""
APPOINTMENT = """select a.*, p.label as project, q.requester_kind
    from paliad.appointments a join paliad.projects p on p.id = a.project_id
    left join paliad.approval_requests q on q.id = a.pending_request_id"""


@dataclass(frozen=True)
class Visit(Language):
    """What is asked for, who asks in which language, and what the database lets them see."""

    key: str  # what stands behind the first part of the path
    query: Mapping[str, str]
    reading: Reading
    today: date
    token: str  # of the forms in this browser

    @property
    def rows(self) -> Callable[..., list[Row]]:
        """Runs a query."""
        return self.reading.rows

    def table(
        self,
        rows: Sequence[Row],
        columns: Mapping[str, Callable[[Row], str]],
        *,
        kind: str = "",
        tell_more: bool = True,
    ) -> str:
        """A table of HTML cells, by their columns' headings. `tell_more`: say if there may be more rows."""
        if not rows:
            return f"<p class='nothing'>{self.t('Nothing.')}</p>"
        names = {self.t(name): cell for name, cell in columns.items()}
        head = "".join(f"<th scope='col'>{name}</th>" for name in names)
        lines = ("".join(f"<td data-label='{name}'>{cell(row)}</td>" for name, cell in names.items()) for row in rows)
        body = "".join(f"<tr>{line}</tr>" for line in lines)
        more = f"<p class='more'>{self.t('There are more.')}</p>" if tell_more and len(rows) == LONGEST_LIST else ""
        return f"<table class='{kind}'><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"

    def facts(self, facts: Mapping[str, str]) -> str:
        """A list of HTML values, without those that are empty."""
        shown = "".join(f"<dt>{self.t(name)}</dt><dd>{value}</dd>" for name, value in facts.items() if value)
        return f"<dl class='facts'>{shown}</dl>"

    def section(self, name: str, body: str, key: str = "") -> str:
        """A part of a page under its heading."""
        return f"<section><h2{f' id={key}' if key else ''}>{self.t(name)}</h2>{body}</section>"

    def stamp(self, at: datetime) -> str:
        """A time as HTML that stays in one line."""
        return f"<time>{self.time(at)}</time>"

    def mark(self, thing: Row) -> str:
        """What is beside the title of a thing that waits for approval; nothing beside others."""
        if thing["approval_status"] != "pending":
            return ""
        words = f"👀 {self.t('pending')}"
        request = thing["pending_request_id"]
        badge = f"<a class='mark' href='{address('inbox', request)}'>{words}</a>" if request else words
        return f" {badge}{self.sparkle() if thing['requester_kind'] == 'agent' else ''}"

    def sparkle(self) -> str:
        """What says that something comes from Paliadin."""
        words = self.t("suggested by Paliadin")
        return f"&nbsp;<span class='sparkle' role='img' aria-label='{words}' title='{words}'>✨</span>"

    def deadlines(self, where: str, **values: object) -> str:
        """A table of the deadlines that match."""
        order = f"order by d.status <> 'open', due_date, d.id limit {LONGEST_LIST}"
        rows = self.rows(f"{DEADLINE} where d.approval_status <> 'rejected' and {where} {order}", **values)
        columns: dict[str, Callable[[Row], str]] = {
            "Due": lambda row: f"<time class='{self.state_of(row)}'>{self.day(row['due_date'])}</time>",
            "Deadline": lambda row: link("deadlines", row["id"], row["title"]) + self.mark(row),
            "Project": lambda row: link("projects", row["project_id"], row["project"]),
            "State": lambda row: f"<span class='{self.state_of(row)}'>{self.t(self.state_of(row))}</span>",
        }
        if self.key:  # the page of a project
            del columns["Project"]
        return self.table(rows, columns)

    def state_of(self, deadline: Row) -> str:
        """Its status, or `overdue`."""
        is_late = deadline["status"] == "open" and deadline["due_date"] < self.today
        return "overdue" if is_late else str(deadline["status"])

    def appointments(self, where: str, **values: object) -> str:
        """A table of the appointments that match."""
        order = f"order by starts_at, a.id limit {LONGEST_LIST}"
        rows = self.rows(f"{APPOINTMENT} where a.approval_status <> 'rejected' and {where} {order}", **values)
        columns: dict[str, Callable[[Row], str]] = {
            "When": lambda row: self.stamp(row["starts_at"]),
            "Appointment": lambda row: link("agenda", row["id"], row["title"]) + self.mark(row),
            "Place": lambda row: text(row["place"]),
            "Project": lambda row: link("projects", row["project_id"], row["project"]),
        }
        if self.key:
            del columns["Project"]
        return self.table(rows, columns)
