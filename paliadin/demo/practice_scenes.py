"""Scenes that look up the reader's own data in the practice, and answer only from the results of its tools. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from paliadin.demo.api_messages import Conversation, Message
from paliadin.demo.question import Question
from paliadin.demo.scene import NOT_FOUND, PracticeResult, Row, answer, day, look_up, results_of

_PROJECT = r"\b(demo-project-\d+)\b"
_SOMEBODY = r"\b(?:hat|von|für|does|has|of|for) ([A-ZÄÖÜ][\w-]+ [A-ZÄÖÜ][\w-]+)"


def plate(question: Question, conversation: Conversation) -> Message:
    """Answer with what is due today and what is late."""
    say = question.say
    plates, results = results_of(conversation, "whats_on_my_plate"), results_of(conversation, "search_my_deadlines")
    if not plates:
        opening = say("I'll look at what is on your plate.", "Ich sehe nach, was ansteht.")
        return look_up(conversation, question, "whats_on_my_plate", opening)
    counts, today = plates[-1].head["open_deadlines"], plates[-1].head["today"]
    if not results:
        opening = say("Now the deadlines until today.", "Nun die Fristen bis heute.")
        return look_up(conversation, question, "search_my_deadlines", opening, due_before=today)
    on, due = day(question, today), results[-1].rows
    now, late, soon = counts["today"], counts["overdue"], counts["this_week"]
    lines = [
        say(
            f"On {on}, {_count(now, 'deadline is', 'deadlines are')} due, and {_count(late, 'is', 'are')} overdue.",
            f"Fällig am {on}: {_count(now, 'Frist', 'Fristen')}; überfällig: {late}.",
        ),
        say(f"Later this week: {soon}.", f"Später in dieser Woche: {soon}."),
    ]
    if results[-1].has_more:
        lines += [say("Not all of them are listed here.", "Nicht alle davon stehen hier.")]
    meetings = [_meeting(row) for row in plates[-1].of_kind("appointment") if row["starts_at"][:10] == today]
    lines += _part(say("Due today", "Heute fällig"), [_due(question, row) for row in due if row["days_left"] == 0])
    lines += _part(say("Appointments today", "Termine heute"), meetings)
    overdue = [_due(question, row, dated=True) for row in due if row["days_left"] < 0]
    lines += _part(say("Overdue", "Überfällig"), overdue)
    return answer(lines, plates[-1], results[-1], tag="data")


def deadlines(question: Question, conversation: Conversation) -> Message:
    """Answer with this week's deadlines or all open ones; of the project on the page, if the question means that."""
    say = question.say
    in_week = any(word in question.asked for word in ("week", "woche"))
    plates, results = results_of(conversation, "whats_on_my_plate"), results_of(conversation, "search_my_deadlines")
    if in_week and not plates:
        opening = say("First I need today's date.", "Zuerst brauche ich das heutige Datum.")
        return look_up(conversation, question, "whats_on_my_plate", opening)
    if not results:
        opening = say("I'll search the deadlines.", "Ich suche die Fristen.")
        arguments: dict[str, object] = {
            "project_id": question.on_page("project") or question.named(_PROJECT),
            "court": question.on_page("court"),
            "q": question.named(_SOMEBODY),  # no deadline is called so: whose it is, is no argument
        }
        if in_week:
            today = date.fromisoformat(plates[-1].head["today"])
            monday = today - timedelta(days=today.weekday())
            arguments |= {"due_after": str(monday), "due_before": str(monday + timedelta(days=6))}
        return look_up(conversation, question, "search_my_deadlines", opening, **arguments)
    result = results[-1]
    lines = _deadline_lines(question, result, in_week=in_week) if result.rows else [say(*NOT_FOUND)]
    return answer(lines, *plates, result, tag="data")


def _deadline_lines(question: Question, result: PracticeResult, *, in_week: bool) -> list[str]:
    say = question.say
    when = say("due this week.", "in dieser Woche fällig.") if in_week else say("open.", "offen.")
    forms = ("deadline is", "deadlines are") if question.lang == "en" else ("Frist ist", "Fristen sind")
    lines = [f"{_count(len(result.rows), *forms)} {when}"]
    if result.has_more:
        lines = [say("These are the first of them; there are more.", "Das sind die ersten davon; es gibt mehr.")]
    columns = say("| due | deadline | project |", "| fällig | Frist | Projekt |")
    lines += ["", columns, "|---|---|---|"]
    for row in result.rows:
        due = say(row["due_date"], day(question, row["due_date"]))  # no blank in it, where a narrow column would break
        lines += [f"| {due} | {row['title']} [#deadline-OPEN:{row['id']}] | {row['project']} |"]
    courts = sorted({row["court"] for row in result.rows if row.get("court")})
    if courts:
        named = ", ".join(f"{each} [court: {each}]" for each in courts[:5])
        lines += ["", say(f"Their courts: {named}", f"Ihre Gerichte: {named}")]
    return lines


def appointments(question: Question, conversation: Conversation) -> Message:
    """Answer with the appointments of the next 30 days."""
    say, tool = question.say, "list_my_appointments"
    results = results_of(conversation, tool)
    if not results:
        opening = say("I'll look at the agenda.", "Ich sehe in den Terminen nach.")
        return look_up(conversation, question, tool, opening, project_id=question.on_page("project"))
    lines = [f"- {day(question, row['starts_at'])}, {_meeting(row).removeprefix('- ')}" for row in results[-1].rows]
    if results[-1].has_more:
        lines += ["", say("There are more.", "Es gibt mehr.")]
    return answer(lines or [say(*NOT_FOUND)], results[-1], tag="data")


def project(question: Question, conversation: Conversation) -> Message:
    """Answer about the project that the question names by id, file number or label, or the one on the page."""
    say, tool = question.say, "get_project_detail"
    details, searches = results_of(conversation, tool), results_of(conversation, "search_my_deadlines")
    named = question.after(r"(?:state of|steht es um)(?: the)?(?: project| das projekt| die sache)?")
    opening = say("I'll look that up.", "Ich sehe nach.")
    if not details and (project_id := question.on_page("project")):
        return look_up(conversation, question, tool, opening, project_id=project_id)
    if not details and named and " " not in named and "-" in named and named == named.lower():
        return look_up(conversation, question, tool, opening, project_id=named)
    if not details and not searches:
        search = {"q": named[:200], "status": "any", "limit": 1}
        return look_up(conversation, question, "search_my_deadlines", opening, **search)
    if not details and not searches[-1].rows:
        return answer([say(*NOT_FOUND)], *searches, tag="data")
    if not details:
        opening = say("Now the project itself.", "Nun das Projekt selbst.")
        return look_up(conversation, question, tool, opening, project_id=searches[-1].rows[0]["project_id"])
    return answer([*_project_lines(question, details[-1])], *searches, details[-1], tag="data")


def _project_lines(question: Question, result: PracticeResult) -> Iterator[str]:
    say, head, counts = question.say, result.head["project"], result.head["counts"]
    court = f" [court: {head['court']}]" if head.get("court") else ""
    yield f"**{head['label']}** ({head['reference']}) [#project-OPEN:{head['id']}]{court}"
    yield ""
    yield say(f"- State: {head['status']}", f"- Stand: {_STATES[head['status']]}")
    if head.get("path"):
        yield say(f"- Part of: {head['path']}", f"- Gehört zu: {head['path']}")
    yield say(f"- Open deadlines: {counts['open_deadlines']}", f"- Offene Fristen: {counts['open_deadlines']}")
    coming = counts["coming_appointments"]
    yield say(f"- Coming appointments: {coming}", f"- Kommende Termine: {coming}")
    due = [row for row in result.of_kind("deadline") if row["status"] == "open"][:5]
    yield from _part(
        say("The next deadlines", "Die nächsten Fristen"), [_due(question, row, dated=True) for row in due]
    )
    notes = [f"> {row['text']}" for row in result.of_kind("note")[:1]]
    yield from _part(say("The last note", "Die letzte Notiz"), notes)


_STATES = {"active": "laufend", "closed": "geschlossen", "archived": "archiviert"}


def _count(number: int, one: str, many: str) -> str:
    """Return a number with the word in its singular or plural."""
    return f"{number} {one if number == 1 else many}"


def _part(title: str, lines: Sequence[str]) -> list[str]:
    """Return a part of an answer with its title, nothing for an empty part."""
    return ["", f"**{title}**", "", *lines] if lines else []


def _due(question: Question, row: Row, *, dated: bool = False) -> str:
    when = f"{day(question, row['due_date'])}: " if dated else ""
    of = ", ".join(filter(None, (row.get("project"), row.get("reference"))))
    place = f" ({of})" if of else ""
    return f"- {when}{row['title']}{place} [#deadline-OPEN:{row['id']}]"


def _meeting(row: Row) -> str:
    where = f", {row['place']}" if row.get("place") else ""
    return f"- {row['starts_at'][11:16]}: {row['title']}{where} [#appointment-OPEN:{row['id']}]"
