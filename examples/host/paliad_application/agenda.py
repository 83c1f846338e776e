"""The agenda: deadlines and appointments together, by day; and the page of an appointment."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta

from .audit import trail_of
from .database import Row
from .inbox import standing
from .markup import Page, link, text
from .visit import APPOINTMENT, DEADLINE, Visit

LONGEST_MONTH = 400  # deadlines, and appointments
MONTH = re.compile(r"((?:19|20|21)\d\d)-(0[1-9]|1[0-2])")


def agenda(visit: Visit) -> Page | None:
    """A month, or the next 30 days."""
    wanted = visit.query.get("month")
    if wanted is None:
        first, after = visit.today, visit.today + timedelta(days=30)
        before, heading = visit.today.replace(day=1), visit.t("The next 30 days")
        following = _next(before)
    elif found := MONTH.fullmatch(wanted):
        first = date(int(found[1]), int(found[2]), 1)
        after = following = _next(first)
        before, heading = (first - timedelta(days=1)).replace(day=1), visit.month(first)
    else:
        return None
    days = sorted(_entries(visit, first, after), key=lambda entry: entry[:2])
    body = "".join(
        f"<section class='day'><h3{' class=today' if day == visit.today else ''}>{visit.long_day(day)}</h3>"
        f"<ul class='entries'>{''.join(entry[2] for entry in entries)}</ul></section>"
        for day, entries in itertools.groupby(days, key=lambda entry: entry[0])
    )
    links = f"{_link(visit, before, '←')} {_link(visit, following, '→')}"
    now = f"<a href='/agenda'>{visit.t('The next 30 days')}</a>" if wanted else ""
    nav = f"<div class='months'><h2>{heading}</h2><p>{links} {now}</p></div>"
    return Page(visit.t("Agenda"), nav + (body or f"<p class='nothing'>{visit.t('Nothing.')}</p>"))


def _next(first: date) -> date:
    return (first + timedelta(days=32)).replace(day=1)


def _link(visit: Visit, first: date, arrow: str) -> str:
    words = f"{arrow} {visit.month(first)}" if arrow == "←" else f"{visit.month(first)} {arrow}"
    return f"<a href='/agenda?month={first.year:04}-{first.month:02}'>{words}</a>"


def _entries(visit: Visit, first: date, after: date) -> list[tuple[date, str, str]]:
    """(day, what it is sorted by, HTML) of all that is in these days."""
    values: Mapping[str, object] = {
        "first": first,
        "after": after,
        "from": datetime.combine(first, time()).astimezone(),
        "to": datetime.combine(after, time()).astimezone(),
    }
    due = visit.rows(
        f"""{DEADLINE} where d.approval_status <> 'rejected' and d.status <> 'cancelled'
        and due_date >= %(first)s and due_date < %(after)s order by due_date, d.id limit {LONGEST_MONTH}""",
        **values,
    )
    held = visit.rows(
        f"""{APPOINTMENT} where a.approval_status <> 'rejected'
        and starts_at >= %(from)s and starts_at < %(to)s order by starts_at, a.id limit {LONGEST_MONTH}""",
        **values,
    )
    return [(row["due_date"], "", _deadline(visit, row)) for row in due] + [
        (row["starts_at"].astimezone().date(), f"{row['starts_at'].astimezone():%H:%M}", _appointment(visit, row))
        for row in held
    ]


def _deadline(visit: Visit, row: Row) -> str:
    state = visit.state_of(row)
    small = f"<small class='{state}'>{visit.t(state)}</small>" if state != "open" else ""
    return _entry(visit, row, visit.t("Deadline"), link("deadlines", row["id"], row["title"]), small)


def _appointment(visit: Visit, row: Row) -> str:
    start, end = row["starts_at"].astimezone(), row["ends_at"].astimezone()
    until = f"{end:%H:%M}" if end.date() == start.date() else visit.time(end)
    small = f"<small>{text(row['place'])}</small>"
    return _entry(visit, row, f"{start:%H:%M}–{until}", link("agenda", row["id"], row["title"]), small)


def _entry(visit: Visit, row: Row, when: str, title: str, small: str) -> str:
    project = link("projects", row["project_id"], row["project"])
    return (
        f"<li><span class='when'>{when}</span><span class='what'>{title}{visit.mark(row)} {small}</span>"
        f"<span class='where'>{project}</span></li>"
    )


def appointment(visit: Visit) -> Page | None:
    """An appointment."""
    for row in visit.rows(f"{APPOINTMENT} where a.id = %(id)s", id=visit.key):
        end = row["ends_at"].astimezone()
        until = f"{end:%H:%M}" if end.date() == row["starts_at"].astimezone().date() else visit.long_time(end)
        facts = {
            "When": f"<strong>{visit.long_time(row['starts_at'])}–{until}</strong>",
            "Place": text(row["place"]),
            "Approval": standing(visit, "appointment", row),
            "Project": link("projects", row["project_id"], row["project"]),
        }
        lines = trail_of(visit, "appointment", row)
        return Page(row["title"], visit.facts(facts) + visit.section("Trail", lines, "trail"))
    return None
