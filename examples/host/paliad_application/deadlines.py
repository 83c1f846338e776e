"""Deadlines: those that match, and each with how it was approved and what happened to it."""

from __future__ import annotations

from .audit import trail_of
from .inbox import standing, weekend_mark
from .markup import Page, link, text
from .visit import DEADLINE, Visit

LONGEST_WORDS = 200  # characters that are searched for
STATES = ("open", "done", "cancelled", "all")


def deadlines(visit: Visit) -> Page:
    """The deadlines in a state, whose title or project holds some words."""
    status, words = visit.query.get("status", "open"), visit.query.get("q", "")[:LONGEST_WORDS]
    options = "".join(
        f"<option value='{each}'{' selected' * (each == status)}>{visit.t(each)}</option>" for each in STATES
    )
    label = visit.t("Words")
    field = (
        f"<input type='search' name='q' value='{text(words)}' maxlength='{LONGEST_WORDS}'"
        f" aria-label='{label}' placeholder='{label}'>"
    )
    select = f"<select name='status' aria-label='{visit.t('State')}'>{options}</select>"
    form = f"<form class='filter'>{field} {select} <button>{visit.t('Filter')}</button></form>"
    where = (
        "%(status)s in ('all', d.status) and strpos(lower(d.title || ' ' || p.label || ' ' || p.reference), %(q)s) > 0"
    )
    return Page(visit.t("Deadlines"), form + visit.deadlines(where, status=status, q=words.lower()))


def deadline(visit: Visit) -> Page | None:
    """A deadline."""
    for row in visit.rows(f"{DEADLINE} where d.id = %(id)s", id=visit.key):
        state = "rejected" if row["approval_status"] == "rejected" else visit.state_of(row)
        is_open = state in {"open", "overdue"}
        weekend = weekend_mark(visit, row["due_date"]) if is_open else ""
        facts = {
            "Due": f"<strong class='{state}'>{visit.long_day(row['due_date'])}</strong> {weekend}",
            "Days left": str((row["due_date"] - visit.today).days) if is_open else "",
            "State": f"<span class='{state}'>{visit.t(state)}</span>",
            "Approval": standing(visit, "deadline", row),
            "Project": link("projects", row["project_id"], row["project"]),
            "Court": link("courts", row["court"], row["court"]) if row["court"] else "",
            "Rule": text(row["legal_source"]),
            "Responsible": text(row["person"]),
        }
        lines = trail_of(visit, "deadline", row)
        return Page(row["title"], visit.facts(facts) + visit.section("Trail", lines, "trail"))
    return None
