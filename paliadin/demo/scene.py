"""The building blocks of the demo's scenes: call a tool, read its results, write an answer. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from paliadin.demo.api_messages import Conversation, Message, Pause, Text, ToolUse
from paliadin.demo.question import Question
from paliadin.toolboxes.toolbox import full_name

PACE = 0.03  # seconds between words
PREFIX = full_name("paliad")  # of the practice's tools, as Claude Code names them
NOT_FOUND = ("I could not find anything matching that.", "Ich konnte nichts finden, was dazu passt.")

Scene = Callable[[Question, Conversation], Message]
Row = Mapping[str, Any]


@dataclass(frozen=True)
class PracticeResult:
    """The result of one of the practice's tools: its rows, and in `head` the whole object."""

    tool: str
    rows: Sequence[Row]
    head: Row

    @property
    def has_more(self) -> bool:
        return bool(self.head.get("more"))

    def of_kind(self, kind: str) -> list[Row]:
        """Return the rows of one kind."""
        return [row for row in self.rows if row.get("kind") == kind]


class Refused(Exception):
    """A tool of the practice returned an error, so there is nothing to answer from; the argument is the tool's name."""


def results_of(conversation: Conversation, tool: str) -> list[PracticeResult]:
    """Return the results of this tool's calls since the question was asked; raises Refused for one that failed."""
    results = []
    for result in conversation.results:
        if result.name != PREFIX + tool:
            continue
        if result.is_error:
            raise Refused(tool)
        head = json.loads(result.content)
        results.append(PracticeResult(tool, head["rows"], head))
    return results


def look_up(conversation: Conversation, question: Question, tool: str, opening: str, **arguments: object) -> Message:
    """Call a tool of the practice; where there is none, answer that."""
    if PREFIX + tool not in conversation.tools:
        return answer([question.say("There is no practice here to look it up in.", "Hier gibt es keine Kanzleidaten.")])
    return use(opening, PREFIX + tool, **{name: value for name, value in arguments.items() if value})


def use(opening: str, tool: str, **tool_input: object) -> Message:
    """Say a sentence and call a tool."""
    return Message((Pause(0.2), Text((*_chunks(opening), "\n"), PACE), ToolUse(tool, tool_input)))


def answer(lines: Sequence[str], *results: PracticeResult, tag: str = "other") -> Message:
    """Write the answer, with a trailer that names the practice's tools."""
    return answer_from(lines, [each.tool for each in results], [len(each.rows) for each in results], tag)


def answer_from(
    lines: Sequence[str], tools: Sequence[str], rows: Sequence[int], tag: str, calculated: Sequence[str] = ()
) -> Message:
    """Write the answer, with its trailer: the tools, how many rows each returned, and what it has worked out."""
    used, seen = ", ".join(tools) or "none", ", ".join(map(str, rows)) or "none"
    trailer = f"\n---\n[paliadin-meta]\nused_tools: {used}\nrows_seen: {seen}\n"
    stated = "".join(["calculated:\n", *(f"- {each}\n" for each in calculated)]) if calculated else ""
    whole = "\n".join(lines) + f"\n{trailer}classifier_tag: {tag}\n{stated}[/paliadin-meta]\n"
    return Message((Pause(0.2), Text(tuple(_chunks(whole)), PACE)))


def day(question: Question, written: object) -> str:
    """Write a day in the question's language; `written` begins with one in ISO 8601."""
    on = date.fromisoformat(str(written)[:10])
    return f"{on:%d.%m.%Y}" if question.lang == "de" else f"{on.day} {on:%B %Y}"


def _chunks(whole: str) -> Iterator[str]:
    """Split the answer into words, as a model writes it, and the trailer as one chunk."""
    visible, mark, trailer = whole.partition("\n---\n[paliadin-meta]")
    yield from re.findall(r"\s*\S+", visible)
    yield mark + trailer
