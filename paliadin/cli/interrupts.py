"""Claude's permissions, questions and dialogs in the terminal: the text that is shown, and the reply that is typed."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import termios
from collections.abc import Mapping, Sequence
from typing import Any

from paliadin.base.terminal_text import clean, one_line
from paliadin.base.visible_text import keep_ends, show
from paliadin.cli.echo import echo

JsonObject = Mapping[str, Any]
ReplyValue = str | list[str]

LONGEST_INPUT = 4000  # characters of a tool's input that are shown
PLAN_TOOL = "ExitPlanMode"
LONGEST_PLAN = 40_000  # characters of a plan
LONGEST_PREVIEW = 2000  # characters of what an option would look like
CUT_WARNING = "! This was too long to be carried whole: a part of it is missing, where it says so, also on the page."
LINK_WARNING = "! A link stands in this path. It leads to {}"


class InvalidReply(Exception):
    """The typed line is not a valid reply; the message says what would be."""


async def ask_user(interrupt: JsonObject) -> dict[str, Any]:
    """Ask the interrupt's questions; returns the body of the reply's request, without the interrupt's id.

    Cancelling the task stops it at once, since the interrupt may be replied to elsewhere first.
    """
    termios.tcflush(sys.stdin, termios.TCIFLUSH)  # what was typed before the question was shown is no reply to it
    questions = questions_of(interrupt)
    values: dict[str, ReplyValue] = {}
    for question in questions:
        echo(f"? {clean(str(question['question']))}", err=True)
        if options := question.get("options"):
            echo(options_text(options), err=True)
        value = await _read_reply(question)
        if value is None:
            return {"cancel": True}
        values[str(question["question"])] = value
    return {"value": values if len(questions) > 1 else next(iter(values.values()))}


async def _read_reply(question: JsonObject) -> ReplyValue | None:
    """Read lines until one is a valid reply; returns None for none, also at the end of the input (Ctrl-D)."""
    while True:
        echo(reply_prompt(question), err=True, nl=False)
        line = await _read_line()
        if not line:
            echo(err=True)
            return None
        try:
            return parse_reply(line, question)
        except InvalidReply as error:
            echo(f"  {error}", err=True)


async def _read_line() -> str:
    """Read a line, which the terminal lets the user edit; empty at the end of the input."""
    loop, readable = asyncio.get_running_loop(), asyncio.Event()
    descriptor = sys.stdin.fileno()
    loop.add_reader(descriptor, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(descriptor)
    return os.read(descriptor, 65536).decode("utf-8", "replace")


def questions_of(interrupt: JsonObject) -> Sequence[JsonObject]:
    """Return the interrupt's questions, at least one.

    A question is {"question", "header", "multi", "options": [{"id", "label", "description", "preview"?}]}.
    """
    return interrupt.get("questions") or [{"question": interrupt["message"], **interrupt}]


def options_text(options: Sequence[JsonObject]) -> str:
    """The options as numbered lines, each with its preview below it."""
    lines = []
    for number, option in enumerate(options, 1):
        description = one_line(str(option.get("description") or ""))
        lines.append(f"  {number}) {one_line(str(option['label']))}{' - ' + description if description else ''}")
        if preview := str(option.get("preview") or ""):
            preview_text = keep_ends(show(preview), LONGEST_PREVIEW, "\n… ⟨{} characters are left out here⟩ …\n")
            lines += [f"     │ {line}".rstrip() for line in preview_text.strip("\n").split("\n")]
    return "\n".join(lines)


def permission_text(interrupt: JsonObject) -> str:
    """The tool's input, or the plan that Claude asks to begin with: its summary alone may hide what matters.

    Blanks that would push a part out of sight are counted instead. Of more than LONGEST_INPUT characters, or of a plan
    LONGEST_PLAN, both ends are shown.
    """
    tool_input = interrupt.get("input")
    plan = tool_input.get("plan") if isinstance(tool_input, Mapping) and interrupt.get("tool") == PLAN_TOOL else None
    items = tool_input.items() if isinstance(tool_input, Mapping) else [("input", tool_input)]
    text = show(plan) if plan else "\n".join(f"{show(str(name))}: {show(value)}" for name, value in items)
    text = keep_ends(
        text, LONGEST_PLAN if plan else LONGEST_INPUT, "\n… ⟨{} characters are left out here: the page shows them⟩ …\n"
    )
    lines = [f"    {line}" for line in text.split("\n")]
    if leads_to := interrupt.get("leads_to"):
        lines.append(LINK_WARNING.format(show(str(leads_to)).replace("\n", "⟨U+000A⟩")))
    return "\n".join([*lines, *([CUT_WARNING] if interrupt.get("cut") else [])])


def dialog_text(interrupt: JsonObject) -> str:
    """The screen of a dialog that can be replied to only in Claude's terminal."""
    shown = interrupt.get("input")
    text = show(str(shown.get("screen") or "") if isinstance(shown, Mapping) else "")
    return "\n".join(f"    │ {line}".rstrip() for line in text.split("\n"))


def reply_prompt(question: JsonObject) -> str:
    """The prompt that says what may be typed."""
    if not question.get("options"):
        return "Your reply (Enter alone: none): "
    choice = "Numbers, such as 1,3" if question.get("multi") else "Number"
    return f"{choice}, or your own words (Enter alone: none): "


def parse_reply(line: str, question: JsonObject) -> ReplyValue | None:
    """Return the chosen label or the typed text, a list where several may be chosen; None for no reply.

    Raises InvalidReply for a number that is not offered.
    """
    text = line.strip()
    if not text:
        return None
    labels = [str(option["label"]) for option in question.get("options") or []]
    numbers = [int(word) for word in re.split(r"[,\s]+", text)] if re.fullmatch(r"\d+([,\s]+\d+)*", text) else []
    if not labels or not numbers:
        return [text] if question.get("multi") else text
    if not all(1 <= number <= len(labels) for number in numbers):
        raise InvalidReply(f"Choose from the numbers 1 to {len(labels)}.")
    chosen_labels = [labels[number - 1] for number in dict.fromkeys(numbers)]
    if question.get("multi"):
        return chosen_labels
    if len(chosen_labels) > 1:
        raise InvalidReply("Choose only one.")
    return chosen_labels[0]
