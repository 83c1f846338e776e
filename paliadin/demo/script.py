"""The demo's script: it makes the real Claude Code run real tools, and writes answers from their results."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from paliadin.demo.api_messages import Conversation, Message, Pause, Text, ToolResult, ToolUse

SAMPLE = Path(__file__).with_name("sample")
CHIPS = "deadline=/deadlines/{id}"  # PALIADIN_CHIPS: pages of the example application
ROUTES = "/,/deadlines/{id},/projects/{id},/agenda,/glossary"  # PALIADIN_ROUTES: all of its pages
QUESTIONS = {
    "en": (
        "Which deadlines are open?",
        "What is the state of the harbour bridge project?",
        "How many lines does each file here have?",
        "Ask me something first, then answer.",
        "Write a note that the expert was called.",
        "Explain how this demo works, at length.",
    ),
    "de": (
        "Welche Fristen sind offen?",
        "Wie steht es um das Projekt Hafenbrücke?",
        "Wie viele Zeilen hat hier jede Datei?",
        "Frag mich erst etwas, dann antworte.",
        "Schreib eine Notiz, dass der Gutachter angerufen wurde.",
        "Erklär ausführlich, wie diese Demo funktioniert.",
    ),
}
MODEL = "scripted (no model)"  # the model's name in the record and on the page; it has no price
PACE = 0.03  # seconds between words


def play(conversation: Conversation) -> Message:
    """Return the model's next message: a tool call until the tool has run, then the answer."""
    question = _without_envelope(conversation.user_text).lower()
    for words, scene in _SCENES:
        if any(word in question for word in words):
            return scene(conversation)
    return _fallback(conversation)


def _deadlines(conversation: Conversation) -> Message:
    if not conversation.results:
        return _use("I'll search the deadlines.", "Bash", command="grep -n OPEN deadlines.csv", description="Search")
    result = conversation.results[-1]
    rows = [re.sub(r"^\d+:", "", line) for line in result.content.splitlines() if ",OPEN" in line]
    table = ["| due | what | project |", "|---|---|---|"]
    chips = []
    for ident, project, due, what, _ in csv.reader(io.StringIO("\n".join(rows))):
        table.append(f"| {due} | {what} | {project} |")
        chips.append(f"{what} is due on {due} [#deadline-OPEN:{ident}].")
    lines = [f"{len(rows)} deadlines are open, as `deadlines.csv` says.", "", *table, "", *chips]
    return _answer(lines, "Bash", len(rows), "data")


def _project(conversation: Conversation) -> Message:
    if not conversation.results:
        return _use(
            "I'll read the project's page.", "Read", file_path=f"{_folder(conversation)}projects/harbour-bridge.md"
        )
    page = re.findall(r"^ *\d+\t(.*)$", conversation.results[-1].content, re.MULTILINE)
    page = page[:-1] if page and not page[-1] else page  # Read numbers the empty line after the last newline, too
    steps = [line for line in page if line.startswith("- 20")]
    state = next((line.partition("state: ")[2] for line in page if "state: " in line), "not stated")
    lines = [
        "**Harbour bridge** (`projects/harbour-bridge.md`):",
        "",
        f"State: {state}.",
        "",
        "Last steps:",
        "",
        *steps,
        "",
        "The next visit is on 3 May 2031: that is made up, to show how a fact looks that no tool returned.",
    ]
    return _answer(lines, "Read", len(page), "data")


def _count(conversation: Conversation) -> Message:
    command = "find . -type f | sort | xargs wc -l"
    if not conversation.results:
        return _use("I'll run a command for that.", "Bash", command=command, description="Count lines")
    result = conversation.results[-1]
    lines = [f"`{command}` says:", "", "```", *result.content.splitlines(), "```"]
    if result.is_error:
        lines = ["The command was not allowed or failed, so I don't know.", "", f"> {result.content.splitlines()[0]}"]
    return _answer(lines, "Bash", len(result.content.splitlines()), "data")


def _choice(conversation: Conversation) -> Message:
    if not conversation.results:
        options = [
            {"label": "Short", "description": "One sentence"},
            {"label": "With reasons", "description": "One sentence and the reasons for it"},
            {"label": "As a table", "description": "Side by side"},
        ]
        question = {"question": "How do you want it?", "header": "Form", "multiSelect": False, "options": options}
        return Message((ToolUse("AskUserQuestion", {"questions": [question]}),))
    lines = ["Thank you.", f"Claude Code handed me your reply as: {_first_line(conversation.results[-1])}"]
    return _answer(lines, "none", None, "other")


def _note(conversation: Conversation) -> Message:
    path = f"{_folder(conversation)}note.md"
    if not conversation.results:
        note = "# Note\n\nThe expert was called today.\n"
        return _use(
            "I'd like to write this note. You will be asked for permission.", "Write", file_path=path, content=note
        )
    result = conversation.results[-1]
    if result.is_error:
        return _answer(["The note was **not** written.", f"> {_first_line(result)}"], "none", None, "other")
    return _answer([f"The note is written: `{Path(path).name}`.", f"> {_first_line(result)}"], "Write", 1, "other")


def _explain(_conversation: Conversation) -> Message:
    lines = [
        "## What is real here",
        "",
        "The page, the daemon, tmux, Postgres and **Claude Code itself** are the real ones.",
        "Only the model behind Claude Code is a script on this machine, so nothing leaves it and no account is needed.",
        "",
        "## What happens to a question",
        "",
        "1. The daemon makes a folder for the turn, and a row in Postgres.",
        "2. It looks at the terminal and types only when an empty prompt is shown.",
        "3. Claude Code reports the question through a hook: that is the proof of delivery.",
        "4. Each step of the answer is appended to a file by hooks.",
        "   - text as it is displayed, line by line; the page shows each word before that, as it is generated",
        "   - tools, with what they returned",
        "   - questions and permissions, which wait for you",
        "5. The page shows that file, and the row is completed from it.",
        "",
        "```python",
        "events = reduce(turn, lines)  # the same lines always give the same events",
        "```",
        "",
        "> Attach to the terminal with `paliadin attach`: the page and the terminal show one conversation.",
        "",
        *(f"Line {number} of this long answer comes a moment after the one before." for number in range(1, 31)),
    ]
    return _answer(lines, "none", None, "meta")


def _fallback(conversation: Conversation) -> Message:
    question = _without_envelope(conversation.user_text)
    quoted = question.splitlines()[0][:120] if question else ""
    lines = [
        f"You asked: *{quoted}*",
        "",
        "I am a script, not a model, and know only a few questions:",
        "",
        *(f"- {known}" for known in QUESTIONS["en"]),
    ]
    return _answer(lines, "none", None, "meta")


_SCENES: tuple[tuple[tuple[str, ...], Callable[[Conversation], Message]], ...] = (
    (("deadline", "frist"), _deadlines),
    (("harbour", "bridge", "project", "projekt"), _project),
    (("how many", "count", "lines", "zähl", "wie viele"), _count),
    (("ask me", "choose", "frag mich", "wähl"), _choice),
    (("write", "note", "schreib", "notiz"), _note),
    (("explain", "how this", "demo", "erklär"), _explain),
)


def _use(opening: str, tool: str, **tool_input: str) -> Message:
    return Message((Pause(0.2), Text((*_chunks(opening), "\n"), PACE), ToolUse(tool, tool_input)))


def _answer(lines: list[str], tools: str, rows: int | None, tag: str) -> Message:
    trailer = f"\n---\n[paliadin-meta]\nused_tools: {tools}\nrows_seen: {'none' if rows is None else rows}\n"
    whole = "\n".join(lines) + f"\n{trailer}classifier_tag: {tag}\n[/paliadin-meta]\n"
    return Message((Pause(0.2), Text(tuple(_chunks(whole)), PACE)))


def _chunks(whole: str) -> Iterator[str]:
    """Split the answer into words, as a model writes it, and the trailer as one chunk."""
    visible, mark, trailer = whole.partition("\n---\n[paliadin-meta]")
    yield from re.findall(r"\s*\S+", visible)
    yield mark + trailer


def _without_envelope(prompt: str) -> str:
    """Remove the envelope from the prompt: only the user's own words remain."""
    ctx, files = r'\[ctx(?:"(?:\\.|[^"\\])*"|[^\]"])*\] ?', r'\[files (?:"[^"]*"|[^\]"])*\] ?'
    return re.sub(rf"^\[PALIADIN:[^\]]*\] ?(?:{ctx})?(?:{files})?", "", prompt)


def _folder(conversation: Conversation) -> str:
    """Return the working folder from Claude Code's system prompt: its file tools need absolute paths."""
    match = re.search(r"[Ww]orking directory: (\S+)", conversation.system + conversation.notes)
    return match[1].rstrip("/") + "/" if match else ""


def _first_line(result: ToolResult) -> str:
    return result.content.strip().split("\n", 1)[0]
