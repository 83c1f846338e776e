"""Scenes without the practice: a file that is read, a permission, a question card, a long text. Pure."""

from __future__ import annotations

import re
from pathlib import Path

from paliadin.demo.api_messages import Conversation, Message, ToolResult, ToolUse
from paliadin.demo.question import Question
from paliadin.demo.scene import answer, answer_from, use


def handover(question: Question, conversation: Conversation) -> Message:
    """Read a file, and answer with its facts, with what follows from them, and with one that is in no result."""
    say = question.say
    if refusal := _without("Read", question, conversation):
        return refusal
    if not conversation.results:
        return use(
            say("I'll read the note.", "Ich lese die Notiz."), "Read", file_path=f"{_folder(conversation)}handover.md"
        )
    result = conversation.results[-1]
    if result.is_error:
        return answer(
            [say("The note could not be read.", "Die Notiz ließ sich nicht lesen."), f"> {_first_line(result)}"]
        )
    page = re.findall(r"^ *\d+\t(.*)$", result.content, re.MULTILINE)
    page = page[:-1] if page and not page[-1] else page  # Read numbers the empty line after the last newline, too
    lines = [
        say("`handover.md` says:", "In `handover.md` steht:"),
        "",
        *(line for line in page if line.startswith("- ")),
        "",
        say(
            "So 60.00 EUR are left for the printing: that was worked out, and a program has checked it.",
            "Für den Druck bleiben also 60,00 EUR: Das ist ausgerechnet, und ein Programm hat es geprüft.",
        ),
        say(
            "75 % of its budget are used: that is miscalculated, to show how a figure looks that does not add up.",
            "Vom Budget sind 75 % verbraucht: Das ist falsch gerechnet, damit man sieht, wie etwas aussieht, das nicht "
            "aufgeht.",
        ),
        say(
            "The next visit is on 3 May 2031: that is made up, to show how a fact looks that no tool returned.",
            "Der nächste Besuch ist am 3. Mai 2031: Das ist erfunden, damit man sieht, wie etwas aussieht, das kein "
            "Werkzeug geliefert hat.",
        ),
    ]
    calculated = (
        say("60.00 EUR = 300.00 EUR - 240.00 EUR", "60,00 EUR = 300.00 EUR - 240.00 EUR"),
        "75 % = 240.00 EUR / 300.00 EUR",
    )
    return answer_from(lines, ["Read"], [len(page)], "data", calculated)


def choice(question: Question, conversation: Conversation) -> Message:
    """Ask the user on a question card."""
    say = question.say
    if refusal := _without("AskUserQuestion", question, conversation):
        return refusal
    if not conversation.results:
        options = [
            {"label": say("Short", "Kurz"), "description": say("One sentence", "Ein Satz")},
            {
                "label": say("With reasons", "Mit Gründen"),
                "description": say("One sentence and the reasons for it", "Ein Satz und die Gründe dafür"),
            },
            {"label": say("As a table", "Als Tabelle"), "description": say("Side by side", "Nebeneinander")},
        ]
        question_text = say("How do you want it?", "Wie soll die Antwort aussehen?")
        card = {"question": question_text, "header": "Form", "multiSelect": False, "options": options}
        return Message((ToolUse("AskUserQuestion", {"questions": [card]}),))
    reply = _first_line(conversation.results[-1])
    handed = say("Your reply reached me as:", "Die Antwort kam so bei mir an:")
    return answer([say("Thank you.", "Danke."), f"{handed} {reply}"])


def note(question: Question, conversation: Conversation) -> Message:
    """Write a file, for which Claude Code asks for permission."""
    say = question.say
    if refusal := _without("Write", question, conversation):
        return refusal
    path = f"{_folder(conversation)}note.md"
    if not conversation.results:
        content = say("# Note\n\nThe expert was called today.\n", "# Notiz\n\nDer Gutachter wurde heute angerufen.\n")
        opening = say(
            "I'd like to write this note. You will be asked for permission.",
            "Diese Notiz möchte ich schreiben. Dafür wird um Erlaubnis gefragt.",
        )
        return use(opening, "Write", file_path=path, content=content)
    result = conversation.results[-1]
    if result.is_error:
        not_written = say("The note was **not** written.", "Die Notiz wurde **nicht** geschrieben.")
        return answer([not_written, f"> {_first_line(result)}"])
    written = say(f"The note is written: `{Path(path).name}`.", f"Die Notiz ist geschrieben: `{Path(path).name}`.")
    return answer_from([written], ["Write"], [1], "other")


def explain(question: Question, _conversation: Conversation) -> Message:
    """Answer with a long text."""
    text = (Path(__file__).with_name("explanation") / f"{question.lang}.md").read_text("utf-8").splitlines()
    line = question.say(
        "A line of this long answer, a moment after the one before.",
        "Eine Zeile dieser langen Antwort, einen Augenblick nach der vorigen.",
    )
    return answer([*text, "", *(f"{number}. {line}" for number in range(1, 31))], tag="meta")


def _without(tool: str, question: Question, conversation: Conversation) -> Message | None:
    """Answer that Claude has no such tool; None if it has. A member's Claude has those of the practice only."""
    if tool in conversation.tools:
        return None
    only = question.say(
        f"In a member's conversation I have the practice's tools only, and no `{tool}`.",
        f"Im Gespräch eines Mitglieds habe ich nur die Werkzeuge der Kanzlei, und kein `{tool}`.",
    )
    return answer([only], tag="meta")


def _folder(conversation: Conversation) -> str:
    """Return the working folder from Claude Code's system prompt: its file tools need absolute paths."""
    match = re.search(r"[Ww]orking directory: (\S+)", conversation.system + conversation.notes)
    return match[1].rstrip("/") + "/" if match else ""


def _first_line(result: ToolResult) -> str:
    return result.content.strip().split("\n", 1)[0]
