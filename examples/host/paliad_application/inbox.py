"""The inbox: what waits for a person's decision, what they asked for, and what they decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from uuid import UUID

from .database import Reading, Row
from .markup import LONGEST_TEXT, Page, address, link, plain, text
from .visit import LONGEST_LIST, Visit

LONGEST_NOTE = 500  # characters
LONGEST_QUESTION = 2_000
LONGEST_BODY = 10_000  # of what is decided on; nobody decides on what is cut
PATHS = {"deadline": "deadlines", "appointment": "agenda"}
KINDS = {"deadline": "Deadline", "appointment": "Appointment", "note": "Note"}

# What they may approve, or reject: `paliad.decides_as` for all rows at once, which asked for each would take seconds.
DECIDABLE = """r.status = 'pending' and case
        when r.requested_by = (select paliad.person()) then r.requester_kind = 'agent'
        else r.project_id = any (array(select paliad.led_projects())) or (select paliad.is_owner())
    end"""
REQUEST = """select r.*, p.label as project, s.name as requester, b.name as decider,
        coalesce(d.title, a.title, n.body) as title, coalesce(d.id, a.id, n.id) is not null as is_there,
        d.due_date, a.starts_at, a.ends_at, a.place, l.legal_source, l.concept_de, l.concept_en,
        r.status = 'pending' and paliad.decides_as(r, true) is not null as may_approve,
        r.status = 'pending' and paliad.decides_as(r, false) is not null as may_reject,
        r.requested_by = (select paliad.person()) or paliad.may_approve(r.project_id) as may_read_question,
        p.status as project_status, r.status = 'pending' and exists (
            select from paliad.deadlines o
            where o.project_id = d.project_id and o.due_date = d.due_date and lower(o.title) = lower(d.title)
                and o.id <> d.id and o.approval_status <> 'rejected'
        ) as is_double
    from paliad.approval_requests r
    join paliad.projects p on p.id = r.project_id
    left join paliad.users s on s.id = r.requested_by
    left join paliad.users b on b.id = r.decided_by
    left join paliad.deadlines d on r.thing_kind = 'deadline' and d.id = r.thing_id
    left join paliad.deadline_rules l on l.id = d.rule_id
    left join paliad.appointments a on r.thing_kind = 'appointment' and a.id = r.thing_id
    left join paliad.notes n on r.thing_kind = 'note' and n.id = r.thing_id"""
NEWEST = f"order by r.requested_at desc, r.id limit {LONGEST_LIST}"
OF_THING = """r.project_id = %(project)s and r.thing_kind = %(kind)s and r.thing_id = %(thing)s
    order by r.requested_at desc, r.id limit 1"""


def count_waiting(reading: Reading) -> str:
    """How many requests wait for this person's decision: "" for none, "99+" for more than 99."""
    query = f"select count(*) as number from (select from paliad.approval_requests r where {DECIDABLE} limit 100) as r"  # noqa: S608  # all ours
    [row] = reading.rows(query)
    return "99+" if row["number"] > 99 else str(row["number"] or "")


def inbox(visit: Visit) -> Page:
    """All of it."""
    parts = {
        "Waiting for your decision": visit.rows(f"{REQUEST} where {DECIDABLE} {NEWEST}"),
        "Asked by you or for you": visit.rows(
            f"{REQUEST} where r.requested_by = (select paliad.person()) and not ({DECIDABLE}) {NEWEST}"
        ),
        "Decided by you": visit.rows(
            f"""{REQUEST} where r.decided_by = (select paliad.person()) and r.requested_by <> (select paliad.person())
            order by r.decided_at desc, r.id limit {LONGEST_LIST}"""
        ),
    }
    questions = _questions(visit, [row for rows in parts.values() for row in rows])
    body = ""
    for name, rows in parts.items():
        cards = "".join(_card(visit, row, questions) for row in rows) or (
            f"<p class='nothing'>{visit.t('Nothing.')}</p>"
        )
        more = f"<p class='more'>{visit.t('There are more.')}</p>" if len(rows) == LONGEST_LIST else ""
        body += visit.section(name, cards + more)
    return Page(visit.t("Inbox"), body)


def request(visit: Visit) -> Page | None:
    """One request, and its form for who may decide."""
    return request_page(visit)


def request_page(visit: Visit, problem: str = "", note: str = "") -> Page | None:
    """The same, below what went wrong with the decision that was sent, and with its note."""
    if (wanted := request_id(visit.key)) is None:
        return None
    for row in visit.rows(f"{REQUEST} where r.id = %(id)s", id=wanted):
        facts = {
            "State": _state(visit, row),
            "Asked by": who_asked(visit, row),
            "Asked": visit.time(row["requested_at"]),
            "What": _thing(visit, row),
            "Day": _day(visit, row),
            "Place": text(row["place"]),
            "Rule": _rule(visit, row),
            "Project": link("projects", row["project_id"], row["project"]),
            "Decided by": _decision(visit, row),
            "Reason": text(row["reason"], LONGEST_NOTE),
        }
        alert = f"<p class='problem' role='alert'>{text(problem)}</p>" if problem else ""
        asked = _question(visit, row, _questions(visit, [row]))
        return Page(
            _title(visit, row), alert + visit.facts(facts) + asked + _warnings(visit, row) + _form(visit, row, note)
        )
    return None


def request_id(key: str) -> UUID | None:
    """The id that stands in an address, as it is printed; None for anything else."""
    try:
        return UUID(key) if len(key) == 36 and str(UUID(key)) == key.lower() else None
    except ValueError:
        return None


def standing(visit: Visit, kind: str, thing: Row) -> str:
    """How a thing was approved or rejected, or that it waits, as HTML."""
    state = visit.t(thing["approval_status"])
    if thing["approval_status"] == "pending":
        return visit.mark(thing)
    values = {"project": thing["project_id"], "kind": kind, "thing": thing["id"]}
    for row in visit.rows(f"{REQUEST} where {OF_THING}", **values):
        words = link("inbox", row["id"], state)
        reason = f"<br>{visit.quoted(text(row['reason'], LONGEST_NOTE))}" if row["reason"] else ""
        return f"<span class='{row['status']}'>{words}</span>: {_decision(visit, row)}{reason}"
    return f"<span class='{text(thing['approval_status'])}'>{state}</span>"


def weekend_mark(visit: Visit, day: date) -> str:
    """A word on a day that is one of a weekend, as HTML."""
    return f"<span class='overdue'>⚠ {visit.t('at a weekend')}</span>" if day.weekday() > 4 else ""


def who_asked(visit: Visit, row: Row) -> str:
    """A person, or Paliadin for a person."""
    person = text(row["requester"] or row["requested_by"])
    return f"✨ Paliadin ({visit.t('for')} {person})" if row["requester_kind"] == "agent" else person


def _card(visit: Visit, row: Row, questions: Mapping[UUID, str]) -> str:
    about = [visit.t(KINDS[row["thing_kind"]]), f"<strong>{_day(visit, row)}</strong>" if _day(visit, row) else ""]
    about += [text(row["place"]), _rule(visit, row), link("projects", row["project_id"], row["project"])]
    asked = f"{who_asked(visit, row)} · {visit.stamp(row['requested_at'])}"
    decided = f"<p class='quiet'>{visit.t('Decided by')}: {_decision(visit, row)}</p>" if row["decided_at"] else ""
    decided += f"<p>{visit.quoted(text(row['reason'], LONGEST_NOTE))}</p>" if row["reason"] else ""
    return (
        f"<article class='request'><h3><a href='{address('inbox', row['id'])}' id='title-{row['id']}'>"
        f"{text(_title(visit, row))}</a>"
        f" {_state(visit, row)}</h3><p>{' · '.join(filter(None, about))}</p><p class='quiet'>{asked}</p>"
        f"{_question(visit, row, questions)}{decided}{_warnings(visit, row)}"
        f"{_form(visit, row, '', LONGEST_TEXT)}</article>"
    )


def _title(visit: Visit, row: Row) -> str:
    return plain(row["title"] if row["is_there"] else _why_missing(visit, row))


def _why_missing(visit: Visit, row: Row) -> str:
    """Why the thing is not there: gone, or a note that its project's members read only once it is approved."""
    is_hidden = row["thing_kind"] == "note" and row["status"] != "approved" and not row["may_read_question"]
    return visit.t("only for who decides on it" if is_hidden else "deleted meanwhile")


def _state(visit: Visit, row: Row) -> str:
    eyes = "👀 " if row["status"] == "pending" else ""
    return f"<span class='mark {row['status']}'>{eyes}{visit.t(row['status'])}</span>"


def _thing(visit: Visit, row: Row) -> str:
    kind = visit.t(KINDS[row["thing_kind"]])
    if not row["is_there"]:
        return f"{kind} ({_why_missing(visit, row)})"
    if path := PATHS.get(row["thing_kind"]):
        return f"{kind}: {link(path, row['thing_id'], row['title'])}"
    return f"{kind}: {text(row['title'], LONGEST_BODY)}"


def _day(visit: Visit, row: Row) -> str:
    if row["due_date"]:
        return f"{visit.long_day(row['due_date'])} {weekend_mark(visit, row['due_date'])}".strip()
    if row["starts_at"]:
        start, end = row["starts_at"].astimezone(), row["ends_at"].astimezone()
        until = f"{end:%H:%M}" if start.date() == end.date() else visit.long_time(end)
        return f"{visit.long_time(start)}–{until}"
    return ""


def _rule(visit: Visit, row: Row) -> str:
    return f"{text(row['legal_source'])} ({text(row[f'concept_{visit.lang}'])})" if row["legal_source"] else ""


def _decision(visit: Visit, row: Row) -> str:
    if row["decided_at"] is None:
        return ""
    right = "as the lead" if row["decided_by"] != row["requested_by"] else "for themselves"
    words = visit.t("as the owner" if row["decided_as"] == "admin_override" else right)
    return f"{text(row['decider'] or row['decided_by'])}, {words}, {visit.time(row['decided_at'])}"


def _questions(visit: Visit, rows: Sequence[Row]) -> Mapping[UUID, str]:
    wanted = [row["id"] for row in rows if row["requester_kind"] == "agent" and row["may_read_question"]]
    return visit.reading.questions(wanted) if wanted else {}


def _question(visit: Visit, row: Row, questions: Mapping[UUID, str]) -> str:
    if row["requester_kind"] != "agent" or not row["may_read_question"]:
        return ""
    if row["id"] not in questions:
        return f"<p class='quiet'>{visit.t('The question was deleted.')}</p>"
    words = text(questions[row["id"]], LONGEST_QUESTION)
    return f"<figure><figcaption>{visit.t('The question')}</figcaption><blockquote>{words}</blockquote></figure>"


def _warnings(visit: Visit, row: Row) -> str:
    """What somebody should know before they decide."""
    if row["status"] != "pending":
        return ""
    words = ["This project is closed."] if row["project_status"] != "active" else []
    words += ["The project has another deadline with this title and day."] if row["is_double"] else []
    return "".join(f"<p class='overdue'>⚠ {visit.t(each)}</p>" for each in words)


def _form(visit: Visit, row: Row, note: str, longest: int = LONGEST_BODY) -> str:
    """The buttons, for who may decide; else a word on why there are none. `longest`: what is shown of it."""
    if row["status"] != "pending":
        return ""
    if len(row["title"] or "") > longest:
        return f"<p>{link('inbox', row['id'], visit.t('Read all of it, and decide'))}</p>"
    if not (row["may_approve"] or row["may_reject"]):
        return f"<p class='quiet'>{visit.t('Who leads the project decides, or an owner.')}</p>"
    buttons = "".join(
        f"<button name='decision' value='{value}' class='{value}' aria-describedby='title-{row['id']}'>"
        f"{visit.t(words)}</button>"
        for value, words, may in (("approve", "Approve", row["may_approve"]), ("reject", "Reject", row["may_reject"]))
        if may
    )
    hint = "" if row["may_approve"] else f"<p class='quiet'>{visit.t('Somebody else has to approve it.')}</p>"
    return (
        f"<form class='decision' method='post' action='{address('inbox', row['id'])}'>"
        # In a field of one line, Enter would send the form with its first button.
        f"<label>{visit.t('Note (optional)')} <textarea name='note' rows='1' maxlength='{LONGEST_NOTE}'"
        f" autocomplete='off'>{text(note, LONGEST_NOTE)}</textarea></label>"
        f"<div class='buttons'>{buttons}</div></form>{hint}"
    )
