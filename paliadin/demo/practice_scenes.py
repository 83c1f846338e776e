"""Scenes that call the practice's tools, and answer from what these return and from nothing else. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from paliadin.demo.api_messages import Conversation, Message
from paliadin.demo.question import Question
from paliadin.demo.scene import NOT_FOUND, Found, Row, answer, day, look_up, results_of

ASSUMED = {"de": "Klageerwiderung (Verletzungsklage)", "en": "Statement of defence"}
"""The deadline that is meant where the question names none."""


def plate(question: Question, conversation: Conversation) -> Message:
    """What is due today, and what is late."""
    say = question.say
    plates, results = results_of(conversation, "whats_on_my_plate"), results_of(conversation, "search_my_deadlines")
    if not plates:
        opening = say("I'll look at what is on your plate.", "Ich sehe nach, was ansteht.")
        return look_up(conversation, question, "whats_on_my_plate", opening)
    counts, today = plates[-1].head["open_deadlines"], plates[-1].head["today"]
    if not results:
        opening = say("Now the deadlines until today.", "Nun die Fristen bis heute.")
        return look_up(conversation, question, "search_my_deadlines", opening, due_before=today)
    on, due, late = day(question, today), results[-1].rows, counts["overdue"]
    lines = [
        say(
            f"On {on}, {counts['today']} deadlines are due, and {late} are overdue.",
            f"Am {on} sind {counts['today']} Fristen fällig, und {late} sind überfällig.",
        ),
        say(f"Another {counts['this_week']} follow this week.", f"In dieser Woche folgen noch {counts['this_week']}."),
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
    """The deadlines of this week, or all that are open; of the project on the page, if the question means that."""
    say = question.say
    in_week = any(word in question.asked for word in ("week", "woche"))
    plates, results = results_of(conversation, "whats_on_my_plate"), results_of(conversation, "search_my_deadlines")
    if in_week and not plates:
        opening = say("First I need today's date.", "Zuerst brauche ich das heutige Datum.")
        return look_up(conversation, question, "whats_on_my_plate", opening)
    if not results:
        opening = say("I'll search the deadlines.", "Ich suche die Fristen.")
        arguments: dict[str, object] = {
            "project_id": _on_page(question, "project"),
            "court": _on_page(question, "court"),
        }
        if in_week:
            today = date.fromisoformat(plates[-1].head["today"])
            monday = today - timedelta(days=today.weekday())
            arguments |= {"due_after": str(monday), "due_before": str(monday + timedelta(days=6))}
        return look_up(conversation, question, "search_my_deadlines", opening, **arguments)
    found = results[-1]
    if not found.rows:
        return answer([say(*NOT_FOUND)], *plates, found, tag="data")
    when = say(" are due this week.", " sind in dieser Woche fällig.") if in_week else say(" are open.", " sind offen.")
    lines = [say(f"{len(found.rows)} deadlines{when}", f"{len(found.rows)} Fristen{when}")]
    if found.has_more:
        lines = [
            say("These are the first that are open; there are more.", "Das sind die ersten offenen; es gibt mehr.")
        ]
    columns = say("| due | deadline | project |", "| fällig | Frist | Projekt |")
    lines += ["", columns, "|---|---|---|"]
    lines += [f"| {day(question, row['due_date'])} | {row['title']} | {row['project']} |" for row in found.rows]
    courts = sorted({row["court"] for row in found.rows if row.get("court")})
    lines += ["", " ".join(f"[#deadline-OPEN:{row['id']}]" for row in found.rows[:10])]
    lines += [" ".join(f"[court: {court}]" for court in courts[:5])]
    return answer(lines, *plates, found, tag="data")


def project(question: Question, conversation: Conversation) -> Message:
    """One project: the one that the question names by its id, its file number or its label, or the one on the page."""
    say, tool = question.say, "get_project_detail"
    details, searches = results_of(conversation, tool), results_of(conversation, "search_my_deadlines")
    named = question.after(r"(?:state of|steht es um)(?: the)?(?: project| das projekt| die sache)?")
    opening = say("I'll look that up.", "Ich sehe nach.")
    if not details and (shown := _on_page(question, "project")):
        return look_up(conversation, question, tool, opening, project_id=shown)
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


def _project_lines(question: Question, found: Found) -> Iterator[str]:
    say, head, counts = question.say, found.head["project"], found.head["counts"]
    court = f" [court: {head['court']}]" if head.get("court") else ""
    yield f"**{head['label']}** ({head['reference']}) [#project-OPEN:{head['id']}]{court}"
    yield ""
    yield say(f"- State: {head['status']}", f"- Stand: {_STATES[head['status']]}")
    if head.get("path"):
        yield say(f"- Part of: {head['path']}", f"- Gehört zu: {head['path']}")
    yield say(f"- Open deadlines: {counts['open_deadlines']}", f"- Offene Fristen: {counts['open_deadlines']}")
    coming = counts["coming_appointments"]
    yield say(f"- Coming appointments: {coming}", f"- Kommende Termine: {coming}")
    due = [row for row in found.of_kind("deadline") if row["status"] == "open"][:5]
    yield from _part(
        say("The next deadlines", "Die nächsten Fristen"), [_due(question, row, dated=True) for row in due]
    )
    notes = [f"> {row['text']}" for row in found.of_kind("note")[:1]]
    yield from _part(say("The last note", "Die letzte Notiz"), notes)


_STATES = {"active": "laufend", "closed": "geschlossen", "archived": "archiviert"}


def term(question: Question, conversation: Conversation) -> Message:
    """A term of the glossary."""
    say, tool = question.say, "lookup_glossary_term"
    results = results_of(conversation, tool)
    if not results:
        is_selected = question.selection and any(word in question.asked for word in ("selected", "markierte"))
        named = question.after(r"(?:erklär\w*|explain)(?: mir| me)?(?: den begriff| the term)?")
        asked = question.selection if is_selected else _on_page(question, "glossary") or named
        opening = say("I'll look it up in the glossary.", "Ich schlage im Glossar nach.")
        return look_up(conversation, question, tool, opening, q=(asked or question.words)[:200], lang=question.lang)
    if not results[-1].rows:
        return answer([say(*NOT_FOUND)], results[-1], tag="concept")
    row, other = results[-1].rows[0], say("de", "en")
    lines = [
        f"**{row[question.lang]}** ({say('German', 'englisch')}: {row[other]}) [glossary: {row[question.lang]}]",
        "",
        row[f"definition_{question.lang}"],
        "",
        say(f"Source: {row['source']}.", f"Quelle: {row['source']}."),
    ]
    return answer(lines, results[-1], tag="concept")


def period(question: Question, conversation: Conversation) -> Message:
    """When a period ends that begins today."""
    say, tool = question.say, "lookup_deadline_rule"
    plates, results = results_of(conversation, "whats_on_my_plate"), results_of(conversation, tool)
    if not plates:
        opening = say("First I need today's date.", "Zuerst brauche ich das heutige Datum.")
        return look_up(conversation, question, "whats_on_my_plate", opening)
    named = question.after(r"(?:frist (?:zur|zum|für die|für den)|period for the)").partition(",")[0]
    if not results:
        arguments = {
            "q": named or ASSUMED[question.lang],
            "lang": question.lang,
            "trigger_date": plates[-1].head["today"],
        }
        opening = say("I'll compute it by the rule.", "Ich rechne es nach der Regel aus.")
        return look_up(conversation, question, tool, opening, **arguments)
    if not results[-1].rows:
        return answer([say(*NOT_FOUND)], plates[-1], results[-1], tag="data")
    row = results[-1].rows[0]
    lines = [
        say(
            f"**{row['concept']}**: it ends on {day(question, row['computed_date'])}, a {row['weekday']}.",
            f"**{row['concept']}**: Die Frist endet am {day(question, row['computed_date'])}, einem {row['weekday']}.",
        ),
        say(f"Period: {row['period']}, {row['legal_source']}.", f"Dauer: {row['period']}, {row['legal_source']}."),
        "",
        *(f"- {step}" for step in row["steps"] if "`court`" not in step),
        "",
        row["check"],
    ]
    lines += [
        say(
            "Holidays are left out, since no court was named.",
            "Ohne Feiertage, weil kein Gericht genannt war.",
        )
    ]
    if not named:
        lines += [
            say("No deadline was named: I took this one.", "Es war keine Frist genannt: Ich habe diese genommen.")
        ]
    return answer(lines, plates[-1], results[-1], tag="data")


def case_law(question: Question, conversation: Conversation) -> Message:
    """Judgments on a question."""
    say, tool = question.say, "search_case_law"
    results = results_of(conversation, tool)
    if not results:
        asked = question.after(r"(?:rechtsprechung|case law)(?: \w+)*? (?:zur|zum|zu|on|about)")
        opening = say("I'll search the judgments.", "Ich durchsuche die Entscheidungen.")
        return look_up(conversation, question, tool, opening, q=(asked or question.words)[:200], limit=3)
    found = results[-1]
    if not found.rows:
        return answer([say(*NOT_FOUND)], found, tag="data")
    lines: list[str] = []
    for row in found.rows:
        lines += [
            f"**{row['case_number']}**, {row['division']}, {day(question, row['decided_on'])}:",
            "",
            f"> {row['headnote']}",
            "",
        ]
    if any(row.get("made_up") for row in found.rows):
        lines += [
            say(
                "These decisions are made up, to try things out.",
                "Diese Entscheidungen sind erfunden, zum Ausprobieren.",
            )
        ]
    return answer(lines, found, tag="data")


def court(question: Question, conversation: Conversation) -> Message:
    """Courts by a name or a city."""
    say, tool = question.say, "lookup_court"
    results = results_of(conversation, tool)
    if not results:
        asked = question.after(r"(?:gerichte?|kammern?|courts?|divisions?)(?: \w+)? in")
        opening = say("I'll look up the court.", "Ich schlage das Gericht nach.")
        return look_up(conversation, question, tool, opening, q=(asked or question.words)[:200])
    if not results[-1].rows:
        return answer([say(*NOT_FOUND)], results[-1], tag="data")
    name = f"name_{question.lang}"
    lines = [f"- {row[name]}, {row.get('address') or row['city']} [court: {row['short']}]" for row in results[-1].rows]
    return answer(lines, results[-1], tag="data")


_THIS = {
    "project": ("this project", "dieses projekt", "diesem projekt"),
    "court": ("this court", "diesem gericht"),
    "glossary": ("this term", "diesen begriff"),
}


def _on_page(question: Question, kind: str) -> str:
    """The id of the thing of this kind on the page, if the question means that; otherwise ""."""
    is_meant = any(words in question.asked for words in _THIS[kind])
    return question.entity[1] if is_meant and question.entity[0] == kind else ""


def _part(title: str, lines: Sequence[str]) -> list[str]:
    """A part of an answer with a title, if there is something in it."""
    return ["", f"**{title}**", "", *lines] if lines else []


def _due(question: Question, row: Row, *, dated: bool = False) -> str:
    when = f"{day(question, row['due_date'])}: " if dated else ""
    place = f" ({row['project']})" if row.get("project") else ""
    return f"- {when}{row['title']}{place} [#deadline-OPEN:{row['id']}]"


def _meeting(row: Row) -> str:
    where = f", {row['place']}" if row.get("place") else ""
    return f"- {row['starts_at'][11:16]}: {row['title']}{where} [#appointment-OPEN:{row['id']}]"
