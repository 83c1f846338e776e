"""Scenes that look up reference data in the practice, and answer only from the results of its tools. Pure."""

from __future__ import annotations

from paliadin.demo.api_messages import Conversation, Message
from paliadin.demo.question import Question
from paliadin.demo.scene import NOT_FOUND, answer, day, look_up, results_of

ASSUMED = {"de": "Klageerwiderung (Verletzungsklage)", "en": "Statement of defence"}
"""The deadline that is meant where the question names none."""


def term(question: Question, conversation: Conversation) -> Message:
    """Explain a term of the glossary."""
    say, tool = question.say, "lookup_glossary_term"
    results = results_of(conversation, tool)
    if not results:
        is_selected = question.selection and any(word in question.asked for word in ("selected", "markierte"))
        named = question.after(r"(?:erklär\w*|explain)(?: mir| me)?(?: den begriff| the term)?")
        search = question.selection if is_selected else question.on_page("glossary") or named
        opening = say("I'll look it up in the glossary.", "Ich schlage im Glossar nach.")
        return look_up(conversation, question, tool, opening, q=(search or question.words)[:200], lang=question.lang)
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
    """Compute the end of a period that begins today."""
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
    """Answer with judgments on a question."""
    say, tool = question.say, "search_case_law"
    results = results_of(conversation, tool)
    if not results:
        topic = question.after(r"(?:rechtsprechung|case law)(?: \w+)*? (?:zur|zum|zu|on|about)")
        opening = say("I'll search the judgments.", "Ich durchsuche die Entscheidungen.")
        return look_up(conversation, question, tool, opening, q=(topic or question.words)[:200], limit=3)
    result = results[-1]
    if not result.rows:
        return answer([say(*NOT_FOUND)], result, tag="data")
    lines: list[str] = []
    for row in result.rows:
        lines += [
            f"**{row['case_number']}**, {row['division']}, {day(question, row['decided_on'])}:",
            "",
            f"> {row['headnote']}",
            "",
        ]
    if any(row.get("made_up") for row in result.rows):
        lines += [
            say(
                "These decisions are made up, to try things out.",
                "Diese Entscheidungen sind erfunden, zum Ausprobieren.",
            )
        ]
    return answer(lines, result, tag="data")


def court(question: Question, conversation: Conversation) -> Message:
    """Answer with courts by a name or a city."""
    say, tool = question.say, "lookup_court"
    results = results_of(conversation, tool)
    if not results:
        place = question.after(r"(?:gerichte?|kammern?|courts?|divisions?)(?: \w+)? in")
        opening = say("I'll look up the court.", "Ich schlage das Gericht nach.")
        return look_up(conversation, question, tool, opening, q=(place or question.words)[:200])
    if not results[-1].rows:
        return answer([say(*NOT_FOUND)], results[-1], tag="data")
    name = f"name_{question.lang}"
    lines = [f"- {row[name]}, {row.get('address') or row['city']} [court: {row['short']}]" for row in results[-1].rows]
    return answer(lines, results[-1], tag="data")
