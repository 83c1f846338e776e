"""Scenes that suggest entries in the practice, which wait until a person approves them. Pure."""

from __future__ import annotations

import re
from datetime import date

from paliadin.demo.api_messages import Conversation, Message
from paliadin.demo.question import Question
from paliadin.demo.scene import NOT_FOUND, PREFIX, answer, answer_from, day, look_up, results_of

_FILE_NUMBER = r"(?:for|für) (\S.*?)(?: an)?:"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_GERMAN = {"mär": "mar", "mai": "may", "okt": "oct", "dez": "dec"}
_GERMAN_DAY = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}))?")
_NAMED_DAY = re.compile(r"(\d{1,2})\.? ([A-Z][a-zä]{2})[a-z]*(?: (\d{4}))?")


def deadline(question: Question, conversation: Conversation) -> Message:
    """Suggest a deadline, with a day and a task, in the project on the page or in that of a file number."""
    say = question.say
    on, title = _day_and_title(question)
    if not on or not title:
        return answer([say("On which day, and what has to be done?", "An welchem Tag, und was ist zu tun?")])
    plates = results_of(conversation, "whats_on_my_plate")
    if not plates:
        opening = say("First I need today's date.", "Zuerst brauche ich das heutige Datum.")
        return look_up(conversation, question, "whats_on_my_plate", opening)
    project, looking = _project(question, conversation)
    if looking:
        return looking
    if not project:
        return answer([say(*NOT_FOUND)], *plates, *results_of(conversation, "search_my_deadlines"), tag="data")
    if failed := _failure(question, conversation, "suggest_deadline"):
        return failed
    suggestions = results_of(conversation, "suggest_deadline")
    if not suggestions:
        due = _next(on, date.fromisoformat(plates[-1].head["today"]))
        opening = say("I'll prepare that.", "Ich bereite das vor.")
        arguments = {"project_id": project, "title": title, "due_date": str(due)}
        return look_up(conversation, question, "suggest_deadline", opening, **arguments)
    row = suggestions[-1].rows[0]
    when = day(question, row["due_date"])
    lines = [
        say(
            f"I have suggested a deadline in *{row['project']}*: **{row['title']}**, {when}.",
            f"Ich habe eine Frist in *{row['project']}* vorgeschlagen: **{row['title']}**, {when}.",
        ),
        say(
            "It is in no calendar until you, or whoever leads the project, approve it below.",
            "Sie steht in keinem Kalender, bevor sie hier unten freigegeben ist.",
        ),
    ]
    return answer(lines, *plates, *results_of(conversation, "search_my_deadlines"), suggestions[-1], tag="data")


def note(question: Question, conversation: Conversation) -> Message:
    """Suggest a note on the project on the page."""
    say, body = question.say, question.words.partition(":")[2].strip()
    if not body:
        return answer([say("What is the note to say?", "Was soll in der Notiz stehen?")])
    if failed := _failure(question, conversation, "suggest_note"):
        return failed
    suggestions = results_of(conversation, "suggest_note")
    if not suggestions:
        opening = say("I'll prepare that.", "Ich bereite das vor.")
        arguments = {"project_id": question.on_page("project"), "text": body}
        return look_up(conversation, question, "suggest_note", opening, **arguments)
    row = suggestions[-1].rows[0]
    suggested = say(
        f"I have suggested a note on *{row['project']}*. It is kept once it is approved below.",
        f"Ich habe eine Notiz zu *{row['project']}* vorgeschlagen. Sie gilt, sobald sie hier unten freigegeben ist.",
    )
    return answer([suggested], suggestions[-1], tag="data")


def _project(question: Question, conversation: Conversation) -> tuple[str, Message | None]:
    """Return the project's id, or "" without one; and the message that looks for it, if it was not sent yet."""
    if project_id := question.on_page("project"):
        return project_id, None
    named = question.named(_FILE_NUMBER)
    if not named:
        return "", answer([question.say("For which project?", "Für welches Projekt?")])
    searches = results_of(conversation, "search_my_deadlines")
    if not searches:
        opening = question.say("I'll look for the project.", "Ich suche das Projekt.")
        search = {"q": named[:200], "status": "any", "limit": 1}
        return "", look_up(conversation, question, "search_my_deadlines", opening, **search)
    return next((str(row["project_id"]) for row in searches[-1].rows), ""), None


def _failure(question: Question, conversation: Conversation, tool: str) -> Message | None:
    """Answer with the tool's own words if it has refused the suggestion; else None."""
    for result in conversation.results:
        if result.name == PREFIX + tool and result.is_error:
            apology = question.say("That could not be suggested.", "Das ließ sich nicht vorschlagen.")
            reason = f"> {result.content.splitlines()[0][:300]}"
            if "in the past" in result.content:
                reason = question.say("The day is in the past.", "Der Tag liegt in der Vergangenheit.")
            before = results_of(conversation, "whats_on_my_plate") + results_of(conversation, "search_my_deadlines")
            tools, rows = [each.tool for each in before], [len(each.rows) for each in before]
            return answer_from([apology, reason], [*tools, tool], [*rows, 0], "data")
    return None


def _day_and_title(question: Question) -> tuple[tuple[int, int, int | None] | None, str]:
    """Return (day, month, year if it is named), and the words behind the day."""
    behind = question.words.partition(":")[2]
    for pattern in (_GERMAN_DAY, _NAMED_DAY):
        if match := pattern.search(behind):
            name = _GERMAN.get(match[2].lower(), match[2].lower())
            month = int(name) if name.isdigit() else _MONTHS.index(name) + 1 if name in _MONTHS else 0
            title = behind[match.end() :].strip(" ,.:;-–")
            try:
                date(int(match[3] or 2028), month, int(match[1]))  # 2028 has a 29 February
            except ValueError:
                return None, title
            return (int(match[1]), month, int(match[3]) if match[3] else None), title[:1].upper() + title[1:]
    return None, ""


def _next(on: tuple[int, int, int | None], today: date) -> date:
    """Return the day in its year, or without one the next such day."""
    number, month, year = on
    years = [year] if year else range(today.year, today.year + 9)
    for each in years:
        try:
            if year or date(each, month, number) >= today:
                return date(each, month, number)
        except ValueError:  # the 29 February, in another year
            continue
    return today
