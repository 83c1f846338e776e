"""The projects: their tree, and each with what is in it and what happened to it."""

from __future__ import annotations

from .audit import trail
from .database import Row
from .markup import Page, link, listed, text
from .visit import Visit

NOTES = """select n.*, u.name as person
    from paliad.notes n left join paliad.users u on u.id = n.author
    where n.project_id = %(id)s and n.approval_status = 'approved'  -- one that waits is in the inbox
    order by n.created_at desc, n.id limit 10"""


def projects(visit: Visit) -> Page:
    """Clients with their matters, and the proceedings in these."""
    rows = visit.rows("select id, parent_id, label, reference, status from paliad.projects order by label, id")
    seen = {row["id"] for row in rows}

    def below(parent: str | None) -> str:
        # Who may see a proceeding and not what is above it finds it at the top.
        children = [row for row in rows if (row["parent_id"] if row["parent_id"] in seen else None) == parent]
        return listed([entry(row) + below(row["id"]) for row in children], "tree") if children else ""

    def entry(row: Row) -> str:
        state = "" if row["status"] == "active" else f" · {visit.t(row['status'])}"
        return f"{link('projects', row['id'], row['label'])} <small>{text(row['reference'])}{state}</small>"

    return Page(visit.t("Projects"), below(None) or f"<p class='nothing'>{visit.t('Nothing.')}</p>")


def project(visit: Visit) -> Page | None:
    """A project: where it belongs, what is in it, what happened to it."""
    query = """select p.*, above.label as above, c.short as court from paliad.projects p
        left join paliad.projects above on above.id = p.parent_id left join paliad.courts c on c.id = p.court_id
        where p.id = %(id)s"""
    for row in visit.rows(query, id=visit.key):
        facts = {
            "Belongs to": link("projects", row["parent_id"], row["above"]) if row["above"] else "",
            "Kind": visit.t(row["kind"]),
            "Reference": text(row["reference"]),
            "State": visit.t(row["status"]),
            "Court": link("courts", row["court"], row["court"]) if row["court"] else "",
            "Opened": visit.day(row["opened_on"]),
        }
        body = f"<div id='state'>{visit.facts(facts)}</div>"
        body += visit.section("Deadlines", visit.deadlines("d.project_id = %(id)s", id=visit.key))
        body += visit.section("Appointments", visit.appointments("a.project_id = %(id)s", id=visit.key))
        body += "".join(visit.section(name, listed(items), name.lower()) for name, items in _lists(visit) if items)
        body += visit.section("Trail", trail(visit, "a.project_id = %(id)s", id=visit.key), "trail")
        return Page(row["label"], body)
    return None


def _lists(visit: Visit) -> list[tuple[str, list[str]]]:
    parts = visit.rows("select id, label from paliad.projects where parent_id = %(id)s order by label", id=visit.key)
    parties = visit.rows("select * from paliad.parties where project_id = %(id)s order by name", id=visit.key)
    return [
        ("Parts", [link("projects", each["id"], each["label"]) for each in parts]),
        ("Parties", [text(f"{each['name']} ({each['role']}, {each['representative']})") for each in parties]),
        ("Notes", [_note(visit, each) for each in visit.rows(NOTES, id=visit.key)]),
    ]


def _note(visit: Visit, note: Row) -> str:
    small = " · ".join(filter(None, [text(note["person"]), visit.day(note["created_at"].astimezone())]))
    return f"{text(note['body'], 10_000)} <small>{small}</small>"
