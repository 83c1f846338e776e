"""The demo's script: it makes the real Claude Code run real tools, and writes answers from their results. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from paliadin.demo import office_scenes as office
from paliadin.demo import practice_scenes as practice
from paliadin.demo import reference_scenes as reference
from paliadin.demo import suggestion_scenes as suggestion
from paliadin.demo.api_messages import Conversation, Message
from paliadin.demo.question import Question
from paliadin.demo.scene import NOT_FOUND, Refused, Scene, answer, answer_from

SAMPLE = Path(__file__).with_name("sample")
# Pages of the example application.
CHIPS = ",".join(  # PALIADIN_CHIPS
    (
        "deadline=/deadlines/{id}",
        "project=/projects/{id}",
        "appointment=/agenda/{id}",
        "court=/courts/{id}",
        "glossary=/glossary/{id}",
    )
)
ROUTES = "/,/projects,/deadlines,/agenda,/inbox,/courts,/glossary,/audit"  # PALIADIN_ROUTES, besides those
MODEL = "scripted (no model)"  # the model's name in the record and on the page; it has no price


OF_THE_PRACTICE = 7  # questions, the first ones, need the practice's tools only


def questions(own: str, of_others: str) -> Mapping[str, Sequence[str]]:
    """Return example questions, by language: first those that need only the practice's tools, which members have.

    `own` and `of_others` are the file numbers of a project that the demo's member sees, and of one that they may not.
    """
    return {
        "en": (
            "What is due today?",
            "Which deadlines are due this week?",
            "Explain statement of defence",
            "When does the period end if service was today?",
            "What does case law say on urgency?",
            f"What is the state of {of_others}?",
            f"Enter a deadline for {own}: 16 May, statement of defence",
            "What does the handover note say?",
            "Ask me something first, then answer.",
            "Write a note that the expert was called.",
            "Explain how this demo works, at length.",
        ),
        "de": (
            "Was steht heute an?",
            "Welche Fristen sind diese Woche fällig?",
            "Erkläre mir Klageerwiderung",
            "Wann endet die Frist, wenn heute zugestellt wurde?",
            "Was sagt die Rechtsprechung zur Dringlichkeit?",
            f"Wie steht es um {of_others}?",
            f"Lege eine Frist für {own} an: 16.05., Klageerwiderung",
            "Was steht in der Übergabenotiz?",
            "Frag mich erst etwas, dann antworte.",
            "Schreib eine Notiz, dass der Gutachter angerufen wurde.",
            "Erklär ausführlich, wie diese Demo funktioniert.",
        ),
    }


def without_files(known: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
    """Return the questions that need none of Claude Code's own tools."""
    return {lang: [*each[:OF_THE_PRACTICE], *each[8:9]] for lang, each in known.items()}


def play(conversation: Conversation) -> Message:
    """Return the model's next message: a tool call until the tool has run, then the answer."""
    question = Question.read(conversation.user_text)
    scene = next((scene for words, scene in _SCENES if any(word in question.asked for word in words)), _fallback)
    try:
        return scene(question, conversation)
    except Refused as refused:
        return answer_from([question.say(*NOT_FOUND)], [str(refused)], [0], "data")


def _fallback(question: Question, conversation: Conversation) -> Message:
    quoted = question.words.splitlines()[0][:120] if question.words else ""
    known = questions("…", "…")[question.lang]
    lines = [
        question.say(f"You asked: *{quoted}*", f"Die Frage war: *{quoted}*"),
        "",
        question.say(
            "I am a script, not a model, and know only a few questions:",
            "Ich bin ein Skript und kein Modell, und kenne nur einige Fragen:",
        ),
        "",
        *(
            f"- {each}"
            for each in (known if "Bash" in conversation.tools else known[:OF_THE_PRACTICE])
            if not any(map(str.isdigit, each))  # a figure that no tool has returned would be marked
        ),
    ]
    return answer(lines, tag="meta")


_SCENES: tuple[tuple[tuple[str, ...], Scene], ...] = (
    (("how this demo", "diese demo"), office.explain),
    (
        ("enter a deadline", "add a deadline", "lege eine frist", "leg eine frist", "trage eine frist"),
        suggestion.deadline,
    ),
    (("note on this", "notiz zu dies"), suggestion.note),
    (("handover", "übergabe"), office.handover),
    (("ask me", "frag mich"), office.choice),
    (("write a note", "schreib eine notiz"), office.note),
    (("case law", "rechtsprechung"), reference.case_law),
    (("explain", "erklär"), reference.term),
    (("period end", "deadline end", "frist endet", "endet die frist"), reference.period),
    (("due today", "on my plate", "today's agenda", "steht heute an", "heutigen tag"), practice.plate),
    (("state of", "steht es um"), practice.project),
    (("deadline", "frist", "due this week", "diese woche fällig"), practice.deadlines),
    (("appointment", "termin"), practice.appointments),
    (("court", "gericht", "kammer"), reference.court),
)
