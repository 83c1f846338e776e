"""The audit trail: of one thing or project, of all that a person may see, and as a CSV file."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from datetime import UTC

from .database import Reading, Row
from .inbox import LONGEST_NOTE, PATHS, request_id
from .markup import INVISIBLE, Page, link, text
from .visit import LONGEST_LIST, Visit

LONGEST_EXPORT = 10_000  # lines
ACTIONS = {
    "deadline.created": "Deadline entered",
    "deadline.done": "Deadline done",
    "appointment.created": "Appointment entered",
    "approval.requested": "Approval requested",
    "approval.approved": "Approved",
    "approval.rejected": "Rejected",
}
COLUMNS = ("at", "actor", "action", "project", "thing_kind", "thing_id", "title", "note")
# Where a cell begins for some spreadsheet, and what may stand before the sign that makes it a formula.
_FORMULA = re.compile(rf'((?:\A|[;|])[ ;|"{INVISIBLE.pattern[1:-1]}\ufe0f]*+)([=+\-@⁺⁼₊₌⩵⩶﬩﹢﹣﹦﹫＋－＝＠])?')  # noqa: RUF001

LINE = """select a.id, a.at, a.actor, a.actor_kind, u.name, a.action, a.project_id, p.label as project,
        a.thing_kind, a.thing_id, coalesce(d.id, t.id, n.id) is not null as is_there,
        coalesce(a.details ->> 'title', d.title, t.title,
            case n.approval_status when 'approved' then left(n.body, 120) end) as title,
        a.details ->> 'request' as request, a.details ->> 'as' as decided_as, a.details ->> 'note' as note
    from paliad.audit_trail a
    left join paliad.users u on u.id = a.actor
    left join paliad.projects p on p.id = a.project_id
    left join paliad.deadlines d on a.thing_kind = 'deadline' and d.id = a.thing_id
    left join paliad.appointments t on a.thing_kind = 'appointment' and t.id = a.thing_id
    left join paliad.notes n on a.thing_kind = 'note' and n.id = a.thing_id"""


def trail(visit: Visit, where: str, **values: object) -> str:
    """The newest lines that match, as a table without their project."""
    rows = visit.rows(f"{LINE} where {where} order by a.id desc limit {LONGEST_LIST}", **values)
    return visit.table(rows, _columns(visit), kind="log")


def trail_of(visit: Visit, kind: str, thing: Row) -> str:
    """The trail of a deadline or an appointment."""
    where = "a.project_id = %(project)s and a.thing_kind = %(kind)s and a.thing_id = %(id)s"
    return trail(visit, where, project=thing["project_id"], kind=kind, id=thing["id"])


def audit(visit: Visit) -> Page | None:
    """The newest lines of all, or those before one: `?before=<its number>`."""
    before = visit.query.get("before", "")
    if before and not (before.isascii() and before.isdigit() and len(before) <= 18):
        return None
    where = "where a.id < %(before)s" if before else ""
    limit = LONGEST_LIST + 1
    rows = visit.rows(f"{LINE} {where} order by a.id desc limit {limit}", before=int(before or 0))
    shown = rows[:LONGEST_LIST]
    columns = _columns(visit)
    columns["Project"] = lambda row: link("projects", row["project_id"], row["project"]) if row["project"] else ""
    older = f"<a href='/audit?before={shown[-1]['id']}'>{visit.t('Older')} →</a>" if len(rows) == limit else ""
    newest = f"<a href='/audit'>← {visit.t('Newest')}</a>" if before else ""
    export = f"<a href='/audit.csv'>{visit.t('Export as CSV')}</a> <small>{visit.t('the newest 10,000 lines')}</small>"
    table = visit.table(shown, columns, kind="log", tell_more=False)
    return Page(visit.t("Audit log"), f"<p class='tools'>{export}</p>{table}<p class='pager'>{newest} {older}</p>")


def export(reading: Reading) -> bytes:
    """The newest lines that this person may see, as CSV. Programs take it for UTF-8 by its first character."""
    file = io.StringIO()
    file.write("\ufeff")
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    for row in reading.rows(f"{LINE} order by a.id desc limit {LONGEST_EXPORT}"):
        cells = [row["at"].astimezone(UTC).isoformat(timespec="seconds"), actor(row), row["action"]]
        cells += [row[name] for name in ("project_id", "thing_kind", "thing_id", "title", "note")]
        writer.writerow(map(defused, cells))
    return file.getvalue().encode()


def actor(row: Row) -> str:
    """Who did it, in an export."""
    name = str(row["name"] or row["actor"])
    return f"{name} [agent: Paliadin]" if row["actor_kind"] == "agent" else name


def defused(cell: object) -> str:
    """A cell in one line that no spreadsheet takes for a formula, whatever sign ends a cell for it: `,`, `;`, a tab."""
    words = " ".join(str(cell).split()) if cell is not None else ""
    return _FORMULA.sub(lambda match: f"{match[1]}'{match[2]}" if match[2] else match[0], words)


def _columns(visit: Visit) -> dict[str, Callable[[Row], str]]:
    return {
        "When": lambda row: visit.stamp(row["at"]),
        "Who": lambda row: (
            text(row["name"] or row["actor"]) + (visit.sparkle() if row["actor_kind"] == "agent" else "")
        ),
        "What": lambda row: _what(visit, row),
        "About": _about,
    }


def _what(visit: Visit, row: Row) -> str:
    words = visit.t(ACTIONS.get(row["action"], str(row["action"])))
    request = row["request"] or ""
    shown = link("inbox", request, words) if request_id(request) else text(words)
    override = f" <small>{visit.t('as the owner')}</small>" if row["decided_as"] == "admin_override" else ""
    note = f"<br><small>{visit.quoted(text(row['note'], LONGEST_NOTE))}</small>" if row["note"] else ""
    return shown + override + note


def _about(row: Row) -> str:
    title = row["title"] or row["thing_id"] or ""
    if row["is_there"] and row["thing_kind"] in PATHS:
        return link(PATHS[row["thing_kind"]], row["thing_id"], title)
    return text(title, 120)
